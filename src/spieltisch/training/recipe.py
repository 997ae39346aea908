"""The recipe of a training: sizes, and schedules over its progress."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from spieltisch.core.net import Net


class Rates(NamedTuple):
    """The scheduled numbers at one moment of the training."""

    learning: float
    temperature: float  # of the Gumbel noise on the values of choices
    exploration: float  # the highest probability of a random choice; rows have from none to this
    margin: float  # weight of a lead relative to the share of the victory
    trace: float  # λ


@dataclass(frozen=True)
class Recipe:
    """Sizes and hyperparameters."""

    hidden: tuple[int, ...]
    games: int  # in parallel, over all setups
    steps: int  # per chunk: decisions of every game between two updates
    minibatch: int
    trace: float
    epochs: int = 1  # how often a chunk is learned from
    learning: float = 1e-3
    temperature: tuple[float, float] = (0.02, 0.004)  # at the start and at the end
    margin: tuple[float, float] = (0.1, 0.02)
    exploration: float = 0.15
    average: float = 0.999  # decay of the moving average of the weights
    points_weight: float = 2.0  # of the squared error relative to the cross-entropy
    last_trace: float = 0.95  # λ of the last part, for calibration
    last_part: float = 0.2
    start: str = ""  # the weights that the training started from; random ones if empty

    def at(self, progress: float) -> Rates:
        """The rates at a progress from 0 to 1."""
        last = progress >= 1 - self.last_part
        return Rates(
            self.learning * max(0.01, 0.5 * (1 + math.cos(math.pi * progress))),
            _geometric(*self.temperature, progress),
            self.exploration * (1 - progress),
            _geometric(*self.margin, progress),
            max(self.trace, self.last_trace) if last else self.trace,
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def _geometric(first: float, last: float, progress: float) -> float:
    return first * math.pow(last / first, progress)


def recipe_for(net: Net, *, large: bool) -> Recipe:
    """The recipe for a GPU (large), or for a CPU, on which a small net learns in minutes."""
    steps = 16 if net.shared else 32  # the last decisions of a chunk have no target: a seat's own are further apart
    if large:
        return Recipe(net.hidden, 32768 if net.shared else 16384, steps, 16384, net.trace)
    return Recipe((96, 48), 480 if net.shared else 240, steps, 1024, net.trace, learning=2e-3)
