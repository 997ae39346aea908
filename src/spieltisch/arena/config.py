"""Tournament config: everything that determines what is played, and nothing about where or for how long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from spieltisch import __version__, players
from spieltisch.arena.time_control import TimeControl
from spieltisch.core.game import AnyGame, Refusal, Setup
from spieltisch.gameplay.chance import Source
from spieltisch.i18n.message import message_factory
from spieltisch.players.external import fingerprint

_say = message_factory("")


class BadTournament(Refusal):
    """A config that does not describe a valid tournament."""

    code: ClassVar[str] = "bad-tournament"


class Config(NamedTuple):
    """Config of a tournament or of self-play; equal configs play equal deals on every machine."""

    game: str
    players: int
    edition: str
    options: tuple[tuple[str, str], ...]
    first: int | None  # the seat that starts; drawn for every deal if None
    rules: int
    entrants: tuple[str, ...]
    seed: int
    code: tuple[str, ...] = ()  # a digest of every entrant's own code, '' for players of this package
    version: str = __version__
    clock: str = ""  # a time control as `TimeControl` writes it; '' for none

    def setup(self, game: AnyGame, source: Source) -> Setup:
        """The setup of a deal; its source draws the starting seat if the config does not fix it."""
        first = source.first(self.players) if self.first is None else self.first
        return game.agree(self.players, self.edition, dict(self.options), first, self.rules)


def make_config(
    game: AnyGame, setup: Mapping[str, Any], entrants: Sequence[str], seed: int, clock: TimeControl | None = None
) -> Config:
    """The config of a tournament; `setup` holds arguments of `Game.agree`. A Refusal names what is wrong."""
    if seed < 0:
        raise Refusal(_say("seed.negative", given=seed))
    for name in entrants:
        players.make(name, game, 0)
    duplicates = [name for name in entrants if entrants.count(name) > 1]
    if duplicates:
        raise BadTournament(_say("arena.twice", name=duplicates[0]))
    if len(entrants) < 2:
        raise BadTournament(_say("arena.few"))
    config = _config(game, setup, entrants, seed)
    return config._replace(clock=str(clock)) if clock else config


def make_self_play_config(game: AnyGame, setup: Mapping[str, Any], player: str, seed: int) -> Config:
    """The config of self-play: the same player on every seat. A Refusal names what is wrong."""
    if seed < 0:
        raise Refusal(_say("seed.negative", given=seed))
    players.make(player, game, 0)
    return _config(game, setup, [player], seed)


def _config(game: AnyGame, setup: Mapping[str, Any], entrants: Sequence[str], seed: int) -> Config:
    first = setup.get("first")
    agreed = game.agree(**{**setup, "first": first or 0})
    game.initial(agreed)
    code = tuple(fingerprint(name) for name in entrants)
    return Config(
        game.name, agreed.players, agreed.edition, agreed.options, first, agreed.rules, tuple(entrants), seed, code
    )
