"""Alpha-beta: exact search for two seats, in which what one wins the other loses."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from spieltisch.core.game import Chance, Outcome, Over
from spieltisch.players.exact_search import ExactSearch, NodeBudget, Problem, outcome_value, require_forced

_INFINITY: Final = 1 << 62  # beyond every value
_WON: Final = outcome_value(Outcome((0, 0), (1, 2), ""), 0, points=False)
_SHARED: Final = outcome_value(Outcome((0, 0), (1, 1), ""), 0, points=False)
_LOST: Final = outcome_value(Outcome((0, 0), (2, 1), ""), 0, points=False)

_Child: TypeAlias = tuple[int, int, Any, Hashable]  # move-ordering rank, index of the action, state and its key


class AlphaBeta(ExactSearch):
    """MTD(f): alpha-beta with zero-width windows that close in on the value from both sides.

    Values are from seat 0's point of view. The transposition table holds the lower and the upper bound of a position, and
    the index of the best action so far.
    """

    def __init__(self, problem: Problem, budget: NodeBudget, guess: int) -> None:
        super().__init__(problem, budget)
        self.order = problem.hints.order
        self.bounds = problem.hints.bounds
        self.guess = guess
        self.table: dict[Hashable, tuple[int, int, int]] = {}
        self.killers: dict[int, Any] = {}  # killer heuristic: the last action that caused a cutoff, by depth

    def value(self, state: Any) -> int:
        """The value for seat 0: a guess that is corrected until both bounds meet."""
        key = self.probe(state)
        lower, upper, guess = -_INFINITY, _INFINITY, self.guess
        while lower < upper:
            beta = guess + 1 if guess == lower else guess
            guess = self.search(state, key, beta, 0)
            if guess < beta:
                upper = guess
            else:
                lower = guess
        self.guess = guess
        return guess

    def probe(self, state: Any) -> Hashable:
        """The transposition key of the state; a new position enters the table with the game's own bounds."""
        key = self.key(state)
        if key not in self.table:
            lower, upper = -_INFINITY, _INFINITY
            if self.bounds is not None:
                low, high = self.bounds(state)
                lower, upper = self.lead_value(low), self.lead_value(high)
            self.table[key] = (lower, upper, -1)
        return key

    def lead_value(self, lead: int) -> int:
        """The value for seat 0 of a final lead in points, in a game in which points decide."""
        standing = _WON if lead > 0 else _LOST if lead < 0 else _SHARED
        return standing + lead if self.points else standing

    def search(self, state: Any, key: Hashable, beta: int, depth: int) -> int:
        """Zero-window search, fail-soft: the result is at least beta exactly if the value is.

        A result of at least beta is a lower bound of the value, and a smaller one is an upper bound.
        """
        lower, upper, best_index = self.table[key]
        if lower >= beta:
            return lower
        if upper < beta:
            return upper
        self.budget.spend(depth)
        pending = self.game.pending(state)
        if isinstance(pending, Over):
            best = outcome_value(pending.outcome, 0, points=self.points)
            self.table[key] = (best, best, -1)
            return best
        if isinstance(pending, Chance):
            require_forced(pending)
            after = self.game.apply(state, pending.actions[0])
            return self.search(after, self.probe(after), beta, depth + 1)
        maximizing = pending.seat == 0
        best = -_INFINITY if maximizing else _INFINITY
        for _, index, child, child_key in self.children(
            state, pending.actions, best_index, beta, depth, maximizing=maximizing
        ):
            value = self.search(child, child_key, beta, depth + 1)
            if value > best if maximizing else value < best:
                best, best_index = value, index
                if (value >= beta) is maximizing:
                    self.killers[depth] = pending.actions[index]
                    break
        self.table[key] = (best, upper, best_index) if best >= beta else (lower, best, best_index)
        return best

    def children(
        self, state: Any, actions: Sequence[Any], best_index: int, beta: int, depth: int, *, maximizing: bool
    ) -> Iterator[_Child]:
        """The children in search order: the best action so far first, then by move ordering.

        If the table proves that a child causes a cutoff, it is the last one.
        """
        if best_index >= 0:
            child = self.game.apply(state, actions[best_index])
            yield 0, best_index, child, self.probe(child)
        ranks = self.order_ranks(state, actions, depth)
        rest: list[_Child] = []
        for index, action in enumerate(actions):
            if index == best_index:
                continue
            child = self.game.apply(state, action)
            key = self.probe(child)
            lower, upper, _ = self.table[key]
            if lower >= beta if maximizing else upper < beta:
                yield 0, index, child, key
                return
            rank = ranks[index] if ranks else -lower - upper if maximizing else lower + upper
            rest.append((rank, index, child, key))
        rest.sort()
        yield from rest

    def order_ranks(self, state: Any, actions: Sequence[Any], depth: int) -> list[int]:
        """Move-ordering rank per action, by the game's order or the killer heuristic; empty if the bounds tell more."""
        if self.order is not None:
            ranks = {action: rank for rank, action in enumerate(self.order(state, actions))}
            return [ranks[action] for action in actions]
        if self.bounds is not None:
            return []
        killer = self.killers.get(depth)
        return [0 if action == killer else 1 for action in actions]

    def best_line(self, state: Any) -> tuple[Outcome, tuple[Any, ...]]:
        value = self.value(state)
        line: list[Any] = []
        while not isinstance(pending := self.game.pending(state), Over):
            actions, index = pending.actions, 0
            if isinstance(pending, Chance):
                require_forced(pending)
            else:
                index = self.best_action(state, actions, value, len(line), maximizing=pending.seat == 0)
            line.append(actions[index])
            state = self.game.apply(state, actions[index])
        return pending.outcome, tuple(line)

    def best_action(self, state: Any, actions: Sequence[Any], value: int, depth: int, *, maximizing: bool) -> int:
        """The index of an action that keeps the position's value."""
        best_index = self.table[self.probe(state)][2]
        beta = value if maximizing else value + 1
        for _, index, child, key in self.children(state, actions, best_index, beta, depth, maximizing=maximizing):
            if (self.search(child, key, beta, depth + 1) >= beta) is maximizing:
                return index
        raise AssertionError(value)
