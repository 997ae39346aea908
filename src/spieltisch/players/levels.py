"""Players of five strengths: weak ones misjudge a little and forget, the strongest look ahead where that helps."""

from __future__ import annotations

from typing import Any

from spieltisch.core.game import AnyGame, Sampler
from spieltisch.core.player import AnyPlayer, Clock, Level, Seen
from spieltisch.players.budget import Budget
from spieltisch.players.mc import MonteCarlo
from spieltisch.players.rollout import AnyKnowledge
from spieltisch.players.search import Search


class Slipping:
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
        rates = self.knowledge.rate(world, seen.choices, self.sampler)
        least = max(rates) - self.level.worst
        felt = [
            (rate + self.sampler.gauss(0.0, self.level.slip), place)
            for place, rate in enumerate(rates)
            if rate >= least
        ]
        return seen.choices[max(felt)[1]]


class Forgetful:
    """A player that remembers only what happened last."""

    def __init__(self, player: AnyPlayer, remembers: int) -> None:
        self.player = player
        self.remembers = remembers

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        last = seen.heard[-self.remembers :] if self.remembers else ()
        return self.player.choose(Seen(seen.view, seen.choices, last), clock)


def at_level(game: AnyGame, knowledge: AnyKnowledge, level: Level, sampler: Sampler) -> AnyPlayer:
    """The player that plays at that level."""
    player: AnyPlayer
    match level.thinks:
        case "mc":
            player = MonteCarlo(game, knowledge, Budget(simulations=level.simulations), sampler)
        case "search":
            player = Search(game, knowledge, Budget(simulations=level.simulations), sampler)
        case _:
            player = Slipping(game, knowledge, level, sampler)
    return player if level.remembers is None else Forgetful(player, level.remembers)
