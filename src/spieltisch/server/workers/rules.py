"""The rules worker: decides commands and projects tables, whose states it caches, and answers in bytes."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from spieltisch import players
from spieltisch.core.game import AnyGame, Chance, Refusal, Seat
from spieltisch.core.player import Seen
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.progress import AnyProgress
from spieltisch.gameplay.tally import tally
from spieltisch.i18n.message import message_factory
from spieltisch.players import Access
from spieltisch.server.errors import RefusalData, refusal_data
from spieltisch.server.workers.bots import Suggestion
from spieltisch.server.workers.table_cache import (
    EMPTY,
    CachedTable,
    LogPosition,
    MissingRows,
    find,
    put,
    release_memory,
)
from spieltisch.table import projection
from spieltisch.table.codec import Row, chain_digest, encode
from spieltisch.table.commands import Command, Context, Rematch, decide, decide_rematch
from spieltisch.table.commands.base import Deciding, game_at, is_turn_of
from spieltisch.table.commands.play import draft_steps, is_hint_told
from spieltisch.table.errors import NotFound, NotYours
from spieltisch.table.responses import CommandResult, EventView, Hint, serialize, serialize_without_advice
from spieltisch.table.state import Status, TableState, Wait, Waiting, fold

P = ParamSpec("P")
T = TypeVar("T")

MAX_PREPARING: Final = 0.02  # seconds of processor time for the chunks of subscribers that a command prepares
_say = message_factory("")


class TableStatus(NamedTuple):
    """The part of a table's state that the server itself needs."""

    version: int
    digest: bytes
    game: str
    status: str
    waiting: Waiting
    seconds: int | None  # time limit of a turn
    public: bool
    summary: str
    games: int  # that were started
    unsaved: float  # processor time that it would take to replay the events since the last snapshot


class StreamChunk(NamedTuple):
    """A part of an event stream, the number of the last event in it, and the seats of its reader."""

    version: int
    events: bytes
    seats: Sequence[int]


class Subscriber(NamedTuple):
    """Who reads a table's event stream, and the last event they know."""

    holder: str | None
    seat: int | None
    language: str
    after: int


class CommandOutcome(NamedTuple):
    """The outcome of a command."""

    rows: Sequence[Row]
    result: CommandResult
    status: TableStatus
    tallies: Sequence[str]  # of the games that ended, what was drawn
    rematch: tuple[Sequence[Row], TableStatus] | None  # the table that was opened
    chunks: Sequence[StreamChunk | None]  # for the first subscribers; None if one may not read it any more
    seen: bytes | None  # what the bot is told whose turn it is


def query(
    work: Callable[Concatenate[TableState, P], T],
) -> Callable[Concatenate[LogPosition, P], T | RefusalData | MissingRows]:
    """A question about a table: refusals become values, and the worker says which rows of the log it lacks."""

    def answer(position: LogPosition, /, *args: P.args, **kwargs: P.kwargs) -> T | RefusalData | MissingRows:
        try:
            found = find(position)
            if isinstance(found, MissingRows):
                return found
            assert found.state is not None
            return work(found.state, *args, **kwargs)
        except Refusal as error:
            return refusal_data(error)
        except MemoryError:
            return release_memory()

    answer.__name__ = answer.__qualname__ = work.__name__.removeprefix("_")
    answer.__doc__ = work.__doc__
    return answer


def perform(
    position: LogPosition, command: Command, context: Context, subscribers: Sequence[Subscriber] = ()
) -> CommandOutcome | RefusalData | MissingRows:
    """Decides a command, and prepares what the subscribers and the next bot receive."""
    try:
        found = find(position)
        if isinstance(found, MissingRows):
            return found
        outcome, after = _perform(found, command, context._replace(check_bot=_check_bot), subscribers)
    except Refusal as error:
        return refusal_data(error)
    except MemoryError:
        return release_memory()
    put(position.table, after)
    return outcome


def _check_bot(player: str, game: AnyGame) -> None:
    players.maker(player, game, Access.REMOTE)


