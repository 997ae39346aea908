"""Domain knowledge of Turmbauer for players: action scores, rollouts, and bots."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import partial
from typing import Final

from spieltisch.core.game import Sampler
from spieltisch.core.player import Clock, Estimates, Knowledge, Level, Seen, estimate_by_score
from spieltisch.games.turmbauer.building.cells import height
from spieltisch.games.turmbauer.building.climbing import terrain_of
from spieltisch.games.turmbauer.evaluation import (
    CANDIDATES,
    Plan,
    best_plans,
    count_falls,
    estimate_places,
    evaluate_move,
    evaluate_place,
    evaluate_tower,
    fall_risk,
    place_estimator,
    reach_of,
    ring_value,
    rounds_left,
)
from spieltisch.games.turmbauer.rules import colours_of
from spieltisch.games.turmbauer.state import STAY, Action, Box, Move, Phase, Pick, Place, State, colour_of
from spieltisch.games.turmbauer.view import View, state_of

_SEARCH_CANDIDATES: Final = 30  # places that are evaluated in full during a search
_RISK_CHECKS: Final = 3  # places per stone whose risk is computed
_FALL_COST: Final = 12.0  # cost of a certain collapse, in heights
_CACHE_SIZE: Final = 500  # decisions
_ROLLOUT_CANDIDATES: Final = 20  # places that the rollout policy compares
_FALLBACK_CANDIDATES: Final = 50  # further places if the tower stands at none of the candidates
_RISK_CANDIDATES: Final = 6  # places whose risk is compared if it stands nowhere


class TurmbauerKnowledge(Knowledge[State, Action]):
    """Action scores and evaluation from the heights in reach of every pawn and the risk of a fall."""

    scale = 2.5
    prior_weight = 6.0
    can_evaluate = True

    def __init__(self) -> None:
        self.decisions: dict[State, Action] = {}

    def score_actions(self, state: State, actions: Sequence[Action], sampler: Sampler) -> list[float]:
        match state.phase:
            case Phase.STONE:
                return self.score_stones(state, actions, sampler)
            case Phase.PLACE:
                return self.score_places(state, actions, sampler)
        terrain = terrain_of(state.tower)
        here = float(height(state.pawns[colour_of(state)]))
        return [evaluate_move(state, action, terrain) if isinstance(action, Move) else here for action in actions]

    def score_stones(self, state: State, actions: Sequence[Action], sampler: Sampler) -> list[float]:
        """Per stone the value of its best plan among the candidates; boxing gains nothing and costs a little."""
        now = evaluate_tower(state, terrain_of(state.tower))
        scores: dict[Action, float] = {}
        picks = [action for action in actions if isinstance(action, Pick)]
        tried: dict[Pick, int] = {}
        for plan in best_plans(state, picks, _SEARCH_CANDIDATES, sampler) if picks else []:
            count = tried.get(plan.pick, 0)
            if count < _RISK_CHECKS and (plan.pick not in scores or scores[plan.pick] < plan.value):
                cost = ring_value(state) if plan.pick.ring else 0.0
                value = plan.value - cost - _FALL_COST * fall_risk(state, plan)
                scores[plan.pick] = max(value, scores.get(plan.pick, value))
                tried[plan.pick] = count + 1
        for action in actions:
            if isinstance(action, Box):
                scores[action] = now - 0.1 * state.stones.kinds[action.kind].size
        return [scores.get(action, now - 2.0) for action in actions]

    def score_places(self, state: State, actions: Sequence[Action], sampler: Sampler) -> list[float]:
        """Per place the value of the tower; the risk is computed for the best ones only."""
        estimate, pick = place_estimator(state), Pick(state.chosen, state.ring)
        places = [action.cells for action in actions if isinstance(action, Place)]
        candidates = heapq.nlargest(
            _SEARCH_CANDIDATES, ((estimate(place), sampler.random(), place) for place in places)
        )
        plans = sorted((evaluate_place(state, pick, place, sampler) for _, _, place in candidates), reverse=True)
        scores = {plan.place: plan.value - _FALL_COST / 2 for plan in plans}
        safe = 0
        for plan in plans:
            risk = fall_risk(state, plan)
            scores[plan.place] = plan.value - _FALL_COST * risk
            safe += not risk
            if safe == 2 * _RISK_CHECKS:
                break
        least = min(scores.values()) - _FALL_COST / 2
        return [scores.get(action.cells, least) if isinstance(action, Place) else least for action in actions]

    def skip_search(self, state: State) -> bool:
        return state.phase is Phase.MOVE

    def rollout_action(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Action:
        """The best of some places by estimate, or the highest field that needs no ring."""
        match state.phase:
            case Phase.STONE:
                plain = [action for action in actions if not isinstance(action, Pick) or not action.ring]
                return sampler.choice(plain or actions)
            case Phase.PLACE:
                estimate = place_estimator(state)
                candidates = sampler.sample(list(actions), min(_ROLLOUT_CANDIDATES, len(actions)))
                return max(candidates, key=lambda action: estimate(action.cells) if isinstance(action, Place) else 0.0)
        return max(
            (action for action in actions if not isinstance(action, Move) or not action.ring),
            key=lambda action: (
                height(action.field) if isinstance(action, Move) else height(state.pawns[colour_of(state)]),
                sampler.random(),
            ),
        )

    def own_turn_action(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Action:
        """The action with the best score, cached because rollouts finish the same turn many times."""
        if state not in self.decisions:
            if len(self.decisions) > _CACHE_SIZE:
                self.decisions.clear()
            scores = self.score_actions(state, actions, sampler)
            self.decisions[state] = actions[scores.index(max(scores))]
        return self.decisions[state]

    def is_quiescent(self, state: State) -> bool:
        return state.phase is Phase.STONE

    def evaluate(self, state: State) -> list[float]:
        terrain = terrain_of(state.tower)
        return [
            float(sum(max(map(height, reach_of(state, terrain, colour))) for colour in colours_of(state, seat)))
            for seat in range(state.setup.players)
        ]


class Careful:
    """Chooses at random, but builds at a place where the tower stands in every tremor, if it finds one."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        if seen.view.phase is Phase.PLACE:
            state = state_of(seen.view)
            for place in self.sampler.sample(list(seen.choices), min(30, len(seen.choices))):
                if isinstance(place, Place) and not any(count_falls(state, state.chosen, place.cells)):
                    return place
        return self.sampler.choice(seen.choices)


