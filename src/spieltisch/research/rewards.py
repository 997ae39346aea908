"""What a game is worth to every seat once it is over: the same in every bridge and in every twin."""

from __future__ import annotations

from collections.abc import Sequence


def rewards(ranks: Sequence[int]) -> tuple[float, ...]:
    """From 1 for the best to -1 for the last, and they add up to nothing.

    It is how many seats were beaten less how many beat this one, divided by the others.
    """
    others = max(1, len(ranks) - 1)
    return tuple(sum((mine < other) - (mine > other) for other in ranks) / others for mine in ranks)
