"""The values of Pebbles: states and actions, frozen and hashable."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, NewType, TypeAlias

from spieltisch.core.game import Seat, Setup

Colour = NewType("Colour", int)
COLOURS: Final = (Colour(0), Colour(1), Colour(2))
LETTERS: Final = "RBG"
Pebbles: TypeAlias = tuple[int, ...]  # the number of pebbles of each colour
NONE: Final[Pebbles] = (0, 0, 0)
HAND: Final = 3  # R3, R8


class Phase(Enum):
    """The phase of the game."""

    DEAL = "deal"
    LAY = "lay"
    MORE = "more"
    DRAW = "draw"
    OVER = "over"


class State(NamedTuple):
    """The complete state: the table, the hands and the bag."""

    setup: Setup
    phase: Phase
    seat: Seat
    laying: Colour | None  # the colour laid face up in this turn
    bag: Pebbles
    hands: tuple[Pebbles, ...]
    shown: tuple[Pebbles, ...]  # laid face up, per seat
    hidden: tuple[Pebbles, ...]  # laid face down, per seat


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance: a pebble is drawn from the bag."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Lay:
    """A pebble is laid from the hand onto the pile."""

    colour: Colour
    face_up: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """The player lays no more pebbles in this turn."""


Action: TypeAlias = Draw | Lay | Stop

DRAWS: Final = tuple(Draw(colour) for colour in COLOURS)
FACE_UP: Final = tuple(Lay(colour, True) for colour in COLOURS)
FACE_DOWN: Final = tuple(Lay(colour, False) for colour in COLOURS)
STOP: Final = Stop()
ACTIONS: Final[tuple[Action, ...]] = (*FACE_UP, *FACE_DOWN, STOP, *DRAWS)  # frozen: an id is an index


def add(pebbles: Pebbles, colour: Colour, number: int) -> Pebbles:
    """The pebbles with a number of a colour added; a negative number takes them away."""
    return (*pebbles[:colour], pebbles[colour] + number, *pebbles[colour + 1 :])
