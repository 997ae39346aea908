"""A test for every numbered rule of Pebbles."""

from __future__ import annotations

import pytest

from spieltisch.core.game import BadSetup, Chance, Decision, IllegalAction, Over, Seat
from spieltisch.games.template import GAME
from spieltisch.games.template.state import DRAWS, FACE_DOWN, FACE_UP, STOP, Phase, State

R, B, G = range(3)


def position(**changes) -> State:
    """Two players, the bag with two pebbles of each colour, three in each hand, seat 0 to lay."""
    state = State(
        setup=GAME.agree(2),
        phase=Phase.LAY,
        seat=Seat(0),
        laying=None,
        bag=(2, 2, 2),
        hands=((2, 1, 0), (1, 1, 1)),
        shown=((0, 0, 1), (1, 0, 0)),
        hidden=((0, 0, 0), (0, 0, 0)),
    )
    return state._replace(**changes)


def refused(state: State, action) -> str:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, action)
    return caught.value.rule or ""


def play(state: State, *actions) -> State:
    for action in actions:
        state = GAME.apply(state, action)
    return state


def test_r1_two_to_four_can_play():
    assert list(GAME.players) == [2, 3, 4]


def test_r2_the_bag_holds_five_of_each_colour():
    assert GAME.initial(GAME.agree()).bag == (5, 5, 5)


def test_r2_another_bag_can_be_agreed_on():
    setup = GAME.agree(2, options={"bag": {"R": 6, "B": 0, "G": 1}})
    assert GAME.initial(setup).bag == (6, 0, 1)


@pytest.mark.parametrize(
    ("bag", "why"),
    [
        ({"R": 9, "B": 9}, "names R, B and G"),
        ({"R": 9, "B": 9, "G": 9, "X": 1}, "names R, B and G"),
        ({"R": -1, "B": 9, "G": 9}, "whole number from 0"),
        ({"R": 1.5, "B": 9, "G": 9}, "whole number from 0"),
        ({"R": True, "B": 9, "G": 9}, "whole number from 0"),
        ({"R": 2, "B": 2, "G": 1}, "at least 6 pebbles, there are 5"),
    ],
)
def test_r2_a_broken_bag_is_refused(bag, why):
    with pytest.raises(BadSetup, match=why) as caught:
        GAME.initial(GAME.agree(2, options={"bag": bag}))
    assert caught.value.rule == "R2"


def test_r3_everybody_draws_three_in_seat_order_from_the_first_player():
    state = GAME.initial(GAME.agree(3, first=1))
    order = []
    while isinstance(GAME.pending(state), Chance):
        order.append(state.seat)
        state = GAME.apply(state, GAME.pending(state).actions[0])
    assert order == [1, 1, 1, 2, 2, 2, 0, 0, 0]
    assert state.seat == 1
    assert {sum(hand) for hand in state.hands} == {3}


def test_r3_hands_are_seen_by_their_owner_only():
    view = GAME.observe(position(), Seat(1))
    assert [hand.pebbles for hand in view.hands] == [None, (1, 1, 1)]
    assert [hand.size for hand in view.hands] == [3, 3]
    assert GAME.witness(position(phase=Phase.DRAW), DRAWS[R], Seat(0)) == "R"
    assert GAME.witness(position(phase=Phase.DRAW), DRAWS[R], Seat(1)) == "?"


def test_r3_nothing_is_laid_while_pebbles_are_dealt():
    assert refused(GAME.initial(GAME.agree()), FACE_UP[R]) == "R3"


def test_r4_a_pebble_of_the_hand_is_laid_face_up_or_face_down():
    assert GAME.pending(position()) == Decision(Seat(0), (FACE_UP[R], FACE_UP[B], FACE_DOWN[R], FACE_DOWN[B]))
    assert refused(position(), FACE_UP[G]) == "R4"
    assert refused(position(), STOP) == "R4"
    assert refused(position(), DRAWS[R]) == "R4"


def test_r5_more_of_the_same_colour_may_follow():
    state = GAME.apply(position(), FACE_UP[R])
    assert GAME.pending(state) == Decision(Seat(0), (FACE_UP[R], STOP))
    assert refused(state, FACE_UP[B]) == "R5"
    assert refused(state, FACE_DOWN[R]) == "R5"


