"""Group commit: one writer commits whatever is waiting in its queue in one transaction."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from spieltisch.server.storage.errors import Conflict, StoreUnavailable, TableDeleted, translate_errors
from spieltisch.server.storage.transactions import Transactions
from spieltisch.server.storage.writes import TableWrite, write_all

MAX_BATCH: Final = 200  # units of work in one commit
_Notify: TypeAlias = Callable[[Connection, Sequence[TableWrite]], None]
_Queued: TypeAlias = tuple[Sequence[TableWrite], asyncio.Future[None]]  # a unit of work, and who waits for its commit


class Writer:
    """A queue of writes and the task that commits them."""

    def __init__(self, transactions: Transactions, lock: asyncio.Lock, notify: _Notify) -> None:
        self._transactions = transactions
        self._lock = lock  # the connection runs one transaction at a time
        self._notify = notify
        self._queue: asyncio.Queue[_Queued] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Starts the task that commits."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Commits what is still in the queue, and stops."""
        await self._queue.join()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def write(self, *writes: TableWrite) -> None:
        """Commits the writes as one unit; Conflict if another writer was first, TableDeleted if a table is gone."""
        committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._queue.put((writes, committed))
        await committed

    async def _run(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while not self._queue.empty() and len(batch) < MAX_BATCH:
                batch.append(self._queue.get_nowait())
            try:
                await self._commit(batch)
            except Exception as error:  # noqa: BLE001 - it goes to those who wait, and the next batch may succeed
                for _, committed in batch:
                    if not committed.done():
                        committed.set_exception(error)
            finally:
                for _ in batch:
                    self._queue.task_done()

    async def _commit(self, batch: Sequence[_Queued]) -> None:
        units = [writes for writes, _ in batch]
        errors: Sequence[Exception | None] = [None] * len(batch)
        async with self._lock, translate_errors():
            if not await self._try_all(units):
                errors = await self._transactions.run(lambda connection: self._write_each(connection, units))
        for (_, committed), refusal in zip(batch, errors, strict=True):
            if committed.done():
                continue
            if refusal is None:
                committed.set_result(None)
            elif isinstance(refusal, TableDeleted):
                committed.set_exception(refusal)
            else:
                committed.set_exception(Conflict() if isinstance(refusal, IntegrityError) else StoreUnavailable())

    async def _try_all(self, units: Sequence[Sequence[TableWrite]]) -> bool:
        """Whether all units could be committed together; one that fails must not fail the others."""
        try:
            await self._transactions.run(lambda connection: self._write_all(connection, units))
        except TableDeleted:
            return False
        except DBAPIError as error:
            if error.connection_invalidated:
                raise
            return False
        return True

    def _write_all(self, connection: Connection, units: Sequence[Sequence[TableWrite]]) -> None:
        """Writes all units with the same statements."""
        writes = [write for unit in units for write in unit]
        write_all(connection, writes)
        self._notify(connection, writes)

    def _write_each(self, connection: Connection, units: Sequence[Sequence[TableWrite]]) -> list[Exception | None]:
        """Writes each unit in a savepoint of its own; returns the error of each."""
        return [self._try_unit(connection, unit) for unit in units]

    def _try_unit(self, connection: Connection, unit: Sequence[TableWrite]) -> Exception | None:
        try:
            with connection.begin_nested():
                self._write_all(connection, [unit])
        except (TableDeleted, IntegrityError) as error:
            return error
        except DBAPIError as error:
            if error.connection_invalidated or connection.dialect.name == "sqlite":
                raise  # SQLite may have rolled back the whole transaction, as it does if the disk is full
            return error
        return None
