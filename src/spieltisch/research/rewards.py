"""Terminal rewards, the same in every environment and in every twin."""

from __future__ import annotations

from collections.abc import Sequence


def rank_rewards(ranks: Sequence[int]) -> tuple[float, ...]:
    """From 1 for the best seat to -1 for the last, with sum zero.

    The reward is the number of seats beaten minus the number that beat this one, divided by the number of opponents.
    """
    opponents = max(1, len(ranks) - 1)
    return tuple(sum((own < other) - (own > other) for other in ranks) / opponents for own in ranks)


def forfeit_rewards(loser: int, players: int) -> tuple[float, ...]:
    """-1 for the seat that loses by an illegal action; the others share what it loses."""
    return tuple(-1.0 if seat == loser else 1 / (players - 1) for seat in range(players))
