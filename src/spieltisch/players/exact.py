"""What every exact search shares: what ends are worth, the budget, the hints of a game, and lines to the end."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import lcm
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from spieltisch.core.game import AnyGame, Chance, Outcome, Over, Refusal
from spieltisch.core.player import Clock
from spieltisch.i18n.message import message_factory

Key: TypeAlias = Callable[[Any], Hashable]
Order: TypeAlias = Callable[[Any, Sequence[Any]], Sequence[Any]]
Bounds: TypeAlias = Callable[[Any], tuple[int, int]]
Watch: TypeAlias = Callable[[int], None]

DEEPEST: Final = 400  # a longer line is beyond any budget
POINTS: Final = 1 << 34  # more than twice as far as anybody is ever ahead
_OFTEN: Final = 128  # positions between two looks at the clock

_say = message_factory("")


class ChanceAhead(Refusal):
    """Chance can still go more than one way, so that no end is certain."""

    code: ClassVar[str] = "chance-ahead"


class Spent(Exception):
    """The budget ran out."""


class Hints(NamedTuple):
    """What a game can tell those who solve it; all of it may be missing, and nothing of it changes what is found."""

    key: Key | None = None  # what tells the positions of one game apart, smaller and quicker than the state itself
    order: Order | None = None  # the same actions, the most promising first
    bounds: Bounds | None = None  # with two seats: the least and the most points seat 0 can be ahead at the end

    # Only a game in which more points are a better rank, and equal points a shared one, may give bounds.


class Asked(NamedTuple):
    """What is to be solved, and how."""

    game: AnyGame
    hints: Hints
    points: bool  # whether points count, or only who wins


class Valued(NamedTuple):
    """A choice, and the line and the end that best play leads to after it."""

    action: Any
    outcome: Outcome
    line: tuple[Any, ...]  # begins with the action


class Budget:
    """How many positions may be looked at, and for how long."""

    def __init__(self, most: int, clock: Clock, watch: Watch | None) -> None:
        self.most = most
        self.nodes = 0
        self.clock = clock
        self.watch = watch

    def spend(self, depth: int) -> None:
        """Counts a position; Spent where it is one too many, or too deep."""
        self.nodes += 1
        if self.nodes > self.most or depth > DEEPEST:
            raise Spent
        if self.nodes % _OFTEN == 0:
            if self.clock.left() <= 0:
                raise Spent
            if self.watch is not None:
                self.watch(self.nodes)


def whole(seats: int) -> int:
    """A whole victory, in parts that can be shared evenly among any of the seats."""
    return lcm(*range(1, seats + 1))


def worth(outcome: Outcome, seat: int, *, points: bool = True) -> int:
    """What an end is worth to a seat: by its share of the victory, then its rank, then its lead on the best other."""
    scores, ranks, _ = outcome
    seats = len(ranks)
    share = whole(seats) // ranks.count(1) if ranks[seat] == 1 else 0
    standing = share * (seats + 1) + seats - ranks[seat]
    if not points:
        return standing * POINTS
    others = scores[:seat] + scores[seat + 1 :]
    return standing * POINTS + scores[seat] - max(others, default=0)


def share_in(worth: int, seats: int) -> int:
    """The share of the victory that a worth holds."""
    return (worth + POINTS // 2) // POINTS // (seats + 1)


def check(chance: Chance[Any]) -> None:
    """Refuses a chance that can go more than one way."""
    if len(chance.actions) > 1:
        raise ChanceAhead(_say("solve.chance"))


def itself(state: Any) -> Hashable:
    """The state, as the key of its position."""
    found: Hashable = state
    return found


class Search:
    """An exact search: its table lasts, so that one position helps with the next."""

    def __init__(self, asked: Asked, budget: Budget) -> None:
        self.game = asked.game
        self.key: Key = asked.hints.key or itself
        self.points = asked.points
        self.budget = budget

    def line_from(self, state: Any) -> tuple[Outcome, tuple[Any, ...]]:
        """The end that best play leads to, and the way there."""
        raise NotImplementedError

    def valued_choices(self, state: Any) -> list[Valued]:
        """Every choice there is, with the end that it leads to; empty where nobody chooses."""
        pending = self.game.pending(state)
        if isinstance(pending, Over | Chance):
            return []
        valued: list[Valued] = []
        for action in pending.actions:
            outcome, line = self.line_from(self.game.apply(state, action))
            valued.append(Valued(action, outcome, (action, *line)))
        return valued

    def best_of(self, choices: Sequence[Valued], seat: int) -> Valued:
        """The first of the choices that are best for the seat."""
        worths = [worth(valued.outcome, seat, points=self.points) for valued in choices]
        return choices[worths.index(max(worths))]
