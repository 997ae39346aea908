"""Parser of records; errors name the line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Never

from spieltisch.core.game import Seat, brief, canonical_json
from spieltisch.core.type_errors import WrongType
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
    is_name,
)

_say = message_factory("")
_COMMENT: Final = re.compile(r"(?:^|\s);.*$")
_MOVE: Final = re.compile(r"(\*|\d+) (.+)")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_HEX: Final = re.compile(r"[0-9a-f]*")
_SINGLE: Final = (*AGREED, "drawn", "commit", "secret", "viewer", "practice", "ending")


def read(text: str) -> Record:
    """Parses a record; BadRecord names the line with the error."""
    if not isinstance(text, str):
        raise WrongType(_say("slip.record_text", given=type(text).__name__, code=_text_from(text)))
    return _Parser(text).record()


def read_entry(line: str) -> Entry | None:
    """Parses one line as an action or an undo; None if it is neither."""
    parser = _Parser(line)
    return parser.entry(*parser.lines[0])


def decode(content: bytes) -> str:
    """The text of a record's bytes; BadRecord if they are not UTF-8."""
    if isinstance(content, str):
        raise WrongType(_say("slip.record_bytes", code="spieltisch.records.read(text)"))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRecord(content.count(b"\n", 0, error.start) + 1, _say("record.utf8")) from None


def _text_from(given: object) -> str:
    """How the text of a record is got from a value of another type."""
    if isinstance(given, bytes):
        return "spieltisch.records.read(spieltisch.records.decode(content))"
    if isinstance(given, Path):
        return "spieltisch.records.read(path.read_text())"
    if hasattr(given, "record"):
        return "match.record()"
    return 'spieltisch.records.read(Path("evening.game").read_text())'


class _Parser:
    """Parses one text, line by line."""

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
            match = self.parse_integer(*body[0], most=1000)
            body = body[1:]
        if match is not None and body and _key(body[-1][1]) == "total":
            total = self.parse_integers(*body[-1])
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
        parser = _GameParser(self)
        for number, line in lines:
            parser.parse_line(number, line)
        return parser.record(lines[0][0], lines[-1][0])

    def entry(self, number: int, line: str) -> Entry | None:
        move = _MOVE.fullmatch(line)
        if move:
            seat = None if move[1] == "*" else Seat(self.parse_integer(number, f"seat {move[1]}", most=99))
            return Move(seat, move[2].strip())
        return Undo(self.parse_integer(number, line)) if _key(line) == "undo" else None

    def parse_integer(self, number: int, line: str, most: int = 10**9) -> int:
        key, _, value = line.partition(" ")
        value = value.strip()
        if not (value.isascii() and value.isdigit() and len(value) < 11 and int(value) <= most):
            raise BadRecord(number, _say("record.whole", field=key, given=brief(value)))
        return int(value)

    def parse_integers(self, number: int, line: str) -> tuple[int, ...]:
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


class _GameParser:
    """Parses the lines of one game."""

    def __init__(self, parser: _Parser) -> None:
        self.parser = parser
        self.values: dict[str, str] = {}
        self.integers: dict[str, int] = {}
        self.options: dict[str, str] = {}
        self.data: dict[str, str] = {}
        self.names: dict[int, str] = {}
        self.nonces: dict[int, str] = {}
        self.entries: list[Entry] = []
        self.entry_lines: list[int] = []
        self.fields: dict[str, int] = {}
        self.result: tuple[int, ...] | None = None

    def parse_line(self, number: int, line: str) -> None:
        key, _, value = line.partition(" ")
        value = value.strip()
        entry = self.parser.entry(number, line)
        if entry is not None:
            self.add_entry(number, entry)
        elif key == "result":
            self.add_field(number, key, self.result is not None)
            self.result = self.parser.parse_integers(number, line)
        elif key in ("option", "data", "seat", "nonce"):
            self.parse_repeatable(number, key, value)
        elif key in _SINGLE:
            self.add_field(number, key, key in self.values)
            self.values[key] = value
            self.check_value(number, key, line, value)
        else:
            self.fail(number, "record.unknown", given=brief(line))

    def check_value(self, number: int, key: str, line: str, value: str) -> None:
        """Raises BadRecord for a header with an invalid value."""
        if key in ("rules", "players", "first", "viewer"):
            self.integers[key] = self.parser.parse_integer(number, line)
        elif key in ("commit", "secret") and not (_HEX.fullmatch(value) and len(value) == 64):
            self.fail(number, "record.hex", field=key, length=64)
        elif key == "practice" and value:
            self.fail(number, "record.practice")
        elif key == "drawn" and value != "first":
            self.fail(number, "record.drawn", given=brief(value))
        elif key in ("game", "edition", "ending") and not value:
            self.fail(number, "record.empty", field=key)

    def add_entry(self, number: int, entry: Entry) -> None:
        if self.result is not None:
            self.fail(number, "record.after_result")
        self.entries.append(entry)
        self.entry_lines.append(number)

    def parse_repeatable(self, number: int, key: str, value: str) -> None:
        """Parses a header that may occur several times, with different first words."""
        name, _, rest = value.partition(" ")
        rest = rest.strip()
        if not name:
            self.fail(number, "record.empty", field=key)
        if key == "option":
            self.add_field(number, f"option {name}", name in self.options)
            self.options[name] = rest
            return
        if key == "data":
            self.add_field(number, f"data {name}", name in self.data)
            self.data[name] = self.parse_document(number, name, rest)
            return
        seat = self.parser.parse_integer(number, f"{key} {name}", most=99)
        if key == "seat":
            self.add_field(number, f"seat {seat}", seat in self.names)
            if not is_name(rest):
                self.fail(number, "record.name", longest=LONGEST_NAME)
            self.names[seat] = rest
        else:
            self.add_field(number, f"nonce {seat}", seat in self.nonces)
            if not (_HEX.fullmatch(rest) and len(rest) in (0, 32)):
                self.fail(number, "record.hex", field=f"nonce {seat}", length=32)
            self.nonces[seat] = rest

    def parse_document(self, number: int, sha: str, text: str) -> str:
        try:
            document = canonical_json(json.loads(text))
            found = digest(document)
        except (ValueError, RecursionError):
            self.fail(number, "record.data")
        if found != sha:
            self.fail(number, "record.sha", given=brief(sha))
        return document

    def add_field(self, number: int, name: str, duplicate: bool) -> None:
        if duplicate:
            self.fail(number, "record.twice", field=name)
        self.fields[name] = number

    def fail(self, number: int, key: str, **arguments: Argument) -> Never:
        raise BadRecord(number, _say(key, **arguments))

    def record(self, first_line: int, last_line: int) -> GameRecord:
        for key in AGREED:
            if key not in self.values:
                self.fail(first_line, "record.missing", field=key)
        if self.result is None and "ending" in self.values:
            self.fail(last_line, "record.ending")
        return GameRecord(
            game=self.values["game"],
            rules=self.integers["rules"],
            edition=self.values["edition"],
            players=self.integers["players"],
            first=self.integers["first"],
            options=tuple(self.options.items()),
            data=tuple(self.data.items()),
            names=tuple(sorted(self.names.items())),
            commit=self.values.get("commit"),
            nonces=tuple(sorted(self.nonces.items())),
            viewer=self.integers.get("viewer"),
            entries=tuple(self.entries),
            practice="practice" in self.values,
            secret=self.values.get("secret"),
            result=self.result,
            ending=self.values.get("ending"),
            drawn="drawn" in self.values,
            places=Places(tuple(self.entry_lines), tuple(self.fields.items()), last_line),
        )
