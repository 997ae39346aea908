"""Refusals of a match."""

from __future__ import annotations

from typing import ClassVar

from spieltisch.core.game import Refusal


class NotPending(Refusal):
    """The game is not waiting for this."""

    code: ClassVar[str] = "not-pending"


class BadAnswer(Refusal):
    """A player returned something that is none of its choices."""

    code: ClassVar[str] = "bad-answer"
