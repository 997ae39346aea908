"""Refusals of a table: every kind has a code that machines know."""

from __future__ import annotations

from typing import ClassVar

from spieltisch.core.game import Refusal


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
