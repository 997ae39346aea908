"""Phrases of Turmbauer for use in sentences: cells, fields, stones, pawns."""

from __future__ import annotations

from functools import lru_cache

from spieltisch.games.turmbauer.building.cells import TABLE, Cell, height, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.stones import Kind, StoneSet
from spieltisch.games.turmbauer.state import COLOURS
from spieltisch.i18n.message import Argument, Message, message_factory

say = message_factory("turmbauer")


def number_phrase(n: int) -> Argument:
    """An integer that a screen reader can read aloud."""
    return n if n >= 0 else say("minus", n=-n)


def cell_phrase(place: Cell) -> Message:
    """A cell by column, row and floor."""
    return say(
        "cell", column=number_phrase(x_of(place)), row=number_phrase(y_of(place)), floor=number_phrase(z_of(place) + 1)
    )


def field_phrase(field: Cell) -> Message:
    """A field by column, row and height, or the table."""
    if field == TABLE:
        return say("table")
    return say("field", column=number_phrase(x_of(field)), row=number_phrase(y_of(field)), height=height(field))


def colour_phrase(number: int) -> Message:
    """A colour as the name of a side."""
    return say(f"colour.{COLOURS[number]}")


def pawn_phrase(colour: int) -> Message:
    return say(f"pawn.{COLOURS[colour]}")


@lru_cache(maxsize=256)
def stone_phrase(stones: StoneSet, kind: int) -> Message:
    """A stone by its size and shape; by its name if two kinds share the phrase."""
    phrase = _shape_phrase(stones.kinds[kind])
    if sum(_shape_phrase(other) == phrase for other in stones.kinds) > 1:
        return say("stone.named", size=stones.kinds[kind].size, kind=stones.kinds[kind].name)
    return phrase


def _shape_phrase(kind: Kind) -> Message:
    orientation = kind.orientations[0]
    long, wide, high = sorted(
        (max(offset[axis] for offset in orientation.offsets) + 1 for axis in range(3)), reverse=True
    )
    if kind.size == 1:
        return say("stone.natural", size=1) if orientation.odd else say("stone.coloured", size=1)
    if long == kind.size:
        return say("stone.straight", size=kind.size)
    if high == 1:
        return say("stone.flat", size=kind.size, long=long, wide=wide)
    return say("stone.bulky", size=kind.size, long=long, wide=wide, high=high)
