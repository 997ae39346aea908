"""The random player."""

from __future__ import annotations

from spieltisch.core.game import A, Sampler, V
from spieltisch.core.player import Clock, Seen


class RandomPlayer:
    """Chooses uniformly at random."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def choose(self, seen: Seen[A, V], clock: Clock) -> A:
        return seen.choices[self.sampler.randrange(len(seen.choices))]
