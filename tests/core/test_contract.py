"""The parts of the game contract: setups, ranks, documents, refusals, the registry, the JSON form."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch import registry
from spieltisch.core.game import BadSetup, IllegalAction, Seat, Setup, brief, canonical_json, ranking
from spieltisch.core.json import to_json
from spieltisch.i18n.message import message_factory

TEMPLATE = registry.find("template")


def test_a_setup_has_every_option_filled_in():
    assert TEMPLATE.agree() == Setup(2, "standard", (("piles", "concealed"), ("bag", "")), Seat(0), 2)


@pytest.mark.parametrize(
    ("given_", "sentence"),
    [
        ({"players": 1}, "Pebbles is for 2 to 4 players, not for 1."),
        ({"players": 9}, "Pebbles is for 2 to 4 players, not for 9."),
        ({"edition": "1887"}, "Pebbles has no edition “1887”. There are: standard."),
        ({"first": 2}, "The first player is a seat from 0 to 1, not 2."),
        ({"first": -1}, "The first player is a seat from 0 to 1, not -1."),
        ({"rules": 3}, "Pebbles has no version 3 of the rules. There are: 1 and 2."),
        ({"options": {"colour": "red"}}, "Pebbles has no option “colour”. There are: piles and bag."),
        ({"options": {"piles": "shut"}}, "“piles” is one of: concealed and open. It is not “shut”."),
        ({"options": {"piles": 3}}, "“piles” is one of: concealed and open. It is not “3”."),
        ({"options": {"bag": "no json"}}, "“bag” is not a JSON document."),
        ({"options": {"bag": "[" * 100_000}}, "“bag” is not a JSON document."),
        ({"options": {"bag": [1]}}, "“bag” is not a JSON object."),
        ({"options": {"bag": {"\ud800": 1}}}, "“bag” is not a JSON document."),
        ({"options": {"bag": {"R": float("nan")}}}, "“bag” is not a JSON document."),
    ],
)
def test_a_setup_that_does_not_fit_is_refused_by_its_field(given_, sentence):
    with pytest.raises(BadSetup) as caught:
        TEMPLATE.agree(**given_)
    assert str(caught.value) == sentence


def test_a_document_is_stored_in_canonical_form():
    texts = ['{"R":5,"B":5,"G":5}', ' {"G": 5, "B": 5,\n "R": 5}', {"B": 5, "G": 5, "R": 5}]
    assert {TEMPLATE.agree(options={"bag": text}).option("bag") for text in texts} == {'{"B":5,"G":5,"R":5}'}


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [((5, 9, 9, 1), (3, 1, 1, 4)), ((1, 2, 2, 0), (3, 1, 1, 4)), ((7, 7), (1, 1)), ((4, 3, 3, 2), (1, 2, 2, 4))],
)
def test_ties_share_a_rank_and_the_next_rank_skips_them(scores, ranks):
    assert ranking([(score,) for score in scores]) == ranks


@settings(derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.integers(), st.integers()), min_size=1, max_size=6))
def test_a_rank_is_one_more_than_the_number_of_those_ahead(keys):
    assert ranking(keys) == tuple(1 + sum(other > key for other in keys) for key in keys)


def test_a_refusal_is_a_sentence_with_its_rule_and_survives_another_process():
    error = IllegalAction("R5", message_factory("template")("refuse.colour"))
    assert str(error) == "R5: in one turn only one colour is laid."
    again = pickle.loads(pickle.dumps(error))
    assert (again.rule, again.message, again.code) == (error.rule, error.message, "illegal-action")


def test_quoted_input_is_short_and_printable():
    assert brief("x" * 100) == "x" * 59 + "…"
    assert brief("a\x1b[31mb\n") == "a·[31mb·"


def test_the_registry_finds_every_folder_and_loads_its_parts():
    assert [game.name for game in registry.all()] == list(registry.names())
    assert registry.part(TEMPLATE, "nothing_of_the_sort") is None
    assert not TEMPLATE.offered
    assert TEMPLATE not in registry.offered()


def test_an_unknown_game_is_refused_and_the_nearest_is_offered():
    with pytest.raises(registry.UnknownGame, match="Did you mean template?"):
        registry.find("templete")
    with pytest.raises(registry.UnknownGame, match="There are: .*template"):
        registry.find("xyz")


class Point(NamedTuple):
    x: int
    y: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Line:
    ends: tuple[Point, Point]


class Kind(Enum):
    THICK = "thick"


def test_records_become_objects_by_field_name():
    value = {"line": Line((Point(1, (2, 3)), Point(4, ()))), "kind": Kind.THICK, "none": None}
    assert to_json(value) == {
        "line": {"ends": [{"x": 1, "y": [2, 3]}, {"x": 4, "y": []}]},
        "kind": "thick",
        "none": None,
    }


def test_a_value_without_json_form_is_refused():
    with pytest.raises(TypeError, match="set has no JSON form"):
        to_json({1, 2})


def test_every_view_has_a_json_form():
    for game in registry.all():
        state = game.initial(game.agree())
        for viewer in (Seat(0), None):
            assert canonical_json(to_json(game.observe(state, viewer)))
