"""Hints of Turmbauer: every kind of reason once, and what they say of heights and firmness checked again."""

from __future__ import annotations

import re
from random import Random

import pytest

from spieltisch.core.game import Chance, Decision, Over
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import height
from spieltisch.games.turmbauer.building.choices import built_at, reach
from spieltisch.games.turmbauer.physics.stability import stability_of
from spieltisch.games.turmbauer.speech import SPEECH
from spieltisch.games.turmbauer.state import Move, Pick, Place, State, Stay, colour_of
from spieltisch.games.turmbauer.tests.positions import FLAT, choices, hint, moving, new, placing, play, position
from spieltisch.i18n.format import LANGUAGES

STEPS = "B 1n@0,0,1 | B 2d@1,1,1;1,1,2 | G 1c@1,0,1"  # natural 2, blue 3, green 2, natural 1


def why(state: State, text: str) -> str | None:
    """The reason alone."""
    return hint(state, text)[1]


def test_proposals_use_the_words_of_the_log():
    stone = position("", "", "3+2")
    assert hint(stone, "3i")[0] == "build the red bar of three"
    assert hint(stone, "a6r")[0] == "spend a ring, free choice: build the red plate of six"
    place = placing("2d", FLAT)
    on_top = next(text for text in choices(place) if ",2;" in text)
    assert hint(place, on_top)[0].startswith("build the red domino on the ")
    assert hint(place, on_top)[0].endswith("up to height 3")
    pawn = moving(STEPS, "R:0,0,2")
    assert hint(pawn, ">table")[0] == "climb down to the table"
    assert hint(pawn, ">0,1,1")[0] == "climb down to height 1"
    assert hint(pawn, ".")[0] == "leave the red pawn where it is"


def test_a_climb_above_all_others_and_one_that_is_as_high_as_can_be():
    lonely = moving("R 2d@0,0,1;1,0,1", "R:table")
    assert hint(lonely, ">0,0,2")[0] == "climb up to height 2"
    assert why(lonely, ">0,0,2") == "Then the red pawn stands higher than all the others."
    level = moving(STEPS, "R:table B:1,1,3", rings="R:0")
    assert why(level, ">0,0,2") == "No place within reach is higher."
    assert why(level, ">0,1,1") is None


def test_a_pawn_that_stays_as_high_as_it_can_be():
    state = moving(STEPS, "R:0,0,2 B:1,1,3", rings="R:0")
    assert why(state, ".") == "No place within reach is higher."
    assert why(moving(STEPS, "R:0,1,1 B:1,1,3", rings="R:0"), ".") is None


def test_a_ring_and_what_would_need_one():
    state = moving(STEPS, "R:0,0,2")
    by_ring = next(text for text in choices(state) if text in ("b>1,1,3", "c>1,1,3"))
    assert hint(state, by_ring)[0].startswith("spend a ring, ")
    assert why(state, by_ring) == "Without a ring, the pawn does not get this high."
    assert why(state, ".") == "Only a ring would lead any higher."


def test_a_stone_and_its_place():
    state = position("", "R:table", "3+3", in_round=1)
    assert why(state, "3i") == "With it, your pawn can climb to height 2."
    chosen = play(state, "3i")
    said = {why(chosen, text) for text in choices(chosen)}
    assert "Your pawn can then climb to height 2, and the stone stands firmly." in said
    assert "The stone stands firmly there." in said


def test_a_stone_that_is_the_only_one_for_the_dice():
    state = position("", "R:0,0,1", "6+5", stocks={"R": "6r 1n"}, rings="R:1", in_round=3)
    assert why(state, "6r") in (
        "No other stone can be built with these dice.",
        "With it, your pawn can climb to height 2.",
    )
    assert "Only" not in (why(state, "a1n") or "")


def test_the_smallest_stone_goes_into_the_box():
    state = position("", "", "1+1", stocks={"R": "6r 2d"})._replace(roll=(3, 4))
    small, large = "box 2d", "box 6r"
    assert hint(state, small)[0] == "put the red domino into the box"
    assert why(state, small) == "It has the fewest cubes, and a tie is won with fewer cubes in the box."
    assert why(state, large) is None


@pytest.mark.parametrize("seed", range(2))
def test_what_reasons_say_is_true(seed):
    """In random games: of heights in reach, of firmness, of others' heights."""
    dice, game = Random(seed), GAME.for_simulation
    state, found = new(3 + seed % 2), set()
    while not isinstance(pending := game.pending(state), Over):
        if isinstance(pending, Decision):
            for action in dice.sample(pending.actions, min(3, len(pending.actions))):
                found.add(check(state, action, pending))
        weights = pending.weights if isinstance(pending, Chance) else None
        state = game.apply(state, dice.choices(pending.actions, weights)[0])
    assert found >= {"why.pick", "why.firm", "why.climb_firm", "why.above", "why.highest"}


def check(state: State, action: Pick | Place | Move | Stay, pending: Decision) -> str | None:
    """The key of the reason, after checking its facts."""
    reason = SPEECH.hint_reason(GAME.observe(state, pending.seat), action, pending.actions)
    if reason is None:
        return None
    said, own = dict(reason.arguments), colour_of(state)
    if isinstance(action, Place):
        after = state._replace(tower=built_at(state, action.cells))
        assert stability_of(after.tower).word == "firm" or reason.key in ("why.climb", "why.blocks")
        if reason.key.startswith("why.climb"):
            assert said["height"] == max(map(height, reach(after))) > max(map(height, reach(state)))
    elif isinstance(action, Pick) and reason.key == "why.pick":
        assert said["height"] > max(map(height, reach(state)))
    elif isinstance(action, Move) and reason.key == "why.above":
        others = [height(pawn) for colour, pawn in enumerate(state.pawns) if colour != own]
        assert height(action.field) > max(others)
    elif reason.key == "why.highest":
        top = height(action.field) if isinstance(action, Move) else height(state.pawns[own])
        assert top == max(map(height, reach(state)))
    return reason.key


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_can_be_said_in_every_language(language):
    state = moving(STEPS, "R:0,0,2")
    for text in choices(state):
        proposal, reason = hint(state, text, language)
        assert not re.search(r"[{}#]|  ", proposal + (reason or ""))
