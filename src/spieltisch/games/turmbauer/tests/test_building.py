"""The rules of Turmbauer for building: where stones lie, and whether they stand."""

from __future__ import annotations

from itertools import islice

import pytest

from spieltisch.core.game import BadSetup, Chance, IllegalAction
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import cell, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.climbing import terrain_of
from spieltisch.games.turmbauer.physics.judge import quick_judge
from spieltisch.games.turmbauer.state import Lean, Phase
from spieltisch.games.turmbauer.tests.positions import (
    CORNER,
    COURTYARD,
    FLAT,
    FOR_REPLAY,
    choices,
    cubes,
    judged,
    moving,
    new,
    outcome,
    picks,
    placing,
    play,
    position,
    random_states,
    refused,
    rings,
    side,
    verdict,
)

# R8 to R10: the grid


def test_r8_a_stone_may_be_turned_in_24_ways():
    assert len({shape(text) for text in choices(placing("4l", in_round=1))}) == 24
    assert len({shape(text) for text in choices(placing("5p", in_round=1))}) == 24
    assert len({shape(text) for text in choices(placing("4i", in_round=1))}) == 3


def shape(text):
    """The cells of a place, moved into the corner."""
    cells = [tuple(map(int, each.split(","))) for each in text[1:].split(";")]
    low = [min(axis) for axis in zip(*cells, strict=True)]
    return frozenset((x - low[0], y - low[1], z - low[2]) for x, y, z in cells)


def test_r8_other_shapes_are_refused():
    state = placing("4l")
    for cells in (
        "@0,0,1;1,0,1;0,1,1;1,1,1",
        "@0,0,1;1,0,1;2,0,1;3,0,1",
        "@0,0,1;1,0,1;2,0,1;1,1,1",
        "@0,0,1;1,0,1;2,0,1;0,2,1",
        "@0,0,1;1,0,1;2,0,1",
        "@0,0,1;1,0,1;2,0,1;0,1,1;0,2,1",
    ):
        assert refused(state, cells, "shape", "the 4-cube stone of 3 by 2") == "R8"


def test_r8_a_cell_that_a_stone_takes_is_refused():
    assert refused(placing("1c"), "@0,0,0", "column 0 row 0 floor 1", "taken") == "R8"
    state = placing("3i", "B 2d@0,1,1;0,1,2")
    assert refused(state, "@0,1,1;1,1,1;2,1,1", "column 0 row 1 floor 2", "taken") == "R8"
    assert refused(placing("1n", COURTYARD), "@2,-1,0", "column 2 row minus 1 floor 1", "taken") == "R8"


def test_r8_a_cell_that_a_pawn_takes_is_refused():
    state = placing("3i", pawns="B:1,1,1 R:1,0,1")
    assert refused(state, "@0,1,1;1,1,1;2,1,1", "column 1 row 1 floor 2", "the blue pawn") == "R8"
    assert refused(state, "@1,0,1;1,0,2;1,0,3", "column 1 row 0 floor 2", "the red pawn") == "R8"
    assert "@0,1,1;0,1,2;0,1,3" in choices(state)


def test_r9_coloured_cubes_lie_where_the_sum_is_even_and_natural_ones_where_it_is_odd():
    for text in choices(placing("3i", FLAT)):
        first, middle, last = (sum(map(int, each.split(","))) % 2 for each in text[1:].split(";"))
        assert (first, middle, last) == (0, 1, 0)
    assert all(sum(map(int, text[1:].split(","))) % 2 == 0 for text in choices(placing("1c", FLAT)))
    assert all(sum(map(int, text[1:].split(","))) % 2 == 1 for text in choices(placing("1n", FLAT)))


def test_r9_a_shifted_pattern_is_refused():
    """Known misreading."""
    assert refused(placing("1c"), "@0,0,1", "pattern", "column 0 row 0 floor 2") == "R9"
    assert refused(placing("1n"), "@1,0,1", "pattern", "column 1 row 0 floor 2") == "R9"
    state = placing("3i")
    assert "@0,1,1;1,1,1;2,1,1" in choices(state)
    assert refused(state, "@0,0,1;1,0,1;2,0,1", "pattern", "column 0 row 0 floor 2") == "R9"
    assert refused(placing("5p"), "@0,0,1;1,0,1;2,0,1;0,1,1;1,1,1") == "R9"
    assert "@1,0,1;0,1,1;1,1,1;0,2,1;1,2,1" in choices(placing("5p"))


