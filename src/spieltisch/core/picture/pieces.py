"""Drawn pieces that games share: discs, pawns, rings, badges, and the gradients that light them."""

from __future__ import annotations

from typing import Final

from spieltisch.core.picture import Canvas
from spieltisch.core.picture.palette import SYMBOLS, WOOD_DARK, mix, shades
from spieltisch.core.picture.svg import Markup, element, group, label, number, path, place

_GRAIN: Final = {"black": 0.3, "back": 0.3, "white": 0.06, "natural": 0.14}
_GRAIN_LINES: Final = (
    "M0 .05q.6-.06 1.2 0t1.2 0M.3 .13q.4.05.8.01t.9.02M0 .27q.5.06 1.1.01t1.3-.01M.6 .35q.5-.04 1 .01M0 .42q.35-.03.7.01"
    "M1.2 .46q.6.05 1.2-.01M0 .55q.6-.07 1.2-.01t1.2.01M.2 .63q.6.04 1.1 0M0 .75q.6.06 1.2.01t1.2-.01M.5 .83q.5-.05.9 0t.7.01"
    "M1 .94q.7-.06 1.4 0M0 1.02q.6.05 1.2 0t1.2 0M.4 1.11q.6-.05 1.1.01"
)
_SACK: Final = "M-17-30Q0-24 17-30L13-22Q36 4 27 26Q22 34 0 34Q-22 34-27 26Q-36 4-13-22Z"
_PAWN: Final = (
    "M-.36-.06C-.36 .1 .36 .1 .36-.06C.36-.2 .155-.34 .12-.56L.2-.6Q.2-.645 .12-.65H-.12Q-.2-.645-.2-.6"
    "L-.12-.56C-.155-.34-.36-.2-.36-.06Z"
)


def stop(offset: float, colour: str, opacity: float | None = None) -> Markup:
    return element("stop", offset=offset, stop_color=colour, stop_opacity=opacity)


def shadow(canvas: Canvas) -> str:
    """The fill of a soft shadow."""
    colour, near, far = canvas.theme.piece_shade
    return canvas.url(
        "shadow",
        lambda key: element(
            "radialGradient", stop(0, colour, near), stop(0.62, colour, far), stop(1, colour, 0), id=key
        ),
    )


def glow(canvas: Canvas) -> str:
    """The fill of the lamp's pool of light."""
    colour, (near, far) = canvas.theme.glow, canvas.theme.piece_glow
    return canvas.url(
        "glow",
        lambda key: element(
            "radialGradient", stop(0, colour, near), stop(0.55, colour, far), stop(1, colour, 0), id=key
        ),
    )


def face(canvas: Canvas, colour: str) -> str:
    """The fill of a turned face under the lamp."""
    shade, solid = shades(colour), canvas.paint(colour).solid
    return canvas.url(
        f"face-{colour}",
        lambda key: element(
            "radialGradient",
            stop(0, shade.bright),
            stop(0.5, solid),
            stop(1, shade.dim),
            id=key,
            cx=0.36,
            cy=0.26,
            r=0.86,
        ),
    )


def grain(canvas: Canvas) -> str:
    """The fill of wood grain; one unit is the radius of a piece, or the edge of a cube."""
    return canvas.url(
        "grain",
        lambda key: element(
            "pattern",
            path(_GRAIN_LINES, fill="none", stroke="#2a1400", stroke_width=0.022),
            id=key,
            width=2.4,
            height=1.2,
            patternUnits="userSpaceOnUse",
            patternTransform="rotate(-18)",
        ),
    )


def _gloss(canvas: Canvas) -> str:
    stops = stop(0, "#fff", 0.75), stop(0.45, "#fff", 0.08), stop(1, "#000", 0.18)
    return canvas.url("gloss", lambda key: element("linearGradient", *stops, id=key, x1=0.2, y1=0, x2=0.7, y2=1))


def symbol(colour: str, x: float, y: float, size: float, fill: str, digits: int = 1) -> Markup:
    """The symbol of a colour, centred."""
    return path(
        SYMBOLS[colour],
        fill=fill,
        fill_rule="evenodd",
        transform=f"translate({number(x - size / 2, digits)} {number(y - size / 2, digits)})scale({number(size / 24, 4)})",
    )


def disc(
    canvas: Canvas, colour: str, x: float, y: float, r: float, *, marked: bool = True, shaded: bool = True
) -> Markup:
    """A turned wooden disc, lying flat, with the symbol of its colour unless it is not to be marked."""
    name = f"disc-{colour}{'' if marked else '-plain'}{'' if shaded else '-flat'}"
    return canvas.use(name, lambda key: _disc(canvas, key, colour, marked, shaded), place(x, y, r))


