"""The notation of Rondo: actions as text, what other seats witness of them, and their frozen ids."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from spieltisch.core.actions import ListedIds
from spieltisch.core.game import BadNotation, Viewer, brief
from spieltisch.core.type_errors import check_notation, not_an_action
from spieltisch.games.rondo.board import CENTRE, LETTERS, Board
from spieltisch.games.rondo.state import DRAWS, END, MOST, NOWHERE, PASS, Action, Draw, End, FieldId, Lay, Pass, State
from spieltisch.i18n.message import message_factory

say = message_factory("rondo")
_LAY: Final = re.compile(r"([A-Za-z][A-Za-z0-9]*):([PBYGR]{1,9}|[pbygr]{1,9})")


@lru_cache(maxsize=64)
def ids(board: Board) -> ListedIds[Action]:
    """Per field one to five stones face up, then each colour face down; after all fields pass, end of chain, draws."""
    lays = [
        Lay(FieldId(field), stones)
        for field, colour in enumerate(board.colours)
        for stones in (*(LETTERS[colour] * n for n in range(1, MOST + 1)), *LETTERS.lower())
    ]
    return ListedIds((*lays, PASS, END, *DRAWS))


def write(state: State, action: Action) -> str:
    match action:
        case Lay(field, stones):
            return f"{CENTRE if field == NOWHERE else state.board.names[field]}:{stones}"
        case Draw(colour):
            return LETTERS[colour]
        case Pass(word) | End(word):
            return word
    raise not_an_action(action)


def read(state: State, text: str) -> Action:
    check_notation(text)
    if text == "pass":
        return PASS
    if text == ".":
        return END
    if len(text) == 1 and text in LETTERS:
        return DRAWS[LETTERS.index(text)]
    found = _LAY.fullmatch(text)
    if not found:
        raise BadNotation(say("notation", given=brief(text)))
    field = state.board.number(found[1])
    if field is None and found[1] != CENTRE:
        raise BadNotation(say("notation.field", given=brief(found[1])))
    return Lay(NOWHERE if field is None else FieldId(field), found[2])


def witness(state: State, action: Action, viewer: Viewer) -> str:
    if viewer != state.seat:
        if isinstance(action, Draw):
            return "?"
        if isinstance(action, Lay) and action.stones.islower():
            return f"{state.board.names[action.field]}:?"  # R10
    return write(state, action)
