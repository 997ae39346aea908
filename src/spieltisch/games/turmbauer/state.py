"""The values of Turmbauer: the tower, states and actions."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from spieltisch.core.game import Seat, Setup
from spieltisch.games.turmbauer.building.cells import COMPASS, Cell
from spieltisch.games.turmbauer.building.stones import StoneSet, stones_of

COLOURS: Final = "RBGK"  # R1
RINGS: Final = 2  # R2
TRIES: Final = 3  # R14
COLLAPSE: Final = 3  # R14: as many fallen stones end the game
ROUNDS: Final = 12  # R20
NOTHING: Final = -1  # instead of a kind of stone
STANDS: Final = 0  # the verdict on a tower that loses no stone


class Phase(Enum):
    """The phase of a turn."""

    ROLL = "roll"
    STONE = "stone"
    PLACE = "place"
    TREMOR = "tremor"
    JUDGE = "judge"
    MOVE = "move"
    OVER = "over"


Cells: TypeAlias = tuple[Cell, ...]  # the cells of a stone, ascending


class PlacedStone(NamedTuple):
    """A stone of the tower: its colour, its kind and its cells."""

    colour: int
    kind: int
    cells: Cells


Tower: TypeAlias = tuple[PlacedStone, ...]  # in the order of building, without the foundation


class Lean(NamedTuple):
    """The tilt of gravity while a hand trembles: an angle towards one side."""

    degrees: float = 0.0
    side: str = ""


LEVEL: Final = Lean()
HANDS: Final = {"steady": 1.0, "calm": 0.0, "shaky": 2.5}  # degrees


class State(NamedTuple):
    """The complete state: the tower, the pawns, the stones that are left, and the turn so far."""

    setup: Setup
    turn: int  # the number of completed turns
    phase: Phase
    roll: tuple[int, int]  # the dice, the smaller first; (0, 0) before the roll
    chosen: int  # the kind of stone being built; NOTHING before it is chosen
    ring: str  # the ring declared or spent in this turn: '' or 'a'
    place: Cells  # where the stone is being built
    tremor: str  # the side towards which the hand trembles, or ''
    ruled_out: tuple[Cells, ...]  # the places that failed in this turn, in order
    tower: Tower
    stocks: tuple[tuple[int, ...], ...]  # per colour the number of stones of each kind that are left
    boxes: tuple[tuple[int, ...], ...]  # the same for the stones in the box
    rings: tuple[int, ...]
    pawns: tuple[Cell, ...]  # the cube that each pawn stands on, or TABLE
    fallen: int  # the number of stones that fell in the collapse, or 0

    @property
    def stones(self) -> StoneSet:
        """The set of stones in this game."""
        return stones_of(self.setup.option("stones"))


class Roll(NamedTuple):
    """Chance: the dice, the smaller first."""

    low: int
    high: int


class Pick(NamedTuple):
    """The seat takes a stone from the stock to build it, perhaps with ring a."""

    kind: int
    ring: str = ""


class Box(NamedTuple):
    """The seat puts a stone into the box."""

    kind: int


class Place(NamedTuple):
    """The seat builds the chosen stone at a place."""

    cells: Cells


class Tremor(NamedTuple):
    """Chance: the hand trembles towards one side."""

    side: str


class Verdict(NamedTuple):
    """The verdict of the judge: the number of stones that fall; the tower stands if it is 0."""

    fallen: int


class Stay(NamedTuple):
    """The pawn stays where it is."""

    word: str = "."


class Move(NamedTuple):
    """The pawn moves onto a cube or the table, perhaps with ring b or c."""

    field: Cell
    ring: str = ""


Action: TypeAlias = Roll | Pick | Box | Place | Tremor | Verdict | Stay | Move

STAY: Final = Stay()
ROLLS: Final = tuple(Roll(low, high) for low in range(1, 7) for high in range(low, 7))
TREMORS: Final = tuple(Tremor(side) for side in COMPASS)


def colours(state: State) -> int:
    """The number of colours in the game: four for two players."""  # R1
    return 4 if state.setup.players == 2 else state.setup.players


def colour_of(state: State) -> int:
    """The colour to play."""  # R4: the order goes on from the starting seat's first colour
    return (state.setup.first + state.turn) % colours(state)


def seat_of(state: State, colour: int) -> Seat:
    """The seat that plays a colour."""  # R1
    return Seat(colour % state.setup.players)


def first_round(state: State) -> bool:
    """Whether this is the first round."""  # R11
    return state.turn < colours(state)
