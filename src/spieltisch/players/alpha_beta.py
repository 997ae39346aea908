"""Exact endgames of two seats: what one wins the other loses."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from spieltisch.core.game import Chance, Outcome, Over
from spieltisch.players.exact import Asked, Budget, Search, check, worth

_FAR: Final = 1 << 62  # beyond every worth
_WON: Final = worth(Outcome((0, 0), (1, 2), ""), 0, points=False)
_SHARED: Final = worth(Outcome((0, 0), (1, 1), ""), 0, points=False)
_LOST: Final = worth(Outcome((0, 0), (2, 1), ""), 0, points=False)

_Child: TypeAlias = tuple[int, int, Any, Hashable]  # its turn to be tried, the choice's place, the state and its key


class Duel(Search):
    """Alpha-beta with windows of no width, which close in on the value from both sides.

    Values are what a position is worth to seat 0. The table keeps the least and the most it can be worth, and the place of
    the best choice so far.
    """

    def __init__(self, asked: Asked, budget: Budget, guess: int) -> None:
        super().__init__(asked, budget)
        self.order = asked.hints.order
        self.bounds = asked.hints.bounds
        self.guess = guess
        self.table: dict[Hashable, tuple[int, int, int]] = {}
        self.cuts: dict[int, Any] = {}  # by depth: the last choice after which nothing else had to be tried

    def value(self, state: Any) -> int:
        """What the position is worth to seat 0: a guess, mended until it is proven from both sides."""
        key = self.probe(state)
        least, most, guess = -_FAR, _FAR, self.guess
        while least < most:
            goal = guess + 1 if guess == least else guess
            guess = self.reach(state, key, goal, 0)
            if guess < goal:
                most = guess
            else:
                least = guess
        self.guess = guess
        return guess

    def probe(self, state: Any) -> Hashable:
        """The position's key; what the game's bounds say of it is in the table from now on."""
        key = self.key(state)
        if key not in self.table:
            least, most = -_FAR, _FAR
            if self.bounds is not None:
                low, high = self.bounds(state)
                least, most = self.worth_of_lead(low), self.worth_of_lead(high)
            self.table[key] = (least, most, -1)
        return key

    def worth_of_lead(self, lead: int) -> int:
        """What it is worth to seat 0 to end so many points ahead, where points decide."""
        standing = _WON if lead > 0 else _LOST if lead < 0 else _SHARED
        return standing + lead if self.points else standing

    def reach(self, state: Any, key: Hashable, goal: int, depth: int) -> int:
        """An answer that reaches the goal just where the value does.

        If it does, the value is at least the answer; if not, it is at most the answer.
        """
        least, most, place = self.table[key]
        if least >= goal:
            return least
        if most < goal:
            return most
        self.budget.spend(depth)
        pending = self.game.pending(state)
        if isinstance(pending, Over):
            best = worth(pending.outcome, 0, points=self.points)
            self.table[key] = (best, best, -1)
            return best
        if isinstance(pending, Chance):
            check(pending)
            after = self.game.apply(state, pending.actions[0])
            return self.reach(after, self.probe(after), goal, depth + 1)
        high = pending.seat == 0
        best = -_FAR if high else _FAR
        for _, tried, after, its_key in self.children(state, pending.actions, place, goal, depth, high=high):
            found = self.reach(after, its_key, goal, depth + 1)
            if found > best if high else found < best:
                best, place = found, tried
                if (found >= goal) is high:
                    self.cuts[depth] = pending.actions[tried]
                    break
        self.table[key] = (best, most, place) if best >= goal else (least, best, place)
        return best

    def children(
        self, state: Any, actions: Sequence[Any], place: int, goal: int, depth: int, *, high: bool
    ) -> Iterator[_Child]:
        """What the choices lead to: first after the best so far, then as they promise.

        Where a choice is known to be good enough, nothing else comes after it.
        """
        if place >= 0:
            after = self.game.apply(state, actions[place])
            yield 0, place, after, self.probe(after)
        promises = self.promises(state, actions, depth)
        rest: list[_Child] = []
        for number, action in enumerate(actions):
            if number == place:
                continue
            after = self.game.apply(state, action)
            key = self.probe(after)
            least, most, _ = self.table[key]
            if least >= goal if high else most < goal:
                yield 0, number, after, key
                return
            promise = promises[number] if promises else -least - most if high else least + most
            rest.append((promise, number, after, key))
        rest.sort()
        yield from rest

    def promises(self, state: Any, actions: Sequence[Any], depth: int) -> list[int]:
        """Where each choice comes among the others, by the game's order or by what was good elsewhere.

        Empty where bounds tell more.
        """
        if self.order is not None:
            turn = {action: number for number, action in enumerate(self.order(state, actions))}
            return [turn[action] for action in actions]
        if self.bounds is not None:
            return []
        cut = self.cuts.get(depth)
        return [0 if action == cut else 1 for action in actions]

    def line_from(self, state: Any) -> tuple[Outcome, tuple[Any, ...]]:
        """The end that best play leads to, and the way there."""
        value = self.value(state)
        line: list[Any] = []
        while not isinstance(pending := self.game.pending(state), Over):
            actions, place = pending.actions, 0
            if isinstance(pending, Chance):
                check(pending)
            else:
                place = self.best(state, pending.seat == 0, actions, value, len(line))
            line.append(actions[place])
            state = self.game.apply(state, actions[place])
        return pending.outcome, tuple(line)

    def best(self, state: Any, high: bool, actions: Sequence[Any], value: int, depth: int) -> int:
        """The place of a choice that keeps the value, which is the position's."""
        place = self.table[self.probe(state)][2]
        goal = value if high else value + 1
        for _, tried, after, key in self.children(state, actions, place, goal, depth, high=high):
            if (self.reach(after, key, goal, depth + 1) >= goal) is high:
                return tried
        raise AssertionError(value)
