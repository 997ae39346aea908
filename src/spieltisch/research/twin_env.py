"""Vectorized environments in the style of Pgx: `init` and `step` of one game, for `jax.jit` and `jax.vmap`.

env = twin_env.make("NAME", players=2)
state = jax.vmap(env.init)(keys)
state = jax.vmap(env.step)(state, actions)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from spieltisch import registry
from spieltisch.core.features import Vector
from spieltisch.core.game import AnyGame, Setup
from spieltisch.core.twin import Kind

try:
    import jax
    import jax.numpy as jnp
    from jax import Array, lax

    from spieltisch.twins.arrays import by_rows, tree_where
    from spieltisch.twins.bits import (
        ONE,
        ZERO,
        Word,
        barrier,
        nth_bit_of_words,
        pack_bits,
        popcount,
        stack_words,
        unpack_stack,
    )
    from spieltisch.twins.prng import RandomStream, lowbias32, random_below, seeds_of
except ImportError:
    raise registry.missing_twins() from None

T = TypeVar("T")


@partial(
    jax.tree_util.register_dataclass,
    data_fields=(
        *("current_player", "observation", "rewards", "terminated", "truncated", "legal_action_mask"),
        *("_step_count", "_batch", "_shift", "_key", "_legal_words"),
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
    _key: Array  # uint32[2]: the random stream of the next draws, unless `step` is given a key
    _legal_words: Array  # uint32[words]: the mask packed
    _env_id: str

    @property
    def env_id(self) -> str:
        return self._env_id

    def replace(self, **other: Any) -> State:
        """A copy with some fields replaced."""
        return replace(self, **other)


class _Position(NamedTuple):
    """What a batch of states is made from; the first axis is the games."""

    batch: Any
    shift: Array
    steps: Array
    random: RandomStream  # its first word is for `sample`, those after it for the draws of the next step


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
        over = self.twin.kind(batch) == Kind.OVER
        position = _Position(
            batch, shift[None].astype(jnp.int32), jnp.zeros(1, jnp.int32), RandomStream(*_stream(next_key)[:, None])
        )
        return _only(by_rows(self._make_states)(position, self._rewards(position), over, over))

    def step(self, state: State, action: Array, key: Array | None = None) -> State:
        """The state after an action and the draws it causes, which use the key, or the state's own if there is none.

        An illegal action loses at once. A game that is over stays as it is, with zero rewards.
        """
        over = state.terminated | state.truncated
        return _only(by_rows(self._step)(*_rows_of((_with_key(state, key, over), action))))

    def step_auto_reset(self, state: State, action: Array, fresh: State, key: Array | None = None) -> State:
        """As `step`, but if the game ends, `fresh`, a new game from `init`, takes its place.

        As with Pgx's `auto_reset`, `rewards` and `terminated` are then those of the game that ended, everything else is
        the new game's, and the next step plays it. Its draws go on with the random numbers of the old one, so that
        games from the same deal differ. The state is from `init` or from this function.
        """
        return _only(by_rows(self._step_auto_reset)(*_rows_of((_with_key(state, key), action, fresh))))

    def sample(self, state: State, key: Array | None = None) -> Array:
        """A legal action at random, all equally likely, from the key, or from the state's own: int32."""
        words = [*state._legal_words]  # noqa: SLF001
        counts = [popcount(word) for word in words]
        word = lowbias32(state._key[0]) if key is None else jax.random.bits(_typed(key))  # noqa: SLF001
        return nth_bit_of_words(words, random_below(sum(counts[1:], counts[0]), word)).astype(jnp.int32)

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

    def _step(self, states: State, actions: Array) -> State:
        over = states.terminated | states.truncated
        position, rewards, ends = self._play(states, actions, over)
        return self._make_states(barrier(position), rewards, over | ends, over | ends)

    def _step_auto_reset(self, states: State, actions: Array, fresh: State) -> State:
        never = jnp.zeros_like(states.terminated)
        position, rewards, ends = self._play(states, actions, never)
        renewed = tree_where(ends, _position_of(fresh)._replace(random=position.random), position)
        return self._make_states(barrier(renewed), rewards, ends, never)

    def _play(self, states: State, actions: Array, over: Array) -> tuple[_Position, Array, Array]:
        """What an action and its draws lead to, the rewards, and which games ended by it."""
        before, actions = _position_of(states), barrier(actions.astype(jnp.int32))
        is_legal = barrier(_has_bit(states._legal_words, actions))  # noqa: SLF001
        ids = actions if self._choices_first else jnp.asarray(self.choice_ids, jnp.int32)[actions]
        batch = tree_where(~over & is_legal, self.twin.choose(before.batch, ids), before.batch)
        batch, random = self._resolve_chance(batch, before.random, over)
        after = _Position(batch, before.shift, before.steps + ~over, random)
        forfeits = ~over & ~is_legal
        is_loser = jnp.arange(self.num_players) == states.current_player[:, None]
        forfeit = jnp.where(is_loser, -1.0, 1.0 / max(1, self.num_players - 1)).astype(jnp.float32)
        rewards = jnp.where(forfeits[:, None], forfeit, self._rewards(after))
        ends = ~over & (forfeits | (self.twin.kind(batch) == Kind.OVER))
        return after, jnp.where(over[:, None], 0.0, rewards), ends

    def _resolve_chance(self, batch: Any, random: RandomStream, over: Array) -> tuple[Any, RandomStream]:
        """The batch after all pending draws, and the random streams after them; they stand still in games over."""
        twin, increment = self.twin, jnp.where(over, ZERO, random.increment)

        def draw(carry: tuple[Any, Word]) -> tuple[Any, Word]:
            batch, start = carry
            pending = twin.kind(batch) == Kind.CHANCE
            outcomes = _weighted_choice(twin.weights(batch).astype(jnp.uint32), lowbias32(start))
            return twin.draw(batch, outcomes), jnp.where(pending, start + increment, start)

        def is_chance(carry: tuple[Any, Word]) -> Array:
            return (twin.kind(carry[0]) == Kind.CHANCE).any()

        batch, start = lax.while_loop(is_chance, draw, (batch, random.start + increment))
        return batch, RandomStream(start, random.increment)

    def _rewards(self, position: _Position) -> Array:
        """The rewards of the players, whose seats are shifted."""
        by_seat: Array = self.twin.rewards(position.batch)
        seats = (jnp.arange(self.num_players) - position.shift[:, None]) % self.num_players
        rewards = jnp.zeros_like(by_seat)
        for seat in range(self.num_players):
            rewards = jnp.where(seats == seat, by_seat[:, seat, None], rewards)
        return rewards

    def _make_states(self, position: _Position, rewards: Array, terminated: Array, all_legal: Array) -> State:
        """States with their observations and masks; if `all_legal`, the mask says so."""
        batch, shift, steps, random = position
        seat = self.twin.seat(batch)
        words = stack_words(
            [
                jnp.where(all_legal, np.uint32(every), word)
                for word, every in zip(self._legal_words(batch), self._every_word, strict=True)
            ]
        )
        return State(
            current_player=((seat + shift) % self.num_players).astype(jnp.int32),
            observation=self.twin.features(batch, seat),
            rewards=rewards,
            terminated=terminated,
            truncated=jnp.zeros_like(terminated),
            legal_action_mask=unpack_stack(words, self.num_actions),
            _step_count=steps,
            _batch=jax.tree.map(lambda leaf: leaf[:, None], batch),
            _shift=shift,
            _key=jnp.stack(random, 1),
            _legal_words=words.T,
            _env_id=self.id,
        )

    @property
    def _choices_first(self) -> bool:
        return self.choice_ids == (*range(self.num_actions),)

    @property
    def _every_word(self) -> list[int]:
        """The packed mask in which every action is legal."""
        every = (1 << self.num_actions) - 1
        return [every >> start & 0xFFFFFFFF for start in range(0, self.num_actions, 32)]

    def _legal_words(self, batch: Any) -> list[Array]:
        """The packed mask of the choices, at a decision."""
        if self._choices_first:
            return [*self.twin.legal_words(batch)][: len(self._every_word)]
        legal = self.twin.legal(batch)
        return pack_bits([(legal[:, number].astype(jnp.uint32), 1) for number in self.choice_ids])

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


