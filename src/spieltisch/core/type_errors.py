"""Refusals of values of the wrong type, in sentences that say what to write instead."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex

from spieltisch.core.game import Refusal, brief
from spieltisch.i18n.message import message_factory

_say = message_factory("")


class WrongType(Refusal, TypeError):
    """A value of another type than the function takes; the message says what to write instead."""

    code = "wrong-type"


class NotAnAction(WrongType):
    """A value of another type where one of the game's actions is needed."""

    code = "not-an-action"


def not_an_action(given: object) -> NotAnAction:
    """The refusal of a value that is not an action; it says what to write instead."""
    if isinstance(given, str):
        code = f'"{brief(given)}"'
        push, apply = f"match.push({code})", f"game.apply(state, game.read(state, {code}))"
        return NotAnAction(_say("slip.text", given=brief(given), push=push, apply=apply))
    if type(given) in (list, tuple):  # not a named tuple, which may be an action of another game
        return NotAnAction(_say("slip.several"))
    return NotAnAction(_say("slip.type", given=type(given).__name__))


def check_notation(given: object) -> None:
    """Refuses what is not a text, where the notation of an action is needed."""
    if not isinstance(given, str):
        raise WrongType(_say("slip.notation", given=type(given).__name__))


def whole_number(field: str, given: SupportsIndex, code: str) -> int:
    """A whole number; WrongType if it is something else, with the code to write instead."""
    if isinstance(given, SupportsIndex):
        return index(given)
    raise WrongType(_say("slip.whole", field=field, given=type(given).__name__, code=code))
