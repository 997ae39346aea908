"""What chance brought up, held against the odds: draws counted piece by piece, and how well they fit."""

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
from spieltisch.match.chi_square import tail
from spieltisch.records.replay import Draw

ENOUGH: Final = 30.0  # how often the pieces of a kind have to come up, on average, before p means what it says
RARE: Final = 5.0  # a piece that is expected more seldom is judged together with others like it
_NOTHING: Final = 1e-9  # a share of the spread below which there is none

Pair: TypeAlias = tuple[str, str]  # two pieces, or one twice, in the order of their names
Matrix: TypeAlias = NDArray[np.float64]
N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class Tally:
    """Draws, counted: how often each piece came up, how often it was to be expected, and how far that may spread."""

    draws: int = 0
    seen: Mapping[str, int] = field(default_factory=dict)
    expected: Mapping[str, float] = field(default_factory=dict)
    spread: Mapping[Pair, float] = field(default_factory=dict)  # covariances, of all that one draw could have brought

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.draws + other.draws,
            _sum(self.seen, other.seen),
            _sum(self.expected, other.expected),
            _sum(self.spread, other.spread),
        )

    def to_json(self) -> dict[str, Json]:
        """The JSON form, which `read` reads."""
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
        """The tally of a JSON form; ValueError where it is none."""
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
    """What can be drawn: how often it came up, and how often it was to be expected."""

    name: str
    seen: int
    expected: float


class Fit(NamedTuple):
    """How well pieces that are drawn together (faces of dice, colours of a bag) came up as they should.

    Fair chance reaches the statistic or more with the probability p. It holds for one look at draws that nobody
    stopped because of what they brought. Without freedom there is too little to judge, and p is 1.
    """

    pieces: tuple[Piece, ...]
    statistic: float
    freedom: int
    p: float


def tally(game: Game[S, A, V], draws: Sequence[Draw[S, A]]) -> Tally:
    """The draws of a replayed game, counted; what was taken back was drawn and counts too."""
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
    """How many of each piece one draw brings on average, and the covariances, in whole numbers to the last division."""
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
    """How well the draws fit their odds, for every kind of draw by itself."""
    fits: list[Fit] = []
    for names in _kinds(tally):
        pieces = tuple(Piece(name, tally.seen[name], tally.expected[name]) for name in names)
        judged = sum(piece.seen for piece in pieces) >= enough * len(pieces)
        fits.append(_fit(tally, pieces, rare) if judged else Fit(pieces, 0.0, 0, 1.0))
    return tuple(fits)


def _kinds(tally: Tally) -> list[list[str]]:
    """The pieces that could have come up in the same draws, kind by kind."""
    kind_of = {name: {name} for name in sorted(tally.expected)}
    for one, other in tally.spread:
        if kind_of[one] is not kind_of[other]:
            kind_of[one] |= kind_of[other]
            for name in kind_of[other]:
                kind_of[name] = kind_of[one]
    return [sorted(kind) for name, kind in kind_of.items() if name == min(kind)]


def _fit(tally: Tally, pieces: tuple[Piece, ...], rare: float) -> Fit:
    """χ² for odds that change from draw to draw: how far counts are off, measured by how far they may spread."""
    pooled = _pooled(pieces, rare)
    off = pooled @ np.array([piece.seen - piece.expected for piece in pieces])
    covariances = [[_covariance(tally, one.name, other.name) for other in pieces] for one in pieces]
    spread = pooled @ np.array(covariances) @ pooled.T
    varies = np.diag(spread) > _NOTHING * max(piece.expected for piece in pieces)
    scale = np.sqrt(np.diag(spread)[varies])
    values, axes = np.linalg.eigh(spread[np.ix_(varies, varies)] / np.outer(scale, scale))
    lengths = (off[varies] / scale) @ axes
    free = values > _NOTHING
    statistic, freedom = float(np.sum(lengths[free] ** 2 / values[free])), int(np.sum(free))
    return Fit(pieces, statistic, freedom, tail(statistic, freedom))


def _covariance(tally: Tally, one: str, other: str) -> float:
    return tally.spread.get((one, other) if one <= other else (other, one), 0.0)


def _pooled(pieces: Sequence[Piece], rare: float) -> Matrix:
    """Rows of ones: a row for every piece that is expected often enough, and one for all that are rare.

    Where these are rare even together, the next one joins them.
    """
    order = sorted(range(len(pieces)), key=lambda place: pieces[place].expected)
    pool, together = 0, 0.0
    while pool < len(order) and (pieces[order[pool]].expected < rare or 0 < together < rare):
        together += pieces[order[pool]].expected
        pool += 1
    rows = np.eye(len(pieces))[order]
    return np.vstack([rows[:pool].sum(axis=0, keepdims=True), rows[pool:]]) if pool else rows


def _sum(one: Mapping[A, N], other: Mapping[A, N]) -> dict[A, N]:
    added = dict(one)
    for key, value in other.items():
        added[key] = added[key] + value if key in added else value
    return added
