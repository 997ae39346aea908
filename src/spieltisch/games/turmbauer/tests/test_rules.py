"""The rules of Turmbauer: setting up and the order of a turn."""

from __future__ import annotations

import pytest

from spieltisch.core.game import BadSetup, Chance, Decision
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import FOUNDATION, is_coloured, x_of, y_of, z_of
from spieltisch.games.turmbauer.state import Phase
from spieltisch.games.turmbauer.tests.positions import (
    FLAT,
    FOR_REPLAY,
    TURN,
    choices,
    cubes,
    moving,
    new,
    pawn,
    picks,
    placing,
    play,
    position,
    random_states,
    refused,
    rings,
    side,
)

# R1 to R4: material and setting up


def test_r1_two_to_four_can_play():
    assert [GAME.agree(n).players for n in (2, 3, 4)] == [2, 3, 4]
    for number in (0, 1, 5):
        with pytest.raises(BadSetup, match="for 2 to 4 players"):
            GAME.agree(number)


@pytest.mark.parametrize(("players", "seats"), [(2, "R0 B1 G0 K1"), (3, "R0 B1 G2"), (4, "R0 B1 G2 K3")])
def test_r1_three_and_four_have_a_colour_each_and_two_have_two(players, seats):
    view = GAME.observe(new(players), None)
    assert " ".join(f"{each.colour}{each.seat}" for each in view.sides) == seats


def test_r1_with_two_players_the_order_is_r_b_g_k_all_game():
    states = random_states(new(2), "order")
    turns = [GAME.observe(state, None) for state in states if state.phase is Phase.ROLL]
    assert "".join(view.colour for view in turns) == "RBGK" * 12
    assert [view.seat for view in turns] == [0, 1] * 24


def test_r1_stones_rings_and_pawns_of_a_seat_s_two_colours_stay_apart():
    state = play(position(FLAT, roll="1+3", players=2), "a4l", "*", "stands", ".")
    assert (rings(state, "R"), rings(state, "G")) == (1, 2)
    assert ("4l" in side(state, "R").stock, "4l" in side(state, "G").stock) == (False, True)
    moved = play(moving(players=2), ">0,0,1")
    assert (pawn(moved, "R"), pawn(moved, "G")) == ("0,0,1", "table")


def test_r2_everybody_has_twelve_stones_two_of_each_size_a_pawn_and_two_rings():
    for colour in "RBGK":
        own = side(new(4), colour)
        assert sorted(int(kind[0]) for kind in own.stock) == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
        assert (own.rings, own.box, own.pawn, own.height) == (2, (), None, 0)


def test_r2_one_of_the_two_single_cubes_is_natural():
    assert choices(placing("1n")) == ["@0,0,1", "@1,1,1"]
    assert choices(placing("1c")) == ["@1,0,1", "@0,1,1"]


def test_r3_the_foundation_is_two_by_two_brown_and_natural_and_open_to_all():
    assert [(x_of(c), y_of(c), z_of(c)) for c in FOUNDATION] == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
    assert [is_coloured(c) for c in FOUNDATION] == [True, False, False, True]
    for colour in "RBG":
        assert choices(moving(colour=colour)) == [".", ">0,0,1", ">1,0,1", ">0,1,1", ">1,1,1"]


def test_r3_all_pawns_begin_on_the_table_and_nothing_is_built():
    state = new(4)
    assert [pawn(state, colour) for colour in "RBGK"] == ["table"] * 4
    assert GAME.observe(state, None).tower == ()


def test_r3_nothing_lies_below_the_table():
    state = placing("2d", in_round=1)
    assert refused(state, "@2,0,-1;2,0,0", "column 2 row 0 floor 0", "below the table") == "R3"
    assert refused(state, "@0,0,-1;0,0,-2") == "R3"


