"""Scheduler: runs what tables wait for without a request: bots and judges from a queue, nonces and clocks by timers.

With several server processes, leases decide which of them does this for a table.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Coroutine, Iterable
from itertools import count
from typing import Any, Final
from weakref import WeakKeyDictionary

import structlog

from spieltisch.core.game import Refusal
from spieltisch.server.errors import Refused
from spieltisch.server.ops import logging
from spieltisch.server.runtime.leases import Leases
from spieltisch.server.runtime.table import CLOCK, Table, seconds_left, waits_for
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.storage.errors import StoreUnavailable
from spieltisch.server.workers import bots, rules
from spieltisch.server.workers.askers import Asker, asking
from spieltisch.server.workers.bot_pool import BotSession
from spieltisch.server.workers.pool import Priority, TimeLimit, WorkerLost
from spieltisch.server.workers.rules import TableStatus
from spieltisch.table.commands import Command, GiveVerdict, PlayFor, ReplaceBot, StartWithoutNonces, TimeOut
from spieltisch.table.state import Status, Wait, Waiting

_log = structlog.get_logger("spieltisch.server")
BOT_CLOCK: Final = 10.0  # seconds that a bot is told it has
BOT_LIMIT: Final = TimeLimit(cpu=30.0, wall=300.0)  # after which its worker process is killed
MIN_SECONDS: Final = 5.0  # a person has at least this long for a turn, even if the server was down meanwhile
FALLBACK_PLAYER: Final = "level:1"  # if even this bot fails, its first choice is taken
POLL_INTERVAL: Final = 2.0  # seconds between two rounds of renewing leases and looking for tables without one
MAX_BACKOFF: Final = 600.0  # seconds between two attempts at something that fails again and again
MAX_PER_POLL: Final = 200  # tables that one round takes over
IDLE_SECONDS: Final = 30.0  # a lease is released after the table has had nothing scheduled for this long
EXTRA_CONSUMERS: Final = 8  # decisions that are prepared or written while every bot worker is busy
SCHEDULED: Final = (*(kind.value for kind in (Wait.BOT, Wait.JUDGE, Wait.FIRST, Wait.NONCES)), CLOCK)


def backoff(failures: int) -> float:
    """Exponential backoff: the seconds until the next attempt, after that many failures."""
    return min(MAX_BACKOFF, 2.0 ** min(failures, 30))


class Scheduler:
    """The queue, the timers and the leases of one server process."""

    def __init__(self, tables: Tables, leases: Leases, changes: asyncio.Queue[Table]) -> None:
        self.tables = tables
        self.store = tables.store
        self.leases = leases
        self.changes = changes  # tables whose status has changed
        self.workers = tables.workers
        self.queue: asyncio.Queue[Table] = asyncio.Queue()
        self._leased = leases.held
        self._bots: WeakKeyDictionary[Table, dict[int, BotSession]] = WeakKeyDictionary()  # by seat
        self._deciding: dict[Table, Waiting] = {}  # the decisions under way
        self._bot_secret = secrets.token_hex(16)  # nobody can compute a bot's choices beforehand
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Starts the consumers of the queue, and schedules every table that waits for something."""
        for _ in range(self.workers.bot_workers + EXTRA_CONSUMERS):
            self._spawn(self._consume())
        self._spawn(self._watch_changes())
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

    async def _watch_changes(self) -> None:
        """Schedules every table whose status has changed."""
        while True:
            self.schedule(await self.changes.get())

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
        for name in await self.leases.list_unleased(SCHEDULED, limit):
            try:
                await self._take_over_one(name)
            except StoreUnavailable:
                raise
            except WorkerLost as error:
                _log.warning("table not scheduled", **logging.error_fields(error))
                if not self.store.shared:  # otherwise the next round finds it
                    self._spawn(self._retry_take_over(name))
            except Exception as error:  # noqa: BLE001 - the other tables go on
                _log.warning("table not scheduled", **logging.error_fields(error))

    async def _take_over_one(self, name: str) -> None:
        """Schedules a table, unless it was deleted meanwhile."""
        with contextlib.suppress(Refused, Refusal), asking(Asker(f"table {name}")):
            table = await self.tables.find(name)
            await self.tables.status(table)
            await self._acquire(table)

    async def _retry_take_over(self, name: str) -> None:
        """Schedules a table whose worker was lost, with exponential backoff if that happens again."""
        for failures in count():
            await asyncio.sleep(backoff(failures))
            try:
                await self._take_over_one(name)
            except (WorkerLost, StoreUnavailable) as error:
                _log.warning("table not scheduled", **logging.error_fields(error))
            else:
                return

    async def _poll(self) -> None:
        """Renews the leases of this process, and takes over tables that others have left."""
        while True:
            try:
                before, renewed = set(self._leased), await self.leases.renew()
                for name in before - renewed:
                    self._forget_lease(name)
                await self._release_idle(renewed)
                await self.tables.resubscribe()
                await self._take_over(MAX_PER_POLL)
            except Exception as error:  # noqa: BLE001 - the database may be away for a while
                _log.warning("lease renewal failed", **logging.error_fields(error))
            await asyncio.sleep(POLL_INTERVAL)

    async def _release_idle(self, renewed: Iterable[str]) -> None:
        """Releases leases of tables that have been idle for a while; releasing them at once would cost a lease per bot turn."""
        now = time.monotonic()
        self._leased |= {name: now for name in renewed if name not in self._leased or self._has_work(name)}
        idle = [name for name, since in self._leased.items() if now - since > IDLE_SECONDS]
        for name in idle:
            self._forget_lease(name)
        if idle:
            await self.leases.release(*idle)

    def _forget_lease(self, name: str) -> None:
        self._leased.pop(name, None)
        if table := self.tables.cached(name):
            self._drop_bots(table)

    def _has_work(self, name: str) -> bool:
        table = self.tables.cached(name)
        return table is not None and (table.status is None or waits_for(table.status) in SCHEDULED)

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
        """Schedules what the table waits for."""
        if table.status is not None and table.status.status != Status.PLAYING.value:
            self._drop_bots(table)
        if self.tables.closing.is_set() or table.status is None:
            return  # the next server process schedules it, or the one that changes its status
        if not self.store.shared or table.name in self._leased:
            self._schedule_own(table)
        elif waits_for(table.status) in SCHEDULED:
            self._spawn(self._acquire(table))

    def _schedule_own(self, table: Table) -> None:
        status = table.status
        if status is None or table.deleted:
            return
        self._set_timer(table, status)
        if status.waiting.kind in (Wait.BOT, Wait.JUDGE, Wait.FIRST) and not table.queued:
            table.queued = True
            self.queue.put_nowait(table)

    # timers

    def _set_timer(self, table: Table, status: TableStatus) -> None:
        kind, seat, _, since = status.waiting
        due = (seat, since) if waits_for(status) in (CLOCK, Wait.NONCES.value) else None
        if due == table.due:
            return
        if table.timer:
            table.timer.cancel()
        table.timer, table.due = None, due
        if due is not None and not self.tables.closing.is_set():
            seconds = max(MIN_SECONDS, seconds_left(table, status))
            loop = asyncio.get_running_loop()
            late = StartWithoutNonces() if kind is Wait.NONCES else TimeOut(seat or 0, since)
            table.timer = loop.call_later(seconds, lambda: self._spawn(self._perform_late(table, late)))

    async def _perform_late(self, table: Table, command: Command) -> None:
        """Performs a timer's command, retried until it is written; one that came too late is dropped."""
        for failures in count():
            try:
                with asking(Asker(table.account)):
                    await self.tables.perform(table.name, command, None)
            except (Refused, Refusal):
                return
            except Exception as error:  # noqa: BLE001 - the database may be away for a while
                _log.warning("timer command retried", **logging.error_fields(error))
                await asyncio.sleep(backoff(failures))
            else:
                return

    # the queue

    async def _consume(self) -> None:
        """Takes one decision of one table after another: a table that has decided goes to the end of the queue."""
        while True:
            await self._run_for_account(await self.queue.get())  # no variable: it would keep a deleted table alive

    async def _run_for_account(self, table: Table) -> None:
        with asking(Asker(table.account)):
            await self._run(table)

    async def _run(self, table: Table) -> None:
        """Takes one decision of a table, and schedules the table again if it still waits for that."""
        table.queued = False
        if table.deleted or table.status is None or self._deciding.get(table) == table.status.waiting:
            return  # nothing to do, or another consumer does it
        self._deciding[table] = waiting = table.status.waiting
        delay = 0.0
        try:
            await self._decide(table, table.status)
            again = table.status is not None and table.status.waiting == waiting
            table.failures = 0
        except (Refused, Refusal):
            again = True  # it has changed in the meantime
        except Exception as error:  # noqa: BLE001 - a table must not stop because something failed once
            _log.warning("scheduled task failed", **logging.error_fields(error))
            again, delay = True, backoff(table.failures)
            table.failures += 1
        if self._deciding.get(table) == waiting:
            del self._deciding[table]
        if again and delay:
            asyncio.get_running_loop().call_later(delay, self._schedule_own, table)
        elif again:
            self._schedule_own(table)

    async def _decide(self, table: Table, status: TableStatus) -> None:
        """Performs the command that the table waits for."""
        kind, seat, player, since = status.waiting
        command: Command
        if kind is Wait.JUDGE:
            state = await self.tables.ask(table, rules.see_judged)
            verdict = await self.workers.call_bot(Priority.TURN, BOT_LIMIT, bots.judge, status.game, state)
            command = GiveVerdict(since, verdict)
        elif kind is Wait.FIRST and seat is not None:
            command = PlayFor(seat, since, 0)
        elif kind is Wait.BOT and seat is not None and player is not None:
            command = await self._choose(table, status, seat, player)
        else:
            return
        await self.tables.perform(table.name, command, None)

    # bots

    async def _choose(self, table: Table, status: TableStatus, seat: int, player: str) -> Command:
        """The command that carries out a bot's choice, or replaces the bot if it fails."""
        since = status.waiting.since
        known, seen = table.seen or (None, b"")
        if known != since:
            seen = await self.tables.ask(table, rules.see, seat)
        session = self._bot(table, status, seat, player)
        try:
            choice = await session.choose(BOT_LIMIT, seen, f"{self._bot_secret} {table.name} {seat} {since}", BOT_CLOCK)
        except (bots.BotFailed, WorkerLost) as error:
            _log.warning("bot failed", player=player, **logging.error_fields(error))
            return PlayFor(seat, since, 0) if player == FALLBACK_PLAYER else ReplaceBot(seat, since)
        return PlayFor(seat, since, choice)

    def _bot(self, table: Table, status: TableStatus, seat: int, player: str) -> BotSession:
        """The session of a seat's bot: a new one for every game, and if the seat has got another bot."""
        seed = f"{self._bot_secret} {table.name} {seat} {status.games}"
        sessions = self._bots.setdefault(table, {})
        session = sessions.get(seat)
        if session is None or (session.key.player, session.key.seed) != (player, seed):
            if session is not None:
                session.close()
            session = sessions[seat] = self.workers.open_bot_session(status.game, player, seed)
        return session

    def _drop_bots(self, table: Table) -> None:
        for session in self._bots.pop(table, {}).values():
            session.close()
