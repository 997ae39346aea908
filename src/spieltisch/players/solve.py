"""The solver: how a game ends when nothing is left to chance, everything is known and everybody plays their best.

What a seat wants, the most important first: a larger share of the victory, a better rank, a larger lead on the best other.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Decision, Outcome, Over
from spieltisch.core.player import Clock
from spieltisch.players.alpha_beta import Duel
from spieltisch.players.exact import (
    Asked,
    Bounds,
    Budget,
    ChanceAhead,
    Hints,
    Key,
    Order,
    Search,
    Spent,
    Valued,
    Watch,
    check,
    worth,
)
from spieltisch.players.maxn import Several

__all__ = ["NODES", "ChanceAhead", "Hints", "Solved", "Valued", "find_hints", "solve", "worth"]

NODES: Final = 200_000


class Solved(NamedTuple):
    """What best play by everybody leads to."""

    outcome: Outcome
    line: tuple[Any, ...]  # best play to the end, draws of a single outcome among it
    choices: tuple[Valued, ...]  # every choice there is now, in canonical order; empty where they were not asked for
    nodes: int  # positions looked at
    proven: bool  # True: points and all; False: only who wins, since nothing else was asked


def find_hints(game: AnyGame) -> Hints:
    """The hints that the game's folder holds: `key`, `order` and `bounds` in its endgame.py."""
    module = registry.part(game, "endgame")
    return Hints(getattr(module, "key", None), getattr(module, "order", None), getattr(module, "bounds", None))


def solve(
    game: AnyGame,
    state: Any,
    nodes: int = NODES,
    *,
    key: Key | None = None,
    order: Order | None = None,
    bounds: Bounds | None = None,
    clock: Clock | None = None,
    all_actions: bool = False,
    victory_only: bool = False,
    watch: Watch | None = None,
) -> Solved | None:
    """How the game ends under best play; None where the budget runs out, ChanceAhead where chance is still to come.

    Without a clock the answer is the same on every machine. Leaving points aside (`victory_only`) is much less work.
    """
    asked = Asked(game, Hints(key, order, bounds), not victory_only)
    budget = Budget(nodes, clock or Clock(), watch)
    try:
        outcome, line, choices = _solved(asked, state, budget, every=all_actions)
    except Spent:
        return None
    return Solved(outcome, line, choices, budget.nodes, not victory_only)


def _solved(
    asked: Asked, state: Any, budget: Budget, *, every: bool
) -> tuple[Outcome, tuple[Any, ...], tuple[Valued, ...]]:
    search = _begin(asked, state, budget)
    forced: list[Any] = []
    while isinstance(pending := asked.game.pending(state), Chance):
        check(pending)
        forced.append(pending.actions[0])
        state = asked.game.apply(state, pending.actions[0])
    if not every or not isinstance(pending, Decision):
        outcome, line = search.line_from(state)
        return outcome, (*forced, *line), ()
    choices = tuple(search.valued_choices(state))
    best = search.best_of(choices, pending.seat)
    return best.outcome, (*forced, *best.line), choices


def _begin(asked: Asked, state: Any, budget: Budget) -> Search:
    """The search that fits the number of seats, told by playing on with whatever comes first; that end is a first guess."""
    game, depth = asked.game, 0
    while not isinstance(pending := game.pending(state), Over):
        budget.spend(depth)
        depth += 1
        if isinstance(pending, Chance):
            check(pending)
        state = game.apply(state, pending.actions[0])
    seats = len(pending.outcome.scores)
    if seats == 2:
        return Duel(asked, budget, worth(pending.outcome, 0, points=asked.points))
    return Several(asked, budget, seats)
