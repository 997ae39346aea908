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
COMMIT_DELAY = 1.0  # seconds, for a bug that a kill at any moment reveals


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


async def _write_later(self: Writer, *writes: TableWrite) -> None:
    async def write() -> None:
        await asyncio.sleep(COMMIT_DELAY)
        await self._queue.put((writes, asyncio.get_running_loop().create_future()))

    _writing.add(asyncio.create_task(write()))


async def _carry_out_without_key(self: Tables, table: Any, command: Any, by: str | None, _key: Any, digest: str) -> str:
    return await _carry_out(self, table, command, by, None, digest)


_writing: set[asyncio.Task[None]] = set()
_carry_out = Tables._carry_out
_BUGS: dict[str, list[tuple[Any, str, Any]]] = {
    SWALLOWED: [(SqliteTransactions, "run", _run_without_checking)],
    TOO_EARLY: [(Writer, "write", _write_later)],
    FORGETFUL: [(Tables, "_carry_out", _carry_out_without_key)],
}
