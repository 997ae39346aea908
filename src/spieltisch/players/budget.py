"""Search budget: a number of simulations, which is the same on every machine, or seconds."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

from spieltisch.core.player import Clock

_RESERVE: Final = 0.1  # share of the time left on a clock that is kept for everything but the search


class Budget(NamedTuple):
    """Simulations, or seconds."""

    simulations: int | None = None
    seconds: float | None = None


class Meter:
    """Consumption of a budget by one decision; a clock that runs out ends every budget."""

    def __init__(self, budget: Budget, clock: Clock) -> None:
        self.simulations = budget.simulations
        self.done = 0
        self.started = time.monotonic()
        left = clock.left() * (1 - _RESERVE)
        self.seconds = min(left, budget.seconds if budget.seconds is not None else float("inf"))

    def spent(self) -> float:
        """The share of the budget that is spent; 1 or more if nothing is left."""
        share = self.done / self.simulations if self.simulations else 0.0
        if self.seconds != float("inf"):
            elapsed = time.monotonic() - self.started
            share = max(share, elapsed / self.seconds if self.seconds else 1.0)
        return share
