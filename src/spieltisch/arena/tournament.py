"""Tournaments over many duplicate deals; the result does not depend on who plays the deals, or in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, ClassVar, Final

from spieltisch.arena.config import BadTournament, Config, make_config
from spieltisch.arena.deal_log import D
from spieltisch.arena.deals import DealResult, play_deal, play_deal_with_records
from spieltisch.arena.seating import games_per_deal
from spieltisch.arena.standings import Standings, TournamentResult
from spieltisch.arena.time_control import TimeControl
from spieltisch.arena.tournament_log import TournamentLog
from spieltisch.arena.workers import InlineWorkers, Workers
from spieltisch.core.game import AnyGame, Refusal
from spieltisch.i18n.message import message_factory
from spieltisch.records.dataset import DatasetHeader, DatasetWriter, PlayedGame

_say = message_factory("")
_ISOLATE_AFTER: Final = 2  # lost workers after which a deal is played alone, because another deal may be to blame
_MAX_LOSSES: Final = 5


class LostDeal(Refusal):
    """A deal that kills every worker that plays it."""

    code: ClassVar[str] = "lost-deal"


def compete(
    game: AnyGame,
    setup: Mapping[str, Any],
    entrants: Sequence[str],
    *,
    games: int | None = None,
    deals: int | None = None,
    seed: int = 0,
    executor: Workers | None = None,
    log: TournamentLog | None = None,
    until: Callable[[Standings], bool] | None = None,
    progress: Callable[[int, int], None] | None = None,
    clock: TimeControl | None = None,
    keep_games: Path | None = None,
) -> TournamentResult:
    """Plays a tournament of that many deals, or of as many deals as that many games take.

    `setup` holds arguments of `Game.agree`; without `first`, the starting seat is drawn for every deal. The executor
    plays the deals, by default this process. Deals that the log already holds are not played again. `until` is called
    after every deal, in the order of their numbers, and ends the tournament if it returns True: so the result is the
    same whichever deal finished first. `progress` is called with the number of finished deals and their total. `clock`
    is a time control; `keep_games` is a file for the records of all games, a dataset (docs/reference/dataset.md).
    """
    config = make_config(game, setup, entrants, seed, clock)
    total = number_of_deals(config, games, deals)
    with ExitStack() as stack:
        archive = stack.enter_context(DatasetWriter(keep_games, dataset_header(config))) if keep_games else None
        result = _run(config, total, executor or InlineWorkers(), log, until, progress, archive)
        if archive is not None:
            archive.finish(range(result.deals))
        return result


def _run(
    config: Config,
    total: int,
    executor: Workers,
    log: TournamentLog | None,
    until: Callable[[Standings], bool] | None,
    progress: Callable[[int, int], None] | None,
    archive: DatasetWriter | None,
) -> TournamentResult:
    """Plays the deals that are missing in the log or in the archive, until all are there or `until` says so."""
    logged = log.open(config) if log else {}
    kept = {number for number in logged if archive is None or number in archive.deals}
    waiting = {number: deal for number, deal in logged.items() if number < total and number in kept}
    standings = Standings(config)
    missing = (number for number in range(total) if number not in kept)
    play = play_deal if archive is None else play_deal_with_records
    with closing(play_deals(play, config, missing, executor)) as arriving:
        while standings.deals < total:
            while standings.deals in waiting:
                standings.add(waiting.pop(standings.deals))
                if until is not None and until(standings):
                    return standings.result("decided")
            if progress:
                progress(standings.deals + len(waiting), total)
            deal = next(arriving, None)
            if deal is None:
                break
            if archive is not None and deal.number not in archive.deals:
                archive.add(kept_games(config, deal))
            if log and deal.number not in logged:
                log.add(deal)
            waiting[deal.number] = logged.get(deal.number, deal)
    return standings.result("games")


def dataset_header(config: Config) -> DatasetHeader:
    """The header of a dataset with games of this config."""
    return DatasetHeader(
        game=config.game,
        rules=config.rules,
        edition=config.edition,
        players=config.players,
        options=dict(config.options),
        bots=config.entrants,
        seed=config.seed,
        package=config.version,
    )


def kept_games(config: Config, deal: DealResult) -> list[PlayedGame]:
    """The games of a deal as a dataset keeps them."""
    return [
        PlayedGame(deal.number, index, tuple(config.entrants[entrant] for entrant in game.seats), game.record)
        for index, game in enumerate(deal.games)
    ]


def number_of_deals(config: Config, games: int | None, deals: int | None) -> int:
    """How many deals to play: as given, or as many as that many games take."""
    if (games is None) == (deals is None) or (games or deals or 0) < 1:
        raise BadTournament(_say("arena.length"))
    return deals or -(-(games or 0) // games_per_deal(len(config.entrants), config.players))


def play_deals(
    play: Callable[[Config, int], D], config: Config, numbers: Iterable[int], executor: Workers
) -> Generator[D, None, None]:
    """The deals with these numbers as they finish; those of a lost worker are played again."""
    fresh = iter(numbers)
    retries: list[int] = []
    losses: Counter[int] = Counter()
    running: dict[Future[D], int] = {}
    try:
        while True:
            suspects = [number for number in (*retries, *running.values()) if losses[number] >= _ISOLATE_AFTER]
            slots = 1 if suspects else 2 * executor.size
            while len(running) < slots:
                number = retries.pop(0) if retries else next(fresh, None)
                if number is None:
                    break
                running[executor.submit(play, config, number)] = number
            if not running:
                return
            done = wait(running, return_when=FIRST_COMPLETED).done
            for future in sorted(done, key=running.__getitem__):
                number = running.pop(future)
                try:
                    deal = future.result()
                except executor.lost:
                    losses[number] += 1
                    if losses[number] >= _MAX_LOSSES:
                        raise LostDeal(_say("arena.lost_deal", deal=number, times=losses[number])) from None
                    retries.append(number)
                else:
                    yield deal
    finally:
        for future in running:
            future.cancel()
