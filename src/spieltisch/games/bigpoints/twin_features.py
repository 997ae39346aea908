"""Features of Big Points for a batch of games; `features.py` has the table of fields."""

from __future__ import annotations

from collections.abc import Mapping

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
    TAKES,
)
from spieltisch.games.bigpoints.state import BLACK, COLOURS, PAWNS
from spieltisch.games.bigpoints.twin_rules import EXTRA_FLAG, LAST_PLACE, SEAT_MASK, SEAT_SHIFT, Batch
from spieltisch.twins.arrays import one_hot, seats_from
from spieltisch.twins.bits import ZERO, Bitset, element_of, unpack_bits


def features(setup: Setup, batch: Batch, viewers: Array) -> Mapping[str, Array]:
    """The fields of `BigPointsFeatures`, for viewers who know all hands because they remember every disc taken."""
    track, remaining, players = batch.track, batch.remaining, setup.players
    extra = (batch.status & EXTRA_FLAG) != ZERO
    dealing = (twin_rules.laid_discs(track).high & LAST_PLACE) == ZERO
    deciding = ~(dealing | twin_rules.is_over(batch.status))
    steps = jnp.stack([batch.status >> np.uint32(3 * pawn) & np.uint32(7) for pawn in PAWNS], 1)
    climbed = steps > ZERO
    own = [twin_rules.discs_of_colour(track, pawn) for pawn in PAWNS]
    places = [batch.occupied & discs for discs in own]
    ahead = jnp.stack(
        [
            (remaining & discs & twin_rules.pawn_place(place).mask_above).size
            for discs, place in zip(own, places, strict=True)
        ],
        1,
    )
    ahead = jnp.where(climbed, ZERO, ahead)
    climbs = ~climbed & (ahead == ZERO) & deciding[:, None]
    place_numbers = jnp.where(climbed, np.uint32(PLACES - 1), jnp.stack([element_of(place) for place in places], 1))
    takes = jnp.stack(twin_rules.takeable_codes(batch), 1).reshape(-1, len(PAWNS), TAKES)
    offered = jnp.concatenate(
        [jnp.repeat(~climbs[:, :, None], 2, 2), jnp.repeat(extra[:, None, None], 2, 2) & ~climbed[:, :, None]], 2
    )
    takes = jnp.where(offered & deciding[:, None, None] & ~climbed[:, :, None], takes, ZERO)
    humble = setup.option("stairs") == "humble"
    values = jnp.where(climbed, steps - np.uint32(1) if humble else np.uint32(5) - steps, ZERO)  # R2
    left = jnp.stack([(remaining & twin_rules.discs_of_colour(track, colour)).size for colour in COLOURS], 1)
    shifts = np.array([4 * colour for colour in COLOURS], np.uint32)
    held = jnp.stack(batch.hands, 1)[:, :, None] >> shifts & np.uint32(15)  # games, seats, colours
    black_gone = (twin_rules.discs_of_colour(track, BLACK) & ~remaining).size
    handed_in = black_gone - held[:, :, BLACK].sum(1, dtype=jnp.uint32)  # R13
    held = jnp.take_along_axis(held, seats_from(viewers, players)[:, :, None], 1)
    on_track = jnp.stack(
        [_unpack_track(remaining & twin_rules.discs_of_colour(track, colour)) for colour in COLOURS], 2
    )
    return {
        "track": on_track.astype(jnp.float32),
        "pawns": one_hot(place_numbers, PLACES),
        "steps": one_hot(steps, STEPS + 1)[:, :, 1:],
        "takes": one_hot(takes, len(COLOURS) + 1)[:, :, :, 1:],
        "climbs": climbs.astype(jnp.float32),
        "ahead": ahead * np.float32(OF_AHEAD),
        "values": values * np.float32(OF_VALUE),
        "left": left * np.array(OF_COLOUR, np.float32),
        "hands": held * np.array(OF_HAND, np.float32),
        "sizes": held.sum(2, dtype=jnp.uint32) * np.float32(OF_ALL),
        "handed_in": handed_in[:, None] * np.float32(OF_BLACK),
        "turn": one_hot(((batch.status >> SEAT_SHIFT & SEAT_MASK).astype(jnp.int32) - viewers) % players, players),
        "extra": extra[:, None].astype(jnp.float32),
    }


def _unpack_track(discs: Bitset) -> Array:
    """Which discs are in the set: bool[games, 55]."""
    return jnp.concatenate([unpack_bits(discs.low, 1, 31), unpack_bits(discs.high, 0, 24)], 1)
