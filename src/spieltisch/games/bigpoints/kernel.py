"""Random play of Big Points on a GPU: each program keeps its games in registers for all the steps."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.experimental import pallas as pl
from jax.experimental.pallas import triton

from spieltisch import lanes
from spieltisch.games.bigpoints.fast import FastBigPoints
from spieltisch.games.bigpoints.words import Batch


@partial(jax.jit, static_argnames=("twin", "steps", "block", "warps", "interpret"))
def wander(
    twin: FastBigPoints,
    batch: Batch,
    key: Array,
    steps: int,
    *,
    block: int = 128,
    warps: int = 4,
    interpret: bool = False,
) -> tuple[Batch, Array]:
    """What `twin.wander` gives, word for word, where the games are a multiple of the block."""
    leaves, shape = jax.tree.flatten((batch, jnp.zeros_like(batch.table)))
    seeds = [jnp.reshape(seed, (1,)) for seed in lanes.seeds(key)]

    def play(*refs: Array) -> None:
        given, luck, out = refs[: len(leaves)], refs[len(leaves) : len(leaves) + 2], refs[len(leaves) + 2 :]
        first = (pl.program_id(0) * block).astype(jnp.uint32)
        rows = first + jax.lax.iota(jnp.int32, block).astype(jnp.uint32)
        begin, pace = (ref[...] for ref in luck)
        begun, _ = jax.tree.unflatten(shape, [ref[...] for ref in given])
        zero = rows & np.uint32(0)
        after = twin.wandered(begun, lanes.stream((begin | zero, pace | zero), rows), steps)
        for ref, leaf in zip(out, jax.tree.leaves(after), strict=True):
            ref[...] = leaf

    rows = pl.BlockSpec((block,), lambda number: (number,))
    whole = pl.BlockSpec((1,), lambda _: (0,))
    size = leaves[0].shape[0]
    called = pl.pallas_call(
        play,
        grid=(size // block,),
        in_specs=[rows] * len(leaves) + [whole] * 2,
        out_specs=[rows] * len(leaves),
        out_shape=[jax.ShapeDtypeStruct((size,), jnp.uint32)] * len(leaves),
        compiler_params=triton.CompilerParams(num_warps=warps, num_stages=1),
        interpret=interpret,
    )
    after: tuple[Batch, Array] = jax.tree.unflatten(shape, called(*leaves, *seeds))
    return after
