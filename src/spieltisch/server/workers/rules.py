"""What runs in the processes that know the rules: each keeps the tables it was asked about, and answers in bytes."""

from __future__ import annotations

import json
import pickle
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from spieltisch import registry
from spieltisch.core.game import Chance, Over, Refusal, Seat
from spieltisch.core.json import Json
from spieltisch.core.player import Seen
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory
from spieltisch.match.draft import Draft
from spieltisch.match.referee import NotPending
from spieltisch.match.tally import tally
from spieltisch.server.errors import RefusalData, refusal_data
from spieltisch.table import projection
from spieltisch.table.commands.context import Command, Desk
from spieltisch.table.commands.play import Continue, Play, Resign, read_draft
from spieltisch.table.commands.seating import Join, Leave, Open, Rematch, Reveal, Watch
from spieltisch.table.errors import NotFound, NotNow, NotYours
from spieltisch.table.events import Row, sealed
from spieltisch.table.state import AnyReferee, Sitting, Wait, Waiting

P = ParamSpec("P")
T = TypeVar("T")

MOST_KEPT: Final = 1200  # more than a server has live: tables in turn would each be forgotten just before its turn
MOST_LINES: Final = 20_000  # of a table, after which nothing is done any more that could be done again and again
_ENDING: Final = (Play, Continue, Reveal, Resign, Leave, Rematch)
_COMING: Final = (Open, Watch, Join)  # whoever is not at the table yet
_say = message_factory("")
_kept: OrderedDict[str, Sitting] = OrderedDict()


class Log(NamedTuple):
    """How far a table's log is, and its last lines where the clerk has not seen them."""

    table: str
    version: int
    digest: bytes
    rows: Sequence[Row] = ()


class Unreadable(Exception):
    """The lines of a table's log are not those of a table; any process can be told this."""


class Behind(NamedTuple):
    """The clerk does not have the table as it is now and asks for the lines after that one."""

    version: int


class Now(NamedTuple):
    """How a table stands: what the server itself must know of it."""

    version: int
    digest: bytes
    game: str
    status: str
    waiting: Waiting
    seconds: int | None  # what a turn may take
    public: bool
    summary: str


class Stretch(NamedTuple):
    """A part of an event stream, the number of the last line in it, and the seats of whoever reads it."""

    version: int
    events: bytes
    seats: Sequence[int]


class Watcher(NamedTuple):
    """Who looks at a table, and up to which line it is known there."""

    holder: str | None
    seat: int | None
    language: str
    after: int


class Done(NamedTuple):
    """What a command has led to."""

    rows: Sequence[Row]
    answer: Mapping[str, Any]
    now: Now
    tallies: Mapping[int, str]  # of the games that ended, what was drawn
    opening: tuple[Sequence[Row], Now] | None  # of the table that follows
    told: Sequence[Stretch | None]  # to those who watch, None to whom it is no longer told
    seen: bytes | None  # what the bot is told whose turn it is


def _sitting(log: Log) -> Sitting | Behind:
    """The table as it is now, or which of its lines are needed for that."""
    kept = _kept.pop(log.table, None) or Sitting()
    if (kept.version, kept.digest) != (log.version, log.digest):
        missing = log.version - kept.version
        if missing > len(log.rows):
            _kept[log.table] = kept
            return Behind(kept.version)
        rows = log.rows[len(log.rows) - max(missing, 0) :]
        if missing < 0 or sealed(kept.digest, rows) != log.digest:  # what was known here is another past
            if len(log.rows) < log.version:
                return Behind(0)
            kept, rows = Sitting(), log.rows
        try:
            kept.follow(rows)
        except Exception as error:  # noqa: BLE001 - whatever a log may hold
            raise Unreadable(type(error).__name__) from None
    _kept[log.table] = kept
    if len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return kept


