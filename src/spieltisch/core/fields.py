"""Constraints of fields: what a request or a response may hold, declared in the standard library alone.

A dataclass whose fields are annotated with constraints is a request model as it stands: pydantic asks a constraint for its
part of the validation and of the JSON schema by name, so nothing here imports it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

CLOSED: Final[Mapping[str, str]] = {"extra": "forbid"}  # a model that takes no field but its own


@dataclass(frozen=True, slots=True)
class Field:
    """Constraints and description of one field."""

    description: str = ""
    examples: tuple[Any, ...] = ()
    ge: int | None = None
    le: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    strict: bool = False
    check: Callable[[Any], Any] | None = None  # a ValueError says why a value does not fit

    _LIMITS: ClassVar = ("ge", "le", "min_length", "max_length", "pattern")

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        schema = handler(source)
        limits = {name: value for name in self._LIMITS if (value := getattr(self, name)) is not None}
        schema = schema | limits | ({"strict": True} if self.strict else {})
        if self.check is not None:
            function = {"type": "no-info", "function": self.check}
            schema = {"type": "function-after", "function": function, "schema": schema}
        return schema

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        found = handler(schema)
        if self.description:
            found = found | {"description": self.description}
        return found | {"examples": list(self.examples)} if self.examples else found
