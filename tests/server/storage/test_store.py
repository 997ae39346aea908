"""The store: the same in a SQLite file and in PostgreSQL."""

from __future__ import annotations

import asyncio
import json

import pytest
from sqlalchemy import event, text

from spieltisch.server.ops import logging
from spieltisch.server.runtime.leases import Leases
from spieltisch.server.runtime.scheduler import SCHEDULED
from spieltisch.server.storage import checkpoint, models
from spieltisch.server.storage import store as store_module
from spieltisch.server.storage.errors import Conflict, DamagedLog, StoreFull, StoreUnavailable, TableDeleted
from spieltisch.server.storage.reads import StoredTable
from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import StoredResponse
from spieltisch.table.codec import chain_digest
from tests.support.storage.stores import new_events, new_table, rows, with_stores

# writing and reading


def test_events_are_read_back_in_order_after_reopening_the_store(location):
    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada", "one", "two", key="opening"))
        await store.write(new_events("ada", 2, "three “ü” ☺", key="a move"))

    @with_stores(location)
    async def _(store):
        answers = {"opening": StoredResponse("opening", "digest", "answer to opening", 2),
                   "a move": StoredResponse("a move", "digest", "answer to a move", 3)}  # fmt: skip
        written = rows("one", "two", "three “ü” ☺")
        assert await store.load("ada") == StoredTable(written, answers, chain_digest(b"", written))
        assert await store.find_by_creation("opening of ada") == "ada"
        assert await store.find_response("ada", "a move") == answers["a move"]


def test_loading_after_an_event_distinguishes_nothing_new_from_no_table(location):
    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada", "one", "two"))
        await store.write(new_events("ada", 2, "three", key="a move"))
        known = chain_digest(b"", rows("one", "two"))
        assert await store.load("ada", 2, known) == StoredTable(
            rows("three"), {"a move": await store.find_response("ada", "a move")}, chain_digest(known, rows("three"))
        )
        assert (await store.load("ada", 3)).rows == []
        assert await store.load("ben") is None
        assert await store.load("ben", 2) is None
        assert await store.find_response("ben", "a move") is None
        assert await store.find_by_creation("another opening") is None


def test_an_event_that_another_writer_wrote_first_is_a_conflict_and_writes_nothing(location):
    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada"))
        await store.write(new_events("ada", 2, "three"))
        before = await store.load("ada"), await store.list_public(9)
        with pytest.raises(Conflict):
            await store.write(
                new_events("ada", 2, "another three", "four", key="late", summary="wrong", tallies=["{}"])
            )
        assert (await store.load("ada"), await store.list_public(9)) == before
        assert await store.list_draw_totals() == []
        await store.write(new_events("ada", 3, "four"))


def test_an_idempotency_key_is_unique_per_table(location):
    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada", key="same"), new_table("ben", key="same"))
        for lines in (("three",), ()):
            with pytest.raises(Conflict):
                await store.write(new_events("ada", 2, *lines, key="same"))
        assert len((await store.load("ada")).rows) == 2


def test_a_table_is_opened_once_by_the_same_creation(location):
    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada", creation="same"))
        with pytest.raises(Conflict):
            await store.write(new_table("ben", creation="same"))
        assert await store.load("ben") is None
        assert await store.find_by_creation("same") == "ada"


def test_a_unit_of_writes_is_atomic(location):
    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada"), new_table("ben"))
        with pytest.raises(Conflict):
            await store.write(new_events("ada", 2, "goes on at carl"), new_table("carl", creation="opening of ben"))
        assert len((await store.load("ada")).rows) == 2
        assert await store.load("carl") is None


def test_concurrent_writes_share_a_commit_and_one_that_fails_does_not_fail_the_others(location):
    tables = [f"table {number}" for number in range(60)]

    @with_stores(location)
    async def _(store):
        await store.write(*(new_table(table) for table in tables))
        commits = []
        event.listen(store.transactions.engine, "commit", commits.append)
        late = set(tables[::7])
        ended = await asyncio.gather(
            *(store.write(new_events(table, 1 if table in late else 2, "three")) for table in tables),
            return_exceptions=True,
        )
        assert [type(error) for error in ended] == [Conflict if table in late else type(None) for table in tables]
        assert [len((await store.load(table)).rows) for table in tables] == [
            2 if table in late else 3 for table in tables
        ]
        assert 1 <= len(commits) <= 3


