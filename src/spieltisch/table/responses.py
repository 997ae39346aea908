"""Response models: what clients are told of a table. The projection builds them, and the OpenAPI document describes them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from spieltisch.core.fields import Field
from spieltisch.core.json import Json
from spieltisch.table.avatars import Avatar


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The command was carried out and stored; `version` is the number of the last event."""

    version: int
    seat: int | None = None
    table: str | None = None
    asked: bool | None = None


@dataclass(frozen=True, slots=True)
class LinePart:
    """A part of a line of the log."""

    text: str
    symbol: Annotated[str | None, Field("The name of a symbol of the game's board that can be drawn with the text.")]


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn up to an event, as one line of the log."""

    first: Annotated[int, Field("The number of its first event.")]
    seat: Annotated[int | None, Field("Null is the deal.")]
    parts: Annotated[list[LinePart], Field("The line; joined, the texts are its sentences.")]
    mark: Annotated[Any, Field("Where it took place, in the game's own format, to be marked on the board.")]
    complete: Annotated[bool, Field("Whether the turn is over.")]


@dataclass(frozen=True, slots=True)
class EventView:
    """One event, as the viewer witnessed it."""

    number: int
    at: Annotated[int, Field("Milliseconds since 1970.")]
    kind: Annotated[str, Field("`move`, `draw`, `undo`, `begin`, or what happened at the table.")]
    game: int | None
    seat: int | None
    text: Annotated[str, Field("The action in notation, `?` for what was hidden.")]
    words: str
    turn: Annotated[
        TurnView | None, Field("The turn that the event belongs to, up to this event; null between draws.")
    ] = None
    back: Annotated[int | None, Field("Of an undo: the number of the first event that was undone.")] = None


@dataclass(frozen=True, slots=True)
class Choice:
    """An action that can be chosen now."""

    text: str
    words: str
    paths: Annotated[list[list[str]], Field("Headings that lead to it in a long list.")]
    ends: Annotated[bool, Field("Whether the turn is complete after it, so that no preview is needed to play it.")]


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """How a game ended."""

    scores: list[int]
    ranks: list[int]
    ending: str


@dataclass(frozen=True, slots=True)
class Position:
    """The game in progress, as the viewer may know it."""

    game: int
    view: dict[str, Any]
    told: Annotated[list[str], Field("The position in sentences.")]
    choices: list[Choice]
    outcome: OutcomeView | None
    sheet: list[str]
    winners: str | None
    headline: Annotated[str | None, Field("Who won, and by how much.")]
    reason: Annotated[str | None, Field("Why, if the game gives a reason.")]


@dataclass(frozen=True, slots=True)
class SeatView:
    """The current state of a seat."""

    name: str
    kind: Literal["person", "bot", "open"]
    player: str | None
    you: bool
    kept: bool
    free: bool
    resigned: bool
    late: bool
    avatar: Annotated[Avatar | None, Field("The face of a bot, or what a person has chosen; null is a plain coin.")]


@dataclass(frozen=True, slots=True)
class ConsentView:
    """A request for everybody's consent."""

    seat: int
    what: Literal["undo", "bot"]
    about: int
    number: int
    yes: list[int]


@dataclass(frozen=True, slots=True)
class FairnessView:
    """The proofs of fair chance, as far as they are public."""

    drawn: Annotated[bool, Field("Whether the seat that starts the first game is drawn.")]
    commits: list[str]
    commitments: list[str | None]
    nonces: list[str | None]
    secrets: list[str | None]


@dataclass(frozen=True, slots=True)
class TableView:
    """The current state of a table, without the game."""

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
    seats: list[SeatView]
    ask: ConsentView | None
    totals: list[int] | None
    scores: Annotated[list[list[int]], Field("What each finished game counts in the match, per seat.")]
    result: Annotated[str | None, Field("Who won a match of several games, and by how much.")]
    ended: Annotated[str | None, Field("Who gave up and who wins, if the match ended early.")]
    shared: Annotated[bool, Field("Whether everybody who knows the table's name may see the finished match.")]
    practice: bool
    next: str | None
    next_title: Annotated[str | None, Field("If the table of the rematch is for another game: its title.")]
    fair: FairnessView
    notes: list[str]


@dataclass(frozen=True, slots=True)
class TableUpdate:
    """A table, its game, and the events since a version."""

    version: int
    events: list[EventView]
    table: TableView
    position: Position | None
    next: Annotated[int | None, Field("If there are more events: the `after` with which to ask for the next page.")] = (
        None
    )


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice about the last action of a draft: the last fields of its preview, which may take long to compute."""

    advice: list[str]
    signs: list[str]


@dataclass(frozen=True, slots=True)
class DraftPreview:
    """The position that a draft would lead to."""

    version: int
    view: dict[str, Any]
    choices: list[Choice]
    complete: bool
    words: list[str]
    told: list[str]
    advice: list[str]
    signs: Annotated[list[str], Field("A name per piece of advice, so that it can be shown as an icon.")]


@dataclass(frozen=True, slots=True)
class Hint:
    """What a strong bot would do."""

    version: int
    text: Annotated[str, Field("The action in notation.")]
    words: Annotated[str, Field("The same in everyday words, without a full stop.")]
    reason: Annotated[str | None, Field("Why, as a sentence, if the game gives a reason.")]


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table in the list of public tables."""

    game: str
    title: str
    status: str
    seats: list[str | None]
    free: int


def serialize_result(result: CommandResult) -> str:
    """The result of a command as JSON, without empty fields."""
    return json.dumps({name: value for name, value in _fields(result).items() if value is not None})


def serialize(model: object) -> bytes:
    """A model as JSON."""
    return json.dumps(model, ensure_ascii=False, separators=(",", ":"), default=_fields).encode()


def serialize_without_advice(preview: DraftPreview) -> bytes:
    """A preview as JSON, without the fields that `add_advice` adds."""
    return serialize({name: value for name, value in _fields(preview).items() if name not in Advice.__slots__})


def add_advice(preview: bytes, advice: bytes) -> bytes:
    """A preview as JSON, from its other fields and its advice: two JSON objects become one."""
    return preview[:-1] + b"," + advice[1:]


def _fields(model: Any) -> dict[str, Json]:
    return {name: getattr(model, name) for name in model.__slots__}
