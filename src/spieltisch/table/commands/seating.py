"""Coming, sitting down, going, and getting a match to begin."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from spieltisch import players, registry
from spieltisch.core.game import BadSetup
from spieltisch.i18n.message import message_factory
from spieltisch.players import Access
from spieltisch.table import events
from spieltisch.table.commands.context import Desk, checked_name
from spieltisch.table.errors import BadRequest, NotFound, NotNow, Taken
from spieltisch.table.events import Row
from spieltisch.table.state import STAND_IN, Sitting, Status

_say = message_factory("")


class Plan(NamedTuple):
    """Who is to have a seat: a person at the device that opens the table, a bot, or nobody yet."""

    kind: str  # 'person', 'bot' or 'open'
    name: str | None = None
    player: str | None = None
    commit: str | None = None


class Open(NamedTuple):
    """Opens a table."""

    game: str
    seats: Sequence[Plan]
    edition: str | None
    options: Mapping[str, object]
    first: int | None
    games: int | None
    public: bool
    seconds: int | None
    late: str
    code: str
    secrets: Sequence[str]  # as many as a match may have games

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        game = registry.find(self.game)
        setup = game.agree(len(self.seats), self.edition, self.options, self.first or 0)
        game.initial(setup)
        games = game.recommended_games(setup.players) if self.games is None else self.games
        if not 1 <= games <= len(self.secrets):
            raise BadSetup(_say("table.games", most=len(self.secrets), given=games), field="games")
        assert desk.by is not None
        options = dict(setup.options)
        desk.add(
            events.Opened(
                game.name, setup.edition, options, setup.players, self.first, setup.rules, games, self.public,
                self.seconds, self.late, self.code, desk.by, self.secrets[:games],
            )
        )  # fmt: skip
        for seat, plan in enumerate(self.seats):
            _sit_down(desk, seat, plan)
        if not any(place.empty for place in desk.sitting.places):
            desk.add(events.Gathered())
            desk.begin_when_ready()
        return {}


def _sit_down(desk: Desk, seat: int, plan: Plan) -> None:
    sitting = desk.sitting
    if plan.kind == "person":
        assert desk.by is not None
        desk.add(events.Sat(seat, checked_name(plan.name or "", sitting, seat), desk.by, plan.commit))
    elif plan.kind == "bot":
        player = plan.player or players.DEFAULT
        players.maker(player, sitting.game, Access.REMOTE)
        taken = {place.name for place in sitting.places}
        names = (f"Bot {number}" for number in range(1, len(sitting.places) + 1))
        name = plan.name or next(name for name in names if name not in taken)
        desk.add(events.Placed(seat, checked_name(name, sitting, seat), player))


class Watch(NamedTuple):
    """Comes to the table by its invitation, to see it and perhaps to sit down."""

    code: str

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        assert desk.by is not None
        if not desk.sitting.may_watch(desk.by):
            _check_code(desk, self.code)
            desk.add(events.Watched(desk.by))
        return {}


def _check_code(desk: Desk, code: str) -> None:
    if not secrets.compare_digest(code.encode(), desk.sitting.opened.code.encode()):
        raise NotFound(_say("table.code"))


class Join(NamedTuple):
    """Takes a seat; who has it already gets the same answer again."""

    seat: int | None
    name: str
    code: str
    commit: str | None

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        sitting, holder = desk.sitting, desk.by
        assert holder is not None
        if not sitting.may_watch(holder):
            _check_code(desk, self.code)
        mine = sitting.seats_of(holder)
        if mine and (self.seat is None or self.seat in mine):
            return {"seat": int(mine[0] if self.seat is None else self.seat)}
        seat = self._free(desk)
        name = checked_name(self.name, sitting, seat)
        desk.add(events.Sat(seat, name, holder, None if sitting.gathered else self.commit))
        return {"seat": seat}

    def _free(self, desk: Desk) -> int:
        """The seat that was asked for, or the first free one."""
        places = desk.sitting.places
        if desk.sitting.status is Status.OVER:
            raise NotNow(_say("table.not_now", status=Status.OVER.value))
        free = [seat for seat, place in enumerate(places)
                if place.left or (place.empty and (not place.kept or place.holder == desk.by))]  # fmt: skip
        own = [seat for seat in free if places[seat].holder == desk.by]
        if self.seat is None and free:
            return (own or free)[0]
        if self.seat is not None and not 0 <= self.seat < len(places):
            raise BadRequest(_say("table.no_seat", last=len(places) - 1, given=self.seat))
        if self.seat not in free:
            raise Taken(_say("table.full") if self.seat is None else _say("table.seat_taken", seat=self.seat))
        return self.seat


class Arrange(NamedTuple):
    """The host gives a seat to a bot or opens it, before the match."""

    seat: int
    player: str | None

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        desk.host()
        desk.at(Status.GATHERING)
        if not 0 <= self.seat < len(desk.sitting.places):
            raise BadRequest(_say("table.no_seat", last=len(desk.sitting.places) - 1, given=self.seat))
        if not desk.sitting.places[self.seat].empty or desk.sitting.places[self.seat].kept:
            desk.add(events.Freed(self.seat, None))
        if self.player is not None:
            _sit_down(desk, self.seat, Plan("bot", None, self.player))
        return {}


class Start(NamedTuple):
    """Begins the match when everybody is there."""

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        desk.speak_for_table()
        desk.at(Status.GATHERING)
        missing = [seat for seat, place in enumerate(desk.sitting.places) if place.empty]
        if missing:
            raise NotNow(_say("table.missing", seats=tuple(str(seat) for seat in missing)))
        desk.add(events.Gathered())
        desk.begin_when_ready()
        return {}


class Reveal(NamedTuple):
    """Reveals a seat's nonce."""

    seat: int
    nonce: str

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        seat = desk.seat(self.seat)
        place = desk.sitting.places[seat]
        if place.revealed and place.nonce == self.nonce:
            return {}
        desk.at(Status.REVEALING)
        if place.commit is None or hashlib.sha256(bytes.fromhex(self.nonce)).hexdigest() != place.commit:
            raise BadRequest(_say("table.nonce"))
        desk.add(events.Revealed(seat, self.nonce))
        desk.begin_when_ready()
        return {}


