"""A match as one seat may know it: built from that seat's view and from what it has witnessed, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from spieltisch import registry
from spieltisch.core.game import BadNotation, Decision, IllegalAction, Over, Seat, brief
from spieltisch.core.player import Seen
from spieltisch.core.render import TextStyle
from spieltisch.gameplay.errors import NotPending, format_refusal
from spieltisch.gameplay.hint import describe_hint
from spieltisch.gameplay.menu import Entry, Menu
from spieltisch.gameplay.transcript import Transcript, seat_names
from spieltisch.i18n.format import format_message, format_messages
from spieltisch.i18n.message import Argument, message_factory
from spieltisch.mcp_server.errors import BadRequest
from spieltisch.mcp_server.match import OPEN, YOU, HostedMatch
from spieltisch.mcp_server.responses import (
    Explanation,
    Heading,
    Hint,
    Look,
    Move,
    MoveList,
    Result,
    SeatInfo,
    Status,
)
from spieltisch.records import Record, write

PAGE: Final = 50  # moves
_WIDTH: Final = 100  # columns of a drawn board
_say = message_factory("")


class SeatView:
    """What one seat is told about its match, in the seat's language."""

    def __init__(self, match: HostedMatch, seat: Seat) -> None:
        self.match = match
        self.seat = seat
        self.referee = match.referee
        self.game = match.referee.game
        self.language = match.seats[seat].language
        given = {number: one.name for number, one in enumerate(match.seats)}
        self.names = seat_names(len(match.seats), self.language, given)
        self.transcript = Transcript(self.referee, self.names, seat, TextStyle(False, _WIDTH, self.language))
        self.speech = self.transcript.speech

    def say(self, key: str, /, **arguments: Argument) -> str:
        """A message of the shell in the seat's language."""
        return format_message(_say(key, **arguments), self.language)

    # the position

    def look(self, *, start: int | None = None, draw: bool = False) -> Look:
        """The match now, and what has happened since the action with the index `start`, or since the seat's last turn."""
        if start is None:
            past = self.referee.since_last_turn(self.seat)
            start = len(self.referee.steps) - past if past else self.transcript.opening_draws
        view = self.referee.view(self.seat)
        happened = self._happened(start)
        board = "\n".join(self.transcript.table()) if draw and registry.renderer(self.game) else None
        position = format_messages(self.speech.position(view, self.transcript.audience), self.language)
        result = self._result()
        text = [
            self.say("mcp.seat", title=self.game.title, match=self.match.id, name=self.names[self.seat]),
            *([self.say("mcp.practice")] if self.match.practice else []),
            *format_messages(self.game.notes(), self.language),
            *(["", self.say("mcp.happened"), *(f"- {line}" for line in happened)] if happened else []),
            *(["", board] if board else []),
            "",
            *position,
            "",
            *(result.explained if result else [self._whose_turn()]),
        ]
        return Look(
            match=self.match.id,
            game=self.game.name,
            seat=int(self.seat),
            seats=[SeatInfo(number, self.names[number], self._player(number)) for number in range(len(self.names))],
            practice=self.match.practice,
            status=self._status(),
            turn=None if self.match.turn is None else int(self.match.turn),
            version=len(self.referee.progress.log),
            happened=happened,
            board=board,
            position=position,
            result=result,
            text="\n".join(text),
        )

    def _happened(self, start: int) -> list[str]:
        """What happened since the action with that index, with notices in their places."""
        events = self.transcript.events(start)
        lines: list[str] = []
        for index in range(start, start + len(events) + 1):
            lines += [format_message(notice, self.language) for at, notice in self.match.notices if at == index]
            lines += events[index - start : index - start + 1]
        return lines

    def _status(self) -> Status:
        if self.match.over:
            return "over"
        return "your_turn" if self.match.turn == self.seat else "waiting"

    def _whose_turn(self) -> str:
        turn = self.match.turn
        assert turn is not None
        if turn == self.seat:
            return self.say("mcp.your_turn")
        if self.match.seats[turn].is_open:
            return self.say("mcp.waits_for_open", seat=int(turn), match=self.match.id)
        return self.say("mcp.waits_for", name=self.names[turn])

    def _player(self, seat: int) -> str:
        state = self.match.seats[seat]
        if seat == self.seat:
            return YOU
        return state.bot or (OPEN if state.is_open else "agent")

    def _result(self) -> Result | None:
        pending = self.referee.pending
        if not isinstance(pending, Over):
            return None
        scores, ranks, ending = pending.outcome
        return Result(list(scores), list(ranks), ending, [self.say("turn.over"), *self.transcript.result()])

    def record(self) -> str:
        """The record: whole once the game is over, until then with `?` for what the seat could not see."""
        given = tuple((number, one.name) for number, one in enumerate(self.match.seats) if one.name)
        record = replace(self.referee.record(), names=given)
        if not self.match.over:
            record = self.referee.progress.redact(record, self.seat)
        return write(Record((record,)))

    # the moves

    def seen(self) -> Seen[Any, Any]:
        """What a player at this seat is told; NotPending if it is not the seat's turn."""
        return self.referee.seen(self.seat)

    def moves(self, starts_with: str = "", path: Sequence[int] = (), page: int = 1) -> MoveList:
        """The possible moves that start with a text, below a path of headings; headings if there are still many."""
        view, choices, _ = self.seen()
        written = [(self.game.write(self.referee.state, action), action) for action in choices]
        found = [
            Entry(text, action, self.speech.headings(view, action))
            for text, action in written
            if text.startswith(starts_with)
        ]
        if not found:
            raise BadRequest(_say("mcp.no_such_moves", given=brief(starts_with), moves=len(written)))
        menu = self._open(Menu(found), path)
        if headings := menu.headings:
            listed = [
                Heading(number, format_message(heading, self.language), moves)
                for number, (heading, moves) in enumerate(headings, 1)
            ]
            note = self.say("mcp.headings", path=str([*path, 1]))
            return MoveList(len(written), listed, [], 1, 1, note)
        entries = menu.visible
        pages = -(-len(entries) // PAGE)
        if page > pages:
            raise BadRequest(_say("mcp.no_page", page=page, pages=pages))
        shown = entries[(page - 1) * PAGE : page * PAGE]
        note = self.say("mcp.page", page=page, pages=pages) if pages > 1 else ""
        return MoveList(len(written), [], [self._describe(view, entry) for entry in shown], page, pages, note)

    def _open(self, menu: Menu, path: Sequence[int]) -> Menu:
        for number in path:
            headings = menu.headings
            if not 1 <= number <= len(headings):
                raise BadRequest(_say("mcp.no_heading", number=number, headings=len(headings)))
            menu.open(headings[number - 1][0])
        return menu

    def _describe(self, view: Any, entry: Entry) -> Move:
        meaning = format_message(self.speech.choice(view, entry.action), self.language)
        return Move(entry.text, meaning, self.game.ends_turn(self.referee.state, entry.action))

    def hint(self, choice: int) -> Hint:
        """The hint to take one of the choices, by its index."""
        view, choices, _ = self.seen()
        proposal, reason = describe_hint(self.game, view, choices[choice], choices)
        move, meaning = self.game.write(self.referee.state, choices[choice]), format_message(proposal, self.language)
        why = reason and format_message(reason, self.language)
        text = self.say("play.hint", move=move, words=meaning)
        return Hint(move, meaning, why, f"{text} {why}" if why else text)

    def explain(self, text: str) -> Explanation:
        """What the move would do, or why it is not possible."""
        pending, state = self.referee.pending, self.referee.state
        if not (isinstance(pending, Decision) and pending.seat == self.seat):
            raise NotPending(self.referee.progress.not_pending(self.seat))
        text = text.strip()
        try:
            action = self.game.read(state, text)
            if action not in pending.actions:
                self.game.for_replay.apply(state, action)
        except (BadNotation, IllegalAction) as error:
            return Explanation(text, False, error.rule, format_refusal(error, self.language))
        view = self.referee.view(self.seat)
        meaning = format_message(self.speech.choice(view, action), self.language)
        advice = format_messages(self.speech.advice(view, action), self.language)
        return Explanation(text, True, None, self.say("play.would", move=text, words=meaning), advice)