def test_r5_the_question_is_asked_even_when_nothing_can_follow():
    assert GAME.pending(GAME.apply(position(), FACE_UP[B])) == Decision(Seat(0), (STOP,))


def test_r6_one_pebble_a_game_goes_face_down_and_ends_the_laying():
    state = GAME.apply(position(), FACE_DOWN[R])
    assert state.phase is Phase.DRAW
    assert state.hidden[0] == (1, 0, 0)
    again = position(hidden=((1, 0, 0), (0, 0, 0)))
    assert GAME.pending(again) == Decision(Seat(0), (FACE_UP[R], FACE_UP[B]))
    assert refused(again, FACE_DOWN[R]) == "R6"


def test_r6_nobody_else_sees_what_lies_face_down():
    state = GAME.apply(position(), FACE_DOWN[R])
    assert GAME.witness(position(), FACE_DOWN[R], Seat(1)) == "?"
    assert [GAME.observe(state, viewer).hidden[0].pebbles for viewer in (Seat(0), Seat(1), None)] == [
        (1, 0, 0),
        None,
        None,
    ]


def test_r7_what_was_laid_face_up_is_turned_over_and_can_be_remembered():
    from spieltisch.core.game import Heard

    view = GAME.observe(position(), Seat(1))
    assert [pile.pebbles for pile in view.shown] == [None, (1, 0, 0)]
    recalled = GAME.recall(view, [Heard(None, "?"), Heard(Seat(0), "G"), Heard(Seat(1), "R")])
    assert [pile.pebbles for pile in recalled.shown] == [(0, 0, 1), (1, 0, 0)]
    assert GAME.recall(view, []) == view


def test_r7_piles_stay_open_by_house_rule():
    view = GAME.observe(position(setup=GAME.agree(2, options={"piles": "open"})), Seat(1))
    assert [pile.pebbles for pile in view.shown] == [(0, 0, 1), (1, 0, 0)]


def test_r8_the_hand_is_filled_up_to_three():
    state = play(position(), FACE_UP[R], FACE_UP[R], STOP)
    assert GAME.pending(state) == Chance(DRAWS, (2, 2, 2))
    state = play(state, DRAWS[G], DRAWS[G])
    assert (state.phase, state.seat, state.hands[0]) == (Phase.LAY, 1, (0, 1, 2))


def test_r8_what_is_not_in_the_bag_is_not_drawn():
    state = play(position(bag=(0, 2, 0)), FACE_UP[R], STOP)
    assert GAME.pending(state) == Chance((DRAWS[B],), (2,))
    assert refused(state, DRAWS[R]) == "R8"
    assert refused(state, STOP) == "R8"


def test_r8_an_empty_bag_fills_nobody():
    state = play(position(bag=(0, 0, 0)), FACE_UP[B], STOP)
    assert (state.seat, state.hands[0]) == (1, (2, 0, 0))


def test_r9_the_game_ends_at_once_when_a_hand_is_empty():
    state = play(position(bag=(0, 0, 0), hands=((0, 1, 0), (1, 1, 1))), FACE_UP[B], STOP)
    assert isinstance(GAME.pending(state), Over)
    assert GAME.pending(state).outcome.ending == "empty"
    assert refused(state, STOP) == "R9"


def over(**changes) -> State:
    return position(phase=Phase.OVER, bag=(0, 0, 0), **changes)


def test_r10_each_colour_counts_its_pebbles_multiplied_by_themselves():
    state = over(shown=((2, 1, 0), (0, 0, 3)), hidden=((1, 0, 0), (0, 1, 0)))
    assert GAME.pending(state).outcome.scores == (10, 10)


def test_r11_in_a_tie_fewer_pebbles_in_the_hand_win():
    tied = {"shown": ((1, 0, 0), (0, 1, 0)), "hands": ((0, 0, 0), (1, 1, 0))}
    assert GAME.pending(over(**tied)).outcome.ranks == (1, 2)
    assert GAME.pending(over(**tied, setup=GAME.agree(2, rules=1))).outcome.ranks == (1, 1)
    tied["hands"] = ((1, 0, 0), (0, 1, 0))
    assert GAME.pending(over(**tied)).outcome.ranks == (1, 1)
