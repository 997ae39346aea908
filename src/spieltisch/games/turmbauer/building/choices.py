"""Legal choices of Turmbauer: stones, places, moves, rings."""

from __future__ import annotations

from spieltisch.games.turmbauer.building.cells import TABLE, Cell
from spieltisch.games.turmbauer.building.climbing import terrain_of
from spieltisch.games.turmbauer.building.places import Frame, frame_of
from spieltisch.games.turmbauer.state import (
    TRIES,
    Action,
    Box,
    Cells,
    Move,
    Pick,
    PlacedStone,
    State,
    Tower,
    colour_of,
    first_round,
)


def frame(state: State) -> Frame:
    """The frame of the tower for the colour to play."""
    return frame_of(state.tower, state.pawns, colour_of(state), first_round(state))


def open_places(state: State) -> list[Cells]:
    """The legal places of the chosen stone, without those that failed in this turn."""  # R14
    places = frame(state).places(state.stones.kinds[state.chosen])
    return [place for place in places if place not in state.ruled_out]


def in_stock(state: State) -> list[int]:
    """The kinds of stones that the colour to play has left."""
    return [kind for kind, n in enumerate(state.stocks[colour_of(state)]) if n]


def dice_allow(state: State, kind: int) -> bool:
    low, high = state.roll
    return low == high or state.stones.kinds[kind].size in state.roll  # R5


def stone_choices(state: State) -> tuple[Action, ...]:
    """The stones that have a legal place: by the dice, then by ring a; then the stones that may go into the box."""
    if len(state.ruled_out) == TRIES:
        return (Box(state.chosen),)  # R14
    stock = in_stock(state)
    buildable = [kind for kind in stock if has_place(state, kind)]
    by_dice = [Pick(kind) for kind in buildable if dice_allow(state, kind)]
    ring = bool(state.rings[colour_of(state)])
    by_ring = [Pick(kind, "a") for kind in buildable if ring and not dice_allow(state, kind)]  # R18, R19
    return (*by_dice, *by_ring, *(Box(kind) for kind in stock if not by_dice))  # R6


def built_at(state: State, place: Cells) -> Tower:
    """The tower with the chosen stone added at a place."""
    return (*state.tower, PlacedStone(colour_of(state), state.chosen, place))


def has_place(state: State, kind: int) -> bool:
    return frame(state).has_place(state.stones.kinds[kind], state.ruled_out)


def others(state: State) -> set[Cell]:
    """The fields that other pawns stand on."""  # R17
    own = colour_of(state)
    return {pawn for colour, pawn in enumerate(state.pawns) if colour != own and pawn != TABLE}


def may_use_ring(state: State) -> bool:
    return not state.ring and state.rings[colour_of(state)] > 0  # R18


def reach(state: State, ring: str = "") -> set[Cell]:
    """The places that the pawn of the colour to play can reach, including its own."""
    terrain = terrain_of(state.tower)
    colour = colour_of(state)
    pawn = state.pawns[colour]
    match ring:
        case "b":
            return terrain.reach_b(pawn, others(state))
        case "c":
            return terrain.reach_c(pawn, colour, others(state))
    return terrain.reach(pawn, colour, others(state))


def moves(state: State) -> list[Move]:
    """Moves to the places in reach, then to those in reach by a ring only; the table first, then by height."""  # R19
    plain = reach(state)
    found = [Move(field) for field in sorted(plain - {state.pawns[colour_of(state)]})]
    if may_use_ring(state):
        found += [Move(field, ring) for ring in "bc" for field in sorted(reach(state, ring) - plain)]
    return found
