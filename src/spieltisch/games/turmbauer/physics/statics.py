"""Does it stand? Linear programmes over the forces with which stones carry each other.

Stones touch in patches, and push at the patches' corners. The quick programme lets all forces run along the weight: a
tilt then only slides every point sideways by its height, and three equations a stone remain. The full programme adds
friction on horizontal patches and plain pushes on vertical ones, with six equations a stone. Each equation may be
helped by a hand from outside, at a price; a tower stands if it needs no help. The prices of the help are the motion
with which the tower would begin to fall.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import atan, degrees, radians, tan
from typing import Final, NamedTuple, TypeAlias

import highspy
import numpy as np
from numpy.typing import NDArray

from spieltisch.games.turmbauer.building.cells import COMPASS, EAST, FOUNDATION, NORTH, UP, Cell, x_of, y_of, z_of
from spieltisch.games.turmbauer.state import LEVEL, Cells, Lean, Tower

Numbers: TypeAlias = NDArray[np.float64]
FRICTION: Final = 0.4
INSET: Final = 0.05  # edges are rounded: no stone stands on its very corner
NOBODY: Final = -1  # the table, where a stone's number is asked for
_NOTHING: Final = 1e-6  # what is less is no help, and no motion
_AXES: Final = (EAST, NORTH, UP)
_SIDES: Final = {"": (0.0, 0.0), **dict(zip(COMPASS, ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)), strict=True))}
_UPRIGHT: Final = 2  # the axis of a horizontal patch


def slope(lean: Lean) -> tuple[float, float]:
    """How far the load goes to the east and to the north for every step down."""
    east, north = _SIDES[lean.side]
    return east * tan(radians(lean.degrees)), north * tan(radians(lean.degrees))


class Contacts(NamedTuple):
    """Points where stones push each other: the first stone along the axis, the second one back."""

    points: Numbers  # a row each: x, y, z
    first: NDArray[np.int64]
    second: NDArray[np.int64]  # NOBODY is the table
    axis: NDArray[np.int64]


class Load(NamedTuple):
    """What one stone carries of another: numbers in the order of building, 0 is the foundation, NOBODY the table."""

    carried: int
    carrier: int
    weight: float  # in cubes
    at: tuple[float, float, float]  # the middle of the force: x, y, height


def bodies_of(tower: Tower) -> tuple[Cells, ...]:
    """The foundation and the stones on it."""
    return (FOUNDATION, *(stone.cells for stone in tower))


def contacts_of(stones: tuple[Cells, ...], inset: float = INSET) -> Contacts:
    """Where the stones touch; the last one's contacts are added to those of the others, which stay as they are."""
    rows = _new_contacts(stones, inset)
    new = np.array(rows, dtype=np.float64).reshape(len(rows), 6)
    first, second, axis = (new[:, column].astype(np.int64) for column in (3, 4, 5))
    added = Contacts(new[:, :3], first, second, axis)
    return _joined([_remembered(stones[:-1], inset), added]) if len(stones) > 1 else added


@lru_cache(maxsize=256)
def _remembered(stones: tuple[Cells, ...], inset: float) -> Contacts:
    """The same for a tower that many stones are tried upon."""
    return contacts_of(stones, inset)


def _joined(parts: Sequence[Contacts]) -> Contacts:
    return Contacts(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.first for part in parts]),
        np.concatenate([part.second for part in parts]),
        np.concatenate([part.axis for part in parts]),
    )


def _chosen(contacts: Contacts, which: NDArray[np.bool_]) -> Contacts:
    return Contacts(contacts.points[which], contacts.first[which], contacts.second[which], contacts.axis[which])


def _new_contacts(stones: tuple[Cells, ...], inset: float) -> list[tuple[float, ...]]:
    """The outer corners of all patches where the last stone touches something, moved inwards."""
    owner = {place: number for number, cells in enumerate(stones[:-1]) for place in cells}
    new, last = stones[-1], len(stones) - 1
    patches: dict[tuple[int, int, int, int], list[tuple[int, int]]] = {}  # by whom, axis, way and level: its squares
    for place in new:
        at = (x_of(place), y_of(place), z_of(place))
        for axis, step in enumerate(_AXES):
            square = at[axis - 2], at[axis - 1]
            for way in (1, -1):
                other = owner.get(Cell(place + way * step))
                if other is not None:
                    patches.setdefault((other, axis, way, at[axis]), []).append(square)
        if at[2] == 0:
            patches.setdefault((NOBODY, _UPRIGHT, -1, 0), []).append((at[0], at[1]))
    rows: list[tuple[float, ...]] = []
    for (other, axis, way, level), squares in patches.items():
        pair = (other, last) if way > 0 else (last, other)
        plane = level + way / 2 + (0.5 if axis == _UPRIGHT else 0.0)  # x and y count cells' middles, z their bottoms
        for u, v in _corners(squares, 0.5 - inset):  # the plane's own coordinates
            point = [0.0, 0.0, 0.0 if axis == _UPRIGHT else 0.5]
            point[axis] += plane
            point[axis - 2] += u
            point[axis - 1] += v
            rows.append((*point, *pair, axis))
    return rows


