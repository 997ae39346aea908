"""Learns a game for two by playing against itself: proximal policy optimisation (PPO) in JAX, from nothing but victories.

python learn.py bigpoints --updates 60
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax  # type: ignore[import-untyped]
from jax import Array, lax
from learnt import FILE, Net, encoded, judged, parts_of

from spieltisch.research import twin_env
from spieltisch.research.twin_env import State, TwinEnv

GAMES, STEPS = 512, 32  # side by side, and how far they go between updates
EPOCHS, PARTS = 3, 8  # how often an update goes through what was played, and in how many parts
WIDTH = 128
RATE = 1e-3
LOOK_BACK = 0.95  # how much of later surprises counts for earlier choices
CLIP = 0.2  # how far odds may move in an update
CURIOSITY = 0.01
JUDGING = 0.5  # the weight of judging well beside that of choosing well
NEVER = -1e9


class Played(NamedTuple):
    """What happened in a step."""

    seen: Array
    legal: Array
    action: Array
    odds: Array  # their logarithm
    value: Array
    player: Array
    reward: Array  # for that player
    over: Array


def fresh_net(key: Array, inputs: int, actions: int) -> Net:
    """A net that knows nothing."""
    sizes = {
        "see": (inputs, WIDTH),
        "think": (WIDTH, WIDTH),
        "act": (WIDTH, actions),
        "judge": (WIDTH, 1),
    }
    net = {}
    for name, own in zip(sizes, jax.random.split(key, len(sizes)), strict=True):
        size = sizes[name]
        gain = 0.01 if name == "act" else 1.0
        net[name] = gain * jax.random.normal(own, size) / WIDTH**0.5
        net[f"{name}_bias"] = jnp.zeros(size[1])
    return net


def liked(net: Net, seen: Array, legal: Array) -> tuple[Array, Array]:
    """The logarithms of the odds of every action, and how the game will end."""
    marks, value = judged(net, seen)
    return jax.nn.log_softmax(jnp.where(legal, marks, NEVER)), value


class Learner:
    """Two seats and one net on both of them."""

    def __init__(self, env: TwinEnv, seed: int, games: int = GAMES) -> None:
        self.env, self.games, self.parts = env, games, parts_of(env)
        net_key, init_key, self.key = jax.random.split(jax.random.key(seed), 3)
        self.rule = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(RATE))
        inputs = jax.eval_shape(self.inputs, jnp.zeros(env.observation_shape, jnp.int32))
        self.net = fresh_net(net_key, inputs.shape[-1], env.num_actions)
        self.memory = self.rule.init(self.net)
        self.state = self.dealt(init_key)

    def inputs(self, observation: Array) -> Array:
        return encoded(observation, self.parts)

    @partial(jax.jit, static_argnums=0)
    def dealt(self, key: Array) -> State:
        """New games."""
        return jax.vmap(self.env.init)(jax.random.split(key, self.games))

    def update(self) -> dict[str, float]:
        """Plays on, learns from it, and says how it went."""
        self.key, own = jax.random.split(self.key)
        playing, dealing, mixing = jax.random.split(own, 3)
        fresh = self.dealt(dealing)  # no game ends twice in so few steps
        self.net, self.memory, self.state, told = self._updated(
            self.net, self.memory, self.state, fresh, playing, mixing
        )
        return {name: float(value) for name, value in told.items()}

    def keep(self, file: Path) -> None:
        """Writes what was learnt to a file."""
        kept: dict[str, Any] = {**self.net, "game": self.env.game.name, "players": self.env.num_players}
        np.savez(file, **kept)

    @partial(jax.jit, static_argnums=0)
    def _updated(
        self, net: Net, memory: Any, state: State, fresh: State, playing: Array, mixing: Array
    ) -> tuple[Net, Any, State, dict[str, Array]]:
        state, played = lax.scan(partial(self._step, net, fresh), state, jax.random.split(playing, STEPS))
        _, last = judged(net, self.inputs(state.observation))
        gains = self._gains(played, last, state.current_player)
        flat = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), (played, gains, gains + played.value))

        def part(kept: tuple[Net, Any], rows: Array) -> tuple[tuple[Net, Any], tuple[Array, Array]]:
            net, memory = kept
            some = jax.tree.map(lambda leaf: leaf[rows], flat)
            (loss, spread), slope = jax.value_and_grad(_loss, has_aux=True)(net, *some)
            change, memory = self.rule.update(slope, memory, net)
            changed: Any = optax.apply_updates(net, change)
            return (changed, memory), (loss, spread)

        mixed = jax.vmap(partial(jax.random.permutation, x=self.games * STEPS))
        rows = mixed(jax.random.split(mixing, EPOCHS)).reshape(EPOCHS * PARTS, -1)
        (net, memory), (losses, spreads) = lax.scan(part, (net, memory), rows)
        told = {"loss": losses.mean(), "curiosity": spreads.mean(), "games": played.over.sum()}
        return net, memory, state, told

    def _step(self, net: Net, fresh: State, state: State, key: Array) -> tuple[State, Played]:
        seen = self.inputs(state.observation)
        odds, value = liked(net, seen, state.legal_action_mask)
        action = jax.random.categorical(key, odds)
        after = jax.vmap(self.env.step)(state, action)
        player, row = state.current_player, jnp.arange(self.games)
        played = Played(
            *(seen, state.legal_action_mask, action, odds[row, action], value),
            *(player, after.rewards[row, player], after.terminated),
        )

        def renewed(new: Array, old: Array) -> Array:
            return jnp.where(after.terminated.reshape(-1, *[1] * (new.ndim - 1)), new, old)

        return jax.tree.map(renewed, fresh, after), played

    def _gains(self, played: Played, last: Array, follows: Array) -> Array:
        """How much better than judged each choice was: what is good for one seat is bad for the other."""

        def back(kept: tuple[Array, Array, Array], step: Played) -> tuple[tuple[Array, Array, Array], Array]:
            gain, value, player = kept
            side = jnp.where(step.over, 0.0, jnp.where(player == step.player, 1.0, -1.0))
            gain = step.reward + side * (value + LOOK_BACK * gain) - step.value
            return (gain, step.value, step.player), gain

        gains: Array = lax.scan(back, (jnp.zeros_like(last), last, follows), played, reverse=True)[1]
        return gains


def _loss(net: Net, played: Played, gains: Array, ends: Array) -> tuple[Array, Array]:
    odds, value = liked(net, played.seen, played.legal)
    moved = jnp.exp(jnp.take_along_axis(odds, played.action[:, None], 1)[:, 0] - played.odds)
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    choosing = -jnp.minimum(moved * gains, moved.clip(1 - CLIP, 1 + CLIP) * gains).mean()
    spread = -(jnp.exp(odds) * jnp.where(played.legal, odds, 0.0)).sum(1).mean()
    judging = ((value - ends) ** 2).mean()
    return choosing + JUDGING * judging - CURIOSITY * spread, spread


def against_random(learner: Learner, games: int, seed: int) -> float:
    """The share of victories of the best liked choices against random ones, half of the games begun by each."""
    env = learner.env
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(seed), games))
    own = jnp.arange(games) % 2
    step = jax.jit(partial(_met, learner, own))
    total, key = jnp.zeros((games, 2)), jax.random.key(seed + 1)
    while not state.terminated.all():
        key, now = jax.random.split(key)
        state = step(learner.net, state, now)
        total += state.rewards
    mine = total[jnp.arange(games), own]
    return float((mine > 0).mean() + (mine == 0).mean() / 2)


def _met(learner: Learner, own: Array, net: Net, state: State, key: Array) -> State:
    odds, _ = liked(net, learner.inputs(state.observation), state.legal_action_mask)
    random = jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, NEVER))
    return jax.vmap(learner.env.step)(state, jnp.where(state.current_player == own, odds.argmax(1), random))


def main() -> None:
    asked = argparse.ArgumentParser(description="Learn a game for two by playing against oneself.")
    asked.add_argument("game", nargs="?", default="bigpoints")
    asked.add_argument("--updates", type=int, default=60)
    asked.add_argument("--games", type=int, default=GAMES, help="side by side")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--out", type=Path, default=FILE)
    given = asked.parse_args()
    learner, began = Learner(twin_env.make(given.game, players=2), given.seed, given.games), time.monotonic()
    finished = 0.0
    for number in range(1, given.updates + 1):
        told = learner.update()
        finished += told["games"]
        if number % 10 == 0 or number == given.updates:
            share = against_random(learner, 256, number)
            print(
                f"update {number}, {finished:.0f} games, {time.monotonic() - began:.0f} s: loss {told['loss']:.3f}, "
                f"curiosity {told['curiosity']:.2f}, {share:.0%} against random",
                flush=True,
            )
    learner.keep(given.out)
    print(f"{given.out.name} is written")


if __name__ == "__main__":
    main()
