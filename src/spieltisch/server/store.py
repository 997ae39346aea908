"""The store: an append-only log for every table, written by one connection, several tables' news in one commit."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from filelock import FileLock, Timeout
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    delete,
    event,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import StaticPool

from spieltisch.server.lines import Row

MOST_IN_A_COMMIT: Final = 200
_data = MetaData()
_tables = Table(
    "tables",
    _data,
    Column("id", String(32), primary_key=True),
    Column("creation", String(64), nullable=False, unique=True),  # who opened it by which key, as a digest
    Column("public", Boolean, nullable=False),
    Column("status", String(16), nullable=False),
    Column("waits", String(16), nullable=False),
    Column("summary", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Index("tables_by_waits", "waits"),
    Index("tables_by_public", "public", "status", "changed"),
)
_log = Table(
    "log",
    _data,
    Column("table", String(32), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
_answers = Table(
    "answers",
    _data,
    Column("table", String(32), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("digest", String(64), nullable=False),  # of the command: another one with the same key is refused
    Column("answer", Text, nullable=False),
)
_tallies = Table(
    "tallies",
    _data,
    Column("table", String(32), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("game", String(64), nullable=False),
    Column("tally", Text, nullable=False),
)


class Conflict(Exception):
    """Somebody else wrote that line or that key first."""


class InUse(Exception):
    """Another process has the file."""


class Unusable(Exception):
    """The file is no database, or cannot be written."""


class Answer(NamedTuple):
    """The answer to a command, under its key."""

    key: str
    digest: str
    answer: str


class News(NamedTuple):
    """What a table's command has led to: written whole or not at all."""

    table: str
    after: int  # the number of the line before
    rows: Sequence[Row]
    answer: Answer | None
    public: bool
    status: str
    waits: str
    summary: str
    at: int
    game: str = ""
    tallies: Mapping[int, str] = {}
    creation: str | None = None  # of a table that is opened


class Kept(NamedTuple):
    """A table as it is kept."""

    rows: list[Row]
    answers: dict[str, Answer]


