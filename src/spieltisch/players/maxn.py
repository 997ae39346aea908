"""Max^n: exact search for any number of seats, in which every seat maximizes its own value."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from spieltisch.core.game import Chance, Outcome, Over
from spieltisch.players.exact_search import (
    ExactSearch,
    NodeBudget,
    Problem,
    full_victory,
    outcome_value,
    require_forced,
    victory_share,
)


class _TableEntry(NamedTuple):
    """Transposition entry: the values of a position per seat, or, if they are None, a share that `seat` surely gets."""

    values: tuple[int, ...] | None
    best: int  # index of the best action
    seat: int
    share: int


class MaxN(ExactSearch):
    """Max^n with shallow pruning; among equally good actions, the first in canonical order is taken."""

    def __init__(self, problem: Problem, budget: NodeBudget, seats: int) -> None:
        super().__init__(problem, budget)
        self.seats = seats
        self.full_victory = full_victory(seats)
        self.table: dict[Hashable, _TableEntry] = {}

    def values(self, state: Any, depth: int, parent: int, slack: int) -> tuple[int, ...] | None:
        """The values of a position per seat; None if the parent, the seat that chose before, will certainly avoid it.

        That is the case if another seat can take more of the victory here than the parent's slack: what is left of the
        victory after the share that the parent already has elsewhere.
        """
        key = self.key(state)
        entry = self.table.get(key)
        if entry is not None:
            if entry.values is not None:
                return entry.values
            if entry.seat != parent and entry.share > slack:
                return None
        self.budget.spend(depth)
        pending = self.game.pending(state)
        if isinstance(pending, Over):
            values = tuple([outcome_value(pending.outcome, seat, points=self.points) for seat in range(self.seats)])
            self.table[key] = _TableEntry(values, 0, 0, 0)
            return values
        if isinstance(pending, Chance):
            require_forced(pending)
            return self.values(self.game.apply(state, pending.actions[0]), depth + 1, parent, slack)
        best: tuple[int, ...] | None = None
        seat, best_index, share = int(pending.seat), 0, 0
        for index, action in enumerate(pending.actions):
            child = self.values(self.game.apply(state, action), depth + 1, seat, self.full_victory - share)
            if child is None or (best is not None and child[seat] <= best[seat]):
                continue
            best, best_index, share = child, index, victory_share(child[seat], self.seats)
            if seat != parent and share > slack:
                self.table[key] = _TableEntry(None, best_index, seat, share)
                return None
            if share == self.full_victory and not self.points:  # nothing can be better
                break
        self.table[key] = _TableEntry(best, best_index, seat, share)
        return best

    def best_line(self, state: Any) -> tuple[Outcome, tuple[Any, ...]]:
        line: list[Any] = []
        while not isinstance(pending := self.game.pending(state), Over):
            index = 0
            if isinstance(pending, Chance):
                require_forced(pending)
            else:
                self.values(state, len(line), -1, self.full_victory)
                index = self.table[self.key(state)].best
            line.append(pending.actions[index])
            state = self.game.apply(state, pending.actions[index])
        return pending.outcome, tuple(line)
