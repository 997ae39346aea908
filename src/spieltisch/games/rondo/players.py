"""A player that knows Rondo."""

from __future__ import annotations

from typing import Final

from spieltisch.game import Sampler
from spieltisch.games.rondo import view as views
from spieltisch.games.rondo.chains import Chain, reckoned_chains
from spieltisch.games.rondo.rules import fields_in
from spieltisch.games.rondo.state import END, MOST, NOWHERE, PASS, Action, State, total
from spieltisch.games.rondo.view import View
from spieltisch.player import Clock, Seen

_STONE: Final = 2.1  # what a stone on the rack is worth while there is time to lay it
_LANE: Final = 0.12  # what a point that becomes reachable for the others costs


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
        values = self.reckon(state)
        idle = self.idle(state)
        best = max((value for value, _ in values), default=idle)
        if best <= idle and (state.last != NOWHERE or PASS in seen.choices):
            return [END if state.last != NOWHERE else PASS]
        return [*self.sampler.choice([chain for value, chain in values if value > best - 1e-9]), END]

    def stone(self, state: State) -> float:
        """What a stone is worth: nearly nothing once the last round is played, less as the fields run out."""
        if state.cause:
            return 0.05
        free_grey = (state.board.grey & ~state.covered).bit_count()
        return _STONE * min(1.0, 0.4 + 0.2 * free_grey)

    def idle(self, state: State) -> float:
        """What it is worth to lay nothing more: in a chain nothing, at the turn's beginning the stone gained by passing."""
        if state.last != NOWHERE:
            return 0.0
        drawn = min(2, MOST - total(state.racks[state.seat]))
        return (drawn - 1) * self.stone(state)

    def reckon(self, state: State) -> list[tuple[float, Chain]]:
        """What every chain gains in points, stones and lanes."""
        stone, lane = self.stone(state), 0.0 if state.cause else _LANE
        known, values = state.covered | state.beside, state.board.values
        lanes: dict[int, int] = {}  # the values of the fields that a chain opens to the others
        reckoned: list[tuple[float, Chain]] = []
        for chain, points, stones, fields, beside in reckoned_chains(state):
            opened = beside & ~fields & ~known
            if opened not in lanes:
                lanes[opened] = sum(values[field] for field in fields_in(opened))
            reckoned.append((points - stones * stone - lane * lanes[opened], chain))
        return reckoned


PLAYERS = {"greedy": Greedy}
