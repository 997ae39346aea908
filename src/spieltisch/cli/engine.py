"""Engine protocol: one JSON request per line in, one JSON response per line out.

The caller runs the match and sees everything, as in UCI for chess.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import IO, Final

from spieltisch import __version__, players, registry
from spieltisch.cli.engine_request import (
    BadRequest,
    LimitExceeded,
    Request,
    UnknownState,
    error_response,
    parse,
    request_id,
)
from spieltisch.cli.engine_state import (
    Node,
    describe_game,
    describe_pending,
    imagine_node,
    imagine_view,
    load,
)
from spieltisch.core.game import Over, Refusal, Seat, Viewer, brief
from spieltisch.core.json import Json, to_json
from spieltisch.core.player import Clock
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.transcript import seat_names
from spieltisch.i18n.format import LANGUAGES, format_messages
from spieltisch.i18n.message import Audience, message_factory
from spieltisch.players.evaluation import Position, evaluate_position
from spieltisch.players.failures import PlayerFailed

MAX_LINE: Final = 1_000_000  # bytes
MAX_STATES: Final = 100_000
_say = message_factory("")


class Engine:
    """Handles requests; a request that is refused changes nothing."""

    def __init__(self) -> None:
        self._nodes: dict[str, Node] = {}
        self._issued = 0
        self._handlers: dict[str, Callable[[Request], dict[str, Json]]] = {
            "games": self._games,
            "new": self._new,
            "apply": self._apply,
            "view": self._view,
            "text": self._text,
            "play": self._play,
            "record": self._record,
            "drop": self._drop,
            "hello": self._hello,
            "load": self._load,
            "imagine": self._imagine,
            "evaluate": self._evaluate,
        }

    def handle(self, line: bytes) -> str:
        """The response to one line."""
        number: str | int | None = None
        try:
            fields = parse(line)
            number = request_id(fields)
            verb = fields.get("do")
            if not isinstance(verb, str) or verb not in self._handlers:
                raise BadRequest(_say("request.verb", known=tuple(self._handlers)))
            response = self._handlers[verb](Request(fields))
        except Refusal as error:
            return error_response(number, error)
        return json.dumps({"id": number, "ok": True, **response})

    def _hello(self, request: Request) -> dict[str, Json]:
        request.close()
        return {"version": __version__, "requests": list(self._handlers)}

    def _games(self, request: Request) -> dict[str, Json]:
        request.close()
        return {"games": [describe_game(game) for game in registry.all()]}

    def _new(self, request: Request) -> dict[str, Json]:
        name = request.get("game", str)
        count = request.get("players", int, None)
        edition = request.get("edition", str, None)
        options = request.get("options", dict, {})
        first = request.get("first", int, 0)
        rules = request.get("rules", int, None)
        request.close()
        game = registry.find(name)
        setup = game.agree(count, edition, options, first, rules)
        return self._add(Node(game, setup, game.initial(setup)))

    def _load(self, request: Request) -> dict[str, Json]:
        text = request.get("record", str)
        number = request.get("number", int, None)
        request.close()
        return self._add(load(text, number))

    def _apply(self, request: Request) -> dict[str, Json]:
        node = self._node(request)
        text = request.get("action", str)
        request.close()
        if isinstance(node.game.pending(node.state), Over):
            raise NotPending(_say("turn.over"))
        return self._add(node.apply(node.game.read(node.state, text)))

    def _imagine(self, request: Request) -> dict[str, Json]:
        seed = request.seed()
        if "view" in request.fields:
            game = request.get("game", str)
            view, heard = request.get("view", dict), request.get("heard", list, [])
            request.close()
            return self._add(imagine_view(registry.find(game), view, heard, seed))
        node = self._node(request)
        viewer = _viewer(request, node)
        request.close()
        return self._add(imagine_node(node, viewer, seed))

    def _view(self, request: Request) -> dict[str, Json]:
        node = self._node(request)
        viewer = _viewer(request, node)
        request.close()
        return {"view": to_json(node.game.observe(node.state, viewer))}

    def _text(self, request: Request) -> dict[str, Json]:
        node = self._node(request)
        viewer = _viewer(request, node)
        language = request.get("language", str, "en")
        request.close()
        if language not in LANGUAGES:
            raise BadRequest(_say("language.unknown", known=LANGUAGES, given=brief(language)))
        audience = Audience(seat_names(node.setup.players, language), viewer)
        position = registry.speech(node.game).position(node.game.observe(node.state, viewer), audience)
        return {"text": "\n".join(format_messages(position, language))}

    def _play(self, request: Request) -> dict[str, Json]:
        node = self._node(request)
        name = request.get("player", str)
        seed = request.seed()
        request.close()
        maker = players.maker(name, node.game, players.Access.ENGINE)
        _, seen = node.decision()
        try:
            action = players.make_seeded(maker, seed).choose(seen, Clock())
        except PlayerFailed as error:  # the protocol's error codes are a closed list
            raise BadRequest(error.message) from None
        return {"action": node.game.write(node.state, action)}

    def _evaluate(self, request: Request) -> dict[str, Json]:
        node = self._node(request)
        name = request.get("player", str)
        seed = request.seed()
        request.close()
        maker = players.maker(name, node.game, players.Access.ENGINE)
        seat, seen = node.decision()
        position = Position(node.game, node.setup.players, seat, seen)
        try:
            return evaluate_position(position, players.make_seeded(maker, seed), name, Clock()).to_json()
        except PlayerFailed as error:
            raise BadRequest(error.message) from None

    def _record(self, request: Request) -> dict[str, Json]:
        node = self._node(request)
        request.close()
        return {"record": node.record()}

    def _drop(self, request: Request) -> dict[str, Json]:
        self._node(request)
        request.close()
        del self._nodes[request.fields["state"]]
        return {}

    def _node(self, request: Request) -> Node:
        state = request.get("state", str)
        if state not in self._nodes:
            raise UnknownState(_say("state.unknown", given=brief(state)))
        return self._nodes[state]

    def _add(self, node: Node) -> dict[str, Json]:
        if len(self._nodes) >= MAX_STATES:
            raise LimitExceeded(_say("limit.handles", most=MAX_STATES))
        self._issued += 1
        state = f"s{self._issued}"
        self._nodes[state] = node
        return {"state": state, "pending": describe_pending(node.game, node.state)}


def _viewer(request: Request, node: Node) -> Viewer:
    viewer: int | None = request.get("viewer", (int, type(None)))
    if viewer is not None and not 0 <= viewer < node.setup.players:
        raise BadRequest(_say("request.viewer", last=node.setup.players - 1))
    return None if viewer is None else Seat(viewer)


def run(source: IO[bytes], sink: IO[str]) -> None:
    """Responds to every line of the source until it ends."""
    engine = Engine()
    for line in _lines(source):
        if line is None:
            response = error_response(None, LimitExceeded(_say("limit.line", most=MAX_LINE)))
        else:
            response = engine.handle(line)
        sink.write(response + "\n")
        sink.flush()


def _lines(source: IO[bytes]) -> Iterator[bytes | None]:
    """The lines that are not blank; None for a line that is too long, which is skipped without being buffered."""
    while line := source.readline(MAX_LINE + 2):
        complete = line.endswith(b"\n") or len(line) < MAX_LINE + 2
        if complete and len(line.rstrip(b"\r\n")) <= MAX_LINE:
            if line.strip():
                yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(MAX_LINE)
        yield None
