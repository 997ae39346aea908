"""What is counted of Pebbles for statistics."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.game import Seat
from spieltisch.games.template.state import Action, State


def game_counts(steps: Sequence[tuple[State, Seat | None, Action]], end: State) -> dict[str, tuple[int, ...]]:  # noqa: ARG001 - as every game is asked
    """For every seat: pebbles laid face up, and face down."""
    return {"shown": tuple(map(sum, end.shown)), "hidden": tuple(map(sum, end.hidden))}
