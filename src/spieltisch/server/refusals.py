"""Why the server says no: every kind has a code that machines know and a status of HTTP."""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

from spieltisch.game import BadSetup, Refusal, brief
from spieltisch.message import Message
from spieltisch.record import BadRecord

STATUS: Final = {
    "bad-request": 422,
    "bad-setup": 422,
    "bad-notation": 422,
    "bad-record": 422,
    "illegal-action": 422,
    "unknown-game": 404,
    "not-found": 404,
    "not-yours": 403,
    "not-pending": 409,
    "not-now": 409,
    "stale": 409,
    "taken": 409,
    "key-reused": 409,
    "too-large": 413,
    "limit": 429,
    "closing": 503,
}  # every code there is


class BadRequest(Refusal):
    """A request that lacks something or has something of another kind."""

    code: ClassVar[str] = "bad-request"


class NotFound(Refusal):
    """There is no such table for this browser."""

    code: ClassVar[str] = "not-found"


class NotYours(Refusal):
    """Somebody else's seat, or the host's right."""

    code: ClassVar[str] = "not-yours"


class NotNow(Refusal):
    """The table is not so far, or too far."""

    code: ClassVar[str] = "not-now"


class Stale(Refusal):
    """The game has gone on since."""

    code: ClassVar[str] = "stale"


class Taken(Refusal):
    """A seat or a name that somebody else has."""

    code: ClassVar[str] = "taken"


class KeyReused(Refusal):
    """The key of another command."""

    code: ClassVar[str] = "key-reused"


class Closing(Refusal):
    """The server is about to end or too busy; nothing was changed."""

    code: ClassVar[str] = "closing"


class No(NamedTuple):
    """A refusal as a value, to cross from one process to another."""

    code: str
    message: Message
    rule: str | None = None
    field: str | None = None
    line: int | None = None


def no(error: Refusal) -> No:
    """The refusal as a value."""
    field = brief(error.field) if isinstance(error, BadSetup) and error.field is not None else None
    line = error.line if isinstance(error, BadRecord) else None
    return No(error.code, error.message, error.rule, field, line)


class Refused(Exception):
    """A refusal on its way to whoever asked."""

    def __init__(self, answer: No) -> None:
        super().__init__(answer)
        self.answer = answer
