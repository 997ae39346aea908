"""A table while a command is carried out: what is checked for many commands, and how the log grows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Protocol

from spieltisch.core.game import Chance, Over, Seat
from spieltisch.i18n.message import message_factory
from spieltisch.records.model import LONGEST_NAME
from spieltisch.table import events
from spieltisch.table.errors import BadRequest, NotNow, NotYours, Stale, Taken
from spieltisch.table.events import Line, Row
from spieltisch.table.state import AnyReferee, Sitting, Status

_say = message_factory("")
_UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff;]")


class Desk:
    """A table while a command is carried out: what is added happens at once and goes to the log afterwards."""

    def __init__(self, sitting: Sitting, by: str | None, now: int) -> None:
        self.sitting = sitting
        self.by = by  # who commands: the hash of a browser's secret; None is the server itself
        self.now = now
        self.rows: list[Row] = []

    def add(self, line: Line | str) -> None:
        row = Row(line if isinstance(line, str) else events.written(line), self.now)
        self.sitting.take(row)
        self.rows.append(row)

    def seat(self, seat: int) -> Seat:
        """The seat, if whoever commands has it."""
        if seat not in self.sitting.seats_of(self.by):
            raise NotYours(_say("table.not_your_seat", seat=seat))
        return Seat(seat)

    def say_of(self, seat: int) -> Seat:
        """The seat, if whoever commands has it and has not resigned."""
        if self.sitting.places[self.seat(seat)].resigned:
            raise NotNow(_say("table.gave_up"))
        return Seat(seat)

    def speak_for_table(self) -> None:
        """Makes sure that whoever commands sits here, or is the host."""
        if self.by != self.sitting.opened.host and not self.sitting.seats_of(self.by):
            raise NotYours(_say("table.not_seated"))

    def host(self) -> None:
        if self.by != self.sitting.opened.host:
            raise NotYours(_say("table.not_host"))

    def at(self, *status: Status) -> None:
        """Makes sure that the table is so far."""
        if self.sitting.status not in status:
            raise NotNow(_say("table.not_now", status=self.sitting.status.value))

    def playing(self, version: int) -> AnyReferee:
        """The referee of the game under way, if it has not gone on since the version."""
        self.at(Status.PLAYING, Status.PAUSED, Status.OVER)
        referee = self.sitting.referee
        if referee is None:
            raise NotNow(_say("table.not_now", status=self.sitting.status.value))
        if version < self.sitting.moved:
            raise Stale(_say("table.stale", version=version, now=self.sitting.moved))
        if version > self.sitting.version:
            raise Stale(_say("table.ahead", version=version, now=self.sitting.version))
        return referee

    def go_on(self, entries: int) -> None:
        """Lets chance draw as long as nobody has to decide or judge, and writes down what happened since."""
        sitting, referee = self.sitting, self.sitting.referee
        assert referee is not None
        while isinstance(chance := referee.pending, Chance) and not (chance.judged and len(chance.actions) > 1):
            referee.draw(chance)
        for line in sitting.new_lines(entries):
            self.add(line)
        if isinstance(referee.pending, Over):
            self.end_game()
        sitting.mark_turn()

    def end_game(self) -> None:
        for line in self.sitting.ending():
            self.add(line)

    def begin_game(self) -> None:
        """Begins the next game of the match."""
        first = self.sitting.opened.first
        for line in self.sitting.begin(None if first is None else Seat(first)):
            self.add(line)
        self.go_on(0)

    def begin_when_ready(self) -> None:
        """Begins the match when every nonce that was announced is there, but for those of people who left."""
        if all(place.revealed or place.left or place.commit is None for place in self.sitting.places):
            self.begin_game()


class Command(Protocol):
    """Something to do at a table."""

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        """Does it and answers what is to be told to whoever commanded; a Refusal where it cannot be done."""
        ...


def checked_name(name: str, sitting: Sitting | None = None, seat: int | None = None) -> str:
    """The name, if a record can hold it and nobody else at the table has it."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST_NAME or _UNPRINTABLE.search(name):
        raise BadRequest(_say("table.name", longest=LONGEST_NAME))
    if sitting and any(place.name == name for other, place in enumerate(sitting.places) if other != seat):
        raise Taken(_say("table.name_taken", name=name))
    return name
