"""What is known about building well: how high everybody gets, what a place is worth, and how dangerous it is."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from spieltisch.core.game import Sampler
from spieltisch.core.player import Knowledge
from spieltisch.games.turmbauer.building.cells import COMPASS, TABLE, UP, Cell, beside, height, is_coloured
from spieltisch.games.turmbauer.building.choices import open_places
from spieltisch.games.turmbauer.building.climbing import NEUTRAL, Terrain, terrain_of
from spieltisch.games.turmbauer.physics.judge import quick
from spieltisch.games.turmbauer.rules import played
from spieltisch.games.turmbauer.state import (
    COLLAPSE,
    HANDS,
    LEVEL,
    ROUNDS,
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

GLANCED: Final = 50  # places whose ways are worked out in full, of all those glanced at
_RING: Final = 0.7  # what a ring is worth for every round in which it may still serve
_LOOKED: Final = 30  # the same where many positions are looked at
_CHECKED: Final = 3  # places of a stone whose danger is weighed
_FALL: Final = 12.0  # what a certain fall costs, in heights
_REMEMBERED: Final = 500  # turns finished
_TRIED: Final = 20  # places that a hurried builder looks at

Glance: TypeAlias = tuple[float, float, Pick, Cells]  # a first impression, a number to break ties, a stone, a place


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


class Plan(NamedTuple):
    """A stone and its place, and what it is worth."""

    worth: float
    pick: Pick
    place: Cells


def danger(state: State, plan: Plan) -> float:
    """How likely it is that something falls; a stone or two cost no more than a try."""
    fallen = list(falls(state, plan.pick.kind, plan.place))
    return sum(1.0 if n >= COLLAPSE else 0.5 if n else 0.0 for n in fallen) / len(fallen)


def glances(state: State, picks: Iterable[Pick], sampler: Sampler) -> Iterator[Glance]:
    """Every place with a first impression of it: how much higher it takes the own pawns than the others'."""
    glance = glancing(state)
    for pick in picks:
        for place in places_of(state, pick):
            yield glance(place), sampler.random(), pick, place


def glancing(state: State) -> Callable[[Cells], float]:
    """How much higher a place takes the own pawns than the others', at a glance."""
    ways = [reach_of(state, terrain_of(state.tower), colour) for colour in range(colours(state))]
    bests = [max(map(height, reached)) for reached in ways]
    builder = colour_of(state)
    own = set(played(state, seat_of(state, builder)))

    def glance(place: Cells) -> float:
        impression = 0.0
        for colour, reached in enumerate(ways):
            gain = rise(place, reached, bests[colour], colour == builder)
            lost = sum(1 for cube in place if Cell(cube - UP) in reached)
            impression += (gain - 0.2 * lost) if colour in own else (0.3 * lost - 0.5 * gain)
        return impression

    return glance


def reckoned(state: State, pick: Pick, place: Cells, sampler: Sampler) -> Plan:
    """The plan with the worth of what the tower would be."""
    cubes = {**terrain_of(state.tower).cubes, **stone_cubes(colour_of(state), place)}
    return Plan(worth(state, Terrain(cubes)) + 0.01 * sampler.random(), pick, place)


def best_plans(state: State, picks: Iterable[Pick], number: int, sampler: Sampler) -> list[Plan]:
    """So many of the plans that look best at a glance, reckoned, the best first."""
    looked = heapq.nlargest(number, glances(state, picks, sampler))
    return sorted((reckoned(state, pick, place, sampler) for _, _, pick, place in looked), reverse=True)


def move_worth(state: State, move: Move, terrain: Terrain) -> float:
    """What a move gains in height and room, less what a ring is worth."""
    cost = ring_worth(state) if move.ring else 0.0
    room = len(terrain.exits(move.field, colour_of(state))) / 10 if move.field != TABLE else 0.0
    return height(move.field) - cost + room


