"""The lines of a table's log: those of its record, and between them, marked by `@`, what else happened at the table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

MARK: Final = "@ "


class Opened(NamedTuple):
    """A table is opened for a game."""

    game: str
    edition: str
    options: Mapping[str, str]
    players: int
    first: int | None  # None: drawn
    rules: int
    games: int
    public: bool
    seconds: int | None  # what a turn may take
    late: str  # who takes over where a turn takes longer: 'bot', or 'first' for the first choice there is
    code: str  # the invitation
    host: str
    secrets: Sequence[str]  # of fair chance, one a game


class Sat(NamedTuple):
    """A person sits down; `commit` is the SHA-256 of the nonce that will be revealed."""

    seat: int
    name: str
    holder: str
    commit: str | None


class Kept(NamedTuple):
    """A seat is kept for the person who had it in the match before."""

    seat: int
    name: str
    holder: str


class Placed(NamedTuple):
    """A bot sits down."""

    seat: int
    name: str
    player: str


class Freed(NamedTuple):
    """Nobody has the seat any more; in the middle of a match a bot plays on."""

    seat: int
    player: str | None


class Lent(NamedTuple):
    """A bot plays for somebody who is away."""

    seat: int
    player: str


class Returned(NamedTuple):
    """Somebody who was away plays again."""

    seat: int


class Watched(NamedTuple):
    """Somebody watches."""

    holder: str


class Gathered(NamedTuple):
    """Everybody is there; nonces are waited for."""


class Revealed(NamedTuple):
    """A person's nonce."""

    seat: int
    nonce: str


class Asked(NamedTuple):
    """A seat asks the others: to take back its last turn (`undo`), or to let a bot play for another seat (`bot`)."""

    seat: int
    what: str
    about: int


class Answered(NamedTuple):
    """A seat says yes or no to what was asked."""

    seat: int
    yes: bool


class Resigned(NamedTuple):
    """A seat gives up."""

    seat: int


class Practised(NamedTuple):
    """What is taken back next makes the game one for practice."""


class Late(NamedTuple):
    """A seat took too long: the rest of its turn is played for it."""

    seat: int


class Failed(NamedTuple):
    """A bot failed and is replaced."""

    seat: int
    player: str


class Ended(NamedTuple):
    """The match ends before its games do."""


class Followed(NamedTuple):
    """The same people go on at another table."""

    table: str


Line: TypeAlias = (
    Opened
    | Sat
    | Kept
    | Placed
    | Freed
    | Lent
    | Returned
    | Watched
    | Gathered
    | Revealed
    | Asked
    | Answered
    | Resigned
    | Practised
    | Late
    | Failed
    | Ended
    | Followed
)
_KINDS: Final[Mapping[str, type[Line]]] = {
    kind.__name__.lower(): kind
    for kind in (
        Opened, Sat, Kept, Placed, Freed, Lent, Returned, Watched, Gathered, Revealed, Asked, Answered, Resigned, Practised,
        Late, Failed, Ended, Followed,
    )
}  # fmt: skip


class Row(NamedTuple):
    """A line of the log, and when it was written, in milliseconds since 1970."""

    line: str
    at: int


def sealed(digest: bytes, rows: Iterable[Row]) -> bytes:
    """The digest of a log that had that digest before, with more lines."""
    for row in rows:
        digest = hashlib.sha256(digest + row.line.encode()).digest()
    return digest


def written(line: Line) -> str:
    """The line's text."""
    fields = {"do": type(line).__name__.lower(), **line._asdict()}
    return MARK + json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def parsed(text: str) -> Line | None:
    """The line that the text is; None for a line of the record."""
    if not text.startswith(MARK):
        return None
    fields = json.loads(text[len(MARK) :])
    return _KINDS[fields.pop("do")](**fields)


def is_entry(text: str) -> bool:
    """Whether a line of the record is an action or an undo."""
    return text[:1] == "*" or text[:1].isdigit() or text.startswith("undo ")
