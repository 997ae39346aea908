"""Presence: which seats have a player with an open event stream, at any of the server processes."""

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
GRACE_PERIOD: Final = 2.0  # seconds in which a stream may reconnect before its seats count as absent
BROADCAST_INTERVAL: Final = 20.0  # seconds after which other processes are told everything again
EXPIRY: Final = 60.0  # seconds after which a report that was not repeated is dropped
MAX_TABLES_PER_MESSAGE: Final = 100  # a notification has a maximum size


class _Report(NamedTuple):
    """The seats that are present at another process."""

    seats: frozenset[int]
    received: float


class Presence:
    """Who is present at all tables; held in memory only."""

    def __init__(self, store: Store, wake: Callable[[str], None]) -> None:
        self._store = store
        self._wake = wake  # wakes every stream of a table
        self._local: dict[str, dict[object, frozenset[int]]] = {}  # by table and stream
        self._remote: dict[str, dict[str, _Report]] = {}  # by table and process
        self._unsent: set[str] = set()  # tables whose presence other processes do not know yet
        self._send_now = asyncio.Event()
        store.notifications.subscribe_presence(self.receive)

    def seats(self, table: str) -> list[int]:
        """The seats whose players are present."""
        remote = (report.seats for report in self._remote.get(table, {}).values())
        return sorted(self._local_seats(table).union(*remote))

    def _local_seats(self, table: str) -> frozenset[int]:
        return frozenset().union(*self._local.get(table, {}).values())

    def connect(self, table: str, stream: object, seats: Collection[int]) -> None:
        """Registers an open stream of a client that holds these seats."""
        before = self._local_seats(table)
        self._local.setdefault(table, {})[stream] = frozenset(seats)
        self._report_change(table, before)

    def disconnect(self, table: str, stream: object) -> None:
        """Removes a stream after a grace period, in case the client reconnects."""
        asyncio.get_running_loop().call_later(GRACE_PERIOD, self._remove, table, stream)

    def _remove(self, table: str, stream: object) -> None:
        before = self._local_seats(table)
        streams = self._local.get(table, {})
        streams.pop(stream, None)
        if not streams:
            self._local.pop(table, None)
        self._report_change(table, before)

    def _report_change(self, table: str, before: frozenset[int]) -> None:
        if self._local_seats(table) != before:
            self._wake(table)
            if self._store.shared:
                self._unsent.add(table)
                self._send_now.set()

    # other processes

    def receive(self, process: str, content: str) -> None:
        """Takes in a report of another process: `table:seat,seat` per table, separated by spaces."""
        for part in content.split():
            table, _, seats = part.partition(":")
            before = self.seats(table)
            listed = frozenset(int(seat) for seat in seats.split(",") if seat)
            self._remote.setdefault(table, {})[process] = _Report(listed, time.monotonic())
            if self.seats(table) != before:
                self._wake(table)

    async def broadcast(self) -> None:
        """Reports to other processes for as long as it runs: changes at once, everything at regular intervals."""
        next_full = 0.0
        while True:
            if time.monotonic() >= next_full:
                next_full = time.monotonic() + BROADCAST_INTERVAL
                self._drop_expired()
                self._unsent.update(table for table in self._local if self._local_seats(table))
            self._send_now.clear()
            unsent, self._unsent = self._unsent, set()
            try:
                await self._send(sorted(unsent))
            except StoreUnavailable as error:
                self._unsent |= unsent  # retried with the next message
                _log.info("presence not sent", **logging.error_fields(error))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._send_now.wait(), max(0.0, next_full - time.monotonic()))

    async def _send(self, tables: list[str]) -> None:
        for first in range(0, len(tables), MAX_TABLES_PER_MESSAGE):
            parts = [
                f"{table}:{','.join(map(str, sorted(self._local_seats(table))))}"
                for table in tables[first : first + MAX_TABLES_PER_MESSAGE]
            ]
            async with self._store.transaction() as connection:
                await self._store.notifications.send_presence(connection, " ".join(parts))

    def _drop_expired(self) -> None:
        """Drops the reports that were not repeated in time."""
        oldest = time.monotonic() - EXPIRY
        for table, reports in list(self._remote.items()):
            before = self.seats(table)
            for process in [one for one, report in reports.items() if report.received < oldest or not report.seats]:
                del reports[process]
            if not reports:
                del self._remote[table]
            if self.seats(table) != before:
                self._wake(table)
