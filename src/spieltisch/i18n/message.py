"""Messages: what is to be said, as a key and arguments, before any language is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias
from unicodedata import bidirectional

Argument: TypeAlias = "str | int | float | Message | tuple[Argument, ...]"
_TURNS = {
    "R",
    "AL",
    "RLE",
    "LRE",
    "RLO",
    "LRO",
    "PDF",
    "RLI",
    "LRI",
    "FSI",
    "PDI",
}  # they change the direction of writing


class Message(NamedTuple):
    """One sentence or phrase: `key` stands in the catalogues of `scope`, a game's name or '' for the shell."""

    scope: str
    key: str
    arguments: tuple[tuple[str, Argument], ...] = ()


class Say(Protocol):
    """Makes messages of one scope: `say('lay.you', pebble=…)`."""

    def __call__(self, key: str, /, **arguments: Argument) -> Message: ...


def speaker(scope: str) -> Say:
    """The message maker of one scope: of a game by its name, of the shell by ''."""

    def say(key: str, /, **arguments: Argument) -> Message:
        return Message(scope, key, tuple(sorted(arguments.items())))

    return say


def isolated(name: str) -> str:
    """The name, kept from turning the direction of the sentence around it."""
    return f"\u2068{name}\u2069" if _TURNS & set(map(bidirectional, name)) else name


class Voices:
    """Who listens and who has which name: picks the entry that addresses the listener, or the one that names."""

    def __init__(self, names: Sequence[str], listener: int | None = None) -> None:
        self.names = tuple(isolated(name) for name in names)
        self.listener = listener

    def __call__(self, say: Say, key: str, seat: int, **arguments: Argument) -> Message:
        """`key.you` where the seat itself listens, else `key.name` with the seat's name."""
        if seat == self.listener:
            return say(f"{key}.you", **arguments)
        return say(f"{key}.name", name=self.names[seat], **arguments)

    def together(self, say: Say, key: str, seats: Sequence[int], **arguments: Argument) -> Message:
        """The entry for one seat, or `key.names` with the list of names where there are several."""
        if len(seats) == 1:
            return self(say, key, seats[0], **arguments)
        return say(f"{key}.names", names=tuple(self.names[seat] for seat in seats), **arguments)
