"""Static equilibrium of a tower: linear programmes over the contact forces between stones.

Stones touch in patches and push each other at the patches' corners. The quick programme lets all forces act
along the direction of gravity: a tilt then only shears the points by their height, and three equations per stone remain.
The full programme adds Coulomb friction on horizontal patches and normal forces on vertical ones, with six equations per
stone. Every equation has slack variables, a force from outside, whose sum is minimized: the tower stands if the minimum
is zero. Otherwise the dual values of the equations are the motion with which the tower starts to fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan, degrees, radians, tan
from typing import Final, NamedTuple, TypeAlias

from spieltisch.games.turmbauer.building.cells import COMPASS, EAST, FOUNDATION, NORTH, UP, Cell, x_of, y_of, z_of
from spieltisch.games.turmbauer.physics.judge import missing_solver
from spieltisch.games.turmbauer.state import LEVEL, Cells, Lean, Tower

try:
    import highspy
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError:
    raise missing_solver() from None

Numbers: TypeAlias = NDArray[np.float64]
FRICTION: Final = 0.4
INSET: Final = 0.05  # edges are rounded: no stone stands on its outermost corner
TABLE_BODY: Final = -1  # the table, as the number of a body
_TOLERANCE: Final = 1e-6  # smaller residuals and motions count as zero
_AXES: Final = (EAST, NORTH, UP)
_SIDES: Final = {"": (0.0, 0.0), **dict(zip(COMPASS, ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)), strict=True))}
_VERTICAL: Final = 2  # the axis of the forces on a horizontal patch


def slope(lean: Lean) -> tuple[float, float]:
    """The horizontal components of gravity, east and north, per unit of its vertical component."""
    east, north = _SIDES[lean.side]
    return east * tan(radians(lean.degrees)), north * tan(radians(lean.degrees))


class Contacts(NamedTuple):
    """Contact points: the first stone is pushed along the axis, the second one against it."""

    points: Numbers  # x, y, z per row
    first: NDArray[np.int64]
    second: NDArray[np.int64]  # TABLE_BODY for the table
    axis: NDArray[np.int64]


class Load(NamedTuple):
    """The weight that one body carries of another. Bodies: 0 is the foundation, then the stones; TABLE_BODY the table."""

    carried: int
    carrier: int
    weight: float  # in cubes
    at: tuple[float, float, float]  # the centre of pressure: x, y, height


def bodies_of(tower: Tower) -> tuple[Cells, ...]:
    """The rigid bodies: the foundation, then the stones in the order of building."""
    return (FOUNDATION, *(stone.cells for stone in tower))


def contacts_of(stones: tuple[Cells, ...], inset: float = INSET) -> Contacts:
    """The contact points of all stones; those of all but the last stone are cached."""
    rows = _new_contacts(stones, inset)
    new = np.array(rows, dtype=np.float64).reshape(len(rows), 6)
    first, second, axis = (new[:, column].astype(np.int64) for column in (3, 4, 5))
    added = Contacts(new[:, :3], first, second, axis)
    return _concatenate([_cached_contacts(stones[:-1], inset), added]) if len(stones) > 1 else added


@lru_cache(maxsize=256)
def _cached_contacts(stones: tuple[Cells, ...], inset: float) -> Contacts:
    """The same, cached: many stones are tried on one tower."""
    return contacts_of(stones, inset)


def _concatenate(parts: Sequence[Contacts]) -> Contacts:
    return Contacts(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.first for part in parts]),
        np.concatenate([part.second for part in parts]),
        np.concatenate([part.axis for part in parts]),
    )


def _filter(contacts: Contacts, which: NDArray[np.bool_]) -> Contacts:
    return Contacts(contacts.points[which], contacts.first[which], contacts.second[which], contacts.axis[which])


def _new_contacts(stones: tuple[Cells, ...], inset: float) -> list[tuple[float, ...]]:
    """The outer corners, moved inwards, of all patches in which the last stone touches another body."""
    owner = {place: number for number, cells in enumerate(stones[:-1]) for place in cells}
    new, last = stones[-1], len(stones) - 1
    patches: dict[tuple[int, int, int, int], list[tuple[int, int]]] = {}  # squares by body, axis, direction and level
    for place in new:
        at = (x_of(place), y_of(place), z_of(place))
        for axis, step in enumerate(_AXES):
            square = at[axis - 2], at[axis - 1]
            for direction in (1, -1):
                other = owner.get(Cell(place + direction * step))
                if other is not None:
                    patches.setdefault((other, axis, direction, at[axis]), []).append(square)
        if at[2] == 0:
            patches.setdefault((TABLE_BODY, _VERTICAL, -1, 0), []).append((at[0], at[1]))
    rows: list[tuple[float, ...]] = []
    for (other, axis, direction, level), squares in patches.items():
        pair = (other, last) if direction > 0 else (last, other)
        plane = (
            level + direction / 2 + (0.5 if axis == _VERTICAL else 0.0)
        )  # x and y are centres of cells, z is their bottom
        for u, v in _corners(squares, 0.5 - inset):  # coordinates within the plane
            point = [0.0, 0.0, 0.0 if axis == _VERTICAL else 0.5]
            point[axis] += plane
            point[axis - 2] += u
            point[axis - 1] += v
            rows.append((*point, *pair, axis))
    return rows


def _corners(squares: list[tuple[int, int]], distance: float) -> list[tuple[float, float]]:
    """The outer corners of a patch of unit squares, at a distance from the centres of the squares."""
    return [
        (u + distance * along, v + distance * across)
        for u, v in squares
        for along in (1, -1)
        for across in (1, -1)
        if (u + along, v) not in squares and (u, v + across) not in squares
    ]


class SparseMatrix(NamedTuple):
    """A sparse matrix in compressed column format."""

    start: NDArray[np.int32]
    rows: NDArray[np.int32]
    values: Numbers


def _sparse_matrix(rows: int, contacts: Contacts, actions: Numbers, reactions: Numbers) -> SparseMatrix:
    """One column per force: its action on the equations of the first stone, and the reaction on the second."""
    span = np.arange(rows)
    index = np.concatenate([rows * contacts.first[:, None] + span, rows * contacts.second[:, None] + span], axis=1)
    value = np.concatenate([actions, -reactions], axis=1)
    nonzero = value != 0.0
    nonzero[contacts.second == TABLE_BODY, rows:] = False
    start = np.concatenate([[0], np.cumsum(nonzero.sum(axis=1))])
    return SparseMatrix(start.astype(np.int32), index[nonzero].astype(np.int32), value[nonzero])


def _centres_of_mass(stones: tuple[Cells, ...]) -> Numbers:
    """The centre of mass of every stone."""
    return np.array(
        [
            (
                sum(map(x_of, cells)) / len(cells),
                sum(map(y_of, cells)) / len(cells),
                sum(map(z_of, cells)) / len(cells) + 0.5,
            )
            for cells in stones
        ]
    )


class Solution(NamedTuple):
    """Solution of a linear programme: the least total slack, the contact forces, and the duals of the equations."""

    residual: float
    forces: Numbers
    duals: Numbers


def _solve(matrix: SparseMatrix, loads: Numbers) -> Solution:
    """The contact forces that balance the loads with the least slack."""
    rows, forces = len(loads), len(matrix.start) - 1
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = forces + 2 * rows, rows
    lp.col_cost_ = np.concatenate([np.zeros(forces), np.ones(2 * rows)])
    lp.col_lower_ = np.zeros(forces + 2 * rows)
    lp.col_upper_ = np.full(forces + 2 * rows, highspy.kHighsInf)
    lp.row_lower_ = lp.row_upper_ = loads
    identity = np.arange(rows, dtype=np.int32)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.concatenate([matrix.start, matrix.start[-1] + 1 + np.arange(2 * rows, dtype=np.int32)])
    lp.a_matrix_.index_ = np.concatenate([matrix.rows, identity, identity])
    lp.a_matrix_.value_ = np.concatenate([matrix.values, np.ones(rows), -np.ones(rows)])
    solver = _run(lp)
    if not _is_solved(solver):  # rare; the solver then succeeds without presolve
        solver.setOptionValue("presolve", "off")
        solver.run()
    if not _is_solved(solver):
        raise ArithmeticError("the solver found no solution")
    solution = solver.getSolution()
    values = np.array(solution.col_value[:forces])
    return Solution(solver.getObjectiveValue(), values, np.array(solution.row_dual))


def _run(lp: highspy.HighsLp) -> highspy.Highs:
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.passModel(lp)
    solver.run()
    return solver


def _is_solved(solver: highspy.Highs) -> bool:
    return bool(solver.getModelStatus() == highspy.HighsModelStatus.kOptimal)


def solve_quick(stones: tuple[Cells, ...], lean: Lean, inset: float = INSET) -> Solution:
    """Solves the quick programme: forces along gravity, on horizontal patches only."""
    contacts = contacts_of(stones, inset)
    contacts = _filter(contacts, contacts.axis == _VERTICAL)
    shear = np.array(slope(lean))
    centres = _centres_of_mass(stones)
    projected = centres[:, :2] + shear * centres[:, 2:]  # along gravity onto the table
    points = contacts.points[:, :2] + shear * contacts.points[:, 2:]
    ones = np.ones((len(points), 1))
    actions = np.concatenate([ones, points - projected[contacts.first]], axis=1)
    reactions = np.concatenate([ones, points - projected[contacts.second]], axis=1)
    loads = np.zeros(3 * len(stones))
    loads[::3] = [len(cells) for cells in stones]
    return _solve(_sparse_matrix(3, contacts, actions, reactions), loads)


@lru_cache(maxsize=64)
def _full_matrix(stones: tuple[Cells, ...], inset: float, friction: float) -> tuple[SparseMatrix, Contacts]:
    """The matrix of the full programme, and the contact of each column."""
    contacts = contacts_of(stones, inset)
    vertical = contacts.axis == _VERTICAL
    forces = [(contacts.axis[~vertical, None] == np.arange(3)).astype(np.float64)]
    parts = [_filter(contacts, ~vertical)]
    for east, north in ((friction, 0.0), (-friction, 0.0), (0.0, friction), (0.0, -friction)):  # the friction pyramid
        parts.append(_filter(contacts, vertical))
        forces.append(np.tile([east, north, 1.0], (int(vertical.sum()), 1)))
    per_column = _concatenate(parts)
    force = np.concatenate(forces)
    centres = _centres_of_mass(stones)
    torques = [np.cross(per_column.points - centres[body], force) for body in (per_column.first, per_column.second)]
    wrenches = [np.concatenate([force, torque], axis=1) for torque in torques]
    return _sparse_matrix(6, per_column, wrenches[0], wrenches[1]), per_column


def solve_full(stones: tuple[Cells, ...], lean: Lean, inset: float = INSET, friction: float = FRICTION) -> Solution:
    """Solves the full programme: friction on horizontal patches, normal forces on vertical ones."""
    matrix, _ = _full_matrix(stones, inset, friction)
    east, north = slope(lean)
    weights = np.array([float(len(cells)) for cells in stones])
    loads = np.zeros(6 * len(stones))
    loads[0::6], loads[1::6], loads[2::6] = -east * weights, -north * weights, weights
    return _solve(matrix, loads)


def stands(stones: tuple[Cells, ...], lean: Lean, inset: float = INSET, friction: float = FRICTION) -> bool:
    """Whether the tower stands: the quick programme is sufficient, the full one decides."""
    if solve_quick(stones, lean, inset).residual < _TOLERANCE:
        return True
    return solve_full(stones, lean, inset, friction).residual < _TOLERANCE


def _moving(solution: Solution, stones: int) -> frozenset[int]:
    """The stones with a nonzero motion in the duals; the foundation does not count."""
    if solution.residual < _TOLERANCE:
        return frozenset()
    motion = np.abs(solution.duals).reshape(stones, -1).max(axis=1)
    found = frozenset(int(number) for number in np.nonzero(motion > _TOLERANCE)[0] if number)
    return found or frozenset({stones - 1})


@lru_cache(maxsize=1 << 14)
def quick_moving_stones(tower: Tower, lean: Lean) -> frozenset[int]:
    """The stones that start to move by the quick programme, numbered from 1; none if the tower stands."""
    stones = bodies_of(tower)
    return _moving(solve_quick(stones, lean), len(stones))


@lru_cache(maxsize=1 << 14)
def moving_stones(tower: Tower, lean: Lean) -> frozenset[int]:
    """The stones that start to move by the full programme, numbered from 1; none if the tower stands."""
    if not quick_moving_stones(tower, lean):
        return frozenset()
    stones = bodies_of(tower)
    return _moving(solve_full(stones, lean), len(stones))


@lru_cache(maxsize=1 << 12)
def max_tilt(tower: Tower, side: str) -> float:
    """The largest tilt in degrees towards a side at which the tower stands; below 0 if it falls when level."""
    if moving_stones(tower, LEVEL):
        return -1.0
    stones = bodies_of(tower)
    matrix, _ = _full_matrix(stones, INSET, FRICTION)
    rows, forces = 6 * len(stones), len(matrix.start) - 1
    east, north = _SIDES[side]
    weights = np.array([float(len(cells)) for cells in stones])
    horizontal = np.zeros(rows)
    horizontal[0::6], horizontal[1::6] = east * weights, north * weights
    loads = np.zeros(rows)
    loads[2::6] = weights
    affected = np.nonzero(horizontal)[0]
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = forces + 1, rows
    lp.col_cost_ = np.concatenate([np.zeros(forces), [-1.0]])
    lp.col_lower_ = np.zeros(forces + 1)
    lp.col_upper_ = np.concatenate([np.full(forces, highspy.kHighsInf), [1.0]])  # friction alone ends it before 45°
    lp.row_lower_ = lp.row_upper_ = loads
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.concatenate([matrix.start, matrix.start[-1:] + len(affected)]).astype(np.int32)
    lp.a_matrix_.index_ = np.concatenate([matrix.rows, affected]).astype(np.int32)
    lp.a_matrix_.value_ = np.concatenate([matrix.values, horizontal[affected]])
    solver = _run(lp)
    if _is_solved(solver):
        return degrees(atan(-solver.getObjectiveValue()))
    return _bisect_tilt(stones, side)  # rare: the solver gives up on a programme without slack


def _bisect_tilt(stones: tuple[Cells, ...], side: str) -> float:
    """The same by bisection over the angle."""
    low, high = 0.0, degrees(atan(FRICTION))
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if stands(stones, Lean(middle, side)) else (low, middle)
    return low


def loads(tower: Tower, lean: Lean = LEVEL) -> list[Load]:
    """The loads between the bodies of a tower that stands, in cubes of weight, the heaviest first."""
    stones = bodies_of(tower)
    solution = solve_full(stones, lean)
    _, contacts = _full_matrix(stones, INSET, FRICTION)
    patches: dict[tuple[int, int, float], list[int]] = {}  # two stones may touch on two floors
    for number in np.nonzero((solution.forces > _TOLERANCE) & (contacts.axis == _VERTICAL))[0]:
        patch = int(contacts.first[number]), int(contacts.second[number]), float(contacts.points[number, 2])
        patches.setdefault(patch, []).append(int(number))
    found: list[Load] = []
    for (carried, carrier, height), numbers in patches.items():
        forces = solution.forces[numbers]
        x, y = np.average(contacts.points[numbers, :2], axis=0, weights=forces)
        found.append(Load(carried, carrier, float(forces.sum()), (float(x), float(y), height)))
    return sorted(found, key=lambda load: -load.weight)
