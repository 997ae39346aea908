"""The notation of Big Points: actions as text, and their frozen ids."""

from __future__ import annotations

from typing import Final

from spieltisch.core.actions import ListedIds
from spieltisch.core.game import BadNotation, brief
from spieltisch.core.type_errors import check_notation, not_an_action
from spieltisch.games.bigpoints.rules import BACKWARD, BOTH_SIDES, CLIMB, EXTRA, NO_DISC, NORMAL
from spieltisch.games.bigpoints.state import DECLINE, LAYS, LETTERS, PAWNS, Action, Lay, Move, Take
from spieltisch.i18n.message import message_factory

say = message_factory("bigpoints")


def _format(action: Action) -> str:
    match action:
        case Lay(disc):
            return LETTERS[disc]
        case Move(pawn, take, extra, backward):
            return "*" * extra + LETTERS[pawn] + "<" * backward + take.value
    return "."


def _all_moves(table: tuple[tuple[tuple[Move, ...], ...], ...], takes: str) -> list[Move]:
    """All moves of a table, per pawn in the order `+ - ^ 0`."""
    return [
        move
        for row in table
        for moves in (row[BOTH_SIDES], row[CLIMB], row[NO_DISC])
        for move in moves
        if move.take.value in takes
    ]


ACTIONS: Final[tuple[Action, ...]] = (  # frozen: an action's id is its index
    *_all_moves(NORMAL, "+-^0"),
    *_all_moves(EXTRA, "+-^0"),
    *_all_moves(BACKWARD, "+-0"),
    DECLINE,
    *LAYS,
)
IDS: Final = ListedIds(ACTIONS)
_NEVER_LEGAL: Final = tuple(  # can be read, so that the refusal can say why
    Move(pawn, take, False, True) for pawn in PAWNS for take in (Take.AHEAD, Take.BEHIND, Take.NOTHING)
)
_TEXTS: Final = {action: _format(action) for action in (*ACTIONS, *_NEVER_LEGAL)}
_ACTIONS: Final = {text: action for action, text in _TEXTS.items()}


def write(action: Action) -> str:
    if not isinstance(action, Action):
        raise not_an_action(action)
    return _TEXTS[action]


def read(text: str) -> Action:
    check_notation(text)
    action = _ACTIONS.get(text)
    if action is None:
        raise BadNotation(say("notation", given=brief(text)))
    return action
