"""Writes to tables: everything that waits to be written, in a handful of SQL statements however much it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, Insert, Update, bindparam, insert, select, update

from spieltisch.server.storage import models
from spieltisch.server.storage.errors import TableDeleted
from spieltisch.server.storage.totals import add_totals
from spieltisch.table.codec import Row

_UNKNOWN_COUNT: Final = -1  # the row count that PostgreSQL's driver reports for a batch


class StoredResponse(NamedTuple):
    """The response to a command, stored under its idempotency key."""

    key: str
    digest: str  # of the command
    body: str
    version: int  # the table's last event at that time


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


class _Statement:
    """A statement for many rows, compiled once per dialect: compiling is most of its cost."""

    def __init__(self, statement: Insert | Update) -> None:
        self.statement = statement
        self._compiled: dict[tuple[str, ...], tuple[str, list[str]]] = {}

    def run(self, connection: Connection, rows: Sequence[Mapping[str, object]]) -> int:
        """Runs it for all rows, which have the same columns; returns the number of rows affected."""
        if not rows:
            return 0
        cache_key = (connection.dialect.name, *rows[0])
        if cache_key not in self._compiled:
            compiled = self.statement.compile(dialect=connection.dialect, column_keys=list(rows[0]))
            self._compiled[cache_key] = str(compiled), list(compiled.positiontup or ())
        sql, names = self._compiled[cache_key]
        values = [tuple(row[name] for name in names) for row in rows]
        return connection.exec_driver_sql(sql, values if len(values) > 1 else values[0]).rowcount


_COLUMNS: Final = ("public", "status", "waits", "summary", "changed", "version", "digest")
_id = models.tables.c.id
_LOCK_TABLES: Final = (
    select(_id).where(_id.in_(bindparam("names", expanding=True))).order_by(_id).with_for_update()
)  # in a fixed order, so that processes cannot deadlock
_INSERT_TABLES: Final = _Statement(insert(models.tables))
_UPDATE_TABLES: Final = _Statement(
    update(models.tables)
    .where(_id == bindparam("name"))
    .values({column: bindparam(f"new_{column}") for column in _COLUMNS})
)
_INSERT_EVENTS: Final = _Statement(insert(models.log))
_INSERT_RESPONSES: Final = _Statement(insert(models.answers))


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
    add_totals(connection, [(write.game, tally) for write in writes for tally in write.tallies])


def _update_tables(connection: Connection, writes: Sequence[TableWrite], new: set[str]) -> None:
    """Updates existing tables, and locks those that only get a response."""
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
