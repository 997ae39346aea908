"""Enumeration of whole turns: every chain that a rack allows, and the best one by branch and bound."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from spieltisch.games.rondo.board import LETTERS, Board
from spieltisch.games.rondo.rules import open_fields
from spieltisch.games.rondo.state import COLOURS, ONE, FieldId, Lay, State, Stones

Chain: TypeAlias = tuple[Lay, ...]
ScoredChain: TypeAlias = tuple[Chain, int, int, int, int]  # chain, points, stones, its fields, their neighbours
MOST_CHAINS: Final = 100_000  # the limit of a search: more than the chains on the game's own boards


class FieldOptions(NamedTuple):
    """Everything that can be laid on one field, computed once per board."""

    colour: int
    value: int
    links: int
    face_up: tuple[tuple[Lay, Stones, int], ...]  # for one stone, two, …: the action, the stones it costs, its points
    face_down: tuple[tuple[Lay, Stones], ...]  # for every colour: the action, the stones it costs


@lru_cache(maxsize=64)
def field_options(board: Board) -> tuple[FieldOptions, ...]:
    """The options of every field of the board."""
    return tuple(
        FieldOptions(
            colour,
            board.values[field],
            board.links[field],
            tuple(
                (Lay(FieldId(field), LETTERS[colour] * n), n * ONE[colour], n * board.values[field])
                for n in range(1, 6)
            ),
            tuple((Lay(FieldId(field), LETTERS[other].lower()), ONE[other]) for other in COLOURS),
        )
        for field, colour in enumerate(board.colours)
    )


def list_chains(state: State) -> list[ScoredChain]:
    """Every chain that the seat's rack allows, or every continuation of its current chain; not the empty one."""
    found: list[ScoredChain] = []
    start: ScoredChain = ((), 0, 0, 0, 0)
    _extend(found, start, field_options(state.board), open_fields(state), ~state.covered, state.racks[state.seat])
    return found


def _extend(
    found: list[ScoredChain],
    so_far: ScoredChain,
    options: tuple[FieldOptions, ...],
    fields: int,
    free: int,
    rack: Stones,
) -> None:
    """Depth-first search: adds every longer chain that continues on one of the fields."""
    chain, points, stones, covered, adjacent = so_far
    while fields:
        bit = fields & -fields
        fields ^= bit
        field = options[bit.bit_length() - 1]
        onward = field.links & free & ~bit
        covered_after, adjacent_after = covered | bit, adjacent | field.links
        extensions = [
            (((*chain, lay), points + gain, stones + n, covered_after, adjacent_after), rack - cost)
            for n, (lay, cost, gain) in enumerate(field.face_up[: rack >> 5 * field.colour & 31], 1)
        ]
        extensions += [
            (((*chain, lay), points, stones + 1, covered_after, adjacent_after), rack - cost)
            for colour, (lay, cost) in enumerate(field.face_down)
            if rack >> 5 * colour & 31
        ]
        for longer, rest in extensions:
            found.append(longer)
            if rest and onward and len(found) < MOST_CHAINS:
                _extend(found, longer, options, onward, free & ~bit, rest)


class BestChain:
    """Branch-and-bound search for the chain with the highest value: its points minus a price per stone laid."""

    def __init__(self, state: State, price: float = 0.0) -> None:
        self.options = field_options(state.board)
        self.price = price
        self.value = 0.0
        self.chain: Chain = ()
        self._budget = MOST_CHAINS
        self._bounds = self._stone_bounds(state)
        self._search((), 0.0, open_fields(state), ~state.covered, state.racks[state.seat])

    @property
    def complete(self) -> bool:
        """Whether no chain was left out because there are too many."""
        return self._budget > 0

    def _stone_bounds(self, state: State) -> tuple[float, ...]:
        """Upper bound on the value of one stone of each colour, on the fields that this rack can reach."""
        stones = sum(state.racks[state.seat] >> 5 * colour & 31 for colour in COLOURS)
        reached = frontier = open_fields(state)
        for _ in range(stones - 1):
            onward = 0
            for number, field in enumerate(self.options):
                if frontier >> number & 1:
                    onward |= field.links
            frontier = onward & ~state.covered & ~reached
            reached |= frontier
        bounds = [0.0] * 5
        for number, field in enumerate(self.options):
            if reached >> number & 1:
                bounds[field.colour] = max(bounds[field.colour], field.value - self.price)
        return tuple(bounds)

    def _search(self, chain: Chain, value: float, fields: int, free: int, rack: Stones) -> None:
        while fields:
            bit = fields & -fields
            fields ^= bit
            field = self.options[bit.bit_length() - 1]
            onward = field.links & free & ~bit
            held = rack >> 5 * field.colour & 31
            for number in range(held, 0, -1):
                lay, cost, gain = field.face_up[number - 1]
                self._visit(chain, lay, value + gain - number * self.price, onward, free & ~bit, rack - cost)
            if onward:
                for colour, (lay, cost) in enumerate(field.face_down):
                    if rack >> 5 * colour & 31:
                        self._visit(chain, lay, value - self.price, onward, free & ~bit, rack - cost)

    def _visit(self, chain: Chain, lay: Lay, value: float, onward: int, free: int, rack: Stones) -> None:
        if value > self.value:
            self.value, self.chain = value, (*chain, lay)
        self._budget -= 1
        if rack and onward and self._budget > 0:
            purple, blue, yellow, green, red = self._bounds
            bound = (
                value
                + (rack & 31) * purple
                + (rack >> 5 & 31) * blue
                + (rack >> 10 & 31) * yellow
                + (rack >> 15 & 31) * green
                + (rack >> 20 & 31) * red
            )
            if bound > self.value:
                self._search((*chain, lay), value, onward, free, rack)
