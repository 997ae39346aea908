"""Evaluation of states by a net with NumPy, from what one seat may know of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spieltisch import registry
from spieltisch.core.features import AnyFeatures
from spieltisch.core.game import AnyGame, Over, Seat, Setup
from spieltisch.core.net import Net
from spieltisch.core.player import CannotPlay
from spieltisch.i18n.message import message_factory
from spieltisch.nets.network import forward, shares
from spieltisch.nets.weights import Weights, load_weights

_say = message_factory("")


class Values(NamedTuple):
    """The values of states, per seat of the table."""

    shares: NDArray[np.float32]  # float32[states, players]: of the victory
    points: NDArray[np.float32]  # float32[states, players]: at the end


class Evaluator:
    """A net with its weights. States are valued as a seat knows them, right after a choice of that seat."""

    def __init__(self, game: AnyGame, net: Net, weights: Weights) -> None:
        self.game, self.net, self.weights = game, net, weights
        self._features: dict[Setup, AnyFeatures] = {}

    def covers(self, setup: Setup) -> bool:
        """Whether the weights are trained for games of that setup."""
        variant = self.net.variant(setup)
        return variant is not None and setup.players in self.weights.info.trained.get(variant, ())

    def inputs(self, setup: Setup, states: Sequence[Any], seat: Seat) -> NDArray[np.float32]:
        """The net's inputs for the states as the seat knows them: float32[states, inputs]."""
        features = self._features.setdefault(setup, registry.features(self.game, setup))
        table = np.zeros((len(states), features.size), np.float32)
        for state, row in zip(states, table, strict=True):
            if features.reads_states:
                features.write_state(state, seat, row)
            else:
                features.write(self.game.observe(state, seat), row)
        inputs: NDArray[np.float32] = self.net.inputs(np, setup, table)
        return inputs

    def evaluate(self, setup: Setup, states: Sequence[Any], seat: Seat) -> Values:
        """The values of the states, exact for games that are over; CannotPlay if the net is not trained for them."""
        if not self.covers(setup):
            raise CannotPlay(_say("net.setup", title=self.game.title))
        players = setup.players
        out = forward(np, self.weights.shape, self.weights.params, self.inputs(setup, states, seat), players)
        order = (np.arange(players) - seat) % players
        values = Values(shares(np, out.logits)[:, order], out.points[:, order] * np.float32(self.net.points))
        for number, state in enumerate(states):
            if isinstance(over := self.game.pending(state), Over):
                ranks = over.outcome.ranks
                values.shares[number] = [(rank == 1) / ranks.count(1) for rank in ranks]
                values.points[number] = over.outcome.scores
        return values


@lru_cache(maxsize=16)
def load_evaluator(game: AnyGame, path: Path) -> Evaluator:
    """The game's net with the weights of a file; BadWeights says what does not fit."""
    weights = load_weights(path, game)
    net = registry.net(game)
    assert net is not None  # otherwise its weights are refused
    return Evaluator(game, net, weights)
