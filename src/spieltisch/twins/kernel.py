"""Pallas kernel: random rollouts of a twin on a GPU, with the games of a block kept in registers for all steps."""

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

from spieltisch.twins.bits import ZERO, Word
from spieltisch.twins.prng import RandomStream, random_stream, seeds_of


class KernelTwin(Protocol):
    """A twin whose rollout is element-wise except for lookups in tables, so that it can run inside a kernel."""

    @property
    def lookup_tables(self) -> Sequence[np.ndarray[Any, Any]]: ...

    def elementwise_rollout(
        self, batch: Any, random: RandomStream, steps: Array | int, *, gather: Callable[[int, Word], Word] | None = None
    ) -> tuple[Any, Word]: ...


@partial(jax.jit, static_argnames=("twin", "steps", "block", "warps", "interpret"))
def rollout(
    twin: KernelTwin,
    batch: Any,
    key: Array,
    steps: int,
    *,
    block: int = 128,
    warps: int = 4,
    interpret: bool = False,
) -> tuple[Any, Array]:
    """`twin.rollout` bit for bit; the number of games must be a multiple of the block size."""
    leaves, shape = jax.tree.flatten((batch, jnp.zeros_like(jax.tree.leaves(batch)[0])))
    shared = [jnp.reshape(seed, (1,)) for seed in seeds_of(key)]
    shared += [jnp.asarray(np.resize(table, 1 << (len(table) - 1).bit_length())) for table in twin.lookup_tables]

    def kernel(*refs: Any) -> None:
        inputs, outputs = refs[: len(leaves)], refs[len(leaves) + len(shared) :]
        one, other, *tables = refs[len(leaves) : len(leaves) + len(shared)]
        rows = (pl.program_id(0) * block + jax.lax.iota(jnp.int32, block)).astype(jnp.uint32)
        zeros = rows & ZERO
        block_of_games, _ = jax.tree.unflatten(shape, [ref[...] for ref in inputs])
        random = random_stream((one[...] | zeros, other[...] | zeros), rows)

        def gather(table: int, indices: Word) -> Word:
            found: Word = triton.load(tables[table].at[indices.astype(jnp.int32)])
            return found

        after = twin.elementwise_rollout(block_of_games, random, steps, gather=gather)
        for ref, leaf in zip(outputs, jax.tree.leaves(after), strict=True):
            ref[...] = leaf

    rows = pl.BlockSpec((block,), lambda number: (number,))
    games = leaves[0].shape[0]
    called = pl.pallas_call(
        kernel,
        grid=(games // block,),
        in_specs=[rows] * len(leaves) + [pl.BlockSpec(each.shape, lambda _: (0,)) for each in shared],
        out_specs=[rows] * len(leaves),
        out_shape=leaves,
        compiler_params=triton.CompilerParams(num_warps=warps, num_stages=1),
        interpret=interpret,
    )
    after: tuple[Any, Array] = jax.tree.unflatten(shape, called(*leaves, *shared))
    return after
