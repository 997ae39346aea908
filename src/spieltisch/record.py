"""Records: a played game as a text that people can read and compare, complete without any seed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Never, TypeAlias

from spieltisch.game import AnyGame, Document, Refusal, Seat, Setup, brief, canonical_json
from spieltisch.message import Argument, Message, speaker

FORMAT: Final = "spieltisch 1"
_say = speaker("")
_COMMENT: Final = re.compile(r"(?:^|\s);.*$")
_MOVE: Final = re.compile(r"(\*|\d+) (.+)")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ESCAPED: Final = re.compile(r"(?<=\s);|[\x7f-\x9f]")  # in a document: what would begin a comment, or be refused
_HEX: Final = re.compile(r"[0-9a-f]*")
_AGREED: Final = ("game", "rules", "edition", "players", "first")
_SINGLE: Final = (*_AGREED, "commit", "secret", "viewer", "practice", "ending")
_LONGEST_NAME: Final = 40


class BadRecord(Refusal):
    """A record that cannot be read, or that the rules say no to, at a line of it."""

    code = "bad-record"

    def __init__(self, line: int, message: Message, rule: str | None = None) -> None:
        super().__init__(message, rule)
        self.line = line


class Move(NamedTuple):
    """An action: of a seat, or of chance (None)."""

    seat: Seat | None
    text: str


class Undo(NamedTuple):
    """The last actions taken back; what chance drew for them stays drawn."""

    actions: int


Entry: TypeAlias = Move | Undo


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: what was agreed, who sat where, what happened and how it ended."""

    game: str
    rules: int
    edition: str
    players: int
    first: int
    options: tuple[tuple[str, str], ...] = ()  # those that are not the default; documents by their SHA-256
    data: tuple[tuple[str, str], ...] = ()  # documents: SHA-256 and text
    names: tuple[tuple[int, str], ...] = ()
    commit: str | None = None
    nonces: tuple[tuple[int, str], ...] = ()
    viewer: int | None = None
    entries: tuple[Entry, ...] = ()
    practice: bool = False
    secret: str | None = None
    result: tuple[int, ...] | None = None
    ending: str | None = None
    lines: tuple[int, ...] = field(default=(), compare=False)  # where each entry stood in the text
    last_line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """What happened in one sitting: a game, or a match of several with their total."""

    games: tuple[GameRecord, ...]
    match: int | None = None  # how many games were agreed on
    total: tuple[int, ...] | None = None


def digest(document: str) -> str:
    """The SHA-256 of a document's text."""
    return hashlib.sha256(document.encode()).hexdigest()


def begin(game: AnyGame, setup: Setup, names: Mapping[int, str] | None = None) -> GameRecord:
    """The record of a game in which nothing has happened."""
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
    """The setup that the record was played under; BadSetup where the game does not allow it."""
    documents = dict(record.data)
    kinds = {option.name: option for option in game.options}
    options = {
        name: documents.get(value, value) if isinstance(kinds.get(name), Document) else value
        for name, value in record.options
    }
    return game.agree(record.players, record.edition, options, record.first, record.rules)


def write(record: Record) -> str:
    """The record's text."""
    blocks = ["\n".join(_block(game)) for game in record.games]
    head = [_header("format", FORMAT)] + ([] if record.match is None else [_header("match", record.match)])
    tail = [] if record.total is None else ["", _header("total", _numbers(record.total))]
    return "\n".join([*head, "\n\n".join(blocks), *tail]) + "\n"


def _header(key: str, value: object) -> str:
    return f"{key:<9} {value}"


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def _block(game: GameRecord) -> Iterator[str]:
    for key in _AGREED:
        yield _header(key, getattr(game, key))
    for name, value in game.options:
        yield _header("option", f"{name} {value}")
    for sha, text in game.data:
        safe = _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
        yield _header("data", f"{sha} {safe}")
    for seat, name in game.names:
        yield _header(f"seat {seat}", name)
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
    """The line of a record that says what happened."""
    if isinstance(entry, Undo):
        return _header("undo", entry.actions)
    return f"{'*' if entry.seat is None else entry.seat} {entry.text}"


def read(text: str) -> Record:
    """The record that the text holds; BadRecord names the line that cannot be read."""
    return _Reader(text).record()


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
        return Record(tuple(games), match, total)

    def game(self, lines: list[tuple[int, str]]) -> GameRecord:
        block = _Block(self)
        for number, line in lines:
            block.take(number, line)
        return block.record(lines[0][0], lines[-1][0])

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
        self.result: tuple[int, ...] | None = None

    def take(self, number: int, line: str) -> None:
        key, _, value = line.partition(" ")
        value = value.strip()
        move = _MOVE.fullmatch(line)
        if move:
            seat = None if move[1] == "*" else Seat(self.reader.whole(number, f"seat {move[1]}", most=99))
            self.enter(number, Move(seat, move[2].strip()))
        elif key == "undo":
            self.enter(number, Undo(self.reader.whole(number, line)))
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
            if not 0 < len(rest) <= _LONGEST_NAME or ";" in rest:
                self.no(number, "record.name", longest=_LONGEST_NAME)
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

    def once(self, number: int, field_: str, there: bool) -> None:
        if there:
            self.no(number, "record.twice", field=field_)

    def no(self, number: int, key: str, **arguments: Argument) -> Never:
        raise BadRecord(number, _say(key, **arguments))

    def record(self, first_line: int, last_line: int) -> GameRecord:
        for key in _AGREED:
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
            lines=tuple(self.places),
            last_line=last_line,
        )
