"""The store: an append-only event log per table, in a SQLite file or in PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sqlite3
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import structlog
from filelock import FileLock, Timeout
from sqlalchemy import Connection, delete, false, func, insert, or_, select, text, true
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from spieltisch.processes.calls import WorkerLost
from spieltisch.server.ops import logging
from spieltisch.server.storage import engine, models
from spieltisch.server.storage.checkpoint import Checkpointer
from spieltisch.server.storage.errors import (
    StoreFull,
    StoreInUse,
    StoreUnavailable,
    StoreUnusable,
    translate_errors,
)
from spieltisch.server.storage.notifications import Notifications
from spieltisch.server.storage.reads import StoredTable, read_snapshot, read_table
from spieltisch.server.storage.scrub import NotScrubbed
from spieltisch.server.storage.scrubber import Scrubber
from spieltisch.server.storage.transactions import PostgresTransactions, SqliteTransactions, Transactions
from spieltisch.server.storage.writer import Writer
from spieltisch.server.storage.writes import Snapshot, StoredResponse, TableWrite, write_all
from spieltisch.table.codec import Row

_log = structlog.get_logger("spieltisch.server")
PROBE_INTERVAL: Final = 5.0  # seconds between two trial writes
SCRUB_INTERVAL: Final = 60.0  # seconds until a scrub that failed is tried again
_PROBE: Final = "readiness"  # the name of no table


class Usage(NamedTuple):
    """How much is stored."""

    tables: int
    size: int  # bytes


class Store:
    """One database: its connections, its writer, and the queries on it."""

    def __init__(self, url: str, lock: FileLock | None = None) -> None:
        self.url = url
        self.shared = not url.startswith("sqlite")  # whether other processes may serve the same tables
        self.instance_id = secrets.token_hex(8)
        self._lock = lock
        self._write_lock = asyncio.Lock()  # the writing connection runs one transaction at a time
        self._reader: AsyncEngine
        self._changer: AsyncEngine  # for everything that does not go through the writer's queue
        self.transactions: Transactions
        self._probed = -PROBE_INTERVAL
        self._checkpointer: Checkpointer | None = None
        self._scrubber: Scrubber | None = None
        self._scrubbing: asyncio.Task[None] | None = None
        if self.shared:
            self._reader = self._changer = engine.postgres_engine(url)
            self.transactions = PostgresTransactions(self._changer)
        else:
            self._reader = engine.sqlite_engine(url, writable=False)
            self._changer = engine.sqlite_engine(url, writable=True)
            self.transactions = SqliteTransactions(url)
            file = str(self._changer.url.database)
            self._checkpointer, self._scrubber = Checkpointer(file, self._write_lock), Scrubber(file)
        self.notifications = Notifications(self._changer if self.shared else None, self.instance_id)
        self._writer = Writer(self.transactions, self._write_lock, self.notifications.send_writes)

    @classmethod
    def at(cls, location: str) -> Store:
        """The store at a PostgreSQL URL, or in a file."""
        return cls(engine.url_of(location)) if "://" in location else cls.in_file(Path(location))

    @classmethod
    def in_file(cls, path: Path) -> Store:
        """The store in a file; StoreInUse if another process has locked it, StoreUnusable if it is not a database."""
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(f"{path}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise StoreInUse(str(path)) from None
        try:
            with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as trial:
                trial.execute("BEGIN IMMEDIATE")
        except sqlite3.Error:
            lock.release()
            raise StoreUnusable(str(path)) from None
        return cls(engine.url_of(str(path)), lock)

    async def open(self) -> None:
        """Migrates the database, and starts the writer."""
        await self.migrate()
        await self._warm_up()
        if self._checkpointer is not None:
            self._checkpointer.start()
        self._writer.start()

    async def migrate(self) -> None:
        """Migrates the schema; StoreUnavailable if the database does not respond, SchemaTooNew if it is newer."""
        migrating = (
            engine.postgres_engine(self.url, for_migration=True)
            if self.shared
            else engine.sqlite_engine(self.url, writable=True)
        )
        try:
            async with translate_errors():
                await engine.migrate(migrating)
        finally:
            await migrating.dispose()

    async def _warm_up(self) -> None:
        """Runs every statement once and rolls it back, so that the first player does not pay for compiling it."""
        response, rows = StoredResponse("warm-up", "", "", 1), [Row("", 0)]
        first = TableWrite(self.instance_id, 0, rows, response, False, "", "", "", 0, "", ["{}"], self.instance_id, "")
        second = first._replace(after=1, response=None, tallies=(), creation=None)

        def write_and_roll_back(connection: Connection) -> None:
            savepoint = connection.begin_nested()
            write_all(connection, [first])
            write_all(connection, [second])
            savepoint.rollback()

        async with translate_errors():
            await self.transactions.run(write_and_roll_back)
        await self.load(self.instance_id)
        await self.find_by_creation(self.instance_id)

    async def close(self) -> None:
        """Commits what is waiting, and closes the database."""
        await self._writer.close()
        if self._scrubbing is not None:
            self._scrubbing.cancel()
        if self._scrubber is not None:
            await self._scrubber.close()
        if self._checkpointer is not None:
            await self._checkpointer.close()
        await self.notifications.close()
        await self._reader.dispose()
        await self._changer.dispose()
        await self.transactions.close()
        if self._lock:
            self._lock.release()

    async def probe(self) -> None:
        """Returns if the database responds, has its schema, and was written a moment ago; else StoreUnavailable."""
        async with self.connect() as connection:
            await connection.execute(select(models.tables.c.id).limit(1))
        if time.monotonic() - self._probed > PROBE_INTERVAL:
            async with self._write_lock, translate_errors():
                with contextlib.suppress(IntegrityError):  # another process has just written the same
                    await self.transactions.run(_write_probe)
            self._probed = time.monotonic()

    @contextlib.asynccontextmanager
    async def connect(self) -> AsyncIterator[AsyncConnection]:
        """A connection for reading; StoreUnavailable if the database does not respond."""
        async with translate_errors(), self._reader.connect() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A connection in a transaction; StoreUnavailable if the database does not respond."""
        async with translate_errors(), self._changer.begin() as connection:
            yield connection

    async def write(self, *writes: TableWrite) -> None:
        """Commits the writes as one unit; Conflict if another writer was first, TableDeleted if a table is gone."""
        await self._writer.write(*writes)

    async def load(self, table: str, after: int = 0, digest: bytes = b"", code: str = "") -> StoredTable | None:
        """The table's events and responses after a version, whose digest is given, and the snapshot of code with that
        digest, if there is one; None if there is no such table.

        DamagedLog if the events are not those that were written.
        """
        async with translate_errors():
            return await self.transactions.read(lambda connection: read_table(connection, table, after, digest, code))

    async def find_snapshot(self, table: str, code: str) -> Snapshot | None:
        """The snapshot of a table that code with that digest has written, if there is one."""
        async with translate_errors():
            return await self.transactions.read(lambda connection: read_snapshot(connection, table, code))

    async def find_response(self, table: str, key: str) -> StoredResponse | None:
        """The response stored under that idempotency key, if there is one."""
        answers = models.answers
        stored = select(answers.c.key, answers.c.digest, answers.c.answer, answers.c.number)
        async with self.connect() as connection:
            found = await connection.execute(stored.where(answers.c.table == table, answers.c.key == key))
            return next((StoredResponse(*row) for row in found), None)

    async def find_by_creation(self, creation: str) -> str | None:
        """The table that this creation digest has opened, if there is one."""
        async with self.connect() as connection:
            found: str | None = await connection.scalar(
                select(models.tables.c.id).where(models.tables.c.creation == creation)
            )
            return found

    async def list_public(self, limit: int) -> list[tuple[str, str]]:
        """The names and summaries of public tables that are not over, latest first."""
        query = (
            select(models.tables.c.id, models.tables.c.summary)
            .where(models.tables.c.public, models.tables.c.status != "over")
            .order_by(models.tables.c.changed.desc())
            .limit(limit)
        )
        async with self.connect() as connection:
            return [(name, summary) for name, summary in await connection.execute(query)]

    async def list_gathering(self, limit: int) -> list[tuple[str, str]]:
        """The names of tables that wait for people, latest first, each with the secret of its creation."""
        query = (
            select(models.tables.c.id, models.tables.c.creation)
            .where(models.tables.c.status == "gathering")
            .order_by(models.tables.c.changed.desc())
            .limit(limit)
        )
        async with self.connect() as connection:
            return [(name, creation) for name, creation in await connection.execute(query)]

    async def creation_of(self, table: str) -> str | None:
        """The secret of a table's creation; None if there is no such table."""
        query = select(models.tables.c.creation).where(models.tables.c.id == table)
        async with self.connect() as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    async def list_draw_totals(self) -> list[tuple[str, int, str]]:
        """For every game, how many were finished, and the tally of all their draws."""
        totals = models.draw_totals
        async with self.connect() as connection:
            found = await connection.execute(select(totals.c.game, totals.c.games, totals.c.tally))
            return [(game, games, tally) for game, games, tally in found]

    async def list_expired(self, ended: int | None, idle: int | None, limit: int) -> list[tuple[str, int]]:
        """Tables that have not changed since a time, those that are over and all others, with when they last changed."""
        tables = models.tables
        over = tables.c.status == "over"
        expired = [
            *([over & (tables.c.changed < ended)] if ended is not None else []),
            *([~over & (tables.c.changed < idle)] if idle is not None else []),
        ]
        query = select(tables.c.id, tables.c.changed).where(or_(false(), *expired)).limit(limit)
        async with self.connect() as connection:
            return [(name, changed) for name, changed in await connection.execute(query)]

    async def measure_usage(self) -> Usage:
        """How many tables there are, and how many bytes the database uses."""
        size = (
            "SELECT pg_database_size(current_database())"
            if self.shared
            else "SELECT (page_count - freelist_count) * page_size "
            "FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
        )
        async with self.connect() as connection:
            tables = await connection.scalar(select(func.count()).select_from(models.tables))
            return Usage(tables or 0, (await connection.execute(text(size))).scalar_one())

    async def delete(self, table: str, changed: int | None = None) -> bool:
        """Deletes a table, if it has not changed since the given time. `scrub` removes what is left of it in the files."""
        async with self._write_lock:
            try:
                return await self._delete_rows(table, changed)
            except StoreFull:
                if not await self._truncate_log():  # this gives back the space of the write-ahead log
                    raise
                return await self._delete_rows(table, changed)

    async def _delete_rows(self, table: str, changed: int | None) -> bool:
        unchanged = true() if changed is None else models.tables.c.changed <= changed
        async with self.transaction() as connection:
            # the row of the table first: other writers wait for its lock, and then find it deleted
            found = await connection.execute(delete(models.tables).where(models.tables.c.id == table, unchanged))
            if changed is not None and not found.rowcount:
                return False
            for part in (models.log, models.answers, models.snapshots, models.leases):
                await connection.execute(delete(part).where(part.c.table == table))
            await self.notifications.send_deleted(connection, table)
        return True

    async def _truncate_log(self) -> bool:
        """Empties the write-ahead log of a SQLite file; False if that fails."""
        try:
            async with translate_errors(), self._changer.connect() as connection:
                raw = await connection.get_raw_connection()
                assert raw.driver_connection is not None
                await raw.driver_connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except StoreUnavailable as error:
            _log.warning("write-ahead log not truncated", **logging.error_fields(error.__cause__ or error))
            return False
        return not self.shared

    async def scrub(self) -> None:
        """Removes what is left of deleted tables from the files; if that fails, later. PostgreSQL does it by itself."""
        if self._scrubber is not None and not await self._try_scrub(self._scrubber) and self._scrubbing is None:
            self._scrubbing = asyncio.create_task(self._scrub_later(self._scrubber))

    async def _try_scrub(self, scrubber: Scrubber) -> bool:
        try:
            await scrubber.scrub()
        except (NotScrubbed, WorkerLost, OSError, sqlite3.Error) as error:
            _log.warning("deleted rows not overwritten", **logging.error_fields(error))
            return False
        return True

    async def _scrub_later(self, scrubber: Scrubber) -> None:
        while True:
            await asyncio.sleep(SCRUB_INTERVAL)
            if await self._try_scrub(scrubber):
                self._scrubbing = None
                return


def _write_probe(connection: Connection) -> None:
    """Commits a row that nobody reads: a full or failing disk is noticed before somebody's move is refused."""
    connection.execute(delete(models.leases).where(models.leases.c.table == _PROBE))
    expired = datetime.fromtimestamp(0, UTC)
    connection.execute(insert(models.leases).values(table=_PROBE, owner="", until=expired))
