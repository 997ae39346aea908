"""The rules of Turmbauer for moving, and the rings."""

from __future__ import annotations

from spieltisch.games.turmbauer.tests.positions import (
    CORNER,
    FLAT,
    FOREIGN,
    choices,
    moving,
    pawn,
    picks,
    placing,
    play,
    position,
    refused,
    rings,
    side,
)

# R15 to R17: moving


def test_r15_the_height_of_a_field_is_one_more_than_its_floor_from_zero():
    state = play(moving(FLAT, "R:0,0,2"), ">1,1,2")
    assert side(state, "R").height == 2
    assert side(state, "B").height == 0
    assert side(play(moving(), ">1,1,1"), "R").height == 1


def test_r15_a_pawn_needs_the_cell_above_its_field():
    state = moving("B 1n@0,0,1")
    assert refused(state, ">0,0,1", "above column 0 row 0 height 1") == "R15"
    assert refused(state, "b>0,0,1", "above column 0 row 0 height 1") == "R15"
    assert ">0,0,2" in choices(state)


def test_r15_where_there_is_no_cube_there_is_no_field():
    assert refused(moving(), ">5,-2,1", "no cube", "column 5 row minus 2 height 1") == "R15"
    assert refused(moving("B 1n@0,0,1"), ">0,0,3") == "R15"


def test_r15_any_number_of_pawns_stand_on_the_table_and_are_in_nobody_s_way():
    state = moving(pawns="R:0,0,1")
    assert ">table" in choices(state)
    assert [pawn(play(state, ">table"), colour) for colour in "RBG"] == ["table"] * 3
    assert len(choices(placing("1c", in_round=1))) == 6


def test_r15_the_table_is_one_place_also_below_overhangs():
    """From (1,0,1) only the square (2,0) is open; it is joined to the rest through (3,0), below a domino."""
    stones = (
        "B 4i@1,1,1;1,1,2;1,1,3;1,1,4 | G 2d@0,0,1;0,0,2 | B 2d@1,-1,0;2,-1,0 | R 2d@2,1,0;3,1,0 | G 2d@3,0,1;3,1,1"
    )
    assert ">table" in choices(moving(stones, "R:1,0,1"))
    closed = f"{stones} | B 1n@3,0,0"
    assert choices(moving(closed, "R:1,0,1", rings="R:0")) == ["."]


def test_r15_a_courtyard_is_never_entered():
    """The walls around (1,0,1) are too high for any ring; only the square (2,0) is low enough."""
    stones = (
        "B 4i@1,1,1;1,1,2;1,1,3;1,1,4 | G 2d@0,0,1;0,0,2 | B 3i@1,-1,0;1,-1,1;1,-1,2 | "
        "G 2d@2,-1,0;2,-1,1 | R 4l@3,-1,0;3,0,0;2,1,0;3,1,0"
    )
    state = moving(stones, "R:1,0,1")
    assert choices(state) == ["."]
    assert refused(state, ">table") == "R16"
    assert ">table" in choices(moving(stones, "R:3,0,1"))
    assert ">table" in choices(moving(stones.partition(" | R")[0], "R:1,0,1"))


def test_r15_a_courtyard_is_not_left_either():
    """Nobody is ever there: a pawn on the table does not come up inside."""
    stones = f"{CORNER} | G 2d@0,0,1;0,0,2 | B 3i@0,1,1;0,1,2;0,1,3"
    assert ">1,0,1" not in choices(moving(stones))
    assert refused(moving(stones), ">1,0,1") == "R17"


def test_r16_a_pawn_moves_as_far_as_it_likes_up_and_down():
    stairs = "R 1c@1,0,1 | R 2d@1,1,1;1,1,2 | R 3i@0,1,1;0,1,2;0,1,3"
    assert choices(moving(stairs)) == [".", ">0,0,1", ">1,0,2", ">1,1,3", ">0,1,4"]
    assert choices(moving(stairs, "R:0,1,4")) == [".", ">table", ">0,0,1", ">1,0,2", ">1,1,3"]


def test_r16_it_may_climb_down_to_the_table_and_up_again_elsewhere():
    """Columns of three cubes part the two lower fields; the way round leads over the table."""
    stones = "B 3i@1,0,1;1,0,2;1,0,3 | G 3i@0,1,1;0,1,2;0,1,3"
    assert choices(moving(stones, "R:0,0,1", rings="R:0")) == [".", ">table", ">1,1,1"]


def test_r16_no_step_is_diagonal():
    """Known misreading. Both columns rise far above the fields between them."""
    stones = "R 4i@0,0,1;0,0,2;0,0,3;0,0,4 | B 4i@1,1,1;1,1,2;1,1,3;1,1,4 | B 1n@1,1,5"
    state = moving(stones, "R:0,0,5")
    assert choices(state) == ["."]
    for text in (">1,1,6", "b>1,1,6", "c>1,1,6"):
        assert refused(state, text, "column 1 row 1 height 6", "diagonally") == "R16"


