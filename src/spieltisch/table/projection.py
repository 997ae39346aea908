"""Projection: a table as one viewer may know it, built from views and witnesses alone. Nothing else leaves a server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from spieltisch import registry
from spieltisch.core.game import AnyGame, Decision, Heard, Seat, Viewer
from spieltisch.core.json import to_json
from spieltisch.gameplay.progress import AnyProgress, PlayedEntry
from spieltisch.i18n.format import format_message, format_messages
from spieltisch.i18n.message import Audience, Message, message_factory
from spieltisch.records import GameRecord, Record, begin, write
from spieltisch.table import events
from spieltisch.table.codec import encode, kind_of
from spieltisch.table.ending import project_early_end, project_ending, project_match_result, say_early_end
from spieltisch.table.events import Event
from spieltisch.table.responses import (
    Advice,
    Choice,
    ConsentView,
    DraftPreview,
    EventView,
    FairnessView,
    Position,
    SeatView,
    TableSummary,
    TableUpdate,
    TableView,
)
from spieltisch.table.state import LogEntry, Status, TableState, Wait
from spieltisch.table.turns import project_turns

_say = message_factory("")
_SILENT: Final = (
    events.TableOpened,
    events.SpectatorAdmitted,
    events.SeatsChanged,
    events.AllSeated,
    events.NonceRevealed,
    events.PracticeMarked,
    events.RecordLine,
)


PAGE: Final = 200  # events that are projected at a time: a long log must not keep others waiting


class Viewpoint(NamedTuple):
    """A viewpoint: the hash of a client's secret, the seat it looks from, and its language."""

    holder: str | None
    viewer: Viewer
    language: str


def viewpoint(state: TableState, holder: str | None, seat: int | None, language: str) -> Viewpoint:
    """The viewpoint of a client: from the requested seat, else from its seat to move or its first seat."""
    mine = state.seats_of(holder)
    if seat in mine or not mine:
        return Viewpoint(holder, Seat(seat) if mine and seat is not None else None, language)
    pending = state.game.pending if state.game else None
    turn = pending.seat if isinstance(pending, Decision) else None
    return Viewpoint(holder, turn if turn in mine else mine[0], language)


def project(state: TableState, by: Viewpoint, after: int) -> TableUpdate:
    """The table, and a page of events after a version."""
    end = page_end(state, after)
    return TableUpdate(
        version=state.version,
        events=list(project_events(state, by, after, end)),
        table=project_table(state, by),
        position=project_position(state, by),
        next=end if end < state.version else None,
    )


# events


def page_end(state: TableState, after: int) -> int:
    """The last event of the page after an event."""
    return min(state.version, after + PAGE)


def project_events(state: TableState, by: Viewpoint, after: int, end: int) -> Iterator[EventView]:
    """What happened after an event and until another, as the viewer witnessed it; turns also as a line each."""
    turns, undone = project_turns(state, by.viewer, by.language, max(after, 0), end)
    for number in range(max(after, 0) + 1, end + 1):
        found = _event(state, by, number, state.log[number - 1])
        if found is not None:
            yield replace(found, turn=turns.get(number), back=undone.get(number))


def _event(state: TableState, by: Viewpoint, number: int, entry: LogEntry) -> EventView | None:
    event = entry.event
    if entry.transition is not None:
        kind, seat, text, message = _action(state, by, entry, entry.transition)
        return EventView(number, entry.at, kind, entry.game, seat, text, format_message(message, by.language))
    if isinstance(event, events.GameStarted):
        game = next(place for place, one in enumerate(state.games) if one.started == number)
        words = format_message(_say("table.begins", number=game + 1, games=state.opened.games), by.language)
        return EventView(number, entry.at, "begin", game, None, "", words)
    if isinstance(event, _SILENT):
        return None
    names = state.log[number - 2].names if isinstance(event, events.SeatFreed) else entry.names
    audience = Audience(names, by.viewer)
    message = say_early_end(state, audience) if isinstance(event, events.MatchEnded) else _sentence(event, audience)
    words = format_message(message, by.language)
    return EventView(number, entry.at, kind_of(event), None, getattr(event, "seat", None), "", words)


def _action(
    state: TableState, by: Viewpoint, entry: LogEntry, played: PlayedEntry[Any, Any]
) -> tuple[str, int | None, str, Message]:
    """The kind, seat, notation and sentence of an action or undo; the sentence is made once per viewer."""
    if played.step is None:
        return "undo", None, encode(entry.event), _say("table.undone")
    heard = played.witness(state.rules, by.viewer)
    message: Message | None = played.cache.get(("said", by.viewer, entry.names))
    if message is None:
        message = say_action(state.rules, played.step.before, heard, played.after, Audience(entry.names, by.viewer))
        played.cache["said", by.viewer, entry.names] = message
    return "draw" if heard.seat is None else "move", heard.seat, heard.text, message


