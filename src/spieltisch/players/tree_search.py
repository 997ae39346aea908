"""Monte Carlo tree search for any number of seats, with hidden information by determinization.

Every simulation runs in a state that `Game.imagine` samples from the player's view (a determinization). It goes down the
tree by PUCT, in which each seat maximizes its own value (max^n), adds one node, and backs up the values of a rollout.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import sqrt
from typing import Any, Final, NamedTuple

from spieltisch.core.game import AnyGame, Chance, Decision, IllegalAction, Over, Sampler
from spieltisch.core.player import Clock, Estimate, Estimates, Scale, Seen, estimate_by_score
from spieltisch.players.budget import Budget, Meter
from spieltisch.players.monte_carlo import rank_actions
from spieltisch.players.rollout import AnyKnowledge, Values, outcome_values, policy_priors, rollout, sample_chance
from spieltisch.players.solve import ChanceAhead, Solution, estimate_exactly, find_hints, solve

_EXPLORATION: Final = 1.5  # PUCT exploration constant
_FIRST_PLAY_REDUCTION: Final = 0.05  # an unvisited child is first valued at its parent's value less this
_WIDENING: Final = 2.0  # progressive widening: the number of actions considered grows with the root of the visits
_SOLVER_NODES_PER_SIMULATION: Final = 20
_SOLVER_NODES: Final = 1_000_000  # if the budget is in seconds


class Node:
    """Search node, identified by the actions and draws on the path to it, with value sums per seat."""

    __slots__ = ("actions", "children", "edges", "scores", "totals", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.totals: Values = []
        self.children: dict[Any, Node] = {}
        self.actions: Sequence[Any] = ()  # the actions for which there are edges
        self.scores: dict[Any, float] = {}  # the score of every action that was ever legal here
        self.edges: list[tuple[float, Any]] = []  # (prior, action) of the actions legal now, the highest prior first

    def add(self, values: Values) -> None:
        """Backs up the values of one simulation."""
        self.visits += 1
        self.totals = [one + other for one, other in zip(self.totals, values)] if self.totals else values  # noqa: B905


class Belief(NamedTuple):
    """What a seat knows at a decision: its view with what it recalls, a determinization, and whether all are equal."""

    view: Any
    state: Any
    certain: bool


class TreeSearch:
    """Chooses the most visited action after a fixed number of simulations, or after a fixed time.

    The tree is reused: if the same object is asked again in the same game, the search starts from the node that the
    actions witnessed since then lead to (`_reuse_tree`), and everything else is dropped. A decision still gets its whole
    budget of new simulations, in addition to the visits that the node already has. So a level's strength depends only on
    its number of simulations and on the game so far, never on the machine, and it is the strength that the ladder
    measures: arena players live as long as their game. A player that is created anew for every decision is weaker.
    """

    def __init__(self, game: AnyGame, knowledge: AnyKnowledge, budget: Budget, sampler: Sampler) -> None:
        self.game = game
        self.for_replay = game.for_replay  # a judge is asked about the seat's own turn only
        self.knowledge = knowledge
        self.budget = budget
        self.sampler = sampler
        self.root = Node()
        self.state: Any = None  # a determinization of the last decision
        self.heard = 0  # how many actions had been witnessed then
        self.certain = False  # whether all determinizations were equal then

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if len(seen.choices) == 1:
            return seen.choices[0]
        belief = self._belief(seen)
        if self.knowledge.skip_search(belief.state):
            return rank_actions(self.knowledge, belief.state, seen.choices, self.sampler)[0].action
        meter = Meter(self.budget, clock)
        if solution := self.solve(belief, clock):
            return solution.line[0]
        return _most_visited(self.search(seen, belief, meter))

    def evaluate(self, seen: Seen[Any, Any], clock: Clock) -> Estimates[Any]:
        """Visits, priors and mean values of the root's actions; exact values if the rest of the game can be solved."""
        belief = self._belief(seen)
        if self.knowledge.skip_search(belief.state):
            ranked = rank_actions(self.knowledge, belief.state, seen.choices, self.sampler)
            return estimate_by_score([arm.action for arm in ranked], [arm.score for arm in ranked], ranked[0].action)
        meter = Meter(self.budget, clock)
        solution = self.solve(belief, clock)
        if solution and (proven := self.solve(belief, clock, tries=len(seen.choices))):
            return estimate_exactly(proven, solution.line[0], self._seat(belief.state))
        root = self.search(seen, belief, meter)
        return estimate_root(root, seen.choices, solution.line[0] if solution else _most_visited(root))

    def search(self, seen: Seen[Any, Any], belief: Belief, meter: Meter) -> Node:
        """The root after the simulations of one decision."""
        view, state, certain = belief
        root = self._reuse_tree(seen, state if certain else None)
        self.root, self.state, self.heard, self.certain = root, state, len(seen.heard), certain
        while not root.edges or meter.spent() < 1:  # the root is expanded even if no time is left
            self.simulate(root, state if certain else self.game.imagine(view, self.sampler), certain)
            meter.done += 1
        return root

    def _seat(self, state: Any) -> int:
        pending: Any = self.game.pending(state)
        seat: int = pending.seat
        return seat

    def _belief(self, seen: Seen[Any, Any]) -> Belief:
        view = self.game.recall(seen.view, seen.heard)
        states = [self.game.imagine(view, self.sampler) for _ in range(3)]
        return Belief(view, states[0], states[0] == states[1] == states[2])

    def solve(self, belief: Belief, clock: Clock, tries: int = 0) -> Solution | None:
        """The exact solution of an endgame in which nothing is hidden, in at most half of the time left.

        None if it takes longer or if chance is ahead. With `tries` it includes every action, with so many budgets.
        """
        if not (belief.certain and self.knowledge.is_endgame(belief.state)):
            return None
        nodes = _SOLVER_NODES_PER_SIMULATION * self.budget.simulations if self.budget.simulations else _SOLVER_NODES
        left = min(clock.left(), self.budget.seconds or float("inf"))
        if left != float("inf"):
            clock = Clock(time.monotonic() + left / 2)
        try:
            return solve(
                self.game,
                belief.state,
                nodes * max(1, tries),
                clock=clock,
                all_actions=tries > 0,
                **find_hints(self.game)._asdict(),
            )
        except ChanceAhead:
            return None

    def _reuse_tree(self, seen: Seen[Any, Any], known_state: Any) -> Node:
        """The node of the last tree that the actions witnessed since then lead to, or a new node.

        Following those actions from the last determinization must end in the known state, or, with hidden information,
        in a state that looks like the current view. In every other case (an ambiguous witness, a determinization that
        turned out wrong, a turn taken back, forgotten actions, another game) a new tree is started, so that a node's
        actions always belong to the position. With hidden information the reused statistics come from the belief before
        those actions, restricted to determinizations in which they were legal; new simulations use the current belief.
        """
        node, state = self.root, self.state
        if state is None or self.certain is not (known_state is not None):
            return Node()
        pending = self.game.pending(state)
        seat = pending.seat if isinstance(pending, Decision) else None
        for heard in seen.heard[self.heard :]:
            matching = [action for action in node.children if self.game.witness(state, action, seat) == heard.text]
            if len(matching) != 1:
                return Node()
            node = node.children[matching[0]]
            try:
                state = self.game.apply(state, matching[0])
            except IllegalAction:  # the last determinization was not the real state
                return Node()
        same = state == known_state if known_state is not None else self.game.observe(state, seat) == seen.view
        return node if same else Node()

    def simulate(self, root: Node, state: Any, certain: bool) -> None:
        """One simulation: selection down to a new node, rollout from there, and backup along the path."""
        node, path, own = root, [root], -1
        game, sampler = self.game, self.sampler
        while True:
            pending = game.pending(state)
            if isinstance(pending, Over):
                values = outcome_values(pending.outcome, self.knowledge.scale)
                break
            if isinstance(pending, Chance):
                action = sample_chance(pending, sampler)
            else:
                if node.visits == 0 and node is not root:
                    values = rollout(game, self.knowledge, state, sampler)
                    break
                if not node.edges or not (certain or node.actions == pending.actions):
                    self.expand(node, state, pending.actions)
                action = self.select(node, pending.seat)
                if own < 0:
                    own = pending.seat
                elif pending.seat != own:
                    game = self.for_replay
            state = game.apply(state, action)
            child = node.children.get(action)
            if child is None:
                child = node.children[action] = Node()
            node = child
            path.append(node)
        for node in path:
            node.add(values)

    def expand(self, node: Node, state: Any, actions: Sequence[Any]) -> None:
        """Scores the actions that are new here, and computes the priors of those that are legal in this state."""
        new = [action for action in actions if action not in node.scores]
        if new:
            node.scores.update(zip(new, self.knowledge.score_actions(state, new, self.sampler), strict=True))
        priors = policy_priors([node.scores[action] for action in actions], self.knowledge.scale)
        node.actions = actions
        node.edges = list(zip(priors, actions, strict=True))
        node.edges.sort(key=lambda edge: -edge[0])

    def select(self, node: Node, seat: int) -> Any:
        """The action with the highest PUCT value for the seat, among those that progressive widening admits."""
        width, edges = int(_WIDENING * sqrt(node.visits + 1)) + 1, node.edges
        exploration = _EXPLORATION * sqrt(node.visits + 1)
        first_play = node.totals[seat] / node.visits - _FIRST_PLAY_REDUCTION if node.visits else 0.5
        best, selected = -1.0, edges[0][1]
        for prior, action in edges[:width]:
            child = node.children.get(action)
            if child is None or child.visits == 0:
                value = first_play + exploration * prior
            else:
                value = child.totals[seat] / child.visits + exploration * prior / (1 + child.visits)
            if value > best:
                best, selected = value, action
        return selected


def _most_visited(root: Node) -> Any:
    return max((action for _, action in root.edges), key=lambda action: _visits(root, action))


def _visits(root: Node, action: Any) -> int:
    child = root.children.get(action)
    return child.visits if child else 0


def estimate_root(root: Node, choices: Sequence[Any], chosen: Any) -> Estimates[Any]:
    """The statistics of the root's actions, the most visited first."""
    priors = {action: prior for prior, action in root.edges}
    estimates = [
        Estimate(
            action,
            tuple(total / child.visits for total in child.totals) if child is not None and child.visits else (),
            _visits(root, action),
            priors.get(action, 0.0),
            root.scores.get(action),
        )
        for action in choices
        for child in (root.children.get(action),)
    ]
    estimates.sort(key=lambda estimate: (-(estimate.visits or 0), -(estimate.prior or 0.0)))
    return Estimates(Scale.VICTORY, estimates, chosen, root.visits)
