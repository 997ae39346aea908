"""Bitsets of 64 elements in two uint32 words, for JAX.

Every operation is element-wise, so that the same code runs on arrays of games and inside a GPU kernel. 64-bit integers
would need a JAX setting that changes the whole process. Shift distances stay below 32: beyond that, backends disagree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias, TypeVar, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax
from jax.typing import DTypeLike

T = TypeVar("T")
Word: TypeAlias = Array  # uint32, of any shape
ZERO: Final = np.uint32(0)
ONE: Final = np.uint32(1)
_HIGHEST_BIT: Final = np.uint32(1 << 31)


class Bitset(NamedTuple):
    """Set of the numbers 0 to 63: bits 0 to 31 in the low word, 32 to 63 in the high word."""

    low: Word
    high: Word

    def __and__(self, other: Bitset) -> Bitset:
        return Bitset(self.low & other.low, self.high & other.high)

    def __or__(self, other: Bitset) -> Bitset:
        return Bitset(self.low | other.low, self.high | other.high)

    def __xor__(self, other: Bitset) -> Bitset:
        return Bitset(self.low ^ other.low, self.high ^ other.high)

    def __invert__(self) -> Bitset:
        return Bitset(~self.low, ~self.high)

    def has(self, element: int) -> Array:
        """Whether the set has that element: bool."""
        half = self.low if element < 32 else self.high
        return (half >> np.uint32(element % 32) & ONE) != ZERO

    @property
    def any(self) -> Array:
        """Whether the set has an element: bool."""
        return (self.low | self.high) != ZERO

    @property
    def size(self) -> Array:
        """The number of elements: uint32."""
        return popcount(self.low) + popcount(self.high)

    @property
    def lowest(self) -> Bitset:
        """The set of its lowest element only; empty if the set is empty."""
        return Bitset(self.low & (~self.low + ONE), jnp.where(self.low == ZERO, self.high & (~self.high + ONE), ZERO))

    @property
    def highest(self) -> Bitset:
        """The set of its highest element only; empty if the set is empty."""
        return Bitset(jnp.where(self.high == ZERO, highest_bit(self.low), ZERO), highest_bit(self.high))

    @property
    def mask_below(self) -> Bitset:
        """All numbers below the lowest element; all 64 if the set is empty."""
        return self._minus_one & ~self

    @property
    def mask_above(self) -> Bitset:
        """All numbers above the element of a set that has one element; empty if the set is empty."""
        return ~(self | self._minus_one)

    @property
    def _minus_one(self) -> Bitset:
        return Bitset(self.low - ONE, self.high - (self.low == ZERO).astype(jnp.uint32))

    def where(self, condition: Array) -> Bitset:
        """The set for the rows in which the condition holds, the empty set for all others."""
        return Bitset(jnp.where(condition, self.low, ZERO), jnp.where(condition, self.high, ZERO))


def constant(bits: int) -> Bitset:
    """The same set for every game, from a Python integer."""
    return Bitset(cast("Word", np.uint32(bits & 0xFFFFFFFF)), cast("Word", np.uint32(bits >> 32)))


def singleton(element: Word) -> Bitset:
    """The set with that one element."""
    bit = ONE << (element & np.uint32(31))
    is_low = element < np.uint32(32)
    return Bitset(jnp.where(is_low, bit, ZERO), jnp.where(is_low, ZERO, bit))


def element_of(single: Bitset) -> Word:
    """The element of a set that has one; 0 if the set is empty."""
    return jnp.where(single.any, single.mask_below.size, ZERO)


def nth_element(elements: Bitset, n: Word) -> Word:
    """The n-th lowest element, counted from 0."""
    in_low = popcount(elements.low)
    is_high = n >= in_low
    found = nth_bit(jnp.where(is_high, elements.high, elements.low), jnp.where(is_high, n - in_low, n))
    return jnp.where(is_high, found + np.uint32(32), found)


def popcount(word: Word) -> Word:
    """The number of bits set in a word: uint32."""
    return lax.population_count(word.astype(jnp.int32)).astype(jnp.uint32)


def highest_bit(word: Word) -> Word:
    """The word with only its highest bit left; 0 for 0."""
    zeros = lax.clz(word.astype(jnp.int32)).astype(jnp.uint32)
    return word & (_HIGHEST_BIT >> (zeros & np.uint32(31)))


def nth_bit(word: Word, n: Word) -> Word:
    """The index of the n-th lowest bit set in a word, counted from 0; a binary search."""
    index = jnp.zeros_like(word)
    for width in (16, 8, 4, 2, 1):
        in_lower_half = popcount(word & np.uint32((1 << width) - 1))
        is_upper = n >= in_lower_half
        n = jnp.where(is_upper, n - in_lower_half, n)
        word = jnp.where(is_upper, word >> np.uint32(width), word)
        index = jnp.where(is_upper, index + np.uint32(width), index)
    return index


def nth_bit_of_words(words: Sequence[Word], n: Word) -> Word:
    """The index of the n-th lowest bit set in packed words, counted from 0."""
    found, first, rest, before = words[0], jnp.zeros_like(n), n, popcount(words[0])
    for number, word in enumerate(words[1:], 1):
        is_beyond = n >= before
        found, first = jnp.where(is_beyond, word, found), jnp.where(is_beyond, np.uint32(32 * number), first)
        rest, before = jnp.where(is_beyond, n - before, rest), before + popcount(word)
    return first + nth_bit(found, rest)


def pack_flags(*flags: Array) -> Word:
    """Booleans as the bits of a word, the first flag in bit 0."""
    word = flags[0].astype(jnp.uint32)
    for bit, flag in enumerate(flags[1:], 1):
        word |= flag.astype(jnp.uint32) << np.uint32(bit)
    return word


def unpack_bits(word: Word, first: int, count: int) -> Array:
    """Consecutive bits of each word as booleans: bool[games, count]."""
    return (word[:, None] >> np.arange(first, first + count, dtype=np.uint32) & ONE) != ZERO


def pack_bits(parts: Sequence[tuple[Bitset | Word, int]]) -> list[Word]:
    """Sets and words one after the other, each with its number of bits, as the bits of as many words as needed.

    A part has no bits beyond its own.
    """
    halves: list[tuple[Word, int]] = []
    for part, count in parts:
        if isinstance(part, Bitset):
            halves += [(part.low, min(count, 32)), (part.high, max(0, count - 32))]
        else:
            halves.append((part, count))
    words: list[Word] = []
    start = 0
    for word, count in halves:
        if not count:
            continue
        shift, room = np.uint32(start % 32), 32 - start % 32
        if room == 32:
            words.append(word)
        else:
            words[-1] |= word << shift
            if count > room:
                words.append(word >> np.uint32(room))
        start += count
    return words


def barrier(tree: T) -> T:
    """The same arrays; the compiler computes them once, not again for each use.

    For a CPU, XLA drops optimization barriers before it fuses operations. It does not fuse across a loop, so there the
    barrier is a loop that never runs, which the compiler cannot know: a word has no more than 32 bits set.
    """
    return cast("T", lax.platform_dependent(tree, cpu=_loop_barrier, default=lax.optimization_barrier))


def _loop_barrier(tree: T) -> T:
    def has_more_bits(arrays: list[Array]) -> Array:
        return lax.population_count(arrays[0].ravel()[0].astype(jnp.int32)) > 32

    leaves, shape = jax.tree.flatten(tree)
    after = lax.while_loop(has_more_bits, lambda arrays: [array[::-1] for array in arrays], leaves)
    return cast("T", jax.tree.unflatten(shape, after))


def unpack_words(words: Sequence[Word], count: int, dtype: DTypeLike = jnp.bool_) -> Array:
    """The first bits of packed words, as booleans or as ones and zeros of another type: dtype[games, count]."""
    return unpack_stack(stack_words(words), count, dtype)


def stack_words(words: Sequence[Word]) -> Array:
    """Packed words as one array, computed once and not again for each of their bits: uint32[words, games]."""
    return barrier(jnp.stack(words))


def unpack_stack(stack: Array, count: int, dtype: DTypeLike = jnp.bool_) -> Array:
    """The first bits of stacked words, as `unpack_words` returns them."""
    bits = (stack.T[:, :, None] >> np.arange(32, dtype=np.uint32) & ONE).astype(jnp.int32)  # unsigned to float is slow
    return bits.astype(dtype).reshape(stack.shape[1], -1)[:, :count]


def shift_down(elements: Bitset) -> Bitset:
    """Every element less one; 0 falls away."""
    return Bitset(elements.low >> ONE | elements.high << np.uint32(31), elements.high >> ONE)
