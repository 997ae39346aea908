"""Players that know Turmbauer."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple

from spieltisch.game import Sampler
from spieltisch.games.turmbauer.cells import COMPASS, TABLE, UP, Cell, beside, height, is_coloured
from spieltisch.games.turmbauer.choices import open_places
from spieltisch.games.turmbauer.climbing import NEUTRAL, Terrain, terrain_of
from spieltisch.games.turmbauer.judge import quick
from spieltisch.games.turmbauer.rules import played
from spieltisch.games.turmbauer.state import (
    COLLAPSE,
    HANDS,
    LEVEL,
    ROUNDS,
    STAY,
    Action,
    Box,
    Built,
    Cells,
    Lean,
    Move,
    Phase,
    Pick,
    Place,
    State,
    colour_of,
    colours,
    seat_of,
)
from spieltisch.games.turmbauer.view import View, state_of
from spieltisch.player import Clock, Seen

_GLANCED: Final = 50  # places whose ways are worked out in full, of all those glanced at
_FURTHER: Final = 50  # places that will do where none of those stands
_WEIGHED: Final = 6  # places whose danger is weighed where none does
_RING: Final = 0.7  # what a ring is worth for every round in which it may still serve


def rounds_left(state: State) -> int:
    """How many rounds come after this one."""
    return ROUNDS - 1 - state.turn // colours(state)


def ring_worth(state: State) -> float:
    """What must be gained for a ring: less as the end comes near, where it breaks ties at best."""
    return 0.1 + _RING * min(rounds_left(state), 4)


def places_of(state: State, pick: Pick) -> list[Cells]:
    """The places of a stone that have not failed in this turn."""
    return open_places(state._replace(chosen=pick.kind))


def stone_cubes(colour: int, place: Cells) -> dict[Cell, int]:
    """A stone of that colour as its cubes would be entered."""
    return {cube: colour if is_coloured(cube) else NEUTRAL for cube in place}


def reach_of(state: State, terrain: Terrain, colour: int) -> set[Cell]:
    """Where a colour's pawn can go without a ring."""
    others = {pawn for other, pawn in enumerate(state.pawns) if other != colour and pawn != TABLE}
    return terrain.reach(state.pawns[colour], colour, others)


def rise(place: Cells, reached: set[Cell], best: int, own: bool) -> int:
    """How much higher than its best a stone there takes a pawn, by a glance at what it adds to the fields in reach."""
    fields = [cube for cube in place if cube + UP not in place and (own or not is_coloured(cube))]
    added: set[int] = set()
    for cube in fields:
        near = [side + up for side in beside(cube) for up in (-UP, 0, UP)]
        if not (reached.isdisjoint(near) and added.isdisjoint(near)) or (height(cube) == 1 and TABLE in reached):
            added.add(cube)
    return max(best, max(map(height, map(Cell, added)), default=0)) - best


def worth(state: State, terrain: Terrain) -> float:
    """How high the own pawns can get, less how high the others can."""
    seats = [
        sum(max(map(height, reach_of(state, terrain, colour))) for colour in played(state, seat))
        for seat in range(state.setup.players)
    ]
    own = seats.pop(seat_of(state, colour_of(state)))
    return own - 0.6 * max(seats) - 0.1 * sum(seats)


def falls(state: State, kind: int, place: Cells) -> Iterator[int]:
    """How many stones fall for each way the hand may tremble."""
    tower = (*state.tower, Built(colour_of(state), kind, place))
    degrees = HANDS[state.setup.option("hand")]
    for lean in [Lean(degrees, side) for side in COMPASS] if degrees else [LEVEL]:
        yield quick(tower, lean)[0]


