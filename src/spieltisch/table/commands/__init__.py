"""Commands: what can be done at a table, and `decide`, which says what a command leads to."""

from __future__ import annotations

from spieltisch.i18n.message import message_factory
from spieltisch.table.commands.base import ClientCommand, Command, Context, Deciding
from spieltisch.table.commands.consent import Answer, AskBot, AskUndo
from spieltisch.table.commands.match import (
    MAX_GAMES,
    Continue,
    Open,
    Rematch,
    Resize,
    Reveal,
    Share,
    Start,
    StartWithoutNonces,
    decide_rematch,
)
from spieltisch.table.commands.play import GiveVerdict, Play, PlayFor, ReplaceBot, Resign, TellHint, TimeOut
from spieltisch.table.commands.seating import Arrange, Join, Leave, Lend, Return, SeatPlan, Watch
from spieltisch.table.errors import NotFound, NotNow
from spieltisch.table.events import Event, MatchEnded
from spieltisch.table.state import Status, TableState

__all__ = [
    "MAX_EVENTS",
    "MAX_GAMES",
    "MAX_LINES",
    "Answer",
    "Arrange",
    "AskBot",
    "AskUndo",
    "ClientCommand",
    "Command",
    "Context",
    "Continue",
    "GiveVerdict",
    "Join",
    "Leave",
    "Lend",
    "Open",
    "Play",
    "PlayFor",
    "Rematch",
    "ReplaceBot",
    "Resign",
    "Resize",
    "Return",
    "Reveal",
    "SeatPlan",
    "Share",
    "Start",
    "StartWithoutNonces",
    "TellHint",
    "TimeOut",
    "Watch",
    "decide",
    "decide_rematch",
]

MAX_EVENTS = 20_000  # of a table, after which only commands are taken that bring it to its end
MAX_LINES = 40_000  # of a table, after which nobody can do anything but resign, leave or ask for a rematch
_LAST = (Resign, Leave, Rematch)
_ENDING = (Play, TellHint, Continue, Reveal, Resign, Leave, Rematch)
_COMING = (Open, Watch, Join)  # of people who are not at the table yet
_say = message_factory("")


def decide(state: TableState | None, command: Command, context: Context) -> list[Event]:
    """The events that a command leads to at a table, None before it is opened; a Refusal if it cannot be carried out.

    Pure: the same state, command and context lead to the same events. Chance that a command sets off is drawn here, from
    the secrets that were committed to, and becomes events.
    """
    if state is not None and state.version >= MAX_LINES and not isinstance(command, _LAST):
        if context.by is None and state.status is not Status.OVER:
            return [MatchEnded()]
        raise NotNow(_say("table.longest"))
    if state is not None and context.by is not None:
        if state.version >= MAX_EVENTS and not isinstance(command, _ENDING):
            raise NotNow(_say("table.long"))
        if not isinstance(command, _COMING) and not state.may_watch(context.by):
            raise NotFound(_say("table.unknown"))
    table = Deciding(state, context)
    command.decide(table)
    return table.events
