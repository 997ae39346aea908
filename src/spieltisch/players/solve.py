"""Exact solver: how a game ends if nothing is left to chance, everything is known and every seat plays its best.

A seat's preferences, the most important first: a larger share of the victory, a better rank, a larger lead over the best
other seat.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Decision, Outcome, Over
from spieltisch.core.player import Clock, Estimate, Estimates, Knowledge, Scale
from spieltisch.players.alpha_beta import AlphaBeta
from spieltisch.players.exact_search import (
    Bounds,
    BudgetSpent,
    ChanceAhead,
    ExactSearch,
    Hints,
    Key,
    NodeBudget,
    Order,
    Problem,
    Progress,
    Variation,
    outcome_value,
    require_forced,
)
from spieltisch.players.maxn import MaxN

__all__ = [
    "NODES",
    "ChanceAhead",
    "EndSolver",
    "Hints",
    "Solution",
    "Variation",
    "estimate_exactly",
    "find_hints",
    "outcome_value",
    "solve",
]

NODES: Final = 200_000
_CHEAP_NODES: Final = 2_000


class Solution(NamedTuple):
    """The result of best play by every seat."""

    outcome: Outcome
    line: tuple[Any, ...]  # principal variation to the end, including draws with a single outcome
    choices: tuple[Variation, ...]  # the variation of every action, in canonical order; empty if not requested
    nodes: int  # positions searched
    proven: bool  # True: points included; False: only who wins, because nothing else was requested


def estimate_exactly(solution: Solution, chosen: Any, seat: int) -> Estimates[Any]:
    """The exact value of every choice of a solution: shares of the victory, and the seat's final lead as the score."""
    ranked = sorted(solution.choices, key=lambda choice: -outcome_value(choice.outcome, seat))
    estimates = [
        Estimate(
            choice.action,
            tuple(float(rank == 1) / choice.outcome.ranks.count(1) for rank in choice.outcome.ranks),
            score=_lead(choice.outcome, seat),
        )
        for choice in ranked
    ]
    return Estimates(Scale.EXACT, estimates, chosen)


def _lead(outcome: Outcome, seat: int) -> float:
    others = outcome.scores[:seat] + outcome.scores[seat + 1 :]
    return float(outcome.scores[seat] - max(others, default=0))


def find_hints(game: AnyGame) -> Hints:
    """The hints in the game's endgame.py: `key`, `order` and `bounds`."""
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
    progress: Progress | None = None,
) -> Solution | None:
    """The solution of the position; None if the budget runs out, ChanceAhead if chance is still to come.

    Without a clock the result is the same on every machine. Ignoring points (`victory_only`) takes far fewer nodes.
    """
    problem = Problem(game, Hints(key, order, bounds), not victory_only)
    budget = NodeBudget(nodes, clock or Clock(), progress)
    try:
        outcome, line, choices = _solve(problem, state, budget, all_actions=all_actions)
    except BudgetSpent:
        return None
    return Solution(outcome, line, choices, budget.nodes, not victory_only)


class EndSolver:
    """Solves the end of a game for players on a net, if the game says that it is near and it takes few nodes."""

    def __init__(self, game: AnyGame, knowledge: Knowledge[Any, Any], nodes: int = _CHEAP_NODES) -> None:
        self.game, self.knowledge, self.nodes = game, knowledge, nodes

    def estimate(self, state: Any, clock: Clock) -> Estimates[Any] | None:
        """The exact value of every choice in a state in which nothing is hidden; None if it is too far from the end."""
        pending = self.game.pending(state)
        if not (isinstance(pending, Decision) and self.knowledge.is_endgame(state)):
            return None
        try:
            solution = solve(
                self.game, state, self.nodes, clock=clock, all_actions=True, **find_hints(self.game)._asdict()
            )
        except ChanceAhead:
            return None
        return solution and estimate_exactly(solution, solution.line[0], pending.seat)


def _solve(
    problem: Problem, state: Any, budget: NodeBudget, *, all_actions: bool
) -> tuple[Outcome, tuple[Any, ...], tuple[Variation, ...]]:
    search = _make_search(problem, state, budget)
    forced: list[Any] = []
    while isinstance(pending := problem.game.pending(state), Chance):
        require_forced(pending)
        forced.append(pending.actions[0])
        state = problem.game.apply(state, pending.actions[0])
    if not all_actions or not isinstance(pending, Decision):
        outcome, line = search.best_line(state)
        return outcome, (*forced, *line), ()
    choices = tuple(search.variations(state))
    best = search.best_of(choices, pending.seat)
    return best.outcome, (*forced, *best.line), choices


def _make_search(problem: Problem, state: Any, budget: NodeBudget) -> ExactSearch:
    """The search for this number of seats. An arbitrary line is played to the end: its outcome is the first guess."""
    game, depth = problem.game, 0
    while not isinstance(pending := game.pending(state), Over):
        budget.spend(depth)
        depth += 1
        if isinstance(pending, Chance):
            require_forced(pending)
        state = game.apply(state, pending.actions[0])
    seats = len(pending.outcome.scores)
    if seats == 2:
        return AlphaBeta(problem, budget, outcome_value(pending.outcome, 0, points=problem.points))
    return MaxN(problem, budget, seats)
