"""Boards of Rondo: parsed from a JSON document, validated, and stored as bitsets of fields."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, Never

from spieltisch.core.game import BadSetup, brief
from spieltisch.i18n.message import Argument, message_factory

LETTERS: Final = "PBYGR"
CENTRE: Final = "C"
SIDES: Final = ("blue", "red")
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{0,9}")
_MOST_FIELDS: Final = 500
say = message_factory("rondo")


class Board(NamedTuple):
    """One side of a board. A bitset of fields is an integer: bit n is the n-th field."""

    names: tuple[str, ...]
    colours: tuple[int, ...]  # indices into LETTERS
    values: tuple[int, ...]
    links: tuple[int, ...]  # per field the bitset of its neighbours
    centre: int  # bitset of the fields next to the centre
    grey: int
    reconstructed: bool

    def number(self, name: str) -> int | None:
        """The index of the field of that name; None if there is none."""
        return _indices(self.names).get(name)


@lru_cache(maxsize=64)
def _indices(names: tuple[str, ...]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


@lru_cache(maxsize=64)
def board_of(document: str, side: str) -> Board:
    """Parses a side of the board in the document, or of the built-in board for ''; BadSetup names the error."""
    text = document or (Path(__file__).parent / "board.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    names = _parse_fields(data)
    links = _parse_links(data, names)
    grey = data.get("grey")
    if not isinstance(grey, list) or not grey:
        _refuse("board.grey")
    for name in grey:
        if name not in names:
            _refuse("board.unknown", field=brief(name), part="grey")
    sides = data.get("sides")
    if not isinstance(sides, dict) or side not in sides:
        _refuse("board.side", side=side)
    parsed = {each: _parse_side(sides[each], names, each) for each in SIDES if each in sides}
    colours, values = parsed[side]
    numbers = {name: number for number, name in enumerate(names)}
    return Board(
        names=names,
        colours=colours,
        values=values,
        links=tuple(sum(1 << numbers[other] for other in links[name] if other != CENTRE) for name in names),
        centre=sum(1 << numbers[name] for name in links[CENTRE]),
        grey=sum(1 << numbers[name] for name in set(grey)),
        reconstructed=not document,
    )


def _parse_fields(data: dict[str, Any]) -> tuple[str, ...]:
    cells = data.get("cells")
    if not isinstance(cells, list) or not 0 < len(cells) <= _MOST_FIELDS:
        _refuse("board.cells", most=_MOST_FIELDS)
    for name in cells:
        if not isinstance(name, str) or not _NAME.fullmatch(name) or name == CENTRE:
            _refuse("board.name", field=brief(name))
    for name in cells:
        if cells.count(name) > 1:
            _refuse("board.twice", field=name)
    return tuple(cells)


def _parse_links(data: dict[str, Any], names: tuple[str, ...]) -> dict[str, set[str]]:
    """The validated neighbours of every field and of the centre."""
    given = data.get("adjacency")
    known = {*names, CENTRE}
    if not isinstance(given, dict):
        _refuse("board.adjacency")
    links: dict[str, set[str]] = {}
    for name, others in given.items():
        if name not in known:
            _refuse("board.unknown", field=brief(name), part="adjacency")
        if not isinstance(others, list):
            _refuse("board.no_links", field=name)
        for other in others:
            if not isinstance(other, str) or other not in known:
                _refuse("board.unknown", field=brief(other), part=f"adjacency {name}")
        links[name] = set(others)
    for name in (*names, CENTRE):
        if not links.get(name):
            _refuse("board.no_links", field=name)
        if name in links[name]:
            _refuse("board.itself", field=name)
    for name, others_ in links.items():
        for other in sorted(others_):
            if name not in links[other]:
                _refuse("board.one_way", field=name, other=other)
    _check_reachable(names, links)
    return links


def _check_reachable(names: tuple[str, ...], links: dict[str, set[str]]) -> None:
    reached, waiting = {CENTRE}, [CENTRE]
    while waiting:
        found = links[waiting.pop()] - reached
        reached |= found
        waiting += found
    for name in names:
        if name not in reached:
            _refuse("board.unreachable", field=name)


def _parse_side(fields: Any, names: tuple[str, ...], side: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The validated colours and values of one side."""
    if not isinstance(fields, dict):
        _refuse("board.side", side=side)
    for name in fields:
        if name not in names:
            _refuse("board.unknown", field=brief(name), part=f"sides {side}")
    colours: list[int] = []
    values: list[int] = []
    for name in names:
        field = fields.get(name)
        if not isinstance(field, dict):
            _refuse("board.no_field", field=name, side=side)
        colour, value = field.get("colour"), field.get("value")
        if not isinstance(colour, str) or len(colour) != 1 or colour not in LETTERS:
            _refuse("board.colour", field=name, given=brief(colour))
        if type(value) is not int or not 1 <= value <= 1000:
            _refuse("board.value", field=name, given=brief(value))
        colours.append(LETTERS.index(colour))
        values.append(value)
    return tuple(colours), tuple(values)


def _refuse(key: str, **arguments: Argument) -> Never:
    raise BadSetup(say(key, **arguments), "R2", "board")
