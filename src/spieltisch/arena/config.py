"""The terms of a tournament: everything that determines what is played, and nothing of where or how long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from spieltisch import __version__, players
from spieltisch.core.game import AnyGame, Refusal, Setup
from spieltisch.i18n.message import message_factory
from spieltisch.match.chance import Source
from spieltisch.players.external import fingerprint

_say = message_factory("")


class BadTournament(Refusal):
    """Terms that make no tournament."""

    code: ClassVar[str] = "bad-tournament"


class Terms(NamedTuple):
    """What was agreed on; equal terms play equal deals, on any machine."""

    game: str
    players: int
    edition: str
    options: tuple[tuple[str, str], ...]
    first: int | None  # drawn for every deal where nobody said which seat begins
    rules: int
    entrants: tuple[str, ...]
    seed: int
    code: tuple[str, ...] = ()  # a digest of every entrant's own code, '' for players of this package
    version: str = __version__

    def setup(self, game: AnyGame, source: Source) -> Setup:
        """The setup of a deal, whose source says who begins where the terms do not."""
        first = source.first(self.players) if self.first is None else self.first
        return game.agree(self.players, self.edition, dict(self.options), first, self.rules)


def agree(game: AnyGame, setup: Mapping[str, Any], entrants: Sequence[str], seed: int) -> Terms:
    """The terms; `setup` is what `Game.agree` takes, and a Refusal says what makes no tournament."""
    if seed < 0:
        raise Refusal(_say("seed.negative", given=seed))
    for name in entrants:
        players.make(name, game, 0)
    twice = [name for name in entrants if entrants.count(name) > 1]
    if twice:
        raise BadTournament(_say("arena.twice", name=twice[0]))
    if len(entrants) < 2:
        raise BadTournament(_say("arena.few"))
    first = setup.get("first")
    agreed = game.agree(**{**setup, "first": first or 0})
    game.initial(agreed)
    code = tuple(fingerprint(name) for name in entrants)
    return Terms(
        game.name, agreed.players, agreed.edition, agreed.options, first, agreed.rules, tuple(entrants), seed, code
    )
