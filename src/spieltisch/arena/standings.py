"""Standings of a tournament after some deals, and whether the order is certain."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Final, NamedTuple

from spieltisch.arena.config import Config
from spieltisch.arena.deals import DealResult, Failure
from spieltisch.arena.rating import Rating, Ratings
from spieltisch.arena.statistics import (
    ALPHA,
    Interval,
    Sample,
    confidence_interval,
    confidence_sequence,
    decided_sign,
)
from spieltisch.core.json import Json, to_json
from spieltisch.i18n.format import format_message


class EntrantResult(NamedTuple):
    """An entrant's share of the victories per seat, with its 95 % confidence interval, and its rating."""

    name: str
    games: int  # in which it had at least one seat
    share: float
    bounds: Interval | None
    rating: Rating
    failures: int


class Comparison(NamedTuple):
    """Two entrants, the higher ranked first: how much more a seat of the first wins, and who is certainly better."""

    first: str
    second: str
    deals: int  # in which both took part
    difference: float
    bounds: Interval | None
    better: str | None


class FailedGame(NamedTuple):
    """A game that ended because a player failed."""

    deal: int
    game: int
    name: str
    failure: Failure


class TournamentResult(NamedTuple):
    """The result of a tournament: its entrants from best to last, and every pair of them."""

    config: Config
    deals: int
    games: int
    ended: str  # `games`: all were played; `decided`: the order was certain before
    entrants: tuple[EntrantResult, ...]
    pairs: tuple[Comparison, ...]
    failures: tuple[FailedGame, ...]
    seconds: float  # spent on the deals by all workers together

    def to_json(self) -> dict[str, Json]:
        """The result as JSON, with sentences in English."""
        return {
            "settings": {**_fields(self.config), "options": dict(self.config.options)},
            "deals": self.deals,
            "games": self.games,
            "ended": self.ended,
            "entrants": [_fields(entrant) for entrant in self.entrants],
            "pairs": [_fields(pair) for pair in self.pairs],
            "failures": [
                {
                    "deal": deal,
                    "game": game,
                    "seat": failure.seat,
                    "name": name,
                    "reason": format_message(failure.reason, "en"),
                    "output": failure.output,
                }
                for deal, game, name, failure in self.failures
            ],
            "seconds": round(self.seconds, 3),
        }


def _fields(value: Config | EntrantResult | Comparison) -> dict[str, Json]:
    return {name: round_floats(to_json(field)) for name, field in value._asdict().items()}


def round_floats(value: Json) -> Json:
    """The value with floats rounded to six digits, because the last digits may differ between machines."""
    if isinstance(value, dict):
        return {name: round_floats(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [round_floats(inner) for inner in value]
    return round(value, 6) + 0.0 if isinstance(value, float) else value


class Standings:
    """Running statistics of a tournament; deals are added in the order of their numbers."""

    def __init__(self, config: Config) -> None:
        count = len(config.entrants)
        self.config = config
        self.deals = 0
        self.shares = [Sample() for _ in range(count)]  # an entrant's share per seat, deal by deal
        self.differences = {pair: Sample() for pair in combinations(range(count), 2)}
        self.ratings = Ratings(count)
        self.games = [0] * count
        self.failures: list[FailedGame] = []
        self.played = 0
        self.seconds = 0.0

    def add(self, deal: DealResult) -> None:
        """Adds one deal."""
        shares = victory_shares(deal)
        for entrant, share in shares.items():
            self.shares[entrant].add(share)
        for (one, other), sample in self.differences.items():
            if one in shares and other in shares:
                sample.add(shares[one] - shares[other])
        for index, game in enumerate(deal.games):
            self.ratings.add(game)
            for entrant in set(game.seats):
                self.games[entrant] += 1
            if game.failure is not None:
                name = self.config.entrants[game.seats[game.failure.seat]]
                self.failures.append(FailedGame(deal.number, index, name, game.failure))
        self.deals += 1
        self.played += len(deal.games)
        self.seconds += deal.seconds

    @property
    def order(self) -> list[int]:
        """The entrants from best to last, by their share of the victories."""
        return sorted(range(len(self.shares)), key=lambda entrant: -self.shares[entrant].mean)

    def pair(self, one: int, other: int) -> tuple[Sample, int]:
        """The differences between two entrants, with sign 1, or −1 if they are stored the other way round."""
        return (self.differences[one, other], 1) if one < other else (self.differences[other, one], -1)

    def result(self, ended: str) -> TournamentResult:
        """The result after the deals added so far."""
        order = self.order
        return TournamentResult(
            self.config,
            self.deals,
            self.played,
            ended,
            tuple(self._entrant(entrant) for entrant in order),
            tuple(self._compare(one, other) for one, other in combinations(order, 2)),
            tuple(self.failures),
            self.seconds,
        )

    def _entrant(self, entrant: int) -> EntrantResult:
        name, sample = self.config.entrants[entrant], self.shares[entrant]
        failures = sum(failed.name == name for failed in self.failures)
        return EntrantResult(
            name, self.games[entrant], sample.mean, confidence_interval(sample), self.ratings[entrant], failures
        )

    def _compare(self, one: int, other: int) -> Comparison:
        sample, sign = self.pair(one, other)
        bounds, side = confidence_sequence(sample), sign * decided_sign(sample)
        if bounds is not None and sign < 0:
            bounds = Interval(-bounds.high, -bounds.low)
        names = self.config.entrants
        better = {1: names[one], -1: names[other]}.get(side)
        return Comparison(names[one], names[other], sample.count, sign * sample.mean, bounds, better)


def victory_shares(deal: DealResult) -> dict[int, float]:
    """Per entrant, the mean share of the victory of its seats in the deal's games."""
    won: dict[int, list[float]] = {}
    for game in deal.games:
        for seat, entrant in enumerate(game.seats):
            won.setdefault(entrant, []).append(game.share(seat))
    return {entrant: sum(shares) / len(shares) for entrant, shares in won.items()}


def order_is_certain(standings: Standings) -> bool:
    """Whether every entrant is certainly better than the next; the error over all pairs together is at most ALPHA."""
    alpha: Final = ALPHA / len(standings.differences)
    for one, other in pairwise(standings.order):
        sample, sign = standings.pair(one, other)
        if sign * decided_sign(sample, alpha) != 1:
            return False
    return True
