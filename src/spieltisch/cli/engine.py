"""The referee's door: one JSON object a line in, one a line out. The caller owns the match and sees everything."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import IO, Any, ClassVar, Final, NamedTuple

from spieltisch import players, registry
from spieltisch.cli.terminal import seat_names
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
from spieltisch.i18n.format import LANGUAGES, format_message, format_messages
from spieltisch.i18n.message import Audience, message_factory
from spieltisch.match.referee import NotPending
from spieltisch.players.failed import PlayerFailed
from spieltisch.records import Move, Record, begin, write

LONGEST_LINE: Final = 1_000_000
MOST_HANDLES: Final = 100_000
_say = message_factory("")


class BadRequest(Refusal):
    """A request that is not of the door's form."""

    code: ClassVar[str] = "bad-request"


class BadJson(Refusal):
    """A line that is no JSON object."""

    code: ClassVar[str] = "bad-json"


class UnknownState(Refusal):
    """A handle that was never given or has been dropped."""

    code: ClassVar[str] = "unknown-state"


class Limit(Refusal):
    """More than the door takes."""

    code: ClassVar[str] = "limit"


class Held(NamedTuple):
    """A state that a handle stands for, and how it came about."""

    game: AnyGame
    setup: Setup
    state: Any
    before: Held | None
    seat: Seat | None
    action: Any


