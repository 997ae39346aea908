"""Terminal rewards, the same in every environment and in every twin."""

from __future__ import annotations

from collections.abc import Sequence


def rank_rewards(ranks: Sequence[int]) -> tuple[float, ...]:
    """From 1 for the best seat to -1 for the last, with sum zero.

    The reward is the number of seats beaten minus the number that beat this one, divided by the number of opponents.
    """
    opponents = max(1, len(ranks) - 1)
    return tuple(sum((own < other) - (own > other) for other in ranks) / opponents for own in ranks)
