"""A test for every numbered rule of Rondo, and for the misreadings that are known."""

from __future__ import annotations

import pytest

from spieltisch.core.game import BadNotation, BadSetup, Chance, Decision, Seat
from spieltisch.gameplay.chance import seeded
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.state import counts, total
from spieltisch.games.rondo.tests.positions import (
    choices,
    covered,
    dealt,
    held,
    letters_of,
    play,
    position,
    refused,
    stones,
    stones_of,
)


def hears(state, text, viewer):
    return GAME.witness(state, GAME.read(state, text), viewer)


# R1 to R3: material and setting up


def test_r1_two_to_four_play_with_24_stones_of_each_of_five_colours():
    assert [GAME.agree(n).players for n in (2, 3, 4)] == [2, 3, 4]
    for number in (0, 1, 5):
        with pytest.raises(BadSetup, match="for 2 to 4 players"):
            GAME.agree(number)
    state = GAME.initial(GAME.agree())
    assert counts(state.bag) == (24,) * 5
    assert letters_of(state.bag) == "P" * 24 + "B" * 24 + "Y" * 24 + "G" * 24 + "R" * 24


def test_r2_the_board_has_two_sides_and_blue_is_the_default():
    assert GAME.agree().edition == "blue"
    blue, red = (GAME.observe(GAME.initial(GAME.agree(edition=side)), None).fields for side in ("blue", "red"))
    assert [field.name for field in blue] == [field.name for field in red]
    assert [field.grey for field in blue] == [field.grey for field in red]
    assert sum(field.value for field in red) > sum(field.value for field in blue)
    assert {field.value for field in blue + red} == {1, 2, 3, 4, 5}
    with pytest.raises(BadSetup):
        GAME.agree(edition="green")


def test_r2_nothing_is_ever_laid_on_the_centre_which_counts_as_occupied():
    state = position(racks=("PBYGR", ""))
    assert {text.partition(":")[0] for text in choices(state)} == {"AN", "AE", "AS", "AW"}
    assert refused(state, "C:P") == "R2"
    assert refused(state, "C:p") == "R2"
    assert refused(play(state, "AE:P"), "C:b") == "R2"


def test_r3_everybody_draws_two_stones_in_seat_order_from_the_first_player():
    state = GAME.initial(GAME.agree(3, first=2))
    drawers = []
    while isinstance(pending := GAME.pending(state), Chance):
        drawers.append(state.seat)
        state = play(state, "*")
    assert drawers == [2, 2, 0, 0, 1, 1]
    assert isinstance(pending, Decision)
    assert pending.seat == 2
    assert [total(rack) for rack in state.racks] == [2, 2, 2]


def test_r3_a_stone_is_drawn_with_the_odds_of_what_is_left_in_the_bag():
    state = GAME.initial(GAME.agree())
    assert choices(state) == list("PBYGR")
    assert list(GAME.pending(state).weights) == [24] * 5
    assert list(GAME.pending(play(state, "B", "B", "R")).weights) == [24, 22, 24, 24, 23]


def test_r3_nothing_is_laid_during_the_deal():
    state = GAME.initial(GAME.agree())
    assert [refused(state, text) for text in ("pass", ".", "AE:P", "C:p")] == ["R3"] * 4
    assert [refused(play(state, "P", "P", "P"), text) for text in ("pass", ".", "AE:P")] == ["R3"] * 3


def test_r3_the_number_of_stones_on_a_rack_is_public_and_their_colours_are_secret():
    state = position(racks=("PPB", "YG", ""))
    for viewer in (Seat(0), Seat(1), None):
        view = GAME.observe(state, viewer)
        assert [rack.size for rack in view.racks] == [3, 2, 0]
        assert [rack.stones is not None for rack in view.racks] == [viewer == 0, viewer == 1, False]
        assert view.bag.stones is None
    assert GAME.observe(state, Seat(0)).racks[0].stones == (2, 1, 0, 0, 0)


def test_r3_others_hear_only_that_a_stone_is_drawn():
    state = play(GAME.initial(GAME.agree()), "B")
    assert [hears(state, "R", viewer) for viewer in (Seat(0), Seat(1), None)] == ["R", "?", "?"]


def test_r3_the_first_player_is_drawn_if_none_is_given():
    assert {seeded(seed).first(3) for seed in range(20)} == {0, 1, 2}


# R4 and R5: lay or pass


def test_r4_a_player_who_lays_scores_and_then_draws_exactly_one_stone():
    state = play(position(racks=("PBYG", "R")), "AE:P", "I4:B", "I3:Y", ".")
    assert isinstance(GAME.pending(state), Chance)
    assert state.drawing == 1
    assert state.scores == (6, 0)
    state = play(state, "R")
    assert (held(state), state.seat) == ("GR", 1)


