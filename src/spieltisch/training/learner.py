"""Learner: Adam with a moving average of the weights, on minibatches of samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from spieltisch.core.net import NetShape
from spieltisch.nets.network import Params, forward, param_shapes
from spieltisch.training.recipe import Recipe
from spieltisch.training.self_play import Samples

_DECAY: Final = (0.9, 0.999)  # of Adam's moments
_EPSILON: Final = 1e-8
_CLIP: Final = 1.0  # of the gradient's norm


class LearnerState(NamedTuple):
    """The weights and what the optimizer remembers."""

    params: Params
    average: Params  # what plays, and what is saved
    first: Params  # moments
    second: Params
    updates: Array  # int32: minibatches


class Losses(NamedTuple):
    """Mean losses over a chunk."""

    victory: Array  # cross-entropy of the shares
    points: Array  # squared error


def init_state(shape: NetShape, seed: int) -> LearnerState:
    """Random weights, with outputs of zero: at first every choice is worth the same."""
    random = np.random.default_rng(seed)
    params = {
        name: jnp.asarray(
            random.normal(0, np.sqrt(2 / size[0]), size) if _is_random(name) else np.zeros(size), jnp.float32
        )
        for name, size in param_shapes(shape).items()
    }
    return state_of(params)


def state_of(params: Params) -> LearnerState:
    """The state at the start of a training from these weights."""
    params = jax.tree.map(jnp.asarray, dict(params))
    zeros = jax.tree.map(jnp.zeros_like, params)
    average, first, second = (jax.tree.map(jnp.array, tree) for tree in (params, zeros, zeros))
    return LearnerState(params, average, first, second, jnp.int32(0))


def _is_random(name: str) -> bool:
    return "weight" in name and not name.startswith("out")


def learn(
    state: LearnerState, chunks: Sequence[Samples], rate: Array, key: Array, *, shape: NetShape, recipe: Recipe
) -> tuple[LearnerState, Losses]:
    """The recipe's epochs over the samples of all setups, each in random order; to be compiled."""
    samples: Samples = jax.tree.map(lambda *parts: jnp.concatenate(parts), *chunks)
    rows = samples.weight.shape[0]
    batches = max(1, rows // recipe.minibatch)
    orders = [jax.random.permutation(one, rows) for one in jax.random.split(key, recipe.epochs)]
    order = jnp.concatenate([one[: rows // batches * batches].reshape(batches, -1) for one in orders])

    def loss(params: Params, some: Samples) -> tuple[Array, Losses]:
        out = forward(jnp, shape, params, some.inputs.astype(jnp.float32), some.players)
        total = jnp.maximum(1.0, some.weight.sum())
        entropy = -(some.shares * jax.nn.log_softmax(out.logits)).sum(1)
        present = jnp.arange(shape.seats) < some.players[:, None]
        error = (jnp.where(present, out.points - some.points, 0.0) ** 2).sum(1) / some.players
        losses = Losses((some.weight * entropy).sum() / total, (some.weight * error).sum() / total)
        return losses.victory + recipe.points_weight * losses.points, losses

    def update(state: LearnerState, rows: Array) -> tuple[LearnerState, Losses]:
        some: Samples = jax.tree.map(lambda leaf: leaf[rows], samples)
        gradient, losses = jax.grad(loss, has_aux=True)(state.params, some)
        return _adam(state, gradient, rate, recipe.average), losses

    state, losses = lax.scan(update, state, order)
    return state, jax.tree.map(jnp.mean, losses)


def _adam(state: LearnerState, gradient: Params, rate: Array, average: float) -> LearnerState:
    """One step of Adam with a clipped gradient; the moving average is shorter at first."""
    count = state.updates + 1
    norm = jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(gradient)))
    scale = jnp.minimum(1.0, _CLIP / (norm + 1e-12))
    one, two = _DECAY
    first = jax.tree.map(lambda m, g: one * m + (1 - one) * scale * g, state.first, gradient)
    second = jax.tree.map(lambda v, g: two * v + (1 - two) * (scale * g) ** 2, state.second, gradient)
    step = rate * jnp.sqrt(1 - two**count) / (1 - one**count)
    params: Any = jax.tree.map(lambda p, m, v: p - step * m / (jnp.sqrt(v) + _EPSILON), state.params, first, second)
    decay = jnp.minimum(average, (1.0 + count) / (10.0 + count))
    averaged = jax.tree.map(lambda a, p: decay * a + (1 - decay) * p, state.average, params)
    return LearnerState(params, averaged, first, second, count)
