"""Many games at once, in Pgx's manner: `init` and `step` of one game, for `jax.jit` and `jax.vmap`.

env = twin_env.make("NAME", players=2)
state = jax.vmap(env.init)(keys)
state = jax.vmap(env.step)(state, actions)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from spieltisch import registry
from spieltisch.core.game import AnyGame, Setup
from spieltisch.core.twin import Kind
from spieltisch.i18n.message import message_factory

try:
    import jax
    import jax.numpy as jnp
    from jax import Array, lax
except ImportError:
    raise registry.MissingExtra(message_factory("")("twin.extra", extra="spieltisch[batch]")) from None


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
    """Where a game stands, as far as a learner is told; what begins with a line is the environment's own."""

    current_player: Array  # int32
    observation: Array  # int32[places]: what that player may know
    rewards: Array  # float32[players]: nothing until the end
    terminated: Array  # bool
    truncated: Array  # bool: never
    legal_action_mask: Array  # bool[actions]: all of them once the game is over
    _step_count: Array  # int32
    _batch: Any  # the twin's batch of this one game
    _shift: Array  # who sits on the twin's first seat
    _key: Array  # luck to come, where `step` is given none
    _env_id: str

    @property
    def env_id(self) -> str:
        return self._env_id

    def replace(self, **other: Any) -> State:
        """The state with some other fields."""
        return replace(self, **other)


