"""Commands that need the others' consent: undoing a turn, a bot for somebody who is away, and the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from spieltisch.core.fields import Field
from spieltisch.core.game import Chance, Seat
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.progress import AnyProgress
from spieltisch.i18n.message import message_factory
from spieltisch.table.commands.base import Deciding, SeatCommand, SeatNumber, VersionedCommand
from spieltisch.table.errors import NotNow, Stale
from spieltisch.table.events import (
    ActionsUndone,
    ConsentAnswered,
    ConsentAsked,
    Event,
    PracticeMarked,
    SeatLent,
)
from spieltisch.table.state import STAND_IN, Consent, Status, TableState

PATIENCE: Final = 60  # seconds that a table of two waits for somebody before a bot may stand in
_say = message_factory("")


@dataclass(frozen=True, slots=True)
class AskUndo(VersionedCommand):
    """Asks to undo the seat's last turn: granted at once if all others are bots, else if everybody agrees."""

    def decide(self, table: Deciding) -> None:
        seat = table.require_say(self.seat)
        game = table.require_game(self.version)
        table.require_status(Status.PLAYING)
        since = game.since_last_turn(seat)
        if not since:
            raise NotPending(_say("undo.nothing"))
        if table.state.people() == [seat]:
            if not game.practice:
                table.emit(PracticeMarked())
            table.emit(ActionsUndone(since))
            return
        if any(_was_drawn(game, back) for back in range(1, since + 1)):
            raise NotNow(_say("table.undo_draw"))
        _ask(table, ConsentAsked(int(seat), "undo", int(seat)))

    def reply(self, state: TableState, events: Sequence[Event], by: str | None) -> Mapping[str, Any]:
        return {"asked": state.consent is not None}


def _was_drawn(game: AnyProgress, back: int) -> bool:
    """Whether the action that many actions ago was a draw, even a forced one: not everybody may know that it was."""
    step = game.path[-back].step
    assert step is not None
    if step.seat is not None:
        return False
    chance = game.game.pending(step.before)
    return isinstance(chance, Chance) and not chance.judged


@dataclass(frozen=True, slots=True)
class AskBot(SeatCommand):
    """Asks the others to let a bot stand in for somebody who is away."""

    about: SeatNumber

    def decide(self, table: Deciding) -> None:
        seat, seats = table.require_say(self.seat), table.state.seats
        table.require_status(Status.PLAYING, Status.PAUSED)
        if not 0 <= self.about < len(seats) or not seats[self.about].person or seats[self.about].player:
            raise NotNow(_say("table.not_away", seat=self.about + 1))
        asked = ConsentAsked(int(seat), "bot", self.about)
        if not _electorate(table.state, asked) and not self._has_waited(table):
            raise NotNow(_say("table.wait_first", seconds=PATIENCE))
        _ask(table, asked)

    def _has_waited(self, table: Deciding) -> bool:
        """Whether the table has waited for the seat for long: required if nobody else can agree."""
        waiting = table.state.waiting()
        if waiting.seat != self.about:
            return False
        return table.context.now - table.state.log[waiting.since - 1].at >= 1000 * PATIENCE

    def reply(self, state: TableState, events: Sequence[Event], by: str | None) -> Mapping[str, Any]:
        return {"asked": state.consent is not None}


def _ask(table: Deciding, asked: ConsentAsked) -> None:
    consent = table.state.consent
    if consent and (consent.seat, consent.what, consent.about) == (asked.seat, asked.what, asked.about):
        return
    if consent:
        raise NotNow(_say("table.one_question"))
    table.emit(asked)
    _grant(table)


def _electorate(state: TableState, asked: ConsentAsked | Consent) -> set[int]:
    """The seats that must agree."""
    asker = state.seats[asked.seat].holder
    seats = {seat for seat in state.people() if state.seats[seat].holder != asker}
    if asked.what == "bot":  # who is away cannot be asked, nor others for whom a bot plays
        seats -= {number for number, seat in enumerate(state.seats) if number == asked.about or seat.player}
    return seats


def _grant(table: Deciding) -> None:
    """Carries out the request once all seats that must agree have agreed."""
    state, consent = table.state, table.state.consent
    assert consent is not None
    if not _electorate(state, consent) <= set(consent.yes):
        return
    if consent.what == "bot":
        table.emit(SeatLent(consent.about, STAND_IN))
    elif state.game is not None:
        table.emit(ActionsUndone(state.game.since_last_turn(Seat(consent.seat))))


@dataclass(frozen=True, slots=True)
class Answer(VersionedCommand):
    """Agrees or disagrees with a request."""

    yes: Annotated[bool, Field(strict=True)]

    def decide(self, table: Deciding) -> None:
        seat, consent = table.require_say(self.seat), table.state.consent
        if consent is None:
            raise NotNow(_say("table.nothing_asked"))
        if self.version < consent.number:
            raise Stale(_say("table.stale", version=self.version, now=consent.number))
        agreed = seat in consent.yes or table.state.seats[consent.seat].holder == table.by
        if agreed and self.yes:
            return
        table.emit(ConsentAnswered(int(seat), self.yes))
        if self.yes:
            _grant(table)