def _disc(canvas: Canvas, key: str, colour: str, marked: bool, shaded: bool) -> Markup:
    coat, shade, dark = canvas.paint(colour), shades(colour), colour in {"black", "back"}
    parts = [element("ellipse", cx=0.08, cy=0.25, rx=1.16, ry=1.12, fill=shadow(canvas))] if shaded else []
    parts += [
        element("circle", cy=0.13, r=1, fill=shade.side),
        element("circle", r=1, fill=face(canvas, colour)),
        element("circle", r=1, fill=grain(canvas), opacity=_GRAIN.get(colour, 0.1)),
        group(
            element("circle", r=0.8, stroke=shade.groove, stroke_opacity=0.55, stroke_width=0.04),
            element("circle", cy=0.03, r=0.8, stroke="#fff", stroke_opacity=0.16 if dark else 0.28, stroke_width=0.03),
            element("circle", r=0.955, stroke=_gloss(canvas), stroke_width=0.07, opacity=0.5 if dark else 0.8),
            path("M-1 0V.13A1 1 0 0 0 1 .13V0A1 1 0 0 0-1 0Z", stroke=coat.edge, stroke_width=0.05),
            fill="none",
        ),
    ]
    if marked and colour in SYMBOLS:
        engraved = element("g", symbol(colour, 0, 0.03, 1.06, "#fff", 3), opacity=0.9 if colour == "white" else 0.22)
        parts += [engraved, symbol(colour, 0, 0, 1.06, coat.on, 3)]
    return group(*parts, id=key)


def pawn(canvas: Canvas, colour: str, x: float, y: float, h: float, *, shaded: bool = True) -> Markup:
    """A turned wooden pawn of height h, the middle of its base at x, y."""
    name = f"pawn-{colour}{'' if shaded else '-flat'}"
    return canvas.use(name, lambda key: _pawn(canvas, key, colour, shaded), place(x, y, h))


def _pawn(canvas: Canvas, key: str, colour: str, shaded: bool) -> Markup:
    coat, bright = canvas.paint(colour), shades(colour).bright
    far = mix(coat.solid, WOOD_DARK, 0.34)
    glint = mix(coat.solid, "#ffffff", 0.4 if colour in {"black", "back"} else 0.55)
    body = canvas.url(
        f"body-{colour}",
        lambda key: element(
            "linearGradient",
            stop(0, mix(coat.solid, WOOD_DARK, 0.12)),
            stop(0.3, bright),
            stop(0.55, coat.solid),
            stop(1, far),
            id=key,
        ),
    )
    head = canvas.url(
        f"head-{colour}",
        lambda key: element(
            "radialGradient", stop(0, glint), stop(0.45, coat.solid), stop(1, far), id=key, cx=0.36, cy=0.3, r=0.75
        ),
    )
    rim = canvas.theme.pawn_rim or mix(coat.solid, "#ffffff", 0.55)
    parts = [element("ellipse", cx=0.16, cy=0.05, rx=0.5, ry=0.19, fill=shadow(canvas))] if shaded else []
    parts += [
        group(path(_PAWN), element("circle", cy=-0.8, r=0.185), stroke=rim, stroke_width=0.09, stroke_linejoin="round"),
        group(
            path(_PAWN, fill=body),
            element("circle", cy=-0.8, r=0.185, fill=head),
            stroke=mix(coat.solid, "#140800", 0.5),
            stroke_width=0.02,
        ),
        element("ellipse", cy=-0.615, rx=0.17, ry=0.028, fill="#fff", opacity=0.22),
        path(
            "M-.255-.13C-.225-.22-.11-.33-.085-.51",
            fill="none",
            stroke="#fff",
            stroke_opacity=0.3,
            stroke_width=0.035,
            stroke_linecap="round",
        ),
    ]
    if colour in SYMBOLS:
        parts.append(symbol(colour, 0, -0.14, 0.34, coat.on, 3))
    return group(*parts, id=key)


def ring(canvas: Canvas, x: float, y: float, r: float, *, dashed: bool = False) -> Markup:
    """A ring of light around a piece of radius r: this is what changed."""
    width = max(2.2, 0.1 * r)
    at, outer = place(x, y), r + width / 2 + 0.5
    dash = f"{number(0.3 * r)} {number(0.26 * r)}" if dashed else None
    return group(
        element("circle", r=number(outer), stroke=canvas.theme.lit_line, stroke_width=number(width + 2)),
        element("circle", r=number(outer), stroke=canvas.theme.lit, stroke_width=number(width), stroke_dasharray=dash),
        fill="none",
        transform=at,
    )


def badge(canvas: Canvas, x: float, y: float, r: float, text: str) -> Markup:
    """A number in a small circle of paper."""
    theme = canvas.theme
    return group(
        element("circle", r=number(r), fill=theme.paper, stroke=theme.ink, stroke_width=1.2),
        label(0, r * 0.46, text, r * (1.28 if len(text) < 2 else 1.08), theme.ink, anchor="middle", weight=700),
        transform=place(x, y),
    )


def bag(canvas: Canvas, x: float, y: float, scale: float = 1) -> Markup:
    """A tied bag."""
    theme = canvas.theme
    return group(
        element("ellipse", cx=3, cy=31, rx=33, ry=7, fill=shadow(canvas), opacity=0.7),
        path(_SACK, fill=theme.wheel_rim, stroke=mix(theme.wheel_rim, theme.ink, 0.45), stroke_width=2),
        path("M-14-21Q0-15 14-21", fill="none", stroke=mix(theme.wheel_rim, theme.ink, 0.7), stroke_width=3),
        transform=place(x, y, scale),
    )
