"""Self-play on a twin: a batch of games of one setup, whose seats choose by the values of afterstates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array, lax

from spieltisch.core.net import Net, NetShape
from spieltisch.core.twin import AnyTwin, Kind
from spieltisch.nets.network import Params, forward, margin, shares
from spieltisch.training.returns import Steps, from_seat, lambda_returns, to_seats
from spieltisch.twins.arrays import tree_where
from spieltisch.twins.prng import random_below

NET, RANDOM, GREEDY = range(3)  # who plays a seat: the net, random choices, or the most points at once
_BLOCK: Final = 12  # choices per game that are valued at once


class Samples(NamedTuple):
    """Decisions to learn from, one per row."""

    inputs: Array  # float16[rows, inputs]
    shares: Array  # float32[rows, seats], counted from the seat that decided
    points: Array  # float32[rows, seats]
    players: Array  # int32[rows]
    weight: Array  # float32[rows]: 0 if there is no target


class Games(NamedTuple):
    """What became of the games of a chunk, per step and game."""

    is_over: Array  # bool[steps, games]
    shares: Array  # float32[steps, games, players]: of the victory, valid if it is over
    points: Array  # float32[steps, games, players]
    choices: Array  # int32[steps]: the choices of all games together


class Noise(NamedTuple):
    """How far play departs from the best choice."""

    temperature: Array
    exploration: Array
    margin: Array
    trace: Array


class _Choice(NamedTuple):
    ids: Array  # int32[games]
    value: Array  # float32[games, 2, seats], counted from the seat that decides
    best: Array
    is_random: Array
    choices: Array


@dataclass(frozen=True)
class SelfPlay:
    """Plays chunks of decisions with automatic resets; `play` is to be compiled."""

    twin: AnyTwin
    net: Net
    shape: NetShape
    games: int
    steps: int

    @property
    def capacity(self) -> int:
        """The most choices of all games together; more would be dropped, so callers check `Games.choices`."""
        return self.games * self.net.branching

    @property
    def players(self) -> int:
        return self.twin.setup.players

    def new_games(self, key: Array) -> Any:
        return self.twin.init(key, self.games)

    def play(self, params: Params, batch: Any, policy: Array, noise: Noise, key: Array) -> tuple[Any, Samples, Games]:
        """The games after a chunk of steps, what can be learned from it, and what became of the games.

        `policy` says who plays each seat of each game: int32[games, players].
        """
        deal_key, step_key = jax.random.split(key)
        new_games = self.new_games(deal_key)  # one per game is enough: hardly any game ends twice within a chunk

        def step(batch: Any, key: Array) -> tuple[Any, tuple[Steps, Array, Array]]:
            choose_key, chance_key = jax.random.split(key)
            seat = self.twin.seat(batch)
            choice = self._choose(params, batch, policy, noise, choose_key)
            after = self.twin.step(batch, choice.ids)
            inputs = self._inputs(after, seat).astype(jnp.float16)
            after = self._resolve_chance(after, chance_key)
            is_over = self.twin.kind(after) == Kind.OVER
            one = Steps(
                seat,
                to_seats(choice.value, seat, self.players),
                to_seats(choice.best, seat, self.players),
                choice.is_random,
                is_over,
                jnp.stack(self._outcome(after), 1),
            )
            return tree_where(is_over, new_games, after), (one, inputs, choice.choices)

        batch, (steps, inputs, count) = lax.scan(step, batch, jax.random.split(step_key, self.steps))
        targets, has_target = lambda_returns(steps, noise.trace, shared=self.net.shared)
        targets = from_seat(targets, steps.seat, self.shape.seats)
        rows = self.steps * self.games
        samples = Samples(
            inputs.reshape(rows, -1),
            targets[:, :, 0].reshape(rows, -1),
            targets[:, :, 1].reshape(rows, -1),
            jnp.full(rows, self.players, jnp.int32),
            has_target.reshape(rows).astype(jnp.float32),
        )
        return batch, samples, Games(steps.is_over, steps.outcome[:, :, 0], steps.outcome[:, :, 1], count)

    def _choose(self, params: Params, batch: Any, policy: Array, noise: Noise, key: Array) -> _Choice:
        """A choice per game. All choices of all games are listed one after the other and valued in blocks."""
        games, capacity, players = self.games, self.capacity, self.players
        legal, seat = self.twin.legal(batch), self.twin.seat(batch)
        count = legal.sum(dtype=jnp.int32)
        row, ids = (index.astype(jnp.int32) for index in jnp.nonzero(legal, size=capacity, fill_value=0))
        block = games * _BLOCK
        assert capacity % block == 0

        def value_block(number: Array, found: tuple[Array, Array]) -> tuple[Array, Array]:
            values, leads = found
            start = number * block
            some_rows, some_ids = (lax.dynamic_slice_in_dim(index, start, block) for index in (row, ids))
            value, lead = self._value_children(params, batch, seat, some_rows, some_ids)
            return (
                lax.dynamic_update_slice_in_dim(values, value, start, 0),
                lax.dynamic_update_slice_in_dim(leads, lead, start, 0),
            )

        empty = (jnp.zeros((capacity, 2, self.shape.seats)), jnp.zeros(capacity))
        values, leads = lax.fori_loop(0, (count + block - 1) // block, value_block, empty)
        gumbel_key, uniform_key = jax.random.split(key)
        gumbel = jax.random.gumbel(gumbel_key, (capacity,))
        explores = jax.random.uniform(uniform_key, (games,)) < noise.exploration * jnp.linspace(0, 1, games)
        player = jnp.take_along_axis(policy, seat[:, None], 1)[:, 0]
        is_random = (player == RANDOM) | (explores & (player == NET))
        net_score = values[:, 0, 0] + noise.margin * margin(players, values[:, 1])
        score = jnp.where(player[row] == GREEDY, leads + 1e-3 * gumbel, net_score + noise.temperature * gumbel)
        score = jnp.where(is_random[row], gumbel, score)
        owner = jnp.where(jnp.arange(capacity) < count, row, games)  # what is not listed belongs to no game
        taken, best = (_best(one, owner, games) for one in (score, net_score))
        return _Choice(ids[taken], values[taken], values[best], is_random, count)

    def _value_children(self, params: Params, batch: Any, seat: Array, rows: Array, ids: Array) -> tuple[Array, Array]:
        """The values of afterstates, exact if the game is over, and the lead in points at once."""
        after = self.twin.step(jax.tree.map(lambda leaf: leaf[rows], batch), ids)
        seats = seat[rows]
        out = forward(jnp, self.shape, params, self._inputs(after, seats), self.players)
        predicted = jnp.stack([shares(jnp, out.logits), out.points], 1)
        outcome = from_seat(jnp.stack(self._outcome(after), 1), seats, self.shape.seats)
        is_over = self.twin.kind(after) == Kind.OVER
        return jnp.where(is_over[:, None, None], outcome, predicted), margin(self.players, outcome[:, 1])

    def _inputs(self, batch: Any, seats: Array) -> Array:
        inputs: Array = self.net.inputs(jnp, self.twin.setup, self.twin.features(batch, seats))
        return inputs

    def _outcome(self, batch: Any) -> tuple[Array, Array]:
        """Every seat's share of the victory, and its points as the net predicts them."""
        first = (self.twin.ranks(batch) == 1).astype(jnp.float32)
        return first / first.sum(1, keepdims=True), self.twin.scores(batch) / self.net.points

    def _resolve_chance(self, batch: Any, key: Array) -> Any:
        """The games after all pending draws."""

        def draw(carry: tuple[Any, Array]) -> tuple[Any, Array]:
            batch, key = carry
            now, later = jax.random.split(key)
            ends = jnp.cumsum(self.twin.weights(batch), 1)
            ticket = random_below(ends[:, -1].astype(jnp.uint32), jax.random.bits(now, (self.games,)))
            return self.twin.draw(batch, (ends <= ticket[:, None].astype(jnp.int32)).sum(1)), later

        def is_pending(carry: tuple[Any, Array]) -> Array:
            return (self.twin.kind(carry[0]) == Kind.CHANCE).any()

        return lax.while_loop(is_pending, draw, (batch, key))[0]


def _best(scores: Array, owner: Array, games: int) -> Array:
    """The index of the highest score of each game."""
    highest = jax.ops.segment_max(scores, owner, games)
    index = jnp.where(scores == highest[owner], jnp.arange(scores.shape[0]), scores.shape[0] - 1)
    return jax.ops.segment_min(index, owner, games)