def test_a_deleted_table_leaves_no_rows_and_accepts_no_writes(location):
    @with_stores(location)
    async def _(store):
        for table in ("ada", "ben"):
            await store.write(new_table(table, key="opening", tallies=['{"draws": 3}'], waits="bot"))
            assert await Leases(store).acquire(table)
        await store.delete("ada")
        for news in (new_events("ada", 2, "three"), new_events("ada", 2, key="nothing happened")):
            with pytest.raises(TableDeleted):
                await store.write(news)
        assert await store.load("ada") is None
        assert await store.find_by_creation("opening of ada") is None
        assert await store.list_public(9) == [("ben", "after 0")]
        assert await store.list_draw_totals() == [("", 2, '{"draws": 6}')]  # nobody can be found in a sum
        async with store.connect() as connection:
            for table in models.METADATA.tables.keys() - {"draw_totals"}:
                column = "id" if table == "tables" else '"table"'
                assert not await connection.scalar(text(f"SELECT count(*) FROM {table} WHERE {column} = 'ada'"))  # noqa: S608
        assert len((await store.load("ben")).rows) == 2


def test_public_tables_that_are_not_over_are_listed_latest_first(location):
    @with_stores(location)
    async def _(store):
        for changed, table in enumerate(("ada", "ben", "carl")):
            await store.write(new_table(table, at=changed))
        await store.write(new_table("private", public=False))
        await store.write(new_events("ada", 2, "three", summary="the latest", at=9))
        await store.write(new_events("ben", 2, "three", status="over", at=10))
        assert await store.list_public(9) == [("ada", "the latest"), ("carl", "after 0")]
        assert await store.list_public(1) == [("ada", "the latest")]


def test_the_tallies_of_draws_are_summed_up_per_game(location):
    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada", game="pebbles", tallies=['{"draws": 1, "seen": {"R": 1}}']))
        more = ['{"draws": 2, "seen": {"R": 1, "B": 1}}', '{"draws": 1, "seen": {"B": 1}}']
        await store.write(new_events("ada", 2, "three", game="pebbles", tallies=more))
        await store.write(new_table("ben", game="dice", tallies=['{"draws": 7}']))
        found = {game: (games, json.loads(tally)) for game, games, tally in await store.list_draw_totals()}
        assert found == {"pebbles": (3, {"draws": 4, "seen": {"R": 2, "B": 2}}), "dice": (1, {"draws": 7})}


def test_games_that_end_at_once_are_all_counted(location):
    tables = [f"table {number}" for number in range(20)]

    @with_stores(location)
    async def _(store):
        await store.write(*(new_table(table) for table in tables))

    @with_stores(location, stores=2 if "://" in location else 1)
    async def _(*stores):
        async def end(store, table):
            for _ in range(50):
                try:
                    return await store.write(new_events(table, 2, "three", game="dice", tallies=['{"draws": 1}']))
                except Conflict:
                    assert len((await store.load(table)).rows) == 2
            raise AssertionError(table)

        await asyncio.gather(*(end(stores[number % len(stores)], table) for number, table in enumerate(tables)))
        assert await stores[0].list_draw_totals() == [("dice", 20, '{"draws": 20}')]


def test_every_operation_on_a_failing_database_raises_store_unavailable(location):
    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada"))
        async with store.transaction() as connection:
            for table in models.METADATA.tables:
                await connection.execute(text(f"DROP TABLE {table}"))
        asked = [store.load("ada"), store.find_response("ada", "key"), store.find_by_creation(""), store.list_public(1), store.list_draw_totals(),
                 store.probe(), store.delete("ada"), store.write(new_events("ada", 2, "three")),
                 store.write(new_table("ben")), Leases(store).list_unleased(SCHEDULED)]  # fmt: skip
        if store.shared:
            asked += [Leases(store).acquire("ada"), Leases(store).renew(), Leases(store).release()]
        for question in asked:
            with pytest.raises(StoreUnavailable):
                await question


