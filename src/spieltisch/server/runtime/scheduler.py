"""What tables wait for, done by this process: bots and judges in turn, nonces and clocks in time."""

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
from spieltisch.server.workers.pool import Lost
from spieltisch.server.workers.rules import Now
from spieltisch.table.commands import play, seating
from spieltisch.table.commands.context import Command
from spieltisch.table.state import Wait

_log = structlog.get_logger("spieltisch.server")
BOT_SECONDS: Final = 10.0  # on a bot's clock
BOT_LIMIT: Final = 30.0  # after which its process is ended
LEAST: Final = 5.0  # seconds that somebody has for a turn also where the server was away meanwhile
LAST: Final = "level:1"  # where even this bot fails, the first choice there is is taken
ROUND: Final = 2.0  # seconds between two looks for tables that nobody attends to
MOST_A_ROUND: Final = 200
IDLE: Final = 30.0  # seconds for which a table without an errand is still attended to
AT_ONCE: Final = 8  # decisions that are asked for or written down while others are thought about
KINDS: Final = (*(kind.value for kind in (Wait.BOT, Wait.JUDGE, Wait.FIRST, Wait.NONCES)), CLOCK)


class Errands:
    """Everything that this process has to do without being asked."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self.leases = Leases(tables.store)
        self.processes = tables.processes
        self.waiting: asyncio.Queue[Table] = asyncio.Queue()
        self._held: dict[
            str, float
        ] = {}  # the tables that this process attends to, where several could; since when idle
        self._tasks: set[asyncio.Task[None]] = set()
        tables.arrange = self.arrange
        tables.attends = self._held.__contains__

    def begin(self) -> None:
        """Sets bots to work, and takes up every table that waits for something."""
        for _ in range(self.processes.thinkers + AT_ONCE):
            self._spawn(self._serve())
        self._spawn(self._go_round() if self.store.shared else self._take_up_all())

    async def end(self) -> None:
        """Lets go of everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for table in self.tables.live():
            if table.timer:
                table.timer.cancel()
        with contextlib.suppress(StoreUnavailable):  # then they end by themselves
            await self.leases.release()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # which tables

    async def _take_up_all(self) -> None:
        """Takes up every table, as soon as the store answers."""
        while True:
            try:
                await self._take_up(None)
            except StoreUnavailable as error:
                _log.warning("not taken up", **logging.error_fields(error))
                await asyncio.sleep(ROUND)
            else:
                return

    async def _take_up(self, most: int | None) -> None:
        names = deque(await self.leases.unattended(KINDS, most))
        while names:
            name = names.popleft()
            try:
                table = await self.tables.find(name)
                await self.tables.stand(table)
                await self._claim(table)
            except (Refused, Refusal):
                continue  # deleted meanwhile
            except StoreUnavailable:
                raise
            except Lost:
                if not self.store.shared:  # else the next round finds it
                    names.append(name)
            except Exception as error:  # noqa: BLE001 - the other tables go on
                _log.warning("not taken up", **logging.error_fields(error))

    async def _go_round(self) -> None:
        """Renews what this process attends to, and takes up what others have left."""
        while True:
            try:
                before, renewed = set(self._held), await self.leases.renew()
                for name in before - renewed:
                    self._held.pop(name, None)
                await self._let_go(renewed)
                await self.tables.hear_again()
                await self._take_up(MOST_A_ROUND)
            except Exception as error:  # noqa: BLE001 - the database may be away for a while
                _log.warning("round failed", **logging.error_fields(error))
            await asyncio.sleep(ROUND)

    async def _let_go(self, held: Iterable[str]) -> None:
        """Lets go of the tables that have had no errand for a while; at once would be before every bot's next turn."""
        now = time.monotonic()
        self._held |= {name: now for name in held if name not in self._held or self._has_errand(name)}
        idle = [name for name, since in self._held.items() if now - since > IDLE]
        for name in idle:
            del self._held[name]
        if idle:
            await self.leases.release(*idle)

    def _has_errand(self, name: str) -> bool:
        table = self.tables.known(name)
        return table is not None and (table.now is None or waits(table.now) in KINDS)

    async def _claim(self, table: Table) -> None:
        """Attends to the table, unless another process does."""
        try:
            mine = await self.leases.take(table.name)
        except StoreUnavailable as error:
            _log.warning("not claimed", **logging.error_fields(error))  # the next round finds it
            return
        if mine:
            self._held[table.name] = time.monotonic()
            self._set_about(table)

    def arrange(self, table: Table) -> None:
        """Sees to it that what the table waits for will come."""
        assert table.now is not None
        if self.tables.closing.is_set():
            return  # whoever serves it next sees to it
        if not self.store.shared or table.name in self._held:
            self._set_about(table)
        elif waits(table.now) in KINDS:
            self._spawn(self._claim(table))

    def _set_about(self, table: Table) -> None:
        now = table.now
        if now is None or table.gone:
            return
        self._set_timer(table, now)
        if now.waiting.kind in (Wait.BOT, Wait.JUDGE, Wait.FIRST) and not table.queued:
            table.queued = True
            self.waiting.put_nowait(table)

    # in time

    def _set_timer(self, table: Table, now: Now) -> None:
        kind, seat, _, since = now.waiting
        due = (seat, since) if waits(now) in (CLOCK, Wait.NONCES.value) else None
        if due == table.due:
            return
        if table.timer:
            table.timer.cancel()
        table.timer, table.due = None, due
        if due is not None and not self.tables.closing.is_set():
            seconds = max(LEAST, left(table, now))
            loop = asyncio.get_running_loop()
            late = seating.BeginAnyway() if kind is Wait.NONCES else play.Overdue(seat or 0, since)
            table.timer = loop.call_later(seconds, lambda: self._spawn(self._do(table, late)))

    async def _do(self, table: Table, command: Command) -> None:
        """Carries out what the server itself has to do; what has become pointless meanwhile is left."""
        while True:
            try:
                await self.tables.perform(table.name, command, None, None)
            except (Refused, Refusal):
                return
            except Exception as error:  # noqa: BLE001 - the database may be away for a while
                _log.warning("put off", **logging.error_fields(error))
                await asyncio.sleep(ROUND)
            else:
                return

    # in turn

    async def _serve(self) -> None:
        """Takes one decision of one table after another: whoever has decided goes to the end of the queue."""
        while True:
            table = await self.waiting.get()
            table.queued = False
            if table.gone or table.now is None:
                continue
            try:
                await self._decide(table, table.now)
            except (Refused, Refusal):
                self._set_about(table)  # it has gone on meanwhile
            except Exception as error:  # noqa: BLE001 - a table must not stop because something failed once
                _log.warning("errand failed", **logging.error_fields(error))
                await asyncio.sleep(1)
                self._set_about(table)

    async def _decide(self, table: Table, now: Now) -> None:
        kind, seat, player, since = now.waiting
        command: Command
        if kind is Wait.JUDGE:
            state = await self.tables.ask(table, rules.bring_to_judge)
            verdict = await self.processes.think(BOT_LIMIT, bots.judge, now.game, state)
            command = play.Judge(since, verdict)
        elif kind is Wait.FIRST and seat is not None:
            command = play.Decide(seat, since, 0)
        elif kind is Wait.BOT and seat is not None and player is not None:
            command = await self._think(table, now.game, seat, player, since)
        else:
            return
        await self.tables.perform(table.name, command, None, None)

    async def _think(self, table: Table, game: str, seat: int, player: str, since: int) -> Command:
        known, told = table.seen or (None, b"")
        if known != since:
            told = await self.tables.ask(table, rules.see, seat)
        seed = f"{table.name} {seat} {since}"
        try:
            choice = await self.processes.think(BOT_LIMIT, bots.think, game, player, told, seed, BOT_SECONDS)
        except (bots.Failure, Lost) as error:  # another one takes its place
            _log.warning("bot failed", player=player, **logging.error_fields(error))
            return play.Decide(seat, since, 0) if player == LAST else play.Fail(seat, since)
        return play.Decide(seat, since, choice)