class Outlook(Knowledge[State, Action]):
    """Reckons with the ways that are open to everybody, and with the danger of a place."""

    scale = 2.5
    prior_weight = 6.0
    can_evaluate = True

    def __init__(self) -> None:
        self.finished: dict[State, Action] = {}

    def score_actions(self, state: State, actions: Sequence[Action], sampler: Sampler) -> list[float]:
        match state.phase:
            case Phase.STONE:
                return self.score_stones(state, actions, sampler)
            case Phase.PLACE:
                return self.score_places(state, actions, sampler)
        terrain = terrain_of(state.tower)
        here = float(height(state.pawns[colour_of(state)]))
        return [move_worth(state, action, terrain) if isinstance(action, Move) else here for action in actions]

    def score_stones(self, state: State, actions: Sequence[Action], sampler: Sampler) -> list[float]:
        """The best plan of every stone, as far as plans were looked at; boxing gains nothing and costs a little."""
        now = worth(state, terrain_of(state.tower))
        rated: dict[Action, float] = {}
        picks = [action for action in actions if isinstance(action, Pick)]
        tried: dict[Pick, int] = {}
        for plan in best_plans(state, picks, _LOOKED, sampler) if picks else []:
            count = tried.get(plan.pick, 0)
            if count < _CHECKED and (plan.pick not in rated or rated[plan.pick] < plan.worth):
                cost = ring_worth(state) if plan.pick.ring else 0.0
                value = plan.worth - cost - _FALL * danger(state, plan)
                rated[plan.pick] = max(value, rated.get(plan.pick, value))
                tried[plan.pick] = count + 1
        for action in actions:
            if isinstance(action, Box):
                rated[action] = now - 0.1 * state.stones.kinds[action.kind].size
        return [rated.get(action, now - 2.0) for action in actions]

    def score_places(self, state: State, actions: Sequence[Action], sampler: Sampler) -> list[float]:
        """What the ways would be; the danger is weighed where it may decide."""
        glance, pick = glancing(state), Pick(state.chosen, state.ring)
        places = [action.cells for action in actions if isinstance(action, Place)]
        looked = heapq.nlargest(_LOOKED, ((glance(place), sampler.random(), place) for place in places))
        plans = sorted((reckoned(state, pick, place, sampler) for _, _, place in looked), reverse=True)
        rated = {plan.place: plan.worth - _FALL / 2 for plan in plans}
        sure = 0
        for plan in plans:
            risk = danger(state, plan)
            rated[plan.place] = plan.worth - _FALL * risk
            sure += not risk
            if sure == 2 * _CHECKED:
                break
        least = min(rated.values()) - _FALL / 2
        return [rated.get(action.cells, least) if isinstance(action, Place) else least for action in actions]

    def skip_search(self, state: State) -> bool:
        return state.phase is Phase.MOVE

    def rollout_action(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Action:
        """The best of some places at a glance, and the highest field that needs no ring."""
        match state.phase:
            case Phase.STONE:
                plain = [action for action in actions if not isinstance(action, Pick) or not action.ring]
                return sampler.choice(plain or actions)
            case Phase.PLACE:
                glance = glancing(state)
                some = sampler.sample(list(actions), min(_TRIED, len(actions)))
                return max(some, key=lambda action: glance(action.cells) if isinstance(action, Place) else 0.0)
        return max(
            (action for action in actions if not isinstance(action, Move) or not action.ring),
            key=lambda action: (
                height(action.field) if isinstance(action, Move) else height(state.pawns[colour_of(state)]),
                sampler.random(),
            ),
        )

    def own_turn_action(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Action:
        """What seems best; remembered, since the same turn is finished again and again."""
        if state not in self.finished:
            if len(self.finished) > _REMEMBERED:
                self.finished.clear()
            rates = self.score_actions(state, actions, sampler)
            self.finished[state] = actions[rates.index(max(rates))]
        return self.finished[state]

    def is_quiescent(self, state: State) -> bool:
        return state.phase is Phase.STONE

    def evaluate(self, state: State) -> list[float]:
        terrain = terrain_of(state.tower)
        return [
            float(sum(max(map(height, reach_of(state, terrain, colour))) for colour in played(state, seat)))
            for seat in range(state.setup.players)
        ]