def test_r9_a_domino_fits_either_way_round():
    assert {"@0,0,1;1,0,1", "@0,1,1;1,1,1", "@0,0,1;0,0,2", "@1,0,1;1,0,2"} <= set(choices(placing("2d")))


def test_r10_a_stone_touches_another_with_a_full_face():
    assert refused(placing("1c"), "@5,5,2", "touches neither") == "R10"
    assert refused(placing("1n"), "@2,0,1", "touches neither") == "R10"  # an edge is no face
    assert refused(placing("1c"), "@2,2,0", "touches neither") == "R10"
    assert refused(placing("2d", in_round=1), "@3,0,0;4,0,0") == "R10"


# R11 and R12: where


def test_r11_in_the_first_round_a_stone_lies_on_the_foundation_or_beside_it():
    state = placing("2d", in_round=1)
    assert {"@0,0,1;1,0,1", "@2,0,0;3,0,0", "@-1,0,0;-1,1,0", "@0,2,0;0,2,1", "@1,1,1;2,1,1"} <= set(choices(state))
    assert choices(placing("1c", in_round=1)) == ["@1,-1,0", "@2,0,0", "@-1,1,0", "@0,2,0", "@1,0,1", "@0,1,1"]


def test_r11_in_the_first_round_another_stone_is_not_enough():
    state = placing("1c", "R 2d@2,0,0;3,0,0", colour="B", in_round=1)
    assert refused(state, "@4,0,0", "first round", "foundation") == "R11"
    assert refused(placing("1n", "R 2d@2,0,0;3,0,0", colour="B", in_round=1), "@2,0,1") == "R11"
    assert refused(placing("1n", "R 2d@0,0,1;1,0,1", colour="B", in_round=1), "@1,0,2") == "R11"


@pytest.mark.parametrize(("players", "colours"), [(2, 4), (3, 3), (4, 4)])
def test_r11_the_first_round_is_the_first_turn_of_every_colour(players, colours):
    state = new(players)
    for _ in range(colours):
        assert any(",0;" in f"{text};" for text in choices(play(state, "6+6", "2d")))
        state = play(state, "6+6", "2d", choices(play(state, "6+6", "2d"))[-1], "stands", ".")
    assert not any(",0;" in f"{text};" for text in choices(play(state, "6+6", "2d")))


def test_r11_after_the_first_round_nothing_lies_on_the_table():
    """Known misreading."""
    state = placing("2d")
    assert refused(state, "@2,0,0;3,0,0", "table", "column 2 row 0 floor 1") == "R11"
    assert refused(state, "@2,0,0;2,0,1", "table", "column 2 row 0 floor 1") == "R11"
    state = placing("4l", "B 1c@1,0,1")  # it would lie on the blue cube too
    assert refused(state, "@2,0,0;2,0,1;1,0,2;2,0,2", "table", "column 2 row 0 floor 1") == "R11"
    assert all(",0;" not in f"{text};" for kind in ("1n", "3i", "6s") for text in choices(placing(kind)))


def test_r11_some_cube_lies_directly_on_another_stone():
    state = placing("1n", "R 2d@0,0,1;0,0,2")
    assert refused(state, "@1,0,2", "below") == "R11"
    assert refused(placing("2d", "B 2d@0,0,1;0,0,2"), "@1,0,2;1,0,3") == "R11"  # on itself
    assert refused(placing("1c", "B 4i@0,0,1;0,0,2;0,0,3;0,0,4"), "@-1,0,3") == "R11"


def test_r11_after_the_first_round_any_stone_carries():
    assert {"@2,-1,1", "@3,0,1"} <= set(choices(placing("1c", COURTYARD, colour="G")))


@pytest.mark.parametrize(
    ("place", "way"),
    [
        ("@0,1,1;0,2,1;0,3,1", "north"),
        ("@1,0,1;2,0,1;3,0,1", "east"),
        ("@1,0,1;1,-1,1;1,-2,1", "south"),
        ("@0,1,1;-1,1,1;-2,1,1", "west"),
    ],
)
def test_r12_an_overhang_of_two_is_refused_to_every_side(place, way):
    """Known misreading."""
    assert refused(placing("3i"), place, "more than one", f"to the {way}") == "R12"


