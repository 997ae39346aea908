"""Plays the same deal twice between equals, and notes what each game was like."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, ClassVar, Final, NamedTuple

from spieltisch import __version__, players, registry
from spieltisch.arena.config import Terms
from spieltisch.arena.deal_log import Ledger
from spieltisch.arena.deals import OtherVersion
from spieltisch.core.game import AnyGame, Decision, Over, Refusal, Setup
from spieltisch.i18n.message import message_factory
from spieltisch.match.chance import Source, seeded
from spieltisch.match.referee import Referee
from spieltisch.players.external import fingerprint
from spieltisch.players.failures import PlayerFailed, guard

_say = message_factory("")
COPIES: Final = 2  # of every deal


class Noted(NamedTuple):
    """One game, its seats in the order of turns: whoever began comes first."""

    shares: tuple[float, ...]  # of the victory
    scores: tuple[int, ...]
    decisions: int
    draws: int
    ending: str
    counts: tuple[tuple[str, tuple[int, ...]], ...]  # what the game counts, seat by seat


class Copies(NamedTuple):
    """The games of one deal, none where a player failed, and the seconds that they took."""

    number: int
    games: tuple[Noted, ...]
    seconds: float


def equals(game: AnyGame, setup: Mapping[str, Any], player: str, seed: int) -> Terms:
    """The terms: everybody at the table is that player, and whoever begins is drawn where `setup` does not say."""
    if seed < 0:
        raise Refusal(_say("seed.negative", given=seed))
    players.make(player, game, 0)
    first = setup.get("first")
    agreed = game.agree(**{**setup, "first": first or 0})
    game.initial(agreed)
    code = (fingerprint(player),)
    return Terms(game.name, agreed.players, agreed.edition, agreed.options, first, agreed.rules, (player,), seed, code)


def play_copies(terms: Terms, number: int) -> Copies:
    """The deal of that number: it depends on nothing but the terms and the number."""
    if terms.version != __version__:
        raise OtherVersion(_say("arena.version", there=__version__, here=terms.version))
    began = time.perf_counter()
    game = registry.find(terms.game).for_simulation
    source = seeded(f"balance/{terms.seed}/{number}")
    setup = terms.setup(game, source)
    try:
        games = tuple(
            _play(game, setup, source, terms.entrants[0], f"balance/{terms.seed}/{number}/{copy}")
            for copy in range(COPIES)
        )
    except PlayerFailed:
        games = ()
    return Copies(number, games, time.perf_counter() - began)


def _play(game: AnyGame, setup: Setup, source: Source, name: str, seed: str) -> Noted:
    referee = Referee(game, setup, source)
    bots = [guard(players.make(name, game, f"{seed}/{seat}"), name) for seat in range(setup.players)]
    decisions = 0
    while isinstance(pending := referee.settle(), Decision):
        referee.ask(bots[pending.seat])
        decisions += 1
    assert isinstance(pending, Over)
    ranks, scores = pending.outcome.ranks, pending.outcome.scores
    count = registry.game_counts(game)
    counted = count(referee.steps, referee.state) if count else {}
    turns = [(setup.first + place) % setup.players for place in range(setup.players)]
    return Noted(
        shares=tuple((ranks[seat] == 1) / ranks.count(1) for seat in turns),
        scores=tuple(scores[seat] for seat in turns),
        decisions=decisions,
        draws=len(referee.draws()),
        ending=pending.outcome.ending,
        counts=tuple((thing, tuple(numbers[seat] for seat in turns)) for thing, numbers in counted.items()),
    )


class Notes(Ledger[Copies]):
    """The file `games.jsonl`."""

    file: ClassVar[str] = "games.jsonl"
    form: ClassVar[str] = "spieltisch balance 1"

    def line(self, terms: Terms, deal: Copies) -> dict[str, Any]:
        games = [{**game._asdict(), "counts": dict(game.counts)} for game in deal.games]
        return {"deal": deal.number, "games": games, "seconds": round(deal.seconds, 6)}

    def deal(self, terms: Terms, line: dict[str, Any]) -> Copies:
        games = tuple(
            Noted(
                shares=tuple(map(float, game["shares"])),
                scores=tuple(map(int, game["scores"])),
                decisions=int(game["decisions"]),
                draws=int(game["draws"]),
                ending=str(game["ending"]),
                counts=tuple((thing, tuple(map(int, numbers))) for thing, numbers in game["counts"].items()),
            )
            for game in line["games"]
        )
        if any(len(game.shares) != terms.players for game in games):
            raise ValueError(line["deal"])
        return Copies(int(line["deal"]), games, float(line["seconds"]))
