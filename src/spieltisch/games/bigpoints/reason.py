"""Why a game of Big Points was won: the colour with which the winner led most."""

from __future__ import annotations

from typing import NamedTuple

from spieltisch.games.bigpoints.state import COLOURS, LETTERS, WHITE
from spieltisch.games.bigpoints.view import View


class Decisive(NamedTuple):
    """The winner's discs of one colour, what each is worth, and whether they gained at least as much as the margin."""

    letter: str
    discs: int
    each: int
    alone: bool


def find_decisive(view: View) -> Decisive | None:
    """The colour with the winner's largest lead over the second; None if the victory is shared."""
    assert view.outcome is not None
    scores, ranks = view.outcome.scores, view.outcome.ranks
    if ranks.count(1) != 1:
        return None
    winner = ranks.index(1)
    second = min((rank, seat) for seat, rank in enumerate(ranks) if seat != winner)[1]
    leads = [_points(view, winner, colour) - _points(view, second, colour) for colour in COLOURS]
    colour = max(COLOURS, key=leads.__getitem__)
    each = _worth(view, winner, colour)
    return Decisive(
        LETTERS[colour], _held(view, winner)[colour], each, leads[colour] >= scores[winner] - scores[second]
    )


def _points(view: View, seat: int, colour: int) -> int:
    return _held(view, seat)[colour] * _worth(view, seat, colour)


def _held(view: View, seat: int) -> tuple[int, ...]:
    discs = view.hands[seat].discs
    assert discs is not None  # hands are open at the end
    return discs


def _worth(view: View, seat: int, colour: int) -> int:
    """What a disc of the colour is worth to the seat."""  # R16, R17
    if colour == WHITE:
        return sum(n > 0 for other, n in enumerate(_held(view, seat)) if other != WHITE)
    return next((step.value for step in view.steps if step.pawn == LETTERS[colour]), 0)
