"""What the tests of twins share."""

from __future__ import annotations

import os
import sys

import jax

from spieltisch.core.game import AnyGame, Game
from spieltisch.core.twin import AnyTwin
from spieltisch.testing.conformance import seeded
from spieltisch.testing.twins import check_twin
from spieltisch.twins import bits, kernel

if "pytest" in sys.modules:  # compiled in a hurry, to run for moments; `make prove-twins` compiles as everybody does
    os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0")


def hold_against_the_law(game: AnyGame, twin: AnyTwin, games: int, seed: int = 0) -> int:
    """Plays games side by side; answers how many states were met."""
    return check_twin(game, twin, [seeded(seed + number) for number in range(games)])


def wandering(twin: AnyTwin):
    """`wander` compiled once for any number of steps."""

    def play(batch, key, steps):
        return twin.wandered(batch, bits.stream(bits.seeds(key), bits.rows(batch)), steps)

    return jax.jit(play)


def in_kernel(twin: AnyTwin, batch, key, steps):
    """The same in a kernel, as if there were a GPU."""
    return kernel.wander(twin, batch, key, steps, block=128, interpret=True)


def rows_of(batch, rows):
    """Some rows of a batch."""
    return jax.tree.map(lambda leaf: leaf[rows], batch)


class Resampling(Game):
    """A game that imagines with its twin, so that the odds of `resample` are held against law 10."""

    def __init__(self, game, twin) -> None:
        self.game, self.twin = game, twin
        self.view, self.worlds, self.key = None, [], jax.random.key(0)

    def imagine(self, view, sampler):
        if self.view != view or not self.worlds:
            self.key, own = jax.random.split(self.key)
            self.view, self.worlds = view, self.twin.unpack(self.twin.resample(view, own, 256))
        return self.worlds.pop()

    initial = pending = apply = observe = write = read = bound = None


def _forward(name):
    return lambda self, *given, **named: getattr(self.game, name)(*given, **named)


for _name in ("initial", "pending", "apply", "observe", "write", "read", "bound", "witness", "recall", "ways", "agree"):
    setattr(Resampling, _name, _forward(_name))
Resampling.__abstractmethods__ = frozenset()
