"""Statistics of means: a confidence interval for a fixed sample size, and a confidence sequence, valid at any time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import Final, NamedTuple

ALPHA: Final = 0.05  # significance level: how often an interval may miss
MIN_DEALS: Final = 30  # deals before which nothing is decided
TUNED_FOR: Final = 100  # deals at which the confidence sequence is about as narrow as possible


class Interval(NamedTuple):
    """Lower and upper bound."""

    low: float
    high: float


class Sample:
    """Running count, mean and sum of squared deviations of a sample (Welford's algorithm)."""

    def __init__(self, values: Iterable[float] = ()) -> None:
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0
        for value in values:
            self.add(value)

    def add(self, value: float) -> None:
        """Adds one value."""
        self.count += 1
        deviation = value - self.mean
        self.mean += deviation / self.count
        self.squares += deviation * (value - self.mean)

    @property
    def variance(self) -> float:
        """The variance as if there were one more value at a distance of 1 from the mean.

        Shares and their differences lie no further apart. The extra value matters less and less as the sample grows, and
        until then it guards against samples that have not yet shown their spread: ten defeats in a row do not prove that
        a player never wins.
        """
        return (self.squares + 1) / (self.count - 1)


def student_quantile(freedom: int, alpha: float = ALPHA) -> float:
    """The two-sided quantile of Student's t distribution, by its expansion around the normal distribution.

    The error is at most 1 % from three degrees of freedom on, and far smaller from ten on.
    """
    z = NormalDist().inv_cdf(1 - alpha / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def confidence_interval(sample: Sample, alpha: float = ALPHA) -> Interval | None:
    """Student's interval of the mean, valid if the sample size was fixed beforehand; None below two values."""
    if sample.count < 2:
        return None
    margin = student_quantile(sample.count - 1, alpha) * math.sqrt(sample.variance / sample.count)
    return Interval(sample.mean - margin, sample.mean + margin)


def confidence_sequence(sample: Sample, alpha: float = ALPHA) -> Interval | None:
    """An interval of the mean that stays valid if it is checked after every value; None below MIN_DEALS values.

    The asymptotic confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2021), from Robbins' normal
    mixture. After t values with mean m it is

        m ± s · sqrt( 2 (t r² + 1) / (t² r²) · ln( sqrt(t r² + 1) / alpha ) )
        with r² = (−2 ln alpha + ln(−2 ln alpha) + 1) / 100, so rho = r = 0.296 for alpha = 5 %,

    which makes it narrowest at about TUNED_FOR = 100 values; s² is `Sample.variance`.
    """
    t = sample.count
    if t < MIN_DEALS:
        return None
    log = -2 * math.log(alpha)
    mixed = t * (log + math.log(log) + 1) / TUNED_FOR
    margin = math.sqrt(sample.variance * 2 * (mixed + 1) / (t * mixed) * math.log(math.sqrt(mixed + 1) / alpha))
    return Interval(sample.mean - margin, sample.mean + margin)


def decided_sign(differences: Sample | Iterable[float], alpha: float = ALPHA) -> int:
    """1 if the mean is certainly positive, −1 if it is certainly negative, 0 if that is still open.

    It may be asked after every deal: over a whole tournament it is wrong with a probability of at most alpha.
    """
    sample = differences if isinstance(differences, Sample) else Sample(differences)
    bounds = confidence_sequence(sample, alpha)
    if bounds is None:
        return 0
    return (bounds.low > 0) - (bounds.high < 0)
