"""The values of the game: pebbles, states and actions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, NewType, TypeAlias

from spieltisch.core.game import Seat, Setup

Colour = NewType("Colour", int)
COLOURS: Final = (Colour(0), Colour(1), Colour(2))
LETTERS: Final = "RBG"
Pebbles: TypeAlias = tuple[int, ...]  # how many of each colour
NONE: Final[Pebbles] = (0, 0, 0)
HAND: Final = 3


class Phase(Enum):
    """What comes next."""

    DEAL = "deal"
    LAY = "lay"
    MORE = "more"
    DRAW = "draw"
    OVER = "over"


class State(NamedTuple):
    """Everything on the table, in the hands and in the bag."""

    setup: Setup
    phase: Phase
    seat: Seat
    laying: Colour | None  # the colour laid face up in this turn
    bag: Pebbles
    hands: tuple[Pebbles, ...]
    shown: tuple[Pebbles, ...]
    hidden: tuple[Pebbles, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """A pebble comes out of the bag."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class Lay:
    """A pebble goes from the hand onto the pile."""

    colour: Colour
    face_up: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """No more pebbles in this turn."""


Action: TypeAlias = Draw | Lay | Stop

DRAWS: Final = tuple(Draw(colour) for colour in COLOURS)
FACE_UP: Final = tuple(Lay(colour, True) for colour in COLOURS)
FACE_DOWN: Final = tuple(Lay(colour, False) for colour in COLOURS)
STOP: Final = Stop()
ACTIONS: Final[tuple[Action, ...]] = (*FACE_UP, *FACE_DOWN, STOP, *DRAWS)


def change(pebbles: Pebbles, colour: Colour, by: int) -> Pebbles:
    """The pebbles with one more or fewer of a colour."""
    return (*pebbles[:colour], pebbles[colour] + by, *pebbles[colour + 1 :])
