"""Rate limits: how often, how much and how many at once, by address and by client."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from spieltisch.core.game import Refusal
from spieltisch.i18n.message import Message, message_factory
from spieltisch.server.http.sliding_window import SlidingWindow

_say = message_factory("")
MAX_BODY_BYTES: Final = 64 * 1024
CONCURRENT_REPLAYS: Final = 2  # per address
RETRY_CONCURRENT: Final = 5  # seconds
SECOND, MINUTE, HOUR, DAY = 1, 60, 3600, 86_400  # seconds
REACTIONS: Final = 12  # per minute and client
CODES: Final = 10  # that an address may try per minute
ALL_CODES: Final = 200  # that all addresses together may try per minute


class RateLimits(NamedTuple):
    """What one address may do; 0 means no limit."""

    requests: int = 50  # per second
    tables: int = 60  # opened per hour
    daily_tables: int = 300  # opened per day
    replays: int = 30  # per minute
    streams: int = 60  # at once
    hints: int = 2  # at once
    pending: int = 24  # questions that wait for a worker process at once


class RateLimited(Refusal):
    """A limit was exceeded; `retry_after` is in seconds."""

    code = "limit"

    def __init__(self, message: Message, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class TooLarge(Refusal):
    """The body has too many bytes."""

    code = "too-large"


class RateLimiter:
    """Counts what every address and client does, in this process."""

    def __init__(self, limits: RateLimits, on_limited: Callable[[str], None] = lambda _: None) -> None:
        self._limits = limits
        self._on_limited = on_limited
        self._windows = {
            "requests": SlidingWindow(limits.requests, SECOND),
            "tables": SlidingWindow(limits.tables, HOUR),
            "daily_tables": SlidingWindow(limits.daily_tables, DAY),
            "replays": SlidingWindow(limits.replays, MINUTE),
            "pings": SlidingWindow(limits.streams, SECOND),
            "reactions": SlidingWindow(REACTIONS, MINUTE),
            "codes": SlidingWindow(CODES, MINUTE),
            "all_codes": SlidingWindow(ALL_CODES, MINUTE),
        }
        self._concurrent: Counter[tuple[str, str]] = Counter()

    def count_request(self, client: str) -> None:
        """Counts a request of an address or a client."""
        self._hit("requests", client)

    def count_table(self, address: str) -> None:
        """Counts a table that is opened."""
        self._hit("tables", address)
        self._hit("daily_tables", address)

    def count_replay(self, address: str) -> None:
        """Counts a record that is replayed."""
        self._hit("replays", address)

    def count_ping(self, address: str) -> None:
        """Counts the answer to a ping: as many per second as an address may have streams."""
        self._hit("pings", address)

    def count_reaction(self, client: str) -> None:
        """Counts a reaction."""
        self._hit("reactions", client)

    def count_code(self, address: str) -> None:
        """Counts a join code that is tried: by address, and of all, since one client may have many addresses."""
        self._hit("codes", address)
        self._hit("all_codes", "")

    def _hit(self, name: str, client: str) -> None:
        window = self._windows[name]
        if window.limit and (seconds := window.hit(client)):
            self._on_limited(name)
            raise RateLimited(_say("limit.often"), max(1, math.ceil(seconds)))

    def check_streams(self, address: str) -> None:
        """Refuses a stream above the limit, before its response starts."""
        self._check_concurrent("streams", self._limits.streams, address)

    @contextmanager
    def stream_slot(self, address: str) -> Iterator[None]:
        """Counts a stream for as long as it is open."""
        with self._slot("streams", self._limits.streams, address):
            yield

    @contextmanager
    def replay_slot(self, address: str) -> Iterator[None]:
        """Counts a replay for as long as it runs."""
        with self._slot("concurrent_replays", CONCURRENT_REPLAYS if self._limits.replays else 0, address):
            yield

    @contextmanager
    def hint_slot(self, address: str) -> Iterator[None]:
        """Counts a hint for as long as a bot computes it."""
        with self._slot("hints", self._limits.hints, address):
            yield

    def _check_concurrent(self, name: str, limit: int, address: str) -> None:
        if limit and self._concurrent[name, address] >= limit:
            self._on_limited(name)
            raise RateLimited(_say("limit.many"), RETRY_CONCURRENT)

    @contextmanager
    def _slot(self, name: str, limit: int, address: str) -> Iterator[None]:
        self._check_concurrent(name, limit, address)
        self._concurrent[name, address] += 1
        try:
            yield
        finally:
            self._concurrent[name, address] -= 1
            if not self._concurrent[name, address]:
                del self._concurrent[name, address]
