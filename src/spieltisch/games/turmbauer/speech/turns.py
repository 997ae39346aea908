"""Turns of Turmbauer: a line of the log, and the stone and the walk for the mark on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from spieltisch.core.json import Json
from spieltisch.core.speech import Witnessed
from spieltisch.games.turmbauer.building.cells import FOUNDATION, UP, Cell, height, z_of
from spieltisch.games.turmbauer.building.stones import stones_of
from spieltisch.games.turmbauer.description import stone_indices
from spieltisch.games.turmbauer.notation import read
from spieltisch.games.turmbauer.phrases import colour_phrase, say
from spieltisch.games.turmbauer.state import (
    COLLAPSE,
    COLOURS,
    STANDS,
    Box,
    Move,
    Pick,
    Place,
    State,
    Stay,
    Verdict,
    colour_of,
)
from spieltisch.games.turmbauer.view import Point, View, point, state_of
from spieltisch.i18n.message import Argument, Audience, Message, Symbol


def tell_turn(steps: Sequence[Witnessed[View]], audience: Audience) -> Iterator[Message]:
    """What was built on what and whether it stands, then how high the pawn climbed; the dice are not mentioned."""
    tried: int | None = None  # the kind of stone of the last try
    for view, heard, _ in steps:
        state, seat = state_of(view), view.seat
        match read(state, heard.text):
            case Pick(_, ring) if ring:
                yield audience(say, "turn.ring", seat)
            case Box(kind):
                yield audience(say, "boxes", seat, stone=block_phrase("block", state, kind, colour_of(state)))
            case Place(cells):
                places, top = place_phrases(state, cells), max(map(height, cells))
                if tried == state.chosen:
                    yield say("turn.tries", places=places, height=top)
                else:
                    stone = block_phrase("block", state, state.chosen, colour_of(state))
                    yield audience(say, "turn.builds", seat, stone=stone, places=places, height=top)
                tried = state.chosen
            case Verdict(fallen):
                yield _verdict(seat, fallen, audience)
            case Stay():
                yield say("turn.stays", pawn=_pawn(state), height=height(state.pawns[colour_of(state)]))
            case Move(field, ring):
                if ring:
                    yield audience(say, "turn.ring", seat)
                yield _walk(state, field)
            case _:
                pass


def _verdict(seat: int, fallen: int, audience: Audience) -> Message:
    if fallen == STANDS:
        return say("turn.stands")
    return audience(say, "collapses", seat, n=fallen) if fallen >= COLLAPSE else say("turn.fails", n=fallen)


def _walk(state: State, field: Cell) -> Message:
    before, after, pawn = height(state.pawns[colour_of(state)]), height(field), _pawn(state)
    if after > before:
        return say("turn.up", pawn=pawn, height=after)
    return say("turn.down" if after < before else "turn.level", pawn=pawn, height=after)


def _pawn(state: State) -> Symbol:
    colour = colour_of(state)
    return Symbol(f"pawn.{COLOURS[colour]}", colour_phrase(colour))


def place_phrases(state: State, cells: Sequence[Cell]) -> Argument:
    """What the stone lies on: the table, the foundation, other stones by colour and shape."""
    below = {Cell(place - UP) for place in cells} - set(cells)
    found: list[Argument] = []
    if any(z_of(place) < 0 for place in below):
        found.append(say("on.table"))
    if below & set(FOUNDATION):
        found.append(say("on.foundation"))
    owners = stone_indices(state.tower)
    for which in sorted({owners[place] for place in below if place in owners}):
        built = state.tower[which]
        found.append(block_phrase("on.block", state, built.kind, built.colour))
    return tuple(found)


def block_phrase(key: str, state: State, kind: int, colour: int) -> Message:
    """A stone by colour and shape; a natural cube has no colour, whichever player owns it."""
    letter, found, shape = COLOURS[colour], state.stones.kinds[kind], _shape(state.setup.option("stones"), kind)
    natural = found.size == 1 and found.orientations[0].odd
    words = shape if natural else say("tinted", colour=say(f"tint.{letter}"), shape=shape)
    return say(key, stone=Symbol(f"stone.{letter}.{found.name}", words))


@lru_cache(maxsize=256)
def _shape(document: str, kind: int) -> Message:
    """The shape by its name if it is one of the game's own stones, else by its size."""
    found = stones_of(document).kinds[kind]
    return say("shape.other", size=found.size) if document else say(f"shape.{found.name}")


def mark_turn(steps: Sequence[Witnessed[View]]) -> Json:
    """The colour, the cells of the stone that was built, and the cube to which the pawn walked; null for nothing."""
    first, last = steps[0].before, steps[-1].after
    built, walked = None, None
    if len(last.tower) > len(first.tower) and not last.fallen:
        built = _json_of(last.tower[-1].cells)
    for view, heard, _ in steps:
        action = read(state_of(view), heard.text)
        if isinstance(action, Move) and height(action.field):
            walked = _json_of([point(action.field)])[0]
    if built is None and walked is None:
        return None
    return {"colour": first.colour, "stone": built, "pawn": walked}


def _json_of(points: Sequence[Point]) -> list[Json]:
    return [[x, y, z] for x, y, z in points]
