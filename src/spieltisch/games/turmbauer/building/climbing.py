"""Paths of pawns: fields, steps, reachability, exits."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from spieltisch.games.turmbauer.building.cells import (
    FOUNDATION,
    TABLE,
    UP,
    Cell,
    beside,
    cell,
    height,
    is_coloured,
    x_of,
    y_of,
    z_of,
)
from spieltisch.games.turmbauer.state import Tower

NEUTRAL: Final = -1  # natural and brown cubes, open to every pawn
ANY: Final = -2  # a pawn that may enter every colour


@lru_cache(maxsize=512)
def cubes_of(tower: Tower) -> Mapping[Cell, int]:
    """The cubes of the tower and the foundation: per cell the colour that may enter its field, or NEUTRAL."""
    cubes = dict.fromkeys(FOUNDATION, NEUTRAL)
    for stone in tower:
        for place in stone.cells:
            cubes[place] = stone.colour if is_coloured(place) else NEUTRAL
    return cubes


@lru_cache(maxsize=512)
def enclosed_squares(ground: frozenset[Cell]) -> frozenset[Cell]:
    """The free squares of the table that are enclosed by the squares built on; a flood fill from outside."""  # R15
    low, high = cell(min(map(x_of, ground)), min(map(y_of, ground)), 0), max(map(y_of, ground))
    width = range(max(map(x_of, ground)) - x_of(low) + 1)
    rows = range(high - y_of(low) + 1)
    inside = {cell(x_of(low) + x, y_of(low) + y, 0) for x in width for y in rows} - ground
    waiting = [square for square in inside if any(s not in inside and s not in ground for s in beside(square))]
    inside -= set(waiting)
    while waiting:
        for square in beside(waiting.pop()):
            if square in inside:
                inside.remove(square)
                waiting.append(square)
    return frozenset(inside)


class Step(NamedTuple):
    """A step of a pawn: its target, its rise in heights, and the cells that must be free for it."""

    place: Cell
    rise: int
    room: tuple[int, ...]


def _room(start: Cell, side: Cell, rise: int) -> tuple[int, ...]:
    """The cell above the target, and in the lower column all cells up to the level of the higher one."""  # R16, R18
    if rise < 0:
        return tuple(range(side + (rise + 1) * UP, side + UP + 1, UP))
    return (side + (rise + 1) * UP, *range(start + 2 * UP, start + (rise + 1) * UP + 1, UP))


class Terrain:
    """The movement graph of a tower: the fields are nodes, the steps of pawns are edges."""

    def __init__(self, cubes: Mapping[Cell, int]) -> None:
        self.cubes = cubes
        self.closed = enclosed_squares(frozenset(place for place in cubes if not z_of(place)))
        self._neighbours: dict[Cell, tuple[Cell, ...]] = {}

    def neighbours(self, start: Cell) -> tuple[Cell, ...]:
        """The places one ordinary step away, of any colour."""
        if start not in self._neighbours:
            self._neighbours[start] = tuple(place for place, _ in self.steps(start))
        return self._neighbours[start]

    def is_field(self, place: Cell) -> bool:
        """Whether a pawn has room on top of a cube."""  # R15
        return place in self.cubes and place + UP not in self.cubes

    def is_ground(self, place: Cell) -> bool:
        """Whether a pawn can stand there: on a cube, or one level below the lowest floor on the open table."""  # R15
        return place in self.cubes or (z_of(place) == -1 and place + UP not in self.closed)

    def steps(self, start: Cell, most: int = 1) -> Iterator[tuple[Cell, int]]:
        """The places one step away, of any colour, with the difference in height, which is at most `most`."""
        if start == TABLE:
            for field in self.cubes:
                rise = height(field)
                if (
                    rise <= most
                    and self.is_field(field)
                    and any(step == (TABLE, rise) for step in self.steps(field, most))
                ):
                    yield field, rise
            return
        for step in self.open_steps(start, most):
            yield step.place, abs(step.rise)

    def open_steps(self, start: Cell, most: int = 1) -> Iterator[Step]:
        """The steps for which a pawn on a cube has room."""
        for side in beside(start):
            for rise in range(-most, most + 1):
                place = Cell(side + rise * UP)
                if self.is_ground(place):
                    step = Step(place if place in self.cubes else TABLE, rise, _room(start, side, rise))
                    if not any(map(self.cubes.__contains__, step.room)):
                        yield step

    def exits(self, pawn: Cell, colour: int) -> list[Cell]:
        """The places that a pawn could enter in one ordinary step if there were no other pawns."""  # R13
        return [place for place in self.neighbours(pawn) if self.may_enter(place, colour)]

    def may_enter(self, place: Cell, colour: int) -> bool:
        """Whether a colour may enter a place: natural and brown fields, its own fields, and the table."""  # R17
        return place == TABLE or colour == ANY or self.cubes[place] in (NEUTRAL, colour)

    def reach(self, pawn: Cell, colour: int, others: Collection[Cell]) -> set[Cell]:
        """The places in reach without a ring, including the pawn's own."""  # R16, R17
        return self._flood({pawn}, colour, others)

    def reach_b(self, pawn: Cell, others: Collection[Cell]) -> set[Cell]:
        """The places in reach with ring b: over any colour and any pawn, but not onto a pawn."""  # R18
        return self._flood({pawn}, ANY, ()).difference(others)

    def reach_c(self, pawn: Cell, colour: int, others: Collection[Cell]) -> set[Cell]:
        """The places in reach with ring c: one of the steps may be two heights."""  # R18
        without_ring = self._flood({pawn}, colour, others)
        leaps = {
            place
            for start in without_ring
            for place, heights in self.steps(start, 2)
            if heights == 2 and place not in others and self.may_enter(place, colour)
        }
        return without_ring | self._flood(leaps, colour, others)

    def _flood(self, starts: set[Cell], colour: int, others: Collection[Cell]) -> set[Cell]:
        """All places connected to the starts: a flood fill."""
        reached, waiting = set(starts), list(starts)
        while waiting:
            for place in self.neighbours(waiting.pop()):
                if place not in reached and place not in others and self.may_enter(place, colour):
                    reached.add(place)
                    waiting.append(place)
        return reached


@lru_cache(maxsize=512)
def terrain_of(tower: Tower) -> Terrain:
    """The movement graph of a tower, cached."""
    return Terrain(cubes_of(tower))
