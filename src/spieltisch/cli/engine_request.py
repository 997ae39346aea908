"""Requests of the engine protocol: parsing a line, checking fields, and the response to a request that was refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from spieltisch.core.game import Refusal, brief
from spieltisch.core.json import Json
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory

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

    def seed(self) -> int:
        """The optional field `seed`: a whole number from 0."""
        seed: int = self.get("seed", int, 0)
        if seed < 0:
            raise BadRequest(_say("seed.negative", given=brief(seed)))
        return seed

    def close(self) -> None:
        """Refuses every field that `get` was not called for: a misspelt field must not be ignored."""
        for name in self.fields:
            if name not in self._known:
                raise BadRequest(_say("request.unknown", field=brief(name), do=str(self.fields["do"])))


def parse(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; BadJson if there is none."""
    try:
        fields = json.loads(line.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise BadJson(_say("json.bad")) from None
    if not isinstance(fields, dict):
        raise BadJson(_say("json.object"))
    return fields


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def request_id(fields: Mapping[str, Any]) -> str | int | None:
    """The id of a request; BadRequest if it is neither a number nor a text."""
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
