"""Gymnasium's own checks, run on every game."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from spieltisch import registry
from spieltisch.core.game import Refusal

MODULE = "spieltisch.research.gymnasium"


def made(name: str, **given):
    return gymnasium.make(f"{MODULE}:spieltisch/{type(registry.find(name)).__name__}-v1", **given)


def played(env, seed: int | None, choose):
    row, info = env.reset(seed=seed)
    rewards = []
    while True:
        assert row in env.observation_space
        row, reward, ended, cut, info = env.step(choose(info["action_mask"]))
        assert not cut
        rewards.append(reward)
        if ended:
            return rewards, info


def first(mask):
    return int(np.argmax(mask))


@pytest.mark.parametrize("name", registry.names())
def test_gymnasiums_check_passes(name):
    check_env(made(name, render_mode="ansi").unwrapped)


def test_the_reward_comes_at_the_end_and_depends_on_the_rank():
    env = made("template", against=["greedy", "random"])
    dice = np.random.default_rng(1)
    for seed in range(10):
        rewards, info = played(env, seed, lambda mask: dice.choice(np.flatnonzero(mask)))
        ranks = env.unwrapped.environment.pending.outcome.ranks
        assert not any(rewards[:-1])
        mine = ranks[info["seat"]]
        assert rewards[-1] == pytest.approx(sum((mine < other) - (mine > other) for other in ranks) / 2)


def test_a_seed_determines_the_game_and_those_after_it():
    def story():
        env = made("template", against=["greedy"])
        return [played(env, 5 if number == 0 else None, first) for number in range(4)]

    assert [rewards for rewards, _ in story()] == [rewards for rewards, _ in story()]
    assert len({info["seat"] for _, info in story()}) == 2


def test_the_agent_keeps_a_given_seat():
    env = made("template", players=3, seat=2)
    assert {played(env, seed, first)[1]["seat"] for seed in range(5)} == {2}


def test_an_illegal_action_loses_at_once():
    env = made("template")
    rewards, _ = played(env, 1, lambda mask: int(np.argmin(mask)))
    assert rewards == [-1]
    with pytest.raises(gymnasium.error.ResetNeeded, match="over"):
        env.unwrapped.step(0)


def test_action_masks_equal_the_mask_in_the_info():
    env = made("template")
    _, info = env.reset(seed=1)
    assert env.unwrapped.action_masks().tolist() == info["action_mask"].astype(bool).tolist()


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="3 at the table need 2 others, and 1 are given"):
        made("template", players=3, against=["random"])
    with pytest.raises(ValueError, match="from 0 to 1"):
        made("template", seat=2)
    with pytest.raises(Refusal, match="nobody|Nobody|There is no"):
        made("template", against=["nobody"])
    with pytest.raises(Refusal, match="has the version v1, not v0"):
        made("template", features="v0")


def test_one_name_is_the_player_on_every_other_seat():
    assert made("template", against="greedy", players=4).unwrapped.against == ["greedy"] * 3
    assert made("template", against="greedy").unwrapped.against == ["greedy"]


def test_an_id_of_old_is_answered_with_the_new_one():
    with pytest.raises(Refusal, match="is now called spieltisch/Template-v1"):
        gymnasium.make(f"{MODULE}:spieltisch/template-v0", against=["greedy"])


def test_the_spec_and_the_metadata_name_the_features():
    env = made("template")
    assert env.spec.kwargs["features"] == "v1"
    assert env.unwrapped.metadata["features"] == "template-v1"
    assert env.unwrapped.metadata["features_digest"] == env.unwrapped.environment.features.digest


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))], ids=["copy", "pickle"])
@pytest.mark.parametrize("name", registry.names())
def test_environments_can_be_copied_in_the_middle_of_a_game(name, copied):
    env = made(name, against="random")
    _, info = env.reset(seed=1)
    for _ in range(2):
        *_, info = env.step(first(info["action_mask"]))
    other = copied(env)
    for _ in range(3):
        (one, *_, info), (another, *_, same) = (each.step(first(info["action_mask"])) for each in (env, other))
        assert np.array_equal(one, another)
        assert np.array_equal(info["action_mask"], same["action_mask"])


def test_environments_can_be_vectorized():
    envs = gymnasium.make_vec(f"{MODULE}:spieltisch/Template-v1", 3, vectorization_mode="sync")
    rows, info = envs.reset(seed=1)
    assert rows.shape[0] == 3
    assert info["action_mask"].shape[0] == 3
    envs.close()
