"""Players of five strengths: weak ones add noise to action scores and forget, the strongest search if that helps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spieltisch.core.game import AnyGame, Sampler
from spieltisch.core.player import AnyEvaluator, Clock, Estimates, Level, Seen, estimate_by_score
from spieltisch.players.budget import Budget
from spieltisch.players.monte_carlo import MonteCarlo
from spieltisch.players.rollout import AnyKnowledge
from spieltisch.players.tree_search import TreeSearch


class Noisy:
    """Takes the action with the highest score after adding Gaussian noise, but never one with too much regret."""

    def __init__(self, game: AnyGame, knowledge: AnyKnowledge, level: Level, sampler: Sampler) -> None:
        self.game = game
        self.knowledge = knowledge
        self.level = level
        self.sampler = sampler

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if len(seen.choices) == 1:
            return seen.choices[0]
        return seen.choices[self._pick(self._score(seen))]

    def evaluate(self, seen: Seen[Any, Any], clock: Clock) -> Estimates[Any]:
        """The scores without noise; what is chosen with noise need not be the best."""
        scores = self._score(seen)
        return estimate_by_score(seen.choices, scores, seen.choices[self._pick(scores)])

    def _score(self, seen: Seen[Any, Any]) -> Sequence[float]:
        state = self.game.imagine(self.game.recall(seen.view, seen.heard), self.sampler)
        return self.knowledge.score_actions(state, seen.choices, self.sampler)

    def _pick(self, scores: Sequence[float]) -> int:
        """The index of the choice that is best after adding noise."""
        threshold = max(scores) - self.level.max_regret
        noisy = [
            (score + self.sampler.gauss(0.0, self.level.noise), index)
            for index, score in enumerate(scores)
            if score >= threshold
        ]
        return max(noisy)[1]


class LimitedMemory:
    """Wraps a player so that it receives only the last witnessed actions."""

    def __init__(self, player: AnyEvaluator, memory: int) -> None:
        self.player = player
        self.memory = memory

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        return self.player.choose(self._remembered(seen), clock)

    def evaluate(self, seen: Seen[Any, Any], clock: Clock) -> Estimates[Any]:
        return self.player.evaluate(self._remembered(seen), clock)

    def _remembered(self, seen: Seen[Any, Any]) -> Seen[Any, Any]:
        last = seen.heard[-self.memory :] if self.memory else ()
        return Seen(seen.view, seen.choices, last)


def at_level(game: AnyGame, knowledge: AnyKnowledge, level: Level, sampler: Sampler) -> AnyEvaluator:
    """A player of that level."""
    player: AnyEvaluator
    match level.method:
        case "mc":
            player = MonteCarlo(game, knowledge, Budget(simulations=level.simulations), sampler)
        case "search":
            player = TreeSearch(game, knowledge, Budget(simulations=level.simulations), sampler)
        case _:
            player = Noisy(game, knowledge, level, sampler)
    return player if level.memory is None else LimitedMemory(player, level.memory)