class Fields:
    """The fields of one request; whatever is missing, unknown or of another kind is refused by its name."""

    def __init__(self, request: Mapping[str, Any]) -> None:
        self.request = request
        self.read = {"id", "do"}

    def get(self, name: str, kind: type | tuple[type, ...], default: Any = ...) -> Any:
        """The field's value, or the default where it may be left out."""
        self.read.add(name)
        if name not in self.request:
            if default is ...:
                raise BadRequest(_say("request.missing", field=name))
            return default
        value = self.request[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise BadRequest(_say("request.kind", field=name))
        return value

    def close(self) -> None:
        """Refuses fields that nobody asked for: a misspelt one must not be passed over."""
        for name in self.request:
            if name not in self.read:
                raise BadRequest(_say("request.unknown", field=brief(name), do=str(self.request["do"])))


class Door:
    """Answers requests; a bad one is refused and changes nothing."""

    def __init__(self) -> None:
        self._held: dict[str, Held] = {}
        self._given = 0
        self._verbs: dict[str, Callable[[Fields], dict[str, Json]]] = {
            "games": self._games,
            "new": self._new,
            "apply": self._apply,
            "view": self._view,
            "text": self._text,
            "play": self._play,
            "record": self._record,
            "drop": self._drop,
        }

    def answer(self, line: bytes) -> str:
        """The answer to one line."""
        number: str | int | None = None
        try:
            request = _parsed(line)
            number = _id(request)
            verb = request.get("do")
            if not isinstance(verb, str) or verb not in self._verbs:
                raise BadRequest(_say("request.verb", known=tuple(self._verbs)))
            answer = self._verbs[verb](Fields(request))
        except Refusal as error:
            return refusal(number, error)
        return json.dumps({"id": number, "ok": True, **answer})

    def _games(self, fields: Fields) -> dict[str, Json]:
        fields.close()
        return {"games": [_described(game) for game in registry.all()]}

    def _new(self, fields: Fields) -> dict[str, Json]:
        name = fields.get("game", str)
        count = fields.get("players", int, None)
        edition = fields.get("edition", str, None)
        options = fields.get("options", dict, {})
        first = fields.get("first", int, 0)
        rules = fields.get("rules", int, None)
        fields.close()
        game = registry.find(name)
        setup = game.agree(count, edition, options, first, rules)
        return self._hold(Held(game, setup, game.initial(setup), None, None, None))

    def _apply(self, fields: Fields) -> dict[str, Json]:
        held = self._state(fields)
        text = fields.get("action", str)
        fields.close()
        pending = held.game.pending(held.state)
        if isinstance(pending, Over):
            raise NotPending(_say("turn.over"))
        action = held.game.read(held.state, text)
        after = held.game.apply(held.state, action)
        seat = pending.seat if isinstance(pending, Decision) else None
        return self._hold(Held(held.game, held.setup, after, held, seat, action))

    def _view(self, fields: Fields) -> dict[str, Json]:
        held = self._state(fields)
        viewer = _viewer(fields, held)
        fields.close()
        return {"view": to_json(held.game.observe(held.state, viewer))}

    def _text(self, fields: Fields) -> dict[str, Json]:
        held = self._state(fields)
        viewer = _viewer(fields, held)
        language = fields.get("language", str, "en")
        fields.close()
        if language not in LANGUAGES:
            raise BadRequest(_say("language.unknown", known=LANGUAGES, given=brief(language)))
        audience = Audience(seat_names(held.setup.players, language), viewer)
        said = registry.speech(held.game).position(held.game.observe(held.state, viewer), audience)
        return {"text": "\n".join(format_messages(said, language))}

    def _play(self, fields: Fields) -> dict[str, Json]:
        held = self._state(fields)
        name = fields.get("player", str)
        seed = fields.get("seed", int, 0)
        fields.close()
        if seed < 0:
            raise BadRequest(_say("seed.negative", given=brief(seed)))
        maker = players.maker(name, held.game, players.Asker.DOOR)
        pending = held.game.pending(held.state)
        if not isinstance(pending, Decision):
            raise NotPending(_say("turn.over" if isinstance(pending, Over) else "turn.chance"))
        seen = Seen(held.game.observe(held.state, pending.seat), pending.actions, _heard(held, pending.seat))
        try:
            action = players.seated(maker, seed).choose(seen, Clock())
        except PlayerFailed as error:  # the door's codes are a closed list
            raise BadRequest(error.message) from None
        return {"action": held.game.write(held.state, action)}

    def _record(self, fields: Fields) -> dict[str, Json]:
        held = self._state(fields)
        fields.close()
        moves = [Move(step.seat, held.game.write(before, step.action)) for before, step in _steps(held)]
        pending = held.game.pending(held.state)
        over = pending.outcome if isinstance(pending, Over) else None
        record = replace(
            begin(held.game, held.setup),
            entries=tuple(moves),
            result=over and over.scores,
            ending=over and over.ending,
        )
        return {"record": write(Record((record,)))}

    def _drop(self, fields: Fields) -> dict[str, Json]:
        self._state(fields)
        fields.close()
        del self._held[fields.request["state"]]
        return {}

    def _state(self, fields: Fields) -> Held:
        handle = fields.get("state", str)
        if handle not in self._held:
            raise UnknownState(_say("state.unknown", given=brief(handle)))
        return self._held[handle]

    def _hold(self, held: Held) -> dict[str, Json]:
        if len(self._held) >= MOST_HANDLES:
            raise Limit(_say("limit.handles", most=MOST_HANDLES))
        self._given += 1
        handle = f"s{self._given}"
        self._held[handle] = held
        return {"state": handle, "pending": _pending(held.game, held.state)}


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise BadJson(_say("json.bad")) from None
    if not isinstance(request, dict):
        raise BadJson(_say("json.object"))
    return request


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _id(request: Mapping[str, Any]) -> str | int | None:
    number = request.get("id")
    if isinstance(number, bool) or not isinstance(number, str | int | None):
        raise BadRequest(_say("request.id"))
    return number


def refusal(number: str | int | None, error: Refusal) -> str:
    """A refusal as the door says it."""
    said: dict[str, Json] = {"code": error.code, "message": format_message(error.message, "en")}
    if error.rule:
        said["rule"] = error.rule
    return json.dumps({"id": number, "ok": False, "error": said})


def _described(game: AnyGame) -> Json:
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


def _viewer(fields: Fields, held: Held) -> Viewer:
    viewer: int | None = fields.get("viewer", (int, type(None)))
    if viewer is not None and not 0 <= viewer < held.setup.players:
        raise BadRequest(_say("request.viewer", last=held.setup.players - 1))
    return None if viewer is None else Seat(viewer)


def _steps(held: Held) -> Iterator[tuple[Any, Held]]:
    """Every step from the beginning to the held state, each with the state before it."""
    path: list[Held] = []
    at: Held | None = held
    while at is not None:
        path.append(at)
        at = at.before
    path.reverse()
    return ((step.before.state, step) for step in path if step.before is not None)


def _heard(held: Held, viewer: Viewer) -> list[Heard]:
    return [Heard(step.seat, held.game.witness(before, step.action, viewer)) for before, step in _steps(held)]


def serve(source: IO[bytes], sink: IO[str]) -> None:
    """Answers every line of the source until it ends."""
    door = Door()
    for line in _lines(source):
        said = door.answer(line) if line is not None else refusal(None, Limit(_say("limit.line", most=LONGEST_LINE)))
        sink.write(said + "\n")
        sink.flush()


def _lines(source: IO[bytes]) -> Iterator[bytes | None]:
    """The lines that are not blank; None for one that is too long, which is read over and never held whole."""
    while line := source.readline(LONGEST_LINE + 2):
        whole = line.endswith(b"\n") or len(line) < LONGEST_LINE + 2
        if whole and len(line.rstrip(b"\r\n")) <= LONGEST_LINE:
            if line.strip():
                yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(LONGEST_LINE)
        yield None
