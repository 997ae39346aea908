"""The values of Big Points: discs, hands, states and actions."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, NewType, TypeAlias

from spieltisch.core.game import Seat, Setup

Colour = NewType("Colour", int)  # an index into LETTERS
Bits: TypeAlias = int  # bitset of places along the track: bit 0 is the start, bit n the n-th disc
Hand: TypeAlias = int  # the number of discs of each colour, four bits per colour

LETTERS: Final = "brygpwk"
PAWNS: Final = tuple(Colour(number) for number in range(5))
WHITE: Final = Colour(5)
BLACK: Final = Colour(6)
COLOURS: Final = (*PAWNS, WHITE, BLACK)
ON_TRACK: Final = (9, 9, 9, 9, 9, 5, 5)  # R2, R3
START: Final = 1
STAIRS: Final = 1 << 56  # a pawn's place is one bit: START, a disc, or STAIRS shifted by the number of earlier arrivals
ONE: Final = tuple(1 << 4 * colour for colour in COLOURS)
EMPTY: Final = 0


class Deal(NamedTuple):
    """The part of a state that does not change after the deal."""

    setup: Setup
    size: int  # the number of discs that a complete track has
    discs: bytes  # the colours of the discs laid so far, from the start to the staircase
    colours: tuple[Bits, ...]  # the same discs as one bitset per colour


class State(NamedTuple):
    """The complete state: the track, the pawns, the hands and the turn."""

    deal: Deal
    remaining: Bits  # the discs left on the track
    pawns: tuple[Bits, ...]
    hands: tuple[Hand, ...]
    seat: Seat
    extra: bool  # whether the seat decides about its extra move


class Take(Enum):
    """The disc that is taken with a move."""

    AHEAD = "+"
    BEHIND = "-"
    BESIDE = "^"
    NOTHING = "0"


class Lay(NamedTuple):
    """Chance: the next disc of the track is laid."""

    disc: Colour


class Move(NamedTuple):
    """A pawn moves and a disc is taken."""

    pawn: Colour
    take: Take
    extra: bool
    backward: bool


class Decline(NamedTuple):
    """The seat makes no extra move."""


Action: TypeAlias = Lay | Move | Decline

LAYS: Final = tuple(Lay(colour) for colour in COLOURS)
DECLINE: Final = Decline()


def count(hand: Hand, colour: Colour) -> int:
    """The number of discs of a colour in the hand."""
    return hand >> 4 * colour & 15


def discs(hand: Hand) -> tuple[int, ...]:
    """The number of discs of each colour in the hand."""
    return hand & 15, hand >> 4 & 15, hand >> 8 & 15, hand >> 12 & 15, hand >> 16 & 15, hand >> 20 & 15, hand >> 24 & 15


def hand_of(counts: tuple[int, ...]) -> Hand:
    """The hand with these numbers of discs per colour."""
    return sum(n * one for n, one in zip(counts, ONE, strict=True))
