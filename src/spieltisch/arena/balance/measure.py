"""What a game is like between equals: who begins well, how long it takes, how much the deal decides, what things are worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from statistics import fmean, quantiles
from typing import Any, NamedTuple

from spieltisch.arena.balance.self_play import Copies, Noted, Notes, equals, play_copies
from spieltisch.arena.config import Terms
from spieltisch.arena.statistics import Interval, Sample, interval, student
from spieltisch.arena.tournament import play
from spieltisch.arena.workers import InlineWorkers, Workers
from spieltisch.core.game import AnyGame
from spieltisch.core.json import Json, to_json


class Estimate(NamedTuple):
    """A value, and the interval in which it is with 95 % certainty; None where too little was played."""

    value: float
    bounds: Interval | None


class Spread(NamedTuple):
    """How a number varies from game to game: its mean, and between what nine of ten games have it."""

    mean: float
    low: float
    middle: float
    high: float


class Place(NamedTuple):
    """A place in the order of turns: its share of the victories, and its points a game."""

    share: Estimate
    points: float


class Worth(NamedTuple):
    """Something that the game counts: how often a seat has it, and what goes with one more of it than the others have."""

    name: str
    often: float
    points: Estimate
    victory: Estimate


class Balance(NamedTuple):
    """What many games between equals have shown."""

    terms: Terms
    deals: int
    games: int
    lost: int  # deals in which a player failed, which are not counted
    places: tuple[Place, ...]
    decisions: Spread
    draws: Spread
    scores: Spread
    winner: Spread  # the points of a winner
    lead: Spread  # over the best of those who did not win; nothing where all did
    ties: Estimate  # the share of the games with several winners
    endings: tuple[tuple[str, int], ...]
    luck: Estimate  # how much of who wins the deal decides
    luck_in_points: Estimate  # the same for points
    worths: tuple[Worth, ...]
    seconds: float  # that the deals took, all workers together

    def to_json(self) -> dict[str, Json]:
        """The numbers as JSON."""
        numbers = {name: _rounded(to_json(value)) for name, value in self._asdict().items()}
        settings = {**self.terms._asdict(), "options": dict(self.terms.options)}
        return {**numbers, "terms": to_json(settings), "endings": dict(self.endings)}


def balance(
    game: AnyGame,
    setup: Mapping[str, Any],
    player: str,
    *,
    deals: int,
    seed: int = 0,
    executor: Workers | None = None,
    store: Notes | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Balance:
    """What so many deals between equals show; each is played twice, with the same luck and other dice of the players.

    Parameters are those of `compete`. The result does not depend on who plays the deals in which order.
    """
    terms = equals(game, setup, player, seed)
    there = store.begin(terms) if store else {}
    played = {number: deal for number, deal in there.items() if number < deals}
    missing = (number for number in range(deals) if number not in there)
    with closing(play(play_copies, terms, missing, executor or InlineWorkers())) as arriving:
        while len(played) < deals:
            if watch:
                watch(len(played), deals)
            deal = next(arriving)
            if store:
                store.add(deal)
            played[deal.number] = deal
    return shown(terms, [played[number] for number in range(deals)])


def shown(terms: Terms, played: Sequence[Copies]) -> Balance:
    """What the deals have shown."""
    whole = [deal for deal in played if deal.games]
    games = [game for deal in whole for game in deal.games]
    return Balance(
        terms=terms,
        deals=len(whole),
        games=len(games),
        lost=len(played) - len(whole),
        places=tuple(_place(whole, place) for place in range(terms.players)),
        decisions=_spread(game.decisions for game in games),
        draws=_spread(game.draws for game in games),
        scores=_spread(score for game in games for score in game.scores),
        winner=_spread(max(_of_winners(game)) for game in games),
        lead=_spread(_lead(game) for game in games),
        ties=_mean([fmean(max(game.shares) < 1 for game in deal.games) for deal in whole]),
        endings=tuple(sorted(Counter(game.ending for game in games).items())),
        luck=_luck(whole, lambda game: game.shares),
        luck_in_points=_luck(whole, lambda game: _centred(game.scores)),
        worths=tuple(_worth(whole, name) for name in dict(games[0].counts)) if games else (),
        seconds=sum(deal.seconds for deal in played),
    )


def _place(deals: Sequence[Copies], place: int) -> Place:
    shares = [fmean(game.shares[place] for game in deal.games) for deal in deals]
    points = [game.scores[place] for deal in deals for game in deal.games]
    return Place(_mean(shares), fmean(points) if points else 0.0)


def _mean(values: Sequence[float]) -> Estimate:
    """The mean of shares, one a deal."""
    sample = Sample(values)
    bounds = interval(sample)
    return Estimate(sample.mean, bounds and Interval(max(bounds.low, 0.0), min(bounds.high, 1.0)))


def _spread(values: Iterable[float]) -> Spread:
    numbers = sorted(values)
    if len(numbers) < 2:
        only = numbers[0] if numbers else 0.0
        return Spread(only, only, only, only)
    parts = quantiles(numbers, n=20, method="inclusive")
    return Spread(fmean(numbers), parts[0], parts[9], parts[18])


def _of_winners(game: Noted) -> list[int]:
    return [score for score, share in zip(game.scores, game.shares, strict=True) if share]


def _lead(game: Noted) -> float:
    others = [score for score, share in zip(game.scores, game.shares, strict=True) if not share]
    return max(_of_winners(game)) - max(others) if others else 0.0


def _centred(values: Sequence[float]) -> tuple[float, ...]:
    mean = fmean(values)
    return tuple(value - mean for value in values)


def _luck(deals: Sequence[Copies], measure: Callable[[Noted], Sequence[float]]) -> Estimate:
    """The intraclass correlation of both games of a deal: what part of the variance the deal brings about.

    Each place's own mean is taken off, so that the advantage of beginning is no luck of the deal.
    """
    pairs = [tuple(measure(game) for game in deal.games) for deal in deals]
    if not pairs:
        return Estimate(0.0, None)
    means = [fmean(row[place] for pair in pairs for row in pair) for place in range(len(pairs[0][0]))]
    shared, spent = [], []
    for pair in pairs:
        one, other = ([value - mean for value, mean in zip(row, means, strict=True)] for row in pair)
        shared.append(math.fsum(a * b for a, b in zip(one, other, strict=True)))
        spent.append(math.fsum(a * a + b * b for a, b in zip(one, other, strict=True)) / 2)
    return ratio(shared, spent)


def _worth(deals: Sequence[Copies], name: str) -> Worth:
    """What goes with one more than the others in the same game: the slope of a line through all games."""
    had: list[float] = []
    sums: list[tuple[float, float, float]] = []
    for deal in deals:
        points = victory = more = 0.0
        for game in deal.games:
            numbers = dict(game.counts)[name]
            had += numbers
            for own, score, share in zip(_centred(numbers), _centred(game.scores), _centred(game.shares), strict=True):
                points, victory, more = points + own * score, victory + own * share, more + own * own
        sums.append((points, victory, more))
    spent = [more for _, _, more in sums]
    return Worth(name, fmean(had), ratio([one for one, _, _ in sums], spent), ratio([two for _, two, _ in sums], spent))


def ratio(above: Sequence[float], below: Sequence[float]) -> Estimate:
    """The sum of one row over the sum of the other, each deal by itself being independent of the others."""
    total, count = math.fsum(below), len(below)
    if not total:
        return Estimate(0.0, None)
    value = math.fsum(above) / total
    if count < 3:
        return Estimate(value, None)
    squares = math.fsum((one - value * other) ** 2 for one, other in zip(above, below, strict=True))
    reach = student(count - 1) * math.sqrt(squares * count / (count - 1)) / total
    return Estimate(value, Interval(value - reach, value + reach))


def _rounded(value: Json) -> Json:
    """Numbers to six digits: the last ones may differ from machine to machine."""
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_rounded(inner) for inner in value]
    return round(value, 6) + 0.0 if isinstance(value, float) else value
