"""Reading records: every line is taken or refused by its number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final, Never

from spieltisch.core.game import Seat, brief, canonical_json
from spieltisch.i18n.message import Argument, message_factory
from spieltisch.records.model import (
    AGREED,
    FORMAT,
    LONGEST_NAME,
    BadRecord,
    Entry,
    GameRecord,
    Move,
    Places,
    Record,
    Undo,
    digest,
)

_say = message_factory("")
_COMMENT: Final = re.compile(r"(?:^|\s);.*$")
_MOVE: Final = re.compile(r"(\*|\d+) (.+)")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_HEX: Final = re.compile(r"[0-9a-f]*")
_SINGLE: Final = (*AGREED, "commit", "secret", "viewer", "practice", "ending")


def read(text: str) -> Record:
    """The record that the text holds; BadRecord names the line that cannot be read."""
    return _Reader(text).record()


def read_entry(line: str) -> Entry | None:
    """The action or undo that a line of a record holds; None where it is another line."""
    reader = _Reader(line)
    return reader.entry(*reader.lines[0])


def decode(content: bytes) -> str:
    """The text of a record's bytes; BadRecord where they are no UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRecord(content.count(b"\n", 0, error.start) + 1, _say("record.utf8")) from None


class _Reader:
    """Reads one text, line by line."""

    def __init__(self, text: str) -> None:
        self.lines: list[tuple[int, str]] = []
        for number, raw in enumerate(text.split("\n"), 1):
            line = raw.removesuffix("\r").replace("\t", " ")
            if _CONTROL.search(line):
                raise BadRecord(number, _say("record.control"))
            self.lines.append((number, _COMMENT.sub("", line).rstrip()))

    def record(self) -> Record:
        lines = [(number, line) for number, line in self.lines if line]
        number, line = lines[0] if lines else (1, "")
        if line.split() != ["format", *FORMAT.split()]:
            raise BadRecord(number, _say("record.format", format=FORMAT))
        body = lines[1:]
        match: int | None = None
        total: tuple[int, ...] | None = None
        if body and _key(body[0][1]) == "match":
            match = self.whole(*body[0], most=1000)
            body = body[1:]
        if match is not None and body and _key(body[-1][1]) == "total":
            total = self.numbers(*body[-1])
            body = body[:-1]
        blocks = list(_blocks(body))
        games = [self.game(block) for block in blocks]
        end = lines[-1][0]
        if not games:
            raise BadRecord(end, _say("record.no_game"))
        if match is None and len(games) > 1:
            raise BadRecord(blocks[1][0][0], _say("record.one_game"))
        if match is not None and len(games) > match:
            raise BadRecord(end, _say("record.many_games", match=match, games=len(games)))
        return Record(tuple(games), match, total, total_line=end)

    def game(self, lines: list[tuple[int, str]]) -> GameRecord:
        block = _Block(self)
        for number, line in lines:
            block.take(number, line)
        return block.record(lines[0][0], lines[-1][0])

    def entry(self, number: int, line: str) -> Entry | None:
        move = _MOVE.fullmatch(line)
        if move:
            seat = None if move[1] == "*" else Seat(self.whole(number, f"seat {move[1]}", most=99))
            return Move(seat, move[2].strip())
        return Undo(self.whole(number, line)) if _key(line) == "undo" else None

    def whole(self, number: int, line: str, most: int = 10**9) -> int:
        key, _, value = line.partition(" ")
        value = value.strip()
        if not (value.isascii() and value.isdigit() and len(value) < 11 and int(value) <= most):
            raise BadRecord(number, _say("record.whole", field=key, given=brief(value)))
        return int(value)

    def numbers(self, number: int, line: str) -> tuple[int, ...]:
        key, *values = line.split()
        if not values or len(values) > 100 or not all(re.fullmatch(r"-?\d{1,9}", value, re.ASCII) for value in values):
            raise BadRecord(number, _say("record.numbers", field=key))
        return tuple(map(int, values))


def _key(line: str) -> str:
    return line.partition(" ")[0]


