"""Tree search for any number of seats, over worlds that look like what the player sees."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import exp, sqrt
from typing import Any, Final

from spieltisch.core.game import AnyGame, Chance, Decision, IllegalAction, Over, Sampler
from spieltisch.core.player import Clock, Seen
from spieltisch.players.budget import Budget, Meter
from spieltisch.players.mc import promising
from spieltisch.players.rollout import AnyKnowledge, Values, draw, play_out, worth
from spieltisch.players.solve import ChanceAhead, Solved, find_hints, solve

_CURIOSITY: Final = 1.5  # how much what has been tried little is preferred
_DOUBT: Final = 0.05  # how much less than the position itself an untried choice is first believed to be worth
_WIDTH: Final = 2.0  # choices looked at after the first visit; their number grows with the root of the visits
_NODES: Final = 20  # positions that the solver may look at for every simulation
_MOST_NODES: Final = 1_000_000  # where seconds are the budget
_SHARP: Final = 0.5  # a choice that seems worse by so many scales is e times less likely to be looked at


class Node:
    """A position, told apart by what was chosen and drawn on the way to it, and how it has turned out for every seat."""

    __slots__ = ("actions", "below", "edges", "rates", "totals", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.totals: Values = []
        self.below: dict[Any, Node] = {}
        self.actions: Sequence[Any] = ()  # the choices for which there are edges
        self.rates: dict[Any, float] = {}  # what each choice met here seems worth
        self.edges: list[tuple[float, Any]] = []  # how promising each choice of now seems, the best first

    def add(self, values: Values) -> None:
        self.visits += 1
        self.totals = [one + other for one, other in zip(self.totals, values)] if self.totals else values  # noqa: B905


class Search:
    """Grows a tree in imagined worlds; in it every seat does what is best for itself."""

    def __init__(self, game: AnyGame, knowledge: AnyKnowledge, budget: Budget, sampler: Sampler) -> None:
        self.game = game
        self.for_replay = game.for_replay  # a judge is asked about the own turn only
        self.knowledge = knowledge
        self.budget = budget
        self.sampler = sampler
        self.root = Node()
        self.world: Any = None  # a world of the last decision, and how much had been heard then
        self.heard = 0
        self.certain = False  # whether all worlds were the same then

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if len(seen.choices) == 1:
            return seen.choices[0]
        view = self.game.recall(seen.view, seen.heard)
        worlds = [self.game.imagine(view, self.sampler) for _ in range(3)]
        certain = worlds[0] == worlds[1] == worlds[2]
        if self.knowledge.skip_search(worlds[0]):
            return promising(self.knowledge, worlds[0], seen.choices, 1, self.sampler)[0].action
        meter = Meter(self.budget, clock)
        if certain and self.knowledge.is_endgame(worlds[0]) and (solved := self.solve(worlds[0], clock)):
            return solved.line[0]
        root = self.follow(seen, worlds[0] if certain else None)
        self.root, self.world, self.heard, self.certain = root, worlds[0], len(seen.heard), certain
        while not root.edges or meter.spent() < 1:  # however little time there is, something is looked at
            world = worlds[0] if certain else self.game.imagine(view, self.sampler)
            self.simulate(root, world, certain)
            meter.done += 1
        return max((action for _, action in root.edges), key=lambda action: _strength(root, action))

    def solve(self, state: Any, clock: Clock) -> Solved | None:
        """The rest of the game worked out exactly, in half the time there is; None where it takes longer or chance is ahead."""
        nodes = _NODES * self.budget.simulations if self.budget.simulations else _MOST_NODES
        left = min(clock.left(), self.budget.seconds or float("inf"))
        if left != float("inf"):
            clock = Clock(time.monotonic() + left / 2)
        try:
            return solve(self.game, state, nodes, clock=clock, **find_hints(self.game)._asdict())
        except ChanceAhead:
            return None

    def follow(self, seen: Seen[Any, Any], sure: Any) -> Node:
        """The part of the last tree that what has been heard since leads to, or a new one.

        Where it is sure what the state is, it must lead there exactly, from where it was as sure; else to what looks so.
        """
        node, state = self.root, self.world
        if state is None or self.certain is not (sure is not None):
            return Node()
        pending = self.game.pending(state)
        seat = pending.seat if isinstance(pending, Decision) else None
        for word in seen.heard[self.heard :]:
            fitting = [action for action in node.below if self.game.witness(state, action, seat) == word.text]
            if len(fitting) != 1:
                return Node()
            node = node.below[fitting[0]]
            try:
                state = self.game.apply(state, fitting[0])
            except IllegalAction:  # the world that was imagined then was another one
                return Node()
        same = state == sure if sure is not None else self.game.observe(state, seat) == seen.view
        return node if same else Node()  # something may have been forgotten

    def simulate(self, root: Node, state: Any, certain: bool) -> None:
        """Goes down the tree to a new position, plays on from there, and tells everybody on the way how it went."""
        node, path, own = root, [root], -1
        game, sampler = self.game, self.sampler
        while True:
            pending = game.pending(state)
            if isinstance(pending, Over):
                values = worth(pending.outcome, self.knowledge.scale)
                break
            if isinstance(pending, Chance):
                action = draw(pending, sampler)
            else:
                if node.visits == 0 and node is not root:
                    values = play_out(game, self.knowledge, state, sampler)
                    break
                if not node.edges or not (certain or node.actions == pending.actions):
                    self.meet(node, state, pending.actions)
                action = self.pick(node, pending.seat)
                if own < 0:
                    own = pending.seat
                elif pending.seat != own:
                    game = self.for_replay
            state = game.apply(state, action)
            below = node.below.get(action)
            if below is None:
                below = node.below[action] = Node()
            node = below
            path.append(node)
        for node in path:
            node.add(values)

    def meet(self, node: Node, state: Any, actions: Sequence[Any]) -> None:
        """Rates the choices here that have not been met before, and weighs those that there are in this world."""
        fresh = [action for action in actions if action not in node.rates]
        if fresh:
            node.rates.update(zip(fresh, self.knowledge.score_actions(state, fresh, self.sampler), strict=True))
        best, step = max(node.rates[action] for action in actions), _SHARP * self.knowledge.scale
        weights = [exp((node.rates[action] - best) / step) for action in actions]
        whole = sum(weights)
        node.actions = actions
        node.edges = [(weight / whole, action) for weight, action in zip(weights, actions, strict=True)]
        node.edges.sort(key=lambda edge: -edge[0])

    def pick(self, node: Node, seat: int) -> Any:
        """The choice that is best or might be, among those that have been let in so far."""
        width, edges = int(_WIDTH * sqrt(node.visits + 1)) + 1, node.edges
        urge = _CURIOSITY * sqrt(node.visits + 1)
        first = node.totals[seat] / node.visits - _DOUBT if node.visits else 0.5
        best, chosen = -1.0, edges[0][1]
        for prior, action in edges[:width]:
            below = node.below.get(action)
            if below is None or below.visits == 0:
                value = first + urge * prior
            else:
                value = below.totals[seat] / below.visits + urge * prior / (1 + below.visits)
            if value > best:
                best, chosen = value, action
        return chosen


def _strength(root: Node, action: Any) -> int:
    below = root.below.get(action)
    return below.visits if below else 0
