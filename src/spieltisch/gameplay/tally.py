"""Tally of draws and goodness of fit: drawn pieces are counted and compared with their odds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from spieltisch.core.game import A, Game, S, V
from spieltisch.core.json import Json
from spieltisch.gameplay.chi_square import tail
from spieltisch.records.replay import Draw

ENOUGH: Final = 30.0  # mean count per piece of a kind below which the approximation of p is too rough
RARE: Final = 5.0  # pieces with a lower expected count are pooled
_EPSILON: Final = 1e-9  # relative variance below which there is none

Pair: TypeAlias = tuple[str, str]  # two pieces, or one twice, sorted by name
Matrix: TypeAlias = NDArray[np.float64]
N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of drawn pieces, with their expected counts and the covariances of those."""

    draws: int = 0
    seen: Mapping[str, int] = field(default_factory=dict)
    expected: Mapping[str, float] = field(default_factory=dict)
    spread: Mapping[Pair, float] = field(default_factory=dict)  # covariances of all pieces that one draw could bring

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.draws + other.draws,
            _sum(self.seen, other.seen),
            _sum(self.expected, other.expected),
            _sum(self.spread, other.spread),
        )

    def to_json(self) -> dict[str, Json]:
        """The JSON form, which `read` parses."""
        spread: defaultdict[str, dict[str, Json]] = defaultdict(dict)
        for (one, other), value in self.spread.items():
            spread[one][other] = value
        return {
            "draws": self.draws,
            "seen": dict(self.seen),
            "expected": dict(self.expected),
            "spread": dict(spread),
        }

    @classmethod
    def read(cls, document: Any) -> Tally:
        """The tally of a JSON form; ValueError if it is invalid."""
        try:
            tally = cls(
                int(document["draws"]),
                {str(name): int(times) for name, times in document["seen"].items()},
                {str(name): float(times) for name, times in document["expected"].items()},
                {
                    (str(one), str(other)): float(value)
                    for one, row in document["spread"].items()
                    for other, value in row.items()
                },
            )
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise ValueError("this is no tally of draws") from error
        own = {(name, name) for name in tally.expected}
        spread = {name for pair in tally.spread for name in pair}
        if not spread == tally.expected.keys() == tally.seen.keys() or not own <= tally.spread.keys():
            raise ValueError("this is no tally of draws: not every piece is seen, expected and spread")
        return tally


class Piece(NamedTuple):
    """Something that can be drawn, with its observed and its expected count."""

    name: str
    seen: int
    expected: float


class Fit(NamedTuple):
    """Chi-square test of the pieces of one kind of draw (faces of dice, colours of a bag).

    Fair chance reaches the statistic or more with probability p. This holds for a single test of draws that nobody
    stopped because of their results. With zero degrees of freedom there is too little data, and p is 1.
    """

    pieces: tuple[Piece, ...]
    statistic: float
    freedom: int
    p: float


def tally(game: Game[S, A, V], draws: Sequence[Draw[S, A]]) -> Tally:
    """The tally of a replayed game's draws, including those undone later."""
    seen: Counter[str] = Counter()
    expected: defaultdict[str, float] = defaultdict(float)
    spread: defaultdict[Pair, float] = defaultdict(float)
    for _, before, chance, action in draws:
        seen.update(game.drawn_pieces(before, action))
        offers = [Counter(game.drawn_pieces(before, offered)) for offered in chance.actions]
        means, pairs = _moments(offers, chance.weights)
        for name, mean in means.items():
            expected[name] += mean
        for pair, covariance in pairs:
            spread[pair] += covariance
    return Tally(len(draws), {name: seen[name] for name in expected}, dict(expected), dict(spread))


def _moments(
    offers: Sequence[Counter[str]], weights: Sequence[int]
) -> tuple[dict[str, float], Iterator[tuple[Pair, float]]]:
    """The means and covariances of the pieces in one draw, computed in integers up to the last division."""
    total = sum(weights)
    sums: Counter[str] = Counter()
    products: Counter[Pair] = Counter()
    for pieces, weight in zip(offers, weights, strict=True):
        for name, count in pieces.items():
            sums[name] += weight * count
        for one, other in combinations_with_replacement(sorted(pieces), 2):
            products[one, other] += weight * pieces[one] * pieces[other]
    covariances = (
        ((one, other), (total * products[one, other] - sums[one] * sums[other]) / total**2)
        for one, other in combinations_with_replacement(sorted(sums), 2)
    )
    return {name: count / total for name, count in sums.items()}, covariances


def judgement(tally: Tally, *, enough: float = ENOUGH, rare: float = RARE) -> tuple[Fit, ...]:
    """The goodness of fit of every kind of draw."""
    fits: list[Fit] = []
    for names in _kinds(tally):
        pieces = tuple(Piece(name, tally.seen[name], tally.expected[name]) for name in names)
        judged = sum(piece.seen for piece in pieces) >= enough * len(pieces)
        fits.append(_fit(tally, pieces, rare) if judged else Fit(pieces, 0.0, 0, 1.0))
    return tuple(fits)


def _kinds(tally: Tally) -> list[list[str]]:
    """The names of the pieces, grouped by kind: those that can come up in the same draws."""
    kind_of = {name: {name} for name in sorted(tally.expected)}
    for one, other in tally.spread:
        if kind_of[one] is not kind_of[other]:
            kind_of[one] |= kind_of[other]
            for name in kind_of[other]:
                kind_of[name] = kind_of[one]
    return [sorted(kind) for name, kind in kind_of.items() if name == min(kind)]


def _fit(tally: Tally, pieces: tuple[Piece, ...], rare: float) -> Fit:
    """Chi-square statistic for odds that change from draw to draw: squared deviations, scaled by their covariance."""
    pooling = _pooling_matrix(pieces, rare)
    deviations = pooling @ np.array([piece.seen - piece.expected for piece in pieces])
    covariances = [[_covariance(tally, one.name, other.name) for other in pieces] for one in pieces]
    spread = pooling @ np.array(covariances) @ pooling.T
    varies = np.diag(spread) > _EPSILON * max(piece.expected for piece in pieces)
    scale = np.sqrt(np.diag(spread)[varies])
    values, axes = np.linalg.eigh(spread[np.ix_(varies, varies)] / np.outer(scale, scale))
    projections = (deviations[varies] / scale) @ axes
    free = values > _EPSILON
    statistic, freedom = float(np.sum(projections[free] ** 2 / values[free])), int(np.sum(free))
    return Fit(pieces, statistic, freedom, tail(statistic, freedom))


def _covariance(tally: Tally, one: str, other: str) -> float:
    return tally.spread.get((one, other) if one <= other else (other, one), 0.0)


def _pooling_matrix(pieces: Sequence[Piece], rare: float) -> Matrix:
    """A matrix of zeros and ones: one row per piece that is expected often enough, and one for all rare pieces.

    If the rare pieces together are still rare, the next piece joins them.
    """
    order = sorted(range(len(pieces)), key=lambda index: pieces[index].expected)
    pooled, total = 0, 0.0
    while pooled < len(order) and (pieces[order[pooled]].expected < rare or 0 < total < rare):
        total += pieces[order[pooled]].expected
        pooled += 1
    rows = np.eye(len(pieces))[order]
    return np.vstack([rows[:pooled].sum(axis=0, keepdims=True), rows[pooled:]]) if pooled else rows


def _sum(one: Mapping[A, N], other: Mapping[A, N]) -> dict[A, N]:
    added = dict(one)
    for key, value in other.items():
        added[key] = added[key] + value if key in added else value
    return added
