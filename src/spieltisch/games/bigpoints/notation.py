"""The notation of Big Points."""

from __future__ import annotations

from typing import Final

from spieltisch.core.game import BadNotation, brief
from spieltisch.games.bigpoints.rules import BACKWARD, EXTRA, NORMAL
from spieltisch.games.bigpoints.state import DECLINE, LAYS, LETTERS, PAWNS, Action, Lay, Move, Take
from spieltisch.i18n.message import message_factory

say = message_factory("bigpoints")


def _text(action: Action) -> str:
    match action:
        case Lay(disc):
            return LETTERS[disc]
        case Move(pawn, take, extra, backward):
            return "*" * extra + LETTERS[pawn] + "<" * backward + take.value
    return "."


def _each(table: tuple[tuple[tuple[Move, ...], ...], ...], takes: str) -> list[Move]:
    return [
        move for cases in table for case in (cases[3], cases[4], cases[0]) for move in case if move.take.value in takes
    ]


ACTIONS: Final[tuple[Action, ...]] = (  # frozen: an action's id is its place
    *_each(NORMAL, "+-^0"),
    *_each(EXTRA, "+-^0"),
    *_each(BACKWARD, "+-0"),
    DECLINE,
    *LAYS,
)
_NEVER_ALLOWED: Final = tuple(  # can be written down, so that the refusal can say why
    Move(pawn, take, False, True) for pawn in PAWNS for take in (Take.AHEAD, Take.BEHIND, Take.NOTHING)
)
_TEXTS: Final = {action: _text(action) for action in (*ACTIONS, *_NEVER_ALLOWED)}
_ACTIONS: Final = {text: action for action, text in _TEXTS.items()}


def write(action: Action) -> str:
    return _TEXTS[action]


def read(text: str) -> Action:
    action = _ACTIONS.get(text)
    if action is None:
        raise BadNotation(say("notation", given=brief(text)))
    return action
