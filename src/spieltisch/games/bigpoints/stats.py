"""What is counted of Big Points for statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.core.game import Seat, Setup
from spieltisch.games.bigpoints.state import BLACK, WHITE, Action, Move, State, count


def game_counts(steps: Sequence[tuple[State, Seat | None, Action]], end: State) -> dict[str, tuple[int, ...]]:
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


def twin_counts(
    setup: Setup,  # noqa: ARG001 - as every game is asked
    actions: Sequence[Action],
    done: Any,
    end: Mapping[str, Any],
) -> dict[str, Any]:
    """The same for many games: from how often each seat took each action, and the hands at the end."""
    extra = done @ [isinstance(action, Move) and action.extra for action in actions]
    return {"white": end["hands"][..., WHITE], "black": end["hands"][..., BLACK] + extra, "extra": extra}