@pytest.mark.parametrize(
    ("players", "first", "order"),
    [(3, 0, "RBGR"), (3, 1, "BGRB"), (3, 2, "GRBG"), (4, 3, "KRBGK"), (2, 0, "RBGKR"), (2, 1, "BGKRB")],
)
def test_r4_play_goes_clockwise_from_the_first_player(players, first, order):
    state, seen, seats = new(players, first), "", []
    for _ in order:
        view = GAME.observe(state, None)
        seen, seats = seen + view.colour, [*seats, view.seat]
        assert FOR_REPLAY.pending(play(state, "6+6")).seat == view.seat
        state = play(state, *TURN)
    assert seen == order
    assert seats == [(first + n) % players for n in range(len(order))]


# R5 to R7: a turn


def test_r5_two_dice_are_rolled_and_a_double_is_half_as_likely():
    pending = GAME.pending(position())
    assert isinstance(pending, Chance)
    assert choices(position()) == [f"{low}+{high}" for low in range(1, 7) for high in range(low, 7)]
    assert list(pending.weights) == [1 if text[0] == text[2] else 2 for text in choices(position())]
    assert sum(pending.weights) == 36


def test_r5_a_stone_is_as_large_as_one_of_the_dice():
    assert picks(position(roll="3+5")) == ["3i", "3v", "5c", "5p"]
    assert picks(position(roll="1+2")) == ["1c", "1n", "2d"]
    assert picks(position(roll="4+6")) == ["4i", "4l", "6r", "6s"]


@pytest.mark.parametrize("roll", ["1+1", "3+3", "6+6"])
def test_r5_after_a_double_any_stone_may_be_built(roll):
    assert choices(position(roll=roll)) == ["1c", "1n", "2d", "3i", "3v", "4i", "4l", "5c", "5p", "6r", "6s"]


def test_r5_the_dice_are_never_added_up():
    """Known misreading: building with the dice's sum."""
    state = position(roll="2+4")
    assert refused(state, "6r", "2 and 4", "added up") == "R5"
    assert refused(position(roll="1+2"), "3i", "1 and 2", "added up") == "R5"
    assert refused(position(roll="1+2", rings="R:0"), "3v") == "R5"


def test_r5_another_size_is_refused():
    assert refused(position(roll="2+4"), "5c", "2 and 4", "the 5-cube stone of 2 by 2 by 2") == "R5"
    assert refused(position(roll="2+4"), "1n", "2 and 4", "the natural 1-cube stone") == "R5"


def test_r5_a_stone_that_is_used_up_is_refused():
    state = position("R 4l@3,-1,0;3,0,0;2,1,0;3,1,0", roll="4+6")
    assert "4l" not in choices(state)
    assert refused(state, "4l", "the 4-cube stone of 3 by 2", "stock") == "R5"
    assert refused(state, "a4l", "the 4-cube stone of 3 by 2", "stock") == "R5"


def test_r5_roll_stone_and_place_come_in_this_order_and_once():
    state = position()
    assert refused(state, "4l", "after the roll") == "R5"
    assert refused(state, "@0,0,1", "after the stone") == "R5"
    state = play(state, "2+4")
    assert refused(state, "1+1", "rolled") == "R5"
    assert refused(state, "@0,0,1;1,0,1") == "R5"
    state = play(state, "2d")
    assert refused(state, "4l") == "R5"
    state = play(state, "@0,0,1;1,0,1", "stands")
    assert refused(state, "2d") == "R5"
    assert refused(state, "2+4") == "R5"


def test_r5_the_seat_whose_turn_it_is_chooses_stone_place_and_move():
    state = position(roll="1+3", colour="K", players=2)
    for text in ("3i", "@1,0,1;1,1,1;1,2,1", "stands"):
        pending = FOR_REPLAY.pending(state)
        assert not isinstance(pending, Decision) or pending.seat == 1
        state = play(state, text)
    assert FOR_REPLAY.pending(state).seat == 1


def test_r6_with_neither_size_in_stock_any_stone_goes_into_the_box():
    state = position(roll="2+4", stocks={"R": "1c 3i 3v 6s"}, rings="R:0")
    assert choices(state) == ["box 1c", "box 3i", "box 3v", "box 6s"]
    after = play(state, "box 3v")
    assert side(after, "R").stock == ("1c", "3i", "6s")
    assert side(after, "R").box.count("3v") == 1
    assert cubes(after) == cubes(state) == 126
    assert refused(state, "3i") == "R5"


