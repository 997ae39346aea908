"""PettingZoo's own checks, run on every game."""

from __future__ import annotations

import pickle
import time

import numpy as np
import pytest
from pettingzoo.test import api_test, performance_benchmark, seed_test

from spieltisch import registry
from spieltisch.research import pettingzoo

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),  # observations are dictionaries
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]
SHORT = [game.name for game in registry.all() if game.ids]


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
        ranks = env.unwrapped.environment.referee.pending.outcome.ranks
        assert sum(total.values()) == pytest.approx(0)
        assert sorted(total.values(), reverse=True) == [total[f"seat_{seat}"] for seat in np.argsort(ranks)]


def test_an_illegal_action_loses_at_once():
    env = pettingzoo.env("template")
    total = played(env, 1, lambda seen: int(np.argmin(seen["action_mask"])))
    assert sorted(total.values()) == [-1, 0]


def test_environments_can_be_pickled_and_rendered():
    env = pickle.loads(pickle.dumps(pettingzoo.raw_env("template", render_mode="ansi", players=3)))
    env.reset(seed=1)
    assert len(env.agents) == 3
    assert "seat_2" in env.render()