def say_action(game: AnyGame, before: Any, heard: Heard, after: Any, audience: Audience) -> Message:
    """The sentence about an action, between the states before and after it, as the listener witnessed it."""
    viewer = None if audience.listener is None else Seat(audience.listener)
    views = game.observe(before, viewer), game.observe(after, viewer)
    return registry.speech(game).happened(views[0], heard, views[1], audience)


def _sentence(event: Event, audience: Audience) -> Message:
    match event:
        case events.BotSeated(_, name, player):
            kind, _, level = player.partition(":")
            if kind == "level":
                return _say("table.placed_level", name=name, level=level)
            return _say("table.placed", name=name, player=player)
        case events.SeatFreed(seat, player):
            return audience(_say, "table.left" if player is None else "table.left_bot", seat)
        case events.ConsentAsked(seat, "undo"):
            return audience(_say, "table.asked_undo", seat)
        case events.ConsentAsked(seat, "bot", about):
            return audience(_say, "table.asked_bot", seat, other=audience.names[about])
        case events.ConsentAnswered(seat, yes):
            return audience(_say, "table.yes" if yes else "table.no", seat)
        case events.SeatTaken(seat):
            return audience(_say, "table.sat", seat)
        case events.SeatLent(seat):
            return audience(_say, "table.lent", seat)
        case events.SeatReturned(seat):
            return audience(_say, "table.returned", seat)
        case events.HintTaken(seat):
            return audience(_say, "table.hinted", seat)
        case events.SeatResigned(seat):
            return audience(_say, "table.resigned", seat)
        case events.TurnTimedOut(seat):
            return audience(_say, "table.late", seat)
        case events.SeatReserved(seat):
            return audience(_say, "table.kept", seat)
        case events.BotFailed(seat):
            return _say("table.failed", name=audience.names[seat])
        case events.MatchShared(seat, shown):
            return audience(_say, "table.shared" if shown else "table.unshared", seat)
        case events.RematchOpened(_, str(game)):
            return _say("table.followed_game", title=registry.find(game).title)
        case _:
            return _say("table.followed")


# the table


def project_table(state: TableState, by: Viewpoint) -> TableView:
    """Everything about the table except the game itself."""
    opened, mine, consent = state.opened, state.seats_of(by.holder), state.consent
    waiting, told = state.waiting(), _result_audience(state, by)
    inside = bool(mine) or (by.holder is not None and by.holder == opened.host)
    return TableView(
        game=opened.game,
        title=state.rules.title,
        edition=opened.edition,
        options=dict(opened.options),
        players=opened.players,
        games=opened.games,
        number=len(state.games) - 1 if state.games else None,
        status=state.status.value,
        waiting=waiting.kind.value,
        turn=waiting.seat,
        public=opened.public,
        seconds=opened.seconds,
        late=opened.late,
        host=by.holder == opened.host,
        code=opened.code if inside else None,
        you=[int(seat) for seat in mine],
        viewer=by.viewer,
        hides=state.rules.hides,
        seats=[_seat(state, number, by) for number in range(len(state.seats))],
        ask=None if consent is None else ConsentView(**{**consent._asdict(), "yes": list(consent.yes)}),
        totals=list(state.totals()) if state.games else None,
        scores=[list(points) for points in state.match_points()],
        result=project_match_result(state, told, by.language),
        ended=project_early_end(state, told, by.language),
        shared=state.shared,
        practice=any(game.progress.practice for game in state.games),
        next=state.next if inside else None,
        next_title=registry.find(state.next_game).title if inside and state.next_game else None,
        fair=_fairness(state),
        notes=[format_message(note, by.language) for note in state.rules.notes()],
    )


def _seat(state: TableState, number: int, by: Viewpoint) -> SeatView:
    seat = state.seats[number]
    return SeatView(
        name=seat.name,
        kind="person" if seat.holder else "bot" if seat.player else "open",
        player=seat.player,
        you=seat.holder is not None and seat.holder == by.holder,
        kept=seat.reserved,
        free=state.may_take(number, by.holder),
        resigned=seat.resigned,
        late=seat.timed_out,
        avatar=seat.avatar,
    )


def _fairness(state: TableState) -> FairnessView:
    """The proofs of fair chance, as far as they may be known."""
    secrets = state.opened.secrets
    return FairnessView(
        drawn=state.opened.first is None,
        commits=list(state.commits()),
        commitments=[seat.commit for seat in state.seats],
        nonces=[seat.nonce if seat.revealed else None for seat in state.seats],
        secrets=[secrets[game] if state.is_closed(game) else None for game in range(state.opened.games)],
    )


def summarize(state: TableState) -> TableSummary:
    """The table's entry in the list of public tables."""
    return TableSummary(
        game=state.opened.game,
        title=state.rules.title,
        status=state.status.value,
        seats=[seat.name if seat.holder or seat.player else None for seat in state.seats],
        free=sum(state.may_take(seat, None) for seat in range(len(state.seats))),
    )


