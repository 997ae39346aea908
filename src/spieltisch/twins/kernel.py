"""Random play of a twin on a GPU: each program keeps its games in registers for all the steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton

from spieltisch.twins import bits
from spieltisch.twins.bits import Stream, Word


class Wanderer(Protocol):
    """A twin whose random play works element by element, apart from looking up words in tables."""

    @property
    def tables(self) -> Sequence[np.ndarray[Any, Any]]: ...

    def wandered(
        self, batch: Any, luck: Stream, steps: Array | int, *, look: Callable[[int, Word], Word] | None = None
    ) -> tuple[Any, Word]: ...


@partial(jax.jit, static_argnames=("twin", "steps", "block", "warps", "interpret"))
def wander(
    twin: Wanderer,
    batch: Any,
    key: Array,
    steps: int,
    *,
    block: int = 128,
    warps: int = 4,
    interpret: bool = False,
) -> tuple[Any, Array]:
    """What `twin.wander` gives, word for word, where the games are a multiple of the block."""
    leaves, shape = jax.tree.flatten((batch, jnp.zeros_like(jax.tree.leaves(batch)[0])))
    shared = [jnp.reshape(seed, (1,)) for seed in bits.seeds(key)]
    shared += [jnp.asarray(np.resize(table, 1 << (len(table) - 1).bit_length())) for table in twin.tables]

    def play(*refs: Any) -> None:
        given, out = refs[: len(leaves)], refs[len(leaves) + len(shared) :]
        one, other, *tables = refs[len(leaves) : len(leaves) + len(shared)]
        rows = pl.program_id(0) * block + jax.lax.iota(jnp.int32, block)
        row = rows.astype(jnp.uint32)
        zero = row & np.uint32(0)
        begun, _ = jax.tree.unflatten(shape, [ref[...] for ref in given])
        luck = bits.stream((one[...] | zero, other[...] | zero), row)

        def look(number: int, places: Word) -> Word:
            found: Word = triton.load(tables[number].at[places.astype(jnp.int32)])
            return found

        after = twin.wandered(begun, luck, steps, look=look)
        for ref, leaf in zip(out, jax.tree.leaves(after), strict=True):
            ref[...] = leaf

    rows = pl.BlockSpec((block,), lambda number: (number,))
    size = leaves[0].shape[0]
    called = pl.pallas_call(
        play,
        grid=(size // block,),
        in_specs=[rows] * len(leaves) + [pl.BlockSpec(each.shape, lambda _: (0,)) for each in shared],
        out_specs=[rows] * len(leaves),
        out_shape=leaves,
        compiler_params=triton.CompilerParams(num_warps=warps, num_stages=1),
        interpret=interpret,
    )
    after: tuple[Any, Array] = jax.tree.unflatten(shape, called(*leaves, *shared))
    return after
