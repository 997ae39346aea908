"""Statistics of Big Points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.core.game import Seat, Setup
from spieltisch.games.bigpoints.state import BLACK, WHITE, Action, Move, State, count


def game_counts(steps: Sequence[tuple[State, Seat | None, Action]], end: State) -> dict[str, tuple[int, ...]]:
    """Per seat: white discs at the end, black discs taken, and extra moves made with them."""
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
    setup: Setup,  # noqa: ARG001 - the signature is the same for all games
    actions: Sequence[Action],
    taken: Any,
    end: Mapping[str, Any],
) -> dict[str, Any]:
    """The same counts for a batch of games: from how often each seat took each action, and the final hands."""
    extra = taken @ [isinstance(action, Move) and action.extra for action in actions]
    return {"white": end["hands"][..., WHITE], "black": end["hands"][..., BLACK] + extra, "extra": extra}