def test_r12_an_overhang_of_one_is_allowed_to_every_side():
    dominoes = {"@0,1,1;0,2,1", "@1,0,1;2,0,1", "@1,-1,1;1,0,1", "@-1,1,1;0,1,1"}
    assert dominoes <= set(choices(placing("2d")))
    assert {"@0,1,1;1,1,1;2,1,1", "@-1,0,1;0,0,1;1,0,1"} <= set(choices(placing("3i")))
    assert {"@-1,0,1;0,0,1;1,0,1;2,0,1"} <= set(choices(placing("4i")))


def test_r12_the_depth_counts_and_not_the_number_of_cubes():
    """Decided. Four of these six cubes jut out, one to the east and one to the north."""
    assert "@1,0,1;2,0,1;1,1,1;2,1,1;1,2,1;2,2,1" in choices(placing("6r"))
    assert refused(placing("6r"), "@1,0,1;2,0,1;3,0,1;1,1,1;2,1,1;3,1,1") == "R12"


def test_r12_each_side_is_measured_from_the_outermost_supported_cube():
    """The bridge reaches beyond both bearers, two cubes beyond neither."""
    bearers = "B 2d@2,0,0;2,0,1 | G 1n@0,0,1"
    assert "@-1,0,2;0,0,2;1,0,2;2,0,2" in choices(placing("4i", bearers))
    assert refused(placing("4i", bearers), "@-2,0,2;-1,0,2;0,0,2;1,0,2", "to the west") == "R12"
    assert refused(placing("4i", bearers), "@2,0,2;3,0,2;4,0,2;5,0,2", "to the east") == "R12"


def test_r12_a_stone_s_own_cubes_support_nothing():
    state = placing("4l")
    assert refused(state, "@1,0,1;2,0,1;3,0,1;3,0,2", "more than one", "to the east") == "R12"
    assert "@1,0,1;1,0,2;1,0,3;2,0,3" in choices(state)


def test_r12_pawns_support_nothing():
    state = placing("3i", "B 1n@0,0,1", "G:1,0,1")
    assert refused(state, "@0,0,2;1,0,2;2,0,2", "more than one", "to the east") == "R12"
    assert "@0,0,2;1,0,2;2,0,2" in choices(placing("3i", "B 1n@0,0,1 | G 1c@1,0,1"))


def test_r12_in_the_first_round_the_table_supports():
    assert "@2,0,0;3,0,0;4,0,0;5,0,0" in choices(placing("4i", in_round=1))
    assert "@0,-1,0;0,-1,1;0,0,1;0,1,1" in choices(placing("4l", in_round=1))


def test_r12_a_bridge_over_a_gap_is_allowed_and_the_gap_may_be_filled_later():
    """Decided: no way to slide the stone in is asked for."""
    bearers = "B 2d@2,0,0;2,0,1 | G 1n@0,0,1"
    assert "@0,0,2;1,0,2;2,0,2" in choices(placing("3i", bearers))
    bridge = f"{bearers} | R 3i@0,0,2;1,0,2;2,0,2"
    assert "@1,0,1" in choices(placing("1c", bridge))
    sealed = f"{bridge} | G 3i@1,-1,0;1,-1,1;1,-1,2 | B 4i@1,1,1;1,1,2;1,1,3;1,1,4"
    assert "@1,0,1" in choices(placing("1c", sealed))


# R13: pawns are not walled in


@pytest.mark.parametrize("builder", ["R", "B", "G"])
def test_r13_the_last_exit_is_taken_from_nobody(builder):
    """Known misreading; the rule holds for the builder's own pawn too."""
    state = placing("2d", CORNER, "R:1,0,1", colour=builder)
    assert refused(state, "@0,0,1;0,0,2", "the red pawn", "walled in") == "R13"
    assert "@0,0,1;0,1,1" in choices(state)
    assert "@0,0,1;0,0,2" in choices(placing("2d", COURTYARD, "R:1,0,1", colour=builder))


def test_r13_the_courtyard_leaves_exactly_two_exits():
    state = position(COURTYARD, "R:1,0,1")
    exits = terrain_of(state.tower).exits(cell(1, 0, 0), 0)
    assert sorted(exits) == [cell(0, 0, 0), cell(1, 1, 0)]
    blue = terrain_of(state.tower).exits(cell(1, 0, 0), 1)
    assert sorted(blue) == [cell(1, -1, 0), cell(0, 0, 0), cell(1, 1, 0)]


