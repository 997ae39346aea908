"""Processes beside the server: some know the rules, each for its own tables; some think, with a limit."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar
from zlib import crc32

from pebble import ProcessExpired, ProcessPool

from spieltisch import registry

P = ParamSpec("P")
T = TypeVar("T")
_NICER: Final = 10
_PATIENCE: Final = 60.0  # seconds that work at a table may take; it takes milliseconds


class Lost(Exception):
    """A process died or took too long, and a second one too."""


class Processes:
    """The processes of one server."""

    def __init__(self, clerks: int, thinkers: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._clerks = [
            ProcessPool(max_workers=1, initializer=_settle_in, initargs=(0,), context=context) for _ in range(clerks)
        ]
        self._thinkers = ProcessPool(max_workers=thinkers, initializer=_settle_in, initargs=(_NICER,), context=context)
        self.thinkers = thinkers

    async def open(self) -> None:
        """Begins all of them, and waits until they are ready."""
        begun = await asyncio.to_thread(
            lambda: [pool.schedule(_ready) for pool in (*self._clerks, *[self._thinkers] * self.thinkers)]
        )
        await asyncio.gather(*map(asyncio.wrap_future, begun))

    async def at_table(self, table: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of the clerk who keeps that table; work has no effect but its answer, so it can be asked again."""
        pool = self._clerks[crc32(table.encode()) % len(self._clerks)]
        for attempt in (1, 2):
            try:
                return await asyncio.wrap_future(pool.schedule(work, args, kwargs, timeout=_PATIENCE))
            except (ProcessExpired, TimeoutError) as error:
                if attempt == 2:
                    raise Lost from error
        raise AssertionError

    async def think(self, seconds: float, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of somebody who thinks; Lost after so many seconds, or where the process died."""
        try:
            return await asyncio.wrap_future(self._thinkers.schedule(work, args, kwargs, timeout=seconds))
        except (ProcessExpired, TimeoutError) as error:
            raise Lost from error

    def close(self) -> None:
        """Ends all of them."""
        for pool in (*self._clerks, self._thinkers):
            pool.stop()  # type: ignore[no-untyped-call]
        for pool in (*self._clerks, self._thinkers):
            pool.join()


def _ready() -> None:
    """Loads every game, so that the first who asks need not wait."""
    registry.all()


def _settle_in(nicer: int) -> None:
    """Leaves Ctrl-C to the server, steps back where others are in a hurry, and ends when the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if nicer and hasattr(os, "nice"):
        os.nice(nicer)
    server = multiprocessing.parent_process()

    def watch() -> None:
        if server is not None:
            server.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
