"""What the exact searches share: the value of outcomes, the node budget, hints of a game, and variations."""

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
Progress: TypeAlias = Callable[[int], None]

MAX_DEPTH: Final = 400  # a longer line counts as beyond any budget
POINTS: Final = 1 << 34  # more than twice the largest possible lead
_CLOCK_INTERVAL: Final = 128  # nodes between two looks at the clock

_say = message_factory("")


class ChanceAhead(Refusal):
    """Chance still has more than one outcome, so that no end is certain."""

    code: ClassVar[str] = "chance-ahead"


class BudgetSpent(Exception):
    """The node budget or the clock ran out."""


class Hints(NamedTuple):
    """Optional hints of a game for the solver; they change its speed, never its result."""

    key: Key | None = (
        None  # transposition key: identifies a position within one game, smaller and faster than the state
    )
    order: Order | None = None  # move ordering: the same actions, the most promising first
    bounds: Bounds | None = None  # with two seats: the smallest and the largest final lead of seat 0

    # Bounds are allowed only if more points mean a better rank, and equal points an equal one.


class Problem(NamedTuple):
    """What is to be solved, and how."""

    game: AnyGame
    hints: Hints
    points: bool  # whether points count, or only who wins


class Variation(NamedTuple):
    """An action with its principal variation: the line of best play after it, and the outcome."""

    action: Any
    outcome: Outcome
    line: tuple[Any, ...]  # starts with the action


class NodeBudget:
    """Limits the number of nodes and the time of an exact search."""

    def __init__(self, limit: int, clock: Clock, progress: Progress | None) -> None:
        self.limit = limit
        self.nodes = 0
        self.clock = clock
        self.progress = progress

    def spend(self, depth: int) -> None:
        """Counts one node; BudgetSpent if it is one too many, or too deep."""
        self.nodes += 1
        if self.nodes > self.limit or depth > MAX_DEPTH:
            raise BudgetSpent
        if self.nodes % _CLOCK_INTERVAL == 0:
            if self.clock.left() <= 0:
                raise BudgetSpent
            if self.progress is not None:
                self.progress(self.nodes)


def full_victory(seats: int) -> int:
    """An undivided victory, as a number that can be split evenly among any number of the seats."""
    return lcm(*range(1, seats + 1))


def outcome_value(outcome: Outcome, seat: int, *, points: bool = True) -> int:
    """The value of an outcome for a seat: by its share of the victory, then its rank, then its lead over the best other."""
    scores, ranks, _ = outcome
    seats = len(ranks)
    share = full_victory(seats) // ranks.count(1) if ranks[seat] == 1 else 0
    standing = share * (seats + 1) + seats - ranks[seat]
    if not points:
        return standing * POINTS
    others = scores[:seat] + scores[seat + 1 :]
    return standing * POINTS + scores[seat] - max(others, default=0)


def victory_share(value: int, seats: int) -> int:
    """The share of the victory that a value contains."""
    return (value + POINTS // 2) // POINTS // (seats + 1)


def require_forced(chance: Chance[Any]) -> None:
    """Raises ChanceAhead if chance has more than one outcome."""
    if len(chance.actions) > 1:
        raise ChanceAhead(_say("solve.chance"))


def state_key(state: Any) -> Hashable:
    """The state itself as its transposition key."""
    key: Hashable = state
    return key


class ExactSearch:
    """Base of the exact searches; the transposition table lasts, so that one position helps with the next."""

    def __init__(self, problem: Problem, budget: NodeBudget) -> None:
        self.game = problem.game
        self.key: Key = problem.hints.key or state_key
        self.points = problem.points
        self.budget = budget

    def best_line(self, state: Any) -> tuple[Outcome, tuple[Any, ...]]:
        """The outcome of best play, and the line that leads to it."""
        raise NotImplementedError

    def variations(self, state: Any) -> list[Variation]:
        """The variation of every action; empty if nobody is to choose."""
        pending = self.game.pending(state)
        if isinstance(pending, Over | Chance):
            return []
        variations: list[Variation] = []
        for action in pending.actions:
            outcome, line = self.best_line(self.game.apply(state, action))
            variations.append(Variation(action, outcome, (action, *line)))
        return variations

    def best_of(self, variations: Sequence[Variation], seat: int) -> Variation:
        """The first of the variations that are best for the seat."""
        values = [outcome_value(variation.outcome, seat, points=self.points) for variation in variations]
        return variations[values.index(max(values))]