def attending(
    work: Callable[Concatenate[Sitting, P], T],
) -> Callable[Concatenate[Log, P], T | RefusalData | Behind]:
    """Work at a table: refusals become values, and the clerk says where it lacks the table's lines."""

    def attend(log: Log, /, *args: P.args, **kwargs: P.kwargs) -> T | RefusalData | Behind:
        sitting = _sitting(log)
        if isinstance(sitting, Behind):
            return sitting
        before = sitting.version
        try:
            return work(sitting, *args, **kwargs)
        except Refusal as error:
            if sitting.version != before:
                _kept.pop(log.table, None)
            return refusal_data(error)
        except BaseException:
            _kept.pop(log.table, None)
            raise

    attend.__name__ = attend.__qualname__ = work.__name__.removeprefix("_")
    attend.__doc__ = work.__doc__
    return attend


def _perform(sitting: Sitting, command: Command, by: str | None, now: int, watchers: Sequence[Watcher] = ()) -> Done:
    """Carries a command out, and says what those are told who wait for it."""
    if by is not None and sitting.version >= MOST_LINES and not isinstance(command, _ENDING):
        raise NotNow(_say("table.long"))
    if by is not None and not isinstance(command, _COMING):
        _admit(sitting, by)
    over = _ended(sitting)
    desk = Desk(sitting, by, now)
    answer = command.perform(desk)
    opening = None
    if isinstance(command, Rematch) and by and desk.rows:
        following = Sitting(command.opening(sitting, by, now))
        opening = following.rows, _stand(following)
    waiting = sitting.waiting()
    return Done(
        rows=desk.rows,
        answer={"version": sitting.version, **answer},
        now=_stand(sitting),
        tallies={game: _tally(sitting, game) for game in range(over, _ended(sitting))},
        opening=opening,
        told=[_told(sitting, watcher) for watcher in watchers] if desk.rows else (),
        seen=_see(sitting, seat) if waiting.kind is Wait.BOT and (seat := waiting.seat) is not None else None,
    )


def _told(sitting: Sitting, watcher: Watcher) -> Stretch | None:
    try:
        return _stream(sitting, *watcher)
    except Refusal:
        return None


def _stand(sitting: Sitting) -> Now:
    """How the table stands."""
    return Now(
        sitting.version,
        sitting.digest,
        sitting.opened.game,
        sitting.status.value,
        sitting.waiting(),
        sitting.opened.seconds,
        sitting.opened.public,
        _bytes(dict(projection.summary(sitting))).decode(),
    )


def _ended(sitting: Sitting) -> int:
    return sum(isinstance(one.pending, Over) for one in sitting.series.referees) if sitting.series else 0


def _tally(sitting: Sitting, game: int) -> str:
    assert sitting.series is not None
    return _bytes(tally(sitting.game, sitting.series.referees[game].draws()).to_json()).decode()


def _bytes(body: Json) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _admit(sitting: Sitting, holder: str | None) -> None:
    """Makes sure that the table is there for somebody: a private one is not there at all for strangers."""
    if not sitting.may_watch(holder):
        raise NotFound(_say("table.unknown"))


def _look(sitting: Sitting, holder: str | None, seat: int | None, language: str) -> projection.Eyes:
    """How somebody looks at the table; NotFound where it may not."""
    _admit(sitting, holder)
    return projection.eyes(sitting, holder, seat, language)


def _tell(sitting: Sitting, holder: str | None, seat: int | None, language: str, after: int) -> bytes:
    """The table as somebody may know it, and what happened after that line."""
    return _bytes(projection.told(sitting, _look(sitting, holder, seat, language), after))


def _stream(sitting: Sitting, holder: str | None, seat: int | None, language: str, after: int) -> Stretch:
    """The same as a stretch of an event stream."""
    told = projection.told(sitting, _look(sitting, holder, seat, language), after)
    events = told.pop("events")
    assert isinstance(events, list)
    parts = [_event("happened", one["number"], one) for one in events if isinstance(one, dict)]
    told_now = _event("table", sitting.version, told)
    return Stretch(sitting.version, b"".join([*parts, told_now]), tuple(sitting.seats_of(holder)))


def _event(kind: str, number: Json, body: Json) -> bytes:
    return b"id: %s\nevent: %s\ndata: %s\n\n" % (str(number).encode(), kind.encode(), _bytes(body))


