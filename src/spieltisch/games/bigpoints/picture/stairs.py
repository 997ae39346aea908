"""The staircase in a picture: five steps with their values, and the trough with the discs beside it."""

from __future__ import annotations

from typing import Final, NamedTuple

from spieltisch.core.picture import BOARD, Canvas
from spieltisch.core.picture.pieces import disc, shadow, symbol
from spieltisch.core.picture.svg import Attribute, Markup, element, group, label, number, path, place
from spieltisch.games.bigpoints.picture.track import Layout
from spieltisch.games.bigpoints.state import LETTERS, PAWNS
from spieltisch.games.bigpoints.view import View

COLOURS: Final = dict(zip(LETTERS, ("blue", "red", "yellow", "green", "purple", "white", "black"), strict=True))
TOP: Final = 10  # room for the head of a pawn in the highest row
STEP_PAWN: Final = 0.96  # the height of a pawn on a step, in diameters of a disc

# In diameters of a disc.
_BASE, _FIRST, _RISE, _DX, _DY, _WIDTH = 2.62, 0.42, 0.3, 0.15, 0.24, 0.85
_TROUGH_Y, _TROUGH_HEIGHT, _TROUGH_WIDTH = 3.0, 0.56, 4.4


class Wood(NamedTuple):
    """The colours of the staircase."""

    tread: str
    front: str
    odd: str
    flank: str
    carved: str
    rim: str


_LIGHT: Final = Wood("#f5deb1", "#d6b072", "#e2c083", "#a67e45", "#4a2e12", "#7a5a2a")
_DARK: Final = Wood("#d9b47a", "#ab854c", "#ba945c", "#6f5330", "#24160a", "#f1d8a8")


def base_on_step(layout: Layout, value: int) -> tuple[float, float]:
    """The middle of the base of a pawn on the step with this value."""
    d = layout.d
    top = layout.stairs.y + (_BASE - _FIRST - value * _RISE) * d
    return layout.stairs.x + ((value + 0.5) * _WIDTH + _DX / 2) * d, top - 0.36 * _DY * d


def draw_stairs(canvas: Canvas, view: View, layout: Layout) -> None:
    """The steps, the value of each, the next free one, the discs that wait, and how many black discs were handed in."""
    if not view.steps:
        return
    d, wood = layout.d, _DARK if canvas.style.dark else _LIGHT
    x, y = BOARD.x + layout.stairs.x, BOARD.y + TOP + layout.stairs.y
    parts = [
        element(
            "ellipse", cx=number(2.32 * d), cy=number((_BASE + 0.02) * d), rx=number(2.46 * d), ry=number(0.16 * d),
            fill=shadow(canvas), opacity=0.8,
        )
    ]  # fmt: skip
    parts += [_step(wood, value, d) for value in range(5)]
    canvas.add(group(*parts, transform=place(x, y)), 15)
    free = [step.value for step in view.steps if step.pawn is None]
    if free:
        canvas.add(group(_next_step(canvas, wood, free[0], d), transform=place(x, y)), 16)
    _draw_trough(canvas, view, x, y, d)
    if view.handed_in:
        canvas.add(disc(canvas, "black", x + 0.3 * d, y + 0.5 * d, 0.26 * d), 16)
        canvas.add(label(x + 0.68 * d, y + 0.6 * d, f"× {view.handed_in}", 0.3 * d, canvas.theme.ink, weight=600), 16)


def _step(wood: Wood, value: int, d: float) -> Markup:
    left, width, dx, dy = value * _WIDTH * d, _WIDTH * d, _DX * d, _DY * d
    height = (_FIRST + value * _RISE) * d
    top = _BASE * d - height
    line: dict[str, Attribute] = {"stroke": wood.rim, "stroke_width": 1, "stroke_linejoin": "round"}
    n = number
    parts = [path(f"M{n(left)} {n(top)}l{n(dx)} {n(-dy)}h{n(width)}l{n(-dx)} {n(dy)}Z", fill=wood.tread, **line)]
    if value == 4:
        side = f"M{n(left + width)} {n(top)}l{n(dx)} {n(-dy)}v{n(height)}l{n(-dx)} {n(dy)}Z"
        parts.append(path(side, fill=wood.flank, **line))
    parts += [
        element(
            "rect", x=n(left), y=n(top), width=n(width), height=n(height), fill=wood.odd if value % 2 else wood.front,
            **line,
        ),
        path(f"M{n(left + 1)} {n(top + 1.2)}h{n(width - 2)}", stroke="#fff", stroke_opacity=0.6, stroke_width=1.4),
        label(left + width / 2, (_BASE - 0.1) * d, str(value), 0.3 * d, wood.carved, anchor="middle", weight=700, serif=True),
    ]  # fmt: skip
    return group(*parts)


def _next_step(canvas: Canvas, wood: Wood, value: int, d: float) -> Markup:
    """The tread of the next free step, lit."""
    left, top, n = value * _WIDTH * d, (_BASE - _FIRST - value * _RISE) * d, number
    across, dx, dy = _WIDTH * d, _DX * d, _DY * d
    tread = f"M{n(left + 2)} {n(top - 1)}l{n(dx)} {n(2 - dy)}h{n(across - 4)}l{n(-dx)} {n(dy - 2)}Z"
    return path(tread, fill=canvas.theme.glow, stroke=wood.carved, stroke_width=1.2, stroke_dasharray="3 2.5")


def _draw_trough(canvas: Canvas, view: View, x: float, y: float, d: float) -> None:
    """A disc per pawn that is under way; the symbol and value of each that has arrived."""
    theme, height, middle = canvas.theme, _TROUGH_HEIGHT * d, y + _TROUGH_Y * d
    box = element(
        "rect", x=number(x), y=number(middle - height / 2), width=number(_TROUGH_WIDTH * d), height=number(height),
        rx=number(height / 2), fill=theme.groove, opacity=0.7,
    )  # fmt: skip
    canvas.add(box, 15)
    worth = {step.pawn: step.value for step in view.steps if step.pawn}
    for at in PAWNS:
        letter, colour, spot = LETTERS[at], COLOURS[LETTERS[at]], x + _TROUGH_WIDTH * d * (at + 0.5) / 5
        if letter in view.beside:
            canvas.add(disc(canvas, colour, spot, middle - 0.02 * d, 0.25 * d), 16, at)
        elif letter in worth:
            ink = canvas.paint(colour).ink
            mark = symbol(colour, spot - 0.16 * d, middle, 0.28 * d, ink)
            value = label(
                spot + 0.15 * d,
                middle + 0.1 * d,
                str(worth[letter]),
                0.3 * d,
                ink,
                anchor="middle",
                weight=700,
                serif=True,
            )
            canvas.add(group(mark, value), 16, at)
