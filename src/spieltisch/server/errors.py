"""Refusals of the server: their codes, their HTTP statuses, and how they cross process boundaries."""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

from spieltisch.core.game import BadSetup, Refusal, brief
from spieltisch.i18n.message import Message
from spieltisch.records import BadRecord

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
    "wrong-host": 421,
    "limit": 429,
    "damaged": 500,
    "closing": 503,
}  # by code; there are no other codes


class KeyReused(Refusal):
    """The idempotency key already belongs to another command."""

    code: ClassVar[str] = "key-reused"


class WrongHost(Refusal):
    """The request is for a name that is not the server's."""

    code: ClassVar[str] = "wrong-host"


class Damaged(Refusal):
    """What is stored of a table is not what was written; it is not served."""

    code: ClassVar[str] = "damaged"


class Closing(Refusal):
    """The server is shutting down or too busy; nothing was changed."""

    code: ClassVar[str] = "closing"


class Overloaded(Closing):
    """Too much work waits already; nothing was changed, and the same request may succeed soon."""

    retry_after: ClassVar[int] = 2  # seconds


class RefusalData(NamedTuple):
    """A refusal as plain data, which a worker process returns."""

    code: str
    message: Message
    rule: str | None = None
    field: str | None = None
    line: int | None = None


def refusal_data(error: Refusal) -> RefusalData:
    """The refusal as plain data."""
    field = brief(error.field) if isinstance(error, BadSetup) and error.field is not None else None
    line = error.line if isinstance(error, BadRecord) else None
    return RefusalData(error.code, error.message, error.rule, field, line)


class Refused(Exception):
    """A refusal that a worker process has returned, on its way to the client."""

    def __init__(self, data: RefusalData) -> None:
        super().__init__(data)
        self.data = data
