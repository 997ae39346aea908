"""Name plates of the seats: a sheet of paper with the name, the points, and a mark for whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from spieltisch.core.picture import SEATS, Box, Canvas
from spieltisch.core.picture.pieces import disc, face, glow, pawn, shadow
from spieltisch.core.picture.svg import Markup, element, fit, group, label, number, path, place

_GAP: Final = 10
_HEAD: Final = 54  # the height of the line with the name
_PAD: Final = 14
LAYER: Final = 40.0
STAR: Final = "M0-9L2.6-3.4L8.7-2.7L4.2 1.5L5.4 7.5L0 4.5L-5.4 7.5L-4.2 1.5L-8.7-2.7L-2.6-3.4Z"


class Plate(NamedTuple):
    """What a name plate says: the name, a number, a note below the name, and the colour of a pawn instead of a coin."""

    name: str
    points: str
    note: str = ""
    to_move: bool = False
    won: bool = False
    pawn: str | None = None


def plates(canvas: Canvas, seats: Sequence[Plate], content: float) -> list[Box]:
    """Draws a plate per seat, one below the other; returns the room in each for the game's own drawing.

    `content` is the height that this needs; it gets less if there are many seats.
    """
    room = (SEATS.height + _GAP) / len(seats) - _GAP
    height = min(room, _HEAD + content + _PAD)
    boxes = []
    for number_, seat in enumerate(seats):
        y = SEATS.y + number_ * (height + _GAP)
        canvas.add(_plate(canvas, seat, Box(SEATS.x, y, SEATS.width, height)), LAYER)
        boxes.append(Box(SEATS.x + _PAD, y + _HEAD, SEATS.width - 2 * _PAD, height - _HEAD - _PAD))
    return boxes


def _plate(canvas: Canvas, seat: Plate, box: Box) -> Markup:
    theme, width, height = canvas.theme, box.width, box.height
    parts = [
        element("rect", y=2.5, width=width, height=number(height), rx=10, fill=theme.shade, fill_opacity=0.2),
        element(
            "rect", width=width, height=number(height), rx=10, fill=theme.paper_2 if seat.to_move else theme.paper,
            stroke=theme.ink if seat.to_move else theme.line, stroke_width=2.4 if seat.to_move else 1,
        ),
    ]  # fmt: skip
    if seat.to_move:
        parts.append(
            path("M-11 18L5 29L-11 40Z", fill=theme.trail, stroke=theme.ink, stroke_width=2, stroke_linejoin="round")
        )
    parts.append(_token(canvas, seat))
    points = 21 * len(seat.points) + 10
    name = fit(seat.name, 17, width - 62 - _PAD - points)
    parts += [
        label(62, 26 if seat.note else 34, name, 17, theme.ink, weight=600),
        label(width - _PAD, 39, seat.points, 29, theme.ink, anchor="end", weight=700, serif=True),
    ]
    if seat.note:
        parts.append(label(62, 45, fit(seat.note, 13, width - 62 - _PAD - points), 13, theme.ink_2))
    return group(*parts, transform=place(box.x, box.y))


def _token(canvas: Canvas, seat: Plate) -> Markup:
    """The seat's pawn, or a wooden coin with an initial; a star on it for a winner."""
    parts = []
    if seat.to_move or seat.won:
        parts.append(element("circle", cx=34, cy=29, r=32, fill=glow(canvas)))
    if seat.pawn:
        parts.append(pawn(canvas, seat.pawn, 34, 45, 38))
    else:
        parts += [
            disc(canvas, "natural", 34, 28, 19),
            label(34, 34.5, seat.name[:1].upper(), 18, "#5a3d14", anchor="middle", weight=700, serif=True),
        ]
    if seat.won:
        star = path(STAR, fill=canvas.theme.trail, stroke=canvas.theme.ink, stroke_width=1.3, stroke_linejoin="round")
        parts.append(group(star, transform=place(50, 44)))
    return group(*parts)


def rack(canvas: Canvas, x: float, y: float, width: float) -> Markup:
    """A wooden ledge that pieces stand on; y is its upper edge."""
    theme = canvas.theme
    return group(
        element("ellipse", cx=number(width / 2), cy=9, rx=number(width / 2), ry=5, fill=shadow(canvas), opacity=0.5),
        element("rect", width=number(width), height=8, rx=4, fill=theme.wheel_rim),
        element("rect", width=number(width), height=3, rx=1.5, fill=face(canvas, "natural"), opacity=0.8),
        transform=place(x, y),
    )