def _corners(squares: list[tuple[int, int]], reach: float) -> list[tuple[float, float]]:
    """The outer corners of a patch of unit squares, so far from the squares' middles."""
    return [
        (u + reach * along, v + reach * across)
        for u, v in squares
        for along in (1, -1)
        for across in (1, -1)
        if (u + along, v) not in squares and (u, v + across) not in squares
    ]


class Columns(NamedTuple):
    """A sparse matrix, column by column."""

    start: NDArray[np.int32]
    rows: NDArray[np.int32]
    values: Numbers


def _columns(rows: int, contacts: Contacts, pushes: Numbers, backs: Numbers) -> Columns:
    """The effect of every push on its first stone's equations and, reversed, on the second's; zeros are left out."""
    span = np.arange(rows)
    index = np.concatenate([rows * contacts.first[:, None] + span, rows * contacts.second[:, None] + span], axis=1)
    value = np.concatenate([pushes, -backs], axis=1)
    kept = value != 0.0
    kept[contacts.second == NOBODY, rows:] = False
    start = np.concatenate([[0], np.cumsum(kept.sum(axis=1))])
    return Columns(start.astype(np.int32), index[kept].astype(np.int32), value[kept])


def _centres(stones: tuple[Cells, ...]) -> Numbers:
    """The middle of every stone."""
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


class Answer(NamedTuple):
    """What a programme found: how much help is needed, the pushes, and the prices of help for every equation."""

    help: float
    pushes: Numbers
    prices: Numbers


def _helped(columns: Columns, loads: Numbers) -> Answer:
    """The pushes that leave least to do for a hand from outside."""
    rows, pushes = len(loads), len(columns.start) - 1
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = pushes + 2 * rows, rows
    lp.col_cost_ = np.concatenate([np.zeros(pushes), np.ones(2 * rows)])
    lp.col_lower_ = np.zeros(pushes + 2 * rows)
    lp.col_upper_ = np.full(pushes + 2 * rows, highspy.kHighsInf)
    lp.row_lower_ = lp.row_upper_ = loads
    own = np.arange(rows, dtype=np.int32)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.concatenate([columns.start, columns.start[-1] + 1 + np.arange(2 * rows, dtype=np.int32)])
    lp.a_matrix_.index_ = np.concatenate([columns.rows, own, own])
    lp.a_matrix_.value_ = np.concatenate([columns.values, np.ones(rows), -np.ones(rows)])
    solver = _run(lp)
    if not _is_solved(solver):  # seldom, and then it helps to leave the programme as it is
        solver.setOptionValue("presolve", "off")
        solver.run()
    if not _is_solved(solver):
        raise ArithmeticError("the solver found no answer")
    solution = solver.getSolution()
    found = np.array(solution.col_value[:pushes])
    return Answer(solver.getObjectiveValue(), found, np.array(solution.row_dual))


def _run(lp: highspy.HighsLp) -> highspy.Highs:
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.passModel(lp)
    solver.run()
    return solver


def _is_solved(solver: highspy.Highs) -> bool:
    return bool(solver.getModelStatus() == highspy.HighsModelStatus.kOptimal)


def quick_answer(stones: tuple[Cells, ...], lean: Lean, inset: float = INSET) -> Answer:
    """What the quick programme says: forces along the leaning weight, on horizontal patches alone."""
    touch = contacts_of(stones, inset)
    touch = _chosen(touch, touch.axis == _UPRIGHT)
    sideways = np.array(slope(lean))
    centres = _centres(stones)
    middles = centres[:, :2] + sideways * centres[:, 2:]  # where the weight's line meets the table
    points = touch.points[:, :2] + sideways * touch.points[:, 2:]
    one = np.ones((len(points), 1))
    pushes = np.concatenate([one, points - middles[touch.first]], axis=1)
    backs = np.concatenate([one, points - middles[touch.second]], axis=1)
    loads = np.zeros(3 * len(stones))
    loads[::3] = [len(cells) for cells in stones]
    return _helped(_columns(3, touch, pushes, backs), loads)


@lru_cache(maxsize=64)
def _full_columns(stones: tuple[Cells, ...], inset: float, friction: float) -> tuple[Columns, Contacts]:
    """The full programme's matrix, and for every column its contact."""
    touch = contacts_of(stones, inset)
    upright = touch.axis == _UPRIGHT
    pushes = [(touch.axis[~upright, None] == np.arange(3)).astype(np.float64)]
    parts = [_chosen(touch, ~upright)]
    for east, north in ((friction, 0.0), (-friction, 0.0), (0.0, friction), (0.0, -friction)):
        parts.append(_chosen(touch, upright))
        pushes.append(np.tile([east, north, 1.0], (int(upright.sum()), 1)))
    whole = _joined(parts)
    force = np.concatenate(pushes)
    centres = _centres(stones)
    turn = [np.cross(whole.points - centres[who], force) for who in (whole.first, whole.second)]
    effects = [np.concatenate([force, moment], axis=1) for moment in turn]
    return _columns(6, whole, effects[0], effects[1]), whole


