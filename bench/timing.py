"""Comparison of two functions in alternating rounds of one run."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple


class Comparison(NamedTuple):
    """The seconds of two functions per round; the median ratio is robust on a busy machine."""

    one: list[float]
    other: list[float]

    @property
    def ratio(self) -> float:
        """How many times as long the first function takes."""
        return median(a / b for a, b in zip(self.one, self.other, strict=True))


def compare(one: Callable[[], object], other: Callable[[], object], rounds: int = 7) -> Comparison:
    """Times both functions in alternation, after one warm-up round."""
    one()
    other()
    timed = [(_seconds(one), _seconds(other)) for _ in range(rounds)]
    return Comparison([a for a, _ in timed], [b for _, b in timed])


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began