class Greedy:
    """Builds where its own pawns get higher and the others do not, if the tower is sure to stand.

    `nerve` is the risk of a collapse that it accepts, from 0 to 1.
    """

    def __init__(self, sampler: Sampler, nerve: float = 0.0) -> None:
        self.sampler = sampler
        self.nerve = nerve
        self.plan: Plan | None = None

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        state = state_of(seen.view)
        match seen.view.phase:
            case Phase.STONE:
                return self.choose_stone(state, seen.choices)
            case Phase.PLACE:
                if self.plan is None or Place(self.plan.place) not in seen.choices:
                    picks = [Pick(state.chosen, state.ring)]
                    self.plan = self.best_plan(state, picks)
                return Place(self.plan.place)
        return self.choose_move(state, seen.choices)

    def evaluate(self, seen: Seen[Action, View], clock: Clock) -> Estimates[Action]:
        """The action scores with the risk of a fall; what this player accepts of that risk decides what it chooses."""
        chosen = self.choose(seen, clock)
        scores = TurmbauerKnowledge().score_actions(state_of(seen.view), seen.choices, self.sampler)
        return estimate_by_score(seen.choices, scores, chosen)

    def choose_stone(self, state: State, choices: Sequence[Action]) -> Action:
        """The stone of the best plan, with a ring only if it gains more than its value; else the smallest into the box."""
        picks = [choice for choice in choices if isinstance(choice, Pick) and not choice.ring]
        by_ring = [choice for choice in choices if isinstance(choice, Pick) and choice.ring]
        boxes = [choice for choice in choices if isinstance(choice, Box)]
        self.plan = self.best_plan(state, picks) if picks else None
        if by_ring and rounds_left(state) <= 3:
            with_ring = self.best_plan(state, by_ring)
            without = self.plan.value if self.plan else evaluate_tower(state, terrain_of(state.tower))
            if with_ring.value > without + ring_value(state):
                self.plan = with_ring
        if self.plan is None:
            return min(boxes, key=lambda box: state.stones.kinds[box.kind].size)
        return self.plan.pick

    def best_plan(self, state: State, picks: Sequence[Pick]) -> Plan:
        """The plan with the highest value at which the tower stands; if there is none, the one with the least risk."""
        candidates = heapq.nlargest(CANDIDATES + _FALLBACK_CANDIDATES, estimate_places(state, picks, self.sampler))
        plans = sorted(
            (evaluate_place(state, pick, place, self.sampler) for _, _, pick, place in candidates[:CANDIDATES]),
            reverse=True,
        )
        further = (Plan(0.0, pick, place) for _, _, pick, place in candidates[CANDIDATES:])
        for plan in (*plans, *further):
            if self.accepts_risk(state, plan):
                return plan
        return min(plans[:_RISK_CANDIDATES], key=lambda plan: fall_risk(state, plan))

    def accepts_risk(self, state: State, plan: Plan) -> bool:
        """Whether the tower stands in every tremor, or the risk is small enough."""
        if not any(count_falls(state, plan.pick.kind, plan.place)):
            return True
        return self.nerve > 0 and fall_risk(state, plan) <= self.nerve

    def choose_move(self, state: State, choices: Sequence[Action]) -> Action:
        """As high as possible; with a ring if the gain is larger than its value."""
        here = height(state.pawns[colour_of(state)])
        terrain = terrain_of(state.tower)
        best: tuple[float, float, Action] = (float(here), 1.0, STAY)
        for choice in choices:
            if isinstance(choice, Move):
                best = max(best, (evaluate_move(state, choice, terrain), self.sampler.random(), choice))
        return best[2]


KNOWLEDGE = TurmbauerKnowledge
LEVELS = (
    Level(noise=3.0, max_regret=5.0),
    Level(noise=1.8, max_regret=3.5),
    Level(noise=1.0, max_regret=2.5),
    Level(noise=0.5, max_regret=1.5),
    Level(),
)
PLAYERS = {"careful": Careful, "daring": partial(Greedy, nerve=0.25), "greedy": Greedy}
