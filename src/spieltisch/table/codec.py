"""Encoding of events as lines of text, one line per event: what is stored, and what logs are made of.

An action or an undo is a line of the record (`0 I4:B`, `* R`, `undo 2`). Everything else is `@ ` and a JSON object with
the event's kind as `do` and its fields. A version of a kind other than the first is given as `v`. Fields that are missing
have defaults, and fields that version 1 did not have (`ADDED`) are left out if they are None; `UPGRADES` turns the fields of older versions into those of the next.

Version 1 of the log repeated the header and the result of a record, line by line: `game …` is read as the start of a
game, the others as `RecordLine`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any, Final, NamedTuple

from spieltisch.records import BadRecord, Move, Undo, entry_line, read_entry
from spieltisch.table import events
from spieltisch.table.events import ActionPlayed, ActionsUndone, Event, GameStarted, RecordLine

MARK: Final = "@ "
KINDS: Final[Mapping[str, type[Any]]] = {
    "opened": events.TableOpened,
    "sat": events.SeatTaken,
    "kept": events.SeatReserved,
    "placed": events.BotSeated,
    "freed": events.SeatFreed,
    "lent": events.SeatLent,
    "returned": events.SeatReturned,
    "watched": events.SpectatorAdmitted,
    "resized": events.SeatsChanged,
    "gathered": events.AllSeated,
    "revealed": events.NonceRevealed,
    "started": events.GameStarted,
    "practised": events.PracticeMarked,
    "asked": events.ConsentAsked,
    "answered": events.ConsentAnswered,
    "hinted": events.HintTaken,
    "resigned": events.SeatResigned,
    "late": events.TurnTimedOut,
    "failed": events.BotFailed,
    "ended": events.MatchEnded,
    "followed": events.RematchOpened,
    "shared": events.MatchShared,
}
_NAMES: Final[Mapping[type[Any], str]] = {event: kind for kind, event in KINDS.items()}
_FIELDS: Final[dict[type[Any], tuple[str, ...]]] = {
    event: tuple(field.name for field in fields(event)) for event in KINDS.values()
}
ADDED: Final = frozenset({"avatar", "game"})
Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
UPGRADES: Final[Mapping[str, tuple[Upgrade, ...]]] = {}  # by kind: from version 1 to 2, from 2 to 3 …


class Row(NamedTuple):
    """A stored event: its line, and when it happened, in milliseconds since 1970."""

    line: str
    at: int


class UnknownEvent(ValueError):
    """A line that no event of this version is stored as: of a newer version, or damaged."""


def kind_of(event: Event) -> str:
    """The kind of an event that is not an action, as logs and clients know it."""
    return _NAMES[type(event)]


def without_unset(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Fields by name, without those that were added after version 1 and are None."""
    return {name: value for name, value in pairs if value is not None or name not in ADDED}


def encode(event: Event) -> str:
    """The line that an event is stored as."""
    match event:
        case ActionPlayed(seat, text):
            return f"{'*' if seat is None else seat} {text}"
        case ActionsUndone(actions):
            return entry_line(Undo(actions))
        case RecordLine(text):
            return text
    kind = _NAMES[type(event)]
    version = len(UPGRADES.get(kind, ())) + 1
    values = without_unset((name, getattr(event, name)) for name in _FIELDS[type(event)])
    head: dict[str, Any] = {"do": kind} if version == 1 else {"do": kind, "v": version}
    return MARK + json.dumps(head | values, ensure_ascii=False, separators=(",", ":"))


def decode(line: str) -> Event:
    """The event that is stored as a line; UnknownEvent if there is none."""
    if line.startswith(MARK):
        return _decode_fields(line)
    if line[:1] == "*" or line[:1].isdigit() or line.startswith("undo "):
        return _decode_entry(line)
    return GameStarted() if line.startswith("game ") else RecordLine(line)


def _decode_entry(line: str) -> Event:
    try:
        entry = read_entry(line)
    except BadRecord as error:
        raise UnknownEvent(line[:100]) from error
    match entry:
        case Move(seat, text):
            return ActionPlayed(seat, text)
        case Undo(actions):
            return ActionsUndone(actions)
        case None:
            raise UnknownEvent(line[:100])


def _decode_fields(line: str) -> Event:
    try:
        values: dict[str, Any] = json.loads(line[len(MARK) :])
        kind, version = values.pop("do"), values.pop("v", 1)
        upgrades = UPGRADES.get(kind, ())
        for upgrade in upgrades[version - 1 :]:
            values = upgrade(values)
        event: Event = KINDS[kind](**values)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnknownEvent(line[:100]) from error
    if version > len(upgrades) + 1:
        raise UnknownEvent(f"version {version} of '{kind}'")
    return event


def chain_digest(digest: bytes, rows: Iterable[Row]) -> bytes:
    """The digest of a log that had that digest before, with more rows: a hash chain."""
    for row in rows:
        digest = hashlib.sha256(b"%b%d %b" % (digest, row.at, row.line.encode())).digest()
    return digest
