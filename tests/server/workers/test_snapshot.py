"""Snapshots: the same table as its log gives, at a fraction of the processor time; never anything but a table."""

from __future__ import annotations

import contextlib
import os
import pickle
import time
import zlib
from collections import OrderedDict

import pytest

from spieltisch import registry
from spieltisch.processes.calls import Worker
from spieltisch.processes.child import Child
from spieltisch.server.workers import table_cache
from spieltisch.server.workers.snapshot import BadSnapshot, code_digest, decode_snapshot, encode_snapshot
from spieltisch.server.workers.table_cache import LogPosition, MissingRows
from spieltisch.table import projection
from spieltisch.table.codec import Row, chain_digest
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


def test_the_rules_worker_goes_on_from_a_snapshot_with_the_rows_after_it():
    whole, half = position_of(TOWER), position_of(TOWER, HALF)
    body = table_cache.take_snapshot(half)
    assert isinstance(body, bytes)
    table_cache._cache.clear()
    table_cache.restore(half._replace(rows=()), body)
    assert table_cache.find(whole._replace(rows=())) == MissingRows(HALF)
    found = table_cache.find(whole._replace(rows=whole.rows[HALF:]))
    assert isinstance(found, table_cache.CachedTable)
    assert found.state == state_of(TOWER)
    table_cache.restore(half._replace(rows=()), body)  # an older state than the one that is known
    assert table_cache.find(whole._replace(rows=())) == found


def test_what_a_table_costs_to_replay_counts_from_its_last_snapshot():
    whole = position_of(TOWER)
    found = table_cache.find(whole)
    assert isinstance(found, table_cache.CachedTable)
    assert found.unsaved > 0
    table_cache.take_snapshot(whole)
    known = table_cache.find(whole)
    assert isinstance(known, table_cache.CachedTable)
    assert known.unsaved == 0


def replay(position: LogPosition) -> tuple[float, bytes]:
    """The processor time that a log takes, and the snapshot after it."""
    registry.all()
    began = time.process_time()
    table_cache.find(position)
    spent = time.process_time() - began
    body = table_cache.take_snapshot(position)
    assert isinstance(body, bytes)
    return spent, body


def restore(position: LogPosition, body: bytes) -> float:
    """The processor time that a snapshot takes."""
    registry.all()
    began = time.process_time()
    table_cache.restore(position, body)
    return time.process_time() - began


def test_a_snapshot_of_a_tower_takes_a_fraction_of_the_time_of_its_log():
    whole = position_of(TOWER)
    with contextlib.closing(Worker()) as one, contextlib.closing(Worker()) as other:  # where nothing is cached
        replayed, body = one.call(replay, whole)
        assert other.call(restore, whole._replace(rows=()), body) < replayed / 4


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
