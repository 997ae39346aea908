"""Balance of a game between equal players: first-move advantage, length, luck, and the value of what is counted."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from statistics import fmean, quantiles
from typing import Any, Final, NamedTuple

from spieltisch.arena.balance.self_play import BalanceLog, DuplicateDeal, GameStats, play_duplicate_deal
from spieltisch.arena.config import Config, make_self_play_config
from spieltisch.arena.standings import round_floats
from spieltisch.arena.statistics import Interval, Sample, confidence_interval, student_quantile
from spieltisch.arena.tournament import play_deals
from spieltisch.arena.workers import InlineWorkers, Workers
from spieltisch.core.game import AnyGame
from spieltisch.core.json import Json, to_json

_JSON_NAMES: Final = {"config": "terms", "marginal_values": "worths"}  # files keep the names of their first version


class Estimate(NamedTuple):
    """A value with its 95 % confidence interval; None if too little was played."""

    value: float
    bounds: Interval | None


class Distribution(NamedTuple):
    """How a number varies from game to game: its mean, 5 % quantile, median and 95 % quantile."""

    mean: float
    low: float
    middle: float
    high: float


class PlaceStats(NamedTuple):
    """A place in the turn order: its share of the victories, and its mean points per game."""

    share: Estimate
    points: float


class MarginalValue(NamedTuple):
    """Something the game counts: the mean per seat, and the gain that correlates with one more than the others have."""

    name: str
    often: float
    points: Estimate
    victory: Estimate


class Balance(NamedTuple):
    """Statistics of many games between equal players."""

    config: Config
    deals: int
    games: int
    lost: int  # deals in which a player failed; they are not counted
    places: tuple[PlaceStats, ...]
    decisions: Distribution
    draws: Distribution
    scores: Distribution
    winner: Distribution  # the winner's points
    lead: Distribution  # over the best seat that did not win; 0 if all won
    ties: Estimate  # the share of the games with several winners
    endings: tuple[tuple[str, int], ...]
    luck: Estimate  # how much of the victory the deal decides
    luck_in_points: Estimate  # the same for points
    marginal_values: tuple[MarginalValue, ...]
    seconds: float  # spent on the deals by all workers together

    def to_json(self) -> dict[str, Json]:
        """The numbers as JSON."""
        numbers = {_JSON_NAMES.get(name, name): round_floats(to_json(value)) for name, value in self._asdict().items()}
        settings = {**self.config._asdict(), "options": dict(self.config.options)}
        return {**numbers, "terms": to_json(settings), "endings": dict(self.endings)}


def measure_balance(
    game: AnyGame,
    setup: Mapping[str, Any],
    player: str,
    *,
    deals: int,
    seed: int = 0,
    executor: Workers | None = None,
    log: BalanceLog | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Balance:
    """Measures the balance over that many deals, each played twice: with the same draws and other seeds of the players.

    The parameters are those of `compete`. The result does not depend on who plays the deals, or in which order.
    """
    config = make_self_play_config(game, setup, player, seed)
    logged = log.open(config) if log else {}
    played = {number: deal for number, deal in logged.items() if number < deals}
    missing = (number for number in range(deals) if number not in logged)
    with closing(play_deals(play_duplicate_deal, config, missing, executor or InlineWorkers())) as arriving:
        while len(played) < deals:
            if progress:
                progress(len(played), deals)
            deal = next(arriving)
            if log:
                log.add(deal)
            played[deal.number] = deal
    return summarize(config, [played[number] for number in range(deals)])


def summarize(config: Config, played: Sequence[DuplicateDeal]) -> Balance:
    """The statistics of these deals."""
    complete = [deal for deal in played if deal.games]
    games = [game for deal in complete for game in deal.games]
    return Balance(
        config=config,
        deals=len(complete),
        games=len(games),
        lost=len(played) - len(complete),
        places=tuple(_place_stats(complete, place) for place in range(config.players)),
        decisions=_distribution(game.decisions for game in games),
        draws=_distribution(game.draws for game in games),
        scores=_distribution(score for game in games for score in game.scores),
        winner=_distribution(max(_winners_scores(game)) for game in games),
        lead=_distribution(_lead(game) for game in games),
        ties=_mean_share([fmean(max(game.shares) < 1 for game in deal.games) for deal in complete]),
        endings=tuple(sorted(Counter(game.ending for game in games).items())),
        luck=_deal_correlation(complete, lambda game: game.shares),
        luck_in_points=_deal_correlation(complete, lambda game: _center(game.scores)),
        marginal_values=tuple(_marginal_value(complete, name) for name in dict(games[0].counts)) if games else (),
        seconds=sum(deal.seconds for deal in played),
    )


def _place_stats(deals: Sequence[DuplicateDeal], place: int) -> PlaceStats:
    shares = [fmean(game.shares[place] for game in deal.games) for deal in deals]
    points = [game.scores[place] for deal in deals for game in deal.games]
    return PlaceStats(_mean_share(shares), fmean(points) if points else 0.0)


def _mean_share(values: Sequence[float]) -> Estimate:
    """The mean of one share per deal."""
    sample = Sample(values)
    bounds = confidence_interval(sample)
    return Estimate(sample.mean, bounds and Interval(max(bounds.low, 0.0), min(bounds.high, 1.0)))


def _distribution(values: Iterable[float]) -> Distribution:
    numbers = sorted(values)
    if len(numbers) < 2:
        only = numbers[0] if numbers else 0.0
        return Distribution(only, only, only, only)
    parts = quantiles(numbers, n=20, method="inclusive")
    return Distribution(fmean(numbers), parts[0], parts[9], parts[18])


def _winners_scores(game: GameStats) -> list[int]:
    return [score for score, share in zip(game.scores, game.shares, strict=True) if share]


def _lead(game: GameStats) -> float:
    others = [score for score, share in zip(game.scores, game.shares, strict=True) if not share]
    return max(_winners_scores(game)) - max(others) if others else 0.0


def _center(values: Sequence[float]) -> tuple[float, ...]:
    mean = fmean(values)
    return tuple(value - mean for value in values)


def _deal_correlation(deals: Sequence[DuplicateDeal], measure: Callable[[GameStats], Sequence[float]]) -> Estimate:
    """Intraclass correlation of the two games of a deal: which part of the variance the deal explains.

    The mean of each place is subtracted, so that the advantage of starting does not count as luck of the deal.
    """
    pairs = [tuple(measure(game) for game in deal.games) for deal in deals]
    if not pairs:
        return Estimate(0.0, None)
    means = [fmean(row[place] for pair in pairs for row in pair) for place in range(len(pairs[0][0]))]
    covariances, variances = [], []
    for pair in pairs:
        one, other = ([value - mean for value, mean in zip(row, means, strict=True)] for row in pair)
        covariances.append(math.fsum(a * b for a, b in zip(one, other, strict=True)))
        variances.append(math.fsum(a * a + b * b for a, b in zip(one, other, strict=True)) / 2)
    return ratio_estimate(covariances, variances)


def _marginal_value(deals: Sequence[DuplicateDeal], name: str) -> MarginalValue:
    """Least-squares slope over all games: the gain that correlates with one more than the others have in the same game."""
    numbers: list[float] = []
    sums: list[tuple[float, float, float]] = []
    for deal in deals:
        by_points = by_victory = squares = 0.0
        for game in deal.games:
            counts = dict(game.counts)[name]
            numbers += counts
            rows = zip(_center(counts), _center(game.scores), _center(game.shares), strict=True)
            for count, score, share in rows:
                by_points, by_victory, squares = (
                    by_points + count * score,
                    by_victory + count * share,
                    squares + count * count,
                )
        sums.append((by_points, by_victory, squares))
    denominators = [squares for _, _, squares in sums]
    return MarginalValue(
        name,
        fmean(numbers),
        ratio_estimate([by_points for by_points, _, _ in sums], denominators),
        ratio_estimate([by_victory for _, by_victory, _ in sums], denominators),
    )


def ratio_estimate(numerators: Sequence[float], denominators: Sequence[float]) -> Estimate:
    """The ratio of two sums with its confidence interval; the deals are independent of each other."""
    total, count = math.fsum(denominators), len(denominators)
    if not total:
        return Estimate(0.0, None)
    value = math.fsum(numerators) / total
    if count < 3:
        return Estimate(value, None)
    squares = math.fsum((one - value * other) ** 2 for one, other in zip(numerators, denominators, strict=True))
    margin = student_quantile(count - 1) * math.sqrt(squares * count / (count - 1)) / total
    return Estimate(value, Interval(value - margin, value + margin))