class TwinEnv:
    """A game with a twin as an environment. An action's number is its id; draws happen inside `step`."""

    def __init__(self, game: AnyGame, setup: Setup, drawn: bool) -> None:
        twin = registry.twin(game, setup)
        if twin is None:
            raise registry.no_twin(game)
        self.game, self.twin = game, twin
        self._drawn = drawn  # whether the first seat is
        outcomes = set(twin.outcomes)
        self.choices = tuple(number for number in range(len(twin.actions)) if number not in outcomes)
        shapes = jax.eval_shape(self._features, jax.eval_shape(partial(twin.init, games=1), jax.random.key(0)), 0)
        self.names = tuple(
            name + "".join(f".{place}" for place in places)
            for name, shape in shapes.items()
            for places in _places(shape.shape[1:])
        )  # what each place of an observation says
        self._compiled = jax.jit(self._row)

    @property
    def id(self) -> str:
        return f"spieltisch_{self.game.name}"

    @property
    def version(self) -> str:
        """The version of the rules."""
        return str(self.twin.setup.rules)

    @property
    def num_players(self) -> int:
        return self.twin.setup.players

    @property
    def num_actions(self) -> int:
        return len(self.choices)

    @property
    def observation_shape(self) -> tuple[int, ...]:
        return (len(self.names),)

    def init(self, key: Array) -> State:
        """A game, dealt and ready for the first decision; who begins is drawn where `first` was not given."""
        seating, dealing, rest = jax.random.split(_typed(key), 3)
        shift = jax.random.randint(seating, (), 0, self.num_players) if self._drawn else jnp.int32(0)
        batch = self.twin.init(dealing, 1)
        return self._told(batch, shift, jnp.int32(0), jax.random.key_data(rest))

    def step(self, state: State, action: Array, key: Array | None = None) -> State:
        """The game after a choice, and all draws that follow from it; luck is the key's, else the state's own.

        Whoever takes what is not legal has lost at once. A game that is over stays as it is, for no reward.
        """
        luck, rest = jax.random.split(_typed(state._key if key is None else key))  # noqa: SLF001
        over, legal = state.terminated | state.truncated, state.legal_action_mask[action]
        ids = jnp.asarray(self.choices, jnp.int32)[action][None]
        batch = self._settled(self.twin.step(state._batch, ids), luck)  # noqa: SLF001
        after = self._told(batch, state._shift, state._step_count + 1, jax.random.key_data(rest))  # noqa: SLF001
        others = 1.0 / max(1, self.num_players - 1)
        loser = jnp.arange(self.num_players) == state.current_player
        lost = replace(
            state,
            rewards=jnp.where(loser, -1.0, others).astype(jnp.float32),
            terminated=jnp.bool_(True),
            legal_action_mask=jnp.ones_like(state.legal_action_mask),
            _step_count=state._step_count + 1,  # noqa: SLF001
        )
        still = replace(state, rewards=jnp.zeros_like(state.rewards))
        return _where(over, still, _where(legal, after, lost))

    def observe(self, state: State, player: Array | int | None = None) -> Array:
        """What that player may know, whose turn it is where none is given, as whole numbers: int32[places]."""
        player = state.current_player if player is None else player
        return self._row(state._batch, (player - state._shift) % self.num_players)  # noqa: SLF001

    def seen(self, view: Any) -> Array:
        """The observation of whoever has that view, whoever began: every world that looks like it gives the same."""
        if view.setup._replace(first=self.twin.setup.first) != self.twin.setup:
            raise ValueError("a view of another setup")
        twin, world = registry.twin(self.game, view.setup), self.game.imagine(view, Random(0))
        assert twin is not None
        row: Array = self._compiled(twin.pack([world]), jnp.int32(view.viewer))
        return row

    def _settled(self, batch: Any, key: Array) -> Any:
        """The game after the draws that are pending."""

        def draw(kept: tuple[Any, Array]) -> tuple[Any, Array]:
            batch, key = kept
            now, later = jax.random.split(key)
            return self.twin.draw(batch, jax.random.categorical(now, jnp.log(self.twin.weights(batch)))), later

        def pending(kept: tuple[Any, Array]) -> Array:
            waits: Array = self.twin.kind(kept[0])[0] == Kind.CHANCE
            return waits

        return lax.while_loop(pending, draw, (batch, key))[0]

    def _told(self, batch: Any, shift: Array, count: Array, key: Array) -> State:
        """A state with all that is said about the batch's only game."""
        twin, players = self.twin, self.num_players
        seat, over = twin.seat(batch)[0], twin.kind(batch)[0] == Kind.OVER
        return State(
            current_player=((seat + shift) % players).astype(jnp.int32),
            observation=self._row(batch, seat),
            rewards=jnp.roll(twin.rewards(batch)[0], shift),
            terminated=over,
            truncated=jnp.bool_(False),
            legal_action_mask=twin.legal(batch)[0, jnp.asarray(self.choices)] | over,
            _step_count=count,
            _batch=batch,
            _shift=shift.astype(jnp.int32),
            _key=key,
            _env_id=self.id,
        )

    def _features(self, batch: Any, seat: Array) -> Mapping[str, Array]:
        return self.twin.features(batch, jnp.asarray(seat, jnp.int32)[None])

    def _row(self, batch: Any, seat: Array) -> Array:
        parts = self._features(batch, seat).values()
        return jnp.concatenate([part.astype(jnp.int32).reshape(-1) for part in parts])


def make(
    game: str,
    players: int | None = None,
    edition: str | None = None,
    options: Mapping[str, object] | None = None,
    first: int | None = None,
    rules: int | None = None,
) -> TwinEnv:
    """The environment of a game; NoTwin for one that cannot be played in batches."""
    found = registry.find(game).for_simulation
    return TwinEnv(found, found.agree(players, edition, options, first or 0, rules), drawn=first is None)


def _typed(key: Array) -> Array:
    """A key, whether it is one or the numbers of one."""
    typed: Array = key if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else jax.random.wrap_key_data(key)
    return typed


def _where(condition: Array, one: State, other: State) -> State:
    chosen: State = jax.tree.map(partial(jnp.where, condition), one, other)
    return chosen


def _places(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The places of an array in order."""
    if not shape:
        return [()]
    return [(place, *rest) for place in range(shape[0]) for rest in _places(shape[1:])]
