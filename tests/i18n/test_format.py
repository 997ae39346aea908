"""The message formatter: placeholders, phrases, plurals, lists, languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from babel import Locale
from babel.lists import format_list
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch.i18n import format as formatter
from spieltisch.i18n.format import (
    LANGUAGES,
    BadSentence,
    format_message,
    join_list,
    parse,
    placeholders,
    plural,
    preferred_language,
)
from spieltisch.i18n.message import Audience, Message, message_factory

VECTORS = json.loads((Path(__file__).parent / "vectors" / "sentences.json").read_text())


def fill(text: str, language: str = "en", **arguments) -> str:
    return formatter._fill(parse(text), arguments, language, "test")


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["about"])
def test_a_vector_gives_its_sentence(vector):
    assert fill(vector["pattern"], vector["language"], **vector["arguments"]) == vector["sentence"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{name", "is not closed"),
        ("name}", "unmatched closing brace"),
        ("{}", "malformed placeholder"),
        ("{Name}", "malformed placeholder"),
        ("{n, plural, one {a}}", "has no case other"),
        ("{n, plural, one}", "has no text"),
        ("{n, plural, one {a} other", "malformed text after|has no text"),
        ("{n, plural, one {a", "is not closed"),
        ("{n, ordinal, other {a}}", "malformed placeholder"),
    ],
)
def test_a_malformed_sentence_is_refused_with_the_reason(text, problem):
    with pytest.raises(BadSentence, match=problem):
        parse(text)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(st.text(alphabet="ab{}#,: =1pluralotherselect"))
def test_any_text_is_parsed_or_refused(text):
    try:
        parse(text)
    except BadSentence:
        return


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_are_those_of_cldr(language):
    for number in [*range(130), 999, 1000, 1_000_001]:
        category = Locale(language).plural_form(number)
        assert plural(language, number) == {"many": "other"}.get(category, category)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [["Ada"], ["Ada", "Bo"], ["Ada", "Bo", "Hans"]])
def test_lists_are_those_of_cldr(language, names):
    locale = "en_GB" if language == "en" else language
    assert join_list(language, names) == format_list(names, locale=locale)


def test_spanish_says_e_before_an_i():
    assert join_list("es", ["Ada", "Ibo"]) == "Ada e Ibo"
    assert join_list("es", ["Ada", "Hilde"]) == "Ada e Hilde"
    assert join_list("es", ["Ada", "Hierro"]) == "Ada y Hierro"
    assert join_list("es", []) == ""


def test_a_missing_argument_is_named():
    with pytest.raises(BadSentence, match="needs the argument name"):
        fill("{name} wins.")


def test_an_unknown_key_is_named():
    with pytest.raises(BadSentence, match="no catalogue of the shell has no.such.key"):
        format_message(Message("", "no.such.key"), "de")


def test_a_phrase_without_the_form_is_named():
    with pytest.raises(BadSentence, match="pebble.R has no form"):
        format_message(message_factory("template")("pebble.R"), "en")


def test_a_missing_entry_falls_back_to_english(monkeypatch):
    real = formatter.catalogue
    monkeypatch.setattr(
        formatter, "catalogue", lambda scope, language: {} if language == "nl" else real(scope, language)
    )
    assert format_message(message_factory("")("wins.you"), "nl") == "You win."


def test_the_listener_is_addressed_and_others_are_named():
    say, audience = message_factory(""), Audience(["Ada", "Ibo", "Hans"], 1)
    assert format_message(audience(say, "wins", 1), "en") == "You win."
    assert format_message(audience(say, "wins", 0), "en") == "Ada wins."
    assert format_message(audience.together(say, "wins", [0, 2]), "en") == "Ada and Hans share the victory."
    assert format_message(audience.together(say, "wins", [1]), "en") == "You win."


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "sv_SE", "SPIELTISCH_LANGUAGE": "nl"}, "nl"),
        ({"LC_ALL": "fr_FR", "LANG": "de"}, "fr"),
    ],
)
def test_the_environment_chooses_the_language(environment, language):
    assert preferred_language(environment) == language


def test_placeholders_are_found_inside_cases():
    found = {
        (placeholder.name, placeholder.form)
        for placeholder in placeholders(parse("{n, plural, one {{disc:a}} other {# {who}}}"))
    }
    assert found == {("n", None), ("disc", "a"), ("who", None)}


@pytest.mark.parametrize("name", ["\u202eAda", "שלום", "\u2067x", "Ada\u2069"])
def test_a_right_to_left_name_does_not_change_the_direction_of_the_sentence(name):
    said = Audience([name, "Ibo"])(message_factory(""), "place", 0)
    assert dict(said.arguments) == {"name": f"\u2068{name}\u2069"}
    assert dict(Audience([name, "Ibo"])(message_factory(""), "place", 1).arguments) == {"name": "Ibo"}
