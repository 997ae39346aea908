"""Fixtures for the tests of twins."""

from __future__ import annotations

import os
import sys

import jax

from spieltisch.core.game import AnyGame
from spieltisch.core.twin import AnyTwin
from spieltisch.testing.conformance import seeded
from spieltisch.testing.planted import GameProxy
from spieltisch.testing.twins import check_twin
from spieltisch.twins import kernel
from spieltisch.twins.arrays import batch_stream

if "pytest" in sys.modules:  # short runs: compile fast, run slowly; `make prove-twins` compiles with optimization
    os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")


def check_random_games(game: AnyGame, twin: AnyTwin, games: int, seed: int = 0) -> int:
    """Checks a batch of random games against law 12; returns the number of states compared."""
    return check_twin(game, twin, [seeded(seed + number) for number in range(games)])


def compile_rollout(twin: AnyTwin):
    """`rollout`, compiled once for any number of steps."""

    def play(batch, key, steps):
        return twin.elementwise_rollout(batch, batch_stream(key, batch), steps)

    return jax.jit(play)


def kernel_rollout(twin: AnyTwin, batch, key, steps):
    """`rollout` in a kernel, interpreted on the CPU."""
    return kernel.rollout(twin, batch, key, steps, block=128, interpret=True)


def rows_of(batch, rows):
    """Some rows of a batch."""
    return jax.tree.map(lambda leaf: leaf[rows], batch)


class Resampling(GameProxy):
    """A game whose `imagine` is its twin's `resample`, so that law 10 can check the odds of `resample`."""

    def __init__(self, game, twin) -> None:
        super().__init__(game)
        self.twin = twin
        self.view, self.states, self.key = None, [], jax.random.key(0)

    def imagine(self, view, sampler):
        if self.view != view or not self.states:
            self.key, own = jax.random.split(self.key)
            self.view, self.states = view, self.twin.unpack(self.twin.resample(view, own, 256))
        return self.states.pop()
