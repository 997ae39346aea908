"""Scheduler: runs what tables wait for without a request: bots and judges from a queue, nonces and clocks by timers.

With several server processes, leases decide which of them does this for a table.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Coroutine, Iterable
from typing import Any, Final

import structlog

from spieltisch.core.game import Refusal
from spieltisch.server.errors import Refused
from spieltisch.server.ops import logging
from spieltisch.server.runtime.leases import Leases
from spieltisch.server.runtime.table import CLOCK, Table, left, waits
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.storage.errors import StoreUnavailable
from spieltisch.server.workers import bots, rules
from spieltisch.server.workers.pool import WorkerLost
from spieltisch.server.workers.rules import Now
from spieltisch.table.commands import play, seating
from spieltisch.table.commands.context import Command
from spieltisch.table.state import Wait

_log = structlog.get_logger("spieltisch.server")
BOT_CLOCK: Final = 10.0  # seconds that a bot is told it has
BOT_TIMEOUT: Final = 30.0  # seconds after which its worker process is killed
MIN_SECONDS: Final = 5.0  # a person has at least this long for a turn, even if the server was down meanwhile
FALLBACK_PLAYER: Final = "level:1"  # if even this bot fails, its first choice is taken
POLL_INTERVAL: Final = 2.0  # seconds between two rounds of renewing leases and looking for tables without one
MAX_PER_POLL: Final = 200  # tables that one round takes over
IDLE_SECONDS: Final = 30.0  # a lease is released after the table has had nothing scheduled for this long
EXTRA_CONSUMERS: Final = 8  # decisions that are prepared or written while every bot worker is busy
SCHEDULED: Final = (*(kind.value for kind in (Wait.BOT, Wait.JUDGE, Wait.FIRST, Wait.NONCES)), CLOCK)


class Scheduler:
    """The queue, the timers and the leases of one server process."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self.leases = Leases(tables.store)
        self.workers = tables.processes
        self.queue: asyncio.Queue[Table] = asyncio.Queue()
        self._leased: dict[str, float] = {}  # the tables whose lease this process holds: when they last had work
        self._tasks: set[asyncio.Task[None]] = set()
        tables.arrange = self.schedule
        tables.attends = self._leased.__contains__

    def start(self) -> None:
        """Starts the consumers of the queue, and schedules every table that waits for something."""
        for _ in range(self.workers.bot_workers + EXTRA_CONSUMERS):
            self._spawn(self._consume())
        self._spawn(self._poll() if self.store.shared else self._schedule_all())

    async def stop(self) -> None:
        """Cancels all tasks and timers, and releases the leases."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for table in self.tables.live():
            if table.timer:
                table.timer.cancel()
        with contextlib.suppress(StoreUnavailable):  # then they expire
            await self.leases.release()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # leases

    async def _schedule_all(self) -> None:
        """Schedules every table, as soon as the store responds."""
        while True:
            try:
                await self._take_over(None)
            except StoreUnavailable as error:
                _log.warning("tables not scheduled", **logging.error_fields(error))
                await asyncio.sleep(POLL_INTERVAL)
            else:
                return

    async def _take_over(self, limit: int | None) -> None:
        """Schedules tables that no process has a lease for."""
        names = deque(await self.leases.list_unleased(SCHEDULED, limit))
        while names:
            name = names.popleft()
            try:
                table = await self.tables.find(name)
                await self.tables.stand(table)
                await self._acquire(table)
            except (Refused, Refusal):
                continue  # deleted meanwhile
            except StoreUnavailable:
                raise
            except WorkerLost:
                if not self.store.shared:  # otherwise the next round finds it
                    names.append(name)
            except Exception as error:  # noqa: BLE001 - the other tables go on
                _log.warning("tables not scheduled", **logging.error_fields(error))

    async def _poll(self) -> None:
        """Renews the leases of this process, and takes over tables that others have left."""
        while True:
            try:
                before, renewed = set(self._leased), await self.leases.renew()
                for name in before - renewed:
                    self._leased.pop(name, None)
                await self._release_idle(renewed)
                await self.tables.hear_again()
                await self._take_over(MAX_PER_POLL)
            except Exception as error:  # noqa: BLE001 - the database may be away for a while
                _log.warning("lease renewal failed", **logging.error_fields(error))
            await asyncio.sleep(POLL_INTERVAL)

    async def _release_idle(self, renewed: Iterable[str]) -> None:
        """Releases leases of tables that have been idle for a while: at once would be before every bot's next turn."""
        now = time.monotonic()
        self._leased |= {name: now for name in renewed if name not in self._leased or self._has_work(name)}
        idle = [name for name, since in self._leased.items() if now - since > IDLE_SECONDS]
        for name in idle:
            del self._leased[name]
        if idle:
            await self.leases.release(*idle)

    def _has_work(self, name: str) -> bool:
        table = self.tables.known(name)
        return table is not None and (table.now is None or waits(table.now) in SCHEDULED)

    async def _acquire(self, table: Table) -> None:
        """Schedules the table if this process gets its lease."""
        try:
            acquired = await self.leases.acquire(table.name)
        except StoreUnavailable as error:
            _log.warning("lease not acquired", **logging.error_fields(error))  # the next round finds the table
            return
        if acquired:
            self._leased[table.name] = time.monotonic()
            self._schedule_own(table)

    def schedule(self, table: Table) -> None:
        """Makes sure that what the table waits for will come."""
        assert table.now is not None
        if self.tables.closing.is_set():
            return  # the next server process schedules it
        if not self.store.shared or table.name in self._leased:
            self._schedule_own(table)
        elif waits(table.now) in SCHEDULED:
            self._spawn(self._acquire(table))

    def _schedule_own(self, table: Table) -> None:
        now = table.now
        if now is None or table.gone:
            return
        self._set_timer(table, now)
        if now.waiting.kind in (Wait.BOT, Wait.JUDGE, Wait.FIRST) and not table.queued:
            table.queued = True
            self.queue.put_nowait(table)

    # timers

    def _set_timer(self, table: Table, now: Now) -> None:
        kind, seat, _, since = now.waiting
        due = (seat, since) if waits(now) in (CLOCK, Wait.NONCES.value) else None
        if due == table.due:
            return
        if table.timer:
            table.timer.cancel()
        table.timer, table.due = None, due
        if due is not None and not self.tables.closing.is_set():
            seconds = max(MIN_SECONDS, left(table, now))
            loop = asyncio.get_running_loop()
            late = seating.BeginAnyway() if kind is Wait.NONCES else play.Overdue(seat or 0, since)
            table.timer = loop.call_later(seconds, lambda: self._spawn(self._perform_late(table, late)))

    async def _perform_late(self, table: Table, command: Command) -> None:
        """Performs a timer's command, retried until it is written; one that came too late is dropped."""
        while True:
            try:
                await self.tables.perform(table.name, command, None, None)
            except (Refused, Refusal):
                return
            except Exception as error:  # noqa: BLE001 - the database may be away for a while
                _log.warning("timer command retried", **logging.error_fields(error))
                await asyncio.sleep(POLL_INTERVAL)
            else:
                return

    # the queue

    async def _consume(self) -> None:
        """Takes one decision of one table after another: a table that has decided goes to the end of the queue."""
        while True:
            table = await self.queue.get()
            table.queued = False
            if table.gone or table.now is None:
                continue
            try:
                await self._decide(table, table.now)
            except (Refused, Refusal):
                self._schedule_own(table)  # it has gone on meanwhile
            except Exception as error:  # noqa: BLE001 - a table must not stop because something failed once
                _log.warning("scheduled task failed", **logging.error_fields(error))
                await asyncio.sleep(1)
                self._schedule_own(table)

    async def _decide(self, table: Table, now: Now) -> None:
        """Performs the command that the table waits for."""
        kind, seat, player, since = now.waiting
        command: Command
        if kind is Wait.JUDGE:
            state = await self.tables.ask(table, rules.bring_to_judge)
            verdict = await self.workers.call_bot(BOT_TIMEOUT, bots.judge, now.game, state)
            command = play.Judge(since, verdict)
        elif kind is Wait.FIRST and seat is not None:
            command = play.Decide(seat, since, 0)
        elif kind is Wait.BOT and seat is not None and player is not None:
            command = await self._choose(table, now.game, seat, player, since)
        else:
            return
        await self.tables.perform(table.name, command, None, None)

    async def _choose(self, table: Table, game: str, seat: int, player: str, since: int) -> Command:
        """The command that carries out a bot's choice, or replaces the bot if it fails."""
        known, seen = table.seen or (None, b"")
        if known != since:
            seen = await self.tables.ask(table, rules.see, seat)
        seed = f"{table.name} {seat} {since}"
        try:
            choice = await self.workers.call_bot(BOT_TIMEOUT, bots.choose, game, player, seen, seed, BOT_CLOCK)
        except (bots.BotFailed, WorkerLost) as error:
            _log.warning("bot failed", player=player, **logging.error_fields(error))
            return play.Decide(seat, since, 0) if player == FALLBACK_PLAYER else play.Fail(seat, since)
        return play.Decide(seat, since, choice)
