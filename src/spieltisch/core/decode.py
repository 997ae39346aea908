"""Decoder of the JSON form of a type: `from_json` is the inverse of `to_json`, and names the place of what does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from spieltisch.core.json import Json, to_json


class BadValue(ValueError):
    """A value that does not fit its type; `place` leads to it, such as `view.hands.0.size`."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


def from_json(kind: Any, value: Json, place: str) -> Any:
    """The value of that type whose JSON form is given; BadValue names the place of what does not fit."""
    if isinstance(kind, NewType):
        return from_json(kind.__supertype__, value, place)
    if type(kind).__name__ == "TypeAliasType":  # the statement `type Name = …`, from Python 3.12 on
        return from_json(kind.__value__, value, place)
    if get_origin(kind) is not None:
        return _generic(kind, value, place)
    if kind is None or kind is NoneType:
        return _checked(value is None, value, place)
    if issubclass(kind, Enum):
        return _member(kind, value, place)
    if kind is float:
        return float(_checked(isinstance(value, int | float) and not isinstance(value, bool), value, place))
    if kind in (bool, int, str):
        return _checked(type(value) is kind, value, place)
    return _record(kind, value, place)


def _checked(fits: bool, value: Any, place: str) -> Any:
    if not fits:
        raise BadValue(place)
    return value


def _generic(kind: Any, value: Json, place: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return from_json(arguments[0], value, place)
    if origin in (Union, UnionType):
        return _union(arguments, value, place)
    if origin is Literal:
        return _checked(any(value == to_json(each) for each in arguments), value, place)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        found = _checked(isinstance(value, dict), value, place)
        return {name: from_json(arguments[1], item, f"{place}.{name}") for name, item in found.items()}
    items: Sequence[Json] = _checked(isinstance(value, list), value, place)
    if origin is tuple and arguments[1:] != (Ellipsis,):
        _checked(len(items) == len(arguments), value, place)
        kinds: Sequence[Any] = arguments
    else:
        kinds = [arguments[0]] * len(items)
    decoded = [from_json(kind, item, f"{place}.{n}") for n, (kind, item) in enumerate(zip(kinds, items, strict=True))]
    return tuple(decoded) if origin is tuple else decoded


def _union(kinds: Sequence[Any], value: Json, place: str) -> Any:
    errors: list[BadValue] = []
    for kind in kinds:
        try:
            return from_json(kind, value, place)
        except BadValue as error:
            errors.append(error)
    raise max(errors, key=lambda error: len(error.place))  # the kind that fits best


def _member(kind: type[Enum], value: Json, place: str) -> Enum:
    for member in kind:
        if to_json(member) == value and type(to_json(member)) is type(value):
            return member
    raise BadValue(place)


def _record(kind: Any, value: Json, place: str) -> Any:
    """A named tuple or a dataclass, with exactly its fields."""
    given: Mapping[str, Json] = _checked(isinstance(value, dict), value, place)
    names: Sequence[str] = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields
    make: Any = kind
    hints = get_type_hints(kind)
    for name in (*names, *given):
        if name not in given or name not in names:
            raise BadValue(f"{place}.{name}")
    return make(**{name: from_json(hints[name], given[name], f"{place}.{name}") for name in names})
