"""Presence: which seats have a player who is there, and how many watch, at any of the server processes.

A closed page is noticed at once. A lost network is not: the connection just stays silent. So a client may name its stream
and promise to answer pings; if an answer is missing, its player counts as absent until one arrives.
"""

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
GRACE_PERIOD: Final = 3.0  # seconds in which a stream may reconnect before its seats count as absent
PING_INTERVAL: Final = 2.0  # seconds
ANSWER_TIMEOUT: Final = 2.5  # seconds: somebody who is lost is noticed after at most 4.5
BROADCAST_INTERVAL: Final = 20.0  # seconds after which other processes are told everything again
EXPIRY: Final = 60.0  # seconds after which a report that was not repeated is dropped
MAX_TABLES_PER_MESSAGE: Final = 100  # a notification has a maximum size


class Present(NamedTuple):
    """Who is at a table: the seats of players, and the number of spectators."""

    seats: frozenset[int] = frozenset()
    spectators: int = 0


class _Report(NamedTuple):
    """Who is present at another process."""

    present: Present
    received: float


class _Stream:
    """An open stream: whose it is, and whether it answers."""

    def __init__(self, viewer: object, name: str | None) -> None:
        self.viewer = viewer  # a client with several streams is one spectator
        self.name = name  # by which pings are answered; None if they are not
        self.seats: frozenset[int] = frozenset()
        self.pinged_at = 0.0
        self.unanswered: asyncio.TimerHandle | None = None
        self.silent = False


