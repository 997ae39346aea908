"""Who is there: the seats of people whose browsers have a stream of the table open, at whichever process."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection
from typing import Final, NamedTuple

import structlog

from spieltisch.server.ops import logging
from spieltisch.server.storage.errors import StoreUnavailable
from spieltisch.server.storage.store import Store

_log = structlog.get_logger("spieltisch.server")
LINGER: Final = 2.0  # seconds for which somebody who went may come back unnoticed
AGAIN: Final = 20.0  # seconds after which other processes are told again
FORGET: Final = 60.0  # seconds after which what was not told again is forgotten
MOST_AT_ONCE: Final = 100  # tables in one message, which has a limit


class _Told(NamedTuple):
    """What another process has told of a table."""

    seats: frozenset[int]
    at: float


class Presence:
    """Who is there, at all tables; nothing of it is kept."""

    def __init__(self, store: Store, wake: Callable[[str], None]) -> None:
        self._store = store
        self._wake = wake  # everybody who watches that table
        self._near: dict[str, dict[object, frozenset[int]]] = {}  # by table and stream
        self._afar: dict[str, dict[str, _Told]] = {}  # by table and process
        self._changed: set[str] = set()  # the tables of which other processes must be told
        self._due = asyncio.Event()
        store.meet = self.hear

    def seats(self, table: str) -> list[int]:
        """The seats whose people are there."""
        afar = (told.seats for told in self._afar.get(table, {}).values())
        return sorted(self._own(table).union(*afar))

    def _own(self, table: str) -> frozenset[int]:
        return frozenset().union(*self._near.get(table, {}).values())

    def come(self, table: str, stream: object, seats: Collection[int]) -> None:
        """Somebody with these seats has that stream open."""
        before = self._own(table)
        self._near.setdefault(table, {})[stream] = frozenset(seats)
        self._compare(table, before)

    def go(self, table: str, stream: object) -> None:
        """The stream has ended; its seats stay for a moment, in case that it begins again."""
        asyncio.get_running_loop().call_later(LINGER, self._drop, table, stream)

    def _drop(self, table: str, stream: object) -> None:
        before = self._own(table)
        streams = self._near.get(table, {})
        streams.pop(stream, None)
        if not streams:
            self._near.pop(table, None)
        self._compare(table, before)

    def _compare(self, table: str, before: frozenset[int]) -> None:
        if self._own(table) != before:
            self._wake(table)
            if self._store.shared:
                self._changed.add(table)
                self._due.set()

    # other processes

    def hear(self, process: str, told: str) -> None:
        """Takes in who is there at another process."""
        for part in told.split():
            table, _, seats = part.partition(":")
            before = self.seats(table)
            listed = frozenset(int(seat) for seat in seats.split(",") if seat)
            self._afar.setdefault(table, {})[process] = _Told(listed, time.monotonic())
            if self.seats(table) != before:
                self._wake(table)

    async def tell(self) -> None:
        """Tells other processes who is there: what changes at once, and everything again and again."""
        again = 0.0
        while True:
            if time.monotonic() >= again:
                again = time.monotonic() + AGAIN
                self._forget()
                self._changed.update(table for table in self._near if self._own(table))
            self._due.clear()
            changed, self._changed = self._changed, set()
            try:
                await self._send(sorted(changed))
            except StoreUnavailable as error:
                self._changed |= changed  # the next time
                _log.info("presence not told", **logging.error_fields(error))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._due.wait(), max(0.0, again - time.monotonic()))

    async def _send(self, tables: list[str]) -> None:
        for first in range(0, len(tables), MOST_AT_ONCE):
            parts = [
                f"{table}:{','.join(map(str, sorted(self._own(table))))}"
                for table in tables[first : first + MOST_AT_ONCE]
            ]
            async with self._store.transaction() as connection:
                await self._store.notify(connection, "here", " ".join(parts))

    def _forget(self) -> None:
        """Lets go of what was not told again."""
        oldest = time.monotonic() - FORGET
        for table, processes in list(self._afar.items()):
            before = self.seats(table)
            for process in [one for one, told in processes.items() if told.at < oldest or not told.seats]:
                del processes[process]
            if not processes:
                del self._afar[table]
            if self.seats(table) != before:
                self._wake(table)