def test_r13_the_new_stone_s_own_fields_are_exits():
    """Decided. The cube on the way up is red or blue: open to the red pawn only if red built it."""
    stones = "R 4i@0,0,1;0,0,2;0,0,3;0,0,4 | B 3i@1,0,1;1,0,2;1,0,3 | G 1n@1,0,4"
    assert "@1,0,5" in choices(placing("1c", stones, "R:0,0,5", colour="R"))
    assert refused(placing("1c", stones, "R:0,0,5", colour="B"), "@1,0,5", "the red pawn", "walled in") == "R13"
    assert "@0,0,1" in choices(placing("1n", CORNER, "R:1,0,1", colour="B"))


def test_r13_a_pawn_may_be_built_over_but_not_roofed_in():
    low = f"{COURTYARD} | B 1n@1,1,1"
    high = f"{low} | G 1n@0,0,1"  # both ways out lead upwards, and need room above the pawn
    assert "@1,0,2;1,1,2" in choices(placing("2d", low, "R:1,0,1"))
    assert refused(placing("2d", high, "R:1,0,1"), "@1,0,2;1,1,2", "the red pawn", "walled in") == "R13"
    assert "@1,1,2;1,1,3" in choices(placing("2d", high, "R:1,0,1"))


def test_r13_other_pawns_are_ignored():
    state = placing("2d", COURTYARD, "R:1,0,1 B:0,0,1")
    assert "@1,1,1;1,1,2" in choices(state)
    assert refused(placing("2d", CORNER, "R:1,0,1 B:0,1,1"), "@0,0,1;0,0,2") == "R13"


def test_r13_a_pawn_without_an_exit_does_not_count():
    """Decided."""
    stones = f"{CORNER} | G 2d@0,0,1;0,0,2"
    assert choices(moving(stones, "R:1,0,1", rings="R:0")) == ["."]
    assert "@0,0,3" in choices(placing("1n", stones, "R:1,0,1"))
    assert "@0,0,3;1,0,3" in choices(placing("2d", stones, "R:1,0,1"))


def test_r13_a_pawn_on_the_table_is_never_walled_in():
    """Decided. Every field is four or more heights above the table."""
    stones = "B 4i@1,1,1;1,1,2;1,1,3;1,1,4 | G 4i@0,0,1;0,0,2;0,0,3;0,0,4 | B 3i@1,0,1;1,0,2;1,0,3"
    state = play(placing("3i", stones), "@0,1,1;0,1,2;0,1,3", "stands")
    assert choices(state) == ["."]


def test_r13_fencing_the_table_off_walls_in_too():
    """In the first round: the last way leads over the square (2,0), which the black stone makes a courtyard."""
    stones = "R 4i@1,1,1;1,1,2;1,1,3;1,1,4 | B 2d@0,0,1;0,0,2 | G 2d@1,-1,0;2,-1,0"
    state = placing("4l", stones, "R:1,0,1", colour="K", players=4, in_round=1)
    assert refused(state, "@3,-1,0;3,0,0;2,1,0;3,1,0", "the red pawn", "walled in") == "R13"
    assert "@2,1,0;3,1,0;3,2,0;3,3,0" in choices(state)


# R14: the tower must stand


def test_r14_after_a_place_comes_the_judge_with_one_answer():
    state = judged.play(placing("1n"), "@0,0,1")
    pending = GAME.pending(state)
    assert isinstance(pending, Chance)
    assert (pending.judged, list(pending.weights), judged.choices(state)) == (True, [1], ["stands"])


@pytest.mark.parametrize("hand", ["steady", "shaky"])
def test_r14_the_hand_trembles_to_one_of_four_sides_before_the_judge_is_asked(hand):
    state = play(placing("1n", hand=hand), "@0,0,1")
    assert choices(state) == ["~N", "~E", "~S", "~W"]
    assert list(FOR_REPLAY.pending(state).weights) == [1, 1, 1, 1]
    assert refused(state, "stands") == "R14"
    assert choices(play(state, "~S"))[0] == "stands"
    assert refused(play(state, "~S"), "~S") == "R14"


def test_r14_a_calm_hand_does_not_tremble_and_a_steady_one_is_the_default():
    state = play(placing("1n"), "@0,0,1")
    assert refused(state, "~N") == "R14"
    assert GAME.agree().option("hand") == "steady"
    with pytest.raises(BadSetup):
        GAME.agree(options={"hand": "drunk"})


