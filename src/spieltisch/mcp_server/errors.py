"""Refusals of the match host."""

from __future__ import annotations

from typing import ClassVar

from spieltisch.core.game import Refusal


class UnknownMatch(Refusal):
    """There is no match with that id, and no seat with that key."""

    code: ClassVar[str] = "unknown-match"


class BadRequest(Refusal):
    """A missing, unknown, mistyped or oversized argument, or a contradiction between arguments."""

    code: ClassVar[str] = "bad-request"


class NotAllowed(Refusal):
    """The match does not allow this: no seat is open, or it is not for practice."""

    code: ClassVar[str] = "not-allowed"


class Stale(Refusal):
    """The move was meant for an earlier position."""

    code: ClassVar[str] = "stale"


class LimitExceeded(Refusal):
    """There are as many matches as the host allows."""

    code: ClassVar[str] = "limit"
