"""Scrubber: one scrub at a time for everybody who has just deleted a table."""

from __future__ import annotations

import asyncio

from spieltisch.processes.aio import AsyncWorker
from spieltisch.server.storage.scrub import Scrubbed, scrub


class Scrubber:
    """Runs scrubs of a SQLite file in a process of its own."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._running = asyncio.Lock()
        self._next: asyncio.Task[Scrubbed] | None = None  # has not started yet: it serves all who come until then

    async def scrub(self) -> None:
        """Returns when a scrub that started after this call is complete."""
        if self._next is None:
            self._next = asyncio.create_task(self._run())
        await asyncio.shield(self._next)

    async def close(self) -> None:
        """Waits for scrubs that have been asked for."""
        if self._next is not None:
            await asyncio.gather(self._next, return_exceptions=True)
        async with self._running:
            pass

    async def _run(self) -> Scrubbed:
        async with self._running:
            self._next = None
            worker = await AsyncWorker.start()
            try:
                return await worker.call(scrub, self._file)
            finally:
                await worker.kill()
