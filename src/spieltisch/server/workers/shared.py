"""Shared workers: worker processes that carry out one job at a time, shared between askers by processor time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import ParamSpec, TypeVar

from spieltisch.processes.aio import wait_shielded
from spieltisch.server.workers.askers import current_asker
from spieltisch.server.workers.fair_queue import FairQueue
from spieltisch.server.workers.process import TimeLimit, WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")


class SharedWorkers:
    """Worker processes behind a fair queue."""

    def __init__(
        self, processes: Sequence[WorkerProcess], pending: int, choose: Callable[[AbstractSet[int]], int] = min
    ) -> None:
        self.processes = processes
        self.queue = FairQueue(len(processes), pending, choose)

    async def open(self) -> None:
        """Starts the processes, and waits until they are ready."""
        await asyncio.gather(*(process.start() for process in self.processes))

    async def close(self) -> None:
        """Kills the processes."""
        await asyncio.gather(*(process.close() for process in self.processes))

    async def call(
        self, index: int, limit: TimeLimit, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What the function returns in a process that the current asker has acquired, which is released afterwards.

        The process is released when it has finished, even if the caller is cancelled before.
        """
        account = current_asker().account
        return await wait_shielded(asyncio.ensure_future(self._run(index, account, limit, function, *args, **kwargs)))

    async def _run(
        self,
        index: int,
        account: str,
        limit: TimeLimit,
        function: Callable[P, T],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        process = self.processes[index]
        before = process.cpu_seconds
        try:
            return await process.call(limit, function, *args, **kwargs)
        finally:
            self.queue.release(index, account, process.cpu_seconds - before)
