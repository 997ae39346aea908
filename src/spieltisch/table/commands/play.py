"""Commands of a game: playing a draft, what the server plays for a seat, verdicts, hints, resigning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from spieltisch.core.game import Seat
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.progress import AnyProgress
from spieltisch.i18n.message import message_factory
from spieltisch.table.commands.base import Command, Deciding, Draft, SeatCommand, VersionedCommand, is_turn_of
from spieltisch.table.errors import BadRequest, NotNow, Stale
from spieltisch.table.events import ActionPlayed, BotFailed, HintTaken, MatchEnded, SeatResigned, TurnTimedOut
from spieltisch.table.state import STAND_IN, Status, TableState, Wait

WEAKEST: Final = "level:1"  # replaces the stand-in if that one fails
_say = message_factory("")


@dataclass(frozen=True, slots=True)
class Play(VersionedCommand):
    """Plays a draft: all of its actions, or none."""

    draft: Draft

    def decide(self, table: Deciding) -> None:
        seat = table.require_seat(self.seat)
        table.require_game(self.version)
        table.require_status(Status.PLAYING)
        state = table.state.seats[seat]
        if state.player or state.timed_out:
            raise NotNow(_say("table.played_for", seat=int(seat) + 1))
        if not self.draft:
            raise BadRequest(_say("table.empty_draft"))
        for number, text in enumerate(self.draft):
            game = table.require_game(table.state.version)
            if not is_turn_of(game, seat):
                raise NotPending(_say("turn.draft_over") if number else game.not_pending(seat))
            action = game.game.read(game.state, text)
            table.emit(ActionPlayed(int(seat), game.game.write(game.state, action)))
        table.settle()


def draft_steps(game: AnyProgress, seat: Seat, draft: Sequence[str]) -> Iterator[AnyProgress]:
    """The game after each action of a draft; NotPending, BadNotation or IllegalAction says why not."""
    if not is_turn_of(game, seat):
        raise NotPending(game.not_pending(seat))
    for text in draft:
        if not is_turn_of(game, seat):
            raise NotPending(_say("turn.draft_over"))
        game = game.advance(seat, text)
        yield game


def _require_waiting(table: Deciding, seat: int | None, since: int, *kinds: Wait) -> None:
    """Makes sure that the table still waits for this: anything may have happened in the meantime."""
    waiting = table.state.waiting()
    if waiting.kind not in kinds or (waiting.seat, waiting.since) != (seat, since):
        raise Stale(_say("table.stale", version=since, now=table.state.version))


@dataclass(frozen=True, slots=True)
class PlayFor(Command):
    """The server plays for a seat: a bot's choice, or the first one if the time is up."""

    seat: int
    since: int
    choice: int

    def decide(self, table: Deciding) -> None:
        _require_waiting(table, self.seat, self.since, Wait.BOT, Wait.FIRST)
        table.play(Seat(self.seat), self.choice)


@dataclass(frozen=True, slots=True)
class GiveVerdict(Command):
    """A judge's verdict, from outside the rules."""

    since: int
    verdict: str

    def decide(self, table: Deciding) -> None:
        _require_waiting(table, None, self.since, Wait.JUDGE)
        table.emit(ActionPlayed(None, self.verdict))
        table.settle()


@dataclass(frozen=True, slots=True)
class ReplaceBot(Command):
    """A bot has failed: another one takes its place."""

    seat: int
    since: int

    def decide(self, table: Deciding) -> None:
        _require_waiting(table, self.seat, self.since, Wait.BOT)
        instead = STAND_IN if table.state.seats[self.seat].player != STAND_IN else WEAKEST
        table.emit(BotFailed(self.seat, instead))


@dataclass(frozen=True, slots=True)
class TimeOut(Command):
    """A person's time for a turn is up."""

    seat: int
    since: int

    def decide(self, table: Deciding) -> None:
        _require_waiting(table, self.seat, self.since, Wait.PERSON)
        table.emit(TurnTimedOut(self.seat))


@dataclass(frozen=True, slots=True)
class TellHint(Command):
    """A seat gets a hint: at a table of several people everybody learns it, once a turn."""

    seat: int
    version: int

    def decide(self, table: Deciding) -> None:
        seat = table.require_seat(self.seat)
        game = table.require_game(self.version)
        if not is_turn_of(game, seat):
            raise NotPending(game.not_pending(seat))
        if is_hint_told(table.state, seat):
            table.emit(HintTaken(int(seat)))


def is_hint_told(state: TableState, seat: int) -> bool:
    """Whether others learn of a hint that the seat is given now: at a table of several people, once a turn."""
    return len(state.people()) > 1 and state.hinted != seat


@dataclass(frozen=True, slots=True)
class Resign(SeatCommand):
    """Resigns; the match ends if nobody is left to play it."""

    def decide(self, table: Deciding) -> None:
        seat = table.require_seat(self.seat)
        if table.state.seats[seat].resigned:
            return
        table.require_status(Status.PLAYING, Status.PAUSED)
        table.emit(SeatResigned(seat))
        in_play = [one for one in table.state.seats if not one.resigned]
        if len(in_play) < 2 or not table.state.people():
            table.emit(MatchEnded())
