"""Pool of bot workers with affinity: a seat's bot stays in one worker process while its game goes on.

A call of a session waits for the worker that has its bot, but if that stays busy, the next idle worker takes the call:
there the bot is created again.
"""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from itertools import count
from typing import Final, ParamSpec, TypeVar

from spieltisch.server.workers import bots
from spieltisch.server.workers.bots import SessionKey
from spieltisch.server.workers.fair_queue import Priority
from spieltisch.server.workers.process import TimeLimit, WorkerProcess
from spieltisch.server.workers.shared import SharedWorkers

P = ParamSpec("P")
T = TypeVar("T")
STEAL_AFTER: Final = 0.25  # seconds after which any idle worker may take the call of a session


class BotSession:
    """A seat's bot in one game, which is dropped when the session is closed or garbage-collected."""

    def __init__(self, pool: BotPool, key: SessionKey) -> None:
        self.key = key
        self.worker: int | None = None  # the worker that has the bot
        self._pool = pool
        self._finalizer: weakref.finalize[..., BotSession] | None = None

    async def choose(self, limit: TimeLimit, seen: bytes, seed: str, seconds: float) -> int:
        """The index of the bot's choice; WorkerTimeout after `limit`, while the bot is told that it has `seconds`.

        A session takes one decision at a time.
        """
        index = await self._pool.acquire(self.worker)
        self._move(index)
        return await self._pool.shared.call(index, limit, bots.choose_in_session, self.key, seen, seed, seconds)

    def _move(self, index: int) -> None:
        """Takes note of the worker that has the bot from now on."""
        if index != self.worker:
            self.close()
            self.worker = index
            self._pool.assign(self, index)
            loop = asyncio.get_running_loop()
            self._finalizer = weakref.finalize(self, _drop, loop, self._pool.shared.processes[index], self.key)
            self._finalizer.atexit = False

    def close(self) -> None:
        """Drops the bot; another decision would create it again."""
        if self._finalizer is not None:
            self._finalizer()
            self._finalizer = self.worker = None


def _drop(loop: asyncio.AbstractEventLoop, worker: WorkerProcess, key: SessionKey) -> None:
    """Tells the worker to drop a bot as soon as it has time. Garbage may be collected in any thread."""

    def notify() -> None:
        worker.notify(bots.end_session, key)

    with contextlib.suppress(RuntimeError):  # the loop is closed, and the worker with it
        loop.call_soon_threadsafe(notify)


class BotPool:
    """Bot workers, each of which carries out one call at a time."""

    def __init__(self, processes: Sequence[WorkerProcess], pending: int) -> None:
        self._sessions: list[weakref.WeakSet[BotSession]] = [weakref.WeakSet() for _ in processes]
        self._numbers = count(1)
        self.shared = SharedWorkers(processes, pending, self._least_loaded)

    def _least_loaded(self, idle: AbstractSet[int]) -> int:
        return min(idle, key=lambda index: len(self._sessions[index]))

    def open_session(self, game: str, player: str, seed: str) -> BotSession:
        """A session for a bot, which is created by its first decision."""
        return BotSession(self, SessionKey(next(self._numbers), game, player, seed))

    async def call(
        self, priority: Priority, limit: TimeLimit, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What the function returns in the next worker that is idle; WorkerLost if it is lost or too slow, twice."""
        index = await self.shared.queue.acquire(priority)
        return await self.shared.call(index, limit, function, *args, **kwargs)

    async def acquire(self, worker: int | None) -> int:
        """An idle worker for a bot's decision: that one, if it does not stay busy for too long."""
        return await self.shared.queue.acquire(Priority.TURN, worker, bounded=False, steal_after=STEAL_AFTER)

    def assign(self, session: BotSession, worker: int) -> None:
        """Counts the session among those of a worker, and of no other."""
        for sessions in self._sessions:
            sessions.discard(session)
        self._sessions[worker].add(session)