class Careful:
    """Chooses anything, but builds only where the tower stands however the hand trembles, if it finds such a place."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        if seen.view.phase is Phase.PLACE:
            state = state_of(seen.view)
            for place in self.sampler.sample(list(seen.choices), min(30, len(seen.choices))):
                if isinstance(place, Place) and not any(falls(state, state.chosen, place.cells)):
                    return place
        return self.sampler.choice(seen.choices)


class Plan(NamedTuple):
    """A stone and its place, and what it is worth."""

    worth: float
    pick: Pick
    place: Cells


def danger(state: State, plan: Plan) -> float:
    """How likely it is that something falls; a stone or two cost no more than a try."""
    fallen = list(falls(state, plan.pick.kind, plan.place))
    return sum(1.0 if n >= COLLAPSE else 0.5 if n else 0.0 for n in fallen) / len(fallen)


class Greedy:
    """Builds itself a way up and closes those of the others, where the tower is sure to stand.

    `nerve` is the risk of a collapse that it takes, as a share of the ways the hand may tremble.
    """

    def __init__(self, sampler: Sampler, nerve: float = 0.0) -> None:
        self.sampler = sampler
        self.nerve = nerve
        self.plan: Plan | None = None

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        state = state_of(seen.view)
        match seen.view.phase:
            case Phase.STONE:
                return self.stone(state, seen.choices)
            case Phase.PLACE:
                if self.plan is None or Place(self.plan.place) not in seen.choices:
                    picks = [Pick(state.chosen, state.ring)]
                    self.plan = self.best_plan(state, picks)
                return Place(self.plan.place)
        return self.move(state, seen.choices)

    def stone(self, state: State, choices: Sequence[Action]) -> Action:
        """The stone of the best plan; a ring only where it gains more than it is worth; else the smallest to the box."""
        picks = [choice for choice in choices if isinstance(choice, Pick) and not choice.ring]
        by_ring = [choice for choice in choices if isinstance(choice, Pick) and choice.ring]
        boxes = [choice for choice in choices if isinstance(choice, Box)]
        self.plan = self.best_plan(state, picks) if picks else None
        if by_ring and rounds_left(state) <= 3:
            bold = self.best_plan(state, by_ring)
            if bold.worth > (self.plan.worth if self.plan else worth(state, terrain_of(state.tower))) + ring_worth(
                state
            ):
                self.plan = bold
        if self.plan is None:
            return min(boxes, key=lambda box: state.stones.kinds[box.kind].size)
        return self.plan.pick

    def best_plan(self, state: State, picks: Sequence[Pick]) -> Plan:
        """The most worthy of the places that stand; of those that do not, the least dangerous."""
        glances = heapq.nlargest(_GLANCED + _FURTHER, self.glances(state, picks))
        plans = sorted((self.reckoned(state, pick, place) for _, _, pick, place in glances[:_GLANCED]), reverse=True)
        further = (Plan(0.0, pick, place) for _, _, pick, place in glances[_GLANCED:])
        for plan in (*plans, *further):
            if self.dares(state, plan):
                return plan
        return min(plans[:_WEIGHED], key=lambda plan: danger(state, plan))

    def dares(self, state: State, plan: Plan) -> bool:
        """Whether the tower stands, or the risk is small enough."""
        if not any(falls(state, plan.pick.kind, plan.place)):
            return True
        return self.nerve > 0 and danger(state, plan) <= self.nerve

    def glances(self, state: State, picks: Iterable[Pick]) -> Iterator[tuple[float, float, Pick, Cells]]:
        """Every place with a first impression of it: how much higher it takes the own pawns than the others'."""
        ways = [reach_of(state, terrain_of(state.tower), colour) for colour in range(colours(state))]
        bests = [max(map(height, reached)) for reached in ways]
        own = set(played(state, seat_of(state, colour_of(state))))
        builder = colour_of(state)
        for pick in picks:
            for place in places_of(state, pick):
                impression = 0.0
                for colour, reached in enumerate(ways):
                    gain = rise(place, reached, bests[colour], colour == builder)
                    lost = sum(1 for cube in place if Cell(cube - UP) in reached)
                    impression += (gain - 0.2 * lost) if colour in own else (0.3 * lost - 0.5 * gain)
                yield impression, self.sampler.random(), pick, place

    def reckoned(self, state: State, pick: Pick, place: Cells) -> Plan:
        """The plan with the worth of what the tower would be."""
        cubes = {**terrain_of(state.tower).cubes, **stone_cubes(colour_of(state), place)}
        return Plan(worth(state, Terrain(cubes)) + 0.01 * self.sampler.random(), pick, place)

    def move(self, state: State, choices: Sequence[Action]) -> Action:
        """As high as possible; a ring where the gain is worth it."""
        here = height(state.pawns[colour_of(state)])
        terrain = terrain_of(state.tower)
        best: tuple[float, float, Action] = (float(here), 1.0, STAY)
        for choice in choices:
            if isinstance(choice, Move):
                cost = ring_worth(state) if choice.ring else 0.0
                room = len(terrain.exits(choice.field, colour_of(state))) / 10 if choice.field != TABLE else 0.0
                best = max(best, (height(choice.field) - cost + room, self.sampler.random(), choice))
        return best[2]


PLAYERS = {"careful": Careful, "daring": partial(Greedy, nerve=0.25), "greedy": Greedy}
