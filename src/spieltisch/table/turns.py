"""Turns of a table's games, projected for one viewer: an event carries the line of its turn so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from spieltisch.core.game import AnyGame, Seat, Viewer
from spieltisch.gameplay.progress import PlayedEntry
from spieltisch.gameplay.turns import Turn, TurnLine, extend_turns, is_complete, opens_turn, split_turns, tell_turn
from spieltisch.i18n.message import Audience
from spieltisch.i18n.parts import format_parts
from spieltisch.records import Undo
from spieltisch.table.responses import LinePart, TurnView
from spieltisch.table.state import TableState


def project_turns(
    state: TableState, viewer: Viewer, language: str, after: int, end: int
) -> tuple[dict[int, TurnView], dict[int, int]]:
    """By number, the turns that events of a range carry, and the first event that each undo took back."""
    turns: dict[int, TurnView] = {}
    undone: dict[int, int] = {}
    for game in {entry.game for entry in state.log[after:end] if entry.game is not None}:
        index = TurnIndex(state.games[game].progress.game, viewer)
        for number in range(state.games[game].started + 1, end + 1):
            entry = state.log[number - 1]
            if entry.transition is None or entry.game != game:
                continue
            back = index.add(number, entry.transition)
            if number <= after:
                continue
            if back is not None:
                undone[number] = back
            elif (told := index.project(entry.names, language)) is not None:
                turns[number] = told
    return turns, undone


class Action(NamedTuple):
    """An action that was not undone, and its number in the log."""

    number: int
    played: PlayedEntry[Any, Any]


class TurnIndex:
    """The turns of one game so far, without what was undone.

    What it tells of an event depends on what happened until then, not on what came later: a stream and a page of
    events tell the same.
    """

    def __init__(self, game: AnyGame, viewer: Viewer) -> None:
        self.game = game
        self.viewer = viewer
        self.path: list[Action] = []
        self.turns: list[Turn] = []

    def add(self, number: int, played: PlayedEntry[Any, Any]) -> int | None:
        """Adds an action; or an undo, and returns the number of the first event that it undid."""
        if not isinstance(played.entry, Undo):
            self.path.append(Action(number, played))
            extend_turns(self.game, self.turns, played.witness(self.game, self.viewer))
            return None
        undone = self.path[-played.entry.actions :]
        del self.path[-played.entry.actions :]
        self.turns = split_turns(self.game, [action.played.witness(self.game, self.viewer) for action in self.path])
        return undone[0].number

    def project(self, names: Sequence[str], language: str) -> TurnView | None:
        """The turn of the last action so far; None in the midst of draws, which end before anything else happens."""
        turn, last = self.turns[-1], self.path[-1].played
        after = last.next(self.game)
        if after.draw is not None and not opens_turn(self.game, after):
            return None
        line = self._line(turn, names)
        seat = turn.seat if turn.seat is not None or turn.deal else after.seat
        return TurnView(
            self.path[turn.start].number,
            None if seat is None else int(seat),
            [LinePart(*part) for part in format_parts(line.sentences, language)],
            line.mark,
            is_complete(self.game, turn, after),
        )

    def _line(self, turn: Turn, names: Sequence[str]) -> TurnLine:
        """The line of the last turn, made once per viewer."""
        played = [action.played for action in self.path[turn.start : turn.stop]]
        last, key = played[-1], ("turn", self.viewer, tuple(names))
        line: TurnLine | None = last.cache.get(key)
        if line is None:
            states = [one.step.before for one in played if one.step is not None] + [last.after]
            heard = [one.witness(self.game, self.viewer) for one in played]
            listener = None if self.viewer is None else Seat(self.viewer)
            line = last.cache[key] = tell_turn(self.game, turn, heard, states, Audience(names, listener))
        return line
