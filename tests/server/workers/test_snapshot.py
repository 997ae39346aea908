"""Snapshots: the same table as its log gives, at a fraction of the processor time; never anything but a table."""

from __future__ import annotations

import contextlib
import os
import pickle
import time
import zlib
from collections import Counter, OrderedDict
from collections.abc import Sequence

import pytest

from spieltisch import registry
from spieltisch.processes.calls import Worker
from spieltisch.processes.child import Child
from spieltisch.server.workers import table_cache
from spieltisch.server.workers.snapshot import BadSnapshot, code_digest, decode_snapshot, encode_snapshot
from spieltisch.server.workers.table_cache import LogPosition, MissingRows, SavedState
from spieltisch.table import projection
from spieltisch.table.codec import Row, chain_digest
from spieltisch.table.events import Event
from spieltisch.table.responses import serialize
from spieltisch.table.state import TableState
from tests.table.test_golden_tables import EXPECTED, rows_of, state_of

TOWER = next(table for table, expected in EXPECTED.items() if "turmbauer-finished" in expected["log"])
HALF = len(rows_of(TOWER)) // 2


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch):
    monkeypatch.setattr(table_cache, "_cache", OrderedDict())


def position_of(table: str, version: int | None = None) -> LogPosition:
    rows = tuple(rows_of(table)[:version])
    return LogPosition(table, len(rows), chain_digest(b"", rows), rows)


@pytest.mark.parametrize("table", EXPECTED)
def test_a_snapshot_is_the_same_table_as_its_log(table):
    state = state_of(table)
    projection.project(state, projection.viewpoint(state, None, None, "en"), 0)  # fills caches, which are not stored
    restored = decode_snapshot(encode_snapshot(state))
    assert restored == state
    assert type(restored.rules) is type(state.rules)
    for viewer in EXPECTED[table]["viewers"].values():
        by = projection.viewpoint(state, viewer["by"], viewer["seat"], "en")
        assert serialize(projection.project(restored, by, 0)) == serialize(projection.project(state, by, 0))


def test_the_rules_worker_goes_on_from_a_snapshot_with_the_rows_after_it(monkeypatch):
    """In one call: only the rows after the snapshot are sent, decoded and hashed."""
    whole, half = position_of(TOWER), position_of(TOWER, HALF)
    table_cache.find(half)
    saved = table_cache.take_snapshot(TOWER)
    assert saved is not None
    assert saved[:2] == half[1:3]
    table_cache._cache.clear()
    assert table_cache.find(whole._replace(rows=whole.rows[HALF:])) == MissingRows(0)  # without the snapshot
    counted: Counter[str] = Counter()
    decode, digest = table_cache.decode, table_cache.chain_digest

    def decode_counted(line: str) -> Event:
        counted["decoded"] += 1
        return decode(line)

    def digest_counted(before: bytes, rows: Sequence[Row]) -> bytes:
        counted["hashed"] += len(rows)
        return digest(before, rows)

    monkeypatch.setattr(table_cache, "decode", decode_counted)
    monkeypatch.setattr(table_cache, "chain_digest", digest_counted)
    found = table_cache.find(whole._replace(rows=whole.rows[HALF:], saved=saved))
    assert isinstance(found, table_cache.CachedTable)
    assert (found.state, found.digest) == (state_of(TOWER), whole.digest)
    assert counted == {"decoded": len(whole.rows) - HALF, "hashed": len(whole.rows) - HALF}
    assert table_cache.find(whole._replace(rows=whole.rows[HALF:], saved=saved)) == found  # it is known by now
    assert counted == {"decoded": len(whole.rows) - HALF, "hashed": len(whole.rows) - HALF}


def test_what_a_table_costs_to_replay_counts_from_its_last_snapshot():
    whole = position_of(TOWER)
    found = table_cache.find(whole)
    assert isinstance(found, table_cache.CachedTable)
    assert found.unsaved > 0
    table_cache.take_snapshot(TOWER)
    known = table_cache.find(whole)
    assert isinstance(known, table_cache.CachedTable)
    assert known.unsaved == 0


def test_a_table_that_is_not_known_has_no_snapshot():
    assert table_cache.take_snapshot(TOWER) is None


def replay(position: LogPosition) -> tuple[float, SavedState | None]:
    """The processor time that a log takes, and the snapshot after it."""
    registry.all()
    began = time.process_time()
    table_cache.find(position)
    spent = time.process_time() - began
    return spent, table_cache.take_snapshot(position.table)


def restore(position: LogPosition, saved: SavedState) -> float:
    """The processor time that a snapshot takes."""
    registry.all()
    began = time.process_time()
    table_cache.find(position._replace(rows=(), saved=saved))
    return time.process_time() - began


def test_a_snapshot_of_a_tower_takes_a_fraction_of_the_time_of_its_log():
    whole = position_of(TOWER)
    with contextlib.closing(Worker()) as one, contextlib.closing(Worker()) as other:  # where nothing is cached
        replayed, saved = one.call(replay, whole)
        assert saved is not None
        assert other.call(restore, whole, saved) < replayed / 4


class Callback:
    """An object whose pickle calls a function."""

    def __init__(self, *reduced: object) -> None:
        self.reduced = reduced

    def __reduce__(self):
        return self.reduced


@pytest.mark.parametrize(
    "content",
    [
        Callback(os.system, ("exit 1",)),
        Callback(Child, (("true",),)),
        Callback(eval, ("1",)),
        Callback(decode_snapshot, (b"",)),
        Callback(TableState, ()),
        {"a": 1},
        Row("", 0),
    ],
    ids=["system", "child", "eval", "function", "too few fields", "dictionary", "another class"],
)
def test_a_snapshot_holds_a_table_and_nothing_else(content):
    with pytest.raises(BadSnapshot):
        decode_snapshot(zlib.compress(pickle.dumps(content)))


def test_bytes_that_are_no_snapshot_are_refused():
    body = encode_snapshot(state_of(TOWER))
    for damaged in (b"", b"x", body[:-20], body[:50] + b"xxxx" + body[54:]):
        with pytest.raises(BadSnapshot):
            decode_snapshot(damaged)


def test_the_digest_of_the_code_is_that_of_its_files():
    assert code_digest() == code_digest.__wrapped__()
    assert len(code_digest()) == 64
