"""Engine protocol: one JSON request per line in, one JSON response per line out.

The caller runs the match and sees everything, as in UCI for chess.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import IO, Any, ClassVar, Final, NamedTuple

from spieltisch import players, registry
from spieltisch.core.game import (
    AnyGame,
    Chance,
    Choice,
    Decision,
    Heard,
    Over,
    Pending,
    Refusal,
    Seat,
    Setup,
    Viewer,
    brief,
)
from spieltisch.core.json import Json, to_json
from spieltisch.core.player import Clock, Seen
from spieltisch.gameplay.errors import NotPending
from spieltisch.gameplay.transcript import seat_names
from spieltisch.i18n.format import LANGUAGES, format_message, format_messages
from spieltisch.i18n.message import Audience, message_factory
from spieltisch.players.failures import PlayerFailed
from spieltisch.records import Move, Record, begin, write

MAX_LINE: Final = 1_000_000  # bytes
MAX_STATES: Final = 100_000
_say = message_factory("")


class BadRequest(Refusal):
    """A request with an unknown verb, or with a missing, unknown or mistyped field."""

    code: ClassVar[str] = "bad-request"


class BadJson(Refusal):
    """A line that is not a JSON object."""

    code: ClassVar[str] = "bad-json"


class UnknownState(Refusal):
    """A state id that was never issued, or has been dropped."""

    code: ClassVar[str] = "unknown-state"


class LimitExceeded(Refusal):
    """A line that is too long, or one state too many."""

    code: ClassVar[str] = "limit"


class Node(NamedTuple):
    """A node of the game tree that the caller explores: a state, and the action that led to it from its parent."""

    game: AnyGame
    setup: Setup
    state: Any
    parent: Node | None
    seat: Seat | None
    action: Any


class Request:
    """The fields of one request; a missing, unknown or mistyped one is refused by its name."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.fields = fields
        self._known = {"id", "do"}

    def get(self, name: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        """The field's value, or the default if the field is optional and missing."""
        self._known.add(name)
        if name not in self.fields:
            if default is ...:
                raise BadRequest(_say("request.missing", field=name))
            return default
        value = self.fields[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BadRequest(_say("request.kind", field=name))
        return value

    def close(self) -> None:
        """Refuses every field that `get` was not called for: a misspelt field must not be ignored."""
        for name in self.fields:
            if name not in self._known:
                raise BadRequest(_say("request.unknown", field=brief(name), do=str(self.fields["do"])))


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
        }

    def handle(self, line: bytes) -> str:
        """The response to one line."""
        number: str | int | None = None
        try:
            fields = _parse(line)
            number = _id(fields)
            verb = fields.get("do")
            if not isinstance(verb, str) or verb not in self._handlers:
                raise BadRequest(_say("request.verb", known=tuple(self._handlers)))
            response = self._handlers[verb](Request(fields))
        except Refusal as error:
            return error_response(number, error)
        return json.dumps({"id": number, "ok": True, **response})

    def _games(self, request: Request) -> dict[str, Json]:
        request.close()
        return {"games": [_describe(game) for game in registry.all()]}

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
        return self._add(Node(game, setup, game.initial(setup), None, None, None))

    def _apply(self, request: Request) -> dict[str, Json]:
        node = self._node(request)
        text = request.get("action", str)
        request.close()
        pending = node.game.pending(node.state)
        if isinstance(pending, Over):
            raise NotPending(_say("turn.over"))
        action = node.game.read(node.state, text)
        after = node.game.apply(node.state, action)
        seat = pending.seat if isinstance(pending, Decision) else None
        return self._add(Node(node.game, node.setup, after, node, seat, action))

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
        seed = request.get("seed", int, 0)
        request.close()
        if seed < 0:
            raise BadRequest(_say("seed.negative", given=brief(seed)))
        maker = players.maker(name, node.game, players.Access.ENGINE)
        pending = node.game.pending(node.state)
        if not isinstance(pending, Decision):
            raise NotPending(_say("turn.over" if isinstance(pending, Over) else "turn.chance"))
        seen = Seen(node.game.observe(node.state, pending.seat), pending.actions, _heard(node, pending.seat))
        try:
            action = players.make_seeded(maker, seed).choose(seen, Clock())
        except PlayerFailed as error:  # the protocol's error codes are a closed list
            raise BadRequest(error.message) from None
        return {"action": node.game.write(node.state, action)}

    def _record(self, request: Request) -> dict[str, Json]:
        node = self._node(request)
        request.close()
        moves = [Move(step.seat, node.game.write(before, step.action)) for before, step in _path(node)]
        pending = node.game.pending(node.state)
        over = pending.outcome if isinstance(pending, Over) else None
        record = replace(
            begin(node.game, node.setup),
            entries=tuple(moves),
            result=over and over.scores,
            ending=over and over.ending,
        )
        return {"record": write(Record((record,)))}

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
        return {"state": state, "pending": _pending(node.game, node.state)}


def _parse(line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadJson(_say("json.bad")) from None
    if not isinstance(fields, dict):
        raise BadJson(_say("json.object"))
    return fields


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _id(fields: Mapping[str, Any]) -> str | int | None:
    number = fields.get("id")
    if isinstance(number, bool) or not isinstance(number, str | int | None):
        raise BadRequest(_say("request.id"))
    return number


def error_response(number: str | int | None, error: Refusal) -> str:
    """The response to a request that was refused."""
    body: dict[str, Json] = {"code": error.code, "message": format_message(error.message, "en")}
    if error.rule:
        body["rule"] = error.rule
    return json.dumps({"id": number, "ok": False, "error": body})


def _describe(game: AnyGame) -> Json:
    options: dict[str, Json] = {
        option.name: {"type": "choice", "values": list(option.values), "default": option.default}
        if isinstance(option, Choice)
        else {"type": "document", "default": None}
        for option in game.options
    }
    return {
        "game": game.name,
        "title": game.title,
        "players": [game.players.start, game.players.stop - 1],
        "editions": [edition.name for edition in game.editions],
        "options": options,
        "rules": list(game.rules),
        "offered": game.offered,
    }


def _pending(game: AnyGame, state: Any) -> Json:
    pending: Pending[Any] = game.pending(state)
    match pending:
        case Decision(seat, actions):
            return {"kind": "decision", "seat": seat, "actions": [game.write(state, action) for action in actions]}
        case Chance(actions, weights):
            written: list[Json] = [game.write(state, action) for action in actions]
            return {"kind": "chance", "actions": written, "weights": list(weights)}
        case Over((scores, ranks, ending)):
            return {"kind": "over", "scores": list(scores), "ranks": list(ranks), "ending": ending}


def _viewer(request: Request, node: Node) -> Viewer:
    viewer: int | None = request.get("viewer", (int, type(None)))
    if viewer is not None and not 0 <= viewer < node.setup.players:
        raise BadRequest(_say("request.viewer", last=node.setup.players - 1))
    return None if viewer is None else Seat(viewer)


def _path(node: Node) -> Iterator[tuple[Any, Node]]:
    """Every step from the root to the node, each with the state before it."""
    path: list[Node] = []
    at: Node | None = node
    while at is not None:
        path.append(at)
        at = at.parent
    path.reverse()
    return ((step.parent.state, step) for step in path if step.parent is not None)


def _heard(node: Node, viewer: Viewer) -> list[Heard]:
    return [Heard(step.seat, node.game.witness(before, step.action, viewer)) for before, step in _path(node)]


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
