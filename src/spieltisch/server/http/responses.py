"""What the server answers, as a description for machines."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class Done(BaseModel):
    """The command is carried out and kept; `version` is the last event."""

    version: int
    seat: int | None = None
    table: str | None = None
    asked: bool | None = None


class OpenedTable(BaseModel):
    """The table is there."""

    table: str


class Refusal(BaseModel):
    """Why not: a code for machines, a sentence for people, the rule or the field that it is about."""

    code: str
    message: str
    rule: str | None = None
    field: str | None = None
    line: int | None = None


class Event(BaseModel):
    """One thing that happened, as the viewer witnessed it."""

    number: int
    at: int = Field(description="Milliseconds since 1970.")
    kind: str = Field(description="`move`, `draw`, `undo`, `begin`, or what happened at the table.")
    game: int | None
    seat: int | None
    text: str = Field(description="The action in notation, `?` for what was hidden.")
    words: str


class Choice(BaseModel):
    """Something that can be chosen now."""

    text: str
    words: str
    paths: list[list[str]] = Field(description="Headings under which it is found where there are many.")


class Outcome(BaseModel):
    """How a game ended."""

    scores: list[int]
    ranks: list[int]
    ending: str


class Position(BaseModel):
    """The game under way, as the viewer may know it."""

    game: int
    view: dict[str, Any]
    told: list[str] = Field(description="The position in sentences.")
    choices: list[Choice]
    outcome: Outcome | None
    sheet: list[str]
    winners: str | None


class SeatNow(BaseModel):
    """A seat as it is now."""

    name: str
    kind: Literal["person", "bot", "open"]
    player: str | None
    you: bool
    kept: bool
    free: bool
    resigned: bool
    late: bool


class Ask(BaseModel):
    """What was asked of everybody."""

    seat: int
    what: Literal["undo", "bot"]
    about: int
    number: int
    yes: list[int]


class Fair(BaseModel):
    """The proofs of fair chance, as far as they may be known yet."""

    commits: list[str]
    commitments: list[str | None]
    nonces: list[str | None]
    secrets: list[str | None]


class TableNow(BaseModel):
    """A table as it is now, but for the game."""

    game: str
    title: str
    edition: str
    options: dict[str, str]
    players: int
    games: int
    number: int | None
    status: Literal["gathering", "revealing", "playing", "paused", "over"]
    waiting: Literal["nobody", "nonces", "person", "bot", "first", "judge"]
    turn: int | None
    public: bool
    seconds: int | None
    late: str
    host: bool
    code: str | None
    you: list[int]
    viewer: int | None
    hides: bool
    seats: list[SeatNow]
    ask: Ask | None
    totals: list[int] | None
    practice: bool
    next: str | None
    fair: Fair
    notes: list[str]


class Told(BaseModel):
    """A table, the game, and what happened since."""

    version: int
    events: list[Event]
    table: TableNow
    position: Position | None


class Previewed(BaseModel):
    """Where a draft would lead."""

    version: int
    view: dict[str, Any]
    choices: list[Choice]
    complete: bool
    words: list[str]
    told: list[str]
    advice: list[str]
    signs: list[str] = Field(description="What each advice is called, so that it can be drawn too.")


class Hint(BaseModel):
    """What a strong bot would do."""

    version: int
    text: str
    words: str


class Edition(BaseModel):
    """An edition of a game."""

    name: str
    words: str
    players: list[int]


class Option(BaseModel):
    """An option of a game: one of the values, or a JSON document."""

    name: str
    values: list[str] | None
    names: list[str] | None = Field(description="The values in words.")
    default: str
    words: str


class GameCard(BaseModel):
    """A game that can be played here."""

    game: str
    title: str
    players: list[int]
    editions: list[Edition]
    options: list[Option]
    line: str = Field(description="A sentence that makes one want to play it.")
    minutes: int = Field(description="How long a game takes, about.")
    games: dict[int, int] = Field(description="How many games make a good match, by the number of players.")
    hides: bool
    bots: list[str]
    notes: list[str]


class Listed(BaseModel):
    """A public table."""

    table: str
    game: str
    title: str
    status: str
    seats: list[str | None]
    free: int


class RetoldEvent(BaseModel):
    """One thing that happened in a record."""

    kind: str
    seat: int | None
    text: str
    words: str


class Retold(BaseModel):
    """A game of a record."""

    game: str
    title: str
    games: int
    names: list[str]
    events: list[RetoldEvent]
    first: int
    views: list[dict[str, Any]]
    told: list[list[str]] = Field(description="The position of each view in sentences.")
    outcome: Outcome | None
    sheet: list[str]
    winners: str | None
    practice: bool


class Inside(BaseModel):
    """What a closer look shows, in the game's own form; null where there is no more to see."""

    inside: Any


class Proof(BaseModel):
    """Whether every draw of a record follows from the secrets that were committed to before."""

    fair: bool
    words: str
    games: int
    draws: int


class FairPiece(BaseModel):
    """What can be drawn, how often it came up and how often it was to be expected."""

    name: str
    seen: int
    expected: float


class FairTest(BaseModel):
    """How well pieces that are drawn together came up as they should."""

    pieces: list[FairPiece]
    statistic: float
    freedom: int
    p: float


class FairGame(BaseModel):
    """The draws of all finished games of one kind."""

    game: str
    games: int
    draws: int
    tests: list[FairTest]


class Here(BaseModel):
    """The server, as somebody finds it who has come to it."""

    version: str
    lan: str | None = Field(description="Where people in the same network reach it, if it is open to them.")
    languages: list[str]


class Health(BaseModel):
    """How the server is."""

    status: Literal["ok", "closing"]
    version: str
    longest_pause: float = Field(description="The longest time in seconds for which the event loop was busy.")


class Ready(BaseModel):
    """The server can take requests."""

    status: Literal["ready"]