def test_r16_a_step_of_two_heights_needs_ring_c():
    """Known misreading."""
    assert refused(moving(FLAT), ">0,0,2", "column 0 row 0 height 2", "two heights") == "R16"
    assert refused(moving(FLAT), "b>0,0,2", "column 0 row 0 height 2", "two heights") == "R16"
    state = moving(FLAT, "R:0,0,2")
    assert refused(state, ">table", "the table", "two heights") == "R16"


def test_r16_three_heights_are_too_many_for_any_pawn():
    state = moving("B 3i@1,0,1;1,0,2;1,0,3")
    for ring in ("", "b", "c"):
        assert refused(state, f"{ring}>1,0,4", "no way", "column 1 row 0 height 4") == "R16"


def test_r16_a_step_up_or_down_needs_room_above_the_lower_place():
    """Decided. The field at height 2 is next to (1,0,1) only; later a domino juts out above that."""
    stones = "B 1n@0,0,1 | G 4i@0,1,1;0,1,2;0,1,3;0,1,4 | B 4i@1,1,1;1,1,2;1,1,3;1,1,4"
    assert ">0,0,2" in choices(moving(stones, "R:1,0,1"))
    assert ">1,0,1" in choices(moving(stones, "R:0,0,2"))
    roofed = "B 1n@0,0,1 | G 4i@0,1,1;0,1,2;0,1,3;0,1,4 | G 1n@1,1,1 | B 2d@1,0,2;1,1,2"
    assert choices(moving(roofed, "R:1,0,1", rings="R:0")) == [".", ">table"]
    assert refused(moving(roofed, "R:1,0,1"), ">0,0,2") == "R16"
    assert refused(moving(roofed, "R:0,0,2"), ">1,0,1") == "R16"


def test_r16_a_level_step_needs_no_more_room_than_the_pawn():
    low = "G 1n@1,1,1 | B 2d@1,0,2;1,1,2"
    assert ">1,0,1" in choices(moving(low, "R:0,0,1"))


def test_r16_an_overhang_takes_the_room_to_climb_up_from_the_table():
    """The two squares beside (1,0,1) come to lie below dominoes."""
    walls = "B 4i@0,0,1;0,0,2;0,0,3;0,0,4 | G 4i@1,1,1;1,1,2;1,1,3;1,1,4"
    assert choices(moving(walls, rings="R:0")) == [".", ">1,0,1", ">0,1,1"]
    below = f"{walls} | R 2d@2,1,0;3,1,0 | G 2d@2,0,1;2,1,1 | R 2d@-1,-1,0;0,-1,0 | B 2d@0,-1,1;1,-1,1"
    assert choices(moving(below, rings="R:0")) == [".", ">-1,-1,1", ">0,1,1", ">3,1,1"]
    assert choices(moving(below, "R:1,0,1", rings="R:0")) == [".", ">1,-1,2", ">2,0,2"]


def test_r17_natural_brown_and_own_fields_are_open_and_others_are_not():
    state = moving(FOREIGN, "R:0,0,2")
    assert refused(state, ">1,0,2", "column 1 row 0 height 2 is blue") == "R17"
    assert refused(state, ">0,1,2", "column 0 row 1 height 2 is green") == "R17"
    assert ">1,0,2" in choices(moving(FLAT, "R:0,0,2"))
    assert ">1,0,2" in choices(moving(FOREIGN, "B:0,0,2", colour="B"))


def test_r17_other_colours_are_not_passed_either():
    for text in (">1,1,2", "c>1,1,2"):
        assert refused(moving(FOREIGN, "R:0,0,2"), text, "column 1 row 1 height 2", "other colours") == "R17"


def test_r17_no_pawn_enters_a_field_that_another_stands_on():
    state = moving(FLAT, "R:0,0,2 G:1,0,2")
    assert refused(state, ">1,0,2", "the green pawn stands there") == "R17"
    assert refused(state, "c>1,0,2", "the green pawn stands there") == "R17"
    assert ">1,0,1" not in choices(moving(pawns="R:0,0,1 B:1,0,1"))


def test_r17_no_pawn_passes_another():
    """Known misreading."""
    state = moving(FLAT, "R:0,0,2 G:1,0,2")
    assert refused(state, ">1,1,2", "other pawns", "column 1 row 1 height 2") == "R17"
    assert ">1,1,2" in choices(moving(FLAT, "R:0,0,2 G:table"))


