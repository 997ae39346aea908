"""The wooden board of Rondo in a picture: a wheel, or wood along the links of another board, and its printed fields."""

from __future__ import annotations

from math import hypot
from typing import Final

from spieltisch.core.picture import Canvas
from spieltisch.core.picture.palette import SYMBOLS, mix
from spieltisch.core.picture.pieces import disc
from spieltisch.core.picture.svg import Attribute, Markup, element, group, label, number, path
from spieltisch.games.rondo.board import CENTRE
from spieltisch.games.rondo.picture.layout import Layout, polar, position

_SHADOWS: Final = ((0.1, 0.34, 0.1, 0.1), (0.06, 0.24, 0, 0.16), (0.04, 0.18, -0.04, 0.2))  # x, y, wider, opacity
_PETAL: Final = "M0-.14L.13-.42L0-.66L-.13-.42Z"
_ORNAMENTS: Final = {  # in widths of a field: the size of the symbol, the baseline of the digits, and their size
    "blue": (0.78, 0.2, 0.38),
    "red": (0.72, 0.11, 0.38),
    "yellow": (0.82, 0.16, 0.36),
    "green": (0.78, 0.19, 0.38),
    "purple": (0.84, 0.135, 0.38),
}
_NARROWER: Final = (1, 1, 1.3, 1.75, 2.2)  # by the number of digits


def xy(x: float, y: float) -> str:
    return f"{number(x, 3)} {number(y, 3)}"


def frame(canvas: Canvas, layout: Layout) -> Markup:
    """The wood without its fields, in widths of a field, its middle at the origin."""
    theme = canvas.theme
    parts = [
        group(_body(layout, theme.shade, wider), opacity=opacity, transform=f"translate({xy(x, y)})")
        for x, y, wider, opacity in _SHADOWS
    ]
    parts += [
        group(_body(layout, mix(theme.wheel_rim, "#2a1400", 0.38), 0), transform="translate(0 .12)"),
        _body(layout, theme.wheel_rim, 0),
        _inlay(layout, theme.wheel_paper),
        path(_links(layout), fill="none", stroke=mix(theme.wheel_paper, theme.wheel_rim, 0.55), stroke_width=0.07),
        _hub(canvas, layout),
    ]
    return group(*parts)


def _line(colour: str, width: float) -> dict[str, Attribute]:
    return {
        "fill": "none",
        "stroke": colour,
        "stroke_width": width,
        "stroke_linecap": "round",
        "stroke_linejoin": "round",
    }


def _body(layout: Layout, colour: str, wider: float) -> Markup:
    if not layout.is_wheel:
        return path(_links(layout), **_line(colour, 1.3 + wider))
    rings = [
        element("circle", r=radius, **_line(colour, width + wider))
        for letter, radius, width in (("O", 5.1, 1.46), ("I", 2.55, 1.26))
        if _has(layout, letter)
    ]
    return group(*rings, path(_bars(layout, 0.6, 0), fill=colour), element("circle", r=0.84, fill=colour))


def _inlay(layout: Layout, colour: str) -> Markup:
    if not layout.is_wheel:
        return path(_links(layout), **_line(colour, 1.04))
    rings = [
        element("circle", r=radius, **_line(colour, 1.14))
        for letter, radius in (("O", 5.1), ("I", 2.55))
        if _has(layout, letter)
    ]
    return group(*rings, path(_bars(layout, 0.52, 0.2), fill=colour))


def _has(layout: Layout, letter: str) -> bool:
    return any(name[0] == letter for name in layout.spots)


def _bars(layout: Layout, half: float, shorter: float) -> str:
    """The bars from the hub to the inner ring, and from there to the outer one."""
    drawn = []
    for name in layout.spots:
        if name[0] not in "AK":
            continue
        angle = position(name)[1]
        inner = _has(layout, "I")
        near = 0.6 if name[0] == "A" else 2.55 if inner else 3.3
        far = (2.55 if inner else 1.8) if name[0] == "A" else 5.1 if _has(layout, "O") else 4.3
        (ax, ay), (bx, by), (sx, sy) = (
            polar(near + shorter, angle),
            polar(far - shorter, angle),
            polar(half, angle + 90),
        )
        corners = (ax - sx, ay - sy), (bx - sx, by - sy), (bx + sx, by + sy), (ax + sx, ay + sy)
        drawn.append("M" + "L".join(xy(*corner) for corner in corners) + "Z")
    return "".join(drawn)