def test_r4_any_number_of_stones_may_be_laid_down_to_the_last():
    state = play(position(racks=("PPBG", "")), "AE:PP", "I4:B", "I5:G")
    assert choices(state) == ["."]
    assert held(play(state, ".", "Y")) == "Y"


def test_r4_a_chain_is_ended_by_a_dot_and_has_at_least_one_field():
    state = position(racks=("P", ""))
    assert "." not in choices(state)
    assert refused(state, ".") == "R4"
    assert choices(play(state, "AE:P")) == ["."]


def test_r4_nobody_lays_stones_that_are_not_on_the_rack():
    state = position(racks=("PB", "YY"))
    assert refused(state, "AE:PP") == "R4"
    assert refused(state, "AS:Y") == "R4"
    assert refused(state, "AN:y") == "R4"
    assert refused(play(state, "AE:P"), "I4:p") == "R4"
    assert refused(state, "O0:y") == "R4"  # R6 says no as well


def test_r4_drawing_comes_after_the_chain_and_only_then():
    state = position(racks=("PB", ""))
    assert refused(state, "P") == "R4"
    assert refused(play(state, "AE:P"), "P") == "R4"
    drawing = play(state, "AE:P", ".")
    assert [refused(drawing, text) for text in ("pass", ".", "I4:B")] == ["R4"] * 3


def test_r4_a_colour_that_the_bag_lacks_is_not_drawn():
    state = play(position(racks=("P", ""), bag="BBR"), "pass")
    assert choices(state) == ["B", "R"]
    assert list(GAME.pending(state).weights) == [2, 1]
    assert refused(state, "Y") == "R4"


@pytest.mark.parametrize(("rack", "drawn"), [("", 2), ("P", 2), ("PB", 2), ("PBY", 2), ("PBYG", 1)])
def test_r5_a_player_who_passes_draws_two_stones_and_with_four_only_one(rack, drawn):
    state = position(racks=(rack, "R"))
    assert choices(state)[-1] == "pass"
    state = play(state, "pass")
    assert state.drawing == drawn
    assert state.scores == (0, 0)
    state = play(state, *["R"] * drawn)
    assert (total(state.racks[0]), state.seat) == (len(rack) + drawn, 1)


def test_r5_four_stones_do_not_force_a_play():
    assert "pass" in choices(position(racks=("PBYG", "")))


def test_r5_with_five_stones_passing_is_refused():
    state = position(racks=("PBYGR", ""))
    assert "pass" not in choices(state)
    assert refused(state, "pass") == "R5"
    after = play(state, "AE:P", ".", "P")
    assert total(after.racks[0]) == 5


def test_r5_a_player_who_has_laid_can_no_longer_pass():
    assert refused(play(position(racks=("PB", "")), "AE:P"), "pass") == "R5"


def test_r5_five_stones_and_no_open_field_pass_and_draw_nothing():
    state = position(covered(), racks=("PBYGR", "P", "B"), cause="grey")
    assert choices(state) == ["pass"]
    after = play(state, "pass")
    assert (held(after), after.seat, after.drawing) == ("PBYGR", 1, 0)
    assert after.bag == state.bag


@pytest.mark.parametrize(("rack", "drawn"), [("", 2), ("PBY", 2), ("PBYG", 1)])
def test_r5_on_a_full_board_the_others_pass_and_draw_as_always(rack, drawn):
    state = position(covered(), racks=(rack, "P"), cause="grey")
    assert choices(state) == ["pass"]
    assert play(state, "pass").drawing == drawn


def test_r5_a_single_open_field_forces_five_stones_to_be_laid():
    state = position(covered("O0"), racks=("PBYGR", "P"))
    assert choices(state) == ["O0:Y", "O0:p", "O0:b", "O0:y", "O0:g", "O0:r"]
    assert refused(state, "pass") == "R5"


def test_r5_a_player_who_has_no_stones_must_pass():
    state = position("AE:P", racks=("", "P"))
    assert choices(state) == ["pass"]
    assert play(state, "pass").drawing == 2


def test_r5_nobody_ever_has_to_pass_with_fewer_than_five_while_fields_are_open():
    for rack in ("P", "PB", "PBY", "PBYG"):
        assert len(choices(position(racks=(rack, "")))) > 1


# R6 and R7: where


def test_r6_the_first_field_is_empty_and_next_to_an_occupied_one_or_the_centre():
    state = position("AE:P I4:b@1", racks=("B", ""))
    assert choices(state) == ["AN:B", "AN:b", "AS:b", "AW:b", "I3:b", "I5:b", "pass"]


