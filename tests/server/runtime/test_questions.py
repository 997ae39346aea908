"""What a table costs that is not in memory, as after a restart: counted in reads, calls and events, not in seconds."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from pathlib import Path

import pytest

from spieltisch.server.errors import Damaged
from spieltisch.server.runtime.leases import Leases
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import Snapshot, TableWrite
from spieltisch.server.workers import rules, table_cache
from spieltisch.server.workers.snapshot import code_digest, encode_snapshot
from spieltisch.table.codec import chain_digest
from tests.table.test_golden_tables import EXPECTED, rows_of, state_of

NAME = next(table for table, expected in EXPECTED.items() if "turmbauer-finished" in expected["log"])
ROWS = rows_of(NAME)
SAVED = len(ROWS) - 7


class LocalWorkers:
    """A rules worker in this process, which counts its calls."""

    def __init__(self, counted: Counter[str]) -> None:
        self.counted = counted

    async def call_rules(self, table, priority, function, *args):
        self.counted["calls"] += 1
        return function(*args)


@pytest.fixture
def counted(monkeypatch) -> Counter[str]:
    """Counts reads of the store, calls of the rules worker, and events that are decoded or hashed."""
    counts: Counter[str] = Counter()
    decode = table_cache.decode

    def decode_counted(line):
        counts["decoded"] += 1
        return decode(line)

    monkeypatch.setattr(table_cache, "decode", decode_counted)
    monkeypatch.setattr(table_cache, "_cache", OrderedDict())
    return counts


def snapshot(**changes: object) -> Snapshot:
    state = table_cache.EMPTY.extend(ROWS[:SAVED]).state
    assert state is not None
    digest = chain_digest(b"", ROWS[:SAVED]).hex()
    return Snapshot(SAVED, digest, code_digest(), encode_snapshot(state))._replace(**changes)


def with_tables(folder: Path, saved: Snapshot | None, counted: Counter[str], work):
    """Runs work on the live tables of a database with one table and perhaps its snapshot."""

    async def run():
        store = Store.in_file(folder / "tables.sqlite")
        await store.open()
        digest = chain_digest(b"", ROWS).hex()
        write = TableWrite(NAME, 0, ROWS, None, False, "", "", "", 0, creation="opened", digest=digest)
        await store.write(write)
        if saved is not None:
            await store.write(TableWrite.of_snapshot(NAME, saved))
        read = store.transactions.read

        async def read_counted(work):
            counted["reads"] += 1
            return await read(work)

        store.transactions.read = read_counted  # type: ignore[method-assign]
        counted.clear()
        try:
            await work(Tables(store, LocalWorkers(counted), Leases(store), asyncio.Queue()))
        finally:
            await store.close()

    asyncio.run(run())


def test_a_table_with_a_snapshot_costs_one_read_one_call_and_the_events_after_it(tmp_path, counted):
    async def work(tables):
        table = await tables.find(NAME)
        status = await tables.ask(table, rules.status)
        assert (status.version, status.digest) == (len(ROWS), chain_digest(b"", ROWS))
        assert counted == {"reads": 1, "calls": 1, "decoded": len(ROWS) - SAVED}
        assert table_cache._cache[NAME].state == state_of(NAME)
        await tables.ask(table, rules.status)
        assert counted == {"reads": 1, "calls": 2, "decoded": len(ROWS) - SAVED}

    with_tables(tmp_path, snapshot(), counted, work)


def test_a_rules_worker_that_has_lost_a_table_gets_its_snapshot_again(tmp_path, counted):
    async def work(tables):
        table = await tables.find(NAME)
        await tables.ask(table, rules.status)
        counted.clear()
        table_cache._cache.clear()
        await tables.ask(table, rules.status)
        assert counted == {"reads": 1, "calls": 2, "decoded": len(ROWS) - SAVED}

    with_tables(tmp_path, snapshot(), counted, work)


@pytest.mark.parametrize(
    ("saved", "logged"),
    [
        (None, []),
        ({"code": "other code"}, []),
        ({"digest": "00"}, []),
        ({"version": len(ROWS) + 1}, []),
        ({"body": b"damaged"}, ["snapshot not used"]),
    ],
    ids=["no snapshot", "other code", "other events", "later events", "damaged"],
)
def test_without_a_snapshot_that_fits_the_log_is_replayed_once(tmp_path, counted, capsys, saved, logged):
    async def work(tables):
        status = await tables.ask(await tables.find(NAME), rules.status)
        assert status.version == len(ROWS)
        assert counted == {"reads": 1, "calls": 1 + len(logged), "decoded": len(ROWS)}

    with_tables(tmp_path, saved and snapshot(**saved), counted, work)
    lines = [line for line in capsys.readouterr().out.splitlines() if "snapshot" in line]
    assert len(lines) == len(logged)
    assert all(text in line for text, line in zip(logged, lines, strict=True))


def test_a_log_that_was_changed_is_found_although_there_is_a_snapshot(tmp_path, counted):
    """The whole log is hashed whenever a table is loaded: the snapshot saves replaying it, not checking it."""

    async def work(tables):
        async with tables.store.transaction() as connection:
            await connection.exec_driver_sql("UPDATE log SET line = line || ' ' WHERE number = 3")
        with pytest.raises(Damaged):
            await tables.find(NAME)

    with_tables(tmp_path, snapshot(), counted, work)
