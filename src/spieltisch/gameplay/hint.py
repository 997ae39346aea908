"""A hint in words: what it proposes and why, the same in the browser, in the terminal and for language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame
from spieltisch.i18n.message import Message, message_factory

_say = message_factory("")


class HintWords(NamedTuple):
    """What a hint proposes, and the reason for it, if there is one."""

    proposal: Message
    reason: Message | None


def describe_hint(game: AnyGame, view: Any, action: Any, choices: Sequence[Any]) -> HintWords:
    """The hint to take an action that is one of the choices, from what the view shows."""
    speech = registry.speech(game)
    proposal = speech.proposal(view, action)
    if len(choices) == 1:
        return HintWords(proposal, _say("hint.only"))
    return HintWords(proposal, speech.hint_reason(view, action, choices))
