"""An independent check whether a tower of Turmbauer stands: plain loops and one linear programme, slow but simple."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan, radians, tan
from math import degrees as in_degrees
from typing import NamedTuple

import numpy as np
from scipy.optimize import OptimizeResult, linprog  # type: ignore[import-untyped]

Cell = tuple[int, int, int]
Cells = Sequence[Cell]
Vector = tuple[float, float, float]

FOUNDATION: Cells = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0))
TABLE = -1  # the number of the table among the stones; it bears everything and needs no equations
TOLERANCE = 1e-6  # in weights of a cube: what may be missing through rounding; towers that fall miss far more
TOWARDS = {"N": (0.0, 1.0), "E": (1.0, 0.0), "S": (0.0, -1.0), "W": (-1.0, 0.0)}


class Contact(NamedTuple):
    """A point where a stone is pushed along an axis, and the other stone, which lies before it, pushed back."""

    stone: int
    other: int
    axis: int
    point: Vector


def stands(
    stones: Sequence[Cells],
    degrees: float = 0.0,
    side: str = "",
    *,
    full: bool = True,
    friction: float = 0.4,
    inset: float = 0.05,
) -> bool:
    """
    Whether the foundation and these stones (in any order, without the foundation) hold.

    The load leans so many degrees to side N, E, S or W; with full=False forces are parallel to the weight only.
    """
    slope = tan(radians(degrees))
    east, north = (slope * part for part in TOWARDS[side]) if degrees else (0.0, 0.0)
    bodies = [FOUNDATION, *stones]
    if not full:
        return _stands_by_parallel_forces(bodies, (east, north), friction, inset)
    matrix = _equations(bodies, friction, inset)
    wanted = -_loads(bodies, (east, north, -1.0))
    return _missing(matrix, wanted) <= TOLERANCE


def bears(stones: Sequence[Cells], side: str, *, friction: float = 0.4, inset: float = 0.05) -> float:
    """
    The largest angle in degrees that the tower bears to that side by the full programme; -1.0 if it falls when level.

    The tangent of the angle is one more variable, from 0 to the friction: all that pushes the tower sideways must
    reach the table, which takes no more than friction times the whole weight, so the bound excludes nothing.
    """
    if not stands(stones, friction=friction, inset=inset):
        return -1.0
    bodies = [FOUNDATION, *stones]
    east, north = TOWARDS[side]
    forces = _equations(bodies, friction, inset)
    matrix = np.column_stack([forces, _loads(bodies, (east, north, 0.0))])
    wanted = -_loads(bodies, (0.0, 0.0, -1.0))
    cost = np.zeros(matrix.shape[1])
    cost[-1] = -1.0
    bounds: list[tuple[float, float | None]] = [(0.0, None)] * forces.shape[1] + [(0.0, friction)]
    return in_degrees(atan(_solve(cost, matrix, wanted, bounds).x[-1]))


def contacts(bodies: Sequence[Cells], inset: float) -> list[Contact]:
    """
    The contact points of all stones: the outer corners of each patch, moved inwards in both directions of its plane.

    A square's corner is an outer one if the patch goes on over neither of the two edges that meet there. So an L has
    five, and squares that meet in a corner only have two there, each moved into its own square.
    """
    found = []
    for (stone, other, axis, plane), squares in _patches(bodies).items():
        for a, b in sorted(squares):
            for to_a in (-1, 1):
                for to_b in (-1, 1):
                    if (a + to_a, b) in squares or (a, b + to_b) in squares:
                        continue
                    point = [a + 0.5 + to_a * (0.5 - inset), b + 0.5 + to_b * (0.5 - inset)]
                    point.insert(axis, float(plane))
                    found.append(Contact(stone, other, axis, (point[0], point[1], point[2])))
    return found


def _patches(bodies: Sequence[Cells]) -> dict[tuple[int, int, int, int], set[tuple[int, int]]]:
    """The unit squares where two stones meet, by stone, the other before it on the axis, axis (x, y, z) and plane."""
    owner: dict[Cell, int] = {}
    for number, cells in enumerate(bodies):
        for cell in cells:
            if cell in owner or cell[2] < 0:
                raise ValueError(f"no stone can lie in cell {cell}")
            owner[cell] = number
    patches: dict[tuple[int, int, int, int], set[tuple[int, int]]] = {}
    for (x, y, z), number in owner.items():
        for axis, before, square in (
            (0, (x - 1, y, z), (y, z)),
            (1, (x, y - 1, z), (x, z)),
            (2, (x, y, z - 1), (x, y)),
        ):
            other = TABLE if before[2] < 0 else owner.get(before, number)
            if other != number:
                patches.setdefault((number, other, axis, (x, y, z)[axis]), set()).add(square)
    return patches


def _centre(cells: Cells) -> Vector:
    """The mean of the centres of the cells."""
    x, y, z = (sum(cell[axis] + 0.5 for cell in cells) / len(cells) for axis in range(3))
    return x, y, z


def _directions(contact: Contact, friction: float) -> list[Vector]:
    """Generators of the cone of possible forces on the contact's stone."""
    if contact.axis == 0:
        return [(1.0, 0.0, 0.0)]
    if contact.axis == 1:
        return [(0.0, 1.0, 0.0)]
    return [(friction, 0.0, 1.0), (-friction, 0.0, 1.0), (0.0, friction, 1.0), (0.0, -friction, 1.0)]


