"""Flat Monte Carlo: every promising choice is played on in the same imagined worlds, the worse half given up again and again."""

from __future__ import annotations

from math import ceil, log2
from random import Random
from typing import Any, Final

from spieltisch.core.game import AnyGame, Sampler
from spieltisch.core.player import Clock, Seen
from spieltisch.players.budget import Budget, Meter
from spieltisch.players.rollout import AnyKnowledge, play_out

_WIDEST: Final = 16  # choices that are played on at most
_EACH: Final = 6  # simulations that there must be for a choice to be worth playing on


class MonteCarlo:
    """Tries the choices that seem best in the same worlds with the same luck, and takes the one that turns out best."""

    def __init__(self, game: AnyGame, knowledge: AnyKnowledge, budget: Budget, sampler: Sampler) -> None:
        self.game = game
        self.knowledge = knowledge
        self.budget = budget
        self.sampler = sampler

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if len(seen.choices) == 1:
            return seen.choices[0]
        view = self.game.recall(seen.view, seen.heard)
        world = self.game.imagine(view, self.sampler)
        if self.knowledge.skip_search(world):
            return promising(self.knowledge, world, seen.choices, 1, self.sampler)[0].action
        width = min(_WIDEST, max(2, (self.budget.simulations or _WIDEST * _EACH) // _EACH))
        arms = promising(self.knowledge, world, seen.choices, width, self.sampler)
        meter = Meter(self.budget, clock)
        rounds, halved = ceil(log2(len(arms))), 0
        while len(arms) > 1 and meter.spent() < 1:
            world = self.game.imagine(view, self.sampler)
            luck = self.sampler.random()
            for arm in arms:
                arm.add(play_on(self.game, self.knowledge, world, arm.action, Random(luck)))
                meter.done += 1
            if meter.spent() * rounds >= halved + 1:
                arms = sorted(arms, key=Arm.mean, reverse=True)[: (len(arms) + 1) // 2]
                halved += 1
        return max(arms, key=Arm.mean).action


class Arm:
    """A choice, and how it has turned out so far; its first impression counts for some simulations."""

    def __init__(self, action: Any, impression: float, trust: float) -> None:
        self.action = action
        self.tried = trust
        self.total = trust * impression

    def add(self, value: float) -> None:
        self.tried += 1
        self.total += value

    def mean(self) -> float:
        return self.total / self.tried


def promising(knowledge: AnyKnowledge, state: Any, choices: Any, width: int, sampler: Sampler) -> list[Arm]:
    """So many choices that seem best, the best first."""
    rates = knowledge.score_actions(state, choices, sampler)
    order = sorted(range(len(choices)), key=lambda place: -rates[place])[:width]
    best, slope = rates[order[0]], 0.25 / knowledge.scale
    return [
        Arm(choices[place], 0.5 + max(-0.5, slope * (rates[place] - best)), knowledge.prior_weight) for place in order
    ]


def play_on(game: AnyGame, knowledge: AnyKnowledge, state: Any, action: Any, sampler: Sampler) -> float:
    """What the choice turns out to be worth to whoever makes it, in one possible course."""
    pending: Any = game.pending(state)
    seat: int = pending.seat
    return play_out(game, knowledge, game.apply(state, action), sampler, until=seat)[seat]
