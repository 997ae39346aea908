"""Training of value nets: on a small game whose best play is known, from start to weights file."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from spieltisch import registry
from spieltisch.core.game import Decision, Over, Seat
from spieltisch.core.player import Clock, Seen
from spieltisch.nets.evaluator import Evaluator
from spieltisch.nets.player import NetPlayer
from spieltisch.nets.weights import load_weights
from spieltisch.training import run
from spieltisch.training.checkpoint import BadCheckpoint
from spieltisch.training.match_play import check_choices
from spieltisch.training.recipe import Recipe, recipe_for
from spieltisch.training.self_play import Games, SelfPlay
from tests.support import twins  # noqa: F401 - sets compiler flags for fast compilation
from tests.training import nim

RECIPE = {"games": 60, "steps": 8, "minibatch": 240, "learning": 0.02, "hidden": (16, 8)}


@pytest.fixture
def small(monkeypatch):
    """Nim among the games of the registry."""
    monkeypatch.setattr(registry, "net", lambda game: nim.NimNet())
    monkeypatch.setattr(registry, "has_twin", lambda game: True)
    monkeypatch.setattr(registry, "twin", lambda game, setup: nim.NimTwin(setup))
    monkeypatch.setattr(registry, "features", lambda game, setup: nim.NimFeatures(setup))
    return nim.GAME


def test_a_net_learns_perfect_play_and_its_checkpoint_is_resumed(small, tmp_path):
    reports = []
    info = run.train(small, tmp_path, run.Limit(updates=40), seed=1, large=True, changes=RECIPE, report=reports.append)
    assert info.figures["updates"] == reports[-1].updates == 40
    weights = load_weights(tmp_path / run.WEIGHTS, small)
    evaluator, setup = Evaluator(small, nim.NimNet(), weights), small.agree()
    for stones in range(1, nim.STONES):
        (shares,), _ = evaluator.evaluate(setup, [nim.State(setup, stones, 1)], Seat(0))
        assert (shares[0] > 0.5) == (stones % 3 == 0), (stones, shares)
        assert shares.sum() == pytest.approx(1)
    state, player = small.initial(setup), NetPlayer(evaluator, Random(1))
    while isinstance(pending := small.pending(state), Decision):
        view = type("View", (), {"setup": setup, "viewer": pending.seat})
        small.imagine = lambda view, sampler, state=state: state  # the view of Nim is its state
        state = small.apply(state, player.choose(Seen(view, pending.actions, ()), Clock()))
    assert isinstance(pending, Over)
    assert pending.outcome.scores[0] == 1
    assert weights.info.trained == {"plain": [2]}
    figures = json.loads((tmp_path / run.FIGURES).read_text())
    assert figures["matches"][0]["opponent"] == "random"
    assert figures["matches"][0]["share"] > 0.6
    ET.fromstring((tmp_path / run.CURVE).read_text())
    resumed = run.Training(small, tmp_path, run.Limit(updates=60), 1, True, RECIPE, "en")
    assert (resumed.updates, resumed.games) == (40, info.figures["games"])
    assert np.allclose(resumed.state.average["weight0"], weights.params["weight0"], atol=1e-2)
    with pytest.raises(BadCheckpoint, match="to another training run"):
        run.train(small, tmp_path, run.Limit(updates=60), seed=2, large=True, changes=RECIPE)


def test_more_choices_than_there_is_room_for_are_an_error_and_not_dropped():
    self_play = SelfPlay(nim.NimTwin(nim.GAME.agree()), nim.NimNet(), nim.NimNet().shape(), games=10, steps=2)
    none = np.zeros((2, 10))
    check_choices(self_play, Games(none, none, none, np.array([20, 120])))
    with pytest.raises(OverflowError, match="12.1 choices per game; raise Net.branching above 12"):
        check_choices(self_play, Games(none, none, none, np.array([20, 121])))


def test_a_game_without_a_net_is_refused(tmp_path):
    with pytest.raises(run.Refusal, match="Turmbauer has no net"):
        run.train(registry.find("turmbauer"), tmp_path, run.Limit(updates=1))


def test_schedules_go_from_their_first_to_their_last_value():
    recipe = recipe_for(nim.NimNet(), large=True)
    first, last = recipe.at(0.0), recipe.at(1.0)
    assert (first.temperature, first.margin, first.exploration) == (*[pytest.approx(n) for n in (0.02, 0.1)], 0.15)
    assert (last.temperature, last.margin, last.exploration) == (*[pytest.approx(n) for n in (0.004, 0.02)], 0.0)
    assert first.learning == recipe.learning > recipe.at(0.5).learning > last.learning > 0
    assert (first.trace, last.trace) == (recipe.trace, recipe.last_trace)
    assert replace(recipe, trace=0.99).at(1.0).trace == 0.99
    assert Recipe(**recipe.to_json()) == recipe


def test_a_limit_is_reached_by_whichever_comes_first():
    limit = run.Limit(minutes=2, updates=10)
    assert limit.progress(60, 1) == 0.5
    assert limit.progress(6, 8) == 0.8
    assert np.isclose(limit.progress(500, 1), 1)
