"""Messages: sentences as catalogue keys and arguments, before a language is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias
from unicodedata import bidirectional

Argument: TypeAlias = "str | int | float | Message | Symbol | tuple[Argument, ...]"
_DIRECTIONAL = {"R", "AL", "RLE", "LRE", "RLO", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"}  # Unicode bidi classes


class Message(NamedTuple):
    """One sentence or phrase: a key in the catalogues of its scope, which is a game's name, or '' for the shell."""

    scope: str
    key: str
    arguments: tuple[tuple[str, Argument], ...] = ()


class Symbol(NamedTuple):
    """A phrase that a screen can show with a drawing: a name that the game's board knows, such as `disc.b`."""

    name: str
    phrase: Message


class MessageFactory(Protocol):
    """Message factory of one scope: `say('lay.you', pebble=…)`."""

    def __call__(self, key: str, /, **arguments: Argument) -> Message: ...


def message_factory(scope: str) -> MessageFactory:
    """A message factory for one scope: a game's name, or '' for the shell."""

    def say(key: str, /, **arguments: Argument) -> Message:
        return Message(scope, key, tuple(sorted(arguments.items())))

    return say


def isolate(name: str) -> str:
    """The name in bidirectional isolates if it could change the direction of the text around it."""
    return f"\u2068{name}\u2069" if _DIRECTIONAL & set(map(bidirectional, name)) else name


class Audience:
    """The seats' names, and the seat that is addressed: it reads "you" where the others read its name."""

    def __init__(self, names: Sequence[str], listener: int | None = None) -> None:
        self.names = tuple(isolate(name) for name in names)
        self.listener = listener

    def __call__(self, say: MessageFactory, key: str, seat: int, **arguments: Argument) -> Message:
        """`key.you` if the seat is the one addressed, else `key.name` with the seat's name."""
        if seat == self.listener:
            return say(f"{key}.you", **arguments)
        return say(f"{key}.name", name=self.names[seat], **arguments)

    def together(self, say: MessageFactory, key: str, seats: Sequence[int], **arguments: Argument) -> Message:
        """The entry for one seat, or `key.names` with the list of names if there are several."""
        if len(seats) == 1:
            return self(say, key, seats[0], **arguments)
        return say(f"{key}.names", names=tuple(self.names[seat] for seat in seats), **arguments)
