"""What takes its time, in a process that no table waits for: games retold, draws proven, odds weighed, closer looks."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from typing import Any, Final

from spieltisch import registry
from spieltisch.core.game import AnyGame, Refusal, Viewer
from spieltisch.core.json import Json, to_json
from spieltisch.i18n.format import format_message, format_messages
from spieltisch.i18n.message import Audience, message_factory
from spieltisch.match.tally import Tally, judgement
from spieltisch.match.verify import verify
from spieltisch.records import BadRecord, Record, read
from spieltisch.records.replay import Replay, replay
from spieltisch.server.errors import RefusalData, refusal_data
from spieltisch.table import projection
from spieltisch.table.errors import BadRequest

MOST_VIEWS: Final = 100
_say = message_factory("")


def _bytes(body: Json) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _unless_refused(tell: Callable[[], Json]) -> bytes | RefusalData:
    try:
        return _bytes(tell())
    except Refusal as error:
        return refusal_data(error)


def retell(text: str, number: int, viewer: Viewer, start: int, language: str) -> bytes | RefusalData:
    """A game of a record: every sentence of it, and the views from one entry on."""
    return _unless_refused(lambda: _retold(text, number, viewer, start, language))


def prove(text: str, language: str) -> bytes | RefusalData:
    """Whether every draw of a record follows from its proof, and the sentence about it."""
    return _unless_refused(lambda: _proven(text, language))


def _retold(text: str, number: int, viewer: Viewer, start: int, language: str) -> dict[str, Json]:
    whole = read(text)
    game, past = _replayed(whole, number)
    one = whole.games[number]
    _check_viewer(viewer, one.players)
    names = [
        dict(one.names).get(seat) or format_message(_say("seat.name", number=seat + 1), language)
        for seat in range(one.players)
    ]
    audience = Audience(names, viewer)
    events: list[Json] = []
    for transition in past.transitions:
        if transition.step is None:
            events.append(
                {"kind": "undo", "seat": None, "text": "", "words": format_message(_say("table.undone"), language)}
            )
            continue
        heard, message = projection.spoken(game, transition, viewer, audience)
        kind = "draw" if heard.seat is None else "move"
        events.append(
            {"kind": kind, "seat": heard.seat, "text": heard.text, "words": format_message(message, language)}
        )
    states = [game.initial(past.setup), *(transition.after for transition in past.transitions)][
        start : start + MOST_VIEWS
    ]
    views = [game.observe(state, viewer) for state in states]
    speech = registry.speech(game)
    last = game.observe(past.state, viewer)
    return {
        "game": one.game,
        "title": game.title,
        "games": len(whole.games),
        "names": list(names),
        "events": events,
        "first": start,
        "views": [to_json(view) for view in views],
        "told": [list(format_messages(speech.position(view, audience), language)) for view in views],
        "practice": one.practice,
        **projection.ending(game, game.pending(past.state), last, audience, language),
    }


def film(game: str, happened: bytes) -> bytes:
    """How something was seen to happen at a table; nothing where there is nothing to be seen."""
    step = pickle.loads(happened)  # noqa: S301 - written by a clerk of this server
    return (step and registry.film(registry.find(game), *step)) or b""


def inside(game: str, view: bytes) -> bytes:
    """What a closer look at a position shows."""
    seen = pickle.loads(view)  # noqa: S301 - written by a clerk of this server
    return _bytes({"inside": None if seen is None else registry.inside(registry.find(game), seen)})


def film_of(text: str, number: int, step: int) -> bytes | RefusalData:
    """How an entry of a record was seen to happen; nothing where there is nothing to be seen."""
    try:
        game, past = _replayed(read(text), number)
    except Refusal as error:
        return refusal_data(error)
    shown = past.transitions[step].step if step < len(past.transitions) else None
    return (shown and registry.film(game, shown.before, shown.action)) or b""


def inside_of(text: str, number: int, viewer: Viewer, step: int) -> bytes | RefusalData:
    """What a closer look at a position of a record shows, after so many entries."""
    return _unless_refused(lambda: _inside(text, number, viewer, step))


def _inside(text: str, number: int, viewer: Viewer, step: int) -> dict[str, Json]:
    game, past = _replayed(read(text), number)
    _check_viewer(viewer, past.setup.players)
    state = (
        past.transitions[min(step, len(past.transitions)) - 1].after
        if step and past.transitions
        else game.initial(past.setup)
    )
    return {"inside": registry.inside(game, game.observe(state, viewer))}


def _replayed(whole: Record, number: int) -> tuple[AnyGame, Replay[Any, Any]]:
    if number >= len(whole.games):
        raise BadRequest(_say("replay.no_game", games=len(whole.games), given=number))
    game = registry.find(whole.games[number].game).for_replay
    return game, replay(game, whole.games[number])


def _check_viewer(viewer: Viewer, players: int) -> None:
    if viewer is not None and viewer >= players:
        raise BadRequest(_say("table.no_seat", last=players - 1, given=int(viewer)))


def _proven(text: str, language: str) -> dict[str, Json]:
    whole = read(text)
    draws = sum(len(replay(registry.find(one.game), one).draws) for one in whole.games)
    try:
        found = verify(whole)
        fair, words = found.proven, " ".join(format_messages(found.sentences(), language))
    except BadRecord as error:
        if not error.message.key.startswith("proof."):
            raise
        fair, words = False, format_message(error.message, language)
    return {"fair": fair, "words": words, "games": len(whole.games), "draws": draws}


def weigh(found: Sequence[tuple[str, str]]) -> bytes:
    """The draws of finished games, game by game, held against their odds."""
    games: dict[str, list[Tally]] = {}
    for game, text in found:
        games.setdefault(game, []).append(Tally.read(json.loads(text)))
    body: list[Json] = []
    for game, tallies in sorted(games.items()):
        total = sum(tallies, Tally())
        body.append({"game": game, "games": len(tallies), "draws": total.draws, "tests": to_json(judgement(total))})
    return _bytes(body)
