"""The replay worker: replays, proofs, fairness, films and details, in a process that no table waits for."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, Final

from spieltisch import pictures, registry
from spieltisch.core.game import AnyGame, Heard, Refusal, Seat, Viewer
from spieltisch.gameplay.progress import PlayedEntry, Progress
from spieltisch.gameplay.tally import Tally, judgement
from spieltisch.gameplay.transcript import seat_names
from spieltisch.gameplay.verify import verify
from spieltisch.i18n.format import format_message, format_messages
from spieltisch.i18n.message import Audience, message_factory
from spieltisch.records import BadRecord, GameRecord, Record, read
from spieltisch.records.replay import Replay, Transition, replay
from spieltisch.server.errors import RefusalData, refusal_data
from spieltisch.server.http.responses import (
    DetailsView,
    DrawCount,
    FairnessReport,
    FitTest,
    Proof,
    ReplayEvent,
    ReplayView,
)
from spieltisch.table import projection
from spieltisch.table.ending import project_ending
from spieltisch.table.errors import BadRequest
from spieltisch.table.responses import serialize
from spieltisch.table.turns import TurnIndex

MAX_VIEWS: Final = 100
_say = message_factory("")


def _or_refusal(answer: Callable[[], object]) -> bytes | RefusalData:
    try:
        return serialize(answer())
    except Refusal as error:
        return refusal_data(error)


def replay_game(text: str, number: int, viewer: Viewer, start: int, language: str) -> bytes | RefusalData:
    """A game of a record: all its events as sentences, and the views from one entry on."""
    return _or_refusal(lambda: _replay_game(text, number, viewer, start, language))


def prove(text: str, language: str) -> bytes | RefusalData:
    """Whether every draw of a record follows from its proof, and the sentence about it."""
    return _or_refusal(lambda: _prove(text, language))


def _replay_game(text: str, number: int, viewer: Viewer, start: int, language: str) -> ReplayView:
    whole = read(text)
    game, past = _replay(whole, number)
    one = whole.games[number]
    _check_viewer(viewer, one.players)
    names = seat_names(one.players, language, dict(one.names))
    audience = Audience(names, viewer)
    states = [game.initial(past.setup), *(transition.after for transition in past.transitions)]
    views = [game.observe(state, viewer) for state in states[start : start + MAX_VIEWS]]
    speech = registry.speech(game)
    last = game.observe(past.state, viewer)
    ending = project_ending(game, game.pending(past.state), last, _heard(game, past, viewer), audience, language)
    return ReplayView(
        game=one.game,
        title=game.title,
        games=len(whole.games),
        names=names,
        events=_events(game, past, one, audience, language),
        first=start,
        views=[projection.view_object(view) for view in views],
        told=[list(format_messages(speech.position(view, audience), language)) for view in views],
        outcome=ending.outcome,
        sheet=list(ending.sheet),
        winners=ending.winners,
        headline=ending.headline,
        reason=ending.reason,
        deal=sum(1 for _ in takewhile(_is_draw, past.transitions)) if game.deals else 0,
        practice=one.practice,
    )


def _is_draw(transition: Transition[Any, Any]) -> bool:
    return transition.step is not None and transition.step.seat is None


def _heard(game: AnyGame, past: Replay[Any, Any], viewer: Viewer) -> list[Heard]:
    """Every action that was not undone, as the viewer witnessed it."""
    return [Heard(step.seat, game.witness(step.before, step.action, viewer)) for step in past.steps]


def _events(
    game: AnyGame, past: Replay[Any, Any], record: GameRecord, audience: Audience, language: str
) -> list[ReplayEvent]:
    """All events as sentences, and the turns that they belong to."""
    index = TurnIndex(game, None if audience.listener is None else Seat(audience.listener))
    events: list[ReplayEvent] = []
    for number, (made, entry) in enumerate(zip(past.transitions, record.entries, strict=True), 1):
        back = index.add(number, PlayedEntry(made.step, made.after, entry))
        turn = index.project(audience.names, language) if back is None else None
        events.append(replace(_event(game, made, audience, language), turn=turn, back=back))
    return events


def _event(game: AnyGame, transition: Transition[Any, Any], audience: Audience, language: str) -> ReplayEvent:
    if transition.step is None:
        return ReplayEvent("undo", None, "", format_message(_say("table.undone"), language))
    before, seat, action = transition.step
    viewer = None if audience.listener is None else Seat(audience.listener)
    heard = Heard(seat, game.witness(before, action, viewer))
    message = projection.say_action(game, before, heard, transition.after, audience)
    return ReplayEvent("draw" if seat is None else "move", seat, heard.text, format_message(message, language))


def film(game: str, happened: bytes) -> bytes:
    """The animation of an action at a table; empty if there is none."""
    step = pickle.loads(happened)  # noqa: S301 - written by the rules worker
    return (step and registry.film(registry.find(game), *step)) or b""


def details(game: str, view: bytes) -> bytes:
    """The details of a position."""
    seen = pickle.loads(view)  # noqa: S301 - written by the rules worker
    return serialize(DetailsView(None if seen is None else registry.inside(registry.find(game), seen)))


def film_of_record(text: str, number: int, step: int) -> bytes | RefusalData:
    """The animation of an entry of a record; empty if there is none."""
    try:
        game, past = _replay(read(text), number)
    except Refusal as error:
        return refusal_data(error)
    shown = past.transitions[step].step if step < len(past.transitions) else None
    return (shown and registry.film(game, shown.before, shown.action)) or b""


def details_of_record(text: str, number: int, viewer: Viewer, step: int) -> bytes | RefusalData:
    """The details of a position of a record, after that many entries."""
    return _or_refusal(lambda: _details(text, number, viewer, step))


def _details(text: str, number: int, viewer: Viewer, step: int) -> DetailsView:
    game, past = _replay(read(text), number)
    _check_viewer(viewer, past.setup.players)
    state = (
        past.transitions[min(step, len(past.transitions)) - 1].after
        if step and past.transitions
        else game.initial(past.setup)
    )
    return DetailsView(registry.inside(game, game.observe(state, viewer)))


def draw_record(text: str, number: int, viewer: Viewer, language: str, *, dark: bool) -> bytes | RefusalData:
    """The last position of a game of a record as an SVG picture."""
    try:
        whole = read(text)
        game, one = _find_game(whole, number)
        _check_viewer(viewer, one.players)
        names = seat_names(one.players, language, dict(one.names))
        return pictures.picture(Progress.resume(game, one), viewer, names, language, dark=dark).encode()
    except Refusal as error:
        return refusal_data(error)


def _replay(whole: Record, number: int) -> tuple[AnyGame, Replay[Any, Any]]:
    game, one = _find_game(whole, number)
    return game, replay(game, one)


def _find_game(whole: Record, number: int) -> tuple[AnyGame, GameRecord]:
    if number >= len(whole.games):
        raise BadRequest(_say("replay.no_game", games=len(whole.games), given=number))
    return registry.find(whole.games[number].game).for_replay, whole.games[number]


def _check_viewer(viewer: Viewer, players: int) -> None:
    if viewer is not None and viewer >= players:
        raise BadRequest(_say("table.no_seat", last=players, given=int(viewer) + 1))


def _prove(text: str, language: str) -> Proof:
    whole = read(text)
    draws = sum(len(replay(registry.find(one.game), one).draws) for one in whole.games)
    try:
        found = verify(whole)
        fair, words = found.proven, " ".join(format_messages(found.sentences(), language))
    except BadRecord as error:
        if not error.message.key.startswith("proof."):
            raise
        fair, words = False, format_message(error.message, language)
    return Proof(fair=fair, words=words, games=len(whole.games), draws=draws)


def judge_fairness(totals: Sequence[tuple[str, int, str]]) -> bytes:
    """The draws of all finished games, given as (game, finished games, tally), compared with their odds."""
    return serialize([_report(game, games, Tally.read(json.loads(tally))) for game, games, tally in sorted(totals)])


def _report(game: str, games: int, total: Tally) -> FairnessReport:
    tests = [
        FitTest([DrawCount(*piece) for piece in fit.pieces], fit.statistic, fit.freedom, fit.p)
        for fit in judgement(total)
    ]
    return FairnessReport(game, games, total.draws, tests)
