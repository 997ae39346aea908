"""Frozen ids of Turmbauer's actions.

A place is numbered by the stone's first cell (the lowest floor, row and column) and by how the chosen stone is turned,
so that an id means "build the chosen stone, turned like this, there". The cells are those of a building space around the
foundation. A cell beyond it has the number of the cell that many widths or heights back: no action is without an id, and
two choices in one position can share one only if a tower is wider or taller than the space.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from spieltisch.core.actions import ActionIds
from spieltisch.games.turmbauer.building.cells import TABLE, Cell
from spieltisch.games.turmbauer.building.stones import SIZES, stones_of
from spieltisch.games.turmbauer.state import ROLLS, TREMORS, Action, Box, Move, Pick, Place, Roll, Stay, Tremor, Verdict

WIDTH: Final = 12  # from WEST to the east, from SOUTH to the north
HEIGHT: Final = 32
WEST: Final = -5
SOUTH: Final = -5
CELLS: Final = HEIGHT * WIDTH * WIDTH
KINDS: Final = 2 * len(SIZES)  # R2: two stones of every size
TURNS: Final = 24  # orientations of a stone at most
STONES: Final = 4 * KINDS
_PICK: Final = 1  # after the pawn that stays
_BOX: Final = _PICK + 2 * KINDS
_MOVE: Final = _BOX + KINDS
_PLACE: Final = _MOVE + 3 * (1 + CELLS)
_ROLL: Final = _PLACE + TURNS * CELLS
_TREMOR: Final = _ROLL + len(ROLLS)
_VERDICT: Final = _TREMOR + len(TREMORS)
_SIZE: Final = _VERDICT + 1 + STONES


def cell_number(place: Cell) -> int:
    """The number of a cell of the building space: by floor, row and column."""
    x, y, z = (place & 1023) - 512, (place >> 10 & 1023) - 512, place >> 20
    return ((z % HEIGHT) * WIDTH + (y - SOUTH) % WIDTH) * WIDTH + (x - WEST) % WIDTH


class TowerIds(ActionIds[Action]):
    """Staying, stones, boxes, moves, places; then rolls, tremors and verdicts."""

    def __init__(self, document: str) -> None:
        self._turns: dict[tuple[int, ...], int] = {}
        for kind in stones_of(document).kinds:
            shapes = {tuple(step - turned.steps[0] for step in turned.steps) for turned in kind.orientations}
            self._turns |= {shape: turn for turn, shape in enumerate(sorted(shapes))}

    def __len__(self) -> int:
        return _SIZE

    def of(self, actions: Iterable[Action]) -> list[int]:
        return [*map(self._of, actions)]

    def _of(self, action: Action) -> int:
        match action:
            case Place(cells):
                first = cells[0]
                turn = self._turns[tuple([place - first for place in cells])]
                return _PLACE + turn * CELLS + cell_number(first)
            case Move(field, ring):
                target = 0 if field == TABLE else 1 + cell_number(field)
                return _MOVE + ("", "b", "c").index(ring) * (1 + CELLS) + target
            case Pick(kind, ring):
                return _PICK + (KINDS if ring else 0) + kind
            case Box(kind):
                return _BOX + kind
            case Stay():
                return 0
            case Roll():
                return _ROLL + ROLLS.index(action)
            case Tremor():
                return _TREMOR + TREMORS.index(action)
            case Verdict(fallen):
                return _VERDICT + fallen
        raise AssertionError(action)


@lru_cache(maxsize=64)
def tower_ids(document: str) -> TowerIds:
    """The ids for a set of stones, cached."""
    return TowerIds(document)
