"""Rendering in the terminal: the text style that games draw with, and the protocol of a game's renderer."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import Audience, Message

_CHIPS: Final = {  # foreground and background: readable on light and dark terminals alike
    "black": "97;40", "red": "97;41", "green": "30;42", "yellow": "30;43", "blue": "97;44", "purple": "97;45",
    "white": "30;107", "grey": "30;100", "brown": "97;48;5;94", "natural": "30;48;5;223",
}  # fmt: skip
_CODES: Final = {
    "black": "30", "red": "31", "green": "32", "yellow": "33", "blue": "34", "purple": "35", "white": "37",
    "grey": "90", "brown": "38;5;137", "natural": "38;5;223",
}  # fmt: skip


A_in = TypeVar("A_in", contravariant=True)
V_in = TypeVar("V_in", contravariant=True)


class Renderer(Protocol[A_in, V_in]):
    """A game's text renderer: the function `render` in its render.py."""

    def __call__(self, view: V_in, audience: Audience, style: TextStyle, highlights: Sequence[A_in]) -> Sequence[str]:
        """The table as lines, with marks that show what the choices in `highlights` would do."""
        ...


class TextStyle(NamedTuple):
    """Text style of a terminal: whether it has colours, how wide it is, and the language."""

    colour: bool
    width: int
    language: str

    def paint(self, text: str, colour: str, *, bold: bool = False) -> str:
        """The text in a colour, or unchanged if colours are off, so the letters must carry the same information."""
        return f"\x1b[{'1;' * bold}{_CODES[colour]}m{text}\x1b[0m" if self.colour else text

    def chip(self, text: str, colour: str, *, bold: bool = False) -> str:
        """The text on a background of the colour: a disc, a stone, a pawn."""
        return f"\x1b[{'1;' * bold}{_CHIPS[colour]}m{text}\x1b[0m" if self.colour else text

    def bold(self, text: str) -> str:
        """The text in bold."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def dim(self, text: str) -> str:
        """The text in a fainter colour."""
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text

    def wrap(self, text: str, first: str = "", indent: int = 0) -> str:
        """The text wrapped to the width: `first` starts the first line, `indent` spaces start each of the others."""
        room = max(20, self.width - 1 - indent)
        lines = [line for part in text.split("\n") for line in (textwrap.wrap(part, room) or [""])]
        return first + ("\n" + " " * indent).join(lines)

    def format(self, message: Message) -> str:
        """The message as a sentence in the style's language, with common instead of narrow no-break spaces.

        Many terminals cannot show the narrow ones.
        """
        return format_message(message, self.language).replace("\u202f", "\u00a0")


AnyRenderer: TypeAlias = Renderer[Any, Any]
