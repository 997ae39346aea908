"""Players of five strengths: weak ones misjudge a little and forget, the strongest look ahead where that helps."""

from __future__ import annotations

from typing import Any

from spieltisch.core.game import AnyGame, Sampler
from spieltisch.core.player import AnyPlayer, Clock, Level, Seen
from spieltisch.players.budget import Budget
from spieltisch.players.mc import MonteCarlo
from spieltisch.players.rollout import AnyKnowledge
from spieltisch.players.search import Search


class Noisy:
    """Takes what seems best, misjudging every choice a little, but never what is plainly bad."""

    def __init__(self, game: AnyGame, knowledge: AnyKnowledge, level: Level, sampler: Sampler) -> None:
        self.game = game
        self.knowledge = knowledge
        self.level = level
        self.sampler = sampler

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        if len(seen.choices) == 1:
            return seen.choices[0]
        world = self.game.imagine(self.game.recall(seen.view, seen.heard), self.sampler)
        rates = self.knowledge.score_actions(world, seen.choices, self.sampler)
        least = max(rates) - self.level.max_regret
        felt = [
            (rate + self.sampler.gauss(0.0, self.level.noise), place)
            for place, rate in enumerate(rates)
            if rate >= least
        ]
        return seen.choices[max(felt)[1]]


class LimitedMemory:
    """A player that memory only what happened last."""

    def __init__(self, player: AnyPlayer, memory: int) -> None:
        self.player = player
        self.memory = memory

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        last = seen.heard[-self.memory :] if self.memory else ()
        return self.player.choose(Seen(seen.view, seen.choices, last), clock)


def at_level(game: AnyGame, knowledge: AnyKnowledge, level: Level, sampler: Sampler) -> AnyPlayer:
    """The player that plays at that level."""
    player: AnyPlayer
    match level.method:
        case "mc":
            player = MonteCarlo(game, knowledge, Budget(simulations=level.simulations), sampler)
        case "search":
            player = Search(game, knowledge, Budget(simulations=level.simulations), sampler)
        case _:
            player = Noisy(game, knowledge, level, sampler)
    return player if level.memory is None else LimitedMemory(player, level.memory)