def _equations(bodies: Sequence[Cells], friction: float, inset: float) -> np.ndarray:
    """The matrix of the equations: one column per force; six rows per stone, three forces and three torques."""
    centres = [_centre(cells) for cells in bodies]
    columns = []
    for contact in contacts(bodies, inset):
        for force in _directions(contact, friction):
            column = np.zeros(6 * len(bodies))
            for number, sign in ((contact.stone, 1.0), (contact.other, -1.0)):
                if number == TABLE:
                    continue
                arm_x, arm_y, arm_z = (p - c for p, c in zip(contact.point, centres[number], strict=True))
                x, y, z = (sign * part for part in force)
                moment = (arm_y * z - arm_z * y, arm_z * x - arm_x * z, arm_x * y - arm_y * x)
                column[6 * number : 6 * number + 6] = (x, y, z, *moment)
            columns.append(column)
    return np.column_stack(columns)


def _loads(bodies: Sequence[Cells], pull: Vector) -> np.ndarray:
    """The load vector of a force on every cube: it acts at the centre of mass and has no torque."""
    loads = np.zeros(6 * len(bodies))
    for number, cells in enumerate(bodies):
        for axis in range(3):
            loads[6 * number + axis] = len(cells) * pull[axis]
    return loads


def _stands_by_parallel_forces(
    bodies: Sequence[Cells], lean: tuple[float, float], friction: float, inset: float
) -> bool:
    """
    Whether pushes against the leaning weight suffice, on horizontal patches only.

    Three equations a stone: the sum of the pushes, and two moments about its centre. A force in a fixed direction may
    slide along it, so the moments are those of the points' shadows, cast along the weight on the plane z = 0.
    """
    east, north = lean
    if abs(east) + abs(north) > friction:
        return False  # the weight itself points out of the friction pyramid
    centres = [_centre(cells) for cells in bodies]
    columns = []
    for contact in contacts(bodies, inset):
        if contact.axis != 2:
            continue
        column = np.zeros(3 * len(bodies))
        for number, sign in ((contact.stone, 1.0), (contact.other, -1.0)):
            if number == TABLE:
                continue
            arm_x, arm_y, arm_z = (p - c for p, c in zip(contact.point, centres[number], strict=True))
            column[3 * number : 3 * number + 3] = (sign, sign * (arm_x + east * arm_z), sign * (arm_y + north * arm_z))
        columns.append(column)
    wanted = np.zeros(3 * len(bodies))
    wanted[::3] = [len(cells) for cells in bodies]
    return _missing(np.column_stack(columns), wanted) <= TOLERANCE


def _missing(matrix: np.ndarray, wanted: np.ndarray) -> float:
    """
    The least total of forces and moments from outside with which all equations hold: 0 where there is a solution.

    This is asked instead of the bare equations because it always has an answer; on those the solver may give up.
    """
    rows, columns = matrix.shape
    helped = np.hstack([matrix, np.eye(rows), -np.eye(rows)])
    cost = np.concatenate([np.zeros(columns), np.ones(2 * rows)])
    return float(_solve(cost, helped, wanted, [(0.0, None)] * len(cost)).fun)


def _solve(
    cost: np.ndarray, matrix: np.ndarray, wanted: np.ndarray, bounds: list[tuple[float, float | None]]
) -> OptimizeResult:
    """The solution with the least cost; if the solver gives up, it tries again without presolve."""
    for presolve in (True, False):
        options = {"presolve": presolve}
        answer = linprog(cost, A_eq=matrix, b_eq=wanted, bounds=bounds, method="highs", options=options)
        if answer.status == 0:
            return answer
    raise ArithmeticError(f"no solution was found where there is one: {answer.message}")