def _own(sitting: Sitting, holder: str | None, seat: int, version: int) -> tuple[Seat, AnyReferee]:
    _admit(sitting, holder)
    desk = Desk(sitting, holder, 0)
    return desk.seat(seat), desk.playing(version)


def _preview(
    sitting: Sitting, holder: str | None, seat: int, version: int, draft: Sequence[str], language: str
) -> bytes:
    """Where a draft would lead."""
    own, referee = _own(sitting, holder, seat, version)
    actions = read_draft(referee, own, draft)
    return _bytes({"version": sitting.version, **projection.preview(referee, sitting.names(), own, actions, language)})


def _drafted(
    sitting: Sitting, holder: str | None, seat: int, version: int, draft: Sequence[str]
) -> tuple[Draft[Any, Any, Any], Seen[Any, Any]]:
    """A draft, and what its seat is told there."""
    own, referee = _own(sitting, holder, seat, version)
    drafted: Draft[Any, Any, Any] = Draft(referee.game, referee.state, own)
    for action in read_draft(referee, own, draft):
        drafted.add(action)
    if drafted.complete:
        raise NotPending(_say("turn.draft_over"))
    return drafted, Seen(drafted.view, drafted.choices, (*referee.heard(own), *drafted.heard))


def _advise(sitting: Sitting, holder: str | None, seat: int, version: int, draft: Sequence[str]) -> bytes:
    """What the seat is told where its draft leads, for a player that gives a hint."""
    return pickle.dumps(_drafted(sitting, holder, seat, version, draft)[1])


def _advice(
    sitting: Sitting, holder: str | None, seat: int, version: int, draft: Sequence[str], choice: int, language: str
) -> bytes:
    """The hint in words."""
    drafted, seen = _drafted(sitting, holder, seat, version, draft)
    action = seen.choices[choice]
    words = format_message(registry.speech(sitting.game).choice(drafted.view, action), language)
    return _bytes({"version": sitting.version, "text": sitting.game.write(drafted.state, action), "words": words})


def _see(sitting: Sitting, seat: int) -> bytes:
    """What a bot in that seat is told."""
    assert sitting.referee is not None
    return pickle.dumps(sitting.referee.seen(Seat(seat)))


def _bring_to_judge(sitting: Sitting) -> bytes:
    """The state that waits for a verdict."""
    referee = sitting.referee
    if referee is None or not isinstance(referee.pending, Chance):
        raise NotPending(_say("turn.no_verdict"))
    return pickle.dumps(referee.state)


def _happened(sitting: Sitting, holder: str | None, number: int) -> bytes:
    """What a line of the log did, and in which state, for somebody who looks closer."""
    _admit(sitting, holder)
    for referee, numbers in zip(sitting.series.referees if sitting.series else (), sitting.numbers, strict=True):
        if number in numbers:
            step = referee.transitions[numbers.index(number)].step
            return pickle.dumps((step.before, step.action) if step else None)
    return pickle.dumps(None)


def _view(sitting: Sitting, holder: str | None, seat: int | None) -> bytes:
    """What somebody may know of the game under way."""
    viewer = _look(sitting, holder, seat, "en").viewer
    return pickle.dumps(sitting.referee.view(viewer) if sitting.referee else None)


def _record(sitting: Sitting, holder: str | None, seat: int | None) -> bytes:
    """The record as somebody may know it."""
    return projection.record_text(sitting, _look(sitting, holder, seat, "en").viewer).encode()


def _may_delete(sitting: Sitting, holder: str | None) -> bool:
    """True; a refusal where it is not the host who asks."""
    _admit(sitting, holder)
    if holder != sitting.opened.host:
        raise NotYours(_say("table.not_host"))
    return True


perform = attending(_perform)
tell = attending(_tell)
stream = attending(_stream)
stand = attending(_stand)
preview = attending(_preview)
advise = attending(_advise)
advice = attending(_advice)
see = attending(_see)
bring_to_judge = attending(_bring_to_judge)
happened = attending(_happened)
view = attending(_view)
record = attending(_record)
may_delete = attending(_may_delete)
