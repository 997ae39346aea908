"""Retention and quota: what expires is deleted as if its host had done it, and a full server says so."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from types import SimpleNamespace

import pytest

from spieltisch.server.runtime.retention import Housekeeping, Retention, StoreQuota
from spieltisch.server.storage.store import Store, Usage
from tests.server.storage.test_scrub import news
from tests.support.server import Person, Refused, running_server

DAY = 86_400_000  # milliseconds


def test_tables_that_nobody_touched_for_long_are_deleted(tmp_path):
    """Those that are over earlier than others; whoever changes one meanwhile keeps it."""

    async def run() -> dict[str, bool]:
        from random import Random

        store = Store.in_file(tmp_path / "tables.sqlite")
        await store.open()
        now = time.time_ns() // 1_000_000
        for name, status, days in (
            ("a" * 16, "over", 31), ("b" * 16, "over", 29), ("c" * 16, "playing", 31), ("d" * 16, "playing", 91),
        ):  # fmt: skip
            await store.write(news(name, 0, Random(1))._replace(status=status, at=now - days * DAY))
        listed = await store.list_expired(now - 30 * DAY, now - 90 * DAY, 10)
        assert {name[0] for name, _ in listed} == {"a", "d"}
        await store.write(news("d" * 16, 1, Random(1))._replace(at=now))
        deleted = [await store.delete(name, changed) for name, changed in sorted(listed)]
        assert deleted == [True, False]
        assert await store.list_expired(None, None, 10) == []
        left = {name: await store.load(name * 16) is not None for name in "abcd"}
        await store.close()
        return left

    assert asyncio.run(run()) == {"a": False, "b": True, "c": True, "d": True}


def test_a_server_deletes_expired_tables_when_it_starts(tmp_path):
    with running_server(tmp_path) as server:
        old, fresh = (Person(server).open_table("template", "level:1", "level:1", games=1) for _ in range(2))
        for table in (old, fresh):
            table.wait_until(lambda told: told["table"]["status"] == "over")
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.sqlite")) as database, database:
        database.execute("UPDATE tables SET changed = changed - ? WHERE id = ?", (8 * DAY, old.table))
    with running_server(tmp_path, "--keep-ended", "7") as server:

        def gone(table: str) -> bool:
            with contextlib.closing(sqlite3.connect(f"file:{server.file}?mode=ro", uri=True)) as database:
                return not database.execute("SELECT 1 FROM tables WHERE id = ?", (table,)).fetchall()

        for _ in range(600):
            if gone(old.table):
                break
            time.sleep(0.1)
        assert gone(old.table)
        assert not gone(fresh.table)


def test_a_server_that_is_full_opens_no_table_and_says_so(tmp_path):
    with running_server(tmp_path, "--max-tables", "1") as server:
        ada = Person(server)
        at = ada.open_table("template", "Ada", "Ben", first=0)
        with pytest.raises(Refused) as caught:
            ada.open_table("template", "Ada", "Ben")
        assert (caught.value.code, caught.value.status) == ("limit", 429)
        assert "This server is full" in caught.value.body["message"]
        told = at.look()  # the game goes on
        at.do("actions", seat=0, version=told["version"], draft=[told["position"]["choices"][0]["text"]])


@pytest.mark.parametrize(
    ("usage", "refused"), [(Usage(9, 10), False), (Usage(10, 0), True), (Usage(0, 2_000_000), True)]
)
def test_the_quota_counts_tables_and_bytes(usage, refused):
    async def measure_usage() -> Usage:
        return usage

    tables = SimpleNamespace(store=SimpleNamespace(measure_usage=measure_usage))

    async def run() -> None:
        keeping = Housekeeping(tables, Retention(max_tables=10, max_size=2))  # type: ignore[arg-type]
        await keeping.check_quota()
        with pytest.raises(StoreQuota):  # what was opened since it was measured counts too
            await keeping.check_quota()

    if refused:
        with pytest.raises(StoreQuota):
            asyncio.run(run())
    else:
        asyncio.run(run())
