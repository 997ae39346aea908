"""A test for every numbered rule of Big Points, and for the misreadings that are known."""

from __future__ import annotations

import pytest

from spieltisch.core.game import BadNotation, BadSetup, Chance, Heard, Over, Seat
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.series import Series
from spieltisch.games.bigpoints import GAME
from spieltisch.games.bigpoints.tests.positions import choices, dealt, held, play, position, refused

PRINTED = "g w . y k p r b g p"  # the printed example, once blue has moved
WHERE = "g1 y4 p6 r7 b8"


def test_r1_two_to_five_play_and_the_edition_2008_is_for_four_at_most():
    assert [GAME.agree(n).edition for n in (2, 3, 4, 5)] == ["2009"] * 4
    assert [GAME.agree(n, "2008").players for n in (2, 3, 4)] == [2, 3, 4]
    with pytest.raises(BadSetup, match="for 2 to 4 players, not for 5"):
        GAME.agree(5, "2008")


def test_r2_there_are_sixty_discs():
    view = GAME.observe(dealt(1), Seat(0))
    whole = view.laid + view.beside
    assert {letter: whole.count(letter) for letter in "brygpwk"} == dict.fromkeys("brygp", 10) | {"w": 5, "k": 5}
    assert [step.value for step in view.steps] == [4, 3, 2, 1, 0]


def test_r3_the_track_is_laid_disc_by_disc_from_what_is_left():
    state = GAME.initial(GAME.agree())
    assert list(GAME.pending(state).weights) == [9, 9, 9, 9, 9, 5, 5]
    state = play(state, "k", "k", "k", "k", "k")
    assert choices(state) == list("brygpw")
    assert refused(state, "k") == "R3"
    assert refused(state, "r+") == "R3"
    assert refused(state, ".") == "R3"
    assert refused(dealt(1), "b") == "R3"
    assert isinstance(GAME.pending(state), Chance)


def test_r4_pawns_begin_at_the_start_and_turns_go_clockwise():
    state = dealt(1, 3)
    assert GAME.observe(state, None).pawns == (0,) * 5
    assert [state.seat, play(state, "r+").seat, play(state, "r+", "b+").seat, play(state, "r+", "b+", "r+").seat] == [
        0,
        1,
        2,
        0,
    ]


def test_r5_a_pawn_moves_forward_onto_the_nearest_disc_of_its_colour():
    state = position("w b r b y g p w", "b2")
    assert GAME.observe(play(state, "b+"), None).pawns[0] == 4
    assert GAME.observe(play(state, "r+"), None).pawns[1] == 3
    assert refused(state, ".") == "R5"
    assert refused(state, "b<+") == "R5"
    assert refused(state, "b^") == "R5"


def test_r5_a_normal_move_backward_is_refused_for_a_pawn_on_the_staircase_too():
    assert refused(position("w b r b y g p w", stairs="r"), "r<-") == "R5"


def test_r6_the_printed_example_offers_the_green_disc_ahead_or_the_black_disc_behind():
    before = position(PRINTED, "g1 y4 p6 r7")
    ahead, behind = play(before, "b+"), play(before, "b-")
    assert GAME.observe(ahead, None).pawns == (8, 7, 4, 1, 6)
    assert (held(ahead), held(behind)) == ("g", "k")
    assert GAME.observe(ahead, None).track == "gw.ykprb.p"
    assert GAME.observe(behind, None).track == "gw.y.prbgp"


def test_r6_occupied_discs_and_gaps_are_skipped_however_far():
    """Known misreadings: taking an occupied disc, taking only an adjacent one. No text can say either."""
    state = position("w . . y . . b r p", "y4 r8 p9")
    assert choices(state)[0] == "b-"
    assert held(play(state, "b-")) == "w"


def test_r6_the_disc_just_left_is_free():
    assert held(play(position("w b b r", "b2"), "b-")) == "b"


