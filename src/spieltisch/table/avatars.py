"""Avatars: the faces and names of bots, and the face or coin that a person has chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Animal: TypeAlias = Literal[
    "chick", "mouse", "hare", "frog", "duck", "bear", "hedgehog", "squirrel", "fox", "cat", "owl", "raven"
]
Coin: TypeAlias = Literal["blue", "red", "yellow", "green", "purple", "white", "black"]
Avatar: TypeAlias = Literal[Animal, Coin]

NAMES: Final[Mapping[str, str]] = {  # the same in every language, so that people at one table speak of the same bot
    "chick": "Pip",
    "mouse": "Mimi",
    "hare": "Hugo",
    "frog": "Frida",
    "duck": "Emil",
    "bear": "Bruno",
    "hedgehog": "Ilse",
    "squirrel": "Sami",
    "fox": "Fenja",
    "cat": "Karl",
    "owl": "Ulla",
    "raven": "Korbin",
}
_BY_LEVEL: Final[tuple[tuple[Animal, ...], ...]] = (
    ("chick", "mouse"),
    ("hare", "frog", "duck"),
    ("bear", "hedgehog", "squirrel"),
    ("fox", "cat"),
    ("owl", "raven"),
)
_MIDDLE: Final = 3  # for bots without a level


class BotIdentity(NamedTuple):
    """The face and the name of a bot."""

    face: Animal
    name: str


def choose_identity(
    player: str, seat: int, avatars: Collection[str | None] = (), names: Collection[str] = ()
) -> BotIdentity:
    """The face and the name of a bot at a seat: by its level and the seat, unlike the avatars and names of the others.

    At a table with more than twelve, faces repeat and names get a number.
    """
    faces = list(_preferred(player, seat))
    for face in faces:
        if face not in avatars and NAMES[face] not in names:
            return BotIdentity(face, NAMES[face])
    face = faces[0]
    numbered = (f"{NAMES[face]} {number}" for number in range(2, len(names) + 3))
    return BotIdentity(face, next(name for name in numbered if name not in names))


def _preferred(player: str, seat: int) -> Iterator[Animal]:
    """All faces: those of the bot's level first, then of the levels closest to it, each level starting by the seat."""
    kind, _, digits = player.partition(":")
    level = int(digits) if kind == "level" and digits.isdecimal() else _MIDDLE
    for _, faces in sorted(enumerate(_BY_LEVEL, 1), key=lambda group: abs(group[0] - level)):
        start = seat % len(faces)
        yield from (*faces[start:], *faces[:start])
