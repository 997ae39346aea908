"""The data model of records."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from spieltisch.core.game import AnyGame, BadSetup, Document, Refusal, Seat, Setup
from spieltisch.i18n.message import Message, message_factory

FORMAT: Final = "spieltisch 1"
AGREED: Final = ("game", "rules", "edition", "players", "first")
LONGEST_NAME: Final = 40
_UNPRINTABLE: Final = re.compile(r"[;\x00-\x1f\x7f-\x9f]")  # what a name in a record cannot hold
_say = message_factory("")


class BadRecord(Refusal):
    """A record that cannot be parsed or that the rules forbid, with the number of the line."""

    code = "bad-record"

    def __init__(self, line: int, message: Message, rule: str | None = None) -> None:
        super().__init__(message, rule)
        self.line = line


class Move(NamedTuple):
    """An action of a seat, or of chance (None), in notation."""

    seat: Seat | None
    text: str


class Undo(NamedTuple):
    """An undo of the last actions; their draw numbers are not used again."""

    actions: int


Entry: TypeAlias = Move | Undo


class Places(NamedTuple):
    """Line numbers of a game in the text it was parsed from."""

    entries: tuple[int, ...] = ()
    fields: tuple[tuple[str, int], ...] = ()
    last: int = 0

    def of_entry(self, index: int) -> int:
        """The line number of an entry."""
        return self.entries[index] if index < len(self.entries) else self.last

    def of_field(self, name: str | None) -> int:
        """The line number of a header, or of the option with that name; otherwise of the first header."""
        fields = dict(self.fields)
        first = min(fields.values(), default=self.last)
        return fields.get(name or "", fields.get(f"option {name}", first))


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: its setup, the names of the players, its log and its result."""

    game: str
    rules: int
    edition: str
    players: int
    first: int
    options: tuple[tuple[str, str], ...] = ()  # without defaults; documents by their SHA-256
    data: tuple[tuple[str, str], ...] = ()  # documents, as (SHA-256, text)
    names: tuple[tuple[int, str], ...] = ()
    commit: str | None = None
    nonces: tuple[tuple[int, str], ...] = ()
    viewer: int | None = None
    entries: tuple[Entry, ...] = ()
    practice: bool = False
    secret: str | None = None
    result: tuple[int, ...] | None = None
    ending: str | None = None
    drawn: bool = False  # whether `first` was drawn by fair chance, and not agreed on
    places: Places = field(default_factory=Places, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A single game, or a match of several games with their total."""

    games: tuple[GameRecord, ...]
    match: int | None = None  # the agreed number of games
    total: tuple[int, ...] | None = None
    total_line: int = field(default=0, compare=False)


def is_name(text: str) -> bool:
    """Whether a record can hold the text as a player's name."""
    return text == text.strip() and 0 < len(text) <= LONGEST_NAME and not _UNPRINTABLE.search(text)


def shorten_name(text: str) -> str:
    """What a record can hold of the name of a bot."""
    return _UNPRINTABLE.sub(",", text).strip()[:LONGEST_NAME].strip()


def digest(document: str) -> str:
    """The SHA-256 of a document's text."""
    return hashlib.sha256(document.encode()).hexdigest()


def begin(game: AnyGame, setup: Setup, names: Mapping[int, str] | None = None) -> GameRecord:
    """The record of a game with an empty log."""
    options, data = [], []
    for option in game.options:
        value = setup.option(option.name)
        if value == option.default:
            continue
        if isinstance(option, Document):
            data.append((digest(value), value))
            value = digest(value)
        options.append((option.name, value))
    return GameRecord(
        game=game.name,
        rules=setup.rules,
        edition=setup.edition,
        players=setup.players,
        first=setup.first,
        options=tuple(options),
        data=tuple(data),
        names=tuple(sorted((names or {}).items())),
    )


def setup_of(game: AnyGame, record: GameRecord) -> Setup:
    """The setup of a recorded game; BadSetup if the game does not allow it."""
    documents = dict(record.data)
    known = {option.name: option for option in game.options}
    options = dict(record.options)
    for name, value in record.options:
        if isinstance(known.get(name), Document):
            if value not in documents:
                raise BadSetup(_say("record.no_data", option=name), field=name)
            options[name] = documents[value]
    return game.agree(record.players, record.edition, options, record.first, record.rules)
