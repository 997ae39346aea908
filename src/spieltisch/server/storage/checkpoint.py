"""WAL checkpoint: copies SQLite's write-ahead log into the database file, on a thread and a connection of its own.

SQLite would otherwise run the checkpoint inside some commit, and everybody who waits for that commit would wait for it.
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
INTERVAL: Final = 1.0  # seconds
MAX_WAL_PAGES: Final = 4000  # of 4 kB; a longer log is checkpointed while writers wait, so that it can start over


class Checkpointer:
    """Runs a checkpoint at regular intervals while a store is open."""

    def __init__(self, file: str, write_lock: asyncio.Lock) -> None:
        self._file = file
        self._write_lock = write_lock
        self._thread = ThreadPoolExecutor(1, "checkpoint")
        self._connection: sqlite3.Connection | None = None
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Starts the background task."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stops the task and closes the connection."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close_connection)
        self._thread.shutdown()

    async def _run(self) -> None:
        pages_before = 0
        while True:
            await asyncio.sleep(INTERVAL)
            try:
                pages = await self._checkpoint()
                if pages > MAX_WAL_PAGES and pages != pages_before:
                    async with self._write_lock:
                        await self._checkpoint()
                pages_before = pages
            except sqlite3.Error as error:  # nothing is lost: it all stays in the write-ahead log
                _log.warning("checkpoint failed", **logging.error_fields(error))

    async def _checkpoint(self) -> int:
        """Checkpoints what no reader or writer blocks; returns the pages in the write-ahead log."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._checkpoint_in_thread)

    def _checkpoint_in_thread(self) -> int:
        if self._connection is None:
            self._connection = sqlite3.connect(self._file, isolation_level=None)
            self._connection.execute("PRAGMA synchronous = FULL")
        _, pages, _ = self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(pages)

    def _close_connection(self) -> None:
        if self._connection is not None:
            self._connection.close()
