"""PettingZoo's own checks, run on every game."""

from __future__ import annotations

import copy
import pickle
import time

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from spieltisch import registry
from spieltisch.research import pettingzoo
from spieltisch.research.environment import IllegalActionId

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),  # observations are dictionaries
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]
SHORT = [game.name for game in registry.all() if game.minutes < 30]


@pytest.mark.parametrize("name", registry.names())
def test_pettingzoos_api_test_passes(name, capsys):
    api_test(pettingzoo.env(name), num_cycles=60 if name in SHORT else 5)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("name", registry.names())
def test_a_seed_determines_everything(name):
    seed_test(lambda: pettingzoo.env(name), num_cycles=20)


@pytest.mark.parametrize("name", SHORT)
def test_the_performance_benchmark_runs(name, monkeypatch, capsys):
    clock = iter(range(1000))
    monkeypatch.setattr(time, "time", lambda: float(next(clock)))  # the benchmark runs for five seconds
    performance_benchmark(pettingzoo.env(name))
    assert "turns per second" in capsys.readouterr().out


def played(env, seed: int, choose):
    env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        total[agent] += reward
        env.step(None if ended or cut else choose(seen))
    return total


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rewards_depend_on_the_ranks_and_add_up_to_zero(players):
    env = pettingzoo.env("template", players=players)
    dice = np.random.default_rng(1)
    for seed in range(10):
        total = played(env, seed, lambda seen: dice.choice(np.flatnonzero(seen["action_mask"])))
        ranks = env.unwrapped.environment.pending.outcome.ranks
        assert sum(total.values()) == pytest.approx(0)
        assert sorted(total.values(), reverse=True) == [total[f"seat_{seat}"] for seat in np.argsort(ranks)]


def test_an_illegal_action_loses_at_once():
    env = pettingzoo.env("template")
    total = played(env, 1, lambda seen: int(np.argmin(seen["action_mask"])))
    assert sorted(total.values()) == [-1, 1]
    total = played(pettingzoo.env("template", players=3), 1, lambda seen: int(np.argmin(seen["action_mask"])))
    assert sorted(total.values()) == [-1, 0.5, 0.5]


def test_the_bare_environment_refuses_an_illegal_action_and_goes_on():
    env = pettingzoo.raw_env("template")
    env.reset(seed=1)
    mask = env.observe(env.agent_selection)["action_mask"]
    with pytest.raises(IllegalActionId):
        env.step(int(np.argmin(mask)))
    env.step(int(np.argmax(mask)))
    assert len(env.agents) == 2


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))], ids=["copy", "pickle"])
@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.raw_env])
@pytest.mark.parametrize("name", registry.names())
def test_environments_can_be_copied_in_the_middle_of_a_game(name, make, copied):
    env = make(name, players=3)
    env.reset(seed=1)
    for _ in range(5):
        env.step(int(np.argmax(env.last()[0]["action_mask"])))
    other = copied(env)
    for _ in range(5):
        (one, *_), (another, *_) = env.last(), other.last()
        assert env.agent_selection == other.agent_selection
        assert np.array_equal(one["observation"], another["observation"])
        for each in (env, other):
            each.step(int(np.argmax(one["action_mask"])))


def test_an_environment_has_a_versioned_name_as_pettingzoos_own_do():
    env = pettingzoo.template_v1.env(players=3, render_mode="ansi")
    env.reset(seed=1)
    assert env.metadata["name"] == "template_v1"
    assert env.metadata["features"] == "template-v1"
    assert env.metadata["features_digest"] == env.unwrapped.environment.features.digest
    assert len(env.agents) == 3
    assert "seat_2" in env.render()
    with pytest.raises(AttributeError, match="import template_v1"):
        pettingzoo.template_v0  # noqa: B018
    with pytest.raises(AttributeError, match="nothing_v1"):
        pettingzoo.nothing_v1  # noqa: B018
