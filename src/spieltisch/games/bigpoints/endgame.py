"""Hints for solving the end of Big Points: positions as small keys, and how far apart two hands can end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spieltisch.games.bigpoints import rules
from spieltisch.games.bigpoints.state import BLACK, STAIRS, WHITE, Hand, State

_FIRST_STEP: Final = STAIRS.bit_length()
_ONE_OF_EACH: Final = 0x11111  # of the colours that have a pawn
_WHITES: Final = 4 * WHITE  # where a hand counts its white discs
_BLACKS: Final = 4 * BLACK


def key(state: State) -> int:
    """A number that tells the positions of one deal apart."""
    _, left, (blue, red, yellow, green, purple), hands, seat, extra = state
    found = blue.bit_length() << 24 | red.bit_length() << 18 | yellow.bit_length() << 12
    found |= green.bit_length() << 6 | purple.bit_length()
    for hand in hands:
        found = found << 28 | hand
    return (found << 56 | left) << 4 | seat << 1 | extra


def bounds(state: State) -> tuple[int, int]:
    """The least and the most points by which seat 0 can be ahead of seat 1 at the end.

    At the most, pawns arrive as seat 0 would like it, it takes the best that is left as often as it can have a turn, and
    seat 1 gains nothing.
    """
    deal, left, pawns, (mine, theirs), _, _ = state
    steps = rules.step_values(deal.setup)
    least = moves = shift = 0
    there = [0, 0, 0, 0, 0]  # how many discs can be taken, by what they are worth at most
    leads: list[int] = []  # in discs of the colours whose pawns are under way
    coming = 0
    for place, colour in zip(pawns, deal.colours):  # noqa: B905 - white and black have no pawn
        lead = (mine >> shift & 15) - (theirs >> shift & 15)
        own = left & colour
        shift += 4
        if place >= STAIRS:
            worth = steps[place.bit_length() - _FIRST_STEP]
            least += lead * worth
            there[worth] = own.bit_count()
        else:
            leads.append(lead)
            moves += 1 + (own & -(place << 1)).bit_count()
            coming += 1 + own.bit_count()
    if not leads:
        ahead = least + _whites(mine) - _whites(theirs)
        return ahead, ahead
    free = sorted(steps[5 - len(leads) :])
    leads.sort()
    most = least
    for number, lead in enumerate(leads):
        most += lead * free[number]
        least += lead * free[-1 - number]
    there[free[-1]] += coming
    whites, blacks = (left & deal.colours[WHITE]).bit_count(), (left & deal.colours[BLACK]).bit_count()
    my_takes, their_takes, extra = _most_taken(state, moves, blacks)
    usual, better = free[-1], moves - len(leads) + 2 * extra  # all but arriving pawns can bring something better
    most += _most_gained(mine, my_takes, there, whites, blacks, usual, better) + steps[4] - _least_gained(theirs)
    least += _least_gained(mine) - _most_gained(theirs, their_takes, there, whites, blacks, usual, better) - steps[4]
    return least, most


def _most_taken(state: State, moves: int, blacks: int) -> tuple[int, int, int]:
    """How many discs that are not black each seat can take before the last pawn arrives; and how many extra moves.

    A black disc brings one disc more, and one move more if it is used to go backward, but it takes a move to get.
    """
    mine, theirs = state.hands[0] >> _BLACKS, state.hands[1] >> _BLACKS
    own, other = (theirs, mine) if state.seat else (mine, theirs)
    soon = 1 if state.extra else 2 if own else 3 if other else 4  # with fewer moves left, there is no extra move
    extra = mine + theirs + blacks
    if moves < soon or not extra:
        return moves - state.seat >> 1, moves - 1 + state.seat >> 1, 0
    turns = moves + extra >> 1
    return turns + mine, turns + theirs, extra


def _most_gained(
    hand: Hand, takes: int, there: Sequence[int], whites: int, blacks: int, usual: int, better: int
) -> int:
    """The most that so many discs, and the white ones in the hand, can score; the last pawn's disc may come after them.

    Only so many of them can be `better` than `usual`.
    """
    gained, held = 0, hand >> _WHITES & 15
    better = min(better, takes)
    if held or whites:
        each = min(5, _kinds(hand) + takes + 1) + (hand >> _BLACKS > 0 or blacks > 0)  # R16
        white = min(whites, better)
        gained = held * each + white * max(each, 4)
        takes -= white
        better -= white
    for worth in (4, 3, 2, 1):
        if takes and there[worth]:
            some = min(there[worth], better if worth > usual else takes)
            gained += some * worth
            takes -= some
            better -= some
    return gained


def _least_gained(hand: Hand) -> int:
    """The least that the white discs of the hand can score: black discs may be gone at the end."""
    held = hand >> _WHITES & 15
    return held * _kinds(hand) if held else 0


def _whites(hand: Hand) -> int:
    """What the white discs of the hand score."""
    return (hand >> _WHITES & 15) * (_kinds(hand) + (hand >> _BLACKS > 0))  # R16


def _kinds(hand: Hand) -> int:
    """How many colours that have a pawn the hand holds."""
    hand |= hand >> 1
    return ((hand | hand >> 2) & _ONE_OF_EACH).bit_count()
