"""Tables for tests: every command is decided by the live state and again by one that is rebuilt from the log."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from spieltisch.core.game import Decision, Refusal
from spieltisch.records import write
from spieltisch.table import commands, projection
from spieltisch.table.codec import Row, decode, encode
from spieltisch.table.commands import (
    Context,
    PlayFor,
    SeatPlan,
    decide,
)
from spieltisch.table.commands.base import Command, Deciding
from spieltisch.table.events import Event
from spieltisch.table.responses import TableUpdate
from spieltisch.table.state import TableState, Wait, fold

ADA, BEN, CLEO, DAN = "ada", "ben", "cleo", "dan"
PEOPLE = (ADA, BEN, CLEO, DAN)
NONCE = "07" * 16
COMMIT = hashlib.sha256(bytes.fromhex(NONCE)).hexdigest()
KEY = "key-of-a-test"
RANDOM = b"random bytes of a test"
THE_CODE = "code"  # stands for the invitation of the table, which is only known when it is open


def keyed(kind: type[Command]) -> Callable[..., Command]:
    return lambda *values, **more: kind(*values, key=KEY, **more)


def join(seat: int | None, name: str, code: str, commit: str | None) -> Command:
    return commands.Join(name, seat, commit, code=code, key=KEY)


resize = keyed(commands.Resize)
play_draft, answer, ask_undo = keyed(commands.Play), keyed(commands.Answer), keyed(commands.AskUndo)
ask_bot, resign, next_game = keyed(commands.AskBot), keyed(commands.Resign), keyed(commands.Continue)
watch, arrange, start, reveal = (
    keyed(commands.Watch), keyed(commands.Arrange), keyed(commands.Start), keyed(commands.Reveal),
)  # fmt: skip
lend, take_back, leave, rematch = (
    keyed(commands.Lend), keyed(commands.Return), keyed(commands.Leave), keyed(commands.Rematch),
)  # fmt: skip


def opening(*plans: SeatPlan, **more: Any) -> commands.Open:
    how: dict[str, Any] = {
        "game": "template",
        "options": {"bag": {"R": 3, "B": 4, "G": 3}},
        "first": 0,
        "games": 2,
        "seconds": 60,
        "late": "first",
        **more,
    }
    return commands.Open(seats=list(plans), key=KEY, **how)


def person(name: str, commit: str | None = None) -> SeatPlan:
    return SeatPlan("person", name, None, commit)


OPEN = SeatPlan("open")
BOT = SeatPlan("bot", None, "level:1")


class CheckedTable:
    """A table at which every command is decided by the live state, and by one that was rebuilt from the whole log.

    A third state, which gets every event afterwards from its stored line, knows the same, too.
    """

    def __init__(self, *plans: SeatPlan, by: str = ADA, **more: Any) -> None:
        self.state: TableState | None = None
        self.follower: TableState | None = None
        self.rows: list[Row] = []
        self.later = 0  # milliseconds that have passed without anything happening
        self.do(by, opening(*plans, **more))

    @property
    def live(self) -> TableState:
        assert self.state is not None
        return self.state

    def do(self, by: str | None, command: Command) -> Any:
        """Carries out a command and returns the reply; checks that the log leads to the same events."""
        if getattr(command, "code", "") == THE_CODE:
            command = replace(command, code=self.live.opened.code)  # type: ignore[type-var]
        before = self.state
        now = 1000 + (before.version if before else 0) + self.later
        context = Context(by, now, RANDOM)
        events = _events_or_refusal(before, command, context)
        again = _events_or_refusal(rebuilt(self.rows), command, context)
        assert _comparable(again) == _comparable(events)
        if not isinstance(events, Refusal):  # what a command sees while it is decided follows from its events, too
            deciding = Deciding(before, context)
            command.decide(deciding)
            assert deciding.state == fold(((event, now) for event in events), before)
        if isinstance(events, Refusal):
            assert self.state is before
            raise events
        rows = [Row(encode(event), now) for event in events]
        self.rows += rows
        self.state = fold(((event, now) for event in events), before)
        self.follower = fold(((decode(row.line), row.at) for row in rows), self.follower)
        after = before.version if before else 0
        assert self.live == rebuilt(self.rows) == self.follower
        assert (
            everything_visible(self.live, after)
            == everything_visible(rebuilt(self.rows), after)
            == everything_visible(self.follower, after)
        )
        return command.reply(self.live, events, by)

    def refused(self, by: str | None, command: Command, kind: type[Refusal]) -> Refusal:
        """The refusal of a command that cannot be carried out."""
        with pytest.raises(kind) as caught:
            self.do(by, command)
        return caught.value

    def look(self, by: str | None, seat: int | None = None, after: int = 0) -> TableUpdate:
        """The table as somebody may know it, in English."""
        return projection.project(self.live, projection.viewpoint(self.live, by, seat, "en"), after)

    def play(self, count: int = 1) -> None:
        """The person or bot to move takes the first choice."""
        for _ in range(count):
            waiting = self.live.waiting()
            assert waiting.seat is not None
            seat = self.live.seats[waiting.seat]
            if waiting.kind is Wait.PERSON:
                self.do(seat.holder, play_draft(waiting.seat, self.live.version, [self.choices()[0]]))
            else:
                self.do(None, PlayFor(waiting.seat, waiting.since, 0))

    def choices(self) -> list[str]:
        game = self.live.game
        assert game is not None
        assert isinstance(game.pending, Decision)
        return [game.game.write(game.state, action) for action in game.pending.actions]

    def play_on(self, until: Callable[[TableState], bool]) -> None:
        while not until(self.live):
            self.play()

    def until_turn_of(self, seat: int) -> None:
        self.play_on(lambda state: state.waiting().seat == seat)

    def record(self) -> str:
        """The record as it is stored when everything may be known."""
        return write(projection.whole_record(self.live))


def rebuilt(rows: list[Row]) -> TableState | None:
    return fold((decode(row.line), row.at) for row in rows)


def _events_or_refusal(state: TableState | None, command: Command, context: Context) -> list[Event] | Refusal:
    try:
        return decide(state, command, context)
    except Refusal as error:
        return error


def _comparable(found: list[Event] | Refusal) -> Any:
    return (found.code, found.message, found.rule) if isinstance(found, Refusal) else found


def everything_visible(state: TableState | None, after: int = 0) -> list[Any]:
    """Everything that anybody can see of the table since that event."""
    assert state is not None
    views = [
        projection.Viewpoint(holder, viewer, "en") for holder in (*PEOPLE, None) for viewer in _viewers(state, holder)
    ]
    return [
        state.status,
        state.waiting(),
        [projection.project(state, view, after) for view in views],
        [projection.project_record(state, viewer) for viewer in {view.viewer: None for view in views}],
        projection.summarize(state),
    ]


def _viewers(state: TableState, holder: str | None) -> list[Any]:
    return [*state.seats_of(holder), projection.viewpoint(state, holder, None, "en").viewer]


THREE = (person("Ada"), OPEN, OPEN)


def three_people(**more: object) -> CheckedTable:
    """Ada, Ben and Cleo in the first game; Ada starts."""
    log = CheckedTable(*THREE, **more)
    for by in (BEN, CLEO):
        log.do(by, join(None, by.capitalize(), "code", None))
    log.do(CLEO, start())
    return log
