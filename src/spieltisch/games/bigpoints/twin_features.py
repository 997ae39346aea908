"""Features of Big Points for a batch of games; `features.py` has the table of fields.

The fields that hold ones and zeros only come first in the table. They are packed as bits and unpacked at once, which is
several times as fast as computing and joining them one by one.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import Array

from spieltisch.core.game import Setup
from spieltisch.games.bigpoints import twin_rules
from spieltisch.games.bigpoints.features import (
    OF_AHEAD,
    OF_ALL,
    OF_BLACK,
    OF_COLOUR,
    OF_HAND,
    OF_VALUE,
    PLACES,
    STEPS,
    TRACK,
)
from spieltisch.games.bigpoints.state import BLACK, COLOURS, PAWNS
from spieltisch.games.bigpoints.twin_rules import EXTRA_FLAG, LAST_PLACE, SEAT_MASK, SEAT_SHIFT, Batch
from spieltisch.twins.arrays import bits_and_numbers, join_columns, one_hot, seats_from
from spieltisch.twins.bits import ONE, ZERO, Bitset, Word, barrier, pack_bits, shift_down

_STAIRS_BIT = np.uint32(1 << PLACES - 1 - 32)  # in the high word


def features(setup: Setup, batch: Batch, viewers: Array) -> Array:
    """The vector of `BigPointsFeatures`, for viewers who know all hands because they remember every disc taken."""
    track, remaining, players = batch.track, batch.remaining, setup.players
    extra = (batch.status & EXTRA_FLAG) != ZERO
    dealing = (twin_rules.laid_discs(track).high & LAST_PLACE) == ZERO
    deciding = ~(dealing | twin_rules.is_over(batch.status))
    left = [remaining & twin_rules.discs_of_colour(track, colour) for colour in COLOURS]
    takeable = barrier(twin_rules.takeable_codes(batch))
    places, steps, takes, climbs, ahead, values = (list[tuple[Bitset | Word, int]](), *([] for _ in range(5)))
    for pawn in PAWNS:
        step = batch.status >> np.uint32(3 * pawn) & np.uint32(7)
        climbed = step != ZERO
        place = twin_rules.pawn_place(batch.occupied & twin_rules.discs_of_colour(track, pawn))
        high = jnp.where(climbed, _STAIRS_BIT, place.high)
        places.append((Bitset(jnp.where(climbed, ZERO, place.low), high), PLACES))
        ahead_now = jnp.where(climbed, ZERO, (left[pawn] & place.mask_above).size)
        climbs_next = ~climbed & (ahead_now == ZERO) & deciding
        steps.append((ONE << step >> ONE, STEPS))
        for slot, code in enumerate(takeable[4 * pawn : 4 * pawn + 4]):
            offered = deciding & ~climbed & (extra if slot >= 2 else ~climbs_next)
            takes.append((jnp.where(offered, ONE << code >> ONE, ZERO), len(COLOURS)))
        climbs.append((climbs_next.astype(jnp.uint32), 1))
        ahead.append(ahead_now * np.float32(OF_AHEAD))
        humble = setup.option("stairs") == "humble"
        value = jnp.where(climbed, step - ONE if humble else np.uint32(5) - step, ZERO)  # R2
        values.append(value * np.float32(OF_VALUE))
    parts = [*((shift_down(discs), TRACK) for discs in left), *places, *steps, *takes, *climbs]
    shifts = np.array([4 * colour for colour in COLOURS], np.uint32)
    held = jnp.stack(batch.hands, 1)[:, :, None] >> shifts & np.uint32(15)  # games, seats, colours
    black_gone = (twin_rules.discs_of_colour(track, BLACK) & ~remaining).size
    handed_in = black_gone - held[:, :, BLACK].sum(1, dtype=jnp.uint32)  # R13
    held = jnp.take_along_axis(held, seats_from(viewers, players)[:, :, None], 1)
    turn = ((batch.status >> SEAT_SHIFT & SEAT_MASK).astype(jnp.int32) - viewers) % players
    numbers = [
        jnp.stack([*ahead, *values], 1),
        jnp.stack([discs.size * np.float32(factor) for discs, factor in zip(left, OF_COLOUR, strict=True)], 1),
        (held * np.array(OF_HAND, np.float32)).reshape(-1, players * len(COLOURS)),
        held.sum(2, dtype=jnp.uint32) * np.float32(OF_ALL),
        handed_in[:, None] * np.float32(OF_BLACK),
        one_hot(turn, players),
        extra[:, None].astype(jnp.float32),
    ]
    return bits_and_numbers(pack_bits(parts), sum(count for _, count in parts), join_columns(*numbers))
