"""The network and its inputs: NumPy at the table computes what JAX computes in training."""

from __future__ import annotations

from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from spieltisch import registry
from spieltisch.core.game import Over
from spieltisch.nets.network import forward, param_shapes, shares
from tests.support import twins  # noqa: F401 - sets compiler flags for fast compilation

GAMES = [game for game in registry.all() if registry.has_net(game)]


def random_features(game, setup):
    """The features of every seat in turn, over the states of a random game."""
    features, dice, states = registry.features(game, setup), Random(5), [game.initial(setup)]
    while not isinstance(pending := game.pending(states[-1]), Over):
        states.append(game.apply(states[-1], dice.choice(pending.actions)))
    table = np.zeros((len(states), features.size), np.float32)
    for number, state in enumerate(states):
        features.write_state(state, number % setup.players, table[number])
    return table


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_inputs_and_outputs_are_the_same_on_numpy_and_jax(game):
    net = registry.net(game)
    setup = game.agree(3, net.mix[-1].edition, net.mix[-1].options, first=1)
    features = random_features(game, setup)
    inputs = net.inputs(np, setup, features)
    assert inputs.shape == (len(features), net.size)
    assert inputs.dtype == np.float32
    assert np.abs(inputs).max() <= 4
    dice, shape = np.random.default_rng(1), net.shape((24, 16))
    params = {
        name: dice.normal(0, size[0] ** -0.5, size).astype(np.float32) for name, size in param_shapes(shape).items()
    }

    def both(features, params):
        inputs = net.inputs(jnp, setup, features)
        return inputs, forward(jnp, shape, params, inputs, setup.players)

    on_jax, out = jax.jit(both)(features, params)
    assert np.allclose(inputs, on_jax, atol=1e-5)
    found = forward(np, shape, params, inputs, setup.players)
    assert np.allclose(found.points, out.points, atol=1e-4)
    predicted = shares(np, found.logits)
    assert np.allclose(predicted, shares(jnp, out.logits), atol=1e-5)
    assert np.allclose(predicted.sum(1), 1, atol=1e-5)
    assert not predicted[:, setup.players :].any()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_weights_of_the_full_net_fit_into_their_file(game):
    shapes = param_shapes(registry.net(game).shape())
    assert 2 * sum(np.prod(size) for size in shapes.values()) < 1_950_000
