"""OpenSpiel's own checks, run on every game, and its algorithms on some of them."""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts
from open_spiel.python.observation import make_observation

from spieltisch import registry
from spieltisch.core.game import BadSetup, Refusal
from spieltisch.research import openspiel

SHORT = [game.name for game in registry.all() if game.minutes < 30]
SMALL = {"bag": json.dumps({"R": 5, "B": 1, "G": 0})}


def loaded(name: str, **parameters):
    return pyspiel.load_game(f"{openspiel.PREFIX}{name}", parameters)


def wander(state, dice: Random, until=None):
    """Plays at random, to the end or until a condition holds."""
    while not state.is_terminal() and not (until and until(state)):
        if state.is_chance_node():
            numbers, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(dice.choices(numbers, odds)[0])
        else:
            state.apply_action(dice.choice(state.legal_actions()))
    return state


def deciding(state) -> bool:
    return state.current_player() >= 0


@pytest.mark.parametrize("name", SHORT)
def test_openspiels_simulation_test_passes(name):
    pyspiel.random_sim_test(loaded(name, players=registry.find(name).players[-1]), 1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", registry.names())
def test_games_are_registered_with_their_setup_as_parameters(name):
    rules, game = registry.find(name), loaded(name)
    assert f"{openspiel.PREFIX}{name}" in pyspiel.registered_names()
    assert {"players", "edition", "first", "rules"} <= set(game.get_parameters())
    assert pyspiel.load_game(str(game)).get_parameters() == game.get_parameters()
    assert (game.num_players(), game.utility_sum()) == (rules.agree().players, 0)


def test_a_bad_setup_is_refused():
    with pytest.raises(BadSetup, match="2 to 4 players"):
        loaded("template", players=7)


def test_an_information_state_is_what_the_seat_has_witnessed():
    state = loaded("template").new_initial_state()
    for _ in range(6):
        state.apply_action(state.chance_outcomes()[0][0])
    state.apply_action(state.legal_actions()[0])
    assert state.information_state_string(0) == "seat 0 *:R *:R *:R *:? *:? *:? 0:R"
    assert state.information_state_string(1) == "seat 1 *:? *:? *:? *:R *:R *:B 0:R"


def test_equal_information_states_offer_equal_choices():
    game, seen = loaded("template"), {}
    for seed in range(40):
        state, dice = game.new_initial_state(), Random(seed)
        while not wander(state, dice, deciding).is_terminal():
            key = state.information_state_string()
            known = (state.legal_actions(), state.observation_string())
            assert seen.setdefault(key, known) == known
            state.apply_action(dice.choice(state.legal_actions()))
    assert len(seen) > 200


@pytest.mark.parametrize("name", SHORT)
def test_resampled_states_look_the_same_to_the_player(name):
    state, others = wander(loaded(name).new_initial_state(), Random(1), deciding), set()
    for _ in range(8):
        state.apply_action(state.legal_actions()[-1])
        wander(state, Random(2), deciding)
    player = state.current_player()
    for _ in range(30):
        world = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_string(player) == state.observation_string(player)
        assert world.legal_actions() == state.legal_actions()
        others.add(str(world.position.state))
        wander(world, Random(3))
    assert len(others) > 1 or name != "template"


def test_tensors_equal_the_observers_tensor():
    game = loaded("template")
    state = wander(game.new_initial_state(), Random(1), deciding)
    row = np.array(state.observation_tensor(0))
    assert row.shape == tuple(game.observation_tensor_shape())
    observation = make_observation(game)
    observation.set_from(state, 0)
    assert observation.tensor.tolist() == pytest.approx(row.tolist())
    assert observation.string_from(state, 0) == state.observation_string(0)


def test_a_tensor_has_the_fields_of_the_features():
    game = loaded("template")
    state = wander(game.new_initial_state(), Random(1), deciding)
    observation = make_observation(game)
    observation.set_from(state, 1)
    assert [*observation.dict] == [field.name for field in game.features.fields]
    assert observation.dict["turn"].tolist() == [float(state.current_player() == seat) for seat in (1, 0)]


def test_the_information_state_tensor_holds_what_the_seat_sees_and_remembers():
    game = loaded("template")
    state = wander(game.new_initial_state(), Random(1), deciding)
    assert game.get_type().provides_information_state_tensor
    assert state.information_state_tensor(0) == state.observation_tensor(0)
    assert state.information_state_string(0) != state.observation_string(0)


def test_clones_are_independent():
    state = wander(loaded("template").new_initial_state(), Random(1), deciding)
    clone, before = state.clone(), str(state)
    wander(clone, Random(2))
    assert (str(state), clone.is_terminal(), state.is_terminal()) == (before, True, False)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))], ids=["copy", "pickle"])
@pytest.mark.parametrize("name", SHORT)
def test_states_and_games_can_be_copied(name, copied):
    state = wander(loaded(name, players=3).new_initial_state(), Random(1), deciding)
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
        wander(state, Random(2), deciding)
    other = copied(state)
    assert str(copied(loaded(name, players=3))) == str(loaded(name, players=3))
    assert other.position.state == state.position.state
    assert other.information_state_string() == state.information_state_string()
    assert other.observation_tensor() == state.observation_tensor()
    other.apply_action(other.legal_actions()[0])
    state.apply_action(state.legal_actions()[0])
    assert other.history() == state.history()


def test_a_pickled_state_is_read_by_a_new_process():
    state = wander(loaded("template").new_initial_state(), Random(1), deciding)
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).information_state_string(0))"
    read = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, check=True)
    assert read.stdout.decode().strip() == state.information_state_string(0)


def test_a_state_prints_the_board_as_the_seat_to_move_sees_it():
    state = loaded("template").new_initial_state()
    assert "?" not in str(state)
    wander(state, Random(1), deciding)
    assert "hand" in str(state)
    assert str(state).count("?") == 3  # the other hand


def test_another_version_of_the_features_is_refused():
    with pytest.raises(Refusal, match="has the version v1, not v0"):
        loaded("template", features="v0")


def test_cfr_improves_at_the_teaching_game():
    game = loaded("template", **SMALL)
    solver = cfr.CFRSolver(game)
    for _ in range(5):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.3  # before, it is 0.66


def test_information_set_search_plays_the_teaching_game():
    game, dice = loaded("template"), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, dice), 1.4, 25, random_state=dice)
    state = wander(game.new_initial_state(), Random(1), deciding)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        wander(state, Random(1), deciding)


def test_tree_search_plays_big_points():
    game, dice = loaded("bigpoints"), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 15, mcts.RandomRolloutEvaluator(1, dice), random_state=dice)
    state = wander(game.new_initial_state(), Random(1), deciding)
    for _ in range(2):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_python_exits_cleanly_after_games_were_registered():
    code = "import pyspiel; from spieltisch.research import openspiel; pyspiel.load_game('spieltisch_template')"
    ended = subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, b"")
