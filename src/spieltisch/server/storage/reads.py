"""Reads of tables: a log is read with its snapshot and its responses, and checked against the digest that is stored.

The events of a table are numbered without gaps, and the digest of all of them is stored with the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, and_, bindparam, select

from spieltisch.server.storage import models
from spieltisch.server.storage.errors import DamagedLog
from spieltisch.server.storage.transactions import Statement
from spieltisch.server.storage.writes import Snapshot, StoredResponse
from spieltisch.table.codec import Row, chain_digest


class StoredTable(NamedTuple):
    """A table as it is stored: its events, its responses by idempotency key, and the digest of all its events."""

    rows: list[Row]
    responses: dict[str, StoredResponse]
    digest: bytes = b""
    snapshot: Snapshot | None = None  # of these events, if there is one


class Head(NamedTuple):
    """What a table's row says about its log; None for a log that was last written by version 1 of the schema."""

    version: int | None
    digest: str | None


class CheckedLog(NamedTuple):
    """The events after a version, and the digest of all events up to the last, and up to some version between."""

    rows: list[Row]
    digest: bytes
    middle: bytes


_tables, _log, _answers, _snapshots = models.tables, models.log, models.answers, models.snapshots
_HEAD: Final = Statement(
    select(
        *(_tables.c.version, _tables.c.digest),
        *(_snapshots.c.version, _snapshots.c.digest, _snapshots.c.code, _snapshots.c.body),
    )
    .select_from(_tables)
    .outerjoin(_snapshots, and_(_snapshots.c.table == _tables.c.id, _snapshots.c.code == bindparam("code")))
    .where(_tables.c.id == bindparam("name"))
)
_EVENTS: Final = Statement(
    select(_log.c.number, _log.c.line, _log.c.at)
    .where(_log.c.table == bindparam("name"), _log.c.number >= bindparam("after"))
    .order_by(_log.c.number)
)
_RESPONSES: Final = Statement(
    select(_answers.c.key, _answers.c.digest, _answers.c.answer, _answers.c.number).where(
        _answers.c.table == bindparam("name"), _answers.c.number >= bindparam("after")
    )
)
_SNAPSHOT: Final = Statement(
    select(_snapshots.c.version, _snapshots.c.digest, _snapshots.c.code, _snapshots.c.body).where(
        _snapshots.c.table == bindparam("name"), _snapshots.c.code == bindparam("code")
    )
)


def read_table(
    connection: Connection, table: str, after: int = 0, digest: bytes = b"", code: str = ""
) -> StoredTable | None:
    """The table's events and responses after a version, whose digest is given, and the snapshot of this code, if it is of
    these events; None if there is no such table.

    DamagedLog if the events are not those that were written.
    """
    head = _HEAD.rows(connection, name=table, code=code)
    if not head:
        return None
    version, total, *saved = head[0]
    snapshot = Snapshot(*saved) if saved[0] is not None else None
    # events before responses: then no event lacks its response
    events = [(number, Row(line, at)) for number, line, at in _EVENTS.rows(connection, name=table, after=after)]
    responses = {key: StoredResponse(key, *rest) for key, *rest in _RESPONSES.rows(connection, name=table, after=after)}
    try:
        log = check_log(table, after, digest, events, Head(version, total), snapshot.version if snapshot else 0)
    except DamagedLog:
        if not _HEAD.rows(connection, name=table, code=code):
            return None  # it was deleted meanwhile
        raise
    if snapshot is not None and snapshot.digest != log.middle.hex():
        snapshot = None
    return StoredTable(log.rows, responses, log.digest, snapshot)


def read_snapshot(connection: Connection, table: str, code: str) -> Snapshot | None:
    """The snapshot of a table that this code has written, if there is one."""
    return next((Snapshot(*row) for row in _SNAPSHOT.rows(connection, name=table, code=code)), None)


def check_log(
    table: str, after: int, digest: bytes, numbered: Sequence[tuple[int, Row]], head: Head, between: int = 0
) -> CheckedLog:
    """The events after a version, whose digest is given, hashed once; DamagedLog if one is missing or changed.

    The events may start with that version itself, and may go on after the head, which was read before them.
    """
    known = [(number, row) for number, row in numbered if head.version is None or number <= head.version]
    first = max(after, 1)
    for expected, (number, _) in enumerate(known, first):
        if number != expected:
            raise DamagedLog(table, expected)
    end = first + len(known)
    if not known or (head.version is not None and end <= head.version):
        raise DamagedLog(table, end)
    rows = [row for number, row in known if number > after]
    part = max(between - after, 0)
    middle = chain_digest(digest, rows[:part])
    total = chain_digest(middle, rows[part:])
    if head.digest is not None and total.hex() != head.digest:
        raise DamagedLog(table, None)
    return CheckedLog(rows, total, middle)
