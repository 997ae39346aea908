"""Upper tail of the chi-square distribution, by the incomplete gamma function."""

from __future__ import annotations

import math
from typing import Final

_PRECISION: Final = 1e-16


def tail(statistic: float, freedom: int) -> float:
    """The probability that a chi-square variable reaches the statistic; 1 with zero degrees of freedom."""
    shape, bound = freedom / 2, statistic / 2
    if freedom == 0 or statistic <= 0:
        return 1.0
    density = math.exp(shape * math.log(bound) - bound - math.lgamma(shape))
    if bound < shape + 1:
        return 1 - density * _lower(shape, bound)
    return density * _upper(shape, bound)


def _lower(shape: float, bound: float) -> float:
    """The lower part by its series, 1/a + x/a(a+1) + x²/a(a+1)(a+2) + …, which is fast if x is below a + 1."""
    term = total = 1 / shape
    while term > total * _PRECISION:
        shape += 1
        term *= bound / shape
        total += term
    return total


def _upper(shape: float, bound: float) -> float:
    """The upper part by Legendre's continued fraction, which is fast if x is above a + 1.

    It is 1/(x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))), summed by Steed's differences between its convergents.
    """
    divisor = bound + 1 - shape
    total = step = ratio = 1 / divisor
    number = 0
    while abs(step) > total * _PRECISION:
        number += 1
        divisor += 2
        ratio = 1 / (divisor + number * (shape - number) * ratio)
        step *= divisor * ratio - 1
        total += step
    return total
