"""Why a game of Rondo was won: the best turn, more stones, more valuable fields, or the stones left on the rack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

from spieltisch.core.game import Heard
from spieltisch.games.rondo.view import View


class BestTurn(NamedTuple):
    """The winner's turn was the best of the game, and without it the winner would not have won."""

    points: int
    fields: int


class MoreStones(NamedTuple):
    """The winner laid more stones face up than the second."""

    stones: int
    other: int


class BetterFields(NamedTuple):
    """The winner scored more with no more stones."""

    points: int
    stones: int


class StonesLeft(NamedTuple):
    """The points are equal, and the winner has more stones left."""  # R12

    stones: int
    other: int


Reason: TypeAlias = BestTurn | MoreStones | BetterFields | StonesLeft


class Turn(NamedTuple):
    """The part of a turn that scores: its points, the fields and the stones."""

    seat: int
    points: int
    fields: int
    stones: int


def find_reason(view: View, heard: Sequence[Heard]) -> Reason | None:
    """What decided the game; None if the victory is shared."""
    assert view.outcome is not None
    scores, ranks = view.outcome.scores, view.outcome.ranks
    if ranks.count(1) != 1:
        return None
    winner = ranks.index(1)
    second = min((rank, seat) for seat, rank in enumerate(ranks) if seat != winner)[1]
    if scores[winner] == scores[second]:
        return StonesLeft(view.racks[winner].size, view.racks[second].size)
    turns = find_turns(view, heard)
    best = max((turn for turn in turns if turn.seat == winner), key=lambda turn: turn.points)
    rivals = max((turn.points for turn in turns if turn.seat != winner), default=0)
    if best.points > max(rivals, scores[winner] - scores[second]):
        return BestTurn(best.points, best.fields)
    mine, theirs = (sum(turn.stones for turn in turns if turn.seat == seat) for seat in (winner, second))
    return MoreStones(mine, theirs) if mine > theirs else BetterFields(scores[winner], mine)


def find_turns(view: View, heard: Sequence[Heard]) -> list[Turn]:
    """The turns of all seats, in order."""
    values = {field.name: field.value for field in view.fields}
    moves = ((one.seat, one.text) for one in heard if one.seat is not None)
    return [_turn(seat, [text for _, text in made], values) for seat, made in groupby(moves, key=lambda move: move[0])]


def _turn(seat: int, texts: Sequence[str], values: Mapping[str, int]) -> Turn:
    laid = [(name, stones) for name, _, stones in (text.partition(":") for text in texts) if stones.isupper()]
    return Turn(seat, sum(values[name] * len(stones) for name, stones in laid), len(laid), sum(len(s) for _, s in laid))
