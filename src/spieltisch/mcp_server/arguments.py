"""Arguments of the tools: types with limits and descriptions, and refusals for arguments that do not fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BeforeValidator, Field, JsonValue, StrictBool, StrictInt, StrictStr, ValidationError

from spieltisch.core.game import brief
from spieltisch.i18n.message import Message, message_factory
from spieltisch.mcp_server.errors import BadRequest

_say = message_factory("")
_RANGE_ERRORS: Final = ("greater_than_equal", "less_than_equal", "too_short", "string_too_short")
_LENGTH_ERRORS: Final = ("too_long", "string_too_long")


def _as_list(given: Any) -> Any:
    """A single text as a list, since a turn often has one move only."""
    return [given] if isinstance(given, str) else given


ShortText: TypeAlias = Annotated[StrictStr, Field(max_length=100)]
GameName: TypeAlias = Annotated[StrictStr, Field(max_length=100, description="A game's name, from list_games.")]
Language: TypeAlias = Annotated[
    StrictStr, Field(max_length=10, description="Language of everything you are told: de, en, es, fr, it or nl.")
]
SeatKeyText: TypeAlias = Annotated[
    StrictStr, Field(max_length=100, description="The secret key of your seat, from open_match or join_match.")
]
MatchId: TypeAlias = Annotated[
    StrictStr, Field(max_length=100, description="The id of the match, from whoever opened it.")
]
Seats: TypeAlias = Annotated[
    list[ShortText],
    Field(
        min_length=1,
        max_length=20,
        description='Who plays, in the order of the seats: "you" (you get its key), "open" (another agent joins with '
        'join_match), or a bot from list_games, such as "level:2".',
        examples=[["you", "level:2"]],
    ),
]
Names: TypeAlias = Annotated[
    list[ShortText], Field(max_length=20, description='Names for the seats that are "you", in their order.')
]
Options: TypeAlias = Annotated[
    dict[str, JsonValue], Field(max_length=20, description="Options of the game, by name; see list_games.")
]
FirstSeat: TypeAlias = Annotated[
    StrictInt | None, Field(description="The seat that starts, from 0; drawn if left out.")
]
Practice: TypeAlias = Annotated[
    StrictBool,
    Field(description="Whether the match is for practice: turns can be undone, and chance can follow from a seed."),
]
Seed: TypeAlias = Annotated[
    StrictInt | None,
    Field(
        ge=0, le=2**63, description="Practice only: the same seed gives the same draws. It makes chance predictable."
    ),
]
MoveText: TypeAlias = Annotated[
    StrictStr, Field(max_length=200, description="A move in notation, as list_moves shows it.")
]
MoveTexts: TypeAlias = Annotated[
    list[Annotated[StrictStr, Field(max_length=200)]],
    BeforeValidator(_as_list),
    Field(
        min_length=1,
        max_length=20,
        description="Your move in notation, as list_moves shows it. If a turn has several actions, they can be played "
        "together, in order: all of them or none.",
    ),
]
Version: TypeAlias = Annotated[
    StrictInt | None,
    Field(description="The version of the position you decided on. If it has changed, the move is refused."),
]
Prefix: TypeAlias = Annotated[
    StrictStr, Field(max_length=200, description="Only moves whose notation starts with this text.")
]
Path: TypeAlias = Annotated[
    list[StrictInt],
    Field(max_length=10, description="The numbers of the headings to open, from the outermost to the innermost."),
]
Page: TypeAlias = Annotated[StrictInt, Field(ge=1, le=1000, description="The page of a long list, from 1.")]
Seconds: TypeAlias = Annotated[float, Field(ge=0, le=50, allow_inf_nan=False, description="The longest time to wait.")]
BotName: TypeAlias = Annotated[
    StrictStr, Field(max_length=100, description="The bot to ask, from list_games; level:5 is the strongest.")
]


def check_names(tool: str, given: Iterable[str], known: Collection[str]) -> None:
    """Refuses arguments that the tool does not have: a misspelt one must not be ignored."""
    for name in given:
        if name not in known:
            raise BadRequest(_say("request.unknown", field=brief(name), do=tool))


def refusal_of(error: ValidationError) -> BadRequest:
    """The refusal for arguments that do not fit their types, which names the first one."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = brief(".".join(map(str, first["loc"])))
    return BadRequest(_message(first["type"], field, first.get("ctx", {})))


def _message(kind: str, field: str, context: Mapping[str, Any]) -> Message:
    if kind == "missing":
        return _say("request.missing", field=field)
    if kind in _LENGTH_ERRORS:
        return _say("mcp.too_long", field=field, most=int(context["max_length"]))
    if kind in _RANGE_ERRORS:
        return _say("mcp.out_of_range", field=field)
    return _say("request.kind", field=field)
