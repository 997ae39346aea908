"""Match play on a twin: how often the net wins against random players and against greedy ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from numpy.typing import NDArray

from spieltisch.nets.network import Params
from spieltisch.training.self_play import GREEDY, NET, RANDOM, Games, Noise, SelfPlay

OPPONENTS: Final = {"random": RANDOM, "greedy": GREEDY}
Play: TypeAlias = Callable[..., tuple[Any, Any, Games]]
Numbers: TypeAlias = NDArray[np.float64]


class Result(NamedTuple):
    """The net on one seat, the opponent on all others; every seat in turn."""

    players: int
    opponent: str
    games: int
    share: float  # of the victories; equal players have 1 / players
    error: float  # standard error of the share
    points: float  # of the net, per game
    others: float  # points of an opponent, per game


def play_matches(self_play: SelfPlay, play: Play, params: Params, bound: int, seed: int) -> list[Result]:
    """Matches against every opponent at once, one game per row of the batch, to their ends and without noise.

    `play` is the compiled `SelfPlay.play`.
    """
    games, players = self_play.games, self_play.players
    rows = np.arange(games)
    is_net = np.arange(players) == rows[:, None] % players
    against = rows // players % len(OPPONENTS)
    policy = np.where(is_net, NET, np.array([*OPPONENTS.values()])[against][:, None])
    shares, points, is_done = _play_to_end(self_play, play, params, jnp.asarray(policy, jnp.int32), bound, seed)
    results = []
    for number, opponent in enumerate(OPPONENTS):
        some = is_done & (against == number)
        own, others = shares[some][is_net[some]], points[some][~is_net[some]]
        error = own.std() / np.sqrt(max(1, len(own)))
        mean = points[some][is_net[some]].mean()
        results.append(
            Result(players, opponent, len(own), float(own.mean()), float(error), float(mean), float(others.mean()))
        )
    return results


def _play_to_end(
    self_play: SelfPlay, play: Play, params: Params, policy: Array, bound: int, seed: int
) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """The shares and points of the first game of every row, and whether it has ended."""
    size = (self_play.games, self_play.players)
    shares, points, is_done = np.zeros(size), np.zeros(size), np.zeros(self_play.games, bool)
    noise = Noise(*(jnp.float32(number) for number in (0.0, 0.0, 0.02, 1.0)))
    batch_key, key = jax.random.split(jax.random.key(seed))
    batch = self_play.new_games(batch_key)
    for _ in range(-(-bound // self_play.steps)):
        key, chunk_key = jax.random.split(key)
        batch, _, ended = play(params, batch, policy, noise, chunk_key)
        check_choices(self_play, ended)
        over = np.asarray(ended.is_over)
        rows = np.flatnonzero(over.any(0) & ~is_done)
        first = over.argmax(0)[rows]
        shares[rows] = np.asarray(ended.shares)[first, rows]
        points[rows] = np.asarray(ended.points)[first, rows] * self_play.net.points
        is_done[rows] = True
        if is_done.all():
            break
    return shares, points, is_done


def check_choices(self_play: SelfPlay, ended: Games) -> None:
    """Fails if a chunk had more choices than were valued: some would have been dropped."""
    most = int(np.asarray(ended.choices).max())
    if most > self_play.capacity:
        per_game = most / self_play.games
        raise OverflowError(f"{per_game:.1f} choices per game; raise Net.branching above {self_play.net.branching}")
