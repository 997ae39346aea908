"""Tournaments: entrants compete over many deals, and the result is the same whoever plays them in whatever order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from typing import Any, ClassVar, Final

from spieltisch.arena.config import BadTournament, Terms, agree
from spieltisch.arena.deal_log import D
from spieltisch.arena.deals import play_deal
from spieltisch.arena.seating import size_of_a_deal
from spieltisch.arena.standings import Result, Standing
from spieltisch.arena.store import Store
from spieltisch.arena.workers import InlineWorkers, Workers
from spieltisch.core.game import AnyGame, Refusal
from spieltisch.i18n.message import message_factory

_say = message_factory("")
_ALONE_AFTER: Final = 2  # losses after which a deal is played with no other beside it, which might be to blame
_GIVEN_UP_AFTER: Final = 5


class LostDeal(Refusal):
    """A deal ends every worker that plays it."""

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
    store: Store | None = None,
    until: Callable[[Standing], bool] | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Result:
    """The result of a tournament of so many deals, or of the deals that so many games take.

    `setup` is what `Game.agree` takes; where it does not say who begins, that is drawn for every deal. The executor
    plays the deals, this process where there is none. The store keeps them, and what it holds is not played again.
    `until` is asked after every deal, in the order of their numbers, whether that is enough: so it answers the same
    whoever finished first. `watch` is told how many deals of how many are there.
    """
    terms = agree(game, setup, entrants, seed)
    total = number_of_deals(terms, games, deals)
    there = store.begin(terms) if store else {}
    waiting = {number: deal for number, deal in there.items() if number < total}
    standing = Standing(terms)
    missing = (number for number in range(total) if number not in there)
    with closing(play(play_deal, terms, missing, executor or InlineWorkers())) as arriving:
        while standing.deals < total:
            while standing.deals in waiting:
                standing.add(waiting.pop(standing.deals))
                if until is not None and until(standing):
                    return standing.result("decided")
            if watch:
                watch(standing.deals + len(waiting), total)
            deal = next(arriving, None)
            if deal is None:
                break
            if store:
                store.add(deal)
            waiting[deal.number] = deal
    return standing.result("games")


def number_of_deals(terms: Terms, games: int | None, deals: int | None) -> int:
    """How many deals there are to be: as given, or as many as it takes for so many games."""
    if (games is None) == (deals is None) or (games or deals or 0) < 1:
        raise BadTournament(_say("arena.length"))
    return deals or -(-(games or 0) // size_of_a_deal(len(terms.entrants), terms.players))


def play(
    job: Callable[[Terms, int], D], terms: Terms, numbers: Iterable[int], executor: Workers
) -> Generator[D, None, None]:
    """The deals of these numbers as they are finished; those of a lost worker are played again."""
    fresh = iter(numbers)
    again: list[int] = []
    losses: Counter[int] = Counter()
    running: dict[Future[D], int] = {}
    try:
        while True:
            suspects = [number for number in (*again, *running.values()) if losses[number] >= _ALONE_AFTER]
            room = 1 if suspects else 2 * executor.size
            while len(running) < room:
                number = again.pop(0) if again else next(fresh, None)
                if number is None:
                    break
                running[executor.submit(job, terms, number)] = number
            if not running:
                return
            done = wait(running, return_when=FIRST_COMPLETED).done
            for future in sorted(done, key=running.__getitem__):
                number = running.pop(future)
                try:
                    deal = future.result()
                except executor.lost:
                    losses[number] += 1
                    if losses[number] >= _GIVEN_UP_AFTER:
                        raise LostDeal(_say("arena.lost_deal", deal=number, times=losses[number])) from None
                    again.append(number)
                else:
                    yield deal
    finally:
        for future in running:
            future.cancel()
