"""RateLimiter: how often, how much and how many at once, by address and by browser."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from spieltisch.core.game import Refusal
from spieltisch.i18n.message import Message, message_factory

_say = message_factory("")
MAX_BODY_BYTES: Final = 64 * 1024  # of a request's body
READING: Final = 2  # records of one address at once


class RateLimits(NamedTuple):
    """What one address may do; 0 is without limit."""

    requests: int = 50  # a second
    tables: int = 60  # opened an hour
    replays: int = 30  # a minute
    streams: int = 60  # at once
    hints: int = 2  # at once


class RateLimited(Refusal):
    """More than is allowed; `after` says in how many seconds it may be tried again."""

    code = "limit"

    def __init__(self, message: Message, after: int) -> None:
        super().__init__(message)
        self.after = after


class TooLarge(Refusal):
    """A body of more bytes than are taken."""

    code = "too-large"


class RateLimiter:
    """What every address has used up, in this process."""

    def __init__(self, allowed: RateLimits) -> None:
        self.allowed = allowed
        self._window = MovingWindowRateLimiter(MemoryStorage())
        self._at_once: Counter[tuple[str, str]] = Counter()
        self.refused: Counter[str] = Counter()  # for the metrics

    def count_request(self, who: str) -> None:
        """Counts a request of an address or of a browser."""
        self._hit("requests", self.allowed.requests, RateLimitItemPerSecond, who)

    def count_table(self, address: str) -> None:
        """Counts a table that is opened."""
        self._hit("tables", self.allowed.tables, RateLimitItemPerHour, address)

    def count_replay(self, address: str) -> None:
        """Counts a record that is replayed."""
        self._hit("replays", self.allowed.replays, RateLimitItemPerMinute, address)

    def _hit(self, what: str, most: int, per: type[RateLimitItem], who: str) -> None:
        if not most:
            return
        item = per(most)
        if not self._window.hit(item, what, who):
            self.refused[what] += 1
            after = self._window.get_window_stats(item, what, who).reset_time - time.time()
            raise RateLimited(_say("limit.often"), max(1, math.ceil(after)))

    def check_streams(self, address: str) -> None:
        """Refuses a stream more than there may be, before it begins."""
        self._check("streams", self.allowed.streams, address)

    @contextmanager
    def stream_slot(self, address: str) -> Iterator[None]:
        """Counts a stream as long as it is open."""
        with self._holding("streams", self.allowed.streams, address):
            yield

    @contextmanager
    def replay_slot(self, address: str) -> Iterator[None]:
        """Counts a record as long as it is read."""
        with self._holding("reading", READING if self.allowed.replays else 0, address):
            yield

    @contextmanager
    def hint_slot(self, address: str) -> Iterator[None]:
        """Counts a hint as long as it is thought about."""
        with self._holding("hints", self.allowed.hints, address):
            yield

    def _check(self, what: str, most: int, who: str) -> None:
        if most and self._at_once[what, who] >= most:
            self.refused[what] += 1
            raise RateLimited(_say("limit.many"), 5)

    @contextmanager
    def _holding(self, what: str, most: int, who: str) -> Iterator[None]:
        self._check(what, most, who)
        self._at_once[what, who] += 1
        try:
            yield
        finally:
            self._at_once[what, who] -= 1
            if not self._at_once[what, who]:
                del self._at_once[what, who]
