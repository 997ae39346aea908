"""JAX helpers for batches of games: compilation, trees of arrays, loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import TypeVar, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from spieltisch.twins.bits import Word, barrier, unpack_words
from spieltisch.twins.prng import RandomStream, random_stream, seeds_of

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")


def jit_method(*static: str) -> Callable[[F], F]:
    """Decorator: `jax.jit` for a twin's method, with the twin itself and the named arguments static."""

    def decorate(method: F) -> F:
        parameters = list(signature(method).parameters)
        numbers = (0, *(parameters.index(name) for name in static))
        return cast("F", jax.jit(method, static_argnums=numbers, static_argnames=static))

    return decorate


def tree_where(condition: Array, one: T, other: T) -> T:
    """`jnp.where` for every leaf of two trees: `one` for the rows in which the condition holds."""
    return cast("T", jax.tree.map(lambda a, b: jnp.where(condition, a, b), one, other))


def broadcast_rows(row: T, games: int) -> T:
    """A batch of one game repeated."""
    return cast("T", jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (games,)), row))


def row_numbers(batch: object) -> Word:
    """0, 1, 2 … for the rows of a batch."""
    return jnp.arange(jax.tree.leaves(batch)[0].shape[0], dtype=jnp.uint32)


def batch_stream(key: Array, batch: object) -> RandomStream:
    """One random sequence per row of a batch."""
    return random_stream(seeds_of(key), row_numbers(batch))


def columns(items: Sequence[T], encode: Callable[[T], Sequence[int]]) -> list[Word]:
    """The encoded items as one array per word; an object that occurs several times is encoded once."""
    rows = {id(item): encode(item) for item in {id(item): item for item in items}.values()}
    table = np.array([rows[id(item)] for item in items], np.uint32)
    return [jnp.asarray(column) for column in table.T]


def pad(numbers: Sequence[int], size: int, filler: int = 0) -> Array:
    """The numbers padded to a fixed size, so that a function is compiled once for any count: uint32[size]."""
    return jnp.asarray(np.array([*numbers, *[filler] * (size - len(numbers))], np.uint32))


def chunked_loop(steps: Array | int, chunk: int, body: Callable[[Array, Array | int, T], T], carry: T) -> T:
    """Runs `body(number, steps, carry)` for chunks of steps in a row; only the last chunk may be shorter.

    The body is compiled once. If all chunks are known to be full, their length is static.
    """
    is_static = isinstance(steps, int) and steps % chunk == 0

    def run(number: Array, carry: T) -> T:
        return body(number, chunk if is_static else jnp.minimum(chunk, steps - number * chunk), carry)

    return cast("T", lax.fori_loop(0, -(-steps // chunk), run, carry))


def one_hot(numbers: Array, count: int) -> Array:
    """The numbers one-hot along a new last axis: float32[…, count]."""
    return (numbers[..., None] == np.arange(count, dtype=numbers.dtype)).astype(jnp.float32)


def seats_from(viewers: Array, players: int) -> Array:
    """The seats of a table, counted from each viewer: int32[games, players]."""
    return ((viewers[:, None] + np.arange(players, dtype=np.int32)) % players).astype(jnp.int32)


def by_rows(function: F) -> F:
    """A function of batches whose rows are independent; under `jax.vmap` it runs once, on one larger batch.

    JAX's own rules for `vmap` would give every array another axis, and turn updates in place into scatters.
    """
    mapped = jax.custom_batching.custom_vmap(function)

    def flatten(size: int, is_mapped: Sequence[object], *arguments: object) -> tuple[object, object]:
        def join(leaf: Array, has_axis: bool) -> Array:
            every = leaf if has_axis else jnp.broadcast_to(leaf, (size, *leaf.shape))
            return every.reshape(-1, *every.shape[2:])

        after = mapped(*jax.tree.map(join, list(arguments), is_mapped))
        return jax.tree.map(lambda leaf: leaf.reshape(size, -1, *leaf.shape[1:]), after), jax.tree.map(
            lambda _: True, after
        )

    mapped.def_vmap(flatten)
    return cast("F", mapped)


def bits_and_numbers(words: Sequence[Word], count: int, numbers: Array) -> Array:
    """The first bits of packed words as ones and zeros, then the numbers: float32[games, count + numbers].

    The bits are unpacked at full width and the numbers written over their end, in place; a concatenation would copy
    every bit once more.
    """
    width = count + numbers.shape[1]
    missing = -(-width // 32) - len(words)
    bits = unpack_words([*words, *[jnp.zeros_like(words[0])] * missing], width, jnp.float32)
    return lax.dynamic_update_slice(bits, numbers, (0, count))


def join_columns(*parts: Array) -> Array:
    """Arrays side by side, along their second axis.

    Without the barrier, every part would be computed inside the copying loop, which branches at each element.
    """
    return jnp.concatenate(barrier(parts), 1)
