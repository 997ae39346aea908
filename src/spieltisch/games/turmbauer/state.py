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
NOTHING: Final = -1  # no kind of stone
STANDS: Final = 0  # the verdict on a tower that loses no stone


class Phase(Enum):
    """What comes next."""

    ROLL = "roll"
    STONE = "stone"
    PLACE = "place"
    TREMOR = "tremor"
    JUDGE = "judge"
    MOVE = "move"
    OVER = "over"


Cells: TypeAlias = tuple[Cell, ...]  # ascending: a stone in its place


class Built(NamedTuple):
    """A stone of the tower: whose, which kind, and where."""

    colour: int
    kind: int
    cells: Cells


Tower: TypeAlias = tuple[Built, ...]  # in the order of building, without the foundation


class Lean(NamedTuple):
    """How the load leans while a hand trembles: by an angle, to one side."""

    degrees: float = 0.0
    side: str = ""


LEVEL: Final = Lean()
HANDS: Final = {"steady": 1.0, "calm": 0.0, "shaky": 2.5}  # degrees


class State(NamedTuple):
    """The tower, the pawns and what is left, and how far the turn has come."""

    setup: Setup
    turn: int  # how many turns are over
    phase: Phase
    roll: tuple[int, int]  # the dice, the smaller first; (0, 0) before the roll
    chosen: int  # the kind of stone being built; NOTHING before it is chosen
    ring: str  # the ring declared or spent in this turn: '' or 'a'
    place: Cells  # where the stone is being built
    tremor: str  # the side the hand trembles to, or ''
    ruled_out: tuple[Cells, ...]  # the places that failed in this turn, in the order of trying
    tower: Tower
    stocks: tuple[tuple[int, ...], ...]  # for every colour how many stones of each kind are left
    boxes: tuple[tuple[int, ...], ...]  # the same for what went into the box
    rings: tuple[int, ...]
    pawns: tuple[Cell, ...]  # the cube that each pawn stands on, or TABLE
    fallen: int  # how many stones fell when the tower collapsed, or 0

    @property
    def stones(self) -> StoneSet:
        """The set of stones that is played with."""
        return stones_of(self.setup.option("stones"))


class Roll(NamedTuple):
    """The dice, the smaller first."""

    low: int
    high: int


class Pick(NamedTuple):
    """Take a stone from the stock to build it, perhaps with ring a."""

    kind: int
    ring: str = ""


class Box(NamedTuple):
    """Put a stone into the box."""

    kind: int


class Place(NamedTuple):
    """Build the stone there."""

    cells: Cells


class Tremor(NamedTuple):
    """The hand trembles to one side."""

    side: str


class Verdict(NamedTuple):
    """The judge's answer: how many stones fall; none, and the tower stands."""

    fallen: int


class Stay(NamedTuple):
    """Leave the pawn where it is."""

    word: str = "."


class Move(NamedTuple):
    """Move the pawn onto a cube or the table, perhaps with ring b or c."""

    field: Cell
    ring: str = ""


Action: TypeAlias = Roll | Pick | Box | Place | Tremor | Verdict | Stay | Move

STAY: Final = Stay()
ROLLS: Final = tuple(Roll(low, high) for low in range(1, 7) for high in range(low, 7))
TREMORS: Final = tuple(Tremor(side) for side in COMPASS)


def colours(state: State) -> int:
    """How many colours are played: four with two players."""  # R1
    return 4 if state.setup.players == 2 else state.setup.players


def colour_of(state: State) -> int:
    """The colour whose turn it is."""  # R4: the order goes on from the starting seat's first colour
    return (state.setup.first + state.turn) % colours(state)


def seat_of(state: State, colour: int) -> Seat:
    """Who plays a colour."""  # R1
    return Seat(colour % state.setup.players)


def first_round(state: State) -> bool:
    """Whether every colour is still at its first turn."""  # R11
    return state.turn < colours(state)
