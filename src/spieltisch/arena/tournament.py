"""Tournaments over many duplicate deals; the result does not depend on who plays the deals, or in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from typing import Any, ClassVar, Final

from spieltisch.arena.config import BadTournament, Config, make_config
from spieltisch.arena.deal_log import D
from spieltisch.arena.deals import play_deal
from spieltisch.arena.seating import games_per_deal
from spieltisch.arena.standings import Standings, TournamentResult
from spieltisch.arena.tournament_log import TournamentLog
from spieltisch.arena.workers import InlineWorkers, Workers
from spieltisch.core.game import AnyGame, Refusal
from spieltisch.i18n.message import message_factory

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
) -> TournamentResult:
    """Plays a tournament of that many deals, or of the deals that so many games take.

    `setup` holds arguments of `Game.agree`; without `first`, the starting seat is drawn for every deal. The executor
    plays the deals, by default this process. Deals that the log already holds are not played again. `until` is called
    after every deal, in the order of their numbers, and ends the tournament if it returns True: so the result is the
    same whichever deal finished first. `progress` is called with the number of finished deals and their total.
    """
    config = make_config(game, setup, entrants, seed)
    total = number_of_deals(config, games, deals)
    logged = log.open(config) if log else {}
    waiting = {number: deal for number, deal in logged.items() if number < total}
    standings = Standings(config)
    missing = (number for number in range(total) if number not in logged)
    with closing(play_deals(play_deal, config, missing, executor or InlineWorkers())) as arriving:
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
            if log:
                log.add(deal)
            waiting[deal.number] = deal
    return standings.result("games")


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
