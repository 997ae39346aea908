"""Good and bad bots for the tests of the arena."""

from __future__ import annotations

import random
import sys
from typing import Any


class First:
    """Takes the first choice."""

    def __init__(self, sampler: random.Random) -> None:
        self.calls = 0

    def choose(self, seen: Any, clock: Any) -> Any:
        self.calls += 1
        return seen.choices[0]


class Crashing(First):
    """Crashes at its second choice."""

    def choose(self, seen: Any, clock: Any) -> Any:
        if self.calls:
            raise ZeroDivisionError("by <nothing>")
        return super().choose(seen, clock)


class Leaving(First):
    """Exits the process."""

    def choose(self, seen: Any, clock: Any) -> Any:
        sys.exit(3)


class Lying(First):
    """Returns something that is none of its choices."""

    def choose(self, seen: Any, clock: Any) -> Any:
        return "a king and a castle"


class Absent(First):
    """Fails in its constructor."""

    def __init__(self, sampler: random.Random) -> None:
        if sampler.random() < 2:
            raise OSError("stuck in traffic")


BOTS = {"first": First, "alike": First, "crashing": Crashing, "leaving": Leaving, "lying": Lying}
