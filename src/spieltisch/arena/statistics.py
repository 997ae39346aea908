"""What samples say about means: an interval at the end, and a sequence of intervals that may be watched all along."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import Final, NamedTuple

LEVEL: Final = 0.05  # how often an interval may miss
FEWEST: Final = 30  # deals before which nothing is decided
TUNED_FOR: Final = 100  # deals at which the confidence sequence is about as narrow as it can be


class Interval(NamedTuple):
    """From and to."""

    low: float
    high: float


class Sample:
    """Numbers, summed up as they come: how many, their mean, and the sum of squares around it."""

    def __init__(self, values: Iterable[float] = ()) -> None:
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0
        for value in values:
            self.add(value)

    def add(self, value: float) -> None:
        """One more."""
        self.count += 1
        off = value - self.mean
        self.mean += off / self.count
        self.squares += off * (value - self.mean)

    @property
    def variance(self) -> float:
        """The variance as if there had been one more number, a whole 1 away from the mean.

        Shares and their differences lie no further apart. It fades away as numbers come, and until then guards against
        samples that have not shown yet how far they spread: ten defeats in a row are no proof that it is never won.
        """
        return (self.squares + 1) / (self.count - 1)


def student(freedom: int, level: float = LEVEL) -> float:
    """The two-sided quantile of Student's distribution, by its expansion around the normal one.

    To one part in a hundred from three degrees of freedom on, and far better from ten on.
    """
    z = NormalDist().inv_cdf(1 - level / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def interval(sample: Sample, level: float = LEVEL) -> Interval | None:
    """Where the mean is, by Student, had the sample's size been fixed beforehand; None below two numbers."""
    if sample.count < 2:
        return None
    reach = student(sample.count - 1, level) * math.sqrt(sample.variance / sample.count)
    return Interval(sample.mean - reach, sample.mean + reach)


def anytime(sample: Sample, level: float = LEVEL) -> Interval | None:
    """Where the mean is, however often one looks and whenever one stops; None before there are FEWEST numbers.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2021), from Robbins' normal
    mixture. After t numbers of mean m it is

        m ± s · sqrt( 2 (t r² + 1) / (t² r²) · ln( sqrt(t r² + 1) / level ) )
        with r² = (−2 ln level + ln(−2 ln level) + 1) / 100, so rho = r = 0.296 where the level is 5 %,

    which makes it narrowest at about TUNED_FOR = 100 numbers; s² is the sample's guarded variance.
    """
    t = sample.count
    if t < FEWEST:
        return None
    log = -2 * math.log(level)
    mixed = t * (log + math.log(log) + 1) / TUNED_FOR
    reach = math.sqrt(sample.variance * 2 * (mixed + 1) / (t * mixed) * math.log(math.sqrt(mixed + 1) / level))
    return Interval(sample.mean - reach, sample.mean + reach)


def decided(differences: Sample | Iterable[float], level: float = LEVEL) -> int:
    """1 where the mean is certainly above zero, −1 where it is certainly below, 0 where that is open.

    It may be asked after every deal: over a whole tournament it is wrong no more often than the level says.
    """
    sample = differences if isinstance(differences, Sample) else Sample(differences)
    bounds = anytime(sample, level)
    if bounds is None:
        return 0
    return (bounds.low > 0) - (bounds.high < 0)
