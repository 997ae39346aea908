"""Planted bugs: what the campaigns must find, put into the server on purpose to show that they can."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any
from unittest import mock

from sqlalchemy.exc import DBAPIError

from spieltisch.server.runtime.tables import Tables
from spieltisch.server.storage.transactions import SqliteTransactions
from spieltisch.server.storage.writer import Writer
from spieltisch.server.storage.writes import TableWrite

SWALLOWED = "an error of the disk is swallowed"
TOO_EARLY = "a command is acknowledged before it is committed"
FORGETFUL = "keys are forgotten"


@contextlib.contextmanager
def fault(name: str | None) -> Iterator[None]:
    """A server with the bug of that name; None for a server as it is."""
    with contextlib.ExitStack() as stack:
        for owner, attribute, wrong in _BUGS[name] if name else ():
            stack.enter_context(mock.patch.object(owner, attribute, wrong))
        yield


async def _run_without_checking(self: SqliteTransactions, work: Any) -> Any:
    def run_in_thread() -> Any:
        self._connection = self._connection or self.engine.connect()
        with self._connection.begin():
            try:
                return work(self._connection)
            except DBAPIError:
                return None

    return await asyncio.get_running_loop().run_in_executor(self._thread, run_in_thread)


async def _write_and_acknowledge_first(self: Writer, *writes: TableWrite) -> None:
    committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    await self._queue.put((writes, committed))


_perform = Tables._perform


async def _perform_again(self: Tables, table: Any, command: Any, by: str | None) -> str:
    table.responses.clear()
    return await _perform(self, table, command, by)


_BUGS: dict[str, list[tuple[Any, str, Any]]] = {
    SWALLOWED: [(SqliteTransactions, "run", _run_without_checking)],
    TOO_EARLY: [(Writer, "write", _write_and_acknowledge_first)],
    FORGETFUL: [(Tables, "_perform", _perform_again)],
}
