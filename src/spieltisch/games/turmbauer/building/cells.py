"""The grid: a cell is one integer with three bit fields, so that offsets add up and cells sort by floor, row, column."""

from __future__ import annotations

from typing import Final, NewType

Cell = NewType("Cell", int)

EAST: Final = 1
NORTH: Final = 1 << 10
UP: Final = 1 << 20
_ORIGIN: Final = 512 * NORTH + 512
COMPASS: Final = "NESW"
FARTHEST: Final = 99  # no tower reaches that far: stones start beside the foundation and overhang by one cube each
HIGHEST: Final = 199  # four colours have 168 cubes

TABLE: Final = Cell(-1)  # the place of a pawn that is not on the tower


def cell(x: int, y: int, z: int) -> Cell:
    """The cell at x (to the east), y (to the north) and z (upwards; z = 0 lies on the table)."""
    return Cell(_ORIGIN + x * EAST + y * NORTH + z * UP)


def x_of(place: Cell) -> int:
    return (place & NORTH - 1) - 512


def y_of(place: Cell) -> int:
    return (place >> 10 & NORTH - 1) - 512


def z_of(place: Cell) -> int:
    return place >> 20


def is_coloured(place: Cell) -> bool:
    """Whether a cube in this cell is coloured or brown; otherwise it is natural."""  # R9
    return not (place ^ place >> 10 ^ place >> 20) & 1


def above(place: Cell) -> Cell:
    return Cell(place + UP)


def beside(place: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The four horizontal neighbours: north, east, south, west."""
    return Cell(place + NORTH), Cell(place + EAST), Cell(place - NORTH), Cell(place - EAST)


def height(field: Cell) -> int:
    """The height of a pawn on a cube in this cell; the table has height 0."""  # R15
    return 0 if field == TABLE else (field >> 20) + 1


FOUNDATION: Final = (cell(0, 0, 0), cell(1, 0, 0), cell(0, 1, 0), cell(1, 1, 0))  # R3
