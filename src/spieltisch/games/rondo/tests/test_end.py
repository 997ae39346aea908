"""The end of Rondo, R11 and R12: what brings it about, the closing round, ties."""

from __future__ import annotations

import pytest

from spieltisch.core.game import Decision, IllegalAction, Over
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.tests.positions import covered, held, outcome, play, position

GREY = ["O0", "O4", "O8", "O12", "O16", "O20", "O24", "O28"]


def test_r11_the_last_grey_field_triggers_the_end_face_up():
    state = play(position(covered("O0", "O1"), racks=("YY", "P")), "O0:Y")
    assert state.cause == "grey"


def test_r11_the_last_grey_field_triggers_the_end_face_down_and_within_a_chain():
    state = play(position(covered("O0", "O1"), racks=("PBG", "P")), "O0:p")
    assert state.cause == "grey"
    state = play(state, "O1:G")
    assert state.scores[0] == 3
    assert isinstance(GAME.pending(state), Decision)  # the chain goes on, and the turn is ended as always


@pytest.mark.parametrize("grey", GREY)
def test_r11_the_last_but_one_grey_field_triggers_nothing(grey):
    other = GREY[GREY.index(grey) - 1]
    assert play(position(covered(grey, other), racks=("PB", "P")), f"{grey}:p").cause == ""
    assert play(position(covered(grey), racks=("PB", "P")), f"{grey}:p").cause == "grey"


def test_r11_the_player_who_triggers_the_end_still_draws():
    state = play(position(covered("O0"), racks=("Y", "P")), "O0:Y", ".")
    assert state.drawing == 1
    state = play(state, "B")
    assert (held(state), state.seat, state.over) == ("B", 1, False)


def test_r11_the_round_is_finished_so_that_all_have_had_equally_many_turns():
    state = play(position(covered("O0", "O1"), racks=("Y", "PP", "G")), "O0:Y", ".", "B")
    assert state.seat == 1
    state = play(state, "pass", "P", "P")
    assert state.seat == 2
    state = play(state, "O1:G", ".", "B")
    assert outcome(state) == ((5, 0, 3), (1, 3, 2), "grey")


def test_r11_the_end_comes_at_once_when_the_last_of_the_round_triggers_it():
    state = play(position(covered("O0"), racks=("P", "P", "Y"), seat=2), "O0:Y", ".", "B")
    assert outcome(state).scores == (0, 0, 5)


@pytest.mark.parametrize(("first", "seat", "more"), [(1, 1, 2), (1, 2, 1), (1, 0, 0), (2, 0, 1), (2, 2, 2), (2, 1, 0)])
def test_r11_the_last_turn_is_that_of_the_player_before_the_first(first, seat, more):
    racks = tuple("Y" if place == seat else "" for place in range(3))
    state = play(position(covered("O0"), racks=racks, seat=seat, first=first), "O0:Y", ".", "*")
    for _ in range(more):
        assert not state.over
        state = play(state, "pass", "*", "*")
    assert state.over


def test_r11_a_bag_that_cannot_give_what_is_granted_triggers_the_end():
    state = play(position(racks=("P", "PB"), bag="R"), "pass")
    assert (state.cause, state.drawing) == ("bag", 1)
    state = play(state, "R")
    assert (held(state), state.seat, state.over) == ("PR", 1, False)
    state = play(state, "AE:P", ".")
    assert outcome(state) == ((0, 2), (2, 1), "bag")


@pytest.mark.parametrize("texts", [("AE:P", "."), ("pass",)])
def test_r11_an_empty_bag_triggers_the_end_when_somebody_should_draw(texts):
    state = play(position(racks=("PB", "P"), bag=""), *texts)
    assert (state.cause, state.seat, state.drawing) == ("bag", 1, 0)


@pytest.mark.parametrize(
    ("rack", "bag", "texts"),
    [("P", "RG", ("pass", "R", "G")), ("PBYG", "R", ("pass", "R")), ("P", "G", ("AE:P", ".", "G"))],
)
def test_r11_an_exactly_emptied_bag_triggers_nothing(rack, bag, texts):
    state = play(position(racks=(rack, "B"), bag=bag), *texts)
    assert (state.cause, state.bag, state.seat) == ("", 0, 1)


def test_r11_with_five_stones_and_no_open_field_nothing_is_granted_and_an_empty_bag_gives_it():
    state = play(position(covered(), racks=("PBYGR", "P"), bag="", cause="grey"), "pass")
    assert (state.cause, state.seat) == ("grey", 1)


def test_r11_the_first_cause_counts():
    after_grey = play(position(racks=("P", "P"), bag="", cause="grey", seat=1), "pass")
    assert outcome(after_grey).ending == "grey"
    after_bag = play(position(covered("O0"), racks=("Y", "Y"), cause="bag", seat=1, bag=""), "O0:Y", ".")
    assert outcome(after_bag).ending == "bag"
    assert outcome(after_bag).scores == (0, 5)


def test_r11_both_causes_in_one_turn_are_grey():
    state = play(position(covered("O0"), racks=("Y", "Y"), seat=1, bag=""), "O0:y", ".")
    assert outcome(state).ending == "grey"


def test_r11_after_the_end_nothing_happens_any_more():
    state = play(position(racks=("P", "P"), bag="", cause="bag", seat=1), "pass")
    assert isinstance(GAME.pending(state), Over)
    for text in ("pass", ".", "AE:P", "P"):
        with pytest.raises(IllegalAction) as caught:
            play(state, text)
        assert caught.value.rule == "R11"


def ended(racks, scores, seat=1):
    """The last turn of the round passes, with an empty bag."""
    return outcome(play(position(racks=racks, scores=scores, seat=seat, cause="bag", bag=""), "pass"))


def test_r12_most_points_win_however_many_stones_are_left():
    assert ended(("", "PBYG"), (8, 7)) == ((8, 7), (1, 2), "bag")


def test_r12_equal_points_are_decided_by_the_stones_left():
    assert ended(("P", "PB"), (7, 7)).ranks == (2, 1)
    assert ended(("PBY", "PB"), (7, 7)).ranks == (1, 2)


def test_r12_the_last_draw_counts_for_a_tie():
    state = play(position(racks=("PB", "P"), scores=(7, 7), seat=1, cause="grey"), "pass", "R", "R")
    assert outcome(state).ranks == (2, 1)


def test_r12_still_tied_is_a_shared_victory():
    assert ended(("PB", "RR"), (7, 7)).ranks == (1, 1)
    assert ended(("PB", "RR", "Y", "GG"), (7, 7, 7, 7), seat=3).ranks == (1, 1, 4, 1)
    assert ended(("", "R", "Y", "GG"), (9, 7, 7, 7), seat=3).ranks == (1, 3, 3, 2)
