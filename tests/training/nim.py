"""Nim as a game with a twin and a net: small enough to be trained and checked within seconds.

Whoever takes the last of seven stones wins; a turn takes one or two. So a seat that leaves a multiple of three wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from spieltisch.core.features import FeatureField, Features
from spieltisch.core.game import Decision, Edition, Game, Outcome, Over, Seat
from spieltisch.core.net import Bilinear, Net, TrainingSetup
from spieltisch.core.twin import Kind, Twin

STONES = 7


class State(NamedTuple):
    setup: object
    stones: int
    seat: int


class Nim(Game):
    name = "nim"
    title = "Nim"
    minutes = 1
    editions = (Edition("plain", range(2, 3)),)

    def initial(self, setup):
        return State(setup, STONES, setup.first)

    def pending(self, state):
        if state.stones == 0:
            scores = tuple(int(seat != state.seat) for seat in range(2))
            return Over(Outcome(scores, tuple(2 - score for score in scores), "empty"))
        return Decision(Seat(state.seat), tuple(range(1, min(2, state.stones) + 1)))

    def apply(self, state, action):
        return state._replace(stones=state.stones - action, seat=1 - state.seat)

    def observe(self, state, viewer):
        return state

    def imagine(self, view, sampler):
        return view

    def write(self, state, action):
        return str(action)

    def read(self, state, text):
        return int(text)

    def bound(self, setup):
        return STONES


class NimFeatures(Features):
    version = "nim-v1"
    reads_states = True

    def define(self):
        return (
            FeatureField("stones", (STONES + 1,), "stones left, one-hot"),
            FeatureField("turn", (2,), "seat to play"),
        )

    def write_state(self, state, viewer, vector):
        vector[state.stones] = vector[STONES + 1 + (state.seat - viewer) % 2] = 1.0

    def write(self, view, vector):
        raise NotImplementedError


class NimNet(Net):
    version = "nim-net-v1"
    seats = 3  # one more than ever play, so that a seat is masked
    size = STONES + 3
    hidden = (16, 8)
    bilinear = Bilinear(STONES + 1, 1, 2, 2)
    points = 1.0
    branching = 12
    mix = (TrainingSetup("plain", {}),)

    def variant(self, setup):
        return "plain"

    def inputs(self, xp, setup, features):
        return features


class Batch(NamedTuple):
    stones: object
    seat: object


@dataclass(frozen=True)
class NimTwin(Twin):
    actions = (1, 2)
    outcomes = range(2, 2)

    def pack(self, states):
        return Batch(*(self.asarray([getattr(state, name) for state in states]) for name in Batch._fields))

    def unpack(self, batch):
        return [State(self.setup, int(stones), int(seat)) for stones, seat in zip(*batch, strict=True)]

    def asarray(self, numbers):
        return jnp.asarray(numbers, jnp.int32)

    def init(self, key, games):
        return Batch(jnp.full(games, STONES, jnp.int32), jnp.zeros(games, jnp.int32))

    def kind(self, batch):
        return jnp.where(batch.stones == 0, np.uint8(Kind.OVER), np.uint8(Kind.DECISION))

    def seat(self, batch):
        return batch.seat

    def legal(self, batch):
        return batch.stones[:, None] >= jnp.arange(1, 3)

    def step(self, batch, ids):
        return Batch(batch.stones - ids - 1, 1 - batch.seat)

    def weights(self, batch):
        return jnp.zeros((len(batch.seat), 1), jnp.int32)

    def draw(self, batch, numbers):
        return batch

    def scores(self, batch):
        return jnp.stack([batch.seat == 1, batch.seat == 0], 1).astype(jnp.int32)

    def ranks(self, batch):
        return 2 - self.scores(batch)

    def observe(self, batch, viewers):
        raise NotImplementedError

    def features(self, batch, viewers):
        turn = (batch.seat - viewers) % 2
        one_hot = [batch.stones[:, None] == jnp.arange(STONES + 1), turn[:, None] == jnp.arange(2)]
        return jnp.concatenate(one_hot, 1).astype(jnp.float32)

    def resample(self, view, key, games):
        raise NotImplementedError

    def auto_reset(self, batch, key):
        raise NotImplementedError

    def rollout(self, batch, key, steps):
        raise NotImplementedError


GAME = Nim()
