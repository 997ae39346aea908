"""The notation of Pebbles: one letter per action."""

from __future__ import annotations

from spieltisch.core.game import BadNotation, Viewer, brief
from spieltisch.core.type_errors import check_notation, not_an_action
from spieltisch.games.template.state import LETTERS, STOP, Action, Colour, Draw, Lay, Phase, State, Stop
from spieltisch.i18n.message import message_factory

say = message_factory("template")


def write(action: Action) -> str:
    match action:
        case Draw(colour) | Lay(colour, True):
            return LETTERS[colour]
        case Lay(colour, False):
            return LETTERS[colour].lower()
        case Stop():
            return "."
    raise not_an_action(action)


def read(state: State, text: str) -> Action:
    check_notation(text)
    if text == ".":
        return STOP
    if len(text) == 1 and text in LETTERS:
        colour = Colour(LETTERS.index(text))
        return Draw(colour) if state.phase in (Phase.DEAL, Phase.DRAW) else Lay(colour, True)
    if len(text) == 1 and text.upper() in LETTERS:
        return Lay(Colour(LETTERS.index(text.upper())), False)
    raise BadNotation(say("notation", given=brief(text)))


def witness(state: State, action: Action, viewer: Viewer) -> str:
    match action:
        case Draw() | Lay(_, False) if viewer != state.seat:
            return "?"
    return write(action)
