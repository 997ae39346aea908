"""The values of Rondo: stones, states and actions."""

from __future__ import annotations

from typing import Final, NamedTuple, NewType, TypeAlias

from spieltisch.core.game import Seat, Setup
from spieltisch.games.rondo.board import Board

Field = NewType("Field", int)  # a field's number on the board
NOWHERE: Final = Field(-1)  # the centre, and the field before the first of a chain
Stones: TypeAlias = int  # how many stones of each colour, five bits a colour
COLOURS: Final = range(5)
ONE: Final = tuple(1 << 5 * colour for colour in COLOURS)
FULL: Final = 24 * sum(ONE)  # R1
MOST: Final = 5  # R5
DEAL: Final = 2  # R3


class Bridge(NamedTuple):
    """A stone face down: where, which, and whose."""

    field: Field
    colour: int
    seat: Seat


class State(NamedTuple):
    """The table, the racks and the bag."""

    setup: Setup
    board: Board
    seat: Seat
    dealing: bool
    drawing: int  # how many stones are still to be drawn in this turn
    last: Field  # the field laid on last in this turn
    gained: int  # what this turn's chain has scored so far
    covered: int  # the fields that hold stones
    beside: int  # the fields next to one of those or to the centre
    piles: bytes  # how many stones lie face up on each field
    bridges: tuple[Bridge, ...]
    racks: tuple[Stones, ...]
    bag: Stones
    scores: tuple[int, ...]
    cause: str  # what brought about the end: '', 'grey' or 'bag'
    over: bool


class Lay(NamedTuple):
    """Stones on a field, as they are written: capitals face up, a small letter face down."""

    field: Field
    stones: str


class Pass(NamedTuple):
    """Lay nothing."""

    word: str = "pass"


class End(NamedTuple):
    """The chain is whole."""

    word: str = "."


class Draw(NamedTuple):
    """A stone comes out of the bag."""

    colour: int


Action: TypeAlias = Lay | Pass | End | Draw

PASS: Final = Pass()
END: Final = End()
DRAWS: Final = tuple(Draw(colour) for colour in COLOURS)


def count(stones: Stones, colour: int) -> int:
    """How many stones of a colour."""
    return stones >> 5 * colour & 31


def counts(stones: Stones) -> tuple[int, ...]:
    """How many stones of each colour."""
    return tuple(stones >> 5 * colour & 31 for colour in COLOURS)


def total(stones: Stones) -> int:
    """How many stones."""
    return sum(stones >> 5 * colour & 31 for colour in COLOURS)
