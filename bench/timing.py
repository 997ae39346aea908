"""Comparing two ways of doing the same, in alternating rounds of one run."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import NamedTuple


class Compared(NamedTuple):
    """How long two ways took, round by round; the ratio is robust against a machine that is busy for a while."""

    one: list[float]
    other: list[float]

    @property
    def ratio(self) -> float:
        """How many times as long the first way takes."""
        return median(a / b for a, b in zip(self.one, self.other, strict=True))


def compare(one: Callable[[], object], other: Callable[[], object], rounds: int = 7) -> Compared:
    """Times both ways in alternation, after one round to warm up."""
    one()
    other()
    timed = [(_seconds(one), _seconds(other)) for _ in range(rounds)]
    return Compared([a for a, _ in timed], [b for _, b in timed])


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began
