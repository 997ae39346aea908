"""Processes beside the server: some know the rules, each for its own tables; some think, with a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar
from zlib import crc32

import structlog

from spieltisch.server.workers.process import Ended, WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")
_NICER: Final = 10
_PATIENCE: Final = 60.0  # seconds that work at a table may take; it takes milliseconds
_log = structlog.get_logger("spieltisch.server")


class WorkerLost(Exception):
    """A process died or took too long, and a second one too."""


class WorkerTimeout(WorkerLost):
    """It took too long, each time that it was tried."""


class _Process:
    """One process at a time: where it has died or hung, the next who asks begins another."""

    def __init__(self, nicer: int = 0, attempts: int = 2) -> None:
        self._nicer = nicer
        self._attempts = attempts
        self._running: WorkerProcess | None = None
        self._changing = asyncio.Lock()
        self._closed = False

    async def ask(self, seconds: float, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer to work that has no effect but its answer; WorkerTimeout if none came in so many seconds, WorkerLost if
        the process died, with the last attempt.
        """
        why: type[WorkerLost] = WorkerLost
        for _ in range(self._attempts):
            running = await self.begin()
            try:
                asked = running.ask(work, *args, **kwargs)
                asked.add_done_callback(_take_note)
                async with asyncio.timeout(seconds):
                    answer: T = await asyncio.shield(asked)  # others may wait for what comes after it
                    return answer
            except (Ended, TimeoutError) as error:
                why = WorkerTimeout if isinstance(error, TimeoutError) else WorkerLost
                await self._end(running)
        raise why

    async def begin(self) -> WorkerProcess:
        """The process, as soon as it is ready."""
        async with self._changing:
            if self._closed:
                raise WorkerLost
            if self._running is None:
                try:
                    self._running = await WorkerProcess.start(self._nicer)
                except Ended as error:
                    raise WorkerLost from error
            return self._running

    async def _end(self, running: WorkerProcess) -> None:
        """Ends the process that has died or hung, unless somebody else has seen to that."""
        async with self._changing:
            if self._running is running:
                _log.warning("worker process replaced")
                self._running = None
                await running.end()

    async def close(self) -> None:
        """Ends the process for good."""
        async with self._changing:
            self._closed = True
            if self._running is not None:
                await self._running.end()


class WorkerPool:
    """The processes of one server."""

    def __init__(self, rules: int, bots: int) -> None:
        self.bot_workers = bots
        self._rules = [_Process() for _ in range(rules)]
        self._replays = _Process(_NICER, attempts=1)
        self._reading = asyncio.Lock()  # the time of one begins when the one before is done
        self._bots = [_Process(_NICER) for _ in range(bots)]
        self._idle: asyncio.Queue[_Process] = asyncio.Queue()
        for worker in self._bots:
            self._idle.put_nowait(worker)

    async def open(self) -> None:
        """Begins all of them, and waits until they are ready."""
        await asyncio.gather(*(one.begin() for one in (*self._rules, *self._bots)))

    async def call_rules(self, table: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of the clerk who keeps that table; WorkerLost if none comes."""
        worker = self._rules[crc32(table.encode()) % len(self._rules)]
        return await worker.ask(_PATIENCE, work, *args, **kwargs)

    async def call_bot(self, seconds: float, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of the next who has time to think; WorkerLost if none comes in so many seconds, twice."""
        worker = await self._idle.get()
        try:
            return await worker.ask(seconds, work, *args, **kwargs)
        finally:
            self._idle.put_nowait(worker)

    async def call_replay(self, seconds: float, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of somebody whom no table waits for; WorkerTimeout if that took too long."""
        async with self._reading:
            return await self._replays.ask(seconds, work, *args, **kwargs)

    async def close(self) -> None:
        """Ends all of them."""
        await asyncio.gather(*(one.close() for one in (*self._rules, *self._bots, self._replays)))


def _take_note(asked: asyncio.Future[Any]) -> None:
    """Nobody may be left who waits for an error."""
    if not asked.cancelled():
        asked.exception()