def _with_key(state: State, key: Array | None, except_if: Array | bool = False) -> State:
    """The state with the random stream of the key, if there is one."""
    if key is None:
        return state
    return replace(state, _key=jnp.where(except_if, state._key, _stream(_typed(key))))  # noqa: SLF001


def _rows_of(tree: T) -> T:
    """A batch of one."""
    rows: T = jax.tree.map(lambda leaf: jnp.asarray(leaf)[None], tree)
    return rows


def _only(rows: T) -> T:
    """The row of a batch of one."""
    row: T = jax.tree.map(lambda leaf: leaf[0], rows)
    return row


def _position_of(states: State) -> _Position:
    batch = jax.tree.map(lambda leaf: leaf[:, 0], states._batch)  # noqa: SLF001
    start, increment = states._key.T  # noqa: SLF001
    return _Position(batch, states._shift, states._step_count, RandomStream(start, increment))  # noqa: SLF001


def _weighted_choice(weights: Array, word: Word) -> Array:
    """A column of the weights, drawn by a random word: int32[games]."""
    ends = [weights[:, 0]]
    for column in range(1, weights.shape[1]):
        ends.append(ends[-1] + weights[:, column])
    ticket = random_below(ends[-1], word)
    return sum(((ticket >= end).astype(jnp.int32) for end in ends[:-1]), jnp.zeros_like(ticket, jnp.int32))


def _has_bit(words: Array, numbers: Array) -> Array:
    """Whether packed words have that bit: bool[games]."""
    word = jnp.take_along_axis(words, (numbers >> 5)[:, None], 1)[:, 0]
    return (word >> (numbers & 31).astype(jnp.uint32) & ONE) != ZERO


def _stream(key: Array) -> Array:
    """A random stream from a key, which may be any: its start and its odd increment."""
    start, increment = seeds_of(key)
    return jnp.stack([start, increment | ONE])


def _typed(key: Array) -> Array:
    """A typed key, from a typed key or from raw key data."""
    typed: Array = key if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else jax.random.wrap_key_data(key)
    return typed
