"""Players of five strengths: weak ones add noise to action scores and forget, the strongest search if that helps."""

from __future__ import annotations

from typing import Any

from spieltisch.core.game import AnyGame, Sampler
from spieltisch.core.player import AnyPlayer, Clock, Level, Seen
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
        state = self.game.imagine(self.game.recall(seen.view, seen.heard), self.sampler)
        scores = self.knowledge.score_actions(state, seen.choices, self.sampler)
        threshold = max(scores) - self.level.max_regret
        noisy = [
            (score + self.sampler.gauss(0.0, self.level.noise), index)
            for index, score in enumerate(scores)
            if score >= threshold
        ]
        return seen.choices[max(noisy)[1]]


class LimitedMemory:
    """Wraps a player so that it receives only the last witnessed actions."""

    def __init__(self, player: AnyPlayer, memory: int) -> None:
        self.player = player
        self.memory = memory

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        last = seen.heard[-self.memory :] if self.memory else ()
        return self.player.choose(Seen(seen.view, seen.choices, last), clock)


def at_level(game: AnyGame, knowledge: AnyKnowledge, level: Level, sampler: Sampler) -> AnyPlayer:
    """A player of that level."""
    player: AnyPlayer
    match level.method:
        case "mc":
            player = MonteCarlo(game, knowledge, Budget(simulations=level.simulations), sampler)
        case "search":
            player = TreeSearch(game, knowledge, Budget(simulations=level.simulations), sampler)
        case _:
            player = Noisy(game, knowledge, level, sampler)
    return player if level.memory is None else LimitedMemory(player, level.memory)
