"""How a tournament stands after some deals, and whether its order is certain."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Final, NamedTuple

from spieltisch.arena.config import Terms
from spieltisch.arena.deals import Deal, Failure
from spieltisch.arena.rating import Rating, Ratings
from spieltisch.arena.statistics import LEVEL, Interval, Sample, anytime, decided, interval
from spieltisch.core.json import Json, to_json
from spieltisch.i18n.format import format_message


class Row(NamedTuple):
    """An entrant: its share of the victories a seat, with the interval of 95 %, and its rating."""

    name: str
    games: int  # in which it sat on some seat
    share: float
    bounds: Interval | None
    rating: Rating
    failures: int


class Pair(NamedTuple):
    """Two entrants, the higher placed first: how much more a seat of the first wins, and who is certainly better."""

    first: str
    second: str
    deals: int  # in which both took part
    difference: float
    bounds: Interval | None
    better: str | None


class Failed(NamedTuple):
    """A game that a player's failure ended."""

    deal: int
    game: int
    name: str
    failure: Failure


class Result(NamedTuple):
    """What a tournament has shown: its entrants from the best to the last, and every pair of them."""

    terms: Terms
    deals: int
    games: int
    ended: str  # `games`: all were played; `decided`: the order was certain before
    rows: tuple[Row, ...]
    pairs: tuple[Pair, ...]
    failures: tuple[Failed, ...]
    seconds: float  # that the deals took, all workers together

    def to_json(self) -> dict[str, Json]:
        """The result as JSON, sentences in English."""
        return {
            "settings": {**_fields(self.terms), "options": dict(self.terms.options)},
            "deals": self.deals,
            "games": self.games,
            "ended": self.ended,
            "entrants": [_fields(row) for row in self.rows],
            "pairs": [_fields(pair) for pair in self.pairs],
            "failures": [
                {
                    "deal": deal,
                    "game": game,
                    "seat": failure.seat,
                    "name": name,
                    "reason": format_message(failure.reason, "en"),
                }
                for deal, game, name, failure in self.failures
            ],
            "seconds": round(self.seconds, 3),
        }


def _fields(value: Terms | Row | Pair) -> dict[str, Json]:
    return {name: _rounded(to_json(field)) for name, field in value._asdict().items()}


def _rounded(value: Json) -> Json:
    """Numbers to six digits: the last ones may differ from machine to machine."""
    if isinstance(value, dict):
        return {name: _rounded(inner) for name, inner in value.items()}
    return round(value, 6) + 0.0 if isinstance(value, float) else value


class Standing:
    """All that is known after the deals that were added, which are added in the order of their numbers."""

    def __init__(self, terms: Terms) -> None:
        count = len(terms.entrants)
        self.terms = terms
        self.deals = 0
        self.shares = [Sample() for _ in range(count)]  # an entrant's share a seat, deal by deal
        self.differences = {pair: Sample() for pair in combinations(range(count), 2)}
        self.ratings = Ratings(count)
        self.games = [0] * count
        self.failures: list[Failed] = []
        self.played = 0
        self.seconds = 0.0

    def add(self, deal: Deal) -> None:
        """One more deal."""
        shares = shares_of(deal)
        for entrant, share in shares.items():
            self.shares[entrant].add(share)
        for (one, other), sample in self.differences.items():
            if one in shares and other in shares:
                sample.add(shares[one] - shares[other])
        for place, game in enumerate(deal.games):
            self.ratings.add(game)
            for entrant in set(game.seats):
                self.games[entrant] += 1
            if game.failure is not None:
                name = self.terms.entrants[game.seats[game.failure.seat]]
                self.failures.append(Failed(deal.number, place, name, game.failure))
        self.deals += 1
        self.played += len(deal.games)
        self.seconds += deal.seconds

    @property
    def order(self) -> list[int]:
        """The entrants from the best to the last, by their share of the victories."""
        return sorted(range(len(self.shares)), key=lambda entrant: -self.shares[entrant].mean)

    def pair(self, one: int, other: int) -> tuple[Sample, int]:
        """The differences between two entrants, and 1, or −1 where they were counted the other way round."""
        return (self.differences[one, other], 1) if one < other else (self.differences[other, one], -1)

    def result(self, ended: str) -> Result:
        """What the deals have shown."""
        order = self.order
        return Result(
            self.terms,
            self.deals,
            self.played,
            ended,
            tuple(self._row(entrant) for entrant in order),
            tuple(self._compared(one, other) for one, other in combinations(order, 2)),
            tuple(self.failures),
            self.seconds,
        )

    def _row(self, entrant: int) -> Row:
        name, sample = self.terms.entrants[entrant], self.shares[entrant]
        failures = sum(failed.name == name for failed in self.failures)
        return Row(name, self.games[entrant], sample.mean, interval(sample), self.ratings[entrant], failures)

    def _compared(self, one: int, other: int) -> Pair:
        sample, sign = self.pair(one, other)
        bounds, side = anytime(sample), sign * decided(sample)
        if bounds is not None and sign < 0:
            bounds = Interval(-bounds.high, -bounds.low)
        names = self.terms.entrants
        better = {1: names[one], -1: names[other]}.get(side)
        return Pair(names[one], names[other], sample.count, sign * sample.mean, bounds, better)


def shares_of(deal: Deal) -> dict[int, float]:
    """The share of the victories that a seat of each entrant had, on the mean of the deal's games."""
    won: dict[int, list[float]] = {}
    for game in deal.games:
        for seat, entrant in enumerate(game.seats):
            won.setdefault(entrant, []).append(game.share(seat))
    return {entrant: sum(shares) / len(shares) for entrant, shares in won.items()}


def order_is_certain(standing: Standing) -> bool:
    """Whether every entrant is certainly better than the next; all pairs together err at most as LEVEL says."""
    level: Final = LEVEL / len(standing.differences)
    for one, other in pairwise(standing.order):
        sample, sign = standing.pair(one, other)
        if sign * decided(sample, level) != 1:
            return False
    return True
