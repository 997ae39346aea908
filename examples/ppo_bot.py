"""A bot that plays a policy trained by `train_ppo.py`. Here: spieltisch simulate bigpoints --players ppo_bot:PPOBot,random."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from spieltisch.core.game import AnyGame, Seat
from spieltisch.core.player import Clock, Seen
from spieltisch.research import twin_env
from spieltisch.research.twin_env import TwinEnv

FILE = Path(__file__).with_name("ppo_bot.npz")
LOW, HIGH = -1, 8  # values of a feature that are one-hot encoded
SCALE = 16.0  # divides all numbers
LONG = 40  # features with at least this many elements are encoded as counts of their values

Params = dict[str, Array]
Slices = tuple[tuple[int, int], ...]


def feature_slices(env: TwinEnv) -> Slices:
    """Where each feature starts and stops in an observation."""
    names = [name.split(".")[0] for name in env.names]
    return tuple((names.index(name), names.index(name) + names.count(name)) for name in dict.fromkeys(names))


def encode(observation: Array, slices: Slices) -> Array:
    """The network's input: every value one-hot and as a scaled number; long features as counts of their values."""
    parts = []
    for start, stop in slices:
        values = observation[..., start:stop]
        one_hot = (values.clip(LOW, HIGH)[..., None] == jnp.arange(LOW, HIGH + 1)).astype(jnp.float32)
        if stop - start < LONG:
            parts += [one_hot.reshape(*values.shape[:-1], -1), values / SCALE]
        else:
            parts.append(one_hot.sum(-2) / SCALE)
    return jnp.concatenate(parts, -1)


def forward(params: Mapping[str, Array], inputs: Array) -> tuple[Array, Array]:
    """The network: policy logits of all actions, and the value for the viewer, from -1 to 1."""
    hidden = jax.nn.relu(inputs @ params["input"] + params["input_bias"])
    hidden = jax.nn.relu(hidden @ params["hidden"] + params["hidden_bias"])
    value: Array = jnp.tanh(hidden @ params["value"] + params["value_bias"])[..., 0]
    return hidden @ params["policy"] + params["policy_bias"], value


class PPOBot:
    """Chooses the legal action with the highest logit."""

    def __init__(self, game: AnyGame) -> None:
        jax.config.update("jax_disable_most_optimizations", True)  # type: ignore[no-untyped-call] # one game at a time: compile fast
        with np.load(FILE) as saved:
            self.params = {name: saved[name] for name in saved.files if name not in {"game", "players"}}
            name, players = str(saved["game"]), int(saved["players"])
        if game.name != name:
            raise ValueError(f"the policy was trained for {name}, and this is {game.name}")
        self.ids = {action: number for number, action in enumerate(game.ids or ())}
        self.env = twin_env.make(name, players=players)
        slices = feature_slices(self.env)
        self.forward = jax.jit(lambda params, observation: forward(params, encode(observation, slices))[0])
        self.logits(game.observe(game.initial(game.agree(players)), Seat(0)))  # compiles before the clock runs

    def logits(self, view: Any) -> Any:
        """The logits of all actions."""
        return np.asarray(self.forward(self.params, self.env.encode_view(view)))

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        """The best of the choices; ValueError at a table that the policy was not trained for."""
        logits = self.logits(seen.view)
        return max(seen.choices, key=lambda choice: logits[self.ids[choice]])