def _blocks(lines: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    block: list[tuple[int, str]] = []
    for number, line in lines:
        if _key(line) == "game" and block:
            yield block
            block = []
        block.append((number, line))
    if block:
        yield block


class _Block:
    """One game of a record while it is being read."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = reader
        self.single: dict[str, str] = {}
        self.wholes: dict[str, int] = {}
        self.options: dict[str, str] = {}
        self.data: dict[str, str] = {}
        self.names: dict[int, str] = {}
        self.nonces: dict[int, str] = {}
        self.entries: list[Entry] = []
        self.places: list[int] = []
        self.fields: dict[str, int] = {}
        self.result: tuple[int, ...] | None = None

    def take(self, number: int, line: str) -> None:
        key, _, value = line.partition(" ")
        value = value.strip()
        entry = self.reader.entry(number, line)
        if entry is not None:
            self.enter(number, entry)
        elif key == "result":
            self.once(number, key, self.result is not None)
            self.result = self.reader.numbers(number, line)
        elif key in ("option", "data", "seat", "nonce"):
            self.many(number, key, value)
        elif key in _SINGLE:
            self.once(number, key, key in self.single)
            self.single[key] = value
            self.check(number, key, line, value)
        else:
            self.no(number, "record.unknown", given=brief(line))

    def check(self, number: int, key: str, line: str, value: str) -> None:
        """Refuses a header whose value is not of its kind."""
        if key in ("rules", "players", "first", "viewer"):
            self.wholes[key] = self.reader.whole(number, line)
        elif key in ("commit", "secret") and not (_HEX.fullmatch(value) and len(value) == 64):
            self.no(number, "record.hex", field=key, length=64)
        elif key == "practice" and value:
            self.no(number, "record.practice")
        elif key in ("game", "edition", "ending") and not value:
            self.no(number, "record.empty", field=key)

    def enter(self, number: int, entry: Entry) -> None:
        if self.result is not None:
            self.no(number, "record.after_result")
        self.entries.append(entry)
        self.places.append(number)

    def many(self, number: int, key: str, value: str) -> None:
        """Takes a header that may stand more than once: its first word tells which."""
        which, _, rest = value.partition(" ")
        rest = rest.strip()
        if not which:
            self.no(number, "record.empty", field=key)
        if key == "option":
            self.once(number, f"option {which}", which in self.options)
            self.options[which] = rest
            return
        if key == "data":
            self.once(number, f"data {which}", which in self.data)
            self.data[which] = self.document(number, which, rest)
            return
        seat = self.reader.whole(number, f"{key} {which}", most=99)
        if key == "seat":
            self.once(number, f"seat {seat}", seat in self.names)
            if not 0 < len(rest) <= LONGEST_NAME or ";" in rest:
                self.no(number, "record.name", longest=LONGEST_NAME)
            self.names[seat] = rest
        else:
            self.once(number, f"nonce {seat}", seat in self.nonces)
            if not (_HEX.fullmatch(rest) and len(rest) in (0, 32)):
                self.no(number, "record.hex", field=f"nonce {seat}", length=32)
            self.nonces[seat] = rest

    def document(self, number: int, sha: str, text: str) -> str:
        try:
            document = canonical_json(json.loads(text))
            found = digest(document)
        except (ValueError, RecursionError):
            self.no(number, "record.data")
        if found != sha:
            self.no(number, "record.sha", given=brief(sha))
        return document

    def once(self, number: int, name: str, there: bool) -> None:
        if there:
            self.no(number, "record.twice", field=name)
        self.fields[name] = number

    def no(self, number: int, key: str, **arguments: Argument) -> Never:
        raise BadRecord(number, _say(key, **arguments))

    def record(self, first_line: int, last_line: int) -> GameRecord:
        for key in AGREED:
            if key not in self.single:
                self.no(first_line, "record.missing", field=key)
        if self.result is None and "ending" in self.single:
            self.no(last_line, "record.ending")
        return GameRecord(
            game=self.single["game"],
            rules=self.wholes["rules"],
            edition=self.single["edition"],
            players=self.wholes["players"],
            first=self.wholes["first"],
            options=tuple(self.options.items()),
            data=tuple(self.data.items()),
            names=tuple(sorted(self.names.items())),
            commit=self.single.get("commit"),
            nonces=tuple(sorted(self.nonces.items())),
            viewer=self.wholes.get("viewer"),
            entries=tuple(self.entries),
            practice="practice" in self.single,
            secret=self.single.get("secret"),
            result=self.result,
            ending=self.single.get("ending"),
            places=Places(tuple(self.places), self.fields, last_line),
        )
