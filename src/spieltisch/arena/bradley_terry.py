"""Bradley–Terry ratings on a fixed scale, by maximum likelihood, with old ratings held fixed.

A player with rating R beats one with rating S with probability 1 / (1 + 10^((S − R) / 400)), as in Elo's system. A shared
victory counts as half for both. A weak prior, normal around 1000 with standard deviation 800, keeps ratings finite if one
side has won everything; it weighs about as much as a fifth of a game between equal players.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from statistics import NormalDist, stdev
from typing import Final, NamedTuple

from spieltisch.arena.statistics import ALPHA, Interval

_SCALE: Final = 400 / math.log(10)  # Elo points per unit of log odds
_PRIOR_MEAN: Final = 1000 / _SCALE
_PRIOR_PRECISION: Final = (_SCALE / 800) ** 2
_TOLERANCE: Final = 1e-6  # in units of log odds
_MAX_SWEEPS: Final = 2_000


class Pairing(NamedTuple):
    """All deals between two players: how often the first had each share of a deal's victories."""

    first: str
    second: str
    shares: Mapping[float, int]
    games_per_deal: int = 2

    @property
    def deals(self) -> int:
        return sum(self.shares.values())

    @property
    def games(self) -> int:
        return self.deals * self.games_per_deal

    @property
    def share(self) -> float:
        """The first player's share of the victories."""
        return sum(share * count for share, count in self.shares.items()) / self.deals

    def resample(self, sampler: Random) -> Pairing:
        """A bootstrap sample of deals, because the games of a deal share their luck.

        It is smoothed: half a won and half a lost deal are among those that are drawn from, so that a few deals with the
        same result do not look like certainty.
        """
        weights = {1.0: 0.5, 0.0: 0.5}
        for share, count in self.shares.items():
            weights[share] = weights.get(share, 0.0) + count
        shares = sorted(weights)
        drawn = sampler.choices(shares, [weights[share] for share in shares], k=self.deals)
        return self._replace(shares=Counter(drawn))


class FittedRating(NamedTuple):
    """A rating with its 95 % interval; `bound` is '<' or '>' if the results only say that it is at most or at least that."""

    rating: float
    interval: Interval
    bound: str


def expected_share(rating: float, other: float) -> float:
    """The share of the victories that a player with the first rating has against one with the second."""
    return 1 / (1 + math.exp((other - rating) / _SCALE))


def fit(pairings: Iterable[Pairing], fixed: Mapping[str, float]) -> dict[str, float]:
    """The most likely ratings of all players that are not fixed.

    ValueError if some player is not connected to a fixed one.
    """
    games: dict[str, dict[str, float]] = {}
    won: dict[str, float] = {}
    for pairing in pairings:
        first, second, number = pairing.first, pairing.second, pairing.games
        for one, other in ((first, second), (second, first)):
            games.setdefault(one, {}).setdefault(other, 0.0)
            games[one][other] += number
        score = number * pairing.share
        won[first] = won.get(first, 0.0) + score
        won[second] = won.get(second, 0.0) + number - score
    free = [name for name in games if name not in fixed]
    if not set(free) <= _connected(games, fixed):
        raise ValueError(sorted(set(free) - _connected(games, fixed)))
    start = sum(fixed.values()) / len(fixed) / _SCALE
    strength = {name: fixed[name] / _SCALE if name in fixed else start for name in games}
    for _ in range(_MAX_SWEEPS):
        change = max((_improve(name, games[name], won[name], strength) for name in free), default=0.0)
        if change < _TOLERANCE:
            break
    return {name: strength[name] * _SCALE for name in free}


def _improve(name: str, games: Mapping[str, float], won: float, strength: dict[str, float]) -> float:
    """One Newton step for one player's strength; returns its length."""
    slope, curvature = won - _PRIOR_PRECISION * (strength[name] - _PRIOR_MEAN), _PRIOR_PRECISION
    for other, number in games.items():
        chance = 1 / (1 + math.exp(strength[other] - strength[name]))
        slope -= number * chance
        curvature += number * chance * (1 - chance)
    step = max(-1.0, min(1.0, slope / curvature))  # far from the maximum a full step may overshoot
    strength[name] += step
    return abs(step)


def _connected(games: Mapping[str, Mapping[str, float]], start: Iterable[str]) -> set[str]:
    """Everybody who is linked to one of these players by a chain of pairings."""
    reached, rest = set(start), list(start)
    while rest:
        for other in games.get(rest.pop(), ()):
            if other not in reached:
                reached.add(other)
                rest.append(other)
    return reached


def fit_with_intervals(
    pairings: Sequence[Pairing],
    fixed: Mapping[str, float],
    samples: int,
    sampler: Random,
    anchor: str | None = None,
) -> dict[str, FittedRating]:
    """The ratings of all players that are not fixed, with 95 % intervals from the spread of bootstrap samples.

    With an anchor the intervals are relative to it alone: they include what is not known about the other fixed ratings.
    """
    held = fixed if anchor is None else {anchor: fixed[anchor]}
    ratings = fit(pairings, fixed)
    drawn = [fit([pairing.resample(sampler) for pairing in pairings], held) for _ in range(samples)]
    found: dict[str, FittedRating] = {}
    for name, rating in ratings.items():
        margin = NormalDist().inv_cdf(1 - ALPHA / 2) * stdev(sample[name] for sample in drawn)
        interval = Interval(rating - margin, rating + margin)
        found[name] = FittedRating(rating, interval, _bound(name, pairings, fixed, ratings))
    return found


def _bound(name: str, pairings: Sequence[Pairing], fixed: Mapping[str, float], ratings: Mapping[str, float]) -> str:
    """'<' or '>' if a player has lost or won everything against those whose distance to a fixed one is known; else ''."""
    linked = _both_won(pairings)
    known, group = _connected(linked, fixed), _connected(linked, [name])
    if name in known:
        return ""
    shares = [each.share for each in pairings if each.first in group and each.second in known]
    shares += [1 - each.share for each in pairings if each.second in group and each.first in known]
    if not shares:  # only known through others that have lost or won everything
        return "<" if ratings[name] < min(fixed.values()) else ">"
    return "<" if max(shares) == 0 else ">" if min(shares) == 1 else ""


def _both_won(pairings: Iterable[Pairing]) -> dict[str, dict[str, float]]:
    """The pairings in which both sides have won something: only these say how far apart two players are."""
    linked: dict[str, dict[str, float]] = {}
    for pairing in pairings:
        if 0 < pairing.share < 1:
            linked.setdefault(pairing.first, {})[pairing.second] = 1.0
            linked.setdefault(pairing.second, {})[pairing.first] = 1.0
    return linked
