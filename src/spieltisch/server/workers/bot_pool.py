"""Pool of bot workers with affinity: a seat's bot stays in one worker process while its game goes on.

Calls wait in one queue, first come, first served. A call of a session waits for the worker that has its bot, but if that
stays busy, the next idle worker takes the call: there the bot is created again.
"""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Final, ParamSpec, TypeVar

from spieltisch.server.workers import bots
from spieltisch.server.workers.bots import SessionKey
from spieltisch.server.workers.process import WorkerProcess

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

    async def choose(self, limit: float, seen: bytes, seed: str, seconds: float) -> int:
        """The index of the bot's choice; WorkerTimeout after `limit` seconds, of which the bot is told it has `seconds`.

        A session takes one decision at a time.
        """
        index = await self._pool.acquire(self.worker)
        try:
            self._move(index)
            worker = self._pool.workers[index]
            return await worker.call(limit, bots.choose_in_session, self.key, seen, seed, seconds)
        finally:
            self._pool.release(index)

    def _move(self, index: int) -> None:
        """Takes note of the worker that has the bot from now on."""
        if index != self.worker:
            self.close()
            self.worker = index
            self._pool.assign(self, index)
            loop = asyncio.get_running_loop()
            self._finalizer = weakref.finalize(self, _drop, loop, self._pool.workers[index], self.key)
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


class _Waiter:
    """A call that waits for one worker, or for any."""

    def __init__(self, worker: int | None) -> None:
        self.worker = worker
        self.acquired: asyncio.Future[int] = asyncio.get_running_loop().create_future()


class BotPool:
    """Bot workers, each of which carries out one call at a time."""

    def __init__(self, size: int) -> None:
        self.workers = [WorkerProcess(background=True) for _ in range(size)]
        self._idle = set(range(size))
        self._sessions: list[weakref.WeakSet[BotSession]] = [weakref.WeakSet() for _ in range(size)]
        self._waiting: deque[_Waiter] = deque()
        self._numbers = count(1)

    def open_session(self, game: str, player: str, seed: str) -> BotSession:
        """A session for a bot, which is created by its first decision."""
        return BotSession(self, SessionKey(next(self._numbers), game, player, seed))

    async def call(self, seconds: float, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns in the next worker that is idle; WorkerLost if it is lost or too slow, twice."""
        index = await self.acquire(None)
        try:
            return await self.workers[index].call(seconds, function, *args, **kwargs)
        finally:
            self.release(index)

    async def acquire(self, worker: int | None) -> int:
        """An idle worker: that one, if it does not stay busy for too long."""
        if self._idle and (worker is None or worker in self._idle):
            return self._take(worker)
        waiter = _Waiter(worker)
        self._waiting.append(waiter)
        timer = asyncio.get_running_loop().call_later(STEAL_AFTER, self._let_any_worker_take, waiter)
        try:
            return await waiter.acquired
        except asyncio.CancelledError:
            if waiter.acquired.done() and not waiter.acquired.cancelled():
                self.release(waiter.acquired.result())
            raise
        finally:
            timer.cancel()

    def release(self, worker: int) -> None:
        """Gives a worker to the first call that waits for it, or for any."""
        for waiter in list(self._waiting):
            if waiter.acquired.done():
                self._waiting.remove(waiter)  # cancelled
            elif waiter.worker in (None, worker):
                self._waiting.remove(waiter)
                waiter.acquired.set_result(worker)
                return
        self._idle.add(worker)

    def _take(self, worker: int | None) -> int:
        """Takes an idle worker: if it may be any, the one with the fewest sessions."""
        taken = min(self._idle, key=lambda index: len(self._sessions[index])) if worker is None else worker
        self._idle.remove(taken)
        return taken

    def _let_any_worker_take(self, waiter: _Waiter) -> None:
        waiter.worker = None
        if self._idle and waiter in self._waiting and not waiter.acquired.done():
            self._waiting.remove(waiter)
            waiter.acquired.set_result(self._take(None))

    def assign(self, session: BotSession, worker: int) -> None:
        """Counts the session among those of a worker, and of no other."""
        for sessions in self._sessions:
            sessions.discard(session)
        self._sessions[worker].add(session)