def test_r6_ahead_is_towards_the_staircase_also_after_a_backward_move():
    state = position("w b r b y g p w", "b4", hands=("k", ""), extra=True)
    assert held(play(state, "*b<+")) == "r"
    assert held(play(state, "*b<-")) == "w"


def test_r6_taking_is_a_duty():
    assert refused(position(PRINTED, "g1"), "b0") == "R6"


def test_r7_with_nothing_on_one_side_the_other_must_be_taken():
    state = position("b r w")
    assert choices(state) == ["b+", "r+", "r-", "y^", "g^", "p^"]
    assert refused(state, "b-") == "R7"
    assert refused(position("w r b"), "b+") == "R7"


def test_r7_on_a_track_too_small_nothing_is_taken():
    state = position("b")
    assert choices(state)[0] == "b0"
    assert held(play(state, "b0")) == ""
    assert refused(state, "b+") == "R7"


def test_r8_a_pawn_without_a_disc_ahead_climbs_and_brings_the_disc_beside_the_staircase():
    state = position("w b r", "b2")
    assert "b^" in choices(state)
    after = play(state, "b^")
    view = GAME.observe(after, Seat(0))
    assert held(after) == "b"
    assert view.steps[0].pawn == "b"
    assert view.beside == "rygp"
    assert view.track == "wbr"
    assert refused(state, "b+") == "R8"
    assert refused(state, "b0") == "R8"


def test_r8_the_last_pawns_disc_is_received_before_the_game_ends():
    state = play(position("w w", stairs="rygp"), "b^")
    assert isinstance(GAME.pending(state), Over)
    assert held(state) == "b"


def test_r9_hands_are_concealed_and_can_be_remembered():
    state = dealt(3)
    heard = [Heard(None, letter) for letter in GAME.observe(state, None).laid]
    for text in ("r+", "b-", "r-"):
        heard.append(Heard(state.seat, text))
        state = play(state, text)
    view = GAME.observe(state, Seat(1))
    assert [hand.size for hand in view.hands] == [2, 1]
    assert view.hands[0].discs is None
    assert view.hands[1].discs is not None
    assert GAME.recall(view, heard).hands[0].discs == GAME.observe(state, Seat(0)).hands[0].discs
    assert GAME.recall(view, heard[20:]) == view


def test_r9_open_hands_are_a_house_rule():
    assert all(hand.discs is not None for hand in GAME.observe(dealt(1, 3, hands="open"), None).hands)


def test_r10_a_black_disc_buys_one_more_move_after_the_normal_one():
    state = position("w b r b y g p w", hands=("k", ""))
    assert not any("*" in text for text in choices(state))
    assert refused(state, "*r+") == "R10"
    after = play(state, "r+")
    assert (after.seat, after.extra) == (0, True)
    assert choices(after)[-1] == "."
    assert play(after, ".").seat == 1
    done = play(after, "*b+")
    assert (done.seat, done.extra) == (1, False)
    assert "k" not in held(done)


def test_r10_two_black_discs_in_a_turn_are_one_too_many():
    after = play(position("w b r b y g p w", hands=("kk", "")), "r+", "*b+")
    assert after.seat == 1
    assert refused(after, "*b+") == "R10"


def test_r10_no_normal_move_while_the_extra_move_is_asked_for():
    assert refused(position("w b r b", hands=("k", ""), extra=True), "b+") == "R10"


def test_r10_without_a_black_disc_nobody_is_asked():
    assert play(position("w b r b y g p w"), "r+").seat == 1


def test_r11_the_extra_move_goes_forward_or_backward_with_any_pawn():
    state = position("w b r b y g p w", "b4", hands=("k", ""), extra=True)
    assert choices(state) == ["*b^", "*b<+", "*b<-", "*r+", "*r-", "*y+", "*y-", "*g+", "*g-", "*p+", "*p-", "."]
    assert GAME.observe(play(state, "*b<+"), None).pawns[0] == 2


