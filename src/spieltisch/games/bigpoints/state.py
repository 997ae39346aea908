"""The values of Big Points: discs, hands, states and actions."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, NewType, TypeAlias

from spieltisch.core.game import Seat, Setup

Colour = NewType("Colour", int)  # a place in LETTERS
Bits: TypeAlias = int  # places along the track as a set: bit 0 is the start, bit n the n-th disc
Hand: TypeAlias = int  # how many discs of each colour, four bits a colour

LETTERS: Final = "brygpwk"
PAWNS: Final = tuple(Colour(number) for number in range(5))
WHITE: Final = Colour(5)
BLACK: Final = Colour(6)
COLOURS: Final = (*PAWNS, WHITE, BLACK)
ON_TRACK: Final = (9, 9, 9, 9, 9, 5, 5)  # R2, R3
START: Final = 1
STAIRS: Final = 1 << 56  # a pawn's place is a bit: START, a disc, or STAIRS moved up by the pawns there before it
ONE: Final = tuple(1 << 4 * colour for colour in COLOURS)
EMPTY: Final = 0


class Deal(NamedTuple):
    """What stays as it is once the track is laid."""

    setup: Setup
    size: int  # how many discs the track is to have
    discs: bytes  # the colour of every disc laid, from the start to the staircase
    colours: tuple[Bits, ...]  # the same: for every colour the set of its discs


class State(NamedTuple):
    """The table: what is left of the track, where the pawns are, and what is in the hands."""

    deal: Deal
    remaining: Bits  # the discs left on the track
    pawns: tuple[Bits, ...]
    hands: tuple[Hand, ...]
    seat: Seat
    extra: bool  # whether the seat is asked about its extra move


class Take(Enum):
    """Which disc goes with a move."""

    AHEAD = "+"
    BEHIND = "-"
    BESIDE = "^"
    NOTHING = "0"


class Lay(NamedTuple):
    """The next disc of the track comes out of the shuffle."""

    disc: Colour


class Move(NamedTuple):
    """A pawn moves and a disc is taken."""

    pawn: Colour
    take: Take
    extra: bool
    backward: bool


class Decline(NamedTuple):
    """No extra move in this turn."""


Action: TypeAlias = Lay | Move | Decline

LAYS: Final = tuple(Lay(colour) for colour in COLOURS)
DECLINE: Final = Decline()


def count(hand: Hand, colour: Colour) -> int:
    """How many discs of a colour the hand holds."""
    return hand >> 4 * colour & 15


def discs(hand: Hand) -> tuple[int, ...]:
    """How many discs of each colour the hand holds."""
    return tuple(hand >> 4 * colour & 15 for colour in COLOURS)


def hand_of(counts: tuple[int, ...]) -> Hand:
    """The hand that holds so many discs of each colour."""
    return sum(n * one for n, one in zip(counts, ONE, strict=True))
