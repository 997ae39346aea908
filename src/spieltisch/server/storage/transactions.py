"""Transactions: how a synchronous unit of work runs against PostgreSQL or against a SQLite file.

Work that a table waits for runs as a whole, and for SQLite in a thread: running each of its statements from the event loop
would cost several times as much.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import Connection, Engine, SelectBase, UpdateBase
from sqlalchemy.ext.asyncio import AsyncEngine

from spieltisch.server.storage.engine import reader_engine, writer_engine

T = TypeVar("T")
READERS: Final = 2  # threads that read a SQLite file: a long log must not keep all others waiting


class Statement:
    """A statement that is compiled once per dialect: compiling is most of its cost."""

    def __init__(self, statement: UpdateBase | SelectBase) -> None:
        self.statement = statement
        self._compiled: dict[tuple[str, ...], tuple[str, list[str]]] = {}

    def run(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> int:
        """Runs it for all rows, which have the same columns; returns the number of rows affected."""
        if not rows:
            return 0
        sql, names = self._compile(connection, rows[0])
        values = [tuple(row[name] for name in names) for row in rows]
        return connection.exec_driver_sql(sql, values if len(values) > 1 else values[0]).rowcount

    def rows(self, connection: Connection, **values: object) -> Sequence[Any]:
        """The rows that it finds with these values."""
        sql, names = self._compile(connection, values)
        return connection.exec_driver_sql(sql, tuple(values[name] for name in names)).all()

    def _compile(self, connection: Connection, columns: Mapping[str, object]) -> tuple[str, list[str]]:
        """Its text, and the names of its parameters in their order."""
        cache_key = (connection.dialect.name, *columns)
        if cache_key not in self._compiled:
            compiled = self.statement.compile(dialect=connection.dialect, column_keys=list(columns))
            self._compiled[cache_key] = str(compiled), list(getattr(compiled, "positiontup", None) or ())
        return self._compiled[cache_key]


class TransactionLost(Exception):
    """SQLite has rolled back the transaction by itself, as it does after some errors of the disk."""


class Transactions(Protocol):
    """Runs units of work, each in a transaction of its own."""

    @property
    def engine(self) -> Engine:
        """The engine whose connections run the transactions."""
        ...

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Runs the work in a transaction, commits, and returns its result."""
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Runs work that only reads, concurrently with all other work."""
        ...

    async def close(self) -> None:
        """Closes what it has opened itself."""
        ...


class PostgresTransactions:
    """Transactions on connections from the pool."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @property
    def engine(self) -> Engine:
        return self._engine.sync_engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def read(self, work: Callable[[Connection], T]) -> T:
        async with self._engine.connect() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """The pool belongs to the store."""


class SqliteTransactions:
    """Transactions on one connection, which lives in one thread; reading has threads of its own."""

    def __init__(self, url: str) -> None:
        self.engine = writer_engine(url)
        self._thread = ThreadPoolExecutor(1, "writer")
        self._connection: Connection | None = None
        self._reader_engine = reader_engine(url, READERS)
        self._readers = ThreadPoolExecutor(READERS, "reader")

    async def run(self, work: Callable[[Connection], T]) -> T:
        def run_in_thread() -> T:
            self._connection = self._connection or self.engine.connect()
            with self._connection.begin():
                result = work(self._connection)
                driver = self._connection.connection.driver_connection
                if driver is None or not driver.in_transaction:  # a commit would succeed and write nothing
                    raise TransactionLost
                return result

        return await asyncio.get_running_loop().run_in_executor(self._thread, run_in_thread)

    async def read(self, work: Callable[[Connection], T]) -> T:
        def run_in_thread() -> T:
            with self._reader_engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, run_in_thread)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close_connection)
        self._thread.shutdown()
        self._readers.shutdown()
        self._reader_engine.dispose()

    def _close_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self.engine.dispose()