def test_r14_nothing_is_judged_while_nothing_is_built():
    for state in (position(), position(roll="1+2"), placing("1n"), moving()):
        assert refused(state, "stands", "being built") == "R14"
        assert refused(state, "fall 1") == "R14"
        assert refused(state, "~N") == "R14"


@pytest.mark.parametrize(
    ("hand", "text", "false"), [("steady", "stands", "no stone is being built"), ("calm", "fall 9", "the tower stands")]
)
def test_r14_a_verdict_that_cannot_come_now_is_refused_for_a_reason_that_is_true(hand, text, false):
    """Before the tremor; and with more stones than the tower has."""
    with pytest.raises(IllegalAction) as caught:
        play(placing("1n", hand=hand), "@0,0,1", text)
    assert false not in str(caught.value)


def test_r14_a_stone_that_stands_leaves_the_stock_for_the_tower():
    state = play(position(roll="1+2"), "1n", "@0,0,1", "stands")
    assert "1n" not in side(state, "R").stock
    assert [(s.colour, s.kind, s.cells) for s in GAME.observe(state, None).tower] == [("R", "1n", ((0, 0, 1),))]


@pytest.mark.parametrize("fallen", ["fall 1", "fall 2"])
def test_r14_if_at_most_two_fall_everything_is_put_back_and_a_stone_is_chosen_again(fallen):
    before = position(FLAT, "B:0,0,2", roll="2+3")
    after = play(before, "2d", "@1,0,2;2,0,2", fallen)
    assert (after.tower, after.stocks, after.boxes, after.pawns) == (
        before.tower,
        before.stocks,
        before.boxes,
        before.pawns,
    )
    assert (after.roll, choices(after)) == (before.roll, choices(before))
    assert GAME.observe(after, None).chosen is None
    assert play(after, "3v").phase is Phase.PLACE


def test_r14_the_place_that_failed_is_ruled_out_for_this_turn():
    state = play(position(FLAT, roll="2+3"), "2d", "@1,0,2;2,0,2", "fall 1", "2d")
    assert refused(state, "@1,0,2;2,0,2", "failed") == "R14"
    assert refused(state, "@2,0,2;1,0,2") == "R14"
    assert "@0,0,2;1,0,2" in choices(state)
    state = play(state, "@0,0,2;0,1,2", "stands", ".", "2+3", "2d")
    assert "@1,0,2;2,0,2" in choices(state)


def test_r14_a_ring_declared_for_a_stone_that_falls_is_not_spent():
    state = play(position(FLAT, roll="1+3"), "a2d", "@1,0,2;2,0,2", "fall 1")
    assert rings(state) == 2
    assert "a2d" in choices(state)
    state = play(state, "3i", "@0,0,2;1,0,2;2,0,2", "stands")
    assert rings(state) == 2


def test_r14_three_or_more_that_fall_are_a_collapse():
    state = play(placing("2d", FLAT), "@1,0,2;2,0,2")
    assert choices(state) == ["stands", "fall 1", "fall 2", "fall 3"]
    assert play(state, "fall 2").phase is Phase.STONE
    assert play(state, "fall 3").phase is Phase.OVER
    assert outcome(play(state, "fall 3")).ending == "collapse"


def three_tries(last="2d", place="@0,1,2;0,2,2"):
    """A turn with three stones that fell."""
    state = position(FLAT, roll="2+3")
    state = play(state, "2d", "@1,0,2;2,0,2", "fall 1", "3i", "@0,0,2;1,0,2;2,0,2", "fall 2")
    return play(state, last, place, "fall 1")


def test_r14_after_three_failed_tries_the_third_stone_goes_into_the_box():
    """Decided."""
    state = three_tries()
    assert choices(state) == ["box 2d"]
    for text in ("2d", "3i", "a4l", "box 3i"):
        assert refused(state, text, "three", "the straight 2-cube stone goes into the box") == "R14"
    after = play(state, "box 2d")
    assert (side(after, "R").box, len(after.tower)) == (("2d",), 2)
    assert (after.phase, choices(after)[0]) == (Phase.MOVE, ".")
    assert cubes(after) == 126


def test_r14_after_three_failed_tries_a_ring_is_left_for_the_move():
    """Ring a was declared for the third try, and is not spent."""
    state = three_tries("a4l", "@0,0,2;1,0,2;2,0,2;0,1,2")
    assert choices(state) == ["box 4l"]
    assert {"c>0,0,2", "c>1,0,2"} <= set(choices(play(state, "box 4l")))


