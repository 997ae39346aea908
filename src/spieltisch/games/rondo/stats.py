"""Statistics of Rondo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from spieltisch.core.game import Seat, Setup
from spieltisch.games.rondo.board import board_of
from spieltisch.games.rondo.state import Action, Lay, Pass, State


def game_counts(steps: Sequence[tuple[State, Seat | None, Action]], end: State) -> dict[str, tuple[int, ...]]:
    """Per seat: bridges laid, grey fields covered, stones laid face up, and turns passed."""
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


def twin_counts(
    setup: Setup,
    actions: Sequence[Action],
    taken: Any,
    end: Mapping[str, Any],  # noqa: ARG001 - the signature is the same for all games
) -> dict[str, Any]:
    """The same counts for a batch of games, from how often each seat took each action."""
    board = board_of(setup.option("board"), setup.edition)
    lays = [action if isinstance(action, Lay) else None for action in actions]
    return {
        "bridge": taken @ [lay is not None and lay.stones.islower() for lay in lays],
        "grey": taken @ [0 if lay is None else board.grey >> lay.field & 1 for lay in lays],
        "stones": taken @ [0 if lay is None or lay.stones.islower() else len(lay.stones) for lay in lays],
        "pass": taken @ [isinstance(action, Pass) for action in actions],
    }
