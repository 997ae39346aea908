"""The JSON form of views and everything else that leaves Python: the same at the door, on the wire and for bots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def plain(value: object) -> Json:
    """The value in JSON's own types: records by field name, sequences as lists, enums by their value."""
    match value:
        case Enum():
            return plain(value.value)
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(key): plain(item) for key, item in value.items()}
        case tuple() if hasattr(value, "_asdict"):
            return plain(value._asdict())  # pyright: ignore[reportAttributeAccessIssue]
        case tuple() | list():
            return [plain(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")
