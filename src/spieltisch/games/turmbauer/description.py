"""The tower in sentences, for somebody who cannot see it: heights, floors, what carries what, what is within reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from spieltisch.games.turmbauer.building.cells import (
    FOUNDATION,
    TABLE,
    UP,
    Cell,
    beside,
    cell,
    height,
    x_of,
    y_of,
    z_of,
)
from spieltisch.games.turmbauer.building.cells import is_coloured as coloured
from spieltisch.games.turmbauer.building.choices import others, reach
from spieltisch.games.turmbauer.building.climbing import terrain_of
from spieltisch.games.turmbauer.building.stones import stones_of
from spieltisch.games.turmbauer.phrases import colour, field_at, number, pawn, say, spot, stone
from spieltisch.games.turmbauer.state import COLOURS, Built, State, Tower, colour_of
from spieltisch.i18n.message import Message

_MOST_BARS: Final = 8


def cube_words(state: State) -> Mapping[Cell, Message]:
    """For every cube what it looks like."""
    return _cube_words(state.tower)


@lru_cache(maxsize=64)
def _cube_words(tower: Tower) -> Mapping[Cell, Message]:
    natural = say("cube.natural")
    words = {place: say("cube.brown") if coloured(place) else natural for place in FOUNDATION}
    own = [say(f"cube.{name}") for name in COLOURS]
    for built in tower:
        for place in built.cells:
            words[place] = own[built.colour] if coloured(place) else natural
    return words


def stone_words(state: State) -> Sequence[Message]:
    """For every kind of stone what it is called."""
    return _stone_words(state.setup.option("stones"))


@lru_cache(maxsize=64)
def _stone_words(document: str) -> Sequence[Message]:
    stones = stones_of(document)
    return [stone(stones, kind) for kind in range(len(stones.kinds))]


def profile(state: State) -> Iterator[Message]:
    """The height of every column, row by row from the north."""
    tops: dict[tuple[int, int], int] = {}
    for place in terrain_of(state.tower).cubes:
        at = y_of(place), x_of(place)
        tops[at] = max(tops.get(at, 0), height(place))
    for row in sorted({y for y, _ in tops}, reverse=True):
        columns = [x for y, x in tops if y == row]
        heights = tuple(tops.get((row, x), 0) for x in range(min(columns), max(columns) + 1))
        yield say("profile.row", row=number(row), column=number(min(columns)), heights=heights)


def floors(state: State) -> Iterator[Message]:
    """The floor plans from the top down, and what carries the stones that begin on each."""
    words = cube_words(state)
    standing = {field: owner for owner, field in enumerate(state.pawns) if field != TABLE}
    by_floor: dict[int, list[Cell]] = {}
    for place in words:
        by_floor.setdefault(z_of(place), []).append(place)
    for z in sorted(by_floor, reverse=True):
        places = by_floor[z]
        yield say("plan.floor", floor=z + 1, n=len(places))
        for row in sorted({y_of(place) for place in places}, reverse=True):
            columns = [x_of(place) for place in places if y_of(place) == row]
            cubes: list[Message] = []
            for x in range(min(columns), max(columns) + 1):
                place = cell(x, row, z)
                cube = words.get(place) or say("cube.empty")
                owner = standing.get(place)
                cubes.append(cube if owner is None else say("cube.pawn", cube=cube, pawn=pawn(owner)))
            yield say("plan.row", row=number(row), column=number(min(columns)), cubes=tuple(cubes))
        for built in state.tower:
            if z_of(built.cells[0]) == z:
                yield carried(state, built)


def carried(state: State, built: Built) -> Message:
    """What carries a stone of the tower."""
    return say(
        "carried",
        cells=tuple(map(spot, built.cells)),
        stone=stone_words(state)[built.kind],
        colour=colour(built.colour),
        bearers=bearers(state, built.cells),
    )


def bearers(state: State, cells: Sequence[Cell]) -> tuple[Message, ...]:
    """What lies directly below the cells: stones of the tower, the foundation, the table."""
    below = {Cell(place - UP) for place in cells} - set(cells)
    found: list[Message] = []
    if any(z_of(place) == -1 for place in below):
        found.append(say("table"))
    if below & set(FOUNDATION):
        found.append(say("foundation"))
    owners = _owners(state.tower)
    for which in sorted({owners[place] for place in below if place in owners}):
        built = state.tower[which]
        found.append(say("stone_of", stone=stone_words(state)[built.kind], colour=colour(built.colour)))
    return tuple(found)


@lru_cache(maxsize=64)
def _owners(tower: Tower) -> Mapping[Cell, int]:
    """For every cube of a stone the number of that stone."""
    return {place: which for which, built in enumerate(tower) for place in built.cells}


def within_reach(state: State) -> Iterator[Message]:
    """What the pawn of the colour to play can reach, and what keeps it from going higher."""
    terrain, own = terrain_of(state.tower), colour_of(state)
    start = state.pawns[own]
    reached = reach(state)
    best = max(reached, key=lambda field: (height(field), field == start, field))
    if reached == {start}:
        yield say("reach.nothing", pawn=pawn(own))
    else:
        yield say("reach", pawn=pawn(own), n=len(reached) - 1, place=field_at(best))
    bars: dict[Cell, Message] = {}
    for place in sorted(reached, key=height, reverse=True):
        steps = {field for field, _ in terrain.steps(place)}
        for field in _beside(terrain.cubes, place):
            if height(field) > height(best) and terrain.is_field(field) and field not in bars:
                bars[field] = _bar(state, place, field, field in steps)
    for field in sorted(bars)[:_MOST_BARS]:
        yield bars[field]


def _beside(cubes: Mapping[Cell, int], place: Cell) -> Iterator[Cell]:
    """The cubes of the columns beside a place, from its height up to the tower's top."""
    if place == TABLE:
        return
    top = max(map(z_of, cubes))
    for side in beside(place):
        for up in range(top - z_of(side) + 1):
            if Cell(side + up * UP) in cubes:
                yield Cell(side + up * UP)


def _bar(state: State, place: Cell, field: Cell, one_step: bool) -> Message:
    """Why a pawn does not get from a place onto a field beside it."""
    terrain, own = terrain_of(state.tower), colour_of(state)
    if height(field) > height(place) + 1:
        return say("bar.high", field=field_at(field), n=height(field) - height(place), place=field_at(place))
    if not one_step:
        return say("bar.room", field=field_at(field), place=field_at(place))
    if field in others(state):
        return say("bar.pawn", field=field_at(field), pawn=pawn(state.pawns.index(field)))
    assert not terrain.may_enter(field, own)
    return say("bar.colour", field=field_at(field), cube=say(f"cube.{COLOURS[terrain.cubes[field]]}"))