def _perform(
    before: CachedTable, command: Command, context: Context, subscribers: Sequence[Subscriber]
) -> tuple[CommandOutcome, CachedTable]:
    began = (
        time.process_time()
    )  # deciding is part of it: it applies the events first, and games cache what they compute
    events = decide(before.state, command, context)
    rows = [Row(encode(event), context.now) for event in events]
    state = fold(((event, context.now) for event in events), before.state)
    unsaved = before.unsaved + time.process_time() - began
    after = CachedTable(state, chain_digest(before.digest, rows), unsaved)
    assert state is not None
    waiting = state.waiting()
    outcome = CommandOutcome(
        rows=rows,
        result=CommandResult(state.version, **command.reply(state, events, context.by)),
        status=_status(after),
        tallies=[_tally(state, game) for game in range(_finished(before.state), _finished(state))],
        rematch=_rematch(state, context) if isinstance(command, Rematch) and events else None,
        chunks=list(_chunks(state, subscribers)) if rows else (),
        seen=_see(state, seat) if waiting.kind is Wait.BOT and (seat := waiting.seat) is not None else None,
    )
    return outcome, after


def _rematch(state: TableState, context: Context) -> tuple[Sequence[Row], TableStatus]:
    rows = [Row(encode(event), context.now) for event in decide_rematch(state, context)]
    return rows, _status(EMPTY.extend(rows))


def _chunks(state: TableState, subscribers: Sequence[Subscriber]) -> Iterator[StreamChunk | None]:
    """The chunks of subscribers, as long as that takes little time; the others ask for theirs."""
    end = time.process_time() + MAX_PREPARING
    for subscriber in subscribers:
        yield _chunk(state, subscriber)
        if time.process_time() > end:
            return


def _chunk(state: TableState, subscriber: Subscriber) -> StreamChunk | None:
    try:
        return _stream(state, *subscriber)
    except Refusal:
        return None


def status(position: LogPosition) -> TableStatus | RefusalData | MissingRows:
    """The part of the table's state that the server itself needs."""
    try:
        found = find(position)
    except MemoryError:
        return release_memory()
    return found if isinstance(found, MissingRows) else _status(found)


def _status(cached: CachedTable) -> TableStatus:
    state = cached.state
    assert state is not None
    return TableStatus(
        state.version,
        cached.digest,
        state.opened.game,
        state.status.value,
        state.waiting(),
        state.opened.seconds,
        state.opened.public,
        serialize(projection.summarize(state)).decode(),
        len(state.games),
        cached.unsaved,
    )


def _finished(state: TableState | None) -> int:
    return sum(game.progress.over for game in state.games) if state else 0


def _tally(state: TableState, game: int) -> str:
    return serialize(tally(state.rules, state.games[game].progress.drawn()).to_json()).decode()


def _admit(state: TableState, holder: str | None) -> None:
    """NotFound unless the client may see the table: for strangers, a private one does not exist."""
    if not state.may_watch(holder):
        raise NotFound(_say("table.unknown"))


def _viewpoint(state: TableState, holder: str | None, seat: int | None, language: str) -> projection.Viewpoint:
    """The viewpoint of a client; NotFound if it may not see the table."""
    _admit(state, holder)
    return projection.viewpoint(state, holder, seat, language)


def _project(state: TableState, holder: str | None, seat: int | None, language: str, after: int) -> bytes:
    """The table as a client may know it, and a page of events after a version."""
    return serialize(projection.project(state, _viewpoint(state, holder, seat, language), after))


def _stream(state: TableState, holder: str | None, seat: int | None, language: str, after: int) -> StreamChunk:
    """The same as a chunk of an event stream: a page of events, and after the last page the table."""
    by = _viewpoint(state, holder, seat, language)
    end = projection.page_end(state, after)
    parts = [_sse("happened", event.number, event) for event in projection.project_events(state, by, after, end)]
    if end == state.version:
        now = {
            "version": state.version,
            "table": projection.project_table(state, by),
            "position": projection.project_position(state, by),
        }
        parts.append(_sse("table", state.version, now))
    return StreamChunk(end, b"".join(parts), tuple(state.seats_of(holder)))


def _sse(kind: str, number: int, model: EventView | Mapping[str, object]) -> bytes:
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (number, kind.encode(), serialize(model))


def _drafted(
    state: TableState, holder: str | None, seat: int, version: int, draft: Sequence[str]
) -> tuple[Seat, list[AnyProgress]]:
    """The client's seat, and the game before a draft and after each of its actions."""
    _admit(state, holder)
    own = Deciding(state, Context(holder, 0)).require_seat(seat)
    game = game_at(state, version)
    return own, [game, *draft_steps(game, own, draft)]


