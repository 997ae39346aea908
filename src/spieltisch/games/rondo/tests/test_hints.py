"""Hints of Rondo: every kind of reason once, and each checked against all chains that the rack allows."""

from __future__ import annotations

import re
from random import Random

import pytest

from spieltisch.core.game import Decision, Over
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.chains import list_chains
from spieltisch.games.rondo.speech import SPEECH
from spieltisch.games.rondo.state import Lay, State
from spieltisch.games.rondo.tests.positions import covered, dealt, hint, play, position
from spieltisch.i18n.format import LANGUAGES


def why(state: State, text: str) -> str | None:
    """The reason alone."""
    return hint(state, text)[1]


def test_a_proposal_names_the_value_and_the_part_of_the_wheel():
    state = position("AN:B AE:P K13:r O26:G", ("GRBB", ""))
    assert hint(state, "I0:G")[0] == "lay a green stone on a field worth 1 on the inner ring: one point"
    assert hint(state, "I4:BB")[0] == "lay 2 blue stones on a field worth 1 on the inner ring: 2 points"
    assert hint(state, "AS:r")[0] == "lay a red stone face down on a field worth 2 on an arm: a bridge"
    assert hint(state, "O27:g")[0] == "lay a green stone face down on a field worth 2 on the outer ring: a bridge"


def test_a_turn_that_no_other_turn_beats():
    state = position("I0:G", ("RR", ""))
    assert why(state, "I1:RR") == "With your stones, no turn brings more than 8 points."
    assert why(state, "I1:R") is None


def test_a_lay_that_begins_the_best_chain_and_one_that_continues_it():
    state = position("I0:G", ("RPP", ""))
    assert why(state, "I1:R") == "This way the chain can bring 12 points, the most that your stones allow."
    assert why(play(state, "I1:R"), "I2:PP") == why(state, "I1:R")


def test_a_bridge_to_the_best_chain():
    state = position("I0:G", ("YPP", ""), scores=(0, 0))
    assert why(state, "I1:y") == "The bridge leads to a chain of 8 points, the most that your stones allow."


def test_a_field_that_brings_most_at_once():
    state = position("I0:G", ("RPP", ""))  # 12 points with red first, 11 with purple first
    assert why(state, "I15:PP") == "No field within reach brings more at once: 8 points."
    assert why(state, "I15:P") is None


def test_a_bridge_that_opens_the_way():
    state = position("AN:B", ("P", ""))
    assert why(state, "I0:p") == "It opens the way to a field worth 4, more than any that is open now."


def test_the_last_grey_field_is_covered_in_the_lead():
    state = position(covered("O0"), ("Y", ""), scores=(50, 40))
    ahead = "That covers the last grey field, and you go into the closing round in the lead."
    assert why(state, "O0:Y") == ahead
    assert why(state._replace(scores=(30, 40)), "O0:Y") == "With your stones, no turn brings more than 5 points."
    assert why(position(covered("O0", "O4"), ("Y", ""), scores=(50, 40)), "O0:Y") != ahead


def test_passing_draws_stones():
    state = position("", ("BY", ""))
    assert why(state, "pass") == "With your stones, a chain brings at most 2 points now."
    assert why(position("I0:G", ("B", ""), bag="R"), "pass") is not None
    assert why(position("I0:G", ("B", ""), bag=""), "pass") is None  # nothing is drawn


def test_ending_a_chain():
    state = position("AN:B I0:G", ("Y", ""), last="I0")
    assert why(state, ".") == "With the stones you have left, the chain brings no more points."
    richer = position("AN:B I0:G", ("PP", ""), last="I0")
    assert why(richer, ".") == "You keep 2 stones for the next turn."
    assert why(richer._replace(cause="bag"), ".") is None  # there is no next turn


def test_nobody_gives_reasons_from_a_rack_that_is_concealed():
    assert hint(position("I0:G", ("RR", "")), "I1:RR", viewer=1)[1] is None


@pytest.mark.parametrize("seed", range(4))
def test_what_a_reason_says_of_points_is_true_of_all_chains(seed):
    state, dice = dealt(seed, 2 + seed % 3), Random(seed)
    while not isinstance(pending := GAME.pending(state), Over):
        if isinstance(pending, Decision):
            _check_points(state, pending)
        state = GAME.apply(state, dice.choice(pending.actions))


def _check_points(state: State, pending: Decision) -> None:
    chains = list_chains(state)
    best = state.gained + max((points for _, points, *_ in chains), default=0)
    for action in pending.actions:
        reason = SPEECH.hint_reason(GAME.observe(state, pending.seat), action, pending.actions)
        said = dict(reason.arguments) if reason else {}
        if reason and reason.key in ("why.most", "why.chain", "why.bridge"):
            assert said["points"] == best
            assert best == state.gained + max(points for chain, points, *_ in chains if chain[0] == action)
        elif reason and reason.key == "why.highest":
            assert said["points"] == max(points for chain, points, *_ in chains if len(chain) == 1)
        elif reason and reason.key == "why.pass":
            assert said["points"] == best
        elif reason and reason.key == "why.end":
            assert best == state.gained
        assert reason is None or "points" not in said or isinstance(action, Lay) or reason.key == "why.pass"


@pytest.mark.parametrize("language", LANGUAGES)
def test_hints_can_be_said_in_every_language(language):
    state = position("I0:G", ("YPP", ""))
    for text in ("I1:y", "AE:PP", "pass"):
        proposal, reason = hint(state, text, language)
        assert not re.search(r"[{}#]|  ", proposal + (reason or ""))