class Presence:
    """Who is present at all tables; held in memory only."""

    def __init__(self, store: Store, wake: Callable[[str], None]) -> None:
        self._store = store
        self._wake = wake  # wakes every stream of a table
        self._local: dict[str, dict[object, _Stream]] = {}  # by table and stream
        self._named: dict[str, tuple[str, _Stream]] = {}  # the table of every stream with a name
        self._remote: dict[str, dict[str, _Report]] = {}  # by table and process
        self._unsent: set[str] = set()  # tables whose presence other processes do not know yet
        self._send_now = asyncio.Event()
        store.notifications.subscribe_presence(self.receive)

    def present(self, table: str) -> Present:
        """Who is present, at all processes."""
        reports = [self._local_present(table), *(report.present for report in self._remote.get(table, {}).values())]
        seats = frozenset[int]().union(*(report.seats for report in reports))
        return Present(seats, sum(report.spectators for report in reports))

    def seats(self, table: str) -> list[int]:
        """The seats whose players are present."""
        return sorted(self.present(table).seats)

    def _local_present(self, table: str) -> Present:
        streams = [stream for stream in self._local.get(table, {}).values() if not stream.silent]
        players = {stream.viewer for stream in streams if stream.seats}
        seats = frozenset[int]().union(*(stream.seats for stream in streams))
        return Present(seats, len({stream.viewer for stream in streams} - players))

    def connect(
        self, table: str, stream: object, seats: Collection[int], viewer: object = None, name: str | None = None
    ) -> None:
        """Registers an open stream of a client that holds these seats; if it has a name, pings of it are answered."""
        before = self._local_present(table)
        streams = self._local.setdefault(table, {})
        if stream not in streams:
            streams[stream] = _Stream(viewer or stream, name)
            if name is not None:
                self._named[name] = table, streams[stream]
        streams[stream].seats = frozenset(seats)
        self._report_change(table, before)

    def disconnect(self, table: str, stream: object) -> None:
        """Removes a stream after a grace period, in case the client reconnects."""
        asyncio.get_running_loop().call_later(GRACE_PERIOD, self._remove, table, stream)

    def _remove(self, table: str, stream: object) -> None:
        before = self._local_present(table)
        streams = self._local.get(table, {})
        removed = streams.pop(stream, None)
        if removed is not None:
            self._named.pop(removed.name or "", None)
            if removed.unanswered is not None:
                removed.unanswered.cancel()
        if not streams:
            self._local.pop(table, None)
        self._report_change(table, before)

    # pings

    def is_observed(self, table: str) -> bool:
        """Whether anybody would notice that somebody has gone: only then are there pings."""
        return len(self._local.get(table, {})) > 1 or any(
            report.present != Present() for report in self._remote.get(table, {}).values()
        )

    def next_ping(self, table: str, stream: object) -> float | None:
        """The seconds until the stream is to be pinged; None if it is not."""
        found = self._local.get(table, {}).get(stream)
        if found is None or found.name is None or not self.is_observed(table):
            return None
        return found.pinged_at + PING_INTERVAL - time.monotonic()

    def ping(self, table: str, stream: object) -> None:
        """Notes that the stream is pinged; if no answer comes in time, it counts as silent."""
        found = self._local[table][stream]
        found.pinged_at = time.monotonic()
        if found.unanswered is None:
            loop = asyncio.get_running_loop()
            found.unanswered = loop.call_later(ANSWER_TIMEOUT, self._set_silent, table, found, True)

    def answer(self, table: str, name: str) -> bool:
        """Handles the answer to the pings of a stream; returns whether there is such a stream here."""
        at, found = self._named.get(name, ("", None))
        if found is None or at != table:
            return False
        if found.unanswered is not None:
            found.unanswered.cancel()
            found.unanswered = None
        self._set_silent(table, found, False)
        return True

    def _set_silent(self, table: str, stream: _Stream, silent: bool) -> None:
        before = self._local_present(table)
        stream.silent = silent
        self._report_change(table, before)

    def _report_change(self, table: str, before: Present) -> None:
        if self._local_present(table) != before:
            self._wake(table)
            if self._store.shared:
                self._unsent.add(table)
                self._send_now.set()

    # other processes

    def receive(self, process: str, content: str) -> None:
        """Handles a report of another process, one part per table, separated by spaces.

        A part is `table:seat,seat`, and if somebody watches, `table+:spectators` follows: older versions, which do not
        count spectators, mistake that for another table.
        """
        for part in content.split():
            table, _, listed = part.partition(":")
            watched = table.endswith("+")
            table = table.removesuffix("+")
            before = self.present(table)
            reports = self._remote.setdefault(table, {})
            if watched:
                seats = reports[process].present.seats if process in reports else frozenset[int]()
                now = Present(seats, int(listed))
            else:
                now = Present(frozenset(int(seat) for seat in listed.split(",") if seat))
            reports[process] = _Report(now, time.monotonic())
            if self.present(table) != before:
                self._wake(table)

    async def broadcast(self) -> None:
        """Reports to other processes for as long as it runs: changes at once, everything at regular intervals."""
        next_full = 0.0
        while True:
            if time.monotonic() >= next_full:
                next_full = time.monotonic() + BROADCAST_INTERVAL
                self._drop_expired()
                self._unsent.update(table for table in self._local if self._local_present(table) != Present())
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
            parts = [self._describe(table) for table in tables[first : first + MAX_TABLES_PER_MESSAGE]]
            async with self._store.transaction() as connection:
                await self._store.notifications.send_presence(connection, " ".join(parts))

    def _describe(self, table: str) -> str:
        seats, spectators = self._local_present(table)
        listed = f"{table}:{','.join(map(str, sorted(seats)))}"
        return f"{listed} {table}+:{spectators}" if spectators else listed

    def _drop_expired(self) -> None:
        """Drops the reports that were not repeated in time."""
        oldest = time.monotonic() - EXPIRY
        for table, reports in list(self._remote.items()):
            before = self.present(table)
            for process in [one for one, report in reports.items() if _is_over(report, oldest)]:
                del reports[process]
            if not reports:
                del self._remote[table]
            if self.present(table) != before:
                self._wake(table)


def _is_over(report: _Report, oldest: float) -> bool:
    return report.received < oldest or report.present == Present()
