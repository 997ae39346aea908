"""Scrub: overwrites what a SQLite file still holds of deleted rows, in short steps between the writers' transactions.

`secure_delete` overwrites rows that are deleted and pages that are freed. But SQLite also moves rows from page to page
when a B-tree grows or shrinks, and the copies that it leaves behind lie in the unallocated space of live pages. VACUUM
would write the whole file again while all writers wait. Here the unallocated space itself is overwritten.

It must run in a process of its own: closing a file drops all the locks that SQLite holds on it in the same process.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Final, NamedTuple

HOLD: Final = 0.02  # seconds for which writers wait at a time
LOCK_TIMEOUT: Final = 10.0  # seconds to wait for a writer
READER_TIMEOUT: Final = 0.05  # seconds for which writers wait until nobody reads the write-ahead log
ATTEMPTS: Final = 400
_CHUNK: Final = 1024  # pages that are read at a time
_HEADER_SIZES: Final = {2: 12, 5: 12, 10: 8, 13: 8}  # of a B-tree page, by its type
_MAX_PAGES: Final = 1 << 24  # from here on, an overflow page could look like a B-tree page
_PROBE: Final = """REPLACE INTO leases ("table", owner, until) VALUES ('readiness', '', '1970-01-01 00:00:00.000000')"""


class NotScrubbed(Exception):
    """The file could not be scrubbed; it is unharmed."""


class Scrubbed(NamedTuple):
    """How much was done: the pages that were read and overwritten, and how long writers had to wait at most."""

    pages: int
    overwritten: int
    longest: float  # seconds


def scrub(path: str) -> Scrubbed:
    """Overwrites what is left in a file of rows that were deleted before, and empties the write-ahead log."""
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(
            Path(path).open("r+b", buffering=0)
        )  # closed last: that drops the connections' locks
        guard = stack.enter_context(contextlib.closing(_connect(path, LOCK_TIMEOUT)))
        other = stack.enter_context(contextlib.closing(_connect(path, READER_TIMEOUT)))
        size = int(guard.execute("PRAGMA page_size").fetchone()[0])
        if guard.execute("PRAGMA auto_vacuum").fetchone()[0]:
            raise NotScrubbed("auto_vacuum has pages of its own kind")
        other.execute("PRAGMA wal_checkpoint(PASSIVE)")
        pages = os.fstat(file.fileno()).st_size // size
        if pages >= _MAX_PAGES:
            raise NotScrubbed("the file is too large")
        dirty = list(_find_dirty(file, size))
        longest = _overwrite(file, size, dirty, guard, other)
        os.fsync(file.fileno())
        _truncate_log(other)
        return Scrubbed(pages, len(dirty), longest)


def _connect(path: str, timeout: float) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    for pragma in ("synchronous = FULL", "secure_delete = ON", "wal_autocheckpoint = 0"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def unallocated(page: bytes, number: int) -> list[tuple[int, int]]:
    """The ranges of a page that hold neither a header nor a cell; none if it is not a B-tree page."""
    start = 100 if number == 1 else 0  # the first page starts with the header of the file
    header = _HEADER_SIZES.get(page[start])
    if header is None:
        return []

    def word(at: int) -> int:
        return int.from_bytes(page[at : at + 2], "big")

    cells = start + header + 2 * word(start + 3)
    content = word(start + 5) or 65536
    ranges = [(cells, content)]
    block = word(start + 1)
    while block:  # in ascending order; each starts with the next one's place and its own length
        ranges.append((block + 4, block + word(block + 2)))
        following = word(block)
        if following <= block:
            break
        block = following
    return [(first, last) for first, last in ranges if cells <= first < last <= len(page)]


def _is_dirty(page: bytes, number: int) -> bool:
    return any(page.count(0, first, last) != last - first for first, last in unallocated(page, number))


def _find_dirty(file: FileIO, size: int) -> Iterator[int]:
    """The numbers of pages with something in their unallocated space, read concurrently with all writers."""
    number = 1
    while chunk := _read(file, (number - 1) * size, _CHUNK * size):
        for at in range(0, len(chunk) - size + 1, size):
            if _is_dirty(chunk[at : at + size], number + at // size):
                yield number + at // size
        number += len(chunk) // size or 1


def _overwrite(
    file: FileIO, size: int, dirty: list[int], guard: sqlite3.Connection, other: sqlite3.Connection
) -> float:
    """Overwrites the pages a few at a time; returns the longest time for which writers were kept waiting."""
    longest, at, attempts = 0.0, 0, 0
    while at < len(dirty):
        guard.execute("BEGIN IMMEDIATE")  # nobody else writes now
        started = time.monotonic()
        try:
            # the file has the newest version of every page only if the whole write-ahead log is in it
            busy, log, copied = other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if busy or log != copied:  # somebody still reads an older version
                attempts += 1
            else:
                while at < len(dirty) and time.monotonic() - started < HOLD:
                    _overwrite_page(file, size, dirty[at])
                    at += 1
                guard.execute(_PROBE)  # a commit makes the other connections drop the pages that they have cached
        finally:
            guard.execute("COMMIT")
        held = time.monotonic() - started
        longest = max(longest, held)
        if attempts > ATTEMPTS:
            raise NotScrubbed("somebody reads an old version all the time")
        time.sleep(held)  # half of the time belongs to the writers
    return longest


def _overwrite_page(file: FileIO, size: int, number: int) -> None:
    place = (number - 1) * size
    for first, last in unallocated(_read(file, place, size), number):
        file.seek(place + first)
        file.write(bytes(last - first))


def _read(file: FileIO, place: int, length: int) -> bytes:
    file.seek(place)
    return file.read(length)


def _truncate_log(connection: sqlite3.Connection) -> None:
    """Empties the write-ahead log, which holds older versions of pages."""
    for _ in range(ATTEMPTS):
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if not busy:
            return
        time.sleep(READER_TIMEOUT)
    raise NotScrubbed("somebody reads the write-ahead log all the time")
