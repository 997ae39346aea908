"""The notation of Turmbauer: actions as text."""

from __future__ import annotations

import re
from typing import Final

from spieltisch.core.game import BadNotation, brief
from spieltisch.core.type_errors import check_notation, not_an_action
from spieltisch.games.turmbauer.building.cells import FARTHEST, HIGHEST, TABLE, Cell, cell, height, x_of, y_of, z_of
from spieltisch.games.turmbauer.state import (
    STANDS,
    STAY,
    Action,
    Box,
    Move,
    Pick,
    Place,
    Roll,
    State,
    Stay,
    Tremor,
    Verdict,
)
from spieltisch.i18n.message import message_factory

say = message_factory("turmbauer")
_NUMBER: Final = r"(?:0|-?[1-9][0-9]{0,2})"
_CELL: Final = rf"{_NUMBER},{_NUMBER},{_NUMBER}"
_ROLL: Final = re.compile(r"([1-6])\+([1-6])")
_PLACE: Final = re.compile(rf"@({_CELL}(?:;{_CELL}){{0,5}})")
_MOVE: Final = re.compile(rf"([bc]?)>(table|{_CELL})")
_FALL: Final = re.compile(r"fall ([1-9][0-9]{0,2})")
_STONE: Final = re.compile(r"(a|box |)([1-6][a-z]+)")


def write(state: State, action: Action) -> str:
    match action:
        case Roll(low, high):
            return f"{low}+{high}"
        case Pick(kind, ring):
            return ring + state.stones.kinds[kind].name
        case Box(kind):
            return f"box {state.stones.kinds[kind].name}"
        case Place(cells):
            return "@" + ";".join(f"{x_of(place)},{y_of(place)},{z_of(place)}" for place in cells)
        case Tremor(side):
            return f"~{side}"
        case Verdict(fallen):
            return "stands" if fallen == STANDS else f"fall {fallen}"
        case Move(field, ring):
            target = "table" if field == TABLE else f"{x_of(field)},{y_of(field)},{height(field)}"
            return f"{ring}>{target}"
        case Stay(word):
            return word
    raise not_an_action(action)


def pieces(state: State, action: Action) -> tuple[str, ...]:
    """The pieces of a draw: each of the two dice, or the side of a tremor."""
    return (str(action.low), str(action.high)) if isinstance(action, Roll) else (write(state, action),)


def read(state: State, text: str) -> Action:
    check_notation(text)
    if text == STAY.word:
        return STAY
    if text == "stands":
        return Verdict(STANDS)
    if found := _ROLL.fullmatch(text):
        low, high = sorted(map(int, found.groups()))
        return Roll(low, high)
    if found := re.fullmatch(r"~([NESW])", text):
        return Tremor(found[1])
    if found := _FALL.fullmatch(text):
        return Verdict(int(found[1]))
    if found := _PLACE.fullmatch(text):
        return _parse_place(text, found[1])
    if found := _MOVE.fullmatch(text):
        return Move(TABLE if found[2] == "table" else _parse_field(text, found[2]), found[1])
    if found := _STONE.fullmatch(text):
        return _parse_stone(state, found[1], found[2])
    raise BadNotation(say("notation", given=brief(text)))


def _parse_stone(state: State, how: str, name: str) -> Action:
    kind = state.stones.number(name)
    if kind is None:
        raise BadNotation(say("notation.stone", given=brief(name)))
    return Box(kind) if how == "box " else Pick(kind, how)


def _parse_place(text: str, cells: str) -> Place:
    found = tuple(sorted({_checked_cell(text, *map(int, place.split(","))) for place in cells.split(";")}))
    if len(found) <= cells.count(";"):
        raise BadNotation(say("notation.twice", given=brief(text)))
    return Place(found)


def _parse_field(text: str, place: str) -> Cell:
    x, y, top = map(int, place.split(","))
    if top < 1:
        raise BadNotation(say("notation", given=brief(text)))
    return _checked_cell(text, x, y, top - 1)


def _checked_cell(text: str, x: int, y: int, z: int) -> Cell:
    if max(abs(x), abs(y)) > FARTHEST or not -FARTHEST <= z <= HIGHEST:
        raise BadNotation(say("notation.far", given=brief(text)))
    return cell(x, y, z)
