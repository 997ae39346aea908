"""What is counted of Big Points for statistics."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.game import Seat
from spieltisch.games.bigpoints.state import BLACK, WHITE, Action, Move, State, count


def counted(steps: Sequence[tuple[State, Seat | None, Action]], end: State) -> dict[str, tuple[int, ...]]:
    """For every seat: white discs at the end, black discs taken, and extra moves made with them."""
    extra = [0] * len(end.hands)
    for _, seat, action in steps:
        if seat is not None and isinstance(action, Move) and action.extra:
            extra[seat] += 1
    return {
        "white": tuple(count(hand, WHITE) for hand in end.hands),
        "black": tuple(count(hand, BLACK) + spent for hand, spent in zip(end.hands, extra, strict=True)),  # R13
        "extra": tuple(extra),
    }
