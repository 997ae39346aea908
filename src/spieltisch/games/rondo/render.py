"""Text renderer of Rondo for the terminal: the wheel, each field with its name above its content."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from spieltisch.core.render import TextStyle
from spieltisch.games.rondo.board import LETTERS
from spieltisch.games.rondo.state import Action, Lay
from spieltisch.games.rondo.view import Field, View
from spieltisch.i18n.message import Audience, message_factory

say = message_factory("rondo")
_COLOURS: Final = {"P": "purple", "B": "blue", "Y": "yellow", "G": "green", "R": "red"}
_RINGS: Final = {"I": (2.55, 16), "K": (3.8, 16), "O": (5.1, 32)}  # radius in field widths, fields in a full turn
_ARMS: Final = "NESW"
_WIDTH, _HEIGHT = 79, 36
_CELL: Final = 5
_NAME: Final = 20


def render(view: View, audience: Audience, style: TextStyle, highlights: Sequence[Action]) -> Sequence[str]:
    """The wheel, or a list of fields for other boards; then racks, scores and the bag."""
    able = {view.fields[action.field].name for action in highlights if isinstance(action, Lay)} or set(view.open)
    places = [_place(field.name) for field in view.fields]
    known = [place for place in places if place]
    drawn = _wheel(view, known, style, able) if len(known) == len(places) else _field_list(view, style, able)
    return [*drawn, "", *_table(view, audience, style)]


def _place(name: str) -> tuple[int, int] | None:
    """Column and row of a field's name; None for a field that is not on the wheel."""
    if re.fullmatch(r"A[NESW]", name):
        radius, angle = 1.3, _ARMS.index(name[1]) * pi / 2
    elif re.fullmatch(r"[IKO](?:0|[1-9]\d?)", name) and int(name[1:]) < _RINGS[name[0]][1]:
        radius, full = _RINGS[name[0]]
        angle = int(name[1:]) * 2 * pi / full
    else:
        return None
    return round(39 + 7.15 * radius * sin(angle)) - 2, round(17 - 3.3 * radius * cos(angle))


def _wheel(view: View, places: list[tuple[int, int]], style: TextStyle, able: set[str]) -> list[str]:
    rows: list[dict[int, tuple[str, str]]] = [{} for _ in range(_HEIGHT)]  # by column: the letters, and how they look
    rows[17][38] = ("(C)", "(C)")
    for field, (column, row) in zip(view.fields, places, strict=True):
        name = f">{field.name}" if field.name in able else field.name
        rows[row][column] = (f"{name:^{_CELL}}", (style.bold if field.name in able else style.dim)(f"{name:^{_CELL}}"))
        rows[row + 1][column] = _content(field, style)
    return [line for row in rows if (line := _line(row))]


def _line(row: dict[int, tuple[str, str]]) -> str:
    line, at = "", 0
    for column, (letters, shown) in sorted(row.items()):
        line += " " * (column - at) + shown
        at = column + len(letters)
    return line.rstrip()


def _content(field: Field, style: TextStyle) -> tuple[str, str]:
    """The content of a field in five characters: B3 free (B3° if grey), [B2] two stones, [?] a bridge."""
    if field.bridge is not None:
        text = f"[{(field.hidden or '?').lower()}]"
        return f"{text:^{_CELL}}", style.bold(f"{text:^{_CELL}}")
    if field.face_up:
        text = f"[{field.colour}{field.face_up}]"
        return f"{text:^{_CELL}}", f"{'':{(_CELL - len(text)) // 2}}" + style.chip(
            text, _COLOURS[field.colour], bold=True
        ) + " "
    text = f"{field.colour}{field.value}" + "°" * field.grey
    padded = f"{text:^{_CELL}}"
    return padded, padded.replace(text, style.paint(text, _COLOURS[field.colour]))


def _field_list(view: View, style: TextStyle, able: set[str]) -> list[str]:
    """Fields in columns, for boards that are not the wheel."""
    cells = []
    for field in view.fields:
        mark = ">" if field.name in able else " "
        letters, shown = _content(field, style)
        cells.append(f"{mark}{field.name:<10}{shown}" + " " * (_CELL - len(letters)))
    columns = max(1, 78 // 17)
    return ["".join(cells[start : start + columns]).rstrip() for start in range(0, len(cells), columns)]


def _table(view: View, audience: Audience, style: TextStyle) -> list[str]:
    names = [name if len(name) <= _NAME else f"{name[: _NAME - 1]}…" for name in audience.names]
    width, points = max(map(len, names)), style.format(say("label.points"))
    lines = []
    for seat, rack in enumerate(view.racks):
        mark = ">" if seat == view.seat and view.outcome is None else " "
        if rack.stones is None:
            held = style.dim("?" * rack.size)
        else:
            stones = [letter for letter, n in zip(LETTERS, rack.stones, strict=True) for _ in range(n)]
            held = "".join(style.chip(f" {letter} ", _COLOURS[letter]) for letter in stones)
        line = f"{mark}{names[seat]:{width}}  {view.scores[seat]:>3} {points}   {held}"
        if seat == view.seat and view.last is not None:
            line += f"   ({style.format(say('label.draft'))} +{view.gained})"
        lines.append(line.rstrip())
    board = f"   {style.format(say('label.reconstructed'))}" if view.reconstructed else ""
    bag = f" {style.format(say('label.bag'))} {view.bag.size}{style.dim(board)}"
    legend = [f" {style.format(say('label.letters'))}", f" {style.format(say('label.signs'))}"]
    return [*lines, bag, *map(style.dim, legend)]
