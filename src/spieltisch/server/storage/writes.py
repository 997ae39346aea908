"""Writes to tables: everything that waits to be written, in a handful of SQL statements however much it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from spieltisch.server.storage import models
from spieltisch.server.storage.errors import TableDeleted
from spieltisch.server.storage.totals import add_totals
from spieltisch.server.storage.transactions import Statement
from spieltisch.table.codec import Row

_UNKNOWN_COUNT: Final = -1  # the row count that PostgreSQL's driver reports for a batch


class StoredResponse(NamedTuple):
    """The response to a command, stored under its idempotency key."""

    key: str
    digest: str  # of the command
    body: str
    version: int  # the table's last event at that time


class Snapshot(NamedTuple):
    """A table's state after some of its events: a cache of the log, valid only for the same code and events."""

    version: int
    digest: str  # of the events up to that version
    code: str  # digest of the code that has written it
    body: bytes


class TableWrite(NamedTuple):
    """What a command changes at a table: written as a whole or not at all."""

    table: str
    after: int  # the number of the event before
    rows: Sequence[Row]
    response: StoredResponse | None
    public: bool
    status: str
    waits: str
    summary: str
    at: int
    game: str = ""
    tallies: Sequence[str] = ()  # of the games that have ended
    creation: str | None = None  # for a new table
    digest: str | None = None  # of all events up to the last of these
    snapshot: Snapshot | None = None

    @classmethod
    def of_snapshot(cls, table: str, snapshot: Snapshot) -> TableWrite:
        """A write that replaces the snapshot of a table, and changes nothing else."""
        return cls(table, snapshot.version, (), None, False, "", "", "", 0, snapshot=snapshot)


_COLUMNS: Final = ("public", "status", "waits", "summary", "changed", "version", "digest")
_id = models.tables.c.id
_LOCK_TABLES: Final = (
    select(_id).where(_id.in_(bindparam("names", expanding=True))).order_by(_id).with_for_update()
)  # in a fixed order, so that processes cannot deadlock
_INSERT_TABLES: Final = Statement(insert(models.tables))
_UPDATE_TABLES: Final = Statement(
    update(models.tables)
    .where(_id == bindparam("name"))
    .values({column: bindparam(f"new_{column}") for column in _COLUMNS})
)
_INSERT_EVENTS: Final = Statement(insert(models.log))
_INSERT_RESPONSES: Final = Statement(insert(models.answers))
_DELETE_SNAPSHOTS: Final = Statement(delete(models.snapshots).where(models.snapshots.c.table == bindparam("name")))
_INSERT_SNAPSHOTS: Final = Statement(insert(models.snapshots))


def write_all(connection: Connection, writes: Sequence[TableWrite]) -> None:
    """Writes all of it; TableDeleted if a table is gone, IntegrityError if another writer was first."""
    new = [write for write in writes if write.creation is not None]
    _INSERT_TABLES.run(connection, [{"id": one.table, "creation": one.creation, **_columns(one)} for one in new])
    _update_tables(connection, [write for write in writes if write.creation is None], {one.table for one in new})
    _INSERT_EVENTS.run(
        connection,
        [
            {"table": write.table, "number": number, "line": row.line, "at": row.at}
            for write in writes
            for number, row in enumerate(write.rows, write.after + 1)
        ],
    )
    _INSERT_RESPONSES.run(
        connection,
        [
            {"table": write.table, "key": key, "digest": digest, "answer": body, "number": version}
            for write in writes
            if write.response
            for key, digest, body, version in [write.response]
        ],
    )
    _write_snapshots(connection, {write.table: write.snapshot for write in writes if write.snapshot})
    add_totals(connection, [(write.game, tally) for write in writes for tally in write.tallies])


def _write_snapshots(connection: Connection, snapshots: Mapping[str, Snapshot]) -> None:
    _DELETE_SNAPSHOTS.run(connection, [{"name": table} for table in snapshots])
    _INSERT_SNAPSHOTS.run(connection, [{"table": table, **one._asdict()} for table, one in snapshots.items()])


def _update_tables(connection: Connection, writes: Sequence[TableWrite], new: set[str]) -> None:
    """Updates existing tables, and locks those that only get a response or a snapshot."""
    updates = [
        {"name": write.table, **{f"new_{name}": value for name, value in _columns(write).items()}}
        for write in writes
        if write.rows
    ]
    names = {write.table for write in writes} - new
    if connection.dialect.name == "sqlite" or len(writes) == 1:  # then the update locks the rows, and counts them
        names.difference_update(write.table for write in writes if write.rows)
    if names and len(connection.scalars(_LOCK_TABLES, {"names": sorted(names)}).all()) < len(names):
        raise TableDeleted
    if _UPDATE_TABLES.run(connection, updates) not in (len(updates), _UNKNOWN_COUNT):
        raise TableDeleted


def _columns(write: TableWrite) -> dict[str, object]:
    return {
        "public": write.public,
        "status": write.status,
        "waits": write.waits,
        "summary": write.summary,
        "changed": write.at,
        "version": None if write.digest is None else write.after + len(write.rows),
        "digest": write.digest,
    }
