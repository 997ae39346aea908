"""Cache of table states in a rules worker: a state is kept from one call to the next, and rebuilt from the log if it is
not the one that is asked for.
"""

from __future__ import annotations

import gc
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final, NamedTuple

from spieltisch.server.workers.snapshot import decode_snapshot, encode_snapshot
from spieltisch.table.codec import Row, chain_digest, decode
from spieltisch.table.state import TableState, fold

MAX_CACHED: Final = (
    1200  # more than a server has live: tables used in turn would each be evicted just before their turn
)
MAX_ROWS: Final = 500  # that are applied at a time, so that a long log does not keep other tables waiting


class SavedState(NamedTuple):
    """A snapshot of a table, whose events up to that version have that digest."""

    version: int
    digest: bytes
    body: bytes


class LogPosition(NamedTuple):
    """The position in a table's log, and the last rows, which the worker may not have: those after a snapshot, if there
    is one.
    """

    table: str
    version: int
    digest: bytes
    rows: Sequence[Row] = ()
    saved: SavedState | None = None


class UnreadableLog(Exception):
    """The rows of a table's log cannot be replayed; the error can be pickled."""


class MissingRows(NamedTuple):
    """The worker needs the rows after that one to rebuild the table."""

    after: int


class CachedTable(NamedTuple):
    """A table's state and the digest of its log."""

    state: TableState | None
    digest: bytes
    unsaved: float = 0.0  # processor time of what was applied since the last snapshot

    @property
    def version(self) -> int:
        return self.state.version if self.state else 0

    def extend(self, rows: Sequence[Row], digest: bytes | None = None) -> CachedTable:
        """The table with more rows of its log, whose digest is computed if it is not given."""
        before = time.process_time()
        try:
            state = fold(((decode(row.line), row.at) for row in rows), self.state)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a log may hold
            raise UnreadableLog(type(error).__name__) from None
        spent = time.process_time() - before
        return CachedTable(state, digest or chain_digest(self.digest, rows), self.unsaved + spent)


EMPTY: Final = CachedTable(None, b"")
_cache: OrderedDict[str, CachedTable] = OrderedDict()  # least recently used first


def release_memory() -> MissingRows:
    """Drops all tables when there is no memory left, since they may be the cause; the caller retries the request."""
    _cache.clear()
    gc.collect()
    return MissingRows(0)


def find(position: LogPosition) -> CachedTable | MissingRows:
    """The table as it is now, or which rows are needed for that; BadSnapshot if its snapshot is none."""
    known = _cache.pop(position.table, EMPTY)
    if (known.version, known.digest) != (position.version, position.digest):
        if position.saved is not None and known.version < position.saved.version:
            known = CachedTable(decode_snapshot(position.saved.body), position.saved.digest)
        missing = position.version - known.version
        if missing > len(position.rows):
            put(position.table, known)
            return MissingRows(known.version)
        rows = position.rows[len(position.rows) - max(missing, 0) :]
        digest: bytes | None = chain_digest(known.digest, rows)
        if missing < 0 or digest != position.digest:  # another past is known here
            if len(position.rows) < position.version:
                return MissingRows(0)
            known, rows, digest = EMPTY, position.rows, None
        known = known.extend(rows, digest)
    put(position.table, known)
    return known


def put(table: str, cached: CachedTable) -> None:
    """Keeps a table, and evicts the least recently used one if there are too many."""
    _cache[table] = cached
    if len(_cache) > MAX_CACHED:
        _cache.popitem(last=False)


def take_snapshot(table: str) -> SavedState | None:
    """A snapshot of the table as it is known here by now; None if it is not."""
    known = _cache.get(table, EMPTY)
    if known.state is None:
        return None
    try:
        body = encode_snapshot(known.state)
    except MemoryError:
        release_memory()
        return None
    _cache[table] = known._replace(unsaved=0.0)
    return SavedState(known.version, known.digest, body)


def load(position: LogPosition) -> MissingRows | None:
    """Applies rows of a log, so that the table is known up to there."""
    try:
        found = find(position)
    except MemoryError:
        return release_memory()
    return found if isinstance(found, MissingRows) else None
