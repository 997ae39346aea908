"""Refusals of a match."""

from __future__ import annotations

from typing import ClassVar

from spieltisch.core.game import Refusal
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory

_say = message_factory("")


class NotPending(Refusal):
    """The game is not waiting for this."""

    code: ClassVar[str] = "not-pending"


class BadAnswer(Refusal):
    """A player returned something that is not one of its choices."""

    code: ClassVar[str] = "bad-answer"


def format_refusal(error: Refusal, language: str) -> str:
    """The refusal as a sentence that names the rule, if there is one."""
    reason = format_message(error.message, language)
    if error.rule is None:
        return reason
    return format_message(_say("refused", rule=error.rule, reason=reason), language)
