"""Views of Turmbauer: everybody sees everything, so a view and a state determine each other."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from spieltisch.core.game import Outcome, Seat, Setup, Viewer
from spieltisch.games.turmbauer import rules
from spieltisch.games.turmbauer.building.cells import TABLE, Cell, cell, height, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.stones import stones_of
from spieltisch.games.turmbauer.state import COLOURS, NOTHING, Phase, PlacedStone, State, colour_of, colours, seat_of


class Point(NamedTuple):
    """A cell of the grid: x to the east, y to the north, z upwards; z = 0 lies on the table."""

    x: int
    y: int
    z: int


class Stone(NamedTuple):
    """A stone of the tower."""

    colour: str
    kind: str
    cells: tuple[Point, ...]


class Side(NamedTuple):
    """The pieces of one colour."""

    colour: str
    seat: Seat
    stock: tuple[str, ...]  # kinds of stones
    box: tuple[str, ...]
    rings: int
    pawn: Point | None  # the cube that the pawn stands on; None is the table
    height: int


class View(NamedTuple):
    """What a viewer may know: everything."""

    setup: Setup
    viewer: Viewer
    phase: Phase
    turn: int
    colour: str  # the colour to play
    seat: Seat
    roll: tuple[int, int] | None
    chosen: str | None  # the kind of stone being built
    ring: str  # the ring declared or spent in this turn
    place: tuple[Point, ...]  # where the stone is being built
    tremor: str
    ruled_out: tuple[tuple[Point, ...], ...]  # the places that failed in this turn
    tower: tuple[Stone, ...]  # in the order of building, without the foundation
    sides: tuple[Side, ...]
    fallen: int  # the number of stones that fell in the collapse
    reconstructed: bool
    outcome: Outcome | None


def point(place: Cell) -> Point:
    return Point(x_of(place), y_of(place), z_of(place))


def observe(state: State, viewer: Viewer) -> View:
    kinds, document = state.stones.kinds, state.setup.option("stones")
    colour = colour_of(state)
    if state.phase is Phase.OVER and not state.fallen:
        colour = (colour - 1) % colours(state)  # of the last turn
    return View(
        setup=state.setup,
        viewer=viewer,
        phase=state.phase,
        turn=state.turn,
        colour=COLOURS[colour],
        seat=seat_of(state, colour),
        roll=state.roll if state.roll[0] else None,
        chosen=None if state.chosen == NOTHING else kinds[state.chosen].name,
        ring=state.ring,
        place=tuple(map(point, state.place)),
        tremor=state.tremor,
        ruled_out=tuple(tuple(map(point, place)) for place in state.ruled_out),
        tower=tuple([_stone(stone, document) for stone in state.tower]),
        sides=tuple(_side(state, colour) for colour in range(colours(state))),
        fallen=state.fallen,
        reconstructed=state.stones.reconstructed,
        outcome=rules.outcome(state) if state.phase is Phase.OVER else None,
    )


@lru_cache(maxsize=1 << 14)
def _stone(built: PlacedStone, document: str) -> Stone:
    kind = stones_of(document).kinds[built.kind]
    return Stone(COLOURS[built.colour], kind.name, tuple(map(point, built.cells)))


def _side(state: State, colour: int) -> Side:
    def named(stones: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(kind.name for kind, n in zip(state.stones.kinds, stones, strict=True) for _ in range(n))

    pawn = state.pawns[colour]
    return Side(
        colour=COLOURS[colour],
        seat=seat_of(state, colour),
        stock=named(state.stocks[colour]),
        box=named(state.boxes[colour]),
        rings=state.rings[colour],
        pawn=None if pawn == TABLE else point(pawn),
        height=height(pawn),
    )


@lru_cache(maxsize=64)
def state_of(view: View) -> State:
    """The state of a view: there is only one, because nothing is hidden."""
    stones = stones_of(view.setup.option("stones"))
    numbers = {kind.name: number for number, kind in enumerate(stones.kinds)}

    def count_kinds(names: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(names.count(kind.name) for kind in stones.kinds)

    def cells(points: tuple[Point, ...]) -> tuple[Cell, ...]:
        return tuple(cell(*place) for place in points)

    return State(
        setup=view.setup,
        turn=view.turn,
        phase=view.phase,
        roll=view.roll or (0, 0),
        chosen=NOTHING if view.chosen is None else numbers[view.chosen],
        ring=view.ring,
        place=cells(view.place),
        tremor=view.tremor,
        ruled_out=tuple(cells(place) for place in view.ruled_out),
        tower=tuple(
            PlacedStone(COLOURS.index(stone.colour), numbers[stone.kind], cells(stone.cells)) for stone in view.tower
        ),
        stocks=tuple(count_kinds(side.stock) for side in view.sides),
        boxes=tuple(count_kinds(side.box) for side in view.sides),
        rings=tuple(side.rings for side in view.sides),
        pawns=tuple(TABLE if side.pawn is None else cell(*side.pawn) for side in view.sides),
        fallen=view.fallen,
    )
