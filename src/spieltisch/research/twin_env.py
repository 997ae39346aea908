"""Vectorized environments in the style of Pgx: `init` and `step` of one game, for `jax.jit` and `jax.vmap`.

env = twin_env.make("NAME", players=2)
state = jax.vmap(env.init)(keys)
state = jax.vmap(env.step)(state, actions)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from spieltisch import registry
from spieltisch.core.features import Vector
from spieltisch.core.game import AnyGame, Setup
from spieltisch.core.twin import Kind

try:
    import jax
    import jax.numpy as jnp
    from jax import Array, lax

    from spieltisch.twins.arrays import tree_where
    from spieltisch.twins.bits import barrier
    from spieltisch.twins.prng import random_below
except ImportError:
    raise registry.missing_twins() from None


@partial(
    jax.tree_util.register_dataclass,
    data_fields=(
        *("current_player", "observation", "rewards", "terminated", "truncated", "legal_action_mask"),
        *("_step_count", "_batch", "_shift", "_key"),
    ),
    meta_fields=("_env_id",),
)
@dataclass(frozen=True)
class State:
    """Environment state in the fields of Pgx; those with a leading underscore are internal."""

    current_player: Array  # int32
    observation: Array  # float32[features]: what the current player may know
    rewards: Array  # float32[players]: zero until the end
    terminated: Array  # bool
    truncated: Array  # bool: always false
    legal_action_mask: Array  # bool[actions]: all true once the game is over
    _step_count: Array  # int32
    _batch: Any  # the twin's batch, of this one game
    _shift: Array  # the player on the twin's first seat
    _key: Array  # for the draws of the next step, unless `step` is given a key
    _env_id: str

    @property
    def env_id(self) -> str:
        return self._env_id

    def replace(self, **other: Any) -> State:
        """A copy with some fields replaced."""
        return replace(self, **other)


class TwinEnv:
    """Environment of a game with a twin. Actions are indexes into `choice_ids`; draws happen inside `step`."""

    def __init__(self, game: AnyGame, setup: Setup, draw_first: bool) -> None:
        twin = registry.twin(game, setup)
        if twin is None:
            raise registry.no_twin(game)
        self.game, self.twin = game, twin
        self.features = registry.features(game, setup)
        self._draw_first = draw_first  # whether the starting seat is drawn for every game
        outcomes = set(twin.outcomes)
        self.choice_ids = tuple(number for number in range(len(twin.actions)) if number not in outcomes)

    @property
    def id(self) -> str:
        return f"spieltisch_{self.game.name}"

    @property
    def version(self) -> str:
        """The version of the features."""
        return self.features.version

    @property
    def num_players(self) -> int:
        return self.twin.setup.players

    @property
    def num_actions(self) -> int:
        return len(self.choice_ids)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        return (self.features.size,)

    def init(self, key: Array) -> State:
        """A new game, dealt and ready for the first decision; the starting seat is drawn if `first` was not given."""
        seat_key, deal_key, next_key = jax.random.split(_typed(key), 3)
        shift = jax.random.randint(seat_key, (), 0, self.num_players) if self._draw_first else jnp.int32(0)
        batch = self.twin.init(deal_key, 1)
        return self._make_state(batch, shift, jnp.int32(0), jax.random.key_data(next_key))

    def step(self, state: State, action: Array, key: Array | None = None) -> State:
        """The state after an action and the draws it causes, which use the key, or the state's own if there is none.

        An illegal action loses at once. A game that is over stays as it is, with zero rewards.
        """
        draw_key, next_key = jax.random.split(_typed(state._key if key is None else key))  # noqa: SLF001
        over, is_legal = state.terminated | state.truncated, state.legal_action_mask[action]
        plays, forfeits = ~over & is_legal, ~over & ~is_legal
        ids = jnp.asarray(self.choice_ids, jnp.int32)[action][None]
        batch = tree_where(plays, self.twin.step(state._batch, ids), state._batch)  # noqa: SLF001
        after = self._make_state(
            self._resolve_chance(batch, draw_key),
            state._shift,  # noqa: SLF001
            state._step_count + ~over,  # noqa: SLF001
            jnp.where(over, state._key, jax.random.key_data(next_key)),  # noqa: SLF001
        )
        is_loser = jnp.arange(self.num_players) == state.current_player
        forfeit = jnp.where(is_loser, -1.0, 1.0 / max(1, self.num_players - 1)).astype(jnp.float32)
        return replace(
            after,
            rewards=jnp.where(over, 0.0, jnp.where(forfeits, forfeit, after.rewards)),
            terminated=over | forfeits | after.terminated,
            legal_action_mask=after.legal_action_mask | over | forfeits,
        )

    def observe(self, state: State, player: Array | int | None = None) -> Array:
        """The features of what a player may know, by default the current one: float32[features]."""
        player = state.current_player if player is None else player
        return self._observe(state._batch, (player - state._shift) % self.num_players)  # noqa: SLF001

    def encode_view(self, view: Any) -> Vector:
        """The observation from a seat's view, which `Game.recall` has completed by what the seat remembers."""
        if view.setup._replace(first=self.twin.setup.first) != self.twin.setup:
            raise ValueError("a view of another setup")
        vector = np.zeros(self.features.size, np.float32)
        self.features.write(view, vector)
        return vector

    def _resolve_chance(self, batch: Any, key: Array) -> Any:
        """The batch after all pending draws."""

        def draw(carry: tuple[Any, Array]) -> tuple[Any, Array]:
            batch, key = carry
            now, later = jax.random.split(key)
            ends = jnp.cumsum(self.twin.weights(batch), 1)
            ticket = random_below(ends[:, -1].astype(jnp.uint32), jax.random.bits(now, (1,)))
            return self.twin.draw(batch, (ends <= ticket[:, None].astype(jnp.int32)).sum(1)), later

        def is_chance(carry: tuple[Any, Array]) -> Array:
            pending: Array = self.twin.kind(carry[0])[0] == Kind.CHANCE
            return pending

        return lax.while_loop(is_chance, draw, (batch, key))[0]

    def _make_state(self, batch: Any, shift: Array, count: Array, key: Array) -> State:
        twin, players, batch = self.twin, self.num_players, barrier(batch)
        seat, over = twin.seat(batch)[0], twin.kind(batch)[0] == Kind.OVER
        return State(
            current_player=((seat + shift) % players).astype(jnp.int32),
            observation=self._observe(batch, seat),
            rewards=jnp.roll(twin.rewards(batch)[0], shift),
            terminated=over,
            truncated=jnp.bool_(False),
            legal_action_mask=self._choices(twin.legal(batch)[0]) | over,
            _step_count=count,
            _batch=batch,
            _shift=shift.astype(jnp.int32),
            _key=key,
            _env_id=self.id,
        )

    def _choices(self, legal: Array) -> Array:
        """The part of a mask that players choose from: a slice if choices come before outcomes."""
        first = range(self.num_actions)
        return legal[: self.num_actions] if self.choice_ids == (*first,) else legal[jnp.asarray(self.choice_ids)]

    def _observe(self, batch: Any, seat: Array) -> Array:
        features: Array = self.twin.features(batch, jnp.asarray(seat, jnp.int32)[None])[0]
        return features


def make(
    game: str,
    players: int | None = None,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    first: int | None = None,
    rules: int | None = None,
) -> TwinEnv:
    """The environment of a game by name; NoTwin if the game has no twin."""
    found = registry.find(game).for_simulation
    return TwinEnv(found, found.agree(players, edition, options, first or 0, rules), draw_first=first is None)


def _typed(key: Array) -> Array:
    """A typed key, from a typed key or from raw key data."""
    typed: Array = key if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else jax.random.wrap_key_data(key)
    return typed