class Store:
    """One database."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._lock: FileLock | None = None
        self._queue: asyncio.Queue[tuple[Sequence[News], asyncio.Future[None]]] = asyncio.Queue()
        self._writing: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()  # the writer's connection has one transaction at a time
        self._reader: AsyncEngine
        self._writer: AsyncEngine

    @classmethod
    def in_file(cls, path: Path) -> Store:
        """The store in a file; InUse where another process has it, Unusable where it cannot be one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        store = cls(f"sqlite+aiosqlite:///{path}")
        store._lock = FileLock(f"{path}.lock")
        try:
            store._lock.acquire(timeout=0)
        except Timeout:
            raise InUse(str(path)) from None
        try:
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as trial:
                trial.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            store._lock.release()
            raise Unusable(str(path)) from None
        return store

    async def open(self) -> None:
        """Opens the database, and makes its tables where there are none."""
        self._reader = create_async_engine(self.url)
        self._writer = create_async_engine(self.url, poolclass=StaticPool)
        for engine in (self._reader, self._writer):
            event.listen(engine.sync_engine, "connect", _prepare)
        event.listen(self._writer.sync_engine, "begin", _begin)
        async with self._writer.begin() as connection:
            await connection.run_sync(_data.create_all)
        self._writing = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Writes what is waiting, and closes the database."""
        await self._queue.join()
        if self._writing:
            self._writing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writing
        await self._reader.dispose()
        await self._writer.dispose()
        if self._lock:
            self._lock.release()

    async def pragmas(self) -> Mapping[str, str]:
        """How the writer's connection keeps what it is given."""
        async with self._turn, self._writer.connect() as connection:
            return {
                name: str(await connection.scalar(text(f"PRAGMA {name}")))
                for name in ("journal_mode", "synchronous", "secure_delete")
            }

    async def write(self, *news: News) -> None:
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

    async def _commit(self, batch: Sequence[tuple[Sequence[News], asyncio.Future[None]]]) -> None:
        refused: list[asyncio.Future[None]] = []
        async with self._turn, self._writer.begin() as connection:
            for all_news, written in batch:
                try:
                    async with connection.begin_nested():
                        for news in all_news:
                            await _keep(connection, news)
                except IntegrityError:
                    refused.append(written)
        for _, written in batch:
            if written.done():
                continue
            if written in refused:
                written.set_exception(Conflict())
            else:
                written.set_result(None)

    @contextlib.asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncConnection]:
        async with self._reader.connect() as connection:
            yield connection

    async def load(self, table: str) -> Kept | None:
        """The table of that name; None where there is none."""
        async with self._reading() as connection:
            lines = await connection.execute(
                select(_log.c.line, _log.c.at).where(_log.c.table == table).order_by(_log.c.number)
            )
            rows = [Row(line, at) for line, at in lines]
            found = await connection.execute(
                select(_answers.c.key, _answers.c.digest, _answers.c.answer).where(_answers.c.table == table)
            )
            answers = {key: Answer(key, digest, answer) for key, digest, answer in found}
        return Kept(rows, answers) if rows else None

    async def opened(self, creation: str) -> str | None:
        """The table that was opened so; None where none was."""
        async with self._reading() as connection:
            found: str | None = await connection.scalar(select(_tables.c.id).where(_tables.c.creation == creation))
            return found

    async def waiting(self, kinds: Sequence[str]) -> list[str]:
        """The tables that wait for one of these."""
        async with self._reading() as connection:
            return list(await connection.scalars(select(_tables.c.id).where(_tables.c.waits.in_(kinds))))

    async def public(self, limit: int) -> list[tuple[str, str]]:
        """The names and summaries of public tables that are not over, the latest first."""
        listed = (
            select(_tables.c.id, _tables.c.summary)
            .where(_tables.c.public, _tables.c.status != "over")
            .order_by(_tables.c.changed.desc())
            .limit(limit)
        )
        async with self._reading() as connection:
            return [(name, summary) for name, summary in await connection.execute(listed)]

    async def tallies(self) -> list[tuple[str, str]]:
        """The games that have ended, each with what was drawn in it."""
        async with self._reading() as connection:
            found = await connection.execute(select(_tallies.c.game, _tallies.c.tally))
            return [(game, tally) for game, tally in found]

    async def delete(self, table: str) -> None:
        """Deletes a table, so that nothing of it is left in the files."""
        async with self._turn:
            async with self._writer.begin() as connection:
                for part in (_log, _answers, _tallies):
                    await connection.execute(delete(part).where(part.c.table == table))
                await connection.execute(delete(_tables).where(_tables.c.id == table))
            if self._writer.dialect.name == "sqlite":
                async with self._writer.connect() as connection:
                    raw = await connection.get_raw_connection()
                    assert raw.driver_connection is not None
                    await raw.driver_connection.execute("VACUUM")  # pages keep copies of rows that they moved elsewhere
                    await raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def _keep(connection: AsyncConnection, news: News) -> None:
    columns: dict[str, Any] = {
        "public": news.public,
        "status": news.status,
        "waits": news.waits,
        "summary": news.summary,
        "changed": news.at,
    }
    if news.creation is not None:
        await connection.execute(insert(_tables).values(id=news.table, creation=news.creation, **columns))
    elif news.rows:
        await connection.execute(update(_tables).where(_tables.c.id == news.table).values(**columns))
    if news.rows:
        numbered = enumerate(news.rows, news.after + 1)
        await connection.execute(
            insert(_log), [{"table": news.table, "number": n, "line": row.line, "at": row.at} for n, row in numbered]
        )
    if news.answer:
        await connection.execute(insert(_answers).values(table=news.table, **news.answer._asdict()))
    for number, tally in news.tallies.items():
        await connection.execute(insert(_tallies).values(table=news.table, number=number, game=news.game, tally=tally))


def _prepare(connection: Any, _: Any) -> None:
    """Makes SQLite keep what it was given when it says so, and transactions begin where they are begun."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON", "busy_timeout = 10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")