def _preview(
    state: TableState, holder: str | None, seat: int, version: int, draft: Sequence[str], language: str
) -> tuple[bytes, bytes | None]:
    """The preview of a draft; if there is advice about it, without that but with the question for it."""
    own, steps = _drafted(state, holder, seat, version, draft)
    preview = projection.project_draft(state, own, steps, language)
    question = projection.question_for_advice(own, steps)
    if question is None:
        return serialize(preview), None
    return serialize_without_advice(preview), pickle.dumps(question)


def _seen_after(
    state: TableState, holder: str | None, seat: int, version: int, draft: Sequence[str]
) -> tuple[AnyProgress, Seen[Any, Any]]:
    own, steps = _drafted(state, holder, seat, version, draft)
    if not is_turn_of(steps[-1], own):
        raise NotPending(_say("turn.draft_over"))
    return steps[-1], steps[-1].seen(own)


def _see_draft(
    state: TableState, holder: str | None, seat: int, version: int, draft: Sequence[str]
) -> tuple[bytes, bool]:
    """What the seat receives after a draft, for a player that gives a hint; and whether others are told of the hint."""
    return pickle.dumps(_seen_after(state, holder, seat, version, draft)[1]), is_hint_told(state, seat)


def _hint(
    state: TableState, holder: str | None, seat: int, version: int, draft: Sequence[str], suggestion: Suggestion
) -> bytes:
    """A hint as the seat receives it."""
    game, seen = _seen_after(state, holder, seat, version, draft)
    text = state.rules.write(game.state, seen.choices[suggestion.choice])
    return serialize(Hint(state.version, text, suggestion.words, suggestion.reason))


def _see(state: TableState, seat: int) -> bytes:
    """What a bot in that seat receives."""
    assert state.game is not None
    return pickle.dumps(state.game.seen(Seat(seat)))


def _see_judged(state: TableState) -> bytes:
    """The state that waits for a verdict."""
    game = state.game
    if game is None or not isinstance(game.pending, Chance):
        raise NotPending(_say("turn.no_verdict"))
    return pickle.dumps(game.state)


def _find_step(state: TableState, holder: str | None, number: int) -> bytes:
    """The state and the action of an event, for its film; None if it was no action."""
    _admit(state, holder)
    played = state.log[number - 1].transition if number <= state.version else None
    step = played.step if played else None
    return pickle.dumps((step.before, step.action) if step else None)


def _see_view(state: TableState, holder: str | None, seat: int | None) -> bytes:
    """The game in progress, as a client may know it."""
    viewer = _viewpoint(state, holder, seat, "en").viewer
    return pickle.dumps(state.game.view(viewer) if state.game else None)


def _record(state: TableState, holder: str | None, seat: int | None) -> bytes:
    """The record, as a client may know it."""
    return projection.project_record(state, _viewpoint(state, holder, seat, "en").viewer).encode()


def _may_delete(state: TableState, holder: str | None) -> bool:
    """True for the host; a refusal for others."""
    _admit(state, holder)
    if holder != state.opened.host:
        raise NotYours(_say("table.not_host"))
    return True


def _may_react(state: TableState, holder: str | None, seat: int) -> bool:
    """True for the holder of the seat; a refusal for others."""
    _admit(state, holder)
    Deciding(state, Context(holder, 0)).require_seat(seat)
    return True


def _may_invite(state: TableState, holder: str | None) -> bool:
    """True for somebody at a table that gathers; a refusal for others."""
    _admit(state, holder)
    table = Deciding(state, Context(holder, 0))
    table.require_member()
    table.require_status(Status.GATHERING)
    return True


def _invitation(state: TableState) -> str:
    """The invitation to a table that gathers; NotFound otherwise."""
    if state.status is not Status.GATHERING:
        raise NotFound(_say("table.no_code"))
    return state.opened.code


project = query(_project)
stream = query(_stream)
preview = query(_preview)
see_draft = query(_see_draft)
hint = query(_hint)
see = query(_see)
see_judged = query(_see_judged)
find_step = query(_find_step)
see_view = query(_see_view)
record = query(_record)
may_delete = query(_may_delete)
may_react = query(_may_react)
may_invite = query(_may_invite)
invitation = query(_invitation)