# integrity


@pytest.mark.parametrize(
    ("damage", "missing"),
    [
        ("DELETE FROM log WHERE number = 2", 2),
        ("DELETE FROM log WHERE number = 1", 1),
        ("DELETE FROM log WHERE number = 4", 4),
        ("DELETE FROM log", 1),
        ("UPDATE log SET line = 'thre' WHERE number = 3", None),
        ("UPDATE log SET at = 1001 WHERE number = 3", None),
        ("UPDATE tables SET digest = 'another'", None),
    ],
)
def test_a_log_with_a_hole_or_a_changed_event_is_not_loaded(location, damage, missing):
    @with_stores(location)
    async def _(store):
        written = rows("one", "two", "three", "four")
        await store.write(new_table("ada", digest=chain_digest(b"", written[:2]).hex()))
        await store.write(new_events("ada", 2, "three", "four", digest=chain_digest(b"", written).hex()))
        assert (await store.load("ada")).rows == written
        assert (await store.load("ada", 3, chain_digest(b"", written[:3]))).rows == written[3:]
        async with store.transaction() as connection:
            await connection.execute(text(damage))
        with pytest.raises(DamagedLog) as damaged:
            await store.load("ada")
        assert (damaged.value.table, damaged.value.event) == ("ada", missing)


def test_a_log_of_the_first_schema_has_no_digest_until_it_goes_on(location):
    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada"), new_table("ben"))
        assert len((await store.load("ada")).rows) == 2
        async with store.transaction() as connection:
            await connection.execute(text("DELETE FROM log WHERE \"table\" = 'ben' AND number = 1"))
        with pytest.raises(DamagedLog):
            await store.load("ben")


# SQLite


@pytest.mark.parametrize("pages", range(0, 40, 4))
def test_nothing_that_was_acknowledged_is_lost_when_the_disk_is_full(tmp_path, pages):
    tables = [f"table {number}" for number in range(30)]

    @with_stores(str(tmp_path / "tables.sqlite"))
    async def _(store):
        await store.write(*(new_table(table) for table in tables))

        def limit(connection) -> None:
            size = connection.scalar(text("PRAGMA page_count"))
            connection.execute(text(f"PRAGMA max_page_count = {size + pages}"))
            connection.execute(text("PRAGMA cache_size = 2"))  # so that pages are spilled within a statement

        await store.transactions.run(limit)
        long = "x" * 6000
        ended = await asyncio.gather(
            *(store.write(new_events(table, 2, long, key="a move")) for table in tables),
            store.write(new_events(tables[0], 1, "late")),  # so that each is written in a savepoint of its own
            return_exceptions=True,
        )
        assert StoreFull in map(type, ended)
        kept = [len((await store.load(table)).rows) == 3 for table in tables]
        assert [error is None for error in ended[:-1]] == kept
        await store.transactions.run(lambda connection: connection.execute(text("PRAGMA max_page_count = 100000")))
        for table, done in zip(tables, kept, strict=True):
            if not done:
                await store.write(new_events(table, 2, long, key="a move"))
        assert {len((await store.load(table)).rows) for table in tables} == {3}


def test_a_table_is_deleted_even_if_the_rest_of_it_can_only_be_removed_later(tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "SCRUB_INTERVAL", 0.01)
    file = tmp_path / "tables.sqlite"

    @with_stores(str(file))
    async def _(store):
        await store.write(new_table("ada", "a secret " * 500), new_table("ben"))
        scrub, attempts = store._try_scrub, []

        async def fail_at_first(scrubber) -> bool:
            attempts.append(scrubber)
            return len(attempts) > 2 and await scrub(scrubber)

        monkeypatch.setattr(store, "_try_scrub", fail_at_first)
        await store.delete("ada")
        await store.scrub()
        assert await store.load("ada") is None
        await asyncio.wait_for(store._scrubbing, 60)
        assert len(attempts) == 3

    assert b"a secret" not in file.read_bytes()


