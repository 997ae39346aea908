"""Players that know Turmbauer."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import partial
from typing import Final

from spieltisch.core.game import Sampler
from spieltisch.core.player import Clock, Level, Seen
from spieltisch.games.turmbauer.building.cells import height
from spieltisch.games.turmbauer.building.climbing import terrain_of
from spieltisch.games.turmbauer.evaluation import (
    GLANCED,
    Outlook,
    Plan,
    danger,
    falls,
    glances,
    move_worth,
    reckoned,
    ring_worth,
    rounds_left,
    worth,
)
from spieltisch.games.turmbauer.state import STAY, Action, Box, Move, Phase, Pick, Place, State, colour_of
from spieltisch.games.turmbauer.view import View, state_of

_FURTHER: Final = 50  # places that will do where none of those stands
_WEIGHED: Final = 6  # places whose danger is weighed where none does


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
        looked = heapq.nlargest(GLANCED + _FURTHER, glances(state, picks, self.sampler))
        plans = sorted(
            (reckoned(state, pick, place, self.sampler) for _, _, pick, place in looked[:GLANCED]), reverse=True
        )
        further = (Plan(0.0, pick, place) for _, _, pick, place in looked[GLANCED:])
        for plan in (*plans, *further):
            if self.dares(state, plan):
                return plan
        return min(plans[:_WEIGHED], key=lambda plan: danger(state, plan))

    def dares(self, state: State, plan: Plan) -> bool:
        """Whether the tower stands, or the risk is small enough."""
        if not any(falls(state, plan.pick.kind, plan.place)):
            return True
        return self.nerve > 0 and danger(state, plan) <= self.nerve

    def move(self, state: State, choices: Sequence[Action]) -> Action:
        """As high as possible; a ring where the gain is worth it."""
        here = height(state.pawns[colour_of(state)])
        terrain = terrain_of(state.tower)
        best: tuple[float, float, Action] = (float(here), 1.0, STAY)
        for choice in choices:
            if isinstance(choice, Move):
                best = max(best, (move_worth(state, choice, terrain), self.sampler.random(), choice))
        return best[2]


KNOWLEDGE = Outlook
LEVELS = (
    Level(noise=3.0, max_regret=5.0),
    Level(noise=1.8, max_regret=3.5),
    Level(noise=1.0, max_regret=2.5),
    Level(noise=0.5, max_regret=1.5),
    Level(),
)
PLAYERS = {"careful": Careful, "daring": partial(Greedy, nerve=0.25), "greedy": Greedy}
