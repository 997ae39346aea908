"""Flat Monte Carlo with sequential halving: the actions with the best scores are compared by rollouts.

All actions are tried in the same determinized states with the same random numbers, which makes the comparison sharper.
"""

from __future__ import annotations

from math import ceil, log2
from random import Random
from typing import Any, Final

from spieltisch.core.game import AnyGame, Sampler
from spieltisch.core.player import Clock, Seen
from spieltisch.players.budget import Budget, Meter
from spieltisch.players.rollout import AnyKnowledge, rollout

_MAX_ARMS: Final = 16
_SIMULATIONS_PER_ARM: Final = 6  # a smaller budget compares fewer actions


class MonteCarlo:
    """Compares the most promising actions by rollouts and takes the one with the highest mean value."""

    def __init__(self, game: AnyGame, knowledge: AnyKnowledge, budget: Budget, sampler: Sampler) -> None:
        self.game = game
        self.knowledge = knowledge
        self.budget = budget
        self.sampler = sampler

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if len(seen.choices) == 1:
            return seen.choices[0]
        view = self.game.recall(seen.view, seen.heard)
        state = self.game.imagine(view, self.sampler)
        if self.knowledge.skip_search(state):
            return best_arms(self.knowledge, state, seen.choices, 1, self.sampler)[0].action
        simulations = self.budget.simulations or _MAX_ARMS * _SIMULATIONS_PER_ARM
        count = min(_MAX_ARMS, max(2, simulations // _SIMULATIONS_PER_ARM))
        arms = best_arms(self.knowledge, state, seen.choices, count, self.sampler)
        meter = Meter(self.budget, clock)
        rounds, halved = ceil(log2(len(arms))), 0
        while len(arms) > 1 and meter.spent() < 1:
            state = self.game.imagine(view, self.sampler)
            seed = self.sampler.random()
            for arm in arms:
                arm.add(simulate(self.game, self.knowledge, state, arm.action, Random(seed)))
                meter.done += 1
            if meter.spent() * rounds >= halved + 1:
                arms = sorted(arms, key=Arm.mean, reverse=True)[: (len(arms) + 1) // 2]
                halved += 1
        return max(arms, key=Arm.mean).action


class Arm:
    """Bandit arm: an action with its visits and values; its prior value counts for some visits."""

    def __init__(self, action: Any, prior: float, prior_weight: float) -> None:
        self.action = action
        self.visits = prior_weight
        self.total = prior_weight * prior

    def add(self, value: float) -> None:
        self.visits += 1
        self.total += value

    def mean(self) -> float:
        return self.total / self.visits


def best_arms(knowledge: AnyKnowledge, state: Any, actions: Any, count: int, sampler: Sampler) -> list[Arm]:
    """Arms for the `count` actions with the highest scores, the best first."""
    scores = knowledge.score_actions(state, actions, sampler)
    order = sorted(range(len(actions)), key=lambda index: -scores[index])[:count]
    best, slope = scores[order[0]], 0.25 / knowledge.scale
    return [
        Arm(actions[index], 0.5 + max(-0.5, slope * (scores[index] - best)), knowledge.prior_weight) for index in order
    ]


def simulate(game: AnyGame, knowledge: AnyKnowledge, state: Any, action: Any, sampler: Sampler) -> float:
    """The value of one simulation of the action, for the seat that takes it."""
    pending: Any = game.pending(state)
    seat: int = pending.seat
    return rollout(game, knowledge, game.apply(state, action), sampler, until=seat)[seat]
