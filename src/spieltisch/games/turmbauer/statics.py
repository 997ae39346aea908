"""Does it stand? A linear programme over the forces with which stones carry each other.

This is the quick version: all forces run along the weight, so a tilt only slides every point sideways by its height,
and three equations a stone remain (its weight, and no turning about two axes). Each equation may be helped by a hand
from outside; the tower stands if it needs no help. The prices of the help tell how the stones would begin to move.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import radians, tan
from typing import Final, NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from spieltisch.games.turmbauer.cells import COMPASS, EAST, FOUNDATION, NORTH, TABLE, UP, Cell, x_of, y_of, z_of
from spieltisch.games.turmbauer.state import Cells, Tower

INSET: Final = 0.05  # edges are rounded: no stone stands on its very corner
_NOTHING: Final = 1e-6  # what is less is no help, and no motion
_CORNERS: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))
_WAYS: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))  # the sides of the compass as steps in x and y


class Contact(NamedTuple):
    """A point where one stone carries another: stones by number, 0 is the foundation, TABLE the table."""

    above: int
    below: int
    x: float
    y: float
    z: int


@lru_cache(maxsize=64)
def contacts(stones: tuple[Cells, ...]) -> tuple[Contact, ...]:
    """The outer corners of all patches where a stone lies on another or on the table, moved inwards."""
    return tuple(_contacts(stones))


def _contacts(stones: tuple[Cells, ...]) -> Iterator[Contact]:
    owner = {int(place): number for number, cells in enumerate(stones) for place in cells}
    for number, cells in enumerate(stones):
        patches: dict[tuple[int, int], list[Cell]] = {}
        for place in cells:
            below = owner.get(place - UP, TABLE)
            if below != number and (below != TABLE or z_of(place) == 0):
                patches.setdefault((below, z_of(place)), []).append(place)
        for (below, z), patch in patches.items():
            for place in patch:
                for along, across in _CORNERS:
                    if place + along * EAST not in patch and place + across * NORTH not in patch:
                        x, y = x_of(place) + along * (0.5 - INSET), y_of(place) + across * (0.5 - INSET)
                        yield Contact(number, below, x, y, z)


def falling(tower: Tower, degrees: float, side: str) -> int:
    """How many stones begin to move when the load leans so many degrees to that side; 0 where the tower stands."""
    moves = moving(tower, degrees, side)
    return max(1, sum(moves[1:])) if any(moves) else 0


def moving(tower: Tower, degrees: float, side: str) -> list[bool]:
    """Of the foundation and every stone whether it begins to move; none does where the tower stands."""
    stones = (FOUNDATION, *(stone.cells for stone in tower))
    lean = tan(radians(degrees))
    way = _WAYS[COMPASS.index(side)] if side else (0, 0)
    lean_x, lean_y = lean * way[0], lean * way[1]
    centres = [_centre(cells, lean_x, lean_y) for cells in stones]
    start, index, value = [0], [], []
    for above, below, x, y, z in contacts(stones):
        for stone, sign in ((above, 1.0), (below, -1.0)):
            if stone != TABLE:
                arm_x, arm_y = x + lean_x * z - centres[stone][0], y + lean_y * z - centres[stone][1]
                index += [3 * stone, 3 * stone + 1, 3 * stone + 2]
                value += [sign, sign * arm_x, sign * arm_y]
        start.append(len(index))
    rows = 3 * len(stones)
    weights = np.zeros(rows)
    weights[::3] = [len(cells) for cells in stones]
    prices = _prices(rows, weights, start, index, value)
    return [any(abs(prices[row]) > _NOTHING for row in range(3 * n, 3 * n + 3)) for n in range(len(stones))]


def _centre(cells: Cells, lean_x: float, lean_y: float) -> tuple[float, float]:
    """The mean of the cells, slid along the load down to the table's level (z counts from the lowest cubes' bottom)."""
    z = sum(z_of(place) + 0.5 for place in cells) / len(cells)
    x, y = sum(map(x_of, cells)) / len(cells), sum(map(y_of, cells)) / len(cells)
    return x + lean_x * z, y + lean_y * z


def _prices(
    rows: int, weights: NDArray[np.float64], start: list[int], index: list[int], value: list[float]
) -> list[float]:
    """The prices of the cheapest help from outside; zeros where none is needed."""
    forces = len(start) - 1
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = forces + 2 * rows, rows
    lp.col_cost_ = np.concatenate([np.zeros(forces), np.ones(2 * rows)])
    lp.col_lower_ = np.zeros(forces + 2 * rows)
    lp.col_upper_ = np.full(forces + 2 * rows, highspy.kHighsInf)
    lp.row_lower_ = lp.row_upper_ = weights
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.concatenate([start, start[-1] + 1 + np.arange(2 * rows)]).astype(np.int32)
    lp.a_matrix_.index_ = np.concatenate([index, np.arange(rows), np.arange(rows)]).astype(np.int32)
    lp.a_matrix_.value_ = np.concatenate([value, np.ones(rows), -np.ones(rows)])
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.passModel(lp)
    solver.run()
    if solver.getObjectiveValue() < _NOTHING:
        return [0.0] * rows
    return list(solver.getSolution().row_dual)
