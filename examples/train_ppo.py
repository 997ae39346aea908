"""Trains a policy for a two-player game by self-play: proximal policy optimization (PPO) in JAX, from victories alone.

python train_ppo.py bigpoints --updates 60
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
from ppo_bot import FILE
from ppo_bot import forward as network

from spieltisch.research import twin_env
from spieltisch.research.twin_env import State, TwinEnv

GAMES, STEPS = 512, 32  # parallel games, and steps per update
EPOCHS, MINIBATCHES = 3, 8  # per update
WIDTH = 128
LEARNING_RATE = 1e-3
GAE_LAMBDA = 0.95
CLIP = 0.2
ENTROPY_WEIGHT = 0.01
VALUE_WEIGHT = 0.5
MASKED = -1e9  # logit of an illegal action

Params = dict[str, Array]
forward = partial(network, numpy=jnp)


class Step(NamedTuple):
    """One step of every game."""

    observation: Array
    legal: Array
    action: Array
    log_prob: Array
    value: Array
    player: Array
    reward: Array  # for that player
    terminated: Array


def init_params(key: Array, inputs: int, actions: int) -> Params:
    """Random initial parameters."""
    shapes = {
        "input": (inputs, WIDTH),
        "hidden": (WIDTH, WIDTH),
        "policy": (WIDTH, actions),
        "value": (WIDTH, 1),
    }
    params = {}
    for name, layer_key in zip(shapes, jax.random.split(key, len(shapes)), strict=True):
        shape = shapes[name]
        gain = 0.01 if name == "policy" else 1.0
        params[name] = gain * jax.random.normal(layer_key, shape) / WIDTH**0.5
        params[f"{name}_bias"] = jnp.zeros(shape[1])
    return params


def evaluate(params: Params, observation: Array, legal: Array) -> tuple[Array, Array]:
    """The log probabilities of all actions, and the value."""
    logits, value = forward(params, observation)
    return jax.nn.log_softmax(jnp.where(legal, logits, MASKED)), value


class Trainer:
    """Self-play with one network on both seats."""

    def __init__(self, env: TwinEnv, seed: int, games: int = GAMES) -> None:
        self.env, self.games = env, games
        params_key, init_key, self.key = jax.random.split(jax.random.key(seed), 3)
        self.optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(LEARNING_RATE))
        self.params = init_params(params_key, env.features.size, env.num_actions)
        self.optimizer_state = self.optimizer.init(self.params)
        self.state = self.new_games(init_key)

    @partial(jax.jit, static_argnums=0)
    def new_games(self, key: Array) -> State:
        return jax.vmap(self.env.init)(jax.random.split(key, self.games))

    def update(self) -> dict[str, float]:
        """Plays some steps, trains on them and returns metrics."""
        self.key, key = jax.random.split(self.key)
        action_key, init_key, shuffle_key = jax.random.split(key, 3)
        fresh = self.new_games(init_key)  # enough for one reset per game: none ends twice in so few steps
        self.params, self.optimizer_state, self.state, metrics = self._update(
            self.params, self.optimizer_state, self.state, fresh, action_key, shuffle_key
        )
        return {name: float(value) for name, value in metrics.items()}

    def save(self, file: Path) -> None:
        """Writes the parameters to a file."""
        about = {"game": self.env.game.name, "players": self.env.num_players, "features": self.env.features.digest}
        content: dict[str, Any] = {**self.params, **about}
        np.savez(file, **content)

    @partial(jax.jit, static_argnums=0)
    def _update(
        self, params: Params, optimizer_state: Any, state: State, fresh: State, action_key: Array, shuffle_key: Array
    ) -> tuple[Params, Any, State, dict[str, Array]]:
        state, steps = lax.scan(partial(self._step, params, fresh), state, jax.random.split(action_key, STEPS))
        _, last_value = forward(params, state.observation)
        advantages = self._advantages(steps, last_value, state.current_player)
        batch = jax.tree.map(
            lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), (steps, advantages, advantages + steps.value)
        )

        def train(carry: tuple[Params, Any], rows: Array) -> tuple[tuple[Params, Any], tuple[Array, Array]]:
            params, optimizer_state = carry
            minibatch = jax.tree.map(lambda leaf: leaf[rows], batch)
            (loss, entropy), gradients = jax.value_and_grad(_loss, has_aux=True)(params, *minibatch)
            updates, optimizer_state = self.optimizer.update(gradients, optimizer_state, params)
            updated: Any = optax.apply_updates(params, updates)
            return (updated, optimizer_state), (loss, entropy)

        shuffle = jax.vmap(partial(jax.random.permutation, x=self.games * STEPS))
        rows = shuffle(jax.random.split(shuffle_key, EPOCHS)).reshape(EPOCHS * MINIBATCHES, -1)
        (params, optimizer_state), (losses, entropies) = lax.scan(train, (params, optimizer_state), rows)
        metrics = {"loss": losses.mean(), "entropy": entropies.mean(), "games": steps.terminated.sum()}
        return params, optimizer_state, state, metrics

    def _step(self, params: Params, fresh: State, state: State, key: Array) -> tuple[State, Step]:
        log_probs, value = evaluate(params, state.observation, state.legal_action_mask)
        action = jax.random.categorical(key, log_probs)
        after = jax.vmap(self.env.step)(state, action)
        player, row = state.current_player, jnp.arange(self.games)
        step = Step(
            *(state.observation, state.legal_action_mask, action, log_probs[row, action], value),
            *(player, after.rewards[row, player], after.terminated),
        )

        def reset(new: Array, old: Array) -> Array:
            return jnp.where(after.terminated.reshape(-1, *[1] * (new.ndim - 1)), new, old)

        return jax.tree.map(reset, fresh, after), step

    def _advantages(self, steps: Step, last_value: Array, last_player: Array) -> Array:
        """Generalized advantage estimation for two players with opposite interests."""

        def backward(carry: tuple[Array, Array, Array], step: Step) -> tuple[tuple[Array, Array, Array], Array]:
            advantage, value, player = carry
            sign = jnp.where(step.terminated, 0.0, jnp.where(player == step.player, 1.0, -1.0))
            advantage = step.reward + sign * (value + GAE_LAMBDA * advantage) - step.value
            return (advantage, step.value, step.player), advantage

        start = (jnp.zeros_like(last_value), last_value, last_player)
        advantages: Array = lax.scan(backward, start, steps, reverse=True)[1]
        return advantages


def _loss(params: Params, steps: Step, advantages: Array, targets: Array) -> tuple[Array, Array]:
    log_probs, value = evaluate(params, steps.observation, steps.legal)
    ratio = jnp.exp(jnp.take_along_axis(log_probs, steps.action[:, None], 1)[:, 0] - steps.log_prob)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    policy_loss = -jnp.minimum(ratio * advantages, ratio.clip(1 - CLIP, 1 + CLIP) * advantages).mean()
    entropy = -(jnp.exp(log_probs) * jnp.where(steps.legal, log_probs, 0.0)).sum(1).mean()
    value_loss = ((value - targets) ** 2).mean()
    return policy_loss + VALUE_WEIGHT * value_loss - ENTROPY_WEIGHT * entropy, entropy


def play_random(trainer: Trainer, games: int, seed: int) -> float:
    """The share of victories of the greedy policy against random play, with either player on each seat equally often."""
    env = trainer.env
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(seed), games))
    own = jnp.arange(games) % 2
    step = jax.jit(partial(_step_against_random, trainer, own))
    total, key = jnp.zeros((games, 2)), jax.random.key(seed + 1)
    while not state.terminated.all():
        key, action_key = jax.random.split(key)
        state = step(trainer.params, state, action_key)
        total += state.rewards
    rewards = total[jnp.arange(games), own]
    return float((rewards > 0).mean() + (rewards == 0).mean() / 2)


def _step_against_random(trainer: Trainer, own: Array, params: Params, state: State, key: Array) -> State:
    log_probs, _ = evaluate(params, state.observation, state.legal_action_mask)
    random = jax.random.categorical(key, jnp.where(state.legal_action_mask, 0.0, MASKED))
    return jax.vmap(trainer.env.step)(state, jnp.where(state.current_player == own, log_probs.argmax(1), random))


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a policy for a two-player game by self-play.")
    parser.add_argument("game", nargs="?", default="bigpoints")
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--games", type=int, default=GAMES, help="games in parallel")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE)
    args = parser.parse_args()
    trainer, started = Trainer(twin_env.make(args.game, players=2), args.seed, args.games), time.monotonic()
    finished = 0.0
    for number in range(1, args.updates + 1):
        metrics = trainer.update()
        finished += metrics["games"]
        if number % 10 == 0 or number == args.updates:
            share = play_random(trainer, 256, number)
            print(
                f"update {number}, {finished:.0f} games, {time.monotonic() - started:.0f} s: loss {metrics['loss']:.3f}, "
                f"entropy {metrics['entropy']:.2f}, {share:.0%} against random",
                flush=True,
            )
    trainer.save(args.out)
    print(f"saved {args.out.name}")


if __name__ == "__main__":
    main()
