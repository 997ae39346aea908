"""Snapshots of live tables: written when replaying a log has become expensive, and read when a rules worker needs it."""

from __future__ import annotations

from typing import Final

import structlog

from spieltisch.server.ops import logging
from spieltisch.server.runtime.table import Table
from spieltisch.server.storage.errors import StoreUnavailable, TableDeleted
from spieltisch.server.storage.reads import StoredTable
from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import Snapshot, TableWrite
from spieltisch.server.workers.askers import SERVER, asking
from spieltisch.server.workers.pool import Priority, WorkerLost, WorkerPool
from spieltisch.server.workers.snapshot import BadSnapshot, code_digest
from spieltisch.server.workers.table_cache import take_snapshot

MAX_UNSAVED: Final = 0.002  # seconds of processor time that a table may take to replay after its snapshot
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
        """Writes a snapshot of the table: behind everything else, and committed together with turns of others.

        If its last events cannot be committed, it is the snapshot of another log, and is never used.
        """
        table.saving = True
        try:
            with asking(SERVER):
                saved = await self._workers.call_rules(table.name, Priority.FILM, take_snapshot, table.name)
            if saved is not None:
                snapshot = Snapshot(saved.version, saved.digest.hex(), code_digest(), saved.body)
                await self._store.write(TableWrite.of_snapshot(table.name, snapshot))
        except TableDeleted:
            pass
        except (StoreUnavailable, WorkerLost) as error:
            _log.info("snapshot not written", **logging.error_fields(error))
        finally:
            table.saving = False

    async def load(self, name: str) -> StoredTable | None:
        """A table from the store, with its snapshot if there is one of this code and of these events."""
        return await self._store.load(name, code=code_digest())

    async def find(self, table: Table) -> None:
        """Reads the table's snapshot again, for a rules worker that has lost the table."""
        try:
            snapshot = await self._store.find_snapshot(table.name, code_digest())
        except StoreUnavailable as error:
            _log.warning("snapshot not read", **logging.error_fields(error))
            return
        if snapshot is None or snapshot.version > len(table.rows):
            return
        if table.prefix_digest(snapshot.version).hex() == snapshot.digest:
            table.set_snapshot(snapshot)

    def discard(self, table: Table, error: BadSnapshot) -> None:
        """Does without a snapshot that cannot be read: the log is replayed."""
        _log.warning("snapshot not used", **logging.error_fields(error))
        table.saved = None
        table.sent = 0
