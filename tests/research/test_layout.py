"""Views as numbers, and actions as numbers, in any game."""

from __future__ import annotations

import numpy as np
import pytest

from spieltisch import registry
from spieltisch.core.game import Over
from spieltisch.research.layout import Layout, layout
from spieltisch.research.numbering import NotOffered, Numbering
from spieltisch.research.parts import survey
from spieltisch.research.playing import Playing
from spieltisch.research.rewards import rewards

SHORT = [game.name for game in registry.all() if game.ids]


def laid_out(*views) -> Layout:
    return Layout(survey([list(views)]))


def test_what_never_changes_is_left_out():
    assert laid_out({"a": 1, "b": "x"}, {"a": 2, "b": "x"}).names == ("a=1", "a=2")


def test_few_whole_numbers_have_a_place_each_and_many_share_a_scale():
    few, many = laid_out(0, 2), laid_out(0, 10, 20)
    assert list(few(1)) == [0, 1, 0]
    assert list(few(9)) == [0, 0, 1]
    assert list(many(5)) == pytest.approx([5 / 25])
    assert list(many(1000)) == [1]
    assert list(laid_out(-8, 8)(-12)) == [0]


def test_a_place_in_front_says_whether_something_is_there():
    maybe = laid_out({"a": None}, {"a": "x"}, {"a": "y"})
    assert maybe.names == ("a?", "a=x", "a=y")
    assert list(maybe({"a": None})) == [0, 0, 0]
    assert list(maybe({"a": "y"})) == [1, 0, 1]
    assert list(maybe({"a": "never met"})) == [1, 0, 0]


def test_what_is_printed_on_the_board_is_left_out_but_not_a_field_that_nobody_used_yet():
    fields = laid_out(
        [{"name": "A", "stones": 0}, {"name": "B", "stones": 0}],
        [{"name": "A", "stones": 1}, {"name": "B", "stones": 0}],
    )
    assert fields.names == ("[0].stones=0", "[0].stones=1", "[1].stones=0", "[1].stones=1")
    assert list(fields([{"name": "A", "stones": 0}, {"name": "B", "stones": 1}])) == [1, 0, 0, 1]


def test_lists_of_any_length_have_room_for_half_as_much_again():
    growing = laid_out([], [{"x": True}, {"x": False}])
    assert growing.names == ("[0]?", "[0].x", "[1]?", "[1].x", "[2]?", "[2].x")
    assert list(growing([{"x": True}] * 5)) == [1] * 6


def test_lists_of_words_are_counted():
    bag = laid_out([], ["R", "R"], ["B"])
    assert bag.names == (":B", ":R")
    assert list(bag(["R", "new"])) == [0, 0.5]


def test_long_texts_are_read_letter_by_letter():
    track = laid_out("abababababababab", "abababababababaa")
    assert track.size == 16 * 2
    assert list(track("b" * 16)[:2]) == [0, 1]


@pytest.mark.parametrize("name", SHORT)
def test_rows_are_the_same_for_equal_views_and_differ_for_others(name):
    game = registry.find(name)
    playing, seen = Playing(name), {}
    dice = np.random.default_rng(1)
    for seed in range(5):
        playing.begin(seed)
        while not playing.over:
            row = playing.row(playing.seat)
            assert row.dtype == np.float32
            assert row.min() >= 0
            assert row.max() <= 1
            view = game.recall(playing.referee.view(playing.seat), playing.referee.heard(playing.seat))
            assert seen.setdefault(row.tobytes(), view) == view
            playing.take(int(dice.choice(np.flatnonzero(playing.mask(playing.seat)))))
    assert len(seen) > 30


def test_a_layout_is_worked_out_once_whoever_begins():
    game = registry.find("template")
    assert layout(game, game.agree(first=0)) is layout(game, game.agree(first=1))
    assert layout(game, game.agree()) is not layout(game, game.agree(players=3))


@pytest.mark.parametrize("name", registry.names())
def test_numbers_stand_for_actions_one_by_one(name):
    game = registry.find(name).for_simulation
    numbering = Numbering(game)
    state = game.initial(game.agree())
    for _ in range(30):
        pending = game.pending(state)
        assert not isinstance(pending, Over)
        legal = numbering.legal(pending.actions)
        assert legal == sorted(set(legal))
        assert all(0 <= number < numbering.size for number in legal)
        assert len(legal) == len(pending.actions)
        for number in legal:
            assert numbering.number(pending.actions, numbering.action(pending.actions, number)) == number
        for number in {-1, numbering.size} | set(range(numbering.size)) - set(legal):
            with pytest.raises(NotOffered):
                numbering.action(pending.actions, number)
        state = game.apply(state, pending.actions[len(pending.actions) // 2])


def test_rewards_go_from_one_to_minus_one_and_add_up_to_nothing():
    assert rewards((1, 2)) == (1, -1)
    assert rewards((1, 1)) == (0, 0)
    assert rewards((3, 1, 2)) == (-1, 1, 0)
    assert rewards((1, 2, 2, 4)) == pytest.approx((1, 0, 0, -1))
    assert rewards((1,)) == (0,)
