"""Retention and quota: tables that nobody has touched for long are deleted, and no table is opened if the store is full."""

from __future__ import annotations

import asyncio
import time
from typing import Final, NamedTuple

import structlog

from spieltisch.core.game import Refusal
from spieltisch.i18n.message import message_factory
from spieltisch.server.ops import logging
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.storage.store import Usage

_say = message_factory("")
_log = structlog.get_logger("spieltisch.server")
INTERVAL: Final = 600.0  # seconds between two searches for tables to delete
BATCH: Final = 100  # tables that are deleted before the next search
USAGE_AGE: Final = 30.0  # seconds after which the usage is measured again
_DAY: Final = 86_400_000  # milliseconds
_MEGABYTE: Final = 1_000_000


class Retention(NamedTuple):
    """How long tables are kept, and how many; 0 means without end."""

    keep_ended: int = 0  # days after the last event of a match that is over
    keep_idle: int = 0  # days after the last event of any other
    max_tables: int = 100_000
    max_size: int = 4_000  # megabytes


class StoreQuota(Refusal):
    """No more tables can be opened here."""

    code = "limit"


class Housekeeping:
    """Deletes tables that have expired, and refuses new ones above the quota."""

    def __init__(self, tables: Tables, retention: Retention) -> None:
        self._tables = tables
        self._retention = retention
        self._usage = Usage(0, 0)
        self._measured = float("-inf")
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Starts the background task, if anything expires."""
        if self._retention.keep_ended or self._retention.keep_idle:
            self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stops the background task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def check_quota(self) -> None:
        """Counts a table that is to be opened; StoreQuota if there is no room for it."""
        most, size = self._retention.max_tables, self._retention.max_size * _MEGABYTE
        if not most and not size:
            return
        if time.monotonic() - self._measured > USAGE_AGE:
            self._measured = time.monotonic()
            self._usage = await self._tables.store.measure_usage()
        if (most and self._usage.tables >= most) or (size and self._usage.size >= size):
            raise StoreQuota(_say("limit.quota"))
        self._usage = self._usage._replace(tables=self._usage.tables + 1)

    async def _run(self) -> None:
        while True:
            try:
                while await self.delete_expired() == BATCH:
                    pass
            except Exception as error:  # noqa: BLE001 - the database may be away for a while
                _log.warning("expired tables not deleted", **logging.error_fields(error))
            await asyncio.sleep(INTERVAL)

    async def delete_expired(self) -> int:
        """Deletes tables that have expired, at most a batch; returns how many were found."""
        now = time.time_ns() // _MEGABYTE
        ended, idle = (
            now - days * _DAY if days else None for days in (self._retention.keep_ended, self._retention.keep_idle)
        )
        names = await self._tables.store.list_expired(ended, idle, BATCH)
        deleted = [await self._delete(name, changed) for name, changed in names]
        if any(deleted):
            await self._tables.store.scrub()
        return len(names) if any(deleted) else 0

    async def _delete(self, name: str, changed: int) -> bool:
        """Deletes a table that has not changed since that time, unless somebody looks at it; returns whether it did."""
        table = self._tables.cached(name)
        if table and (table.streams or table.lock.locked()):
            return False
        deleted = await self._tables.store.delete(name, changed)
        if deleted and table:
            self._tables.forget(table)
        return deleted
