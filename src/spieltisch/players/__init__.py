"""Bots: who can be asked to sit down, by name."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from spieltisch import registry
from spieltisch.game import AnyGame, Refusal, brief
from spieltisch.message import speaker
from spieltisch.player import AnyPlayer, MakePlayer
from spieltisch.players.random import RandomPlayer

_say = speaker("")


class UnknownPlayer(Refusal):
    """Nobody of that name can sit down."""

    code: ClassVar[str] = "bad-request"


def known(game: AnyGame) -> dict[str, MakePlayer]:
    """Everybody who can play the game, by name."""
    return {"random": RandomPlayer, **registry.players(game)}


def best(game: AnyGame) -> str:
    """The name of the best player there is for the game."""
    return "greedy" if "greedy" in known(game) else "random"


def make(name: str, game: AnyGame, seed: int | str) -> AnyPlayer:
    """The player of that name, its dice thrown from the seed; UnknownPlayer says who there is."""
    players = known(game)
    if name not in players:
        raise UnknownPlayer(_say("player.unknown", given=brief(name), known=tuple(players)))
    return players[name](Random(f"player {seed}"))
