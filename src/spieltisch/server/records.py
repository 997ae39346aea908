"""What is told of records, in a process that no table waits for: games retold, draws proven, odds weighed."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Final

from spieltisch import registry
from spieltisch.game import Refusal, Viewer
from spieltisch.match.tally import Tally, judgement
from spieltisch.match.verify import verify
from spieltisch.message import Voices, speaker
from spieltisch.plain import Json, plain
from spieltisch.record import BadRecord, read
from spieltisch.replay import replay
from spieltisch.sentences import render, render_all
from spieltisch.server import telling
from spieltisch.server.refusals import BadRequest, No, no

MOST_VIEWS: Final = 100
_say = speaker("")


def _bytes(body: Json) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _unless_refused(tell: Callable[[], Json]) -> bytes | No:
    try:
        return _bytes(tell())
    except Refusal as error:
        return no(error)


def retell(text: str, number: int, viewer: Viewer, start: int, language: str) -> bytes | No:
    """A game of a record: every sentence of it, and the views from one entry on."""
    return _unless_refused(lambda: _retold(text, number, viewer, start, language))


def prove(text: str, language: str) -> bytes | No:
    """Whether every draw of a record follows from its proof, and the sentence about it."""
    return _unless_refused(lambda: _proven(text, language))


def _retold(text: str, number: int, viewer: Viewer, start: int, language: str) -> dict[str, Json]:
    whole = read(text)
    if number >= len(whole.games):
        raise BadRequest(_say("replay.no_game", games=len(whole.games), given=number))
    one = whole.games[number]
    game = registry.find(one.game).believing
    past = replay(game, one)
    if viewer is not None and viewer >= one.players:
        raise BadRequest(_say("table.no_seat", last=one.players - 1, given=int(viewer)))
    names = [
        dict(one.names).get(seat) or render(_say("seat.name", number=seat + 1), language) for seat in range(one.players)
    ]
    voices = Voices(names, viewer)
    events: list[Json] = []
    for told in past.told:
        if told.step is None:
            events.append({"kind": "undo", "seat": None, "text": "", "words": render(_say("table.undone"), language)})
            continue
        heard, message = telling.spoken(game, told, viewer, voices)
        kind = "draw" if heard.seat is None else "move"
        events.append({"kind": kind, "seat": heard.seat, "text": heard.text, "words": render(message, language)})
    states = [game.initial(past.setup), *(told.after for told in past.told)][start : start + MOST_VIEWS]
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
        "views": [plain(view) for view in views],
        "told": [list(render_all(speech.position(view, voices), language)) for view in views],
        "practice": one.practice,
        **telling.ending(game, game.pending(past.state), last, voices, language),
    }


def _proven(text: str, language: str) -> dict[str, Json]:
    whole = read(text)
    draws = sum(len(replay(registry.find(one.game), one).draws) for one in whole.games)
    try:
        found = verify(whole)
        fair, words = found.proven, " ".join(render_all(found.sentences(), language))
    except BadRecord as error:
        if not error.message.key.startswith("proof."):
            raise
        fair, words = False, render(error.message, language)
    return {"fair": fair, "words": words, "games": len(whole.games), "draws": draws}


def weigh(found: Sequence[tuple[str, str]]) -> bytes:
    """The draws of finished games, game by game, held against their odds."""
    games: dict[str, list[Tally]] = {}
    for game, text in found:
        games.setdefault(game, []).append(Tally.read(json.loads(text)))
    body: list[Json] = []
    for game, tallies in sorted(games.items()):
        total = sum(tallies, Tally())
        body.append({"game": game, "games": len(tallies), "draws": total.draws, "tests": plain(judgement(total))})
    return _bytes(body)
