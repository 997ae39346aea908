"""Where pawns can go: fields, steps, ways, exits."""

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
ANY: Final = -2  # a pawn to which every colour is open


@lru_cache(maxsize=512)
def cubes_of(tower: Tower) -> Mapping[Cell, int]:
    """Every cube of the tower and the foundation: by its cell the colour that may enter its field, or NEUTRAL."""
    cubes = dict.fromkeys(FOUNDATION, NEUTRAL)
    for stone in tower:
        for place in stone.cells:
            cubes[place] = stone.colour if is_coloured(place) else NEUTRAL
    return cubes


@lru_cache(maxsize=512)
def courtyards(ground: frozenset[Cell]) -> frozenset[Cell]:
    """The free squares of the table that stones enclose, when these of its squares are built on."""  # R15
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
    """A step of a pawn: where to, how many heights up, and the cells that must be free for it."""

    place: Cell
    rise: int
    room: tuple[int, ...]


def _room(start: Cell, side: Cell, rise: int) -> tuple[int, ...]:
    """The place's own cell, and in the lower one's column all cells up to the higher one's level."""  # R16, R18
    if rise < 0:
        return tuple(range(side + (rise + 1) * UP, side + UP + 1, UP))
    return (side + (rise + 1) * UP, *range(start + 2 * UP, start + (rise + 1) * UP + 1, UP))


class Terrain:
    """A tower as pawns see it."""

    def __init__(self, cubes: Mapping[Cell, int]) -> None:
        self.cubes = cubes
        self.closed = courtyards(frozenset(place for place in cubes if not z_of(place)))
        self._near: dict[Cell, tuple[Cell, ...]] = {}

    def near(self, start: Cell) -> tuple[Cell, ...]:
        """The places one ordinary step away, whatever their colour."""
        if start not in self._near:
            self._near[start] = tuple(place for place, _ in self.steps(start))
        return self._near[start]

    def is_field(self, place: Cell) -> bool:
        """Whether a pawn has room on that cube."""  # R15
        return place in self.cubes and place + UP not in self.cubes

    def is_ground(self, place: Cell) -> bool:
        """Whether there is a cube, or, one below the lowest floor, the open table."""  # R15
        return place in self.cubes or (z_of(place) == -1 and place + UP not in self.closed)

    def steps(self, start: Cell, most: int = 1) -> Iterator[tuple[Cell, int]]:
        """The places next to a pawn's, whatever their colour, and how many heights away; at most so many."""
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
        """The steps that a pawn on a cube has room for."""
        for side in beside(start):
            for rise in range(-most, most + 1):
                place = Cell(side + rise * UP)
                if self.is_ground(place):
                    step = Step(place if place in self.cubes else TABLE, rise, _room(start, side, rise))
                    if not any(map(self.cubes.__contains__, step.room)):
                        yield step

    def exits(self, pawn: Cell, colour: int) -> list[Cell]:
        """Where that colour's pawn could go in one ordinary step if there were no other pawns."""  # R13
        return [place for place in self.near(pawn) if self.may_enter(place, colour)]

    def may_enter(self, place: Cell, colour: int) -> bool:
        """Whether the colour may enter: natural and brown fields, its own, and the table."""  # R17
        return place == TABLE or colour == ANY or self.cubes[place] in (NEUTRAL, colour)

    def reach(self, pawn: Cell, colour: int, others: Collection[Cell]) -> set[Cell]:
        """Where the pawn can go without a ring, itself included."""  # R16, R17
        return self._flood({pawn}, colour, others)

    def reach_b(self, pawn: Cell, others: Collection[Cell]) -> set[Cell]:
        """Where ring b lets it go: over any colour and any pawn, but onto none."""  # R18
        return self._flood({pawn}, ANY, ()).difference(others)

    def reach_c(self, pawn: Cell, colour: int, others: Collection[Cell]) -> set[Cell]:
        """Where ring c lets it go: one of the steps may be of two heights."""  # R18
        plain = self._flood({pawn}, colour, others)
        leaps = {
            place
            for start in plain
            for place, heights in self.steps(start, 2)
            if heights == 2 and place not in others and self.may_enter(place, colour)
        }
        return plain | self._flood(leaps, colour, others)

    def _flood(self, starts: set[Cell], colour: int, others: Collection[Cell]) -> set[Cell]:
        reached, waiting = set(starts), list(starts)
        while waiting:
            for place in self.near(waiting.pop()):
                if place not in reached and place not in others and self.may_enter(place, colour):
                    reached.add(place)
                    waiting.append(place)
        return reached


@lru_cache(maxsize=512)
def terrain_of(tower: Tower) -> Terrain:
    """The tower as pawns see it."""
    return Terrain(cubes_of(tower))
