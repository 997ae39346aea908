"""Plays deals: the same draws for every line-up; a player that fails ends only its own game."""

from __future__ import annotations

import time
from typing import Any, ClassVar, NamedTuple

from spieltisch import __version__, players, registry
from spieltisch.arena.config import Config
from spieltisch.arena.seating import LineUp, line_ups
from spieltisch.core.game import AnyGame, Over, Refusal, Setup
from spieltisch.core.player import AnyPlayer
from spieltisch.gameplay.chance import Source, seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.i18n.message import Message, message_factory
from spieltisch.players.failures import PlayerFailed, crash_failure, guard

_say = message_factory("")


class VersionMismatch(Refusal):
    """A worker of another version of the package, which does not play these deals."""

    code: ClassVar[str] = "other-version"


class Failure(NamedTuple):
    """The seat whose player failed, and the reason."""

    seat: int
    reason: Message


class GameResult(NamedTuple):
    """One game: who sat where and how it ended; there are no scores if a player failed."""

    seats: LineUp
    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    failure: Failure | None = None

    def share(self, seat: int) -> float:
        """The seat's share of the victory, which the winners divide equally."""
        return (self.ranks[seat] == 1) / self.ranks.count(1)


class DealResult(NamedTuple):
    """The results of all games of one deal, and the seconds they took."""

    number: int
    games: tuple[GameResult, ...]
    seconds: float


def play_deal(config: Config, number: int) -> DealResult:
    """Plays one deal; the result depends on the config and the number only."""
    check_version(config)
    started = time.perf_counter()
    game = registry.find(config.game).for_simulation
    source = seeded(f"arena/{config.seed}/{number}")
    setup = config.setup(game, source)
    games = tuple(
        _play_game(game, setup, source, config.entrants, seats, f"arena/{config.seed}/{number}/{index}")
        for index, seats in enumerate(line_ups(config, number))
    )
    return DealResult(number, games, time.perf_counter() - started)


def check_version(config: Config) -> None:
    """Raises VersionMismatch if the config was made by another version of the package."""
    if config.version != __version__:
        raise VersionMismatch(_say("arena.version", there=__version__, here=config.version))


def _play_game(
    game: AnyGame, setup: Setup, source: Source, names: tuple[str, ...], seats: LineUp, seed: str
) -> GameResult:
    """Plays one game; a player that fails is last, and the others share the victory."""
    referee = Referee(game, setup, source)
    seat, bots = 0, list[AnyPlayer]()
    try:
        for seat, entrant in enumerate(seats):
            bots.append(_make_player(names[entrant], game, f"{seed}/{seat}"))
        while not isinstance(pending := referee.settle(), Over):
            seat = pending.seat
            _ask(referee, bots[seat], names[seats[seat]])
    except PlayerFailed as failed:
        ranks = tuple(len(seats) if other == seat else 1 for other in range(len(seats)))
        return GameResult(seats, ranks, None, Failure(seat, failed.message))
    return GameResult(seats, pending.outcome.ranks, pending.outcome.scores)


def _make_player(name: str, game: AnyGame, seed: str) -> AnyPlayer:
    try:
        return guard(players.make(name, game, seed), name)
    except Refusal as error:
        raise PlayerFailed(name, error.message) from error
    except (Exception, SystemExit) as error:
        raise crash_failure(name, error) from error


def _ask(referee: Referee[Any, Any, Any], bot: AnyPlayer, name: str) -> None:
    try:
        referee.ask(bot)
    except SystemExit as error:  # ends the bot's game and not the tournament
        raise crash_failure(name, error) from error
