"""The pen that games draw with in the terminal: colours only where the terminal shows them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from spieltisch.i18n.format import render
from spieltisch.i18n.message import Message, Voices

_CHIPS: Final = {  # letters that can be read on light and dark terminals, since they bring their ground along
    "black": "97;40", "red": "97;41", "green": "30;42", "yellow": "30;43", "blue": "97;44", "purple": "97;45",
    "white": "30;107", "grey": "30;100", "brown": "97;48;5;94", "natural": "30;48;5;223",
}  # fmt: skip
_CODES: Final = {
    "black": "30", "red": "31", "green": "32", "yellow": "33", "blue": "34", "purple": "35", "white": "37",
    "grey": "90", "brown": "38;5;137", "natural": "38;5;223",
}  # fmt: skip


A_in = TypeVar("A_in", contravariant=True)
V_in = TypeVar("V_in", contravariant=True)


class Drawing(Protocol[A_in, V_in]):
    """What a game's terminal.py gives, as `draw`."""

    def __call__(self, view: V_in, voices: Voices, pen: Pen, lit: Sequence[A_in]) -> Sequence[str]:
        """The table as lines; of the choices in `lit`, whatever helps to see what they do."""
        ...


class Pen(NamedTuple):
    """How to draw: in colour or not, how wide, in which language."""

    colour: bool
    width: int
    language: str

    def paint(self, text: str, colour: str, *, bold: bool = False) -> str:
        """The text in a colour, left as it is where colours are off: letters must tell the same."""
        return f"\x1b[{'1;' * bold}{_CODES[colour]}m{text}\x1b[0m" if self.colour else text

    def chip(self, text: str, colour: str, *, bold: bool = False) -> str:
        """The text on a ground of the colour: a disc, a stone, a pawn."""
        return f"\x1b[{'1;' * bold}{_CHIPS[colour]}m{text}\x1b[0m" if self.colour else text

    def bold(self, text: str) -> str:
        """The text in bold."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def dim(self, text: str) -> str:
        """The text in the background."""
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text

    def wrapped(self, text: str, first: str = "", indent: int = 0) -> str:
        """The text in lines that fit, the first after what is written there already, the others indented as far."""
        room = max(20, self.width - 1 - indent)
        lines = [line for part in text.split("\n") for line in (textwrap.wrap(part, room) or [""])]
        return first + ("\n" + " " * indent).join(lines)

    def words(self, message: Message) -> str:
        """The message as a sentence in the pen's language; terminals show no narrow space, so they get a common one."""
        return render(message, self.language).replace("\u202f", "\u00a0")


AnyDrawing: TypeAlias = Drawing[Any, Any]
