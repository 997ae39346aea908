"""Domain knowledge of Rondo for players: chain values, a static evaluation, and a greedy bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spieltisch.core.game import Sampler
from spieltisch.core.player import Clock, Estimates, Knowledge, Level, Seen, estimate_by_score
from spieltisch.games.rondo import view as views
from spieltisch.games.rondo.board import LETTERS
from spieltisch.games.rondo.chains import BestChain, Chain, list_chains
from spieltisch.games.rondo.rules import fields_in
from spieltisch.games.rondo.state import END, MOST, NOWHERE, ONE, PASS, Action, State, total
from spieltisch.games.rondo.view import View

_STONE_VALUE: Final = 2.5  # points of a stone on the rack while there is time to lay it
_CACHE_SIZE: Final = 1000  # continuations of chains
_OPENING_COST: Final = 0.17  # per point on a field that a chain opens to the opponents


class RondoKnowledge(Knowledge[State, Action]):
    """Values a chain by its points, the stones it costs, and the fields it opens to the opponents."""

    scale = 8.0
    prior_weight = 20.0
    can_evaluate = True

    def score_actions(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Sequence[float]:
        """Per action the value of the best chain that starts with it."""
        scores: dict[Action, float] = {END: 0.0, PASS: stop_value(state)}
        for value, chain in evaluate_chains(state):
            if value > scores.get(chain[0], float("-inf")):
                scores[chain[0]] = value
        return [scores[action] for action in actions]

    def __init__(self) -> None:
        self.continuations: dict[tuple[int, int], Chain] = {}  # the rest of a chain, by covered fields and rack

    def rollout_action(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Action:
        """The next step of the best chain, without the cost of opened fields."""
        rest = self.continuations.pop((state.covered, state.racks[state.seat]), None) if state.last != NOWHERE else None
        if rest is None:
            best = BestChain(state, stone_value(state))
            rest = best.chain if best.value > stop_value(state) else ()
        if not rest:
            return actions[-1]
        field, stones = rest[0]
        left = state.racks[state.seat] - len(stones) * ONE[LETTERS.index(stones[0].upper())]
        if len(self.continuations) > _CACHE_SIZE:
            self.continuations.clear()
        self.continuations[state.covered | 1 << field, left] = rest[1:]
        return rest[0]

    def is_quiescent(self, state: State) -> bool:
        return state.last == NOWHERE

    def evaluate(self, state: State) -> Sequence[float]:
        """Points, the value of the stones on the rack, and for the seat to play the best chain it can lay now."""
        stone = stone_value(state)
        points = [score + stone * total(rack) for score, rack in zip(state.scores, state.racks, strict=True)]
        if state.last == NOWHERE:
            points[state.seat] += max(stop_value(state), BestChain(state, stone).value)
        return points


def stone_value(state: State) -> float:
    """The value of a stone: nearly nothing in the last round, less as the grey fields run out."""
    if state.cause:
        return 0.05
    free_grey = (state.board.grey & ~state.covered).bit_count()
    return _STONE_VALUE * min(1.0, 0.4 + 0.2 * free_grey)


def stop_value(state: State) -> float:
    """The value of laying nothing more: zero within a chain; at the start of a turn, the extra stone of a pass."""
    if state.last != NOWHERE:
        return 0.0
    drawn = min(2, MOST - total(state.racks[state.seat]))
    return (drawn - 1) * stone_value(state)


def evaluate_chains(state: State) -> list[tuple[float, Chain]]:
    """The value of every chain: its points, minus the stones it costs and the fields it opens to the opponents."""
    stone, opening = stone_value(state), 0.0 if state.cause else _OPENING_COST
    known, values = state.covered | state.adjacent, state.board.values
    opened_points: dict[int, int] = {}  # by set of fields, since many chains open the same
    evaluated: list[tuple[float, Chain]] = []
    for chain, points, stones, fields, adjacent in list_chains(state):
        opened = adjacent & ~fields & ~known
        if opened not in opened_points:
            opened_points[opened] = sum(values[field] for field in fields_in(opened))
        evaluated.append((points - stones * stone - opening * opened_points[opened], chain))
    return evaluated


class Greedy:
    """Lays the chain with the highest value, or passes if none is better than that."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self.plan: list[Action] = []  # the rest of the current chain

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        if seen.view.last is None or not self.plan or self.plan[0] not in seen.choices:
            self.plan = self.plan_turn(seen)
        return self.plan.pop(0)

    def evaluate(self, seen: Seen[Action, View], clock: Clock) -> Estimates[Action]:
        """Per choice the value of the best chain that starts with it."""
        chosen = self.choose(seen, clock)
        state = views.imagine(seen.view, self.sampler)
        return estimate_by_score(
            seen.choices, RondoKnowledge().score_actions(state, seen.choices, self.sampler), chosen
        )

    def plan_turn(self, seen: Seen[Action, View]) -> list[Action]:
        """The actions until the end of the turn."""
        state = views.imagine(seen.view, self.sampler)  # only what the seat knows is used from here on
        values = evaluate_chains(state)
        stopping = stop_value(state)
        best = max((value for value, _ in values), default=stopping)
        if best <= stopping and (state.last != NOWHERE or PASS in seen.choices):
            return [END if state.last != NOWHERE else PASS]
        return [*self.sampler.choice([chain for value, chain in values if value > best - 1e-9]), END]


KNOWLEDGE = RondoKnowledge
LEVELS = (
    Level(noise=3.0, max_regret=6.0),
    Level(noise=1.4, max_regret=4.0),
    Level(noise=0.6, max_regret=2.0),
    Level("mc", 8),
    Level("mc", 256),
)
PLAYERS = {"greedy": Greedy}
