"""A worker process of the server, replaced when it dies or hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import Final, NamedTuple, ParamSpec, TypeVar

import structlog

from spieltisch import registry
from spieltisch.processes import calls
from spieltisch.processes.aio import AsyncWorker, wait_shielded
from spieltisch.processes.calls import Call, WorkerLost, WorkerTimeout
from spieltisch.processes.child import set_limits
from spieltisch.server.ops import gc

P = ParamSpec("P")
T = TypeVar("T")
MEBIBYTE: Final = 1024**2
_log = structlog.get_logger("spieltisch.server")


class TimeLimit(NamedTuple):
    """How long a call may take, in seconds.

    The limit that counts is processor time: a call on a busy machine takes longer, but does not do more. The other one is
    for a process that hangs, and is much longer.
    """

    cpu: float
    wall: float


class WorkerProcess:
    """One worker process at a time: after it has died or hung, the next call starts another.

    When a process is ready, it has imported the module of the functions that it will be asked for. It may run at a lower
    priority, and its memory is limited, in MiB. A long-lived one with a large cache runs the garbage collector rarely.
    """

    def __init__(self, module: str, *, niceness: int, memory: int, rare_gc: bool = False, attempts: int = 2) -> None:
        self._module = module
        self._niceness = niceness
        self._memory = memory
        self._rare_gc = rare_gc
        self._attempts = attempts
        self._spent = 0.0  # by processes before this one
        self._worker: AsyncWorker | None = None
        self._lock = asyncio.Lock()  # held while a process is started or killed
        self._closed = False

    @property
    def cpu_seconds(self) -> float:
        """The processor time of all calls so far; of a call that was lost, its limit."""
        return self._spent + (self._worker.cpu_seconds if self._worker else 0.0)

    async def call(self, limit: TimeLimit, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns there; it must have no side effects, since it is called again in a new process if
        the first one is lost. WorkerLost or WorkerTimeout if the last one is, too.
        """
        lost = WorkerLost()
        for _ in range(self._attempts):
            worker = await self.start()
            try:
                async with asyncio.timeout(limit.wall):
                    # shielded, since other calls may wait behind this one
                    result: T = await wait_shielded(worker.send(Call(function, args, kwargs, limit.cpu)))
                    return result
            except TimeoutError:
                lost = WorkerTimeout()
            except WorkerLost as error:
                lost = error
            await self._replace(worker, lost, limit.cpu)
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
            await worker.call(_prepare, self._module, self._niceness, self._memory, rare_gc=self._rare_gc)
        except BaseException:  # it could not be prepared, or nobody waits for it any more
            await worker.kill()
            raise
        return worker

    async def _replace(self, worker: AsyncWorker, lost: WorkerLost, spent: float) -> None:
        """Kills a process that has died or hung, unless another call has done so."""
        async with self._lock:
            if self._worker is worker and not self._closed:
                _log.warning("worker process replaced", exit_code=worker.exit_code, reason=type(lost).__name__)
                self._spent += worker.cpu_seconds + spent
                self._worker = None
                await worker.kill()

    async def close(self) -> None:
        """Kills the process for good."""
        async with self._lock:
            self._closed = True
            if self._worker is not None:
                await self._worker.kill()


# inside the process


def _prepare(module: str, niceness: int, memory: int, *, rare_gc: bool) -> None:
    """Loads a module and every game, so that the first call need not wait, and sets up priority, memory and garbage
    collection.
    """
    set_limits(niceness, memory * MEBIBYTE)
    if rare_gc:
        gc.disable()
    import_module(module)
    registry.all()
    gc.freeze()
    calls.after_response.append(gc.collect_periodically)
