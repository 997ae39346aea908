"""Refusals of a table: every kind has a code that machines know."""

from __future__ import annotations

from typing import ClassVar

from spieltisch.core.game import Refusal


class BadRequest(Refusal):
    """A request with a missing or invalid field."""

    code: ClassVar[str] = "bad-request"


class NotFound(Refusal):
    """There is no such table, or not for this client."""

    code: ClassVar[str] = "not-found"


class NotYours(Refusal):
    """A seat of somebody else, or a right of the host."""

    code: ClassVar[str] = "not-yours"


class NotNow(Refusal):
    """The table is not at the right stage."""

    code: ClassVar[str] = "not-now"


class Stale(Refusal):
    """The game has changed since the version of the command."""

    code: ClassVar[str] = "stale"


class Taken(Refusal):
    """Somebody else has the seat or the name."""

    code: ClassVar[str] = "taken"
