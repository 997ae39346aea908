"""Why a game of Turmbauer was won: the height, what breaks a tie, and who brought the tower down."""

from __future__ import annotations

from typing import NamedTuple

from spieltisch.core.game import Seat
from spieltisch.games.turmbauer.view import View


class Comparison(NamedTuple):
    """What the winner and the second are compared by (`height`, `cubes` or `rings`), and the numbers of both."""

    by: str
    winner: int
    second: int


class Reason(NamedTuple):
    """Why the winner won: who caused a collapse, and how the winner compares with the best of the others."""

    causer: Seat | None
    comparison: Comparison | None


def find_reason(view: View) -> Reason:
    """What decided the game; no comparison if the victory is shared or only the causer of a collapse is left."""
    assert view.outcome is not None
    collapse = view.outcome.ending == "collapse"
    causer = view.seat if collapse else None
    ranks = view.outcome.ranks
    others = [(rank, seat) for seat, rank in enumerate(ranks) if rank > 1 and seat != causer]
    if ranks.count(1) != 1 or not others:
        return Reason(causer, None)
    winner, second = ranks.index(1), min(others)[1]
    heights, cubes, rings = view.outcome.scores, _cubes(view), _rings(view)
    if heights[winner] != heights[second]:
        found = Comparison("height", heights[winner], heights[second])
    elif cubes[winner] != cubes[second]:
        found = Comparison("cubes", cubes[winner], cubes[second])
    else:
        found = Comparison("rings", rings[winner], rings[second])
    return Reason(causer, found)


def _cubes(view: View) -> list[int]:
    """Per seat the cubes in the box, after a collapse with those in stock."""  # R20, R22
    collapse = bool(view.fallen)
    return [
        sum(
            int(kind[0])
            for side in view.sides
            if side.seat == seat
            for kind in (*side.box, *(side.stock if collapse else ()))
        )
        for seat in range(view.setup.players)
    ]


def _rings(view: View) -> list[int]:
    return [sum(side.rings for side in view.sides if side.seat == seat) for seat in range(view.setup.players)]
