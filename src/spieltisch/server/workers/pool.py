"""The pool of worker processes: some apply the rules, each for its own tables; some run bots; one replays records."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar
from zlib import crc32

from spieltisch.processes.calls import WorkerLost, WorkerTimeout
from spieltisch.server.workers.bot_pool import BotPool, BotSession
from spieltisch.server.workers.process import WorkerProcess

__all__ = ["WorkerLost", "WorkerPool", "WorkerTimeout"]

P = ParamSpec("P")
T = TypeVar("T")
_RULES_TIMEOUT: Final = 60.0  # seconds; what a table asks for takes milliseconds


class WorkerPool:
    """The worker processes of one server."""

    def __init__(self, *, rules: int, bots: int) -> None:
        self.bot_workers = bots
        self._rules = [WorkerProcess(background=False) for _ in range(rules)]
        self._bots = BotPool(bots)
        self._replays = WorkerProcess(background=True, attempts=1)
        self._replaying = asyncio.Lock()  # the timeout of a call starts when the one before it is done

    async def open(self) -> None:
        """Starts the processes, and waits until they are ready."""
        await asyncio.gather(*(worker.start() for worker in (*self._rules, *self._bots.workers)))

    async def close(self) -> None:
        """Kills the processes."""
        await asyncio.gather(*(worker.close() for worker in (*self._rules, *self._bots.workers, self._replays)))

    async def call_rules(self, table: str, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns in the rules worker of that table, always the same one; WorkerLost if it is lost."""
        worker = self._rules[crc32(table.encode()) % len(self._rules)]
        return await worker.call(_RULES_TIMEOUT, function, *args, **kwargs)

    async def call_bot(self, seconds: float, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns in the next bot worker that is idle; WorkerLost if it is lost or too slow, twice."""
        return await self._bots.call(seconds, function, *args, **kwargs)

    def open_bot_session(self, game: str, player: str, seed: str) -> BotSession:
        """A session for a seat's bot in one game, which stays in one bot worker."""
        return self._bots.open_session(game, player, seed)

    async def call_replay(self, seconds: float, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns in the worker that no table waits for; WorkerTimeout if that takes too long."""
        async with self._replaying:
            return await self._replays.call(seconds, function, *args, **kwargs)
