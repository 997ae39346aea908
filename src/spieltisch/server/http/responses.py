"""Response models of the server besides those of a table: games, replays, fairness, health."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from spieltisch.core.fields import Field
from spieltisch.table.responses import OutcomeView


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """The table is there."""

    table: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not: a code for machines, a sentence for people, the rule or the field that it is about."""

    code: str
    message: str
    rule: str | None = None
    field: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition of a game."""

    name: str
    words: str
    players: list[int]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game: one of the values, or a JSON document."""

    name: str
    values: list[str] | None
    names: Annotated[list[str] | None, Field("The values in words.")]
    default: str
    words: str


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game that can be played here."""

    game: str
    title: str
    players: list[int]
    editions: list[Edition]
    options: list[Option]
    line: Annotated[str, Field("A sentence that makes one want to play it.")]
    minutes: Annotated[int, Field("How long a game takes, about.")]
    games: Annotated[dict[int, int], Field("How many games make a good match, by the number of players.")]
    hides: bool
    bots: list[str]
    notes: list[str]


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A public table."""

    table: str
    game: str
    title: str
    status: str
    seats: list[str | None]
    free: int


@dataclass(frozen=True, slots=True)
class ReplayEvent:
    """One thing that happened in a record."""

    kind: str
    seat: int | None
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A game of a record."""

    game: str
    title: str
    games: int
    names: list[str]
    events: list[ReplayEvent]
    first: int
    views: list[dict[str, Any]]
    told: Annotated[list[list[str]], Field("The position of each view in sentences.")]
    outcome: OutcomeView | None
    sheet: list[str]
    winners: str | None
    practice: bool


@dataclass(frozen=True, slots=True)
class DetailsView:
    """What a closer look shows, in the game's own form; null if there is no more to see."""

    inside: Any


@dataclass(frozen=True, slots=True)
class Proof:
    """Whether every draw of a record follows from the secrets that were committed to before."""

    fair: bool
    words: str
    games: int
    draws: int


@dataclass(frozen=True, slots=True)
class DrawCount:
    """What can be drawn, how often it came up and how often it was to be expected."""

    name: str
    seen: int
    expected: float


@dataclass(frozen=True, slots=True)
class FitTest:
    """How well pieces that are drawn together came up as they should."""

    pieces: list[DrawCount]
    statistic: float
    freedom: int
    p: float


@dataclass(frozen=True, slots=True)
class FairnessReport:
    """The draws of all finished games of one kind."""

    game: str
    games: int
    draws: int
    tests: list[FitTest]


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """The server, as somebody finds it who has come to it."""

    version: str
    lan: Annotated[str | None, Field("Where people in the same network reach it, if it is open to them.")]
    languages: list[str]


@dataclass(frozen=True, slots=True)
class Health:
    """How the server is."""

    status: Literal["ok", "closing"]
    version: str
    longest_pause: Annotated[float, Field("The longest time in seconds for which the event loop was busy.")]


@dataclass(frozen=True, slots=True)
class Ready:
    """The server can take requests."""

    status: Literal["ready"]