def test_r17_with_two_players_the_seat_s_other_colour_is_foreign():
    state = moving(FOREIGN, "R:0,0,2", players=2)
    assert refused(state, ">0,1,2", "column 0 row 1 height 2 is green") == "R17"
    state = moving(FLAT, "R:0,0,2 G:1,0,2", players=2)
    assert refused(state, ">1,0,2", "the green pawn stands there") == "R17"
    assert refused(state, ">1,1,2", "other pawns", "column 1 row 1 height 2") == "R17"
    assert refused(state, "b>1,0,2", "the green pawn stands there") == "R17"


# R18 and R19: rings


def test_r18_ring_a_builds_any_stone_whatever_the_dice_show():
    state = position(FLAT, roll="1+3")
    assert choices(state) == ["1c", "1n", "3i", "3v", "a2d", "a4i", "a4l", "a5c", "a5p", "a6r", "a6s"]
    state = play(state, "a4l", "@0,0,2;1,0,2;2,0,2;0,1,2", "stands")
    assert rings(state) == 1
    assert "4l" not in side(state, "R").stock


def test_r18_ring_a_is_spent_when_the_stone_stands():
    state = play(position(FLAT, roll="1+3"), "a2d")
    assert rings(state) == 2
    assert rings(play(state, "@1,0,2;2,0,2", "stands")) == 1


def test_r18_ring_a_serves_also_instead_of_the_box():
    state = position(roll="2+4", stocks={"R": "1c 3i"})
    after = play(state, "a3i", "@1,0,1;1,1,1;1,2,1", "stands")
    assert (rings(after), side(after, "R").stock) == (1, ("1c",))
    assert "3i" not in side(after, "R").box


def test_r18_at_most_one_ring_is_spent_in_a_turn():
    """Decided."""
    state = play(position(FLAT, roll="1+3"), "a2d", "@1,0,2;2,0,2", "stands")
    assert choices(state) == ["."]
    assert refused(state, "c>0,0,2", "one ring") == "R18"
    state = play(position(FOREIGN, "R:0,0,2", roll="1+3"), "a2d", "@1,0,2;2,0,2", "stands")
    assert refused(state, "b>0,1,2", "one ring") == "R18"


def test_r18_spent_rings_leave_the_game():
    state = position(FLAT, roll="1+3", rings="R:0")
    assert refused(state, "a2d", "no ring") == "R18"
    assert picks(state) == choices(state)
    assert choices(moving(FLAT, rings="R:0")) == ["."]
    assert refused(moving(FLAT, rings="R:0"), "c>0,0,2", "no ring") == "R18"
    assert refused(moving(FOREIGN, "R:0,0,2", rings="R:0"), "b>0,1,2", "no ring") == "R18"
    after = play(moving(FLAT, rings="R:1"), "c>0,0,2")
    assert [rings(after, colour) for colour in "RBG"] == [0, 2, 2]


def test_r18_a_new_turn_may_spend_another_ring():
    state = play(moving(FLAT), "c>0,0,2", "6+6", "1n", "@0,1,2", "stands", ".", "6+6", "1n", "@1,0,2", "stands", ".")
    state = play(state, "6+6", "1c", "@1,1,2", "stands")
    assert "c>table" in choices(state)
    state = play(position(FLAT, "B:1,1,2", roll="1+3", stocks={"B": "6r"}), "a2d", "@1,0,2;2,0,2", "stands", ".")
    assert "c>table" in choices(play(state, "1+3", "box 6r"))


def test_r18_ring_b_enters_and_stays_on_fields_of_other_colours():
    state = moving(FOREIGN, "R:0,0,2")
    assert choices(state) == [".", "b>1,0,2", "b>0,1,2", "b>1,1,2", "c>table"]
    after = play(state, "b>0,1,2")
    assert (pawn(after, "R"), rings(after)) == ("0,1,2", 1)


def test_r18_ring_b_opens_fields_in_one_move_only():
    state = moving(FOREIGN, "R:0,1,2", rings="R:0")
    assert choices(state) == [".", ">0,0,2", ">1,1,2"]
    assert refused(state, ">1,0,2", "column 1 row 0 height 2 is blue") == "R17"


def test_r18_ring_b_passes_other_pawns_but_does_not_stop_on_them():
    state = moving(FLAT, "R:0,0,2 G:1,0,2 B:0,1,2")
    assert choices(state) == [".", "b>1,1,2", "c>table"]
    assert refused(state, "b>0,1,2", "the blue pawn stands there") == "R17"
    assert refused(state, "b>1,0,2", "the green pawn stands there") == "R17"


def test_r18_ring_b_takes_no_steps_of_two_heights():
    assert refused(moving(FLAT), "b>0,0,2") == "R16"


def test_r18_ring_c_climbs_two_heights_from_the_table_and_down_to_it():
    assert choices(moving(FLAT)) == [".", "c>0,0,2", "c>1,0,2", "c>1,1,2"]
    assert choices(moving(FLAT, "R:0,0,2")) == [".", ">1,0,2", ">1,1,2", "b>0,1,2", "c>table"]
    after = play(moving(FLAT, "R:0,0,2"), "c>table")
    assert (pawn(after, "R"), rings(after)) == ("table", 1)


