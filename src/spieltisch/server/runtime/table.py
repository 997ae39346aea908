"""A live table: its log in memory, its subscribers, and what it waits for."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Final

from spieltisch.server.storage.reads import StoredTable
from spieltisch.server.storage.writes import Snapshot
from spieltisch.server.workers.rules import StreamChunk, Subscriber, TableStatus
from spieltisch.server.workers.table_cache import LogPosition, SavedState
from spieltisch.table import clocks
from spieltisch.table.codec import Row, chain_digest
from spieltisch.table.state import Wait

MAX_PROJECTIONS: Final = 4  # of one table at a time
MAX_REACTIONS: Final = 20  # that wait to be sent
CLOCK: Final = "clock"  # in the store: a person whose time runs


class Table:
    """A table that somebody reads, or that has something scheduled."""

    def __init__(self, name: str, stored: StoredTable) -> None:
        self.name = name
        self.rows = stored.rows
        self.responses = stored.responses
        self.digest = stored.digest
        self._prefix = 0, b""  # a version and its digest
        self.sent = 0  # the last row that the rules worker was sent
        self.saved: SavedState | None = None  # from which a rules worker starts that does not know the table
        if stored.snapshot is not None:
            self.set_snapshot(stored.snapshot)
        self.account = f"table {name}"  # charged for its bots: the address that sent the last command, if it is known
        self.commands = 0  # that are carried out or wait
        self.saving = False  # whether a snapshot is being written
        self.failures = 0  # of what was scheduled, one after another
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.streams = 0
        self.deleted = False
        self.status: TableStatus | None = None
        self.timed = True  # whether turns have a time limit, until that is known
        self.queued = False
        self.timer: asyncio.TimerHandle | None = None
        self.due: tuple[int | None, int] | None = None  # whose turn the timer watches, and since when
        self.chunks: OrderedDict[tuple[Subscriber, int], asyncio.Future[StreamChunk]] = OrderedDict()  # shared
        self.projecting = asyncio.Semaphore(MAX_PROJECTIONS)
        self.subscribers: dict[object, Subscriber] = {}  # by stream
        self.reactions: deque[tuple[int, int, str]] = deque(maxlen=MAX_REACTIONS)  # a running number, seat, reaction
        self.seen: tuple[int, bytes] | None = None  # the event after which a bot has the turn, and what it is told

    def set_snapshot(self, snapshot: Snapshot) -> None:
        """Notes a snapshot of these events for a rules worker that does not know the table."""
        self.saved = SavedState(snapshot.version, bytes.fromhex(snapshot.digest), snapshot.body)
        self._prefix = self.saved.version, self.saved.digest

    def position(self, version: int | None = None) -> LogPosition:
        """How far the log is, or was, with those of its rows that the rules worker was not sent yet."""
        saved = None if self.sent else self.saved
        end, digest = (len(self.rows), self.digest) if version is None else (version, self.prefix_digest(version))
        return LogPosition(self.name, end, digest, tuple(self.rows[self.known : end]), saved)

    @property
    def known(self) -> int:
        """The last row that the rules worker need not be sent."""
        return self.sent or (self.saved.version if self.saved else 0)

    def prefix_digest(self, version: int) -> bytes:
        """The digest of the rows up to a version."""
        known, digest = self._prefix if self._prefix[0] <= version else (0, b"")
        self._prefix = version, chain_digest(digest, self.rows[known:version])
        return self._prefix[1]

    def finish_command(self, _: object) -> None:
        """Notes that a command is done."""
        self.commands -= 1

    def extend(self, rows: Sequence[Row], status: TableStatus | None) -> None:
        """Adds rows and wakes all subscribers; the status is unknown if another process has written them."""
        self.rows.extend(rows)
        self.digest = chain_digest(self.digest, rows)
        self.set_status(status)
        self.chunks.clear()
        self.wake()

    def set_status(self, status: TableStatus | None) -> None:
        """Notes the table's status."""
        self.status = status
        if status is not None:
            self.timed = status.seconds is not None

    def up_to_date_subscribers(self) -> list[Subscriber]:
        """Subscribers for which the next chunk is projected at once; if there are many, the others ask for it."""
        known = len(self.rows)
        return list({one: None for one in self.subscribers.values() if one.after == known})[:MAX_PROJECTIONS]

    def cache_chunk(self, subscriber: Subscriber, chunk: StreamChunk) -> None:
        """Prepares a chunk that a subscriber will ask for."""
        ready: asyncio.Future[StreamChunk] = asyncio.get_running_loop().create_future()
        ready.set_result(chunk)
        self.chunks[subscriber, len(self.rows)] = ready

    @property
    def last_reaction(self) -> int:
        """The number of the last reaction."""
        return self.reactions[-1][0] if self.reactions else 0

    def show_reaction(self, seat: int, reaction: str) -> None:
        """Shows a reaction to all subscribers; it is not kept."""
        self.reactions.append((self.last_reaction + 1, seat, reaction))
        self.wake()

    def wake(self) -> None:
        """Wakes all subscribers."""
        self.changed.set()
        self.changed = asyncio.Event()


def waits_for(status: TableStatus) -> str:
    """What the table waits for, as the store's column says it."""
    kind = status.waiting.kind
    return CLOCK if kind is Wait.PERSON and status.seconds else kind.value


def seconds_left(table: Table, status: TableStatus) -> float:
    """The seconds left until the deadline of what the table waits for: never more than all, if clocks are set back."""
    since = table.rows[status.waiting.since - 1].at
    deadline = clocks.deadline(status.waiting.kind, since, status.seconds) or since
    return min(max(0.0, deadline / 1000 - time.time()), (deadline - since) / 1000)
