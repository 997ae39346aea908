"""Response models of the server besides those of a table: games, replays, fairness, health."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from spieltisch.core.fields import Field
from spieltisch.table.responses import OutcomeView, TurnView


@dataclass(frozen=True, slots=True)
class OpenedTable:
    """The name of a table that was opened."""

    table: str


@dataclass(frozen=True, slots=True)
class JoinCodeView:
    """The join code of a table."""

    code: str
    seconds: Annotated[int, Field("After that there is a new one; the old one is accepted for half an hour more.")]


@dataclass(frozen=True, slots=True)
class Invitation:
    """A table, and the invitation to it."""

    table: str
    code: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal: a code for programs, a sentence for people, and the rule, field or line that it is about."""

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
    names: Annotated[list[str] | None, Field("The values as words.")]
    default: str
    words: Annotated[str, Field("A short label.")]
    about: Annotated[str, Field("An explanation in a sentence or two.")]


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game that can be played here."""

    game: str
    title: str
    players: list[int]
    editions: list[Edition]
    options: list[Option]
    line: Annotated[str, Field("A sentence that introduces the game.")]
    minutes: Annotated[int, Field("How long a game takes, roughly.")]
    games: Annotated[dict[int, int], Field("The recommended number of games in a match, by the number of players.")]
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
    """An event of a recorded game."""

    kind: str
    seat: int | None
    text: str
    words: str
    turn: Annotated[TurnView | None, Field("The turn that it belongs to, so far. Events count from 1.")] = None
    back: Annotated[int | None, Field("Of an undo: the number of the first event that was undone.")] = None


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
    headline: Annotated[str | None, Field("Who won, and by how much.")]
    reason: Annotated[str | None, Field("Why, if the game gives a reason.")]
    deal: Annotated[int, Field("How many events deal the pieces before the first move.")]
    practice: bool


@dataclass(frozen=True, slots=True)
class DetailsView:
    """Details of a position, in the game's own format; null if there are none."""

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
    """A piece that can be drawn: how often it was drawn, and how often that was expected."""

    name: str
    seen: int
    expected: float


@dataclass(frozen=True, slots=True)
class FitTest:
    """A chi-square test of pieces that are drawn together."""

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
    """Information about the server for its visitors."""

    version: str
    lan: Annotated[str | None, Field("The address for people in the same network, if the server is open to them.")]
    languages: list[str]


@dataclass(frozen=True, slots=True)
class Health:
    """The health of the server."""

    status: Literal["ok", "closing"]
    version: str
    longest_pause: Annotated[float, Field("The longest time in seconds for which the event loop was busy.")]


@dataclass(frozen=True, slots=True)
class Ready:
    """The server is ready for requests."""

    status: Literal["ready"]
