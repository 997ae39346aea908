"""A worker process of the server, replaced when it dies or hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

import structlog

from spieltisch import registry
from spieltisch.processes import calls
from spieltisch.processes.aio import AsyncWorker, wait_shielded
from spieltisch.processes.calls import WorkerLost, WorkerTimeout
from spieltisch.processes.child import set_limits
from spieltisch.server.ops import gc

P = ParamSpec("P")
T = TypeVar("T")
_NICENESS: Final = 10
_MEMORY: Final = 2 * 1024**3  # bytes that a process may use whose work depends on what somebody sent
_log = structlog.get_logger("spieltisch.server")


class WorkerProcess:
    """One worker process at a time: after it has died or hung, the next call starts another.

    A `background` process yields to others, and its memory is limited.
    """

    def __init__(self, *, background: bool, attempts: int = 2) -> None:
        self._background = background
        self._attempts = attempts
        self._worker: AsyncWorker | None = None
        self._lock = asyncio.Lock()  # held while a process is started or killed
        self._closed = False

    async def call(self, seconds: float, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns there; it must have no side effects, since it is called again in a new process if
        the first one is lost. WorkerLost or WorkerTimeout if the last one is, too.
        """
        lost = WorkerLost()
        for _ in range(self._attempts):
            worker = await self.start()
            try:
                async with asyncio.timeout(seconds):
                    # shielded, since other calls may wait behind this one
                    return await wait_shielded(worker.call(function, *args, **kwargs))
            except TimeoutError:
                lost = WorkerTimeout()
            except WorkerLost as error:
                lost = error
            await self._replace(worker)
        raise lost

    def notify(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Calls a function of which nobody awaits the result, if a process is running."""
        if self._worker is not None:
            self._worker.call(function, *args, **kwargs)

    async def start(self) -> AsyncWorker:
        """The process, as soon as it is ready."""
        async with self._lock:
            if self._closed:
                raise WorkerLost
            if self._worker is None:
                self._worker = await self._start()
            return self._worker

    async def _start(self) -> AsyncWorker:
        worker = await AsyncWorker.start()
        try:
            await worker.call(_prepare, background=self._background)
        except BaseException:  # it could not be prepared, or nobody waits for it any more
            await worker.kill()
            raise
        return worker

    async def _replace(self, worker: AsyncWorker) -> None:
        """Kills a process that has died or hung, unless another call has done so."""
        async with self._lock:
            if self._worker is worker:
                _log.warning("worker process replaced")
                self._worker = None
                await worker.kill()

    async def close(self) -> None:
        """Kills the process for good."""
        async with self._lock:
            self._closed = True
            if self._worker is not None:
                await self._worker.kill()


# inside the process


def _prepare(*, background: bool) -> None:
    """Loads every game, so that the first call need not wait, and sets up priority, memory and garbage collection."""
    if background:
        set_limits(_NICENESS, _MEMORY)
    else:
        gc.disable()
    registry.all()
    gc.freeze()
    calls.after_response.append(gc.collect_periodically)
