"""Plays deals: the same dice and shuffles for every line-up, and a player that fails ends only its own game."""

from __future__ import annotations

import time
from typing import Any, ClassVar, NamedTuple

from spieltisch import __version__, players, registry
from spieltisch.arena.config import Terms
from spieltisch.arena.seating import LineUp, line_ups
from spieltisch.core.game import AnyGame, Over, Refusal, Setup
from spieltisch.core.player import AnyPlayer
from spieltisch.i18n.message import Message, message_factory
from spieltisch.match.chance import Source, seeded
from spieltisch.match.referee import Referee
from spieltisch.players.failures import PlayerFailed, crash_failure, guard

_say = message_factory("")


class OtherVersion(Refusal):
    """Deals of one version are not played by another."""

    code: ClassVar[str] = "other-version"


class Failure(NamedTuple):
    """A seat whose player did not answer with a choice, and why."""

    seat: int
    reason: Message


class Played(NamedTuple):
    """One game: who sat where, and how it ended; it has no scores where a player failed."""

    seats: LineUp
    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    failure: Failure | None = None

    def share(self, seat: int) -> float:
        """The seat's share of the victory: those who are first divide it equally."""
        return (self.ranks[seat] == 1) / self.ranks.count(1)


class Deal(NamedTuple):
    """All games of one deal, and the seconds that they took."""

    number: int
    games: tuple[Played, ...]
    seconds: float


def play_deal(terms: Terms, number: int) -> Deal:
    """The deal of that number: it depends on nothing but the terms and the number."""
    if terms.version != __version__:
        raise OtherVersion(_say("arena.version", there=__version__, here=terms.version))
    began = time.perf_counter()
    game = registry.find(terms.game).for_simulation
    source = seeded(f"arena/{terms.seed}/{number}")
    setup = terms.setup(game, source)
    games = tuple(
        _play(game, setup, source, terms.entrants, seats, f"arena/{terms.seed}/{number}/{place}")
        for place, seats in enumerate(line_ups(terms, number))
    )
    return Deal(number, games, time.perf_counter() - began)


def _play(game: AnyGame, setup: Setup, source: Source, names: tuple[str, ...], seats: LineUp, seed: str) -> Played:
    """One game; where a player fails, it is the last and the others share the victory."""
    referee = Referee(game, setup, source)
    seat, bots = 0, list[AnyPlayer]()
    try:
        for seat, entrant in enumerate(seats):
            bots.append(_sat_down(names[entrant], game, f"{seed}/{seat}"))
        while not isinstance(pending := referee.settle(), Over):
            seat = pending.seat
            _ask(referee, bots[seat], names[seats[seat]])
    except PlayerFailed as failed:
        ranks = tuple(len(seats) if other == seat else 1 for other in range(len(seats)))
        return Played(seats, ranks, None, Failure(seat, failed.message))
    return Played(seats, pending.outcome.ranks, pending.outcome.scores)


def _sat_down(name: str, game: AnyGame, seed: str) -> AnyPlayer:
    try:
        return guard(players.make(name, game, seed), name)
    except Refusal as error:
        raise PlayerFailed(name, error.message) from error
    except (Exception, SystemExit) as error:
        raise crash_failure(name, error) from error


def _ask(referee: Referee[Any, Any, Any], bot: AnyPlayer, name: str) -> None:
    try:
        referee.ask(bot)
    except SystemExit as error:  # it ends the bot's game and not the tournament
        raise crash_failure(name, error) from error
