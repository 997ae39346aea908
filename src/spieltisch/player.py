"""Players: what one is told when it must choose, and what one is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias

from spieltisch.game import A, Heard, Sampler, V


class Seen(NamedTuple, Generic[A, V]):
    """All that a player is told: its view, its choices, and what its seat has heard since the game began."""

    view: V
    choices: Sequence[A]
    heard: Sequence[Heard]


class Clock(NamedTuple):
    """Until when, on the monotonic clock, a player may think; None is as long as it likes."""

    deadline: float | None = None

    def left(self) -> float:
        """The seconds left to think, never below zero."""
        return float("inf") if self.deadline is None else max(0.0, self.deadline - time.monotonic())


class Player(Protocol[A, V]):
    """Somebody who chooses: a bot, a person, a line to somewhere else."""

    def choose(self, seen: Seen[A, V], clock: Clock) -> A:
        """One of the choices."""
        ...


AnyPlayer: TypeAlias = Player[Any, Any]
MakePlayer: TypeAlias = Callable[[Sampler], AnyPlayer]
