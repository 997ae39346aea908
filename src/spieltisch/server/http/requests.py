"""Request models of queries about a table or a record. Commands are not here: they are their own request models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal, TypeAlias

from spieltisch.core.fields import CLOSED, Field
from spieltisch.server.http.limits import MAX_BODY_BYTES
from spieltisch.table.commands.base import Draft, SeatNumber, Version

GameNumber: TypeAlias = Annotated[int, Field("Which game of the match.", ge=0, le=1000, strict=True)]
ViewerSeat: TypeAlias = Annotated[SeatNumber | None, Field("The seat whose view is shown; a spectator's by default.")]


@dataclass(frozen=True, slots=True)
class DraftQuestion:
    """Asks where a draft would lead."""

    seat: SeatNumber
    version: Version
    draft: Draft = field(default_factory=list)

    __pydantic_config__: ClassVar[Mapping[str, str]] = CLOSED


StreamName: TypeAlias = Annotated[
    str,
    Field(
        "A random name that the client gives its stream.",
        examples=("q1mJ7_xbT0a4Zk3qX0b1",),
        pattern=r"^[A-Za-z0-9_-]{16,64}$",
    ),
]
ReactionName: TypeAlias = Literal["bravo", "laugh", "wow", "think", "oops", "heart"]


@dataclass(frozen=True, slots=True)
class PingAnswer:
    """Answers the ping of a stream."""

    stream: StreamName

    __pydantic_config__: ClassVar[Mapping[str, str]] = CLOSED


@dataclass(frozen=True, slots=True)
class EnteredCode:
    """A join code as somebody has typed it."""

    code: Annotated[
        str, Field("Spaces, hyphens and small letters do not matter.", examples=("K7M QRX",), max_length=40)
    ]

    __pydantic_config__: ClassVar[Mapping[str, str]] = CLOSED


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction of a seat, for everybody at the table."""

    seat: SeatNumber
    reaction: ReactionName

    __pydantic_config__: ClassVar[Mapping[str, str]] = CLOSED


@dataclass(frozen=True, slots=True)
class RecordQuestion:
    """Asks something about a record."""

    record: Annotated[str, Field(max_length=MAX_BODY_BYTES)]

    __pydantic_config__: ClassVar[Mapping[str, str]] = CLOSED


@dataclass(frozen=True, slots=True)
class ReplayQuestion(RecordQuestion):
    """Asks for a game of a record."""

    game: GameNumber = 0
    viewer: ViewerSeat = None
    first: Annotated[
        int, Field("The first view to return; at most a hundred are returned.", ge=0, le=1_000_000, strict=True)
    ] = 0


@dataclass(frozen=True, slots=True)
class PictureQuestion(RecordQuestion):
    """Asks for a picture of the last position of a game of a record."""

    game: GameNumber = 0
    viewer: ViewerSeat = None
    dark: Annotated[bool, Field(strict=True)] = False


@dataclass(frozen=True, slots=True)
class EntryQuestion(RecordQuestion):
    """Asks about one entry of a game of a record."""

    game: GameNumber = 0
    viewer: ViewerSeat = None
    entry: Annotated[int, Field(ge=0, le=1_000_000, strict=True)] = field(kw_only=True)
