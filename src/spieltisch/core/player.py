"""Players: what one is told when it must choose, and what one is."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias

from spieltisch.core.game import A, Heard, S, Sampler, V


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


class Level(NamedTuple):
    """How strong a player is, the same on every machine."""

    thinks: str = ""  # how it looks ahead: 'mc', 'search', or '' for not at all
    simulations: int = 0
    slip: float = 0.0  # by how many points it misjudges a choice
    worst: float = 0.0  # a choice that seems worse than the best by more points is never taken
    remembers: int | None = None  # how many of the last actions it remembers; None for all


LEVELS: Final = (
    Level("mc", 4),
    Level("mc", 16),
    Level("mc", 64),
    Level("search", 200),
    Level("search", 600),
)  # for games that say nothing else; level 1 comes first


class Knowledge(Generic[S, A]):
    """What is known about playing a game well, for players that look ahead; this one knows nothing.

    A game gives its own class as KNOWLEDGE in its players.py. It is asked about imagined states, never about the real one.
    """

    scale: float = 1.0  # points of lead with which a seat wins about three games of four
    trust: float = 1.0  # how many simulations a rating counts for
    estimates: bool = False  # whether positions can be estimated before the end

    def rate(self, state: S, actions: Sequence[A], sampler: Sampler) -> Sequence[float]:
        """What each choice seems to be worth to the seat that chooses, in points: only differences count."""
        return [0.0] * len(actions)

    def plain(self, state: S) -> bool:
        """Whether the ratings alone decide here, since looking ahead would tell nothing more."""
        return False

    def hurry(self, state: S, actions: Sequence[A], sampler: Sampler) -> A:
        """A quick and not too bad choice, for playing on to see where a position leads."""
        return actions[sampler.randrange(len(actions))]

    def finish(self, state: S, actions: Sequence[A], sampler: Sampler) -> A:
        """A good choice for the rest of a turn that has been begun by the one whose choices are compared."""
        return self.hurry(state, actions, sampler)

    def settled(self, state: S) -> bool:
        """Whether the position can be estimated as it is: not in the middle of a turn that is yet to pay."""
        return True

    def estimate(self, state: S) -> Sequence[float]:
        """What every seat will probably score; asked only of settled positions, and only where `estimates` is true."""
        raise NotImplementedError

    def near_end(self, state: S) -> bool:
        """Whether it is worth trying to work out the rest of the game exactly."""
        return False