def full_answer(stones: tuple[Cells, ...], lean: Lean, inset: float = INSET, friction: float = FRICTION) -> Answer:
    """What the full programme says: friction where stones lie on each other, pushes where they stand side by side."""
    columns, _ = _full_columns(stones, inset, friction)
    east, north = slope(lean)
    weights = np.array([float(len(cells)) for cells in stones])
    loads = np.zeros(6 * len(stones))
    loads[0::6], loads[1::6], loads[2::6] = -east * weights, -north * weights, weights
    return _helped(columns, loads)


def stands(stones: tuple[Cells, ...], lean: Lean, inset: float = INSET, friction: float = FRICTION) -> bool:
    """Whether the tower holds: the quick programme suffices for solid ones, the full one decides."""
    if quick_answer(stones, lean, inset).help < _NOTHING:
        return True
    return full_answer(stones, lean, inset, friction).help < _NOTHING


def _moves(answer: Answer, stones: int) -> frozenset[int]:
    """The stones whose help has a price; the foundation is not asked."""
    if answer.help < _NOTHING:
        return frozenset()
    prices = np.abs(answer.prices).reshape(stones, -1).max(axis=1)
    found = frozenset(int(number) for number in np.nonzero(prices > _NOTHING)[0] if number)
    return found or frozenset({stones - 1})


@lru_cache(maxsize=1 << 14)
def quick_moving(tower: Tower, lean: Lean) -> frozenset[int]:
    """The stones that begin to move by the quick programme, by number from 1; none where it stands."""
    stones = bodies_of(tower)
    return _moves(quick_answer(stones, lean), len(stones))


@lru_cache(maxsize=1 << 14)
def moving(tower: Tower, lean: Lean) -> frozenset[int]:
    """The stones that begin to move, by number from 1; none where the tower stands."""
    if not quick_moving(tower, lean):
        return frozenset()
    stones = bodies_of(tower)
    return _moves(full_answer(stones, lean), len(stones))


@lru_cache(maxsize=1 << 12)
def bears(tower: Tower, side: str) -> float:
    """The largest angle in degrees by which the load may lean to that side; below 0 where it falls when level."""
    if moving(tower, LEVEL):
        return -1.0
    stones = bodies_of(tower)
    columns, _ = _full_columns(stones, INSET, FRICTION)
    rows, pushes = 6 * len(stones), len(columns.start) - 1
    east, north = _SIDES[side]
    weights = np.array([float(len(cells)) for cells in stones])
    leaning = np.zeros(rows)
    leaning[0::6], leaning[1::6] = east * weights, north * weights
    loads = np.zeros(rows)
    loads[2::6] = weights
    own = np.nonzero(leaning)[0]
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = pushes + 1, rows
    lp.col_cost_ = np.concatenate([np.zeros(pushes), [-1.0]])
    lp.col_lower_ = np.zeros(pushes + 1)
    lp.col_upper_ = np.concatenate([np.full(pushes, highspy.kHighsInf), [1.0]])  # friction alone ends it before 45°
    lp.row_lower_ = lp.row_upper_ = loads
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.concatenate([columns.start, columns.start[-1:] + len(own)]).astype(np.int32)
    lp.a_matrix_.index_ = np.concatenate([columns.rows, own]).astype(np.int32)
    lp.a_matrix_.value_ = np.concatenate([columns.values, leaning[own]])
    solver = _run(lp)
    if _is_solved(solver):
        return degrees(atan(-solver.getObjectiveValue()))
    return _halved(stones, side)  # rarely the solver gives up on a programme without help


def _halved(stones: tuple[Cells, ...], side: str) -> float:
    """The same by trying angles."""
    low, high = 0.0, degrees(atan(FRICTION))
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if stands(stones, Lean(middle, side)) else (low, middle)
    return low


def loads(tower: Tower, lean: Lean = LEVEL) -> list[Load]:
    """What carries what in a tower that stands, in cubes of weight; the heaviest first."""
    stones = bodies_of(tower)
    answer = full_answer(stones, lean)
    _, touch = _full_columns(stones, INSET, FRICTION)
    patches: dict[tuple[int, int, float], list[int]] = {}  # two stones may touch on two floors
    for number in np.nonzero((answer.pushes > _NOTHING) & (touch.axis == _UPRIGHT))[0]:
        patch = int(touch.first[number]), int(touch.second[number]), float(touch.points[number, 2])
        patches.setdefault(patch, []).append(int(number))
    found: list[Load] = []
    for (carried, carrier, height), numbers in patches.items():
        pushes = answer.pushes[numbers]
        x, y = np.average(touch.points[numbers, :2], axis=0, weights=pushes)
        found.append(Load(carried, carrier, float(pushes.sum()), (float(x), float(y), height)))
    return sorted(found, key=lambda load: -load.weight)
