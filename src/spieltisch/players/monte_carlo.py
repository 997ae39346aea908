"""Flat Monte Carlo with sequential halving: the actions with the best scores are compared by rollouts.

All actions are tried in the same determinized states with the same random numbers, which makes the comparison sharper.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log2
from random import Random
from typing import Any, Final

from spieltisch.core.game import AnyGame, Sampler
from spieltisch.core.player import Clock, Estimate, Estimates, Scale, Seen, estimate_by_score
from spieltisch.players.budget import Budget, Meter
from spieltisch.players.rollout import AnyKnowledge, Values, rollout

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
        return self.compare(seen, clock)[0].action

    def evaluate(self, seen: Seen[Any, Any], clock: Clock) -> Estimates[Any]:
        """The mean values of the rollouts; actions that were not worth a rollout have a score only."""
        arms = self.compare(seen, clock)
        if not arms[0].visits:
            return estimate_by_score([arm.action for arm in arms], [arm.score for arm in arms], arms[0].action)
        estimates = [Estimate(arm.action, arm.values(), arm.visits, score=arm.score) for arm in arms]
        return Estimates(Scale.VICTORY, estimates, arms[0].action, sum(arm.visits for arm in arms))

    def compare(self, seen: Seen[Any, Any], clock: Clock) -> list[Arm]:
        """An arm per choice, the best first; without simulations if the scores alone decide."""
        view = self.game.recall(seen.view, seen.heard)
        state = self.game.imagine(view, self.sampler)
        ranked = rank_actions(self.knowledge, state, seen.choices, self.sampler)
        if self.knowledge.skip_search(state):
            return ranked
        pending: Any = self.game.pending(state)
        seat: int = pending.seat
        simulations = self.budget.simulations or _MAX_ARMS * _SIMULATIONS_PER_ARM
        arms = ranked[: min(_MAX_ARMS, max(2, simulations // _SIMULATIONS_PER_ARM))]
        meter = Meter(self.budget, clock)
        rounds, halved = ceil(log2(len(arms))), 0
        while meter.spent() < 1:
            state = self.game.imagine(view, self.sampler)
            seed = self.sampler.random()
            for arm in arms:
                after = self.game.apply(state, arm.action)
                arm.add(rollout(self.game, self.knowledge, after, Random(seed), until=seat), seat)
                meter.done += 1
            if len(arms) > 1 and meter.spent() * rounds >= halved + 1:
                arms = sorted(arms, key=Arm.mean, reverse=True)[: (len(arms) + 1) // 2]
                halved += 1
        best = max(arms, key=Arm.mean)
        return sorted(ranked, key=lambda arm: (arm is not best, -arm.visits, -arm.mean()))


class Arm:
    """Bandit arm: an action with the values of its simulations; its prior value counts for some of them."""

    def __init__(self, action: Any, score: float, prior: float, prior_weight: float) -> None:
        self.action = action
        self.score = score
        self.visits = 0
        self._weight = prior_weight
        self._total = prior_weight * prior  # for the seat that decides, with its prior value
        self._totals: Values = []  # per seat, of the simulations alone

    def add(self, values: Values, seat: int) -> None:
        """Adds one simulation."""
        self.visits += 1
        self._weight += 1
        self._total += values[seat]
        self._totals = (
            [one + other for one, other in zip(self._totals, values, strict=True)] if self._totals else values
        )

    def mean(self) -> float:
        """The mean value for the seat that decides, with its prior value."""
        return self._total / self._weight

    def values(self) -> tuple[float, ...]:
        """The mean values per seat of the simulations alone; empty if there were none."""
        return tuple(total / self.visits for total in self._totals)


def rank_actions(knowledge: AnyKnowledge, state: Any, actions: Sequence[Any], sampler: Sampler) -> list[Arm]:
    """An arm per action, the one with the highest score first."""
    scores = knowledge.score_actions(state, actions, sampler)
    order = sorted(range(len(actions)), key=lambda index: -scores[index])
    best, slope = scores[order[0]], 0.25 / knowledge.scale
    return [
        Arm(actions[index], scores[index], 0.5 + max(-0.5, slope * (scores[index] - best)), knowledge.prior_weight)
        for index in order
    ]
