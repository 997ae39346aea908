"""Sliding-window rate limiter: at most a given number of hits per key within a period.

A hit takes constant time and no thread, and only keys with a recent hit are in memory: after a restart everybody comes at
once, and somebody may send another token with every request.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

MAX_FORGOTTEN: Final = 2  # keys that one hit forgets: more than the one that it may add


class SlidingWindow:
    """The hits of every key within the last seconds."""

    def __init__(self, limit: int, period: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self.period = period
        self._clock = clock
        self._hits: OrderedDict[str, deque[float]] = OrderedDict()  # the key that was counted last is the last

    def __len__(self) -> int:
        """How many keys are in memory."""
        return len(self._hits)

    def hit(self, key: str) -> float:
        """Counts a hit and returns 0; above the limit it does not count, and the seconds are returned until one would."""
        now = self._clock()
        self._forget(now - self.period)
        hits = self._hits.get(key)
        if hits is None:
            hits = self._hits[key] = deque()
        while hits and hits[0] <= now - self.period:
            hits.popleft()
        if len(hits) >= self.limit:
            return hits[0] + self.period - now
        hits.append(now)
        self._hits.move_to_end(key)
        return 0.0

    def _forget(self, oldest: float) -> None:
        """Drops keys whose last hit is out of the window."""
        for _ in range(min(MAX_FORGOTTEN, len(self._hits))):
            key, hits = next(iter(self._hits.items()))
            if hits[-1] > oldest:
                return
            del self._hits[key]
