"""Statistics of Turmbauer."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.core.game import Seat
from spieltisch.games.turmbauer.state import RINGS, Action, State, colours, seat_of


def game_counts(steps: Sequence[tuple[State, Seat | None, Action]], end: State) -> dict[str, tuple[int, ...]]:  # noqa: ARG001 - the signature is the same for all games
    """Per seat, over all its colours: rings spent, and stones in the box."""
    rings, boxed = [0] * end.setup.players, [0] * end.setup.players
    for colour in range(colours(end)):
        seat = seat_of(end, colour)
        rings[seat] += RINGS - end.rings[colour]
        boxed[seat] += sum(end.boxes[colour])
    return {"ring": tuple(rings), "box": tuple(boxed)}
