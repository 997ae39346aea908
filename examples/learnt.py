"""A bot that plays what `learn.py` has learnt. In this folder: spieltisch simulate bigpoints --players learnt:Learnt,random."""

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

FILE = Path(__file__).with_name("learnt.npz")
LEAST, MOST = -1, 8  # numbers of an observation that have a place each
SCALE = 16.0  # of all numbers, small and large
LONG = 40  # from so many places on, values are only counted

Net = dict[str, Array]
Parts = tuple[tuple[int, int], ...]


def parts_of(env: TwinEnv) -> Parts:
    """Where each feature begins and ends in an observation."""
    names = [name.split(".")[0] for name in env.names]
    return tuple((names.index(name), names.index(name) + names.count(name)) for name in dict.fromkeys(names))


def encoded(observation: Array, parts: Parts) -> Array:
    """Whole numbers as a net likes them: a place for each value, and the value itself; of long rows how many have each."""
    rows = []
    for start, stop in parts:
        numbers = observation[..., start:stop]
        values = (numbers.clip(LEAST, MOST)[..., None] == jnp.arange(LEAST, MOST + 1)).astype(jnp.float32)
        if stop - start < LONG:
            rows += [values.reshape(*numbers.shape[:-1], -1), numbers / SCALE]
        else:
            rows.append(values.sum(-2) / SCALE)
    return jnp.concatenate(rows, -1)


def judged(net: Mapping[str, Array], inputs: Array) -> tuple[Array, Array]:
    """How good every action seems, and how the game will end for whoever looks, from -1 to 1."""
    hidden = jax.nn.relu(inputs @ net["see"] + net["see_bias"])
    hidden = jax.nn.relu(hidden @ net["think"] + net["think_bias"])
    ends: Array = jnp.tanh(hidden @ net["judge"] + net["judge_bias"])[..., 0]
    return hidden @ net["act"] + net["act_bias"], ends


class Learnt:
    """Takes what the net likes best of its choices."""

    def __init__(self, game: AnyGame) -> None:
        jax.config.update("jax_disable_most_optimizations", True)  # type: ignore[no-untyped-call] # one game at a time: compiled in a hurry
        with np.load(FILE) as kept:
            self.net = {name: kept[name] for name in kept.files if name not in {"game", "players"}}
            learnt, players = str(kept["game"]), int(kept["players"])
        if game.name != learnt:
            raise ValueError(f"what was learnt is {learnt}, and this is {game.name}")
        self.numbers = {action: number for number, action in enumerate(game.ids or ())}
        self.env = twin_env.make(learnt, players=players)
        self.judged = jax.jit(lambda net, seen: judged(net, encoded(seen, parts_of(self.env)))[0])
        self.liked(game.observe(game.initial(game.agree(players)), Seat(0)))  # compiled before anybody waits

    def liked(self, view: Any) -> Any:
        """How good every action seems to whoever sees that."""
        return np.asarray(self.judged(self.net, self.env.encode_view(view)))

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        """The best of the choices; ValueError at a table for which it has not learnt."""
        marks = self.liked(seen.view)
        return max(seen.choices, key=lambda choice: marks[self.numbers[choice]])
