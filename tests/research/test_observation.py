"""Observation space, action space and rewards of any game."""

from __future__ import annotations

import numpy as np
import pytest

from spieltisch import registry
from spieltisch.core.game import Over
from spieltisch.research.action_space import ActionSpace, IllegalActionId
from spieltisch.research.encoders import fit_encoder
from spieltisch.research.environment import Environment
from spieltisch.research.observation import ObservationSpace, observation_space
from spieltisch.research.rewards import rank_rewards

SHORT = [game.name for game in registry.all() if game.ids]


def fitted(*views) -> ObservationSpace:
    return ObservationSpace(fit_encoder([list(views)]))


def test_constants_have_no_features():
    assert fitted({"a": 1, "b": "x"}, {"a": 2, "b": "x"}).names == ("a=1", "a=2")


def test_few_integers_are_one_hot_and_many_are_scaled():
    few, many = fitted(0, 2), fitted(0, 10, 20)
    assert list(few.encode(1)) == [0, 1, 0]
    assert list(few.encode(9)) == [0, 0, 1]
    assert list(many.encode(5)) == pytest.approx([5 / 25])
    assert list(many.encode(1000)) == [1]
    assert list(fitted(-8, 8).encode(-12)) == [0]


def test_an_optional_value_has_a_presence_feature():
    maybe = fitted({"a": None}, {"a": "x"}, {"a": "y"})
    assert maybe.names == ("a?", "a=x", "a=y")
    assert list(maybe.encode({"a": None})) == [0, 0, 0]
    assert list(maybe.encode({"a": "y"})) == [1, 0, 1]
    assert list(maybe.encode({"a": "never met"})) == [1, 0, 0]


def test_printed_values_are_left_out_but_not_an_unused_field():
    fields = fitted(
        [{"name": "A", "stones": 0}, {"name": "B", "stones": 0}],
        [{"name": "A", "stones": 1}, {"name": "B", "stones": 0}],
    )
    assert fields.names == ("[0].stones=0", "[0].stones=1", "[1].stones=0", "[1].stones=1")
    assert list(fields.encode([{"name": "A", "stones": 0}, {"name": "B", "stones": 1}])) == [1, 0, 0, 1]


def test_lists_of_varying_length_have_room_for_half_as_much_again():
    growing = fitted([], [{"x": True}, {"x": False}])
    assert growing.names == ("[0]?", "[0].x", "[1]?", "[1].x", "[2]?", "[2].x")
    assert list(growing.encode([{"x": True}] * 5)) == [1] * 6


def test_lists_of_words_are_bags():
    bag = fitted([], ["R", "R"], ["B"])
    assert bag.names == (":B", ":R")
    assert list(bag.encode(["R", "new"])) == [0, 0.5]


def test_long_texts_are_encoded_by_character():
    track = fitted("abababababababab", "abababababababaa")
    assert track.size == 16 * 2
    assert list(track.encode("b" * 16)[:2]) == [0, 1]


@pytest.mark.parametrize("name", SHORT)
def test_observations_are_equal_exactly_if_the_views_are(name):
    game = registry.find(name)
    environment, seen = Environment(name), {}
    dice = np.random.default_rng(1)
    for seed in range(5):
        environment.reset(seed)
        while not environment.over:
            row = environment.observe(environment.seat)
            assert row.dtype == np.float32
            assert row.min() >= 0
            assert row.max() <= 1
            view = game.recall(environment.referee.view(environment.seat), environment.referee.heard(environment.seat))
            assert seen.setdefault(row.tobytes(), view) == view
            environment.step(int(dice.choice(np.flatnonzero(environment.action_mask(environment.seat)))))
    assert len(seen) > 30


def test_an_observation_space_is_cached_for_every_starting_seat():
    game = registry.find("template")
    assert observation_space(game, game.agree(first=0)) is observation_space(game, game.agree(first=1))
    assert observation_space(game, game.agree()) is not observation_space(game, game.agree(players=3))


@pytest.mark.parametrize("name", registry.names())
def test_ids_and_actions_correspond_one_to_one(name):
    game = registry.find(name).for_simulation
    action_space = ActionSpace(game)
    state = game.initial(game.agree())
    for _ in range(30):
        pending = game.pending(state)
        assert not isinstance(pending, Over)
        legal = action_space.legal_ids(pending.actions)
        assert legal == sorted(set(legal))
        assert all(0 <= number < action_space.size for number in legal)
        assert len(legal) == len(pending.actions)
        for number in legal:
            assert action_space.to_id(pending.actions, action_space.from_id(pending.actions, number)) == number
        for number in {-1, action_space.size} | set(range(action_space.size)) - set(legal):
            with pytest.raises(IllegalActionId):
                action_space.from_id(pending.actions, number)
        state = game.apply(state, pending.actions[len(pending.actions) // 2])


def test_rewards_go_from_one_to_minus_one_and_add_up_to_zero():
    assert rank_rewards((1, 2)) == (1, -1)
    assert rank_rewards((1, 1)) == (0, 0)
    assert rank_rewards((3, 1, 2)) == (-1, 1, 0)
    assert rank_rewards((1, 2, 2, 4)) == pytest.approx((1, 0, 0, -1))
    assert rank_rewards((1,)) == (0,)