def test_r14_after_three_failed_tries_the_next_colour_begins_afresh():
    state = play(three_tries(), "box 2d", ".", "2+3")
    assert picks(state) == ["2d", "3i", "3v"]
    assert "@1,0,2;2,0,2" in choices(play(state, "2d"))


def test_r14_two_failed_tries_leave_the_choice():
    state = play(position(FLAT, roll="2+3"), "2d", "@1,0,2;2,0,2", "fall 1", "3i", "*", "fall 2")
    assert picks(state) == ["2d", "3i", "3v"]


def test_r14_a_verdict_that_is_not_the_judge_s_is_refused():
    state = judged.play(placing("2d"), "@1,0,1;2,0,1")
    assert judged.choices(state) == ["fall 1"]
    for text in ("stands", "fall 2"):
        assert refused(state, text, "one stone falls", playing=judged) == "R14"
    assert refused(judged.play(placing("2d"), "@0,0,1;1,0,1"), "fall 1", "the tower stands", playing=judged) == "R14"


def test_r14_a_domino_half_out_over_an_edge_falls():
    assert verdict("", "2d@1,0,1;2,0,1") == "fall 1"
    assert verdict("", "2d@-1,1,1;0,1,1") == "fall 1"


def test_r14_a_straight_three_or_four_one_out_stands():
    assert verdict("", "3i@0,1,1;1,1,1;2,1,1") == "stands"
    assert verdict("B 2d@2,0,0;2,0,1 | G 2d@0,0,1;1,0,1", "4i@0,0,2;1,0,2;2,0,2;3,0,2") == "stands"


def test_r14_a_bridge_stands():
    assert verdict("B 2d@2,0,0;2,0,1 | G 1n@0,0,1", "3i@0,0,2;1,0,2;2,0,2") == "stands"


def test_r14_a_counterweight_on_the_far_end_makes_an_overhang_stand():
    half_out = "B 2d@1,0,1;2,0,1"
    assert verdict(half_out, "1n@1,0,2") == "stands"
    assert verdict(half_out, "1c@2,0,2") == "fall 2"


@pytest.mark.parametrize(
    ("hand", "tremor", "answer"),
    [
        ("calm", "", "stands"),
        ("steady", "~E", "stands"),
        ("shaky", "~E", "fall 1"),
        ("shaky", "~W", "stands"),
        ("shaky", "~N", "stands"),
        ("shaky", "~S", "stands"),
    ],
)
def test_r14_a_tremor_tips_what_leans_that_way(hand, tremor, answer):
    assert verdict("", "5p@1,0,1;1,0,2;2,0,2;1,0,3;2,0,3", tremor, hand) == answer


TURNED = [
    lambda x, y: (x, y),
    lambda x, y: (1 - y, x),
    lambda x, y: (1 - x, 1 - y),
    lambda x, y: (y, 1 - x),
    lambda x, y: (1 - x, y),
    lambda x, y: (x, 1 - y),
    lambda x, y: (y, x),
    lambda x, y: (1 - y, 1 - x),
]


def rotated(stone, turn):
    cells = (cell(*turn(x_of(each), y_of(each)), z_of(each)) for each in stone.cells)
    return stone._replace(cells=tuple(sorted(cells)))


@pytest.mark.parametrize("seed", range(4))
def test_r14_turning_or_mirroring_a_tower_changes_no_verdict(seed):
    """Towers as chance builds them, those that stand and those that fall; the tremor is turned with them."""
    states = [state for state in random_states(new(3), seed) if state.phase is Phase.MOVE]
    ways = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
    for state in islice(states, 2, 12, 3):
        for way, (dx, dy) in ways.items():
            verdicts = {
                quick_judge(tuple(rotated(stone, turn) for stone in state.tower), Lean(2.5, side_of(turn, dx, dy)))
                for turn in TURNED
            }
            assert len(verdicts) == 1, way


def side_of(turn, dx, dy):
    """The side of the compass that a step goes to after turning."""
    (x0, y0), (x1, y1) = turn(0, 0), turn(dx, dy)
    return {(0, 1): "N", (1, 0): "E", (0, -1): "S", (-1, 0): "W"}[x1 - x0, y1 - y0]
