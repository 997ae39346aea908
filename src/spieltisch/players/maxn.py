"""Exact endgames of any number of seats: everybody takes what is best for themselves."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from spieltisch.core.game import Chance, Outcome, Over
from spieltisch.players.exact import Asked, Budget, Search, check, share_in, whole, worth


class _Known(NamedTuple):
    """What is known of a position: its worth to every seat, or, where that is None, a share that `seat` surely gets."""

    worths: tuple[int, ...] | None
    place: int  # of the best choice
    seat: int
    share: int


class Several(Search):
    """Max^n: of choices that are equally good for the one who chooses, the first in canonical order is taken."""

    def __init__(self, asked: Asked, budget: Budget, seats: int) -> None:
        super().__init__(asked, budget)
        self.seats = seats
        self.whole = whole(seats)
        self.table: dict[Hashable, _Known] = {}

    def worths(self, state: Any, depth: int, before: int, spare: int) -> tuple[int, ...] | None:
        """What the position is worth to every seat; None where the seat that chose before is certain to avoid it.

        It is where another seat can take more of the victory here than the one before can spare.
        """
        key = self.key(state)
        known = self.table.get(key)
        if known is not None:
            if known.worths is not None:
                return known.worths
            if known.seat != before and known.share > spare:
                return None
        self.budget.spend(depth)
        pending = self.game.pending(state)
        if isinstance(pending, Over):
            worths = tuple([worth(pending.outcome, seat, points=self.points) for seat in range(self.seats)])
            self.table[key] = _Known(worths, 0, 0, 0)
            return worths
        if isinstance(pending, Chance):
            check(pending)
            return self.worths(self.game.apply(state, pending.actions[0]), depth + 1, before, spare)
        best: tuple[int, ...] | None = None
        seat, place, share = int(pending.seat), 0, 0
        for number, action in enumerate(pending.actions):
            found = self.worths(self.game.apply(state, action), depth + 1, seat, self.whole - share)
            if found is None or (best is not None and found[seat] <= best[seat]):
                continue
            best, place, share = found, number, share_in(found[seat], self.seats)
            if seat != before and share > spare:
                self.table[key] = _Known(None, place, seat, share)
                return None
            if share == self.whole and not self.points:  # nothing can be better
                break
        self.table[key] = _Known(best, place, seat, share)
        return best

    def line_from(self, state: Any) -> tuple[Outcome, tuple[Any, ...]]:
        """The end that best play leads to, and the way there."""
        line: list[Any] = []
        while not isinstance(pending := self.game.pending(state), Over):
            place = 0
            if isinstance(pending, Chance):
                check(pending)
            else:
                self.worths(state, len(line), -1, self.whole)
                place = self.table[self.key(state)].place
            line.append(pending.actions[place])
            state = self.game.apply(state, pending.actions[place])
        return pending.outcome, tuple(line)
