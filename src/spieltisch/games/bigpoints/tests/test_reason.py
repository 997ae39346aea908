"""Why a game of Big Points was won, in sentences."""

from __future__ import annotations

import re

import pytest

from spieltisch.games.bigpoints import GAME
from spieltisch.games.bigpoints.reason import Decisive, find_decisive
from spieltisch.games.bigpoints.speech import SPEECH
from spieltisch.games.bigpoints.tests.positions import position
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import Audience


def ended(*hands: str):
    """The view of a game whose staircase holds red, yellow, purple, blue and green, from 4 to 0."""
    return GAME.observe(position("w", stairs="rypbg", hands=hands), None)


def said(*hands: str, language: str = "en") -> list[str]:
    messages = SPEECH.reason(ended(*hands), (), Audience(["Ada", "Ibo", "Kim"][: len(hands)]))
    return [format_message(message, language) for message in messages]


def test_the_colour_with_the_largest_lead_over_the_second_decided():
    assert find_decisive(ended("rrrrr", "rbb")) == Decisive("r", 5, 4, alone=True)
    assert said("rrrrr", "rbb") == ["What made the difference: 5 red discs worth 4 points each."]


def test_a_lead_that_is_smaller_than_the_margin_is_said_to_help_most():
    assert find_decisive(ended("rryy", "b")) == Decisive("r", 2, 4, alone=False)
    assert said("rryy", "b") == ["The lead came mainly from 2 red discs worth 4 points each."]


def test_a_white_disc_counts_by_the_other_colours_of_its_hand():
    assert find_decisive(ended("wwrbg", "ryy")) == Decisive("w", 2, 3, alone=True)


def test_the_second_is_the_best_of_the_others():
    assert find_decisive(ended("b", "rrr", "rry")) == Decisive("r", 3, 4, alone=True)


def test_a_single_disc_has_a_sentence_of_its_own():
    assert said("r", "y") == ["What made the difference: a red disc worth 4 points."]


def test_a_shared_victory_has_no_reason():
    assert said("rr", "rr", "b") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reason_can_be_said_in_every_language(language):
    for hands in (("rrrrr", "rbb"), ("rryy", "b"), ("r", "y"), ("ry", "")):
        (sentence,) = said(*hands, language=language)
        assert sentence.endswith(".")
        assert not re.search(r"[{}#]|  ", sentence), sentence
