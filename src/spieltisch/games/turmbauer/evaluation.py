"""Evaluation of Turmbauer: the heights in reach, the value of a place, and the risk of a fall."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple, TypeAlias

from spieltisch.core.game import Sampler
from spieltisch.games.turmbauer.building.cells import COMPASS, TABLE, UP, Cell, beside, height, is_coloured
from spieltisch.games.turmbauer.building.choices import open_places
from spieltisch.games.turmbauer.building.climbing import NEUTRAL, Terrain, terrain_of
from spieltisch.games.turmbauer.physics.judge import quick_judge
from spieltisch.games.turmbauer.rules import colours_of
from spieltisch.games.turmbauer.state import (
    COLLAPSE,
    HANDS,
    LEVEL,
    ROUNDS,
    Cells,
    Lean,
    Move,
    Pick,
    PlacedStone,
    State,
    colour_of,
    colours,
    seat_of,
)

CANDIDATES: Final = 50  # places that a bot evaluates in full, after an estimate of all
_RING_VALUE: Final = 0.7  # value of a ring per round in which it may still be used

Estimate: TypeAlias = tuple[float, float, Pick, Cells]  # estimate, random tie-break, stone, place


def rounds_left(state: State) -> int:
    """The number of rounds after this one."""
    return ROUNDS - 1 - state.turn // colours(state)


def ring_value(state: State) -> float:
    """The value of a ring: less towards the end, where it can only break ties."""
    return 0.1 + _RING_VALUE * min(rounds_left(state), 4)


def open_places_of(state: State, pick: Pick) -> list[Cells]:
    """The legal places of a stone that have not failed in this turn."""
    return open_places(state._replace(chosen=pick.kind))


def stone_cubes(colour: int, place: Cells) -> dict[Cell, int]:
    """The cubes of a stone with the colour that may enter each of them."""
    return {cube: colour if is_coloured(cube) else NEUTRAL for cube in place}


def reach_of(state: State, terrain: Terrain, colour: int) -> set[Cell]:
    """The places that a colour's pawn can reach without a ring."""
    others = {pawn for other, pawn in enumerate(state.pawns) if other != colour and pawn != TABLE}
    return terrain.reach(state.pawns[colour], colour, others)


def height_gain(place: Cells, reached: set[Cell], best: int, own: bool) -> int:
    """Estimate of how much higher than its best a pawn gets by the fields that a stone adds next to those in reach."""
    fields = [cube for cube in place if cube + UP not in place and (own or not is_coloured(cube))]
    added: set[int] = set()
    for cube in fields:
        near = [side + up for side in beside(cube) for up in (-UP, 0, UP)]
        if not (reached.isdisjoint(near) and added.isdisjoint(near)) or (height(cube) == 1 and TABLE in reached):
            added.add(cube)
    return max(best, max(map(height, map(Cell, added)), default=0)) - best


def evaluate_tower(state: State, terrain: Terrain) -> float:
    """The heights in reach of the seat to play, minus a share of those of the others."""
    seats = [
        sum(max(map(height, reach_of(state, terrain, colour))) for colour in colours_of(state, seat))
        for seat in range(state.setup.players)
    ]
    own = seats.pop(seat_of(state, colour_of(state)))
    return own - 0.6 * max(seats) - 0.1 * sum(seats)


def count_falls(state: State, kind: int, place: Cells) -> Iterator[int]:
    """The number of stones that fall, for each side to which the hand may tremble."""
    tower = (*state.tower, PlacedStone(colour_of(state), kind, place))
    degrees = HANDS[state.setup.option("hand")]
    for lean in [Lean(degrees, side) for side in COMPASS] if degrees else [LEVEL]:
        yield quick_judge(tower, lean)[0]


class Plan(NamedTuple):
    """A stone, its place, and the value of the tower with it."""

    value: float
    pick: Pick
    place: Cells


def fall_risk(state: State, plan: Plan) -> float:
    """The probability of a collapse; one or two fallen stones, which cost only a try, count half."""
    fallen = list(count_falls(state, plan.pick.kind, plan.place))
    return sum(1.0 if n >= COLLAPSE else 0.5 if n else 0.0 for n in fallen) / len(fallen)


def estimate_places(state: State, picks: Iterable[Pick], sampler: Sampler) -> Iterator[Estimate]:
    """All places of the stones with an estimate of their value."""
    estimate = place_estimator(state)
    for pick in picks:
        for place in open_places_of(state, pick):
            yield estimate(place), sampler.random(), pick, place


def place_estimator(state: State) -> Callable[[Cells], float]:
    """A fast estimate of a place: how much higher the seat's own pawns get, minus what the others gain."""
    reached_by = [reach_of(state, terrain_of(state.tower), colour) for colour in range(colours(state))]
    bests = [max(map(height, reached)) for reached in reached_by]
    builder = colour_of(state)
    own = set(colours_of(state, seat_of(state, builder)))

    def estimate(place: Cells) -> float:
        value = 0.0
        for colour, reached in enumerate(reached_by):
            gain = height_gain(place, reached, bests[colour], colour == builder)
            lost = sum(1 for cube in place if Cell(cube - UP) in reached)
            value += (gain - 0.2 * lost) if colour in own else (0.3 * lost - 0.5 * gain)
        return value

    return estimate


def evaluate_place(state: State, pick: Pick, place: Cells, sampler: Sampler) -> Plan:
    """The plan to build a stone at a place, with the value of the resulting tower."""
    cubes = {**terrain_of(state.tower).cubes, **stone_cubes(colour_of(state), place)}
    return Plan(evaluate_tower(state, Terrain(cubes)) + 0.01 * sampler.random(), pick, place)


def best_plans(state: State, picks: Iterable[Pick], number: int, sampler: Sampler) -> list[Plan]:
    """The plans with the best estimates, evaluated in full, the best first."""
    candidates = heapq.nlargest(number, estimate_places(state, picks, sampler))
    return sorted((evaluate_place(state, pick, place, sampler) for _, _, pick, place in candidates), reverse=True)


def evaluate_move(state: State, move: Move, terrain: Terrain) -> float:
    """The value of a move: its height and its exits, minus the value of a ring it spends."""
    cost = ring_value(state) if move.ring else 0.0
    room = len(terrain.exits(move.field, colour_of(state))) / 10 if move.field != TABLE else 0.0
    return height(move.field) - cost + room
