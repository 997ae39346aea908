"""The pen that games draw with in the terminal: colours only where the terminal shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from spieltisch.message import Message, Voices
from spieltisch.sentences import render

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

    def paint(self, text: str, colour: str, *, bold: bool = False, inverse: bool = False) -> str:
        """The text in a colour, left as it is where colours are off: letters must tell the same."""
        if not self.colour:
            return text
        codes = ["1"] * bold + ["7"] * inverse + [_CODES[colour]]
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m"

    def bold(self, text: str) -> str:
        """The text in bold."""
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def dim(self, text: str) -> str:
        """The text in the background."""
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text

    def words(self, message: Message) -> str:
        """The message as a sentence in the pen's language; terminals show no narrow space, so they get a common one."""
        return render(message, self.language).replace("\u202f", "\u00a0")


AnyDrawing: TypeAlias = Drawing[Any, Any]
