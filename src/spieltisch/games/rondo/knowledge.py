"""A player that knows Rondo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spieltisch.core.game import Sampler
from spieltisch.core.player import Clock, Knowledge, Level, Seen
from spieltisch.games.rondo import view as views
from spieltisch.games.rondo.board import LETTERS
from spieltisch.games.rondo.chains import Best, Chain, reckoned_chains
from spieltisch.games.rondo.rules import fields_in
from spieltisch.games.rondo.state import END, MOST, NOWHERE, ONE, PASS, Action, State, total
from spieltisch.games.rondo.view import View

_STONE: Final = 2.5  # what a stone on the rack is worth while there is time to lay it
_BEGUN: Final = 1000  # chains remembered
_LANE: Final = 0.17  # what a point that becomes reachable for the others costs


class Thrift(Knowledge[State, Action]):
    """Reckons with points, the stones they cost, and the lanes that are opened to the others."""

    scale = 8.0
    prior_weight = 20.0
    can_evaluate = True

    def score_actions(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Sequence[float]:
        """For every first step the best chain that begins so."""
        rated: dict[Action, float] = {END: 0.0, PASS: idle(state)}
        for value, chain in reckon(state):
            if value > rated.get(chain[0], float("-inf")):
                rated[chain[0]] = value
        return [rated[action] for action in actions]

    def __init__(self) -> None:
        self.begun: dict[tuple[int, int], Chain] = {}  # the rest of chains begun, by the fields covered and the rack

    def rollout_action(self, state: State, actions: Sequence[Action], sampler: Sampler) -> Action:
        """A step of the chain that is worth most, lanes left aside."""
        rest = self.begun.pop((state.covered, state.racks[state.seat]), None) if state.last != NOWHERE else None
        if rest is None:
            best = Best(state, stone_worth(state))
            rest = best.chain if best.worth > idle(state) else ()
        if not rest:
            return actions[-1]
        field, stones = rest[0]
        left = state.racks[state.seat] - len(stones) * ONE[LETTERS.index(stones[0].upper())]
        if len(self.begun) > _BEGUN:
            self.begun.clear()
        self.begun[state.covered | 1 << field, left] = rest[1:]
        return rest[0]

    def is_quiescent(self, state: State) -> bool:
        return state.last == NOWHERE

    def evaluate(self, state: State) -> Sequence[float]:
        """Points, what the stones are worth, and what whoever is to play can gain at once."""
        stone = stone_worth(state)
        points = [score + stone * total(rack) for score, rack in zip(state.scores, state.racks, strict=True)]
        if state.last == NOWHERE:
            points[state.seat] += max(idle(state), Best(state, stone).worth)
        return points


def stone_worth(state: State) -> float:
    """What a stone is worth: nearly nothing once the last round is played, less as the fields run out."""
    if state.cause:
        return 0.05
    free_grey = (state.board.grey & ~state.covered).bit_count()
    return _STONE * min(1.0, 0.4 + 0.2 * free_grey)


def idle(state: State) -> float:
    """What it is worth to lay nothing more: in a chain nothing, at the turn's beginning the stone gained by passing."""
    if state.last != NOWHERE:
        return 0.0
    drawn = min(2, MOST - total(state.racks[state.seat]))
    return (drawn - 1) * stone_worth(state)


def reckon(state: State) -> list[tuple[float, Chain]]:
    """What every chain gains in points, stones and lanes."""
    stone, lane = stone_worth(state), 0.0 if state.cause else _LANE
    known, values = state.covered | state.beside, state.board.values
    lanes: dict[int, int] = {}  # the values of the fields that a chain opens to the others
    reckoned: list[tuple[float, Chain]] = []
    for chain, points, stones, fields, beside in reckoned_chains(state):
        opened = beside & ~fields & ~known
        if opened not in lanes:
            lanes[opened] = sum(values[field] for field in fields_in(opened))
        reckoned.append((points - stones * stone - lane * lanes[opened], chain))
    return reckoned


class Greedy:
    """Lays the chain that gains most: its points, less the stones it takes and the lanes it opens; else passes."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self.plan: list[Action] = []  # the rest of the chain that has been begun

    def choose(self, seen: Seen[Action, View], clock: Clock) -> Action:
        if seen.view.last is None or not self.plan or self.plan[0] not in seen.choices:
            self.plan = self.whole_turn(seen)
        return self.plan.pop(0)

    def whole_turn(self, seen: Seen[Action, View]) -> list[Action]:
        """What it wants to do until the end of its turn."""
        state = views.imagine(seen.view, self.sampler)  # only what the seat sees is used below
        values = reckon(state)
        nothing = idle(state)
        best = max((value for value, _ in values), default=nothing)
        if best <= nothing and (state.last != NOWHERE or PASS in seen.choices):
            return [END if state.last != NOWHERE else PASS]
        return [*self.sampler.choice([chain for value, chain in values if value > best - 1e-9]), END]


KNOWLEDGE = Thrift
LEVELS = (
    Level(noise=3.0, max_regret=6.0),
    Level(noise=1.4, max_regret=4.0),
    Level(noise=0.6, max_regret=2.0),
    Level("mc", 8),
    Level("mc", 256),
)
PLAYERS = {"greedy": Greedy}
