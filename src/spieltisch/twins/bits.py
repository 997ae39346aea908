"""What twins share, in JAX: sets of places in two words, counting in words, and chance from counters.

Everything works element by element on unsigned 32-bit words, so that the same lines run on arrays of games and inside
a kernel. Shifts stay below 32, where every backend agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Final, NamedTuple, TypeAlias, TypeVar, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

Word: TypeAlias = Array  # uint32, of whatever shape
F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")
ONE: Final = np.uint32(1)
NONE: Final = np.uint32(0)
TOP: Final = np.uint32(1 << 31)
EVERY: Final = np.uint32(0xFFFFFFFF)


def compiled(*fixed: str) -> Callable[[F], F]:
    """Compiles a twin's method, anew for every twin and for every value of the arguments named."""

    def compile_it(method: F) -> F:
        places = list(signature(method).parameters)
        numbers = (0, *(places.index(name) for name in fixed))
        return cast("F", jax.jit(method, static_argnums=numbers, static_argnames=fixed))

    return compile_it


class Pair(NamedTuple):
    """A set of places, 0 to 63: the lower 32 and the upper."""

    low: Word
    high: Word

    def __and__(self, other: Pair) -> Pair:
        return Pair(self.low & other.low, self.high & other.high)

    def __or__(self, other: Pair) -> Pair:
        return Pair(self.low | other.low, self.high | other.high)

    def __xor__(self, other: Pair) -> Pair:
        return Pair(self.low ^ other.low, self.high ^ other.high)

    def __invert__(self) -> Pair:
        return Pair(~self.low, ~self.high)

    @property
    def some(self) -> Array:
        """Whether anything is in it."""
        return (self.low | self.high) != NONE

    @property
    def size(self) -> Array:
        """How many places are in it: uint32."""
        return bits(self.low) + bits(self.high)

    @property
    def lowest(self) -> Pair:
        """The set of its lowest place alone."""
        return Pair(self.low & (~self.low + ONE), jnp.where(self.low == NONE, self.high & (~self.high + ONE), NONE))

    @property
    def highest(self) -> Pair:
        """The set of its highest place alone."""
        return Pair(jnp.where(self.high == NONE, top(self.low), NONE), top(self.high))

    @property
    def below(self) -> Pair:
        """All places below its lowest one; all there are where it is empty."""
        return Pair(self.low - ONE, self.high - (self.low == NONE).astype(jnp.uint32)) & ~self

    @property
    def beyond(self) -> Pair:
        """All places above its only one; none where it is empty."""
        return ~(self | Pair(self.low - ONE, self.high - (self.low == NONE).astype(jnp.uint32)))

    def where(self, condition: Array) -> Pair:
        """The set where the condition holds, the empty set elsewhere."""
        return Pair(jnp.where(condition, self.low, NONE), jnp.where(condition, self.high, NONE))


def pair(places: int) -> Pair:
    """A set that is the same for every game, from its bits."""
    return Pair(cast("Word", np.uint32(places & 0xFFFFFFFF)), cast("Word", np.uint32(places >> 32)))


def place(number: Word) -> Pair:
    """The set of that one place."""
    bit = ONE << (number & np.uint32(31))
    lower = number < np.uint32(32)
    return Pair(jnp.where(lower, bit, NONE), jnp.where(lower, NONE, bit))


def either(condition: Array, one: T, other: T) -> T:
    """One tree of words where the condition holds, the other elsewhere."""
    return cast("T", jax.tree.map(lambda a, b: jnp.where(condition, a, b), one, other))


def bits(word: Word) -> Word:
    """How many bits of the word are set."""
    return lax.population_count(word.astype(jnp.int32)).astype(jnp.uint32)


def top(word: Word) -> Word:
    """The highest bit of the word alone."""
    zeros = lax.clz(word.astype(jnp.int32)).astype(jnp.uint32)
    return word & (TOP >> (zeros & np.uint32(31)))


def number_of(single: Pair) -> Word:
    """The number of a set's only place; 0 where it is empty."""
    return jnp.where(single.some, single.below.size, NONE)


def nth(word: Word, n: Word) -> Word:
    """The number of the n-th bit that is set, from 0."""
    found = jnp.zeros_like(word)
    for width in (16, 8, 4, 2, 1):
        lower = bits(word & np.uint32((1 << width) - 1))
        up = n >= lower
        n = jnp.where(up, n - lower, n)
        word = jnp.where(up, word >> np.uint32(width), word)
        found = jnp.where(up, found + np.uint32(width), found)
    return found


def mixed(word: Word) -> Word:
    """A word that looks nothing like the one given, and no two alike."""
    word = (word ^ (word >> np.uint32(16))) * np.uint32(0x7FEB352D)
    word = (word ^ (word >> np.uint32(15))) * np.uint32(0x846CA68B)
    return word ^ (word >> np.uint32(16))


class Stream(NamedTuple):
    """The luck of a row: where it begins, and an odd pace, so that no two rows walk the same way."""

    begin: Word
    pace: Word

    def __call__(self, counter: Word) -> Word:
        """The counter's random word."""
        return mixed(self.begin + counter * self.pace)


def stream(seeds: tuple[Word, Word], row: Word) -> Stream:
    """The luck that two seeds give a row."""
    begin = mixed(mixed(row + np.uint32(0x9E3779B9)) ^ seeds[0])
    return Stream(begin, mixed(begin ^ seeds[1]) | ONE)


def seeds(key: Array) -> tuple[Word, Word]:
    """Two seeds from a key."""
    one, other = jax.random.bits(key, (2,))
    return one, other


def rows(batch: object) -> Word:
    """The numbers of a batch's rows."""
    return jnp.arange(jax.tree.leaves(batch)[0].shape[0], dtype=jnp.uint32)


def columns(things: Sequence[T], row: Callable[[T], Sequence[int]]) -> list[Word]:
    """The rows of things as columns of words; a thing that comes again and again is worked out once."""
    rows = {id(thing): row(thing) for thing in {id(thing): thing for thing in things}.values()}
    table = np.array([rows[id(thing)] for thing in things], np.uint32)
    return [jnp.asarray(column) for column in table.T]


def padded(numbers: Sequence[int], room: int, filler: int = 0) -> Array:
    """The numbers, then fillers, so that what is compiled serves any number of them: uint32[room]."""
    return jnp.asarray(np.array([*numbers, *[filler] * (room - len(numbers))], np.uint32))


def shuffled(key: Array, games: int, things: Array, count: Array | int) -> Word:
    """For each game the first so many of the things in a random order, then the others: uint32[games, things]."""
    draws = jax.random.bits(key, (games, things.shape[0])) >> ONE
    order = jnp.argsort(jnp.where(jnp.arange(things.shape[0]) < count, draws, EVERY), axis=1)
    return things[order]


def in_windows(steps: Array | int, few: int, window: Callable[[Array, Array | int, T], T], kept: T) -> T:
    """Windows of so few steps one after another, each told its number and its steps; only the last may be shorter.

    There is one copy of the window in what is compiled; where all are known to be whole, nothing waits for their length.
    """
    whole = isinstance(steps, int) and steps % few == 0

    def one(number: Array, kept: T) -> T:
        return window(number, few if whole else jnp.minimum(few, steps - number * few), kept)

    return cast("T", lax.fori_loop(0, -(-steps // few), one, kept))


def one_of(count: Word, luck: Word) -> Word:
    """A number below the count, which is below 2^16, evenly from a random word."""
    low, high = luck & np.uint32(0xFFFF), luck >> np.uint32(16)
    return (high * count + (low * count >> np.uint32(16))) >> np.uint32(16)
