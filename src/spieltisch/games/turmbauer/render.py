"""Text renderer of Turmbauer for the terminal: a sketch of the tower, floor plans, and the pieces of every side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from spieltisch.core.render import TextStyle
from spieltisch.games.turmbauer.building.cells import FOUNDATION, TABLE, UP, Cell, cell, is_coloured, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.stones import Kind, Orientation, stones_of
from spieltisch.games.turmbauer.phrases import say
from spieltisch.games.turmbauer.state import COLOURS, Action, Box, Move, Pick, Place
from spieltisch.games.turmbauer.view import Side, View
from spieltisch.i18n.message import Audience

_WIDEST: Final = 100
_NAME: Final = 16
_GAP: Final = 3
_NATURAL, _BROWN, _GHOST, _EMPTY = "o", "#", "+", "·"
_PAINT: Final = {"R": "red", "B": "blue", "G": "green", "K": "black", _BROWN: "brown", _NATURAL: "natural"}


class Line(NamedTuple):
    """A line of text with escape sequences, and its width without them."""

    width: int
    text: str


class Scene(NamedTuple):
    """What there is to draw: cubes by their letters, pawns by the cube below them, highlighted cells and fields."""

    cubes: dict[Cell, str]
    pawns: dict[Cell, str]
    ghost: frozenset[Cell]
    fields: frozenset[Cell]
    style: TextStyle


def render(view: View, audience: Audience, style: TextStyle, highlights: Sequence[Action]) -> Sequence[str]:
    """The sketch with the plans beside it, or below it if the terminal is narrow; then the sides."""
    scene = _scene(view, style, highlights)
    width = min(style.width - 1, _WIDEST)
    title = style.format(say("label.sketch"))
    sketch = [*_sketch(scene), Line(len(title), style.dim(title))]
    across = max(line.width for line in sketch)
    room = width - across - _GAP
    if room >= 40:
        plans = _plans(scene, room)
        missing = max(0, len(plans) - len(sketch))
        left = [Line(0, "")] * missing + sketch  # the tower stands on the ground
        right = plans + [Line(0, "")] * (len(sketch) - len(plans))
        drawn = [
            (one.text + " " * (across - one.width + _GAP) + other.text).rstrip()
            for one, other in zip(left, right, strict=True)
        ]
    else:
        drawn = [line.text for line in (*sketch, Line(0, ""), *_plans(scene, width))]
    shapes = _shapes(view, width, style, highlights)
    return [*drawn, "", *_sides(view, audience, style), *_legend(view, style), *shapes]


def _scene(view: View, style: TextStyle, highlights: Sequence[Action]) -> Scene:
    cubes = {place: _BROWN if is_coloured(place) else _NATURAL for place in FOUNDATION}
    for stone in view.tower:
        for point in stone.cells:
            cubes[cell(*point)] = stone.colour if is_coloured(cell(*point)) else _NATURAL
    places = [action.cells for action in highlights if isinstance(action, Place)]
    trying = [cell(*point) for point in view.place]
    fields = {action.field for action in highlights if isinstance(action, Move) and action.field != TABLE}
    carrying = {Cell(place - UP) for cells in places for place in cells} & cubes.keys() if len(places) > 1 else set()
    pawns = {cell(*side.pawn): side.colour.lower() for side in view.sides if side.pawn is not None}
    ghost = places[0] if len(places) == 1 else trying
    return Scene(cubes, pawns, frozenset(ghost), frozenset(fields | carrying), style)


def _sketch(scene: Scene) -> list[Line]:
    """Oblique projection from the south: cubes farther north are drawn one to the right and one up."""
    cubes = {**scene.cubes, **dict.fromkeys(scene.ghost, _GHOST)}
    west, south = min(map(x_of, cubes)), min(map(y_of, cubes))
    seen: dict[tuple[int, int], str] = {}
    for place in sorted(cubes, key=lambda place: (-y_of(place), z_of(place), x_of(place))):
        depth = y_of(place) - south
        column, row = 2 * (x_of(place) - west) + depth, z_of(place) + depth
        seen[column, row] = seen[column + 1, row] = cubes[place]
        pawn = scene.pawns.get(place)
        if pawn:
            seen[column, row + 1] = pawn
    top, right = max(row for _, row in seen), max(column for column, _ in seen)
    lines = []
    for row in range(top, -1, -1):
        letters = [seen.get((column, row), " ") for column in range(right + 1)]
        lines.append(Line(right + 1, "".join(_render_letter(letter, scene.style) for letter in letters)))
    return lines


def _render_letter(letter: str, style: TextStyle) -> str:
    """A letter on a background of its colour."""
    if letter.upper() in COLOURS and letter.islower():
        return style.chip(letter, _PAINT[letter.upper()], bold=True)
    if letter in _PAINT:
        return style.chip(letter, _PAINT[letter])
    return style.bold(letter) if letter == _GHOST else letter


def _plans(scene: Scene, width: int) -> list[Line]:
    """All floors, the lowest first, wrapped to the width."""
    places = (*scene.cubes, *scene.ghost)
    blocks = [
        _plan(scene, [place for place in places if z_of(place) == z], z) for z in range(max(map(z_of, places)) + 1)
    ]
    return _bands(blocks, width)


def _bands(blocks: Sequence[list[Line]], width: int) -> list[Line]:
    """Blocks side by side, wrapped to the width."""
    bands: list[list[list[Line]]] = [[]]
    used = 0
    for block in blocks:
        across = max(line.width for line in block)
        if bands[-1] and used + _GAP + across > width:
            bands.append([])
            used = 0
        used += across + (_GAP if bands[-1] else 0)
        bands[-1].append(block)
    lines: list[Line] = []
    for number, band in enumerate(bands):
        if number:
            lines.append(Line(0, ""))
        lines += _side_by_side(band)
    return lines


def _side_by_side(blocks: Sequence[Sequence[Line]]) -> list[Line]:
    widths = [max(line.width for line in block) for block in blocks]
    lines = []
    for row in range(max(map(len, blocks))):
        text, used = "", 0
        for block, width in zip(blocks, widths, strict=True):
            line = block[row] if row < len(block) else Line(0, "")
            text += " " * (_GAP * bool(used)) + line.text + " " * (width - line.width)
            used += _GAP * bool(used) + width
        lines.append(Line(used, text))
    return lines


def _plan(scene: Scene, places: Sequence[Cell], z: int) -> list[Line]:
    """One floor, north on top: two letters per cell, the cube and who stands on it, or a mark if it is highlighted."""
    columns = range(min(map(x_of, places)), max(map(x_of, places)) + 1)
    rows = range(max(map(y_of, places)), min(map(y_of, places)) - 1, -1)
    margin = max(len(str(row)) for row in rows)
    title = scene.style.format(say("label.floor", floor=z + 1))
    head = " " * (margin + 1) + "".join(f"{column:<3}" for column in columns).rstrip()
    lines = [Line(len(title), scene.style.bold(title)), Line(len(head), scene.style.dim(head))]
    for row in rows:
        text = scene.style.dim(f"{row:>{margin}}") + " "
        for column in columns:
            text += _square(scene, cell(column, row, z)) + " "
        lines.append(Line(margin + 1 + 3 * len(columns), text))
    return lines


def _square(scene: Scene, place: Cell) -> str:
    letter = _GHOST if place in scene.ghost else scene.cubes.get(place, _EMPTY)
    mark = scene.pawns.get(place) or (">" if place in scene.fields else " ")
    style = scene.style
    if letter == _EMPTY:
        return style.dim(letter) + " "
    if letter == _GHOST:
        return style.bold(letter * 2)
    return style.chip(letter + mark, _PAINT[letter], bold=mark != " ")


def _sides(view: View, audience: Audience, style: TextStyle) -> list[str]:
    names = [name if len(name) <= _NAME else f"{name[: _NAME - 1]}…" for name in audience.names]
    width = max(map(len, names))
    return [line for side in view.sides for line in _side(view, side, names[side.seat], width, style)]


def _side(view: View, side: Side, name: str, width: int, style: TextStyle) -> list[str]:
    mark = ">" if side.colour == view.colour and view.outcome is None else " "
    label = {key: style.format(say(f"label.{key}")) for key in ("height", "rings", "stock", "box")}
    chip = style.chip(f" {side.colour} ", _PAINT[side.colour], bold=True)
    cubes = sum(int(kind[0]) for kind in side.box)
    line = f"{mark}{name:{width}} {chip} {label['height']} {side.height:>2}  {label['rings']} {side.rings}"
    box = f"  {label['box']} {cubes}" if cubes else ""
    stock = f"  {label['stock']} {' '.join(side.stock)}" if side.stock else ""
    across = 1 + width + 5 + len(f"{label['height']} {side.height:>2}  {label['rings']} {side.rings}{box}")
    if across + len(stock) < min(style.width, _WIDEST + 1):
        return [line + box + stock]
    return [line + box, f"  {stock}"]


def _legend(view: View, style: TextStyle) -> list[str]:
    roll = f"{view.roll[0]}+{view.roll[1]}" if view.roll else ""
    chosen = f": {view.chosen}" if view.chosen else ""
    dice = [f" {style.format(say('label.dice'))} {style.bold(roll + chosen)}"] if roll and view.outcome is None else []
    stones = f"   {style.format(say('label.reconstructed'))}" if view.reconstructed else ""
    letters, signs = style.format(say("label.letters")), style.format(say("label.signs"))
    legend = [line for text in (letters, signs + stones) for line in style.wrap(text, " ", 1).split("\n")]
    return [*dice, *map(style.dim, legend)]


def _shapes(view: View, width: int, style: TextStyle, highlights: Sequence[Action]) -> list[str]:
    """The shapes of the highlighted stones, lying flat: their floors side by side, the lowest first."""
    stones = stones_of(view.setup.option("stones"))
    taken = [action.kind for action in highlights if isinstance(action, Pick | Box)]
    blocks = [_shape(stones.kinds[kind], view.colour, style) for kind in dict.fromkeys(taken)]
    return [line.text.rstrip() for line in ([Line(0, ""), *_bands(blocks, width)] if blocks else [])]


def _flatness(orientation: Orientation) -> tuple[int, int, int]:
    high, wide = (max(offset[axis] for offset in orientation.offsets) for axis in (2, 1))
    return high, wide, sum(offset[2] for offset in orientation.offsets)


def _shape(kind: Kind, colour: str, style: TextStyle) -> list[Line]:
    orientation = min(kind.orientations, key=_flatness)
    long, wide, high = (max(offset[axis] for offset in orientation.offsets) + 1 for axis in range(3))
    lines = [Line(len(kind.name), style.bold(kind.name))]
    for y in range(wide - 1, -1, -1):
        floors = []
        for z in range(high):
            letters = [
                (colour if (x + y + z + orientation.odd) % 2 == 0 else _NATURAL)
                if (x, y, z) in orientation.offsets
                else " "
                for x in range(long)
            ]
            floors.append("".join(_render_letter(letter, style) for letter in letters))
        lines.append(Line(high * (long + 1) - 1, " ".join(floors)))
    return lines
