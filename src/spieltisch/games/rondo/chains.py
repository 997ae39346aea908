"""Whole turns of Rondo: every chain that a rack allows, and the one that scores most."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from spieltisch.games.rondo.board import LETTERS, Board
from spieltisch.games.rondo.rules import open_fields
from spieltisch.games.rondo.state import COLOURS, NOWHERE, ONE, Field, Lay, State, Stones

Chain: TypeAlias = tuple[Lay, ...]
MOST_CHAINS: Final = 100_000  # that are looked at: more than the game's own boards have


class Ways(NamedTuple):
    """What can be done on one field, made once for a board."""

    colour: int
    value: int
    links: int
    up: tuple[tuple[Lay, Stones, int], ...]  # for one stone, two, …: the action, the stones it takes, the points
    down: tuple[tuple[Lay, Stones], ...]  # for every colour


@lru_cache(maxsize=64)
def ways_on(board: Board) -> tuple[Ways, ...]:
    """What can be done on every field of the board."""
    return tuple(
        Ways(
            colour,
            board.values[field],
            board.links[field],
            tuple(
                (Lay(Field(field), LETTERS[colour] * n), n * ONE[colour], n * board.values[field]) for n in range(1, 6)
            ),
            tuple((Lay(Field(field), LETTERS[other].lower()), ONE[other]) for other in COLOURS),
        )
        for field, colour in enumerate(board.colours)
    )


Reckoned: TypeAlias = tuple[
    Chain, int, int, int, int
]  # a chain, its points, its stones, its fields, those next to them


def all_chains(state: State) -> list[Chain]:
    """Every chain, or what can follow the one begun, that the rack of the seat allows; not the empty one."""
    return [chain for chain, *_ in reckoned_chains(state)]


def reckoned_chains(state: State) -> list[Reckoned]:
    """Every such chain with its points, the number of its stones, the set of its fields and of those next to them."""
    found: list[Reckoned] = []
    start: Reckoned = ((), 0, 0, 0, 0)
    _extend(found, start, ways_on(state.board), open_fields(state), ~state.covered, state.racks[state.seat])
    return found


def _extend(
    found: list[Reckoned], so_far: Reckoned, ways: tuple[Ways, ...], fields: int, free: int, rack: Stones
) -> None:
    chain, points, stones, covered, beside = so_far
    while fields:
        bit = fields & -fields
        fields ^= bit
        way = ways[bit.bit_length() - 1]
        onward = way.links & free & ~bit
        over, next_to = covered | bit, beside | way.links
        options = [
            (((*chain, lay), points + gain, stones + n, over, next_to), rack - cost)
            for n, (lay, cost, gain) in enumerate(way.up[: rack >> 5 * way.colour & 31], 1)
        ]
        options += [
            (((*chain, lay), points, stones + 1, over, next_to), rack - cost)
            for colour, (lay, cost) in enumerate(way.down)
            if rack >> 5 * colour & 31
        ]
        for longer, rest in options:
            found.append(longer)
            if rest and onward and len(found) < MOST_CHAINS:
                _extend(found, longer, ways, onward, free & ~bit, rest)


class Best:
    """The chain that is worth most, found without listing all: a branch that cannot do better is not followed.

    Worth is points, less a price for every stone laid.
    """

    def __init__(self, state: State, price: float = 0.0) -> None:
        self.ways = ways_on(state.board)
        self.price = price
        self.worth = 0.0
        self.chain: Chain = ()
        self._left = MOST_CHAINS
        self._reach = self._highest(state)
        self._search((), 0.0, open_fields(state), ~state.covered, state.racks[state.seat])

    def _highest(self, state: State) -> tuple[float, ...]:
        """The most that a stone of each colour could be worth on fields in reach of this rack."""
        stones = sum(state.racks[state.seat] >> 5 * colour & 31 for colour in COLOURS)
        reached = edge = open_fields(state)
        for _ in range(stones - 1):
            onward = 0
            for field, way in enumerate(self.ways):
                if edge >> field & 1:
                    onward |= way.links
            edge = onward & ~state.covered & ~reached
            reached |= edge
        highest = [0.0] * 5
        for field, way in enumerate(self.ways):
            if reached >> field & 1:
                highest[way.colour] = max(highest[way.colour], way.value - self.price)
        return tuple(highest)

    def _search(self, chain: Chain, worth: float, fields: int, free: int, rack: Stones) -> None:
        while fields:
            bit = fields & -fields
            fields ^= bit
            way = self.ways[bit.bit_length() - 1]
            onward = way.links & free & ~bit
            held = rack >> 5 * way.colour & 31
            for number in range(held, 0, -1):
                lay, cost, gain = way.up[number - 1]
                self._take(chain, lay, worth + gain - number * self.price, onward, free & ~bit, rack - cost)
            if onward:
                for colour, (lay, cost) in enumerate(way.down):
                    if rack >> 5 * colour & 31:
                        self._take(chain, lay, worth - self.price, onward, free & ~bit, rack - cost)

    def _take(self, chain: Chain, lay: Lay, worth: float, onward: int, free: int, rack: Stones) -> None:
        if worth > self.worth:
            self.worth, self.chain = worth, (*chain, lay)
        self._left -= 1
        if rack and onward and self._left > 0:
            purple, blue, yellow, green, red = self._reach
            hope = (
                worth
                + (rack & 31) * purple
                + (rack >> 5 & 31) * blue
                + (rack >> 10 & 31) * yellow
                + (rack >> 15 & 31) * green
                + (rack >> 20 & 31) * red
            )
            if hope > self.worth:
                self._search((*chain, lay), worth, onward, free, rack)


def best_chain(state: State) -> tuple[int, Chain]:
    """The most points that a turn can score from here, and a chain that scores them."""
    assert state.last == NOWHERE or state.drawing == 0
    best = Best(state)
    return round(best.worth), best.chain
