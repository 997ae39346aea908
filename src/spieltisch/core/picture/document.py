"""SVG documents: a picture as a file of its own, on the wooden table, with a title, a description and a caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from spieltisch.core.picture import HEIGHT, WIDTH, Canvas, Picture, PictureStyle
from spieltisch.core.picture.pieces import stop
from spieltisch.core.picture.svg import SANS, Markup, element, escape, group, label, path, place, wrap

CAPTION: Final = 56  # the height of the strip with the caption
TOTAL: Final = HEIGHT + CAPTION
_GRAIN: Final = (
    "M0 9Q75 5 150 8T300 9M0 24Q90 29 160 25T300 24M0 37Q60 34 130 38T300 37M0 55Q80 60 170 55T300 55M0 68Q100 64 180 69T300 68"
    "M0 86Q70 90 140 86T300 86M0 101Q95 96 170 102T300 101M0 118Q60 121 150 117T300 118M0 136Q85 131 150 136T300 136"
)


def background(canvas: Canvas) -> Markup:
    """The table under the lamp."""
    theme = canvas.theme
    (lamp, bright), (rim, dim), (line, faint) = theme.lamp, theme.rim, theme.grain
    grain = canvas.url(
        "table",
        lambda key: element(
            "pattern",
            path(_GRAIN, fill="none", stroke=line, stroke_opacity=faint * 1.6, stroke_width=1.3),
            path("M0 149.5H300", stroke=theme.shade, stroke_opacity=0.16),
            id=key, width=300, height=150, patternUnits="userSpaceOnUse",
        ),
    )  # fmt: skip
    light = canvas.url(
        "lamp",
        lambda key: element("radialGradient", stop(0, lamp, bright), stop(1, rim, dim), id=key, cx=0.42, cy=0.3, r=0.9),
    )
    whole = {"width": WIDTH, "height": TOTAL, "rx": 14}
    return group(*(element("rect", **whole, fill=fill) for fill in (theme.table, grain, light)))


def caption(canvas: Canvas, text: str) -> Markup:
    """The strip of paper below the table, with a sentence in one or two lines."""
    theme, width = canvas.theme, WIDTH - 32
    size = 19 if len(wrap(text, 19, width - 40, 2)) == 1 else 16
    lines = wrap(text, size, width - 40, 2)
    first = 30 if len(lines) == 1 else 21
    return group(
        element("rect", y=2.5, width=width, height=48, rx=10, fill=theme.shade, fill_opacity=0.2),
        element("rect", width=width, height=48, rx=10, fill=theme.paper, stroke=theme.line),
        *(label(20, first + at * 19, line, size, theme.ink, weight=600, serif=True) for at, line in enumerate(lines)),
        transform=place(16, HEIGHT - 4),
    )


def document(body: Sequence[Markup], definitions: Mapping[str, Markup], title: str, description: str) -> str:
    """A self-contained SVG document that a screen reader can read aloud."""
    return (
        element(
            "svg",
            element("title", escape(title)),
            element("desc", escape(description)),
            element("defs", *_lines(list(definitions.values()))),
            *_lines(body),
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {WIDTH} {TOTAL}",
            width=WIDTH,
            height=TOTAL,
            role="img",
            font_family=SANS,
        )
        + "\n"
    )


def _lines(parts: Sequence[Markup]) -> list[Markup]:
    """The parts on lines of their own, so that a difference between two pictures can be read."""
    return [Markup(f"\n{part}") for part in parts]


def still(picture: Picture, style: PictureStyle, title: str, description: str, text: str) -> str:
    """A picture of one position as an SVG document; `text` is its caption."""
    canvas = Canvas(style)
    frame = [background(canvas), *(shape.markup for shape in picture.shapes), caption(canvas, text)]
    return document(frame, {**canvas.picture().definitions, **picture.definitions}, title, description)
