"""Integrity of stored logs: the events of a table are numbered without gaps, and their digest is stored with the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spieltisch.server.storage.errors import DamagedLog
from spieltisch.table.codec import Row, chain_digest


class Head(NamedTuple):
    """What a table's row says of its log; None for a log that was last written by version 1 of the schema."""

    version: int | None
    digest: str | None


def check_log(
    table: str, after: int, digest: bytes, numbered: Sequence[tuple[int, Row]], head: Head
) -> tuple[list[Row], bytes]:
    """The events after a version, whose digest is given, and the digest of all; DamagedLog if one is missing or changed.

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
    total = chain_digest(digest, rows)
    if head.digest is not None and total.hex() != head.digest:
        raise DamagedLog(table, None)
    return rows, total