class BeginAnyway(NamedTuple):
    """Begins without the nonces of seats that stay silent."""

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        desk.at(Status.REVEALING)
        desk.begin_game()
        return {}


class Lend(NamedTuple):
    """Lets a bot play for one's own seat."""

    seat: int
    player: str | None

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        seat = desk.say_of(self.seat)
        desk.at(Status.GATHERING, Status.REVEALING, Status.PLAYING, Status.PAUSED)
        player = self.player or STAND_IN
        players.maker(player, desk.sitting.game, Access.REMOTE)
        if desk.sitting.places[seat].player != player:
            desk.add(events.Lent(seat, player))
        return {}


class Return(NamedTuple):
    """Takes one's own seat back from a bot."""

    seat: int

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        place = desk.sitting.places[desk.say_of(self.seat)]
        if place.player or place.late:
            desk.add(events.Returned(self.seat))
        return {}


class Leave(NamedTuple):
    """Leaves the table; in the middle of a match a bot plays on, and somebody else may sit down."""

    seat: int

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        seat = desk.seat(self.seat)
        if desk.sitting.status is not Status.OVER:
            desk.add(events.Freed(seat, STAND_IN if desk.sitting.gathered else None))
            if desk.sitting.status is Status.REVEALING:
                desk.begin_when_ready()
        return {}


class Rematch(NamedTuple):
    """Goes on at a new table with the same people, the next seat beginning."""

    table: str  # the new one's name
    code: str
    secrets: Sequence[str]

    def perform(self, desk: Desk) -> Mapping[str, Any]:
        desk.speak_for_table()
        desk.at(Status.OVER)
        if desk.sitting.next is None:
            desk.add(events.Followed(self.table))
        return {"table": desk.sitting.next}

    def opening(self, before: Sitting, host: str, now: int) -> Sequence[Row]:
        """The first lines of the new table."""
        assert before.series is not None
        sitting, opened = Sitting(), before.opened
        first = (before.series.referees[-1].setup.first + 1) % opened.players
        desk = Desk(sitting, host, now)
        secrets = self.secrets[: opened.games]
        desk.add(opened._replace(first=first, code=self.code, host=host, secrets=secrets))
        for seat, place in enumerate(before.places):
            if place.holder is not None:
                desk.add(events.Kept(seat, place.name, place.holder))
            elif place.player is not None and not (place.left or place.resigned):
                desk.add(events.Placed(seat, place.name, place.player))
        return desk.rows