def test_r11_backward_needs_a_disc_behind_and_never_leads_to_the_start():
    state = position("w b r b y g p w", "b2 r3", hands=("k", ""), extra=True)
    assert refused(state, "*b<+") == "R11"
    assert refused(state, "*r<-") == "R11"
    assert refused(state, "*g<+") == "R11"


def test_r12_a_black_disc_taken_in_this_turn_waits_for_the_next():
    after = play(position("w b k r y g p w"), "b+")
    assert held(after) == "k"
    assert (after.seat, after.extra) == (1, False)


def test_r13_black_discs_handed_in_are_out_of_the_game():
    state = play(position("w b r b y g p w k", hands=("k", "")), "r+", "*b+")
    state = state._replace(
        deal=state.deal._replace(discs=state.deal.discs + b"\6")
    )  # the one that was held came from it
    assert GAME.observe(state, None).handed_in == 1


def test_r14_the_extra_move_may_follow_a_move_onto_the_staircase():
    state = position("w b r", "b2", hands=("k", ""))
    assert play(state, "b^").extra
    last = play(position("w w", stairs="rygp", hands=("k", "")), "b^")
    assert isinstance(GAME.pending(last), Over)


def test_r15_the_game_ends_at_once_with_the_fifth_pawn():
    state = play(position("w w", stairs="rygp", hands=("", "", "")), "b^")
    assert GAME.pending(state).outcome.ending == "stairs"
    for text in ("b+", ".", "*b+"):
        assert refused(state, text) == "R15"


def test_r16_the_printed_scoring_example_gives_eighteen():
    state = position("w", stairs="rypbg", hands=("rrpgkww", ""))
    assert GAME.pending(state).outcome.scores == (18, 0)


@pytest.mark.parametrize(
    ("hand", "points"), [("w", 0), ("ww", 0), ("wk", 1), ("wbrygpk", 16), ("wwwwwg", 5), ("k", 0), ("bbb", 3), ("", 0)]
)
def test_r16_white_counts_the_other_colours(hand, points):
    state = position("w", stairs="rypbg", hands=(hand, ""))
    assert GAME.pending(state).outcome.scores[0] == points


def test_r16_humble_stairs_fill_from_nothing_to_four():
    state = position("w", stairs="rypbg", hands=("g", "r"), humble=True)
    assert GAME.pending(state).outcome.scores == (4, 0)


def test_r17_a_pawn_on_the_staircase_stays_there():
    state = position("w b r b y g p w", stairs="r", hands=("k", ""))
    assert not any("r" in text for text in choices(state))
    for text in ("r+", "r-", "r^", "r0"):
        assert refused(state, text) == "R17"
    asked = play(state, "b+")
    for text in ("*r+", "*r<+", "*r<-", "*r^"):
        assert refused(asked, text) == "R17"
    assert refused(state, "*r+") == "R10"


def test_r18_equals_share_the_victory():
    state = position("w", stairs="rypbg", hands=("r", "yb", "g"))
    assert GAME.pending(state).outcome.scores == (4, 4, 0)
    assert GAME.pending(state).outcome.ranks == (1, 1, 3)


def test_r19_a_match_is_as_many_games_as_players_begun_by_each_in_turn():
    assert [GAME.recommended_games(n) for n in (2, 3, 4, 5)] == [2, 3, 4, 5]
    series = Series(GAME, GAME.agree(3, first=2), 3, seeded)
    series.begin()
    series.begin()
    assert [referee.setup.first for referee in series.referees] == [2, 0, 1]


@pytest.mark.parametrize("text", ["", "x+", "r++", "*r", "*r<^", "r<^", "**r+", "R+", "r+ ", "+r", "*.", "rr"])
def test_what_is_no_notation_is_refused(text):
    with pytest.raises(BadNotation):
        GAME.read(dealt(1), text)
