"""SVG markup: elements with escaped attributes and text, and short numbers."""

from __future__ import annotations

import re
from typing import Final, NewType, TypeAlias

Attribute: TypeAlias = str | float | None
Markup = NewType("Markup", str)  # well-formed SVG; text becomes markup only through `escape`

SERIF: Final = (
    "Iowan Old Style,Palatino Linotype,Palatino,URW Palladio L,P052,Book Antiqua,Georgia,Noto Serif,"
    "Liberation Serif,DejaVu Serif,serif"
)
SANS: Final = "system-ui,-apple-system,Segoe UI,Roboto,Noto Sans,Liberation Sans,DejaVu Sans,sans-serif"
_ESCAPES: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_FORBIDDEN: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # not allowed in XML


def escape(text: str) -> Markup:
    """The text as markup; characters that XML does not allow are replaced."""
    return Markup(re.sub('[&<>"]', lambda found: _ESCAPES[found[0]], _FORBIDDEN.sub("\ufffd", text)))


def number(value: float, digits: int = 1) -> str:
    """The number with few digits: "12.5", ".3", "-4"."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    text = text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
    return "0" if text in {"-0", ""} else text


def element(tag: str, *children: Markup, **attributes: Attribute) -> Markup:
    """An element; an underscore in the name of an attribute stands for a hyphen, and None leaves the attribute out."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value, 3)}"'
        for name, value in attributes.items()
        if value is not None
    )
    inner = "".join(children)
    return Markup(f"<{tag}{written}>{inner}</{tag}>" if inner else f"<{tag}{written}/>")


def group(*children: Markup, **attributes: Attribute) -> Markup:
    return element("g", *children, **attributes)


def path(d: str, **attributes: Attribute) -> Markup:
    return element("path", d=d, **attributes)


def place(x: float, y: float, scale: float = 1, digits: int = 1) -> str:
    """A transform that moves the origin to x, y and then scales."""
    moved = f"translate({number(x, digits)} {number(y, digits)})"
    return moved if scale == 1 else f"{moved}scale({number(scale, 3)})"


def label(
    x: float,
    y: float,
    text: str,
    size: float,
    fill: str,
    *,
    anchor: str | None = None,
    weight: int | None = None,
    serif: bool = False,
) -> Markup:
    """A line of text with its baseline at y."""
    return element(
        "text",
        escape(text),
        x=number(x),
        y=number(y),
        font_size=number(size),
        fill=fill,
        text_anchor=anchor,
        font_weight=weight,
        font_family=SERIF if serif else None,
    )


def text_width(text: str, size: float) -> float:
    """An upper estimate of the width of a text in bold, since the font is only known where the picture is shown."""
    return size * sum(map(_letter_width, text)) / 100


def _letter_width(letter: str) -> int:
    """The width of a letter in a wide font, such as DejaVu Serif Bold, if its size is 100.

    Integers, since the sum of floating-point numbers depends on the version of Python.
    """
    if letter in "iljI.,:;'’|! \u00a0\u202f":
        return 38
    if letter in "tfrscz-()":
        return 56
    if letter in "mwMW…—&%" or ord(letter) > 0x2E80:
        return 106
    return 82 if letter.isupper() else 70


def fit(text: str, size: float, width: float) -> str:
    """The text, cut with an ellipsis if it is wider than the width."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def wrap(text: str, size: float, width: float, lines: int) -> list[str]:
    """The text in at most that many lines; the last one ends with an ellipsis if there is more."""
    found: list[str] = [""]
    words = text.split()
    for at, word in enumerate(words):
        longer = f"{found[-1]} {word}".strip()
        if found[-1] and text_width(longer, size) > width:
            if len(found) == lines:
                found[-1] = fit(f"{found[-1]} {' '.join(words[at:])}", size, width)
                return found
            found.append(word)
        else:
            found[-1] = longer
    return [fit(line, size, width) for line in found]