def test_r6_the_box_stays_possible_beside_ring_a():
    state = position(roll="2+4", stocks={"R": "1c 3i"})
    assert choices(state) == ["a1c", "a3i", "box 1c", "box 3i"]


def test_r6_without_a_place_for_any_fitting_stone_one_goes_into_the_box():
    """Decided. A natural cube could lie on brown fields only, and pawns stand there."""
    state = position(pawns="B:0,0,1 G:1,1,1", roll="1+5", stocks={"R": "1n 2d 6r"}, rings="R:0")
    assert choices(state) == ["box 1n", "box 2d", "box 6r"]
    assert refused(state, "1n", "no place", "the natural 1-cube stone") == "R6"
    assert picks(position(pawns="B:0,0,1", roll="1+5", stocks={"R": "1n 2d 6r"})) == ["1n"]


def test_r6_places_ruled_out_in_this_turn_are_no_places():
    """Decided."""
    state = position(roll="1+5", stocks={"R": "1n 2d"})
    state = play(state, "1n", "@0,0,1", "fall 1")
    assert picks(state) == ["1n"]
    state = play(state, "1n", "@1,1,1", "fall 1")
    assert choices(state) == ["a2d", "box 1n", "box 2d"]
    assert refused(state, "1n", "no place", "the natural 1-cube stone") == "R6"


def test_r6_if_only_one_of_the_sizes_is_in_stock_that_one_is_built():
    state = position(roll="2+5", stocks={"R": "2d 3i 6r"}, rings="R:0")
    assert choices(state) == ["2d"]
    assert refused(state, "box 2d", "can be built") == "R6"
    assert refused(state, "box 6r") == "R6"


def test_r6_nothing_goes_into_the_box_while_something_can_be_built():
    state = position(roll="2+5")
    assert not [text for text in choices(state) if text.startswith("box")]
    for kind in ("1c", "2d", "5p", "6s"):
        assert refused(state, f"box {kind}") == "R6"
    assert refused(position(roll="2+2"), "box 2d") == "R6"


def test_r6_the_box_is_for_stones_in_stock_and_for_the_time_after_the_roll():
    state = position(roll="2+4", stocks={"R": "1c 3i"})
    assert refused(state, "box 2d", "the straight 2-cube stone", "stock") == "R6"
    assert refused(position(), "box 2d", "box") == "R6"
    assert refused(play(state, "box 1c"), "box 3i") == "R6"


def test_r7_after_building_the_pawn_may_move_or_stay():
    state = play(position(roll="1+2"), "1n", "@1,1,1", "stands")
    assert choices(state) == [".", ">0,0,1", ">1,0,1", ">0,1,1", ">1,1,2"]
    assert pawn(play(state, "."), "R") == "table"
    assert pawn(play(state, ">1,1,2"), "R") == "1,1,2"


def test_r7_after_boxing_it_may_move_too():
    state = play(position(roll="2+4", stocks={"R": "1c 3i"}), "box 3i")
    assert choices(state) == [".", ">0,0,1", ">1,0,1", ">0,1,1", ">1,1,1"]


def test_r7_the_pawn_does_not_move_before_the_building():
    for state in (position(), position(roll="1+2"), placing("1n"), play(placing("1n"), "@0,0,1")):
        assert refused(state, ">0,0,1", "after a stone has been built") == "R7"
        assert refused(state, ".") == "R7"
        assert refused(state, "b>0,0,1") == "R7"


def test_r7_the_pawn_moves_once_and_then_the_next_colour_rolls():
    state = play(moving(), ">0,0,1")
    assert (GAME.observe(state, None).colour, state.phase) == ("B", Phase.ROLL)
    assert refused(state, ">1,0,1") == "R7"


def test_r7_staying_is_written_with_a_dot():
    assert refused(moving(), ">table", "already") == "R7"
    assert refused(moving(pawns="R:1,1,1"), ">1,1,1") == "R7"
    assert refused(moving(pawns="R:1,1,1"), "b>1,1,1") == "R7"
