"""JSON form of views and of everything else that leaves Python: the same for the engine, the API and bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def to_json(value: object) -> Json:
    """The value as JSON types: records become objects, sequences lists, enums their values; TypeError for others."""
    match value:
        case Enum():
            return to_json(value.value)
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(key): to_json(item) for key, item in value.items()}
        case tuple() if hasattr(value, "_asdict"):
            return to_json(value._asdict())  # pyright: ignore[reportAttributeAccessIssue]
        case tuple() | list():
            return [to_json(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")
