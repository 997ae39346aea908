"""Statistics of Pebbles."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.game import Seat
from spieltisch.games.template.state import Action, State


def game_counts(steps: Sequence[tuple[State, Seat | None, Action]], end: State) -> dict[str, tuple[int, ...]]:  # noqa: ARG001 - the signature is the same for all games
    """Per seat: pebbles laid face up, and face down."""
    return {"shown": tuple(map(sum, end.shown)), "hidden": tuple(map(sum, end.hidden))}
