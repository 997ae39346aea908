"""The decoder of JSON forms: the inverse of `to_json`, with the place of what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal, NamedTuple, NewType

import pytest

from spieltisch import registry
from spieltisch.core.decode import BadValue, from_json
from spieltisch.core.json import to_json
from tests.support.matches import GAMES, NAMES, new_referee


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Stone(NamedTuple):
    colour: Colour
    weight: float


@dataclass
class Box:
    stones: tuple[Stone, ...]
    label: str | None


Number = NewType("Number", int)
FITTING = [
    (Number, 3),
    (Annotated[int, "small"], 3),
    (Literal["a", 1], "a"),
    (tuple[int, str], (1, "x")),
    (list[bool], [True]),
    (Mapping[str, int], {"a": 1}),
    (Box, Box((Stone(Colour.RED, 1.5),), None)),
    (Box, Box((), "empty")),
    (int | None, None),
]


@pytest.mark.parametrize(("kind", "value"), FITTING)
def test_what_was_encoded_is_decoded(kind, value):
    assert from_json(kind, to_json(value), "it") == value


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_every_view_is_decoded(game):
    referee = new_referee(game)
    for viewer in (0, 1, None):
        referee.settle()
        view = referee.view(viewer)
        assert from_json(registry.view_type(game), to_json(view), "view") == view


@pytest.mark.parametrize(
    ("kind", "value", "place"),
    [
        (int, True, "it"),
        (int, 1.0, "it"),
        (float, "1", "it"),
        (str, None, "it"),
        (None, 0, "it"),
        (Colour, "green", "it"),
        (Literal["a"], "b", "it"),
        (tuple[int, str], [1], "it"),
        (tuple[int, ...], [1, "x"], "it.1"),
        (tuple[int, ...], 1, "it"),
        (Mapping[str, int], {"a": "b"}, "it.a"),
        (Mapping[str, int], [], "it"),
        (Stone, {"colour": "red"}, "it.weight"),
        (Stone, {"colour": "red", "weight": 1, "size": 2}, "it.size"),
        (Stone, ["red", 1], "it"),
        (Box, {"stones": [{"colour": "red", "weight": None}], "label": ""}, "it.stones.0.weight"),
        (Stone | None, {"colour": 1, "weight": 1}, "it.colour"),
    ],
)
def test_what_does_not_fit_is_named_by_its_place(kind, value, place):
    with pytest.raises(BadValue) as caught:
        from_json(kind, value, "it")
    assert caught.value.place == place