def test_r6_a_used_field_or_one_apart_is_refused_as_the_first():
    state = position("AE:P", racks=("PPB", ""))
    assert refused(state, "AE:P") == "R6"
    assert refused(state, "AE:p") == "R6"
    assert refused(state, "I12:P") == "R6"
    assert refused(state, "O31:B") == "R6"
    assert refused(state, "O31:G") == "R4"
    assert refused(state, "I12:B") == "R6"  # R8 says no as well: the lowest number is named


def test_r6_a_bridge_is_as_good_as_any_other_stone_to_begin_beside():
    assert "I4:B" in choices(position("AE:r@1", racks=("B", "")))


def test_r7_every_further_field_is_next_to_the_one_laid_just_before():
    state = play(position(racks=("RPGB", "")), "AW:R", "I12:P")
    assert choices(state) == ["I11:G", "I11:b", "I11:g", "I13:B", "I13:b", "I13:g", "."]


def test_r7_the_worked_chain_of_seven_and_the_branch_that_is_refused():
    state = play(position(racks=("RPBGB", "")), "AW:R", "I12:P", "I13:B")
    assert state.scores == (7, 0)
    assert refused(state, "I11:G") == "R7"
    assert refused(state, "I11:g") == "R7"


def test_r7_a_chain_may_bend_and_needs_no_contact_with_older_fields():
    state = play(position(racks=("RPGB", "")), "AW:R", "I12:P", "I11:G", "I10:B")
    assert state.scores == (2 + 1 + 2 + 2, 0)
    state = play(position("AE:P", racks=("PBYGR", "")), "I4:p", "I3:y", "K3:g", "O6:r", "O7:b", ".")
    assert state.drawing == 1


def test_r7_a_chain_does_not_grow_at_its_other_end():
    """Known misreading: at both ends. The chain began on AE, next to C; its other neighbours are beside the start."""
    state = play(position(racks=("BYGPR", "")), "AE:P", "I4:B")
    assert [refused(state, text) for text in ("AN:g", "AS:Y", "AW:R")] == ["R7"] * 3
    state = play(position("AE:P I4:B I5:G", racks=("YRGG", "")), "I3:Y", "I2:g")
    assert refused(state, "K3:G") == "R7"
    assert refused(state, "I6:R") == "R7"
    assert choices(state) == ["I1:R", "I1:g", "I1:r", "."]


def test_r7_a_used_field_is_refused_later_in_the_chain():
    state = play(position("AE:P", racks=("BBPP", "")), "I4:B")
    assert refused(state, "AE:P") == "R7"
    assert refused(state, "I4:B") == "R7"
    assert refused(state, "I4:p") == "R7"
    assert refused(state, "I3:PP") == "R8"
    assert refused(state, "O0:PP") == "R7"  # R8 says no as well


def test_r7_a_chain_that_has_run_into_a_corner_can_only_end():
    state = position(covered("O0", "O1"), racks=("YGPB", ""))
    assert choices(play(state, "O0:Y", "O1:G")) == ["."]


def test_r7_a_chain_may_close_a_ring_but_not_enter_its_own_fields():
    laid = covered("I3", "I2", "I1", "K1", "O2", "O3", "O4", "O5", "O6", "K3")
    state = play(position(laid, racks=("PBYGR", "")), "I3:p", "I2:b", "I1:y")
    assert {text.partition(":")[0] for text in choices(state)} == {"K1", "."}


# R8 to R10: how


def test_r8_stones_of_the_field_s_colour_lie_face_up_in_any_number():
    state = position(racks=("PPPBB", ""))
    assert [text for text in choices(state) if text.startswith("AE")] == ["AE:P", "AE:PP", "AE:PPP", "AE:p", "AE:b"]
    assert GAME.observe(play(state, "AE:PPP"), None).fields[1].face_up == 3


def test_r8_a_wrong_colour_face_up_is_refused():
    state = position(racks=("PPB", ""))
    assert refused(state, "AE:B") == "R8"
    assert refused(state, "AN:P") == "R8"
    assert refused(state, "AN:PP") == "R8"
    assert refused(state, "AE:PB") == "R8"
    assert refused(state, "AE:BP") == "R8"


def test_r8_two_stones_face_down_on_one_field_are_refused():
    state = position(racks=("PPB", ""))
    assert refused(state, "AE:pp") == "R8"
    assert refused(state, "AE:pb") == "R8"
    assert refused(state, "AE:ppp") == "R4"


def test_r8_face_up_and_face_down_together_cannot_even_be_written():
    with pytest.raises(BadNotation):
        play(position(racks=("PPB", "")), "AE:Pb")