def test_r18_ring_c_takes_the_one_long_step_anywhere_on_the_way():
    stones = "G 2d@1,0,1;1,0,2 | B 2d@1,1,1;1,1,2 | G 1n@1,1,3"
    state = moving(stones)
    assert choices(state) == [".", ">0,0,1", ">0,1,1", "c>1,0,3", "c>1,1,4"]
    assert choices(moving(stones, "R:1,1,4")) == [".", ">1,0,3", "c>table", "c>0,0,1", "c>0,1,1"]


def test_r18_ring_c_takes_one_long_step_and_not_two():
    stones = f"{FLAT} | G 2d@0,0,2;0,0,3"
    assert refused(moving(stones), "c>0,0,4", "no way", "column 0 row 0 height 4") == "R16"
    assert "c>0,0,4" in choices(moving(stones, "R:1,0,2"))


def test_r18_ring_c_keeps_to_the_colours_and_passes_no_pawn():
    assert refused(moving(FLAT), "c>0,1,2", "column 0 row 1 height 2 is blue") == "R17"
    assert refused(moving(FLAT, "B:0,0,2"), "c>0,0,2", "the blue pawn stands there") == "R17"
    stones = "G 2d@1,0,1;1,0,2 | B 2d@1,1,1;1,1,2 | G 1n@1,1,3"
    state = moving(stones, "G:1,0,3")
    assert refused(state, "c>1,1,4", "other pawns", "column 1 row 1 height 4") == "R17"


def test_r18_ring_c_needs_a_free_column_up_to_the_higher_pawn():
    """From (0,0,1) to height 3: the cells of floors 2, 3 and 4 above the brown field are free, or one is not."""
    stones = "G 2d@1,0,1;1,0,2 | B 2d@0,1,1;0,1,2 | G 4i@1,1,1;1,1,2;1,1,3;1,1,4"
    assert choices(moving(stones, "R:0,0,1")) == [".", ">table", "c>1,0,3", "c>0,1,3"]
    assert "c>0,0,1" in choices(moving(stones, "R:1,0,3"))
    roofed = f"{stones} | B 2d@0,0,3;0,1,3"
    assert choices(moving(roofed, "R:0,0,1")) == [".", ">table"]
    assert refused(moving(roofed, "R:0,0,1"), "c>1,0,3", "no way", "column 1 row 0 height 3") == "R16"
    assert refused(moving(roofed, "R:1,0,3"), "c>0,0,1") == "R16"


def test_r19_ring_a_is_for_stones_the_dice_do_not_allow():
    """Decided."""
    state = position(roll="3+5")
    assert [text for text in choices(state) if text[0] == "a"] == ["a1c", "a1n", "a2d", "a4i", "a4l", "a6r", "a6s"]
    assert refused(state, "a3i", "the straight 3-cube stone", "no ring") == "R19"
    assert refused(position(roll="4+4"), "a2d") == "R19"


def test_r19_ring_a_is_for_stones_that_have_a_place():
    state = position(pawns="B:0,0,1 G:1,1,1", roll="2+5")
    assert "a1n" not in choices(state)
    assert refused(state, "a1n", "no place", "the natural 1-cube stone") == "R6"


def test_r19_rings_b_and_c_are_for_places_that_the_plain_move_does_not_reach():
    """Decided."""
    for ring in "bc":
        assert refused(moving(), f"{ring}>0,0,1", "without a ring") == "R19"
        assert refused(moving(pawns="R:0,0,1"), f"{ring}>table", "without a ring") == "R19"


def test_r19_a_place_that_b_and_c_reach_is_offered_with_both():
    """The blue pawn stands on the stairs: b passes it, c climbs from the other side."""
    state = moving("R 1c@0,1,1 | R 2d@1,1,1;1,1,2", "R:1,0,1 B:0,1,2")
    assert choices(state) == [".", ">table", ">0,0,1", "b>1,1,3", "c>1,1,3"]
    assert [rings(play(state, text)) for text in ("b>1,1,3", "c>1,1,3")] == [1, 1]


def test_r19_a_ring_that_was_not_spent_may_still_serve():
    """Decided. Ring a was declared for a stone that fell."""
    state = play(position(FLAT, roll="1+3"), "a2d", "@1,0,2;2,0,2", "fall 1", "1n", "@1,0,2", "stands")
    assert "c>0,0,2" in choices(state)
    again = play(position(FLAT, roll="1+3", rings="R:1"), "a2d", "@1,0,2;2,0,2", "fall 1", "a2d", "*", "stands")
    assert rings(again) == 0
