"""Commands about seats: joining, arranging, leaving, letting a bot stand in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from spieltisch.core.fields import CLOSED, Field
from spieltisch.i18n.message import message_factory
from spieltisch.table.avatars import NAMES, choose_identity
from spieltisch.table.commands.base import (
    Avatar,
    ClientCommand,
    Commit,
    Deciding,
    Name,
    Player,
    SeatCommand,
    SeatNumber,
    check_name,
)
from spieltisch.table.errors import BadRequest, NotNow, Taken
from spieltisch.table.events import (
    BotSeated,
    Event,
    SeatFreed,
    SeatLent,
    SeatReturned,
    SeatTaken,
    SpectatorAdmitted,
)
from spieltisch.table.state import STAND_IN, SeatState, Status, TableState

_say = message_factory("")


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """The planned occupant of a seat."""

    kind: Annotated[
        Literal["person", "bot", "open"],
        Field("`person`: at the device that opens the table; `open`: for people with the invitation."),
    ]
    name: Name | None = None
    player: Player | None = None
    commit: Commit | None = None
    avatar: Avatar | None = None

    __pydantic_config__: ClassVar[Mapping[str, str]] = CLOSED


def seat_by_plan(table: Deciding, seat: int, plan: SeatPlan) -> None:
    """Seats a person or a bot; an open seat stays open."""
    if plan.kind == "person":
        seat_person(table, seat, plan.name or "", plan.avatar, plan.commit)
    elif plan.kind == "bot":
        player = plan.player or STAND_IN
        table.context.check_bot(player, table.state.rules)
        _seat_bot(table, seat, player, plan.name)


def seat_person(table: Deciding, seat: int, name: str, avatar: Avatar | None, commit: str | None) -> None:
    """Seats a person, who has a plain coin if somebody else has that face.

    Before the match bots give way: one with the name or the face of that person gets another.
    """
    name = name.strip()
    for number, bot in enumerate(table.state.seats):
        if number == seat or table.state.gathered or bot.holder is not None or bot.player is None:
            continue
        own_name = None if bot.name == NAMES.get(bot.avatar or "") else bot.name
        if bot.avatar == avatar or (own_name is None and bot.name == name):
            _seat_bot(table, number, bot.player, own_name, SeatState(name, avatar=avatar))
    if avatar in NAMES and any(one.avatar == avatar for one in _others(table, seat)):
        avatar = None
    table.emit(SeatTaken(seat, check_name(name, table.state, seat), table.person, commit, avatar))


def _seat_bot(table: Deciding, seat: int, player: str, name: str | None, *more: SeatState) -> None:
    """Seats a bot with a face that nobody else has, and by default with the name that belongs to it."""
    others = [*_others(table, seat), *more]
    found = choose_identity(player, seat, [one.avatar for one in others], [one.name for one in others])
    table.emit(BotSeated(seat, check_name(name or found.name, table.state, seat), player, found.face))


def _others(table: Deciding, seat: int) -> list[SeatState]:
    return [one for number, one in enumerate(table.state.seats) if number != seat]


@dataclass(frozen=True, slots=True)
class Watch(ClientCommand):
    """Admits a spectator by the table's invitation."""

    code: Annotated[str, Field(max_length=100)] = ""

    def decide(self, table: Deciding) -> None:
        if not table.state.may_watch(table.by):
            table.require_code(self.code)
            table.emit(SpectatorAdmitted(table.person))


@dataclass(frozen=True, slots=True)
class Join(ClientCommand):
    """Takes a seat; somebody who already has one gets the same reply."""

    code: Annotated[str, Field(max_length=100)] = field(default="", kw_only=True)
    name: Name
    seat: Annotated[SeatNumber | None, Field("By default the first free one.")] = None
    commit: Commit | None = None
    avatar: Annotated[Avatar | None, Field("By default that of the match before, or a plain coin.")] = None

    def decide(self, table: Deciding) -> None:
        table.require_code(self.code)
        mine = table.state.seats_of(table.by)
        if mine and (self.seat is None or self.seat in mine):
            return
        seat = self._free(table)
        before = table.state.seats[seat]
        kept = before.avatar if table.by in (before.holder, before.former) else None
        seat_person(table, seat, self.name, self.avatar or kept, None if table.state.gathered else self.commit)

    def _free(self, table: Deciding) -> int:
        """The seat that was asked for, or the first free one."""
        seats = table.state.seats
        if table.state.status is Status.OVER:
            raise NotNow(_say("table.not_now", status=Status.OVER.value))
        free = [number for number in range(len(seats)) if table.state.may_take(number, table.by)]
        own = [number for number in free if seats[number].holder == table.by]
        if self.seat is None and free:
            return (own or free)[0]
        if self.seat is not None and not 0 <= self.seat < len(seats):
            raise BadRequest(_say("table.no_seat", last=len(seats), given=self.seat + 1))
        if self.seat not in free and any(seats[number].left for number in self._asked_for(seats)):
            raise Taken(_say("table.seat_hidden"))
        if self.seat not in free:
            raise Taken(_say("table.full") if self.seat is None else _say("table.seat_taken", seat=self.seat + 1))
        return self.seat

    def _asked_for(self, seats: Sequence[SeatState]) -> Iterable[int]:
        return range(len(seats)) if self.seat is None else (self.seat,)

    def reply(self, state: TableState, events: Sequence[Event], by: str | None) -> Mapping[str, Any]:
        taken = [event.seat for event in events if isinstance(event, SeatTaken)]
        return {"seat": taken[0] if taken else int(state.seats_of(by)[0]) if self.seat is None else self.seat}


@dataclass(frozen=True, slots=True)
class Arrange(ClientCommand):
    """The host gives a seat to a bot, or opens it, before the match."""

    seat: SeatNumber
    player: Player | None = None

    def decide(self, table: Deciding) -> None:
        table.require_host()
        table.require_status(Status.GATHERING)
        seats = table.state.seats
        if not 0 <= self.seat < len(seats):
            raise BadRequest(_say("table.no_seat", last=len(seats), given=self.seat + 1))
        if not seats[self.seat].empty or seats[self.seat].reserved:
            table.emit(SeatFreed(self.seat))
        if self.player is not None:
            seat_by_plan(table, self.seat, SeatPlan("bot", None, self.player))


@dataclass(frozen=True, slots=True)
class Lend(SeatCommand):
    """Lends the seat to a bot."""

    player: Player | None = None

    def decide(self, table: Deciding) -> None:
        seat = table.require_say(self.seat)
        table.require_status(Status.GATHERING, Status.REVEALING, Status.PLAYING, Status.PAUSED)
        player = self.player or STAND_IN
        table.context.check_bot(player, table.state.rules)
        if table.state.seats[seat].player != player:
            table.emit(SeatLent(seat, player))


@dataclass(frozen=True, slots=True)
class Return(SeatCommand):
    """Takes the seat back from a bot."""

    def decide(self, table: Deciding) -> None:
        seat = table.state.seats[table.require_say(self.seat)]
        if seat.player or seat.timed_out:
            table.emit(SeatReturned(self.seat))


@dataclass(frozen=True, slots=True)
class Leave(SeatCommand):
    """Leaves the table; in the middle of a match a bot plays on, and somebody else may take the seat."""

    def decide(self, table: Deciding) -> None:
        seat = table.require_seat(self.seat)
        if table.state.status is not Status.OVER:
            table.emit(SeatFreed(seat, STAND_IN if table.state.gathered else None))
            if table.state.status is Status.REVEALING:
                table.start_when_ready()
