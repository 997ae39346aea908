"""A table that is known to a server: its lines, who watches, and what it waits for."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from spieltisch.server.storage.store import StoredTable
from spieltisch.server.workers.rules import Log, Now, Stretch, Watcher
from spieltisch.table.events import Row, sealed
from spieltisch.table.state import Wait

MOST_TELLING: Final = 4  # at a time, of one table
SILENCE: Final = 10.0  # seconds after which a nonce is not waited for any more
CLOCK: Final = "clock"  # in the store: a person whose time runs


class Table:
    """A table that somebody looks at, or that has something to do."""

    def __init__(self, name: str, kept: StoredTable) -> None:
        self.name = name
        self.rows = kept.rows
        self.answers = kept.responses
        self.digest = sealed(b"", kept.rows)
        self.shown = 0  # the last line that the clerk was shown
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.streams = 0
        self.gone = False
        self.now: Now | None = None
        self.timed = True  # whether turns have a limit, as long as that is not known to be otherwise
        self.queued = False
        self.timer: asyncio.TimerHandle | None = None
        self.due: tuple[int | None, int] | None = None  # whose turn the timer watches, and since when
        self.told: OrderedDict[tuple[Watcher, int], asyncio.Future[Stretch]] = OrderedDict()  # for all who ask alike
        self.telling = asyncio.Semaphore(MOST_TELLING)
        self.watching: dict[object, Watcher] = {}  # who waits for news
        self.seen: tuple[int, bytes] | None = None  # the line after which a bot has the turn, and what it is told

    def log(self) -> Log:
        """How far the table is, with those of its lines that the clerk was not shown yet."""
        return Log(self.name, len(self.rows), self.digest, tuple(self.rows[self.shown :]))

    def grow(self, rows: Sequence[Row], now: Now | None) -> None:
        """Goes on, and wakes everybody who watches; how it stands then is not known where others have written."""
        self.rows.extend(rows)
        self.digest = sealed(self.digest, rows)
        self.stand(now)
        self.told.clear()
        self.wake()

    def stand(self, now: Now | None) -> None:
        """Takes down how it stands."""
        self.now = now
        if now is not None:
            self.timed = now.seconds is not None

    def watchers(self) -> list[Watcher]:
        """Those who are told at once what happens next; where there are many, the others ask."""
        known = len(self.rows)
        return list({one: None for one in self.watching.values() if one.after == known})[:MOST_TELLING]

    def tell(self, watcher: Watcher, told: Stretch) -> None:
        """Has ready what somebody will ask for."""
        ready: asyncio.Future[Stretch] = asyncio.get_running_loop().create_future()
        ready.set_result(told)
        self.told[watcher, len(self.rows)] = ready

    def wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


def waits(now: Now) -> str:
    """What the table waits for, in a word of the store."""
    kind = now.waiting.kind
    return CLOCK if kind is Wait.PERSON and now.seconds else kind.value


def left(table: Table, now: Now) -> float:
    """The seconds that are left to whoever is waited for."""
    began = table.rows[now.waiting.since - 1].at / 1000
    allowed = SILENCE if now.waiting.kind is Wait.NONCES else float(now.seconds or 0)
    return max(0.0, began + allowed - time.time())