def test_r8_a_field_that_holds_stones_takes_no_more():
    """The first field is refused by R6, a later one by R7: the lowest number that says no."""
    state = position("AE:P I4:r@1", racks=("PBB", ""))
    assert refused(state, "AE:P") == "R6"
    assert refused(state, "I4:B") == "R6"
    assert refused(play(state, "I5:p"), "I4:B") == "R7"


def test_r9_face_down_is_allowed_although_the_right_colour_is_at_hand():
    state = position(racks=("PPB", ""))
    assert {"AE:P", "AE:p", "AE:b"} <= set(choices(state))
    assert play(state, "AE:p").scores == (0, 0)


def test_r9_a_chain_may_begin_with_a_bridge_hold_several_or_be_bridges_only():
    state = position(racks=("PBYG", ""))
    assert play(state, "AE:b", "I4:y", "I5:G").scores == (3, 0)
    assert play(state, "AE:b", "I4:y", "I5:p", "K5:g", ".").scores == (0, 0)


def test_r10_each_stone_face_up_scores_its_field_s_value():
    assert play(position(racks=("PPP", "")), "AE:PPP").scores == (6, 0)
    assert play(position(racks=("", "YYY", ""), seat=1, scores=(3, 4, 5)), "AE:y", "I4:y").scores == (3, 4, 5)
    assert play(position(racks=("G", ""), edition="red"), "AN:G").scores == (3, 0)


def test_r10_the_worked_examples_of_the_sheet():
    assert play(position(racks=("PBY", "")), "AE:P", "I4:B", "I3:Y").scores[0] == 6
    assert play(position(racks=("RPB", "")), "AW:R", "I12:P", "I13:B").scores[0] == 7
    assert play(position("AW:R I12:P I13:B", racks=("RGGG", "")), "K13:r", "O26:GGG").scores[0] == 15
    assert play(position(racks=("PPBG", "")), "AE:PP", "I4:B", "I5:G").scores[0] == 8
    assert play(position("AE:P", racks=("YGPBB", "")), "I4:y", "I5:G", "K5:P", "O10:BB").scores[0] == 16


def test_r10_what_a_bridge_hides_only_its_owner_knows_until_the_end():
    state = position("AW:R I12:P I13:B", racks=("RG", "Y"))
    assert [hears(state, "K13:r", viewer) for viewer in (Seat(0), Seat(1), None)] == ["K13:r", "K13:?", "K13:?"]
    assert [hears(state, "I14:R", viewer) for viewer in (Seat(0), Seat(1), None)] == ["I14:R"] * 3
    state = play(state, "K13:r")
    place = state.board.names.index("K13")
    fields = [GAME.observe(state, viewer).fields[place] for viewer in (Seat(0), Seat(1), None)]
    assert [field.bridge for field in fields] == [0, 0, 0]
    assert [field.hidden for field in fields] == ["R", None, None]
    assert [field.face_up for field in fields] == [0, 0, 0]
    ended = play(position("AE:r@1 AN:g", racks=("", ""), seat=1, cause="grey", bag=""), "pass")
    for viewer in (Seat(0), Seat(1), None):
        view = GAME.observe(ended, viewer)
        assert [view.fields[n].hidden for n in (0, 1)] == ["G", "R"]
        assert all(rack.stones is not None for rack in view.racks)


# Checks that must hold


@pytest.mark.parametrize("players", [2, 3, 4])
def test_stones_on_racks_board_and_bag_are_120(players):
    state = dealt(players, players)
    assert stones(state) == 120
    assert stones(play(state, "pass")) == 120
    assert stones(play(state, "pass", "*", "*")) == 120
    assert stones(play(state, choices(state)[0])) == 120


def test_one_bend_is_not_all_a_chain_may_have():
    """Known misreading: 'only one bend'. This chain bends at I4, I3 and O6."""
    play(position(racks=("PBYGR", "")), "AE:P", "I4:B", "I3:Y", "K3:G", "O6:r", ".")


def test_choices_come_in_the_board_s_order_face_up_first_and_the_word_last():
    state = position("AE:P", racks=("BBP", ""))
    assert choices(state) == [
        *("AN:B", "AN:BB", "AN:p", "AN:b"),
        *("AS:p", "AS:b"),
        *("AW:p", "AW:b"),
        *("I4:B", "I4:BB", "I4:p", "I4:b"),
        "pass",
    ]


def test_positions_of_the_tests_are_what_they_say():
    assert letters_of(stones_of("RPB")) == "PBR"
    assert stones(position(covered("O0"), racks=("PP", "B"))) == 120
