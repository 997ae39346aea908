"""Plays deals: the same draws for every line-up; a player that fails ends only its own game."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from spieltisch import __version__, players, registry
from spieltisch.arena.config import Config
from spieltisch.arena.seating import LineUp, line_ups
from spieltisch.arena.time_control import SeatClock, TimeControl
from spieltisch.core.game import AnyGame, Over, Refusal
from spieltisch.core.player import AnyPlayer
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.i18n.message import Message, message_factory
from spieltisch.players.failures import PlayerFailed, crash_failure, guard, output_of, start_process
from spieltisch.records import Record, write
from spieltisch.records.model import LONGEST_NAME

_say = message_factory("")


class VersionMismatch(Refusal):
    """A worker of another version of the package, which does not play these deals."""

    code: ClassVar[str] = "other-version"


class Failure(NamedTuple):
    """The seat whose player failed, the reason, and the end of what its bot printed, with its traceback."""

    seat: int
    reason: Message
    output: str = ""


class GameResult(NamedTuple):
    """One game: who sat where and how it ended; there are no scores if a player failed."""

    seats: LineUp
    ranks: tuple[int, ...]
    scores: tuple[int, ...] | None
    failure: Failure | None = None
    outputs: tuple[tuple[int, str], ...] = ()  # by seat the end of what its bot printed, if it printed anything
    record: str = ""  # the text of the game, if it is kept

    def share(self, seat: int) -> float:
        """The seat's share of the victory, which the winners divide equally."""
        return (self.ranks[seat] == 1) / self.ranks.count(1)


class DealResult(NamedTuple):
    """The results of all games of one deal, and the seconds they took."""

    number: int
    games: tuple[GameResult, ...]
    seconds: float


def play_deal(config: Config, number: int, *, keep_records: bool = False) -> DealResult:
    """Plays one deal; the result depends on the config and the number only."""
    check_version(config)
    started = time.perf_counter()
    game = registry.find(config.game).for_simulation
    seed = f"arena/{config.seed}/{number}"
    source = seeded(seed)
    setup = config.setup(game, source)
    games = tuple(
        _play_game(
            config,
            Referee(game, setup, source, record_names([config.entrants[each] for each in seats])),
            seats,
            f"{seed}/{index}",
            keep_records,
        )
        for index, seats in enumerate(line_ups(config, number))
    )
    return DealResult(number, games, time.perf_counter() - started)


def check_version(config: Config) -> None:
    """Raises VersionMismatch if the config was made by another version of the package."""
    if config.version != __version__:
        raise VersionMismatch(_say("arena.version", there=__version__, here=config.version))


def play_deal_with_records(config: Config, number: int) -> DealResult:
    """Plays one deal, and keeps the records of its games."""
    return play_deal(config, number, keep_records=True)


def record_names(names: Sequence[str]) -> dict[int, str]:
    """The players' names by seat, as a record can hold them."""
    return {seat: name.replace(";", ",")[:LONGEST_NAME] for seat, name in enumerate(names)}


def _play_game(
    config: Config, referee: Referee[Any, Any, Any], seats: LineUp, seed: str, keep_records: bool
) -> GameResult:
    """Plays one game; a player that fails is last, and the others share the victory."""
    seat, bots = 0, list[AnyPlayer]()
    control = TimeControl.read(config.clock)
    clocks = [SeatClock(control) for _ in seats]
    failure: Failure | None = None
    try:
        for seat, entrant in enumerate(seats):
            bots.append(_make_player(config.entrants[entrant], referee.game, f"{seed}/{seat}"))
            start_process(bots[-1], config.rules)  # before its clock runs
        while not isinstance(pending := referee.settle(), Over):
            seat = pending.seat
            _ask(referee, bots[seat], clocks[seat], config.entrants[seats[seat]])
        ranks, scores = pending.outcome.ranks, pending.outcome.scores
    except PlayerFailed as failed:
        ranks, scores = tuple(len(seats) if other == seat else 1 for other in range(len(seats))), None
        failure = Failure(seat, failed.message, failed.output)
    outputs = tuple((seat, text) for seat, bot in enumerate(bots) if (text := output_of(bot)))
    record = write(Record((referee.record(),))) if keep_records else ""
    return GameResult(seats, ranks, scores, failure, outputs, record)


def _make_player(name: str, game: AnyGame, seed: str) -> AnyPlayer:
    try:
        return guard(players.make(name, game, seed), name)
    except Refusal as error:
        raise PlayerFailed(name, error.message) from error
    except (Exception, SystemExit) as error:
        raise crash_failure(name, error) from error


def _ask(referee: Referee[Any, Any, Any], bot: AnyPlayer, clock: SeatClock, name: str) -> None:
    """Lets a player take the pending decision in time, or raises PlayerFailed."""
    before = referee.progress
    try:
        referee.ask(bot, clock.start())
        clock.stop(name)
    except SystemExit as error:  # ends the bot's game and not the tournament
        raise crash_failure(name, error) from error
    except PlayerFailed as failed:
        referee.progress = before  # a decision that came too late does not count
        failed.output = failed.output or output_of(bot)
        raise
