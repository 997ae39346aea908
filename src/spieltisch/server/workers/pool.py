"""The pool of worker processes: some apply the rules, each for its own tables; some run bots; some replay records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, NamedTuple, ParamSpec, TypeVar
from zlib import crc32

from spieltisch.processes.calls import WorkerLost, WorkerTimeout
from spieltisch.server.workers import bots, replays, rules
from spieltisch.server.workers.bot_pool import BotPool, BotSession
from spieltisch.server.workers.fair_queue import Priority
from spieltisch.server.workers.process import TimeLimit, WorkerProcess
from spieltisch.server.workers.shared import SharedWorkers

__all__ = ["PoolConfig", "Priority", "TimeLimit", "WorkerLost", "WorkerPool", "WorkerTimeout"]

P = ParamSpec("P")
T = TypeVar("T")
RULES_LIMIT: Final = TimeLimit(cpu=60.0, wall=600.0)  # what a table asks for takes milliseconds
BOT_NICENESS: Final = 10
REPLAY_NICENESS: Final = 15  # replays and films come behind the bots' moves
BOT_MEMORY: Final = 2048  # MiB, as for replays
REPLAY_WORKERS: Final = 2  # the second one is started if two clients need one at a time


class PoolConfig(NamedTuple):
    """How many worker processes there are, and what they may use."""

    rules: int
    bots: int
    rules_memory: int = 2048  # MiB of each rules worker
    pending: int = 0  # jobs of one address that may wait; 0 means any number


class WorkerPool:
    """The worker processes of one server."""

    def __init__(self, config: PoolConfig) -> None:
        self.bot_workers = config.bots
        self._rules = SharedWorkers(
            [
                WorkerProcess(rules.__name__, niceness=0, memory=config.rules_memory, rare_gc=True)
                for _ in range(config.rules)
            ],
            config.pending,
        )
        self._bots = BotPool(
            [WorkerProcess(bots.__name__, niceness=BOT_NICENESS, memory=BOT_MEMORY) for _ in range(config.bots)],
            config.pending,
        )
        self._replays = SharedWorkers(
            [
                WorkerProcess(replays.__name__, niceness=REPLAY_NICENESS, memory=BOT_MEMORY, attempts=1)
                for _ in range(REPLAY_WORKERS)
            ],
            config.pending,
        )

    async def open(self) -> None:
        """Starts the processes that every server needs, and waits until they are ready."""
        await asyncio.gather(self._rules.open(), self._bots.shared.open())

    async def close(self) -> None:
        """Kills the processes."""
        await asyncio.gather(self._rules.close(), self._bots.shared.close(), self._replays.close())

    def waiting(self) -> int:
        """How many jobs wait for a worker."""
        return sum(len(workers.queue) for workers in (self._rules, self._bots.shared, self._replays))

    async def call_rules(
        self, table: str, priority: Priority, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What the function returns in the rules worker of that table, always the same one; WorkerLost if it is lost.

        Overloaded if too many questions of the same client wait.
        """
        worker = crc32(table.encode()) % len(self._rules.processes)
        index = await self._rules.queue.acquire(priority, worker)
        return await self._rules.call(index, RULES_LIMIT, function, *args, **kwargs)

    async def call_bot(
        self, priority: Priority, limit: TimeLimit, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What the function returns in the next bot worker that is idle; WorkerLost if it is lost or too slow, twice."""
        return await self._bots.call(priority, limit, function, *args, **kwargs)

    def open_bot_session(self, game: str, player: str, seed: str) -> BotSession:
        """A session for a seat's bot in one game, which stays in one bot worker."""
        return self._bots.open_session(game, player, seed)

    async def call_replay(
        self, priority: Priority, limit: TimeLimit, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What the function returns in a worker that no table waits for; WorkerTimeout if that takes too long."""
        index = await self._replays.queue.acquire(priority)
        return await self._replays.call(index, limit, function, *args, **kwargs)