def _links(layout: Layout) -> str:
    return "".join(f"M{xy(*layout.spots[one])}L{xy(*layout.spots[other])}" for one, other in layout.links)


def _hub(canvas: Canvas, layout: Layout) -> Markup:
    x, y = layout.spots[CENTRE]
    others = [hypot(ox - x, oy - y) - 0.48 for name, (ox, oy) in layout.spots.items() if name != CENTRE]
    radius = min(0.8, *others) if len(others) > 1 else 0.8
    petals = [
        path(_PETAL, transform=f"rotate({turn})", opacity=0.45 if turn % 90 else 0.85) for turn in range(0, 360, 45)
    ]
    return group(
        disc(canvas, "natural", 0, 0, radius, shaded=False),
        group(*petals, element("circle", r=0.1), fill="#8a5a22", transform=f"scale({number(radius / 0.8, 3)})"),
        transform=f"translate({xy(x, y)})",
    )


def tile(canvas: Canvas, layout: Layout, name: str) -> Markup:
    """The hatched tile under a grey field: a section of the outer ring, or a square."""
    theme = canvas.theme
    if layout.is_wheel and name[0] == "O":
        angle = position(name)[1]
        corners = [
            polar(radius, angle + side) for radius, side in ((5.66, -5.2), (5.66, 5.2), (4.54, 5.2), (4.54, -5.2))
        ]
        a, b, c, d = (xy(*corner) for corner in corners)
        shape = f"M{a}A5.66 5.66 0 0 1 {b}L{c}A4.54 4.54 0 0 0 {d}Z"
    else:
        x, y = layout.spots[name]
        shape = f"M{xy(x - 0.54, y - 0.54)}h1.08v1.08h-1.08Z"
    hatch = canvas.url(
        "hatch",
        lambda key: element(
            "pattern", path("M0 0V.1", stroke=theme.hatch, stroke_width=0.03, stroke_opacity=0.28),
            id=key, width=0.1, height=0.1, patternUnits="userSpaceOnUse", patternTransform="rotate(45)",
        ),
    )  # fmt: skip
    edge: dict[str, Attribute] = {"stroke": theme.grey_line, "stroke_width": 0.026, "stroke_linejoin": "round"}
    return group(path(shape, fill=theme.grey_tile), path(shape, fill=hatch, **edge))


def printed(canvas: Canvas, colour: str, value: int, x: float, y: float) -> Markup:
    """A printed field: the symbol of its colour with its value inside."""
    return canvas.use(
        f"field-{colour}-{value}", lambda key: _printed(canvas, key, colour, value), f"translate({xy(x, y)})"
    )


def _printed(canvas: Canvas, key: str, colour: str, value: int) -> Markup:
    coat, (size, base, type_size) = canvas.paint(colour), _ORNAMENTS[colour]
    digits = str(value)
    ornament = path(
        SYMBOLS[colour],
        fill=coat.solid,
        fill_rule="evenodd",
        stroke=coat.edge,
        stroke_opacity=0.9 if colour == "yellow" else 0.5,
        stroke_width=0.48 / size,
        stroke_linejoin="round",
        transform=f"translate({xy(-size / 2, -size / 2)})scale({number(size / 24, 4)})",
    )
    # Fonts are not scaled well below one pixel: the digits are drawn large and made smaller.
    text = label(0, base * 100, digits, type_size * 100 / _NARROWER[len(digits)], coat.on, anchor="middle", weight=800)
    return group(
        element("circle", r=0.43, fill=coat.tint, stroke=coat.edge, stroke_opacity=0.32, stroke_width=0.018),
        ornament,
        group(text, transform="scale(.01)"),
        id=key,
    )
