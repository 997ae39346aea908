"""Snapshots of live tables: written when replaying a log has become expensive, and read when a rules worker needs it."""

from __future__ import annotations

from typing import Final

import structlog

from spieltisch.server.ops import logging
from spieltisch.server.runtime.table import Table
from spieltisch.server.storage.errors import StoreUnavailable
from spieltisch.server.storage.snapshots import Snapshot
from spieltisch.server.storage.store import Store
from spieltisch.server.workers.askers import SERVER, asking
from spieltisch.server.workers.pool import Priority, WorkerLost, WorkerPool
from spieltisch.server.workers.snapshot import BadSnapshot, code_digest
from spieltisch.server.workers.table_cache import MissingRows, restore, take_snapshot

MAX_UNSAVED: Final = 0.03  # seconds of processor time that a table may take to replay after its snapshot
MIN_ROWS: Final = 20  # a shorter log is replayed at once
_log = structlog.get_logger("spieltisch.server")


class Snapshots:
    """The snapshots of one server process. Everything works without them: whatever fails is logged, and the log replayed."""

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        self._store = store
        self._workers = workers

    def is_due(self, table: Table) -> bool:
        """Whether the table should get a new snapshot."""
        return table.status is not None and table.status.unsaved > MAX_UNSAVED and not table.saving

    async def save(self, table: Table) -> None:
        """Writes a snapshot of the table as it is now, behind everything else."""
        table.saving = True
        position = table.position()
        try:
            with asking(SERVER):
                body = await self._workers.call_rules(table.name, Priority.FILM, take_snapshot, position)
            if not isinstance(body, MissingRows):
                snapshot = Snapshot(position.version, position.digest.hex(), code_digest(), body)
                await self._store.save_snapshot(table.name, snapshot)
        except (StoreUnavailable, WorkerLost) as error:
            _log.info("snapshot not written", **logging.error_fields(error))
        finally:
            table.saving = False

    async def restore(self, table: Table, priority: Priority) -> None:
        """Gives the rules worker the state of the table's snapshot, if there is one of this code and of these events."""
        if len(table.rows) < MIN_ROWS:
            return
        try:
            snapshot = await self._store.find_snapshot(table.name)
            if snapshot is None or snapshot.code != code_digest() or snapshot.version > len(table.rows):
                return
            position = table.prefix(snapshot.version)._replace(rows=())
            if position.digest.hex() == snapshot.digest:
                await self._workers.call_rules(table.name, priority, restore, position, snapshot.body)
                table.sent = snapshot.version
        except (StoreUnavailable, BadSnapshot) as error:
            _log.warning("snapshot not used", **logging.error_fields(error))
