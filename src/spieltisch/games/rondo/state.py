"""The values of Rondo: stones, states and actions."""

from __future__ import annotations

from typing import Final, NamedTuple, NewType, TypeAlias

from spieltisch.core.game import Seat, Setup
from spieltisch.games.rondo.board import Board

FieldId = NewType("FieldId", int)  # the index of a field on its board
NOWHERE: Final = FieldId(-1)  # the centre, and the field before the first of a chain
Stones: TypeAlias = int  # the number of stones of each colour, five bits per colour
COLOURS: Final = range(5)
ONE: Final = tuple(1 << 5 * colour for colour in COLOURS)
FULL: Final = 24 * sum(ONE)  # R1
MOST: Final = 5  # R5
DEAL: Final = 2  # R3


class Bridge(NamedTuple):
    """A stone face down: its field, its colour, and the seat that laid it."""

    field: FieldId
    colour: int
    seat: Seat


class State(NamedTuple):
    """The complete state: the board, the racks, the bag and the turn."""

    setup: Setup
    board: Board
    seat: Seat
    dealing: bool
    drawing: int  # the number of stones still to be drawn in this turn
    last: FieldId  # the field laid on last in this turn
    gained: int  # the points of this turn's chain so far
    covered: int  # bitset of the fields that hold stones
    adjacent: int  # bitset of the fields next to a covered field or to the centre
    piles: bytes  # the number of stones face up on each field
    bridges: tuple[Bridge, ...]
    racks: tuple[Stones, ...]
    bag: Stones
    scores: tuple[int, ...]
    cause: str  # what ends the game after this round: '', 'grey' or 'bag'
    over: bool


class Lay(NamedTuple):
    """Stones are laid on a field, as in the notation: capitals face up, a small letter face down."""

    field: FieldId
    stones: str


class Pass(NamedTuple):
    """The seat lays nothing."""

    word: str = "pass"


class End(NamedTuple):
    """The seat ends its chain."""

    word: str = "."


class Draw(NamedTuple):
    """Chance: a stone is drawn from the bag."""

    colour: int


Action: TypeAlias = Lay | Pass | End | Draw

PASS: Final = Pass()
END: Final = End()
DRAWS: Final = tuple(Draw(colour) for colour in COLOURS)


def count(stones: Stones, colour: int) -> int:
    """The number of stones of a colour."""
    return stones >> 5 * colour & 31


def counts(stones: Stones) -> tuple[int, ...]:
    """The number of stones of each colour."""
    return stones & 31, stones >> 5 & 31, stones >> 10 & 31, stones >> 15 & 31, stones >> 20 & 31


def total(stones: Stones) -> int:
    """The number of stones."""
    return sum(counts(stones))
