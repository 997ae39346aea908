"""What the tools return: dataclasses for programs, each of which can also be read as text.

They have no slots, since the SDK takes slots for defaults when it derives the output schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

Status = Literal["your_turn", "waiting", "over"]


class Response(Protocol):
    """A response that can be read as text."""

    def as_text(self) -> str:
        """Everything that the response says, as text in the reader's language."""
        ...


@dataclass(frozen=True)
class OptionInfo:
    """An option of a game: its name, its values and the default; a JSON document has no list of values."""

    name: str
    values: list[str]
    default: str


@dataclass(frozen=True)
class GameInfo:
    """A game that can be played."""

    game: str
    title: str
    min_players: int
    max_players: int
    minutes: int
    has_hidden_information: bool
    editions: list[str]
    options: list[OptionInfo]
    bots: list[str]


@dataclass(frozen=True)
class GameList:
    """The games that can be played."""

    games: list[GameInfo]

    def as_text(self) -> str:
        return "\n".join(_describe(game) for game in self.games)


def _describe(game: GameInfo) -> str:
    parts = [
        f"{game.game}: {game.title}, {game.min_players} to {game.max_players} players, about {game.minutes} minutes",
        f"bots {', '.join(game.bots)}",
        *([f"editions {', '.join(game.editions)}"] if len(game.editions) > 1 else []),
        *(f"option {one.name}: {', '.join(one.values) or 'a JSON document'}" for one in game.options),
    ]
    return "; ".join(parts)


@dataclass(frozen=True)
class Text:
    """A text, such as rules or a record."""

    text: str

    def as_text(self) -> str:
        return self.text


@dataclass(frozen=True)
class SeatInfo:
    """A seat of a match: `player` is `you`, `agent`, `open` or the name of a bot."""

    seat: int
    name: str
    player: str


@dataclass(frozen=True)
class Result:
    """The end of a game: scores and ranks by seat (1 is best), what ended it, and the score sheet in words."""

    scores: list[int]
    ranks: list[int]
    ending: str
    explained: list[str]


@dataclass(frozen=True)
class Look:
    """A match as one seat sees it."""

    match: str
    game: str
    seat: int
    seats: list[SeatInfo]
    practice: bool
    status: Status
    turn: int | None  # the seat whose turn it is
    version: int  # grows with everything that happens
    happened: list[str]
    board: str | None
    position: list[str]
    result: Result | None
    text: str

    def as_text(self) -> str:
        return self.text


@dataclass(frozen=True)
class SeatKey:
    """A seat and the secret key with which it is played."""

    seat: int
    name: str
    seat_key: str


@dataclass(frozen=True)
class Seated:
    """The keys of the caller's seats in a match, and the match as the first of them sees it."""

    match: str
    keys: list[SeatKey]
    open_seats: list[int]
    look: Look
    text: str

    def as_text(self) -> str:
        return self.text


@dataclass(frozen=True)
class Heading:
    """A heading of a long list of moves; its number is the next element of `path`."""

    number: int
    text: str
    moves: int


@dataclass(frozen=True)
class Move:
    """A possible move: its notation, what it would do, and whether it ends the turn."""

    move: str
    meaning: str
    ends_turn: bool


@dataclass(frozen=True)
class MoveList:
    """The possible moves: a page of them, or headings if there are many."""

    total: int
    headings: list[Heading]
    moves: list[Move]
    page: int
    pages: int
    note: str = ""

    def as_text(self) -> str:
        lines = [f"{one.number}. {one.text} ({one.moves})" for one in self.headings]
        lines += [f"{one.move}: {one.meaning}" for one in self.moves]
        return "\n".join([*lines, self.note] if self.note else lines)


@dataclass(frozen=True)
class Explanation:
    """What a move would do, or why it is not possible, with the number of the rule if one forbids it."""

    move: str
    possible: bool
    rule: str | None
    reason: str
    advice: Sequence[str] = field(default_factory=list)

    def as_text(self) -> str:
        return "\n".join([self.reason, *self.advice])


@dataclass(frozen=True)
class Hint:
    """The move that a bot would choose, knowing what the seat knows."""

    move: str
    meaning: str
    reason: str | None
    text: str

    def as_text(self) -> str:
        return self.text
