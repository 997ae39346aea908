"""JSON Schema (draft 2020-12) of a type's JSON form: `json_schema` is to types what `to_json` is to values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from inspect import cleandoc
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    NewType,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from spieltisch.core.json import Json, to_json

Schema: TypeAlias = dict[str, Json]
_SIMPLE: Final = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (NoneType, "null"))


class TypeSchema(NamedTuple):
    """The schema of a type, and the definitions of the named types that it refers to."""

    schema: Schema
    definitions: dict[str, Schema]


def json_schema(kind: Any, prefix: str = "", refs: str = "#/$defs/") -> TypeSchema:
    """The schema of the type's values as `to_json` returns them; TypeError if the type has no JSON form.

    Records and enums become definitions named `prefix` + class name, referred to as `refs` + that name.
    """
    builder = _SchemaBuilder(prefix, refs)
    schema = builder.schema(kind)
    return TypeSchema(schema, {name: builder.definitions[name] for name in sorted(builder.definitions)})


class _SchemaBuilder:
    """Builds schemas, and collects the definitions of named types."""

    def __init__(self, prefix: str, refs: str) -> None:
        self.prefix = prefix
        self.refs = refs
        self.definitions: dict[str, Schema] = {}
        self.defined: dict[str, type] = {}

    def schema(self, kind: Any) -> Schema:
        """The schema of any type."""
        if isinstance(kind, NewType):
            return self.schema(kind.__supertype__)
        if type(kind).__name__ == "TypeAliasType":  # the statement `type Name = …`, from Python 3.12 on
            return self.schema(kind.__value__)
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is not None:
            return self.of_generic(kind, origin, arguments)
        if kind is None:
            return {"type": "null"}
        if isinstance(kind, type):
            return self.of_class(kind)
        raise _no_json_form(kind)

    def of_generic(self, kind: Any, origin: Any, arguments: tuple[Any, ...]) -> Schema:
        """The schema of a generic type."""
        match origin, arguments:
            case _ if origin is Annotated:
                return self.schema(arguments[0])
            case _ if origin in (Union, UnionType):
                return self.of_union(arguments)
            case _ if origin is Literal:
                return _enum([to_json(value) for value in arguments])
            case _, (item, last) if origin is tuple and last is Ellipsis:
                return {"type": "array", "items": self.schema(item)}
            case _ if origin is tuple:
                return self.of_tuple(arguments)
            case _, (item,) if origin in (list, Sequence):
                return {"type": "array", "items": self.schema(item)}
            case _, (key, item) if isinstance(origin, type) and issubclass(origin, Mapping):
                if self.schema(key) != {"type": "string"}:
                    raise TypeError(f"{_name(kind)} has no JSON form: the keys of a JSON object are strings")
                return {"type": "object", "additionalProperties": self.schema(item)}
        raise _no_json_form(kind)

    def of_union(self, kinds: Sequence[Any]) -> Schema:
        found: list[Json] = []
        for schema in map(self.schema, kinds):
            if schema not in found:
                found.append(schema)
        return {"anyOf": found} if len(found) > 1 else self.schema(kinds[0])

    def of_tuple(self, kinds: Sequence[Any]) -> Schema:
        """An array with one item per type."""
        if not kinds:
            return {"type": "array", "maxItems": 0}
        items: list[Json] = [self.schema(kind) for kind in kinds]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items), "maxItems": len(items)}

    def of_class(self, kind: type) -> Schema:
        if issubclass(kind, Enum):
            return self.define(kind, lambda: _enum([to_json(member) for member in kind]))
        for simple, name in _SIMPLE:
            if issubclass(kind, simple):
                return {"type": name}
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            names = kind._fields  # pyright: ignore[reportAttributeAccessIssue]
            return self.define(kind, lambda: self.record(kind, names))
        if is_dataclass(kind):
            return self.define(kind, lambda: self.record(kind, [field.name for field in fields(kind)]))
        raise _no_json_form(kind)

    def define(self, kind: type, make: Callable[[], Schema]) -> Schema:
        """A reference to the type's definition, which is built on first use."""
        name = self.prefix + kind.__name__
        if self.defined.setdefault(name, kind) is not kind:
            modules = f"{self.defined[name].__module__} and {kind.__module__}"
            raise TypeError(f"two types are called {name}, in {modules}: their schemas need different names")
        if name not in self.definitions:
            self.definitions[name] = {}  # the type may refer to itself
            self.definitions[name] = _description(kind) | make()
        return {"$ref": self.refs + name}

    def record(self, kind: type, names: Sequence[str]) -> Schema:
        """An object with exactly these fields."""
        hints = get_type_hints(kind)
        for name in names:
            if name not in hints:
                raise TypeError(f"{kind.__name__} has no JSON form: its field {name} has no type")
        return {
            "type": "object",
            "properties": {name: self.schema(hints[name]) for name in names},
            "required": list(names),
            "additionalProperties": False,
        }


def _enum(values: list[Json]) -> Schema:
    types = {_type_name(value) for value in values}
    schema: Schema = {"enum": values}
    return schema if len(types) > 1 or None in types else {"type": types.pop(), **schema}


def _type_name(value: Json) -> str | None:
    """The JSON Schema type of a simple value; None for others."""
    return next((name for simple, name in _SIMPLE if type(value) is simple), None)


def _description(kind: type) -> Schema:
    """The type's docstring as its description, without the one that Python generates."""
    text = vars(kind).get("__doc__") or ""
    return {} if not text or text.startswith(f"{kind.__name__}(") else {"description": cleandoc(text)}


def _no_json_form(kind: Any) -> TypeError:
    return TypeError(f"{_name(kind)} has no JSON form")


def _name(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)
