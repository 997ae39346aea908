"""λ-returns of afterstates: what the value of each decision's afterstate should have been."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array


class Steps(NamedTuple):
    """A chunk of self-play, one decision per step and game; values are per seat, of the victory and of the points."""

    seat: Array  # int32[steps, games]: the seat that decided
    value: Array  # float32[steps, games, 2, players]: of the afterstate
    best: Array  # the same, of the best choice, which differs from the one taken only if the choice was random
    is_random: Array  # bool[steps, games]
    is_over: Array  # bool[steps, games]: the game ended with this step
    outcome: Array  # float32[steps, games, 2, players]: valid if it ended


def lambda_returns(steps: Steps, trace: Array, *, shared: bool) -> tuple[Array, Array]:
    """The targets, as `Steps.value`, and whether there is one: bool[steps, games].

    A seat's returns are chained over its own decisions, since its values hold what only it knows; if all seats know the
    same, over all decisions. A random choice cuts the trace: what came before it is valued by the best choice instead.
    The other seats do not know its value, so their decisions before it have no target: otherwise they would learn that
    opponents blunder. The last decisions of a chunk have no successor yet, and so no target either.
    """
    games, players = steps.value.shape[1], steps.value.shape[3]
    chains = 1 if shared else players

    def back(carry: tuple[Array, Array], step: Steps) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        successor, known = carry  # float32[games, chains, 2, players], bool[games, chains]
        successor = jnp.where(step.is_over[:, None, None, None], step.outcome[:, None], successor)
        known |= step.is_over[:, None]
        chain = jnp.zeros_like(step.seat) if shared else step.seat
        here = jnp.arange(chains) == chain[:, None]
        target = jnp.where(here[:, :, None, None], successor, 0.0).sum(1)
        has_target = (known & here).any(1)
        mixed = jnp.where(has_target[:, None, None], (1 - trace) * step.value + trace * target, step.value)
        value = jnp.where(step.is_random[:, None, None], step.best, mixed)
        successor = jnp.where(here[:, :, None, None], value[:, None], successor)
        return (successor, (known & ~step.is_random[:, None]) | here), (target, has_target)

    start = (jnp.zeros((games, chains, 2, players)), jnp.zeros((games, chains), bool))
    _, found = jax.lax.scan(back, start, steps, reverse=True)
    result: tuple[Any, Any] = found
    return result


def from_seat(values: Array, seat: Array, seats: int) -> Array:
    """Values per seat counted from a seat, padded with zeros to `seats`: float32[…, seats]."""
    players = values.shape[-1]
    order = (seat[..., None] + jnp.arange(players)) % players
    counted = jnp.take_along_axis(values, jnp.broadcast_to(order[..., None, :], values.shape), -1)
    return jnp.pad(counted, [(0, 0)] * (values.ndim - 1) + [(0, seats - players)])


def to_seats(values: Array, seat: Array, players: int) -> Array:
    """Values counted from a seat as values per seat of the table: float32[…, players]."""
    order = (jnp.arange(players) - seat[..., None]) % players
    return jnp.take_along_axis(values, jnp.broadcast_to(order[..., None, :], (*values.shape[:-1], players)), -1)
