"""The environment behind the adapters: observations, ids, memory, copies and rewards, for every game."""

from __future__ import annotations

import copy
import pickle
from random import Random

import numpy as np
import pytest

from spieltisch import registry
from spieltisch.core.game import Decision, Game, Over, Seat
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.research.environment import Environment, IllegalActionId
from spieltisch.research.rewards import forfeit_rewards, rank_rewards


def play(environment: Environment, dice: Random, most: int = 1 << 30) -> None:
    for _ in range(most):
        if environment.over:
            return
        environment.step(dice.choice([*environment.legal]))


@pytest.mark.parametrize("name", registry.names())
def test_a_game_is_the_one_that_a_referee_plays_from_the_same_seed(name):
    environment = Environment(name, first=0)
    environment.reset(7)
    referee = Referee(environment.game, environment.agreed, seeded(7))
    dice = Random(1)
    for _ in range(12):
        decision = referee.settle()
        assert isinstance(decision, Decision)
        assert (environment.state, environment.seat) == (referee.state, decision.seat)
        for seat in environment.seats:
            assert environment.heard(seat) == referee.heard(Seat(seat))
        action = dice.choice(decision.actions)
        (number,) = environment.ids.of([action])
        assert environment.legal[number] == action
        environment.step(number)
        referee.play(decision.seat, [action])


@pytest.mark.parametrize("name", registry.names())
def test_a_seat_observes_what_it_sees_and_remembers(name):
    environment, dice = Environment(name, players=3), Random(2)
    features, game = environment.features, environment.game
    environment.reset(3)
    for number in range(40):
        if environment.over:
            break
        if number % 4 == 0:
            for seat in environment.seats:
                expected = np.zeros(features.size, np.float32)
                features.write(game.recall(environment.view(Seat(seat)), environment.heard(seat)), expected)
                assert np.array_equal(environment.observe(seat), expected)
        environment.step(dice.choice([*environment.legal]))


@pytest.mark.parametrize("name", registry.names())
def test_legal_actions_have_ids_of_their_own_and_others_are_refused(name):
    environment, dice = Environment(name), Random(3)
    for _ in range(12):
        pending = environment.pending
        assert isinstance(pending, Decision)
        assert len(environment.legal) == len(pending.actions)
        assert set(environment.legal.values()) == set(pending.actions)
        mask = environment.action_mask(environment.seat)
        assert np.flatnonzero(mask).tolist() == sorted(environment.legal)
        assert not environment.action_mask(environment.seat + 1).any()
        before = environment.state
        for wrong in (-1, len(environment.ids), int(np.argmin(mask))):
            with pytest.raises(IllegalActionId, match=str(wrong)):
                environment.step(wrong)
        assert environment.state is before
        environment.step(dice.choice([*environment.legal]))


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))], ids=["copy", "pickle"])
def test_a_copy_goes_on_in_the_middle_of_a_game_like_the_original(name, copied):
    environment = Environment(name, players=3)
    play(environment, Random(4), 9)
    other = copied(environment)
    for each in (environment, other):
        play(each, Random(5), 5)
    assert other.state == environment.state
    assert np.array_equal(other.observe(0), environment.observe(0))
    assert [other.heard(seat) for seat in other.seats] == [environment.heard(seat) for seat in environment.seats]


def test_a_game_without_ids_has_no_environment(monkeypatch):
    monkeypatch.setattr(type(registry.find("template")), "ids", Game.ids)
    with pytest.raises(registry.NoFeatures, match="Pebbles have no ids"):
        Environment("template")


def test_rewards_go_from_one_to_minus_one_and_add_up_to_zero():
    assert rank_rewards((1, 2)) == (1, -1)
    assert rank_rewards((1, 1)) == (0, 0)
    assert rank_rewards((3, 1, 2)) == (-1, 1, 0)
    assert rank_rewards((1, 2, 2, 4)) == pytest.approx((1, 0, 0, -1))
    assert rank_rewards((1,)) == (0,)
    assert forfeit_rewards(1, 2) == (1, -1)
    assert forfeit_rewards(0, 3) == (-1, 0.5, 0.5)


def test_the_board_is_drawn_and_scores_are_told_at_the_end():
    environment = Environment("template", players=2)
    assert "seat_1" in environment.render()
    assert "?" in environment.render()
    play(environment, Random(1))
    assert isinstance(environment.pending, Over)
    assert all(str(score) in environment.render() for score in environment.pending.outcome.scores)


@pytest.mark.parametrize("name", registry.names())
def test_the_board_is_a_picture_too(name):
    environment = Environment(name)
    assert environment.render(mode="svg").startswith("<svg")
    shape = environment.render(Seat(0), "rgb_array").shape
    assert len(shape) == 3
    assert shape[2] == 3
    assert min(shape[:2]) > 300


def test_an_unknown_render_mode_is_refused():
    from spieltisch.research import pettingzoo

    with pytest.raises(ValueError, match="one of ansi, svg, rgb_array"):
        pettingzoo.env(registry.names()[0], render_mode="human")
