"""Events: everything that can happen at a table. A table's state is a fold over its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from spieltisch.table.avatars import Avatar


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table is opened for a game."""

    game: str
    edition: str
    options: Mapping[str, str]
    players: int
    first: int | None  # None: drawn
    rules: int
    games: int
    public: bool
    seconds: int | None  # time limit of a turn
    late: Literal["bot", "first"]  # who ends a turn that times out: a bot, or the first choice there is
    code: str  # the invitation
    host: str
    secrets: Sequence[str]  # of fair chance, one per game


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A person sits down; `commit` is the SHA-256 of the nonce that will be revealed."""

    seat: int
    name: str
    holder: str
    commit: str | None = None
    avatar: Avatar | None = None  # None: a plain coin


@dataclass(frozen=True, slots=True)
class SeatReserved:
    """A seat is reserved for the person who had it in the match before."""

    seat: int
    name: str
    holder: str
    avatar: Avatar | None = None


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot sits down. Older logs do not say its face."""

    seat: int
    name: str
    player: str
    avatar: Avatar | None = None


@dataclass(frozen=True, slots=True)
class SeatFreed:
    """Nobody holds the seat any more; in the middle of a match a bot plays on."""

    seat: int
    player: str | None = None


@dataclass(frozen=True, slots=True)
class SeatLent:
    """A bot stands in for a person."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """A person plays again instead of the bot that stood in."""

    seat: int


@dataclass(frozen=True, slots=True)
class SpectatorAdmitted:
    """Somebody with the invitation may watch."""

    holder: str


@dataclass(frozen=True, slots=True)
class SeatsChanged:
    """Before the match, open seats are added, or the last ones removed."""

    players: int


@dataclass(frozen=True, slots=True)
class AllSeated:
    """Every seat is taken; the table waits for nonces."""


@dataclass(frozen=True, slots=True)
class NonceRevealed:
    """A person's nonce."""

    seat: int
    nonce: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game of the match starts. `first` is the seat that starts; logs of version 1 do not say it."""

    first: int | None = None


@dataclass(frozen=True, slots=True)
class ActionPlayed:
    """An action, in notation: of a seat, or of chance and judges (None)."""

    seat: int | None
    text: str


@dataclass(frozen=True, slots=True)
class ActionsUndone:
    """The last actions are undone."""

    actions: int


@dataclass(frozen=True, slots=True)
class PracticeMarked:
    """A turn is about to be undone against bots, which makes the game one for practice."""


@dataclass(frozen=True, slots=True)
class ConsentAsked:
    """A seat asks the others: to undo its last turn (`undo`), or to let a bot stand in for seat `about` (`bot`)."""

    seat: int
    what: Literal["undo", "bot"]
    about: int


@dataclass(frozen=True, slots=True)
class ConsentAnswered:
    """A seat agrees to what was asked, or does not."""

    seat: int
    yes: bool


@dataclass(frozen=True, slots=True)
class SeatResigned:
    """A seat resigns."""

    seat: int


@dataclass(frozen=True, slots=True)
class HintTaken:
    """A seat has been given a hint in this turn, which the other people at the table learn."""

    seat: int


@dataclass(frozen=True, slots=True)
class TurnTimedOut:
    """A seat took too long: the rest of its turn is played for it."""

    seat: int


@dataclass(frozen=True, slots=True)
class BotFailed:
    """A bot failed and is replaced by `player`."""

    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match ends before all of its games are played."""


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """The same people go on at another table."""

    table: str
    game: str | None = None  # None: the same game, with the same options


@dataclass(frozen=True, slots=True)
class MatchShared:
    """A seat lets everybody who knows the table's name see the finished match, or ends that (`shown` is false)."""

    seat: int
    shown: bool


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A header or result of a record, which logs of version 1 repeat; it changes nothing."""

    text: str


SeatEvent: TypeAlias = (
    SeatTaken
    | SeatReserved
    | BotSeated
    | SeatFreed
    | SeatLent
    | SeatReturned
    | NonceRevealed
    | SeatResigned
    | TurnTimedOut
    | BotFailed
)
GameEvent: TypeAlias = GameStarted | ActionPlayed | ActionsUndone | PracticeMarked
TableEvent: TypeAlias = (
    TableOpened
    | SpectatorAdmitted
    | SeatsChanged
    | AllSeated
    | ConsentAsked
    | ConsentAnswered
    | HintTaken
    | MatchEnded
    | RematchOpened
    | MatchShared
    | RecordLine
)
Event: TypeAlias = TableEvent | SeatEvent | GameEvent
