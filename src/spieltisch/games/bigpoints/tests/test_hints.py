"""Hints of Big Points: every kind of reason once, in a position where it is true, and where it no longer is."""

from __future__ import annotations

import re

import pytest

from spieltisch.games.bigpoints.state import State
from spieltisch.games.bigpoints.tests.positions import hint, position
from spieltisch.i18n.format import LANGUAGES


def why(state: State, text: str) -> str | None:
    """The reason alone."""
    return hint(state, text)[1]


def test_a_proposal_names_pieces_and_no_numbers_of_discs():
    state = position("r w b g r w", hands=("", ""))
    assert hint(state, "b-")[0] == "move the blue pawn, take the white disc behind"
    assert hint(state, "b+")[0] == "move the blue pawn, take the green disc ahead"
    back = position("w r w r w b", "r4", hands=("k", ""), extra=True)
    assert hint(back, "*r<-")[0] == "hand in a black disc: move the red pawn backward, take the white disc behind"


def test_the_last_disc_of_a_colour():
    assert why(position("r b w g y r b"), "b+") == "After that, no white disc is left on the track."
    assert why(position("r b w g y r w"), "b+").startswith("In the end it counts")


def test_the_last_disc_of_a_colour_that_counts_nothing_is_no_reason():
    zero = position("g b r g g", stairs="b", humble=True)  # blue stands on step 0
    assert "blue" not in (why(zero, "r-") or "")


def test_a_black_disc():
    state = position("b k g y r k")
    assert why(state, "b+") == "You can hand it in for an extra move later."


def test_a_white_disc_counts_by_the_other_colours_in_the_hand():
    state = position("b w g y r w", hands=("rrgk", ""))
    assert why(state, "b+") == "It counts 3 points now, one for every other colour you hold."
    few = position("b w g y r w", hands=("r", "rgy"))
    assert why(few, "b+") == "In the end it counts one point for every other colour you hold."


def test_the_black_disc_that_is_handed_in_counts_no_longer():
    state = position("b w g y r w", hands=("rgk", ""), extra=True)
    assert why(state, "*b+") == "It counts 2 points now, one for every other colour you hold."


def test_a_disc_whose_pawn_is_on_the_staircase():
    state = position("b r g y r y g", stairs="r")
    assert why(state, "b+") == "The red pawn already stands on step 4: 4 points for sure."


def test_a_new_colour_for_the_white_discs():
    state = position("b r g y r y g", hands=("wwb", ""))
    assert why(state, "b+") == "A new colour in your hand: your 2 white discs each count one point more."
    assert why(position("b r g y r y g", hands=("wwr", "")), "b+") != why(state, "b+")


def test_the_pawn_that_is_ahead_of_all_others():
    state = position("b r g y r y g", "r5", hands=("", ""))
    assert why(state, "b+") == "The red pawn is in front, and step 4 is the next to be taken."
    assert why(position("b r g y r y g y", "r5 y6"), "b+") is None
    humble = position("b r g y r y g", "r5", humble=True)
    assert why(humble, "b+") is None


def test_most_of_a_colour():
    state = position("b r g y r y g y", "y6", hands=("rrgg", ""))
    assert why(state, "b+") == "Then you hold 3 red discs, more than of any other pawn’s colour."
    assert "more than" not in (why(position("b r g y r y g y", "y6", hands=("rggg", "")), "b+") or "")


def test_a_pawn_that_comes_closer_to_the_staircase():
    state = position("b r g y r y g y", "y6", hands=("rbbbb", ""))
    assert why(state, "b+") == "You hold 4 blue discs, and the blue pawn comes closer to the staircase."


def test_a_pawn_that_climbs():
    state = position("g g w", "r3", stairs="b", hands=("rr", ""))
    proposal, reason = hint(state, "r^")
    assert proposal == "move the red pawn onto step 3, receive the red disc"
    assert reason == "Then 3 red discs in your hand are sure to count 3 points each."
    assert why(position("g g w", "r3", stairs="b"), "r^") is None
    assert why(position("g g w", "r3", stairs="bygp", hands=("rr", "")), "r^") == "Nothing else is possible here."


def test_declining_keeps_the_black_disc():
    assert hint(position("b w g", hands=("k", ""), extra=True), ".") == (
        "no extra move",
        "The black disc stays in your hand for later.",
    )


def test_nobody_gives_reasons_from_a_hand_that_is_concealed():
    state = position("b w g y r w", hands=("rrgk", ""))
    assert hint(state, "b+", viewer=1)[1] is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_can_be_said_in_every_language(language):
    state = position("b r g y r y g", hands=("wwbk", ""))
    proposal, reason = hint(state, "b+", language=language)
    assert reason is not None
    assert reason.endswith(".")
    assert not re.search(r"[{}#]|  ", proposal + reason)