def test_sqlite_is_configured_to_be_durable(tmp_path):
    names = ("journal_mode", "synchronous", "secure_delete")

    def read_pragmas(connection):
        return {name: str(connection.scalar(text(f"PRAGMA {name}"))) for name in names}

    async def pragmas():
        store = Store.in_file(tmp_path / "tables.sqlite")
        await store.open()
        try:
            return await store.transactions.run(read_pragmas)
        finally:
            await store.close()

    assert asyncio.run(pragmas()) == {"journal_mode": "wal", "synchronous": "2", "secure_delete": "1"}


def test_checkpoints_keep_the_write_ahead_log_short(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "INTERVAL", 0.05)
    monkeypatch.setattr(checkpoint, "MAX_WAL_PAGES", 100)
    file = tmp_path / "tables.sqlite"

    @with_stores(str(file))
    async def test(store):
        await store.write(new_table("a"))
        size = file.stat().st_size
        for number in range(400):
            await store.write(new_events("a", 2 + number, "x" * 3000))
            await asyncio.sleep(0.002)
        log = file.with_name("tables.sqlite-wal").stat().st_size
        assert log < 400 * 3000  # it was restarted: otherwise it would contain every event, several pages of each
        assert file.stat().st_size > size + 200 * 3000
        assert len((await store.load("a")).rows) == 402


def test_a_database_that_cannot_be_written_is_not_ready(tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "PROBE_INTERVAL", 0.0)

    @with_stores(str(tmp_path / "tables.sqlite"))
    async def _(store):
        await store.probe()
        await store.transactions.run(lambda connection: connection.execute(text("PRAGMA query_only = ON")))
        with pytest.raises(StoreUnavailable):
            await store.probe()


# PostgreSQL


def test_processes_that_write_to_the_same_tables_in_any_order_never_deadlock(postgres_url):
    tables = [f"table {number}" for number in range(8)]

    @with_stores(postgres_url, stores=2)
    async def _(*stores):
        await stores[0].write(*(new_table(table) for table in tables))
        wins = 0
        for after in range(2, 12):
            ended = await asyncio.gather(
                *(stores[0].write(new_events(table, after, "of the first")) for table in tables),
                *(stores[1].write(new_events(table, after, "of the second")) for table in reversed(tables)),
                return_exceptions=True,
            )
            assert {type(error) for error in ended} <= {Conflict, type(None)}
            wins += sum(error is None for error in ended)
        assert wins == 10 * len(tables)
        assert {len((await stores[0].load(table)).rows) for table in tables} == {12}


def test_a_write_that_fails_does_not_fail_the_others_and_its_values_are_not_logged(postgres_url):
    @with_stores(postgres_url)
    async def _(store):
        await store.write(new_table("ada"), new_table("ben"))
        ended = await asyncio.gather(
            store.write(new_events("ada", 2, "a secret \0")),
            store.write(new_events("ben", 2, "three")),
            return_exceptions=True,
        )
        assert [type(error) for error in ended] == [StoreUnavailable, type(None)]
        with pytest.raises(StoreUnavailable) as unavailable:
            async with store.transaction() as connection:
                await connection.execute(text("SELECT CAST(:it AS integer)"), {"it": "a secret"})
        assert "a secret" in str(unavailable.value.__cause__)  # the driver's own message, which is not logged
        assert "a secret" not in str(
            (
                unavailable.value,
                logging.error_fields(unavailable.value),
                logging.error_fields(unavailable.value.__cause__),
            )
        )


def test_a_url_is_accepted_as_libpq_writes_it(postgres_url):
    for written in (postgres_url, postgres_url.replace("postgresql", "postgres"), f"{postgres_url}&sslmode=disable"):

        @with_stores(written)
        async def _(store):
            assert store.shared
            await store.probe()
