"""Pictures of Turmbauer: the tower on its turntable, the dice, and the stones that every side has left."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from spieltisch.core.picture import BOARD, Box, Canvas, Picture, PictureStyle
from spieltisch.core.picture.cubes import Cell, Cube, bounds, cubes
from spieltisch.core.picture.seats import LAYER, Plate, plates
from spieltisch.core.picture.svg import Markup, element, group, label, place
from spieltisch.games.turmbauer.phrases import say
from spieltisch.games.turmbauer.picture.tower import COLOURS, draw_rod, draw_tower
from spieltisch.games.turmbauer.state import RINGS, Phase
from spieltisch.games.turmbauer.view import Side, View
from spieltisch.i18n.message import Audience

_PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_COLUMNS: Final = 6


def draw(view: View, audience: Audience, style: PictureStyle, before: View | None) -> Picture:
    """The table; the stone that was built in the last turn has an edge of light, and the pawn that moved stands in it."""
    canvas = Canvas(style)
    draw_tower(canvas, view, before)
    draw_rod(canvas, view)
    if view.phase is not Phase.OVER:
        _draw_dice(canvas, view)
    _draw_sides(canvas, view, audience)
    return canvas.picture()


def _draw_dice(canvas: Canvas, view: View) -> None:
    """The roll, and the stone that is being built."""
    x, y = BOARD.x + BOARD.width - 26, BOARD.y + 26
    for at, value in enumerate(reversed(view.roll or ())):
        canvas.add(group(_die(value), transform=place(x - 46 * at, y)), 30)
    if view.chosen is not None:
        theme, box = canvas.theme, Box(x - 66, y + 34, 86, 76)
        sheet = element(
            "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=10, fill=theme.paper, stroke=theme.ink,
            stroke_width=2,
        )  # fmt: skip
        canvas.add(sheet, 30)
        canvas.add(stone(canvas, view, view.chosen, view.colour, box, 15), 31)


def _die(value: int) -> Markup:
    return group(
        element("rect", x=-19, y=-16, width=38, height=38, rx=9, fill="#b89b68"),
        element("rect", x=-19, y=-19, width=38, height=38, rx=9, fill="#fffaf0", stroke="#8d6830", stroke_width=1.3),
        *(element("circle", cx=10 * x, cy=10 * y, r=3.8, fill="#2a2018") for x, y in _PIPS[value]),
    )


def _draw_sides(canvas: Canvas, view: View, audience: Audience) -> None:
    seats = [
        Plate(
            audience.names[side.seat],
            str(side.height),
            " ",
            to_move=side.colour == view.colour and view.phase is not Phase.OVER,
            won=view.outcome is not None and view.outcome.ranks[side.seat] == 1,
            pawn=COLOURS[side.colour],
        )
        for side in view.sides
    ]
    for side, box in zip(view.sides, plates(canvas, seats, 84), strict=True):
        _draw_rings(canvas, side, box)
        width, height = box.width / _COLUMNS, box.height / 2
        for at, kind in enumerate(sorted(side.stock)):
            row, column = divmod(at, _COLUMNS)
            room = Box(box.x + column * width, box.y + row * height + 4, width, height)
            canvas.add(stone(canvas, view, kind, side.colour, room, 9), LAYER + 2)


def _draw_rings(canvas: Canvas, side: Side, box: Box) -> None:
    """The rings below the name, spent ones dashed; then the number of cubes in the box."""
    theme, coat = canvas.theme, canvas.paint(COLOURS[side.colour])
    for at in range(RINGS):
        x, y = box.x + 56 + 20 * at, box.y - 13
        if at < side.rings:
            parts = [
                element("circle", r=5.4, stroke=coat.edge, stroke_width=5.8),
                element("circle", r=5.4, stroke=coat.solid, stroke_width=3.8),
            ]
        else:
            parts = [element("circle", r=6, stroke=theme.edge, stroke_width=1.4, stroke_dasharray="2 2")]
        canvas.add(group(*parts, fill="none", transform=place(x, y)), LAYER + 1)
    boxed = sum(int(kind[0]) for kind in side.box)
    if boxed:
        text = f"{canvas.style.format(say('label.box'))} {boxed}"
        canvas.add(label(box.x + 92, box.y - 8, text, 13, theme.ink_2), LAYER + 1)


def stone(canvas: Canvas, view: View, kind: str, colour: str, box: Box, largest: float) -> Markup:
    """A stone as it lies in the stock, as large as it fits into the box."""
    cells = _shape(view.setup.option("stones"), kind, COLOURS[colour])
    left, top, right, bottom = bounds(cells)
    edge = min(largest, (box.width - 4) / (right - left), (box.height - 4) / (bottom - top))
    x = box.x + box.width / 2 - (left + right) / 2 * edge
    y = box.y + box.height / 2 - (top + bottom) / 2 * edge
    return canvas.use(
        f"stone-{kind}-{colour}",
        lambda key: group(*(markup for _, markup in sorted(cubes(canvas, cells, 1, 0, 0))), id=key),
        place(x, y, edge),
    )


@lru_cache(maxsize=256)
def _shape(document: str, kind: str, colour: str) -> dict[Cell, Cube]:
    """The cubes of a kind of stone, in the document or in the built-in set for ''."""
    text = document or (Path(__file__).parents[1] / "stones.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["kinds"][kind]
    odd = 1 if found.get("natural") else 0
    return {(x, y, z): Cube(colour if (x + y + z) % 2 == odd else "natural", 0) for x, y, z in found["cells"]}
