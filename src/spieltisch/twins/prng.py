"""Counter-based pseudo-random numbers: a stateless hash of a key, a row and a counter.

A number depends on nothing else, so that CPU, GPU and kernel draw the same ones in any order. `jax.random` is not used
inside a loop of steps, because it does not run inside a kernel.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from spieltisch.twins.bits import ONE, Word


class RandomStream(NamedTuple):
    """One random sequence per row: word n is the hash of `start + n * increment`.

    The increment is odd, so that no word is hashed twice, and differs from row to row.
    """

    start: Word
    increment: Word

    def __call__(self, counter: Word) -> Word:
        """The random word with that number."""
        return lowbias32(self.start + counter * self.increment)


def lowbias32(word: Word) -> Word:
    """A bijective 32-bit integer hash with low bias, by Chris Wellons."""
    word = (word ^ (word >> np.uint32(16))) * np.uint32(0x7FEB352D)
    word = (word ^ (word >> np.uint32(15))) * np.uint32(0x846CA68B)
    return word ^ (word >> np.uint32(16))


def seeds_of(key: Array) -> tuple[Word, Word]:
    """Two seeds from a JAX random key."""
    one, other = jax.random.bits(key, (2,))
    return one, other


def random_stream(seeds: tuple[Word, Word], row: Word) -> RandomStream:
    """The sequence of a row, from two seeds that all rows share."""
    start = lowbias32(lowbias32(row + np.uint32(0x9E3779B9)) ^ seeds[0])
    return RandomStream(start, lowbias32(start ^ seeds[1]) | ONE)


def random_below(bound: Word, word: Word) -> Word:
    """A random number below the bound, by multiply and shift from a random word; the bound is below 2¹⁶."""
    low, high = word & np.uint32(0xFFFF), word >> np.uint32(16)
    return (high * bound + (low * bound >> np.uint32(16))) >> np.uint32(16)


def shuffle_per_game(key: Array, games: int, items: Array, count: Array | int) -> Word:
    """For each game the first `count` items in random order, then the rest: uint32[games, items]."""
    last = np.uint32(0xFFFFFFFF)
    draws = jax.random.bits(key, (games, items.shape[0])) >> ONE
    order = jnp.argsort(jnp.where(jnp.arange(items.shape[0]) < count, draws, last), axis=1)
    return items[order]
