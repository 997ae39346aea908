"""The tower in sentences for people who cannot see it: heights, floor plans, supports, and the reach of a pawn."""

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
from spieltisch.games.turmbauer.phrases import (
    cell_phrase,
    colour_phrase,
    field_phrase,
    number_phrase,
    pawn_phrase,
    say,
    stone_phrase,
)
from spieltisch.games.turmbauer.state import COLOURS, PlacedStone, State, Tower, colour_of
from spieltisch.i18n.message import Message

_MAX_OBSTACLES: Final = 8


def cube_phrases(state: State) -> Mapping[Cell, Message]:
    """Per cube a phrase for its colour."""
    return _cached_cube_phrases(state.tower)


@lru_cache(maxsize=64)
def _cached_cube_phrases(tower: Tower) -> Mapping[Cell, Message]:
    natural = say("cube.natural")
    words = {place: say("cube.brown") if coloured(place) else natural for place in FOUNDATION}
    own = [say(f"cube.{name}") for name in COLOURS]
    for built in tower:
        for place in built.cells:
            words[place] = own[built.colour] if coloured(place) else natural
    return words


def stone_phrases(state: State) -> Sequence[Message]:
    """Per kind of stone a phrase for it."""
    return _cached_stone_phrases(state.setup.option("stones"))


@lru_cache(maxsize=64)
def _cached_stone_phrases(document: str) -> Sequence[Message]:
    stones = stones_of(document)
    return [stone_phrase(stones, kind) for kind in range(len(stones.kinds))]


def height_profile(state: State) -> Iterator[Message]:
    """The height of every column, row by row from the north."""
    tops: dict[tuple[int, int], int] = {}
    for place in terrain_of(state.tower).cubes:
        at = y_of(place), x_of(place)
        tops[at] = max(tops.get(at, 0), height(place))
    for row in sorted({y for y, _ in tops}, reverse=True):
        columns = [x for y, x in tops if y == row]
        heights = tuple(tops.get((row, x), 0) for x in range(min(columns), max(columns) + 1))
        yield say("profile.row", row=number_phrase(row), column=number_phrase(min(columns)), heights=heights)


def floor_plans(state: State) -> Iterator[Message]:
    """The floor plans from the top down, each with the supports of the stones whose lowest cube lies there."""
    words = cube_phrases(state)
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
                cubes.append(cube if owner is None else say("cube.pawn", cube=cube, pawn=pawn_phrase(owner)))
            yield say("plan.row", row=number_phrase(row), column=number_phrase(min(columns)), cubes=tuple(cubes))
        for built in state.tower:
            if z_of(built.cells[0]) == z:
                yield describe_support(state, built)


def describe_support(state: State, built: PlacedStone) -> Message:
    """A sentence about what carries a stone of the tower."""
    return say(
        "carried",
        cells=tuple(map(cell_phrase, built.cells)),
        stone=stone_phrases(state)[built.kind],
        colour=colour_phrase(built.colour),
        bearers=supporting_phrases(state, built.cells),
    )


def supporting_phrases(state: State, cells: Sequence[Cell]) -> tuple[Message, ...]:
    """Phrases for what lies directly below the cells: stones of the tower, the foundation, the table."""
    below = {Cell(place - UP) for place in cells} - set(cells)
    found: list[Message] = []
    if any(z_of(place) == -1 for place in below):
        found.append(say("table"))
    if below & set(FOUNDATION):
        found.append(say("foundation"))
    owners = stone_indices(state.tower)
    for which in sorted({owners[place] for place in below if place in owners}):
        built = state.tower[which]
        found.append(say("stone_of", stone=stone_phrases(state)[built.kind], colour=colour_phrase(built.colour)))
    return tuple(found)


@lru_cache(maxsize=64)
def stone_indices(tower: Tower) -> Mapping[Cell, int]:
    """The index of the stone to which each cube belongs."""
    return {place: which for which, built in enumerate(tower) for place in built.cells}


def describe_reach(state: State) -> Iterator[Message]:
    """The fields in reach of the pawn to play, and the obstacles that keep it from going higher."""
    terrain, own = terrain_of(state.tower), colour_of(state)
    start = state.pawns[own]
    reached = reach(state)
    best = max(reached, key=lambda field: (height(field), field == start, field))
    if reached == {start}:
        yield say("reach.nothing", pawn=pawn_phrase(own))
    else:
        yield say("reach", pawn=pawn_phrase(own), n=len(reached) - 1, place=field_phrase(best))
    obstacles: dict[Cell, Message] = {}
    for place in sorted(reached, key=height, reverse=True):
        steps = {field for field, _ in terrain.steps(place)}
        for field in _cubes_beside(terrain.cubes, place):
            if height(field) > height(best) and terrain.is_field(field) and field not in obstacles:
                obstacles[field] = _describe_obstacle(state, place, field, field in steps)
    for field in sorted(obstacles)[:_MAX_OBSTACLES]:
        yield obstacles[field]


def _cubes_beside(cubes: Mapping[Cell, int], place: Cell) -> Iterator[Cell]:
    """The cubes in the columns beside a place, from its height upwards."""
    if place == TABLE:
        return
    top = max(map(z_of, cubes))
    for side in beside(place):
        for up in range(top - z_of(side) + 1):
            if Cell(side + up * UP) in cubes:
                yield Cell(side + up * UP)


def _describe_obstacle(state: State, place: Cell, field: Cell, one_step: bool) -> Message:
    """Why a pawn cannot step from a place onto a field beside it."""
    terrain, own = terrain_of(state.tower), colour_of(state)
    if height(field) > height(place) + 1:
        return say("bar.high", field=field_phrase(field), n=height(field) - height(place), place=field_phrase(place))
    if not one_step:
        return say("bar.room", field=field_phrase(field), place=field_phrase(place))
    if field in others(state):
        return say("bar.pawn", field=field_phrase(field), pawn=pawn_phrase(state.pawns.index(field)))
    assert not terrain.may_enter(field, own)
    return say("bar.colour", field=field_phrase(field), cube=say(f"cube.{COLOURS[terrain.cubes[field]]}"))
