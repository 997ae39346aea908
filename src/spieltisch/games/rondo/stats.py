"""What is counted of Rondo for statistics."""

from __future__ import annotations

from collections.abc import Sequence

from spieltisch.game import Seat
from spieltisch.games.rondo.state import Action, Lay, Pass, State


def counted(steps: Sequence[tuple[State, Seat | None, Action]], end: State) -> dict[str, tuple[int, ...]]:
    """For every seat: bridges laid, grey fields covered, stones laid face up, and turns passed."""
    bridges, grey, stones, passed = ([0] * len(end.racks) for _ in range(4))
    for state, seat, action in steps:
        if seat is None:
            continue
        match action:
            case Lay(field, laid):
                bridges[seat] += laid.islower()
                grey[seat] += state.board.grey >> field & 1
                stones[seat] += 0 if laid.islower() else len(laid)
            case Pass():
                passed[seat] += 1
    return {"bridge": tuple(bridges), "grey": tuple(grey), "stones": tuple(stones), "pass": tuple(passed)}
