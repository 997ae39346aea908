"""The store: the same in a file and in PostgreSQL; its form comes from migrations alone."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event, inspect, text

from spieltisch.server.ops import logging
from spieltisch.server.runtime.leases import LEASE_SECONDS, Leases
from spieltisch.server.runtime.scheduler import SCHEDULED
from spieltisch.server.storage import checkpoint, models
from spieltisch.server.storage.errors import Conflict, SchemaTooNew, StoreUnavailable, TableDeleted, UnknownStore
from spieltisch.server.storage.notifications import TableNotification
from spieltisch.server.storage.store import Store, StoredTable
from spieltisch.server.storage.writes import StoredResponse, TableWrite
from spieltisch.table.events import Row
from tests.support.postgres import postgres
from tests.support.running import run
from tests.support.serving import PATIENCE


@pytest.fixture(scope="module")
def database() -> str:
    return postgres().database()


@pytest.fixture
def address(database) -> str:
    """An empty database of PostgreSQL."""
    postgres().empty(database)
    return database


@pytest.fixture(params=["file", "postgres"])
def place(request, tmp_path) -> str:
    """Where a new store can be."""
    return str(tmp_path / "tables.sqlite") if request.param == "file" else request.getfixturevalue("address")


@contextlib.asynccontextmanager
async def opened(place: str) -> AsyncIterator[Store]:
    store = Store.at(place)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def at(place: str, *, stores: int = 1):
    """Runs a test with so many stores over one place."""

    def run(test):
        async def with_stores() -> None:
            async with contextlib.AsyncExitStack() as stack:
                await test(*[await stack.enter_async_context(opened(place)) for _ in range(stores)])

        asyncio.run(with_stores())

    return run


def rows(*lines: str, at: int = 1000) -> list[Row]:
    return [Row(line, at) for line in lines]


def begun(table: str, *lines: str, **more) -> TableWrite:
    """A table that is opened."""
    return told(table, 0, *(lines or ("one", "two")), **{"creation": f"opening of {table}", **more})


def told(table: str, after: int, *lines: str, key: str | None = None, **more) -> TableWrite:
    """What happened at a table."""
    answer = None if key is None else StoredResponse(key, "digest", f"answer to {key}", after + len(lines))
    fields = {"public": True, "status": "playing", "waits": "person", "summary": f"after {after}", "at": 1000, **more}
    return TableWrite(table, after, rows(*lines), answer, **fields)


# keeping and finding


def test_what_was_written_is_there_in_order_also_for_whoever_opens_the_store_later(place):
    @at(place)
    async def _(store):
        await store.write(begun("ada", "one", "two", key="opening"))
        await store.write(told("ada", 2, "three “ü” ☺", key="a move"))

    @at(place)
    async def _(store):
        answers = {"opening": StoredResponse("opening", "digest", "answer to opening", 2),
                   "a move": StoredResponse("a move", "digest", "answer to a move", 3)}  # fmt: skip
        assert await store.load("ada") == StoredTable(rows("one", "two", "three “ü” ☺"), answers)
        assert await store.find_by_creation("opening of ada") == "ada"
        assert await store.find_response("ada", "a move") == answers["a move"]


def test_what_came_after_a_line_is_told_from_nothing_and_from_no_table(place):
    @at(place)
    async def _(store):
        await store.write(begun("ada", "one", "two"))
        await store.write(told("ada", 2, "three", key="a move"))
        assert await store.load("ada", 2) == StoredTable(
            rows("three"), {"a move": await store.find_response("ada", "a move")}
        )
        assert (await store.load("ada", 3)).rows == []
        assert await store.load("ben") is None
        assert await store.load("ben", 2) is None
        assert await store.find_response("ben", "a move") is None
        assert await store.find_by_creation("another opening") is None


def test_a_line_that_somebody_else_wrote_first_is_a_conflict_and_leaves_nothing(place):
    @at(place)
    async def _(store):
        await store.write(begun("ada"))
        await store.write(told("ada", 2, "three"))
        before = await store.load("ada"), await store.list_public(9)
        with pytest.raises(Conflict):
            await store.write(told("ada", 2, "another three", "four", key="late", summary="wrong", tallies={0: "[]"}))
        assert (await store.load("ada"), await store.list_public(9)) == before
        assert await store.list_tallies() == []
        await store.write(told("ada", 3, "four"))


def test_a_key_is_used_once_at_a_table_and_again_at_another(place):
    @at(place)
    async def _(store):
        await store.write(begun("ada", key="same"), begun("ben", key="same"))
        for lines in (("three",), ()):
            with pytest.raises(Conflict):
                await store.write(told("ada", 2, *lines, key="same"))
        assert len((await store.load("ada")).rows) == 2


def test_a_table_is_opened_once_by_the_same_creation(place):
    @at(place)
    async def _(store):
        await store.write(begun("ada", creation="same"))
        with pytest.raises(Conflict):
            await store.write(begun("ben", creation="same"))
        assert await store.load("ben") is None
        assert await store.find_by_creation("same") == "ada"


def test_what_is_written_together_is_kept_together_or_not_at_all(place):
    @at(place)
    async def _(store):
        await store.write(begun("ada"), begun("ben"))
        with pytest.raises(Conflict):
            await store.write(told("ada", 2, "goes on at carl"), begun("carl", creation="opening of ben"))
        assert len((await store.load("ada")).rows) == 2
        assert await store.load("carl") is None


def test_many_that_write_at_once_share_a_commit_and_one_that_is_refused_takes_nobody_along(place):
    tables = [f"table {number}" for number in range(60)]

    @at(place)
    async def _(store):
        await store.write(*(begun(table) for table in tables))
        commits = []
        event.listen(store.transactions.engine, "commit", commits.append)
        late = set(tables[::7])
        ended = await asyncio.gather(
            *(store.write(told(table, 1 if table in late else 2, "three")) for table in tables), return_exceptions=True
        )
        assert [type(error) for error in ended] == [Conflict if table in late else type(None) for table in tables]
        assert [len((await store.load(table)).rows) for table in tables] == [
            2 if table in late else 3 for table in tables
        ]
        assert 1 <= len(commits) <= 3


def test_a_deleted_table_is_gone_with_everything_and_nothing_more_is_written_to_it(place):
    @at(place)
    async def _(store):
        for table in ("ada", "ben"):
            await store.write(begun(table, key="opening", tallies={0: "[]"}, waits="bot"))
            assert await Leases(store).acquire(table)
        await store.delete("ada")
        for news in (told("ada", 2, "three"), told("ada", 2, key="nothing happened")):
            with pytest.raises(TableDeleted):
                await store.write(news)
        assert await store.load("ada") is None
        assert await store.find_by_creation("opening of ada") is None
        assert await store.list_public(9) == [("ben", "after 0")]
        assert await store.list_tallies() == [("", "[]")]
        async with store.connect() as connection:
            for table in models.METADATA.tables:
                column = "id" if table == "tables" else '"table"'
                assert not await connection.scalar(text(f"SELECT count(*) FROM {table} WHERE {column} = 'ada'"))  # noqa: S608
        assert len((await store.load("ben")).rows) == 2


def test_public_tables_are_listed_the_latest_first_without_those_that_are_over(place):
    @at(place)
    async def _(store):
        for changed, table in enumerate(("ada", "ben", "carl")):
            await store.write(begun(table, at=changed))
        await store.write(begun("private", public=False))
        await store.write(told("ada", 2, "three", summary="the latest", at=9))
        await store.write(told("ben", 2, "three", status="over", at=10))
        assert await store.list_public(9) == [("ada", "the latest"), ("carl", "after 0")]
        assert await store.list_public(1) == [("ada", "the latest")]


def test_what_was_drawn_in_finished_games_is_kept_game_by_game(place):
    @at(place)
    async def _(store):
        await store.write(begun("ada", game="pebbles", tallies={0: "[0]"}))
        await store.write(told("ada", 2, "three", game="pebbles", tallies={1: "[1]", 2: "[2]"}))
        assert sorted(await store.list_tallies()) == [("pebbles", f"[{number}]") for number in range(3)]


def test_a_store_that_does_not_answer_says_so_whatever_is_asked(place):
    @at(place)
    async def _(store):
        await store.write(begun("ada"))
        async with store.transaction() as connection:
            for table in models.METADATA.tables:
                await connection.execute(text(f"DROP TABLE {table}"))
        asked = [store.load("ada"), store.find_response("ada", "key"), store.find_by_creation(""), store.list_public(1), store.list_tallies(),
                 store.ping(), store.delete("ada"), store.write(told("ada", 2, "three")),
                 store.write(begun("ben")), Leases(store).list_unleased(SCHEDULED)]  # fmt: skip
        if store.shared:
            asked += [Leases(store).acquire("ada"), Leases(store).renew(), Leases(store).release()]
        for question in asked:
            with pytest.raises(StoreUnavailable):
                await question


# leases


def test_tables_that_wait_for_something_are_found(place):
    @at(place)
    async def _(store):
        for waits in (*SCHEDULED, "person", "nobody"):
            await store.write(begun(waits, waits=waits))
        assert sorted(await Leases(store).list_unleased(SCHEDULED)) == sorted(SCHEDULED)
        assert await Leases(store).list_unleased(["bot"]) == ["bot"]
        assert len(await Leases(store).list_unleased(SCHEDULED, 2)) == 2
        await store.write(told("bot", 2, "three", waits="nobody"))
        assert await Leases(store).list_unleased(["bot"]) == []


def test_whoever_has_a_file_has_all_leases(tmp_path):
    @at(str(tmp_path / "tables.sqlite"))
    async def _(store):
        await store.write(begun("ada", waits="bot"))
        assert await Leases(store).acquire("ada")
        assert await Leases(store).list_unleased(["bot"]) == ["ada"]
        await Leases(store).release()


def test_one_process_at_a_time_has_a_lease_and_can_give_it_back(address):
    @at(address, stores=2)
    async def _(*stores):
        ada, ben = map(Leases, stores)
        for table in ("one", "two"):
            await stores[0].write(begun(table, waits="bot"))
        taken = await asyncio.gather(*(leases.acquire("one") for leases in (ada, ben) * 5))
        assert taken in ([True, False] * 5, [False, True] * 5)
        if not taken[0]:
            ada, ben = ben, ada
        assert await ben.list_unleased(["bot"]) == await ada.list_unleased(["bot"]) == ["two"]
        assert (await ada.renew(), await ben.renew()) == ({"one"}, set())
        assert await ben.acquire("two")
        await ben.release("one")  # not its own
        assert not await ben.acquire("one")
        await ada.release("one")
        assert await ben.acquire("one")
        await ben.release()
        assert (await ada.acquire("one"), await ada.acquire("two")) == (True, True)


def test_a_lease_ends_by_itself_and_cannot_be_renewed_then(address):
    @at(address, stores=2)
    async def _(*stores):
        ada, ben = map(Leases, stores)
        await stores[0].write(begun("one", waits="bot"))
        assert await ada.acquire("one")
        lasts = "SELECT extract(epoch FROM until - now()) FROM leases"
        assert 0 < float(postgres().sql(address, lasts)[0][0]) <= LEASE_SECONDS
        postgres().sql(address, "UPDATE leases SET until = now() - interval '1 second'")
        assert await ada.renew() == set()
        assert await ben.list_unleased(["bot"]) == ["one"]
        assert await ben.acquire("one")
        assert not await ada.acquire("one")


# several processes


def test_each_process_hears_what_others_write_and_delete_and_not_itself(address):
    @at(address, stores=2)
    async def _(*stores):
        heard = [asyncio.Queue(), asyncio.Queue()]
        for store, mine in zip(stores, heard, strict=True):
            store.notifications.subscribe_tables(mine.put_nowait)
            await store.notifications.listen()
        await stores[0].write(begun("ada"))
        with pytest.raises(Conflict):
            await stores[0].write(told("ada", 1, "late"))
        await stores[1].write(told("ada", 2, "three"))
        await stores[0].delete("ada")
        await stores[1].write(begun("ben"))
        async with asyncio.timeout(PATIENCE):
            ada, ben, further = begun("ada"), begun("ben"), told("ada", 2, "three")
            assert [await heard[0].get() for _ in range(2)] == [
                TableNotification("ada", False, further.after, tuple(further.rows)),
                TableNotification("ben", False, ben.after, tuple(ben.rows)),
            ]
            assert [await heard[1].get() for _ in range(2)] == [
                TableNotification("ada", False, ada.after, tuple(ada.rows)),
                TableNotification("ada", True),
            ]
        assert heard[0].empty()
        assert heard[1].empty()


def test_of_news_that_no_notice_can_hold_others_hear_without_the_words(address):
    @at(address, stores=2)
    async def _(*stores):
        heard = asyncio.Queue()
        stores[1].notifications.subscribe_tables(heard.put_nowait)
        await stores[1].notifications.listen()
        await stores[0].write(begun("ada"))
        await stores[0].write(told("ada", 2, "long " * 2000))
        async with asyncio.timeout(PATIENCE):
            assert (await heard.get()).rows
            assert await heard.get() == TableNotification("ada", False)


def test_processes_that_write_to_the_same_tables_in_any_order_never_wait_for_each_other_in_a_circle(address):
    tables = [f"table {number}" for number in range(8)]

    @at(address, stores=2)
    async def _(*stores):
        await stores[0].write(*(begun(table) for table in tables))
        wins = 0
        for after in range(2, 12):
            ended = await asyncio.gather(
                *(stores[0].write(told(table, after, "of the first")) for table in tables),
                *(stores[1].write(told(table, after, "of the second")) for table in reversed(tables)),
                return_exceptions=True,
            )
            assert {type(error) for error in ended} <= {Conflict, type(None)}
            wins += sum(error is None for error in ended)
        assert wins == 10 * len(tables)
        assert {len((await stores[0].load(table)).rows) for table in tables} == {12}


def test_what_cannot_be_kept_takes_nobody_along_and_is_told_to_nobody(address):
    @at(address)
    async def _(store):
        await store.write(begun("ada"), begun("ben"))
        ended = await asyncio.gather(
            store.write(told("ada", 2, "a secret \0")), store.write(told("ben", 2, "three")), return_exceptions=True
        )
        assert [type(error) for error in ended] == [StoreUnavailable, type(None)]
        with pytest.raises(StoreUnavailable) as away:
            async with store.transaction() as connection:
                await connection.execute(text("SELECT CAST(:it AS integer)"), {"it": "a secret"})
        assert "a secret" in str(away.value.__cause__)  # the driver's own words, which are not logged
        assert "a secret" not in str(
            (away.value, logging.error_fields(away.value), logging.error_fields(away.value.__cause__))
        )


def test_an_address_may_be_written_as_postgresql_itself_writes_it(address):
    for written in (address, address.replace("postgresql", "postgres"), f"{address}&sslmode=disable"):

        @at(written)
        async def _(store):
            assert store.shared
            await store.ping()


# migrations


def differences(connection) -> list:
    options = {"compare_type": True, "compare_server_default": True}
    return compare_metadata(MigrationContext.configure(connection, opts=options), models.METADATA)


def form(connection) -> dict:
    """Everything that the database says of its own form."""
    seen = inspect(connection)
    return {
        table: [[str(one) for one in told(table)] for told in (seen.get_columns, seen.get_indexes)]
        for table in seen.get_table_names()
    }


def test_migrations_make_what_the_schema_says(place):
    @at(place)
    async def _(store):
        async with store.connect() as connection:
            assert await connection.run_sync(differences) == []
        async with store.transaction() as connection:
            await connection.execute(text("DROP INDEX tables_by_waits"))
            assert await connection.run_sync(differences)  # a difference is seen


def test_bringing_a_store_up_to_date_twice_changes_nothing(place):
    forms = []

    async def look(store) -> None:
        async with store.connect() as connection:
            forms.append(await connection.run_sync(form))
            versions = list(await connection.scalars(text("SELECT version_num FROM alembic_version")))
        assert versions == ScriptDirectory(script()).get_heads()

    @at(place)
    async def _(store):
        await store.write(begun("ada"))
        await look(store)

    @at(place)
    async def _(store):
        await store.migrate()
        await look(store)
        assert len((await store.load("ada")).rows) == 2

    assert forms[0] == forms[1]
    assert {"alembic_version", *models.METADATA.tables} == set(forms[0])


def script() -> str:
    config = Config()
    config.set_main_option("script_location", "spieltisch.server.storage:migrations")
    return ScriptDirectory.from_config(config).dir


def test_many_that_begin_at_once_on_an_empty_database_make_it_once(address):
    async def begin() -> None:
        async with opened(address) as store:
            await store.ping()

    async def all_begin() -> None:
        await asyncio.gather(*(begin() for _ in range(6)))

    asyncio.run(all_begin())
    assert postgres().sql(address, "SELECT count(*) FROM alembic_version") == [["1"]]


def test_a_store_that_a_newer_version_has_changed_is_left_alone(place):
    @at(place)
    async def _(store):
        async with store.transaction() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))
        with pytest.raises(SchemaTooNew):
            await store.migrate()
        async with store.connect() as connection:
            assert await connection.scalar(text("SELECT version_num FROM alembic_version")) == "later"

    if place.startswith("postgresql"):
        assert "belongs to a newer version" in fails_to_serve(place)


def fails_to_serve(data: str) -> str:
    """What the command says when it cannot begin."""
    ran = run("serve", "--port", "0", "--data", data, env={"PYTHONPATH": os.environ.get("PYTHONPATH", "")})
    assert (ran.code, ran.out) == (1, "")
    return ran.err


def test_a_server_that_finds_no_store_says_so_without_the_password(address):
    for given in (address.replace("/spieltisch_", "/no_"), "mysql://ada:geheim@localhost/tables", "postgresql://[x"):
        with pytest.raises((StoreUnavailable, UnknownStore)):
            asyncio.run(Store.at(given).open())
    said = fails_to_serve("postgresql://ada:geheim@127.0.0.1:1/tables")
    assert "postgresql://ada:…@127.0.0.1:1/tables does not answer." in said
    assert "geheim" not in said


def test_what_was_written_is_carried_over_into_the_file_and_its_log_stays_short(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "INTERVAL", 0.05)
    monkeypatch.setattr(checkpoint, "MAX_WAL_PAGES", 100)
    file = tmp_path / "tables.sqlite"

    @at(str(file))
    async def test(store):
        await store.write(begun("a"))
        size = file.stat().st_size
        for number in range(400):
            await store.write(told("a", 2 + number, "x" * 3000))
            await asyncio.sleep(0.002)
        log = file.with_name("tables.sqlite-wal").stat().st_size
        assert log < 400 * 3000  # it began anew: without that it would hold every line, and several pages of each
        assert file.stat().st_size > size + 200 * 3000
        assert len((await store.load("a")).rows) == 402
