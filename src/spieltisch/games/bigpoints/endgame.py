"""Hints for the endgame solver: transposition keys, and bounds on the final difference of two hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from spieltisch.games.bigpoints import rules
from spieltisch.games.bigpoints.state import BLACK, STAIRS, WHITE, Hand, State

_FIRST_STEP: Final = STAIRS.bit_length()
_ONE_OF_EACH: Final = 0x11111  # of the colours that have a pawn
_WHITE_SHIFT: Final = 4 * WHITE
_BLACK_SHIFT: Final = 4 * BLACK


def key(state: State) -> int:
    """Transposition key: distinct for the distinct states of one deal."""
    _, remaining, (blue, red, yellow, green, purple), hands, seat, extra = state
    packed = blue.bit_length() << 24 | red.bit_length() << 18 | yellow.bit_length() << 12
    packed |= green.bit_length() << 6 | purple.bit_length()
    for hand in hands:
        packed = packed << 28 | hand
    return (packed << 56 | remaining) << 4 | seat << 1 | extra


def bounds(state: State) -> tuple[int, int]:
    """Lower and upper bound on the final lead of seat 0 over seat 1.

    The upper bound assumes that the pawns arrive in the best order for seat 0, that it takes the best remaining discs as
    often as it can have a turn, and that seat 1 gains nothing.
    """
    deal, remaining, pawns, (mine, theirs), _, _ = state
    steps = rules.step_values(deal.setup)
    least = moves = shift = 0
    available = [0, 0, 0, 0, 0]  # the number of discs that can be taken, by their largest possible value
    leads: list[int] = []  # in discs, for the colours whose pawns have not arrived
    undecided = 0  # discs of those colours
    for place, colour in zip(pawns, deal.colours):  # noqa: B905 - white and black have no pawn
        lead = (mine >> shift & 15) - (theirs >> shift & 15)
        own = remaining & colour
        shift += 4
        if place >= STAIRS:
            value = steps[place.bit_length() - _FIRST_STEP]
            least += lead * value
            available[value] = own.bit_count()
        else:
            leads.append(lead)
            moves += 1 + (own & -(place << 1)).bit_count()
            undecided += 1 + own.bit_count()
    if not leads:
        exact = least + _white_score(mine) - _white_score(theirs)
        return exact, exact
    free_steps = sorted(steps[5 - len(leads) :])
    leads.sort()
    most = least
    for number, lead in enumerate(leads):
        most += lead * free_steps[number]
        least += lead * free_steps[-1 - number]
    available[free_steps[-1]] += undecided
    whites, blacks = (remaining & deal.colours[WHITE]).bit_count(), (remaining & deal.colours[BLACK]).bit_count()
    my_takes, their_takes, extra = _max_takes(state, moves, blacks)
    usual, better = free_steps[-1], moves - len(leads) + 2 * extra  # arriving pawns bring no better disc
    most += _max_gain(mine, my_takes, available, whites, blacks, usual, better) + steps[4] - _min_gain(theirs)
    least += _min_gain(mine) - _max_gain(theirs, their_takes, available, whites, blacks, usual, better) - steps[4]
    return least, most


def _max_takes(state: State, moves: int, blacks: int) -> tuple[int, int, int]:
    """Upper bounds: discs other than black that each seat can take before the last pawn arrives, and extra moves.

    A black disc brings one more disc, and one more move if it is used to move backward, but taking it costs a move.
    """
    mine, theirs = state.hands[0] >> _BLACK_SHIFT, state.hands[1] >> _BLACK_SHIFT
    own, other = (theirs, mine) if state.seat else (mine, theirs)
    first_extra = 1 if state.extra else 2 if own else 3 if other else 4  # with fewer moves left there is no extra move
    extra = mine + theirs + blacks
    if moves < first_extra or not extra:
        return moves - state.seat >> 1, moves - 1 + state.seat >> 1, 0
    turns = moves + extra >> 1
    return turns + mine, turns + theirs, extra


def _max_gain(
    hand: Hand, takes: int, available: Sequence[int], whites: int, blacks: int, usual: int, better: int
) -> int:
    """Upper bound on what that many taken discs, and the white discs of the hand, can score.

    The last pawn's own disc may come on top. At most `better` of the discs are worth more than `usual`.
    """
    gained, held = 0, hand >> _WHITE_SHIFT & 15
    better = min(better, takes)
    if held or whites:
        per_white = min(5, _pawn_colours(hand) + takes + 1) + (hand >> _BLACK_SHIFT > 0 or blacks > 0)  # R16
        white = min(whites, better)
        gained = held * per_white + white * max(per_white, 4)
        takes -= white
        better -= white
    for value in (4, 3, 2, 1):
        if takes and available[value]:
            number = min(available[value], better if value > usual else takes)
            gained += number * value
            takes -= number
            better -= number
    return gained


def _min_gain(hand: Hand) -> int:
    """Lower bound on the score of the hand's white discs: its black discs may be handed in."""
    held = hand >> _WHITE_SHIFT & 15
    return held * _pawn_colours(hand) if held else 0


def _white_score(hand: Hand) -> int:
    """The score of the hand's white discs."""
    return (hand >> _WHITE_SHIFT & 15) * (_pawn_colours(hand) + (hand >> _BLACK_SHIFT > 0))  # R16


def _pawn_colours(hand: Hand) -> int:
    """The number of pawns' colours in the hand."""
    hand |= hand >> 1
    return ((hand | hand >> 2) & _ONE_OF_EACH).bit_count()
