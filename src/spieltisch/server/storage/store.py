"""The store: an append-only log for every table, written by one connection, several tables' news in one commit."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from filelock import FileLock, Timeout
from sqlalchemy import Connection, Engine, delete, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from spieltisch.server.storage import engine, models
from spieltisch.server.storage.checkpoint import Tidying
from spieltisch.server.storage.errors import (
    Conflict,
    SchemaTooNew,
    StoreInUse,
    StoreUnavailable,
    StoreUnusable,
    TableDeleted,
    UnknownStore,
)
from spieltisch.server.storage.writer import StoredResponse, TableWrite, keep, write_each
from spieltisch.table.events import Row

T = TypeVar("T")
MOST_IN_A_COMMIT: Final = 200
HEARING: Final = 2.0  # seconds after which a connection that does not answer hears nothing either
CHANNEL: Final = "spieltisch"
LONGEST: Final = 7000  # characters of a notice: PostgreSQL takes up to 8000 bytes


_Waiting: TypeAlias = tuple[Sequence[TableWrite], asyncio.Future[None]]  # news, and who hears that they are kept


class StoredTable(NamedTuple):
    """A table as it is kept."""

    rows: list[Row]
    answers: dict[str, StoredResponse]


class TableNotification(NamedTuple):
    """Another process has changed a table, or deleted it; what it has written comes along where it is not too long."""

    table: str
    gone: bool
    after: int = 0
    rows: Sequence[Row] = ()


class Store:
    """One database."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.shared = not url.startswith("sqlite")  # whether other processes may serve the same tables
        self.instance_id = secrets.token_hex(8)
        self.meet: Callable[[str, str], None] = lambda *_: None  # hears which process says what of who is there
        self._listening: Any = None
        self._ear: Any = None
        self._lock: FileLock | None = None
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._writing: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()  # the writer's connection has one transaction at a time
        self._hand = ThreadPoolExecutor(1, "writing")
        self._pen: Engine
        self._page: Connection | None = None  # the pen's, in the thread that writes
        self._tidying: Tidying | None = None
        self._reader: AsyncEngine
        self._writer: AsyncEngine

    @classmethod
    def at(cls, place: str) -> Store:
        """The store at an address of PostgreSQL, or in a file."""
        if "://" not in place:
            return cls.in_file(Path(place))
        scheme, _, rest = place.partition("://")
        if scheme not in ("postgresql", "postgres", "postgresql+asyncpg"):
            raise UnknownStore(scheme)
        return cls(f"postgresql+asyncpg://{rest}")

    @classmethod
    def in_file(cls, path: Path) -> Store:
        """The store in a file; StoreInUse where another process has it, StoreUnusable where it cannot be one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        store = cls(f"sqlite+aiosqlite:///{path}")
        store._lock = FileLock(f"{path}.lock")
        try:
            store._lock.acquire(timeout=0)
        except Timeout:
            raise StoreInUse(str(path)) from None
        try:
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as trial:
                trial.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            store._lock.release()
            raise StoreUnusable(str(path)) from None
        return store

    async def open(self) -> None:
        """Opens the database, and brings it up to date."""
        if self.shared:
            self._reader = self._writer = engine.over_network(self.url)
        else:
            self._reader = engine.over_file(self.url, writes=False)
            self._writer = engine.over_file(self.url, writes=True)
            self._pen = engine.pen(self.url)
        await self.migrate()
        await self._rehearse()
        if not self.shared:
            self._tidying = Tidying(str(self._pen.url.database), self._turn)
        self._writing = asyncio.create_task(self._write())

    async def _rehearse(self) -> None:
        """Writes and reads something and takes it back, so that the first real time costs no more than others."""
        answer, rows = StoredResponse("rehearsal", "", "", 1), [Row("", 0)]
        opened = TableWrite(self.instance_id, 0, rows, answer, False, "", "", "", 0, "", {0: ""}, self.instance_id)
        further = opened._replace(after=1, answer=None, tallies={}, creation=None)

        def rehearse(connection: Connection) -> None:
            trial = connection.begin_nested()
            keep(connection, [opened])
            keep(connection, [further])
            trial.rollback()

        async with _answering():
            await self._at_once(rehearse)
        await self.load(self.instance_id)
        await self.find_by_creation(self.instance_id)

    async def migrate(self) -> None:
        """Gives the database the form that it needs; StoreUnavailable where it does not answer, SchemaTooNew where it has a later one."""
        patient = (
            engine.over_network(self.url, patient=True) if self.shared else engine.over_file(self.url, writes=True)
        )
        try:
            async with _answering():
                await engine.migrate(patient)
        finally:
            await patient.dispose()

    async def listen(self, hear: Callable[[TableNotification], None]) -> None:
        """Hears of what other processes change, where there can be any."""
        if not self.shared:
            return

        def notice(_: Any, __: int, ___: str, told: str) -> None:
            who, what, about = told.split(" ", 2)
            if who != self.instance_id and what == "here":
                self.meet(who, about)
            elif who != self.instance_id:
                table, _, written = about.partition(" ")
                after, rows = json.loads(written or "[0, []]")
                hear(TableNotification(table, what == "gone", after, tuple(Row(*row) for row in rows)))

        async with _answering():
            if self._listening is not None:
                await self._listening.invalidate()
            self._listening = await self._writer.connect()
            raw = await self._listening.get_raw_connection()
            await raw.driver_connection.execute(f"SET application_name TO '{CHANNEL} listening'")
            await raw.driver_connection.add_listener(CHANNEL, notice)
            self._ear = raw.driver_connection

    async def is_listening(self) -> bool:
        """Whether it still hears of what other processes change."""
        if not self.shared:
            return True
        try:
            await self._ear.execute("SELECT 1", timeout=HEARING)
        except Exception:  # noqa: BLE001 - whatever it is, nothing is heard
            self._ear = None
        return self._ear is not None

    async def notify(self, connection: AsyncConnection, what: str, about: str) -> None:
        if self.shared:
            told = f"{self.instance_id} {what} {about}"
            await connection.execute(text("SELECT pg_notify(:channel, :told)"), {"channel": CHANNEL, "told": told})

    async def close(self) -> None:
        """Writes what is waiting, and closes the database."""
        await self._queue.join()
        if self._writing:
            self._writing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writing
        if self._tidying is not None:
            await self._tidying.end()
        if self._listening is not None:
            with contextlib.suppress(Exception):  # it may be lost already
                await self._listening.close()
        await self._reader.dispose()
        await self._writer.dispose()
        if not self.shared:
            await asyncio.get_running_loop().run_in_executor(self._hand, self._put_away)
        self._hand.shutdown()
        if self._lock:
            self._lock.release()

    async def ping(self) -> None:
        """Comes back if the database answers and has its tables."""
        async with self.connect() as connection:
            await connection.execute(select(models.tables.c.id).limit(1))

    async def pragmas(self) -> Mapping[str, str]:
        """How the writer's connection keeps what it is given."""
        names = ("journal_mode", "synchronous", "secure_delete")
        async with self._turn:
            return await self._at_once(
                lambda connection: {name: str(connection.scalar(text(f"PRAGMA {name}"))) for name in names}
            )

    async def write(self, *news: TableWrite) -> None:
        """Keeps what happened, all of it or nothing; Conflict where it was made for another state of things."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._queue.put((news, written))
        await written

    async def _write(self) -> None:
        """Writes whatever is waiting in one commit, again and again."""
        while True:
            batch = [await self._queue.get()]
            while not self._queue.empty() and len(batch) < MOST_IN_A_COMMIT:
                batch.append(self._queue.get_nowait())
            try:
                await self._commit(batch)
            except Exception as error:  # noqa: BLE001 - whoever waits must hear of it, and the next may fare better
                for _, written in batch:
                    if not written.done():
                        written.set_exception(error)
            finally:
                for _ in batch:
                    self._queue.task_done()

    async def _commit(self, batch: Sequence[_Waiting]) -> None:
        done = [news for news, _ in batch]
        whole = [news for one in done for news in one]
        refused: Sequence[Exception | None]
        async with self._turn, _answering():
            try:
                await self._at_once(lambda connection: self._keep(connection, whole))
                refused = [None] * len(batch)
            except (TableDeleted, DBAPIError) as error:  # one that cannot be kept is not to take the others along
                if isinstance(error, DBAPIError) and error.connection_invalidated:
                    raise
                refused = await self._at_once(lambda connection: write_each(connection, done, self._tell))
        for (_, written), why in zip(batch, refused, strict=True):
            if written.done():
                continue
            if why is None:
                written.set_result(None)
            elif isinstance(why, TableDeleted):
                written.set_exception(why)
            else:
                written.set_exception(Conflict() if isinstance(why, IntegrityError) else StoreUnavailable())

    async def _at_once(self, work: Callable[[Connection], T]) -> T:
        """What the work leads to in a transaction of its own: with a file in the one thread that writes."""
        if self.shared:
            async with self._writer.begin() as connection:
                return await connection.run_sync(work)

        def in_thread() -> T:
            self._page = self._page or self._pen.connect()
            with self._page.begin():
                return work(self._page)

        return await asyncio.get_running_loop().run_in_executor(self._hand, in_thread)

    def _keep(self, connection: Connection, all_news: Sequence[TableWrite]) -> None:
        keep(connection, all_news)
        self._tell(connection, all_news)

    def _put_away(self) -> None:
        if self._page is not None:
            self._page.close()
        self._pen.dispose()

    def _tell(self, connection: Connection, all_news: Sequence[TableWrite]) -> None:
        """Lets other processes hear of the news."""
        if self.shared:
            for news in all_news:
                connection.exec_driver_sql(
                    "SELECT pg_notify($1, $2)", (CHANNEL, f"{self.instance_id} news {_short(news)}")
                )

    @contextlib.asynccontextmanager
    async def connect(self) -> AsyncIterator[AsyncConnection]:
        """A connection; StoreUnavailable where the database does not answer."""
        async with _answering(), self._reader.connect() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A connection in a transaction; StoreUnavailable where the database does not answer."""
        async with _answering(), self._writer.begin() as connection:
            yield connection

    async def load(self, table: str, after: int = 0) -> StoredTable | None:
        """The table of that name, or what came after a line of it; None where there is no such table."""
        log, answers = models.log, models.answers
        lines = select(log.c.number, log.c.line, log.c.at).where(log.c.table == table, log.c.number >= after)
        kept = select(answers.c.key, answers.c.digest, answers.c.answer, answers.c.number).where(
            answers.c.table == table, answers.c.number >= after
        )
        async with self.connect() as connection:  # lines first: of each of them the answer is found then
            rows = [
                (number, Row(line, at)) for number, line, at in await connection.execute(lines.order_by(log.c.number))
            ]
            found = {key: StoredResponse(key, *rest) for key, *rest in await connection.execute(kept)}
        return StoredTable([row for number, row in rows if number > after], found) if rows else None

    async def find_response(self, table: str, key: str) -> StoredResponse | None:
        """What was answered to that key at the table; None where nothing was."""
        answers = models.answers
        kept = select(answers.c.key, answers.c.digest, answers.c.answer, answers.c.number)
        async with self.connect() as connection:
            found = await connection.execute(kept.where(answers.c.table == table, answers.c.key == key))
            return next((StoredResponse(*row) for row in found), None)

    async def find_by_creation(self, creation: str) -> str | None:
        """The table that was opened so; None where none was."""
        async with self.connect() as connection:
            found: str | None = await connection.scalar(
                select(models.tables.c.id).where(models.tables.c.creation == creation)
            )
            return found

    async def list_public(self, limit: int) -> list[tuple[str, str]]:
        """The names and summaries of public tables that are not over, the latest first."""
        listed = (
            select(models.tables.c.id, models.tables.c.summary)
            .where(models.tables.c.public, models.tables.c.status != "over")
            .order_by(models.tables.c.changed.desc())
            .limit(limit)
        )
        async with self.connect() as connection:
            return [(name, summary) for name, summary in await connection.execute(listed)]

    async def list_tallies(self) -> list[tuple[str, str]]:
        """The games that have ended, each with what was drawn in it."""
        async with self.connect() as connection:
            found = await connection.execute(select(models.tallies.c.game, models.tallies.c.tally))
            return [(game, tally) for game, tally in found]

    async def delete(self, table: str) -> None:
        """Deletes a table, so that nothing of it is left in the files."""
        async with self._turn:
            async with (
                self.transaction() as connection
            ):  # the table first: whoever writes waits for it, and finds it gone
                await connection.execute(delete(models.tables).where(models.tables.c.id == table))
                for part in (models.log, models.answers, models.tallies, models.leases):
                    await connection.execute(delete(part).where(part.c.table == table))
                await self.notify(connection, "gone", table)
            if not self.shared:
                async with self._writer.connect() as connection:
                    raw = await connection.get_raw_connection()
                    assert raw.driver_connection is not None
                    await raw.driver_connection.execute("VACUUM")  # pages keep copies of rows that they moved elsewhere
                    await raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _short(news: TableWrite) -> str:
    """The table, and what was written there unless a notice cannot hold it: others need not read it then."""
    whole = f"{news.table} {json.dumps([news.after, news.rows])}"
    return whole if len(whole) <= LONGEST else news.table


@contextlib.asynccontextmanager
async def _answering() -> AsyncIterator[None]:
    """Says StoreUnavailable, whatever it is that keeps the database from answering."""
    try:
        yield
    except SchemaTooNew:
        raise
    except Exception as error:
        raise StoreUnavailable from error