# the game


def project_position(state: TableState, by: Viewpoint) -> Position | None:
    """The game in progress as the viewer may know it; None before the first."""
    game = state.game
    if game is None:
        return None
    audience, speech = Audience(state.names(), by.viewer), registry.speech(game.game)
    view = game.view(by.viewer)
    choices: list[Choice] = []
    if isinstance(game.pending, Decision) and state.waiting()[:2] == (Wait.PERSON, by.viewer):
        choices = list(project_choices(game, view, game.pending.actions, by.language))
    told = _result_audience(state, by)
    ending = project_ending(
        game.game, game.pending, view, game.heard(by.viewer) if game.over else (), told, by.language
    )
    return Position(
        game=len(state.games) - 1,
        view=view_object(view),
        told=list(format_messages(speech.position(view, audience), by.language)),
        choices=choices,
        outcome=ending.outcome,
        sheet=list(ending.sheet),
        winners=ending.winners,
        headline=ending.headline,
        reason=ending.reason,
    )


def _result_audience(state: TableState, by: Viewpoint) -> Audience:
    """Whom a result addresses: nobody in particular if several people share the screen."""
    return Audience(state.names(), by.viewer if len(state.seats_of(by.holder)) < 2 else None)


def view_object(view: object) -> dict[str, Any]:
    """A view as a JSON object."""
    found = to_json(view)
    assert isinstance(found, dict)
    return found


def project_choices(game: AnyProgress, view: Any, actions: Sequence[Any], language: str) -> Iterator[Choice]:
    """What a seat can choose: its notation, what it would do, where it is found among many, whether it ends the turn."""
    rules, speech = game.game, registry.speech(game.game)
    for action in actions:
        yield Choice(
            text=rules.write(game.state, action),
            words=format_message(speech.choice(view, action), language),
            paths=[list(format_messages(path, language)) for path in speech.headings(view, action)],
            ends=rules.ends_turn(game.state, action),
        )


def project_draft(state: TableState, seat: Seat, steps: Sequence[AnyProgress], language: str) -> DraftPreview:
    """The preview of a draft, for its own seat only; `steps` are the game before it and after each action.

    It has no advice yet, which may take long to compute.
    """
    first, last = steps[0], steps[-1]
    rules, speech, audience = first.game, registry.speech(first.game), Audience(state.names(), seat)
    played = [step.path[-1] for step in steps[1:]]
    said = [
        say_action(rules, before.state, one.witness(rules, seat), after.state, audience)
        for before, after, one in zip(steps, steps[1:], played, strict=False)
    ]
    view = last.view(seat)
    actions = last.pending.actions if isinstance(last.pending, Decision) and last.pending.seat == seat else ()
    return DraftPreview(
        version=state.version,
        view=view_object(view),
        choices=list(project_choices(last, view, actions, language)),
        complete=not actions,
        words=[format_message(message, language) for message in said],
        told=list(format_messages(speech.position(view, audience), language)),
        advice=[],
        signs=[],
    )


def question_for_advice(seat: Seat, steps: Sequence[AnyProgress]) -> tuple[Any, Any] | None:
    """The view and the action that `project_advice` needs; None if there is no advice about the draft."""
    step = steps[-1].path[-1].step if len(steps) > 1 else None
    if step is None:
        return None
    view = steps[-2].view(seat)
    return (view, step.action) if registry.speech(steps[0].game).has_advice(view, step.action) else None


def project_advice(game: AnyGame, view: Any, action: Any, language: str) -> Advice:
    """Advice about an action, from what its seat may know."""
    advice = registry.speech(game).advice(view, action)
    return Advice(list(format_messages(advice, language)), [message.key for message in advice])


# the record


def project_record(state: TableState, viewer: Viewer) -> str:
    """The record: complete between games and after the match, else with `?` for what the viewer may not know."""
    if not state.games:
        return ""
    record = whole_record(state)
    if state.status is Status.PLAYING:
        record = replace(record, games=(*record.games[:-1], state.games[-1].progress.redact(record.games[-1], viewer)))
    return write(record)


def whole_record(state: TableState) -> Record:
    """The complete record, including what is hidden, for storage and tests; without the secrets of running games."""
    games = [_game_record(state, number) for number in range(len(state.games))]
    match = state.opened.games if state.opened.games > 1 else None
    total = state.totals() if match and state.match_over else None
    return Record(tuple(games), match, total)


def _game_record(state: TableState, number: int) -> GameRecord:
    game = state.games[number]
    header = begin(state.rules, game.progress.setup, dict(enumerate(game.names)))
    return replace(
        game.progress.record(header),
        drawn=number == 0 and state.opened.first is None,
        commit=state.commits()[number],
        nonces=tuple((seat, one.nonce) for seat, one in enumerate(state.seats) if one.nonce),
        secret=state.opened.secrets[number] if state.is_closed(number) else None,
    )
