"""Keeping SQLite's log short: what was written is carried over into the file by somebody beside those who write, since
whoever did it in passing would hold up everybody else.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import structlog

from spieltisch.server.ops import logging

_log = structlog.get_logger("spieltisch.server")
EVERY: Final = 1.0  # seconds
MOST_PAGES: Final = 4000  # of 4 kB in the log, before nobody may write for a moment so that it can begin anew


class Tidying:
    """Carries over again and again, as long as a store is open."""

    def __init__(self, file: str, turn: asyncio.Lock) -> None:
        self._file = file
        self._turn = turn  # of those who write
        self._hand = ThreadPoolExecutor(1, "tidying")
        self._connection: sqlite3.Connection | None = None
        self._work = asyncio.create_task(self._tidy())

    async def end(self) -> None:
        """Comes to an end."""
        self._work.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._work
        await asyncio.get_running_loop().run_in_executor(self._hand, self._put_away)
        self._hand.shutdown()

    async def _tidy(self) -> None:
        before = 0
        while True:
            await asyncio.sleep(EVERY)
            try:
                pages = await self._carry_over()
                if pages > MOST_PAGES and pages != before:
                    async with self._turn:
                        await self._carry_over()
                before = pages
            except sqlite3.Error as error:
                _log.warning("not tidied", **logging.error_fields(error))  # what is written is kept all the same

    async def _carry_over(self) -> int:
        """Carries over what it can beside those who read and write; answers how many pages the log has."""
        return await asyncio.get_running_loop().run_in_executor(self._hand, self._checkpoint)

    def _checkpoint(self) -> int:
        if self._connection is None:
            self._connection = sqlite3.connect(self._file, isolation_level=None)
            self._connection.execute("PRAGMA synchronous = FULL")
        _, pages, _ = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(pages)

    def _put_away(self) -> None:
        if self._connection is not None:
            self._connection.close()
