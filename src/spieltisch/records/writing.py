"""Serializer of records; equal records give the same text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from spieltisch.core.type_errors import WrongType
from spieltisch.i18n.message import message_factory
from spieltisch.records.model import AGREED, FORMAT, Entry, GameRecord, Record, Undo

_say = message_factory("")
_ESCAPED: Final = re.compile(r"(?<=\s);|[\x7f-\x9f]")  # in a document: what would start a comment or be refused


def write(record: Record | GameRecord) -> str:
    """The text of a record, or of a single game."""
    if isinstance(record, GameRecord):
        record = Record((record,))
    if not isinstance(record, Record):
        code = "spieltisch.records.read(text)" if isinstance(record, str) else "match.record()"
        raise WrongType(_say("slip.not_record", given=type(record).__name__, code=code))
    blocks = ["\n".join(_game_lines(game)) for game in record.games]
    header = [_header("format", FORMAT)] + ([] if record.match is None else [_header("match", record.match)])
    footer = [] if record.total is None else ["", _header("total", _numbers(record.total))]
    return "\n".join([*header, "\n\n".join(blocks), *footer]) + "\n"


def _header(key: str, value: object) -> str:
    return f"{key:<9} {value}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _game_lines(game: GameRecord) -> Iterator[str]:
    for key in AGREED:
        yield _header(key, getattr(game, key))
    for name, value in game.options:
        yield _header("option", f"{name} {value}")
    for sha, text in game.data:
        safe = _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
        yield _header("data", f"{sha} {safe}")
    for seat, name in game.names:
        yield _header(f"seat {seat}", name)
    if game.drawn:
        yield _header("drawn", "first")
    if game.commit is not None:
        yield _header("commit", game.commit)
    for seat, nonce in game.nonces:
        yield _header(f"nonce {seat}", nonce).rstrip()
    if game.viewer is not None:
        yield _header("viewer", game.viewer)
    for entry in game.entries:
        yield entry_line(entry)
    if game.practice:
        yield "practice"
    if game.secret is not None:
        yield _header("secret", game.secret)
    if game.result is not None:
        yield _header("result", _numbers(game.result))
    if game.ending is not None:
        yield _header("ending", game.ending)


def entry_line(entry: Entry) -> str:
    """The line of a log entry."""
    if isinstance(entry, Undo):
        return _header("undo", entry.actions)
    return f"{'*' if entry.seat is None else entry.seat} {entry.text}"
