"""Transactions of the writer: how a synchronous unit of work runs against PostgreSQL or against a SQLite file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.ext.asyncio import AsyncEngine

from spieltisch.server.storage.engine import writer_engine

T = TypeVar("T")


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

    async def close(self) -> None:
        """The pool belongs to the store."""


class SqliteTransactions:
    """Transactions on one connection, which lives in one thread."""

    def __init__(self, url: str) -> None:
        self.engine = writer_engine(url)
        self._thread = ThreadPoolExecutor(1, "writer")
        self._connection: Connection | None = None

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

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close_connection)
        self._thread.shutdown()

    def _close_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self.engine.dispose()
