"""Snapshots of table states: a cache beside the event log, which saves replaying a long log after a restart."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select

from spieltisch.server.storage import models


class Snapshot(NamedTuple):
    """A table's state after some of its events. It counts only for the same code and the same events."""

    version: int
    digest: str  # of the events up to that version
    code: str  # digest of the code that has written it
    body: bytes


def write_snapshot(connection: Connection, table: str, snapshot: Snapshot) -> None:
    """Replaces the snapshot of a table, unless the table is deleted."""
    tables, snapshots = models.tables, models.snapshots
    if connection.scalar(select(tables.c.id).where(tables.c.id == table).with_for_update()) is None:
        return
    connection.execute(delete(snapshots).where(snapshots.c.table == table))
    connection.execute(insert(snapshots).values(table=table, **snapshot._asdict()))
