"""Features of Rondo for a batch of games; `features.py` has the table of fields."""

from __future__ import annotations

from collections.abc import Mapping

import jax.numpy as jnp
import numpy as np
from jax import Array

from spieltisch.core.game import Setup
from spieltisch.games.rondo import twin_rules
from spieltisch.games.rondo.board import board_of
from spieltisch.games.rondo.features import CAUSES, EACH, OF_DRAWS, OF_EACH, OF_MOST, OF_STONES, of_points
from spieltisch.games.rondo.state import COLOURS, MOST
from spieltisch.games.rondo.twin_rules import CAUSE_SHIFT, GAINED_SHIFT, LAST_MASK, OVER_FLAG, SCORE_SHIFT, Batch
from spieltisch.twins.arrays import one_hot, seats_from
from spieltisch.twins.bits import ZERO, Bitset, unpack_bits


def features(setup: Setup, batch: Batch, viewers: Array) -> Mapping[str, Array]:
    """The fields of `RondoFeatures`."""
    board, players = board_of(setup.option("board"), setup.edition), setup.players
    tables, fields = twin_rules.board_tables(board, setup.first), len(board.names)
    points = np.float32(of_points(board))

    def unpack(places: Bitset) -> Array:
        return jnp.concatenate([unpack_bits(half, 0, 32) for half in places], 1)[:, :fields]

    over = (batch.bag & OVER_FLAG) != ZERO
    seat = twin_rules.seat_to_play(batch).astype(jnp.int32)
    seats = seats_from(viewers, players)
    one, two, four, bridge, lower, upper = (
        unpack(plane).astype(jnp.int32) for plane in (*batch.piles, batch.bridges, *batch.owner)
    )
    codes = one + 2 * two + 4 * four
    face_up = codes * (1 - bridge)
    owner = (lower + 2 * upper - viewers[:, None]) % players
    bridges = one_hot(jnp.where(bridge > 0, owner + 1, 0), players + 1)[:, :, 1:]
    hidden = one_hot(codes * bridge * (over[:, None] | (owner == 0)), len(COLOURS) + 1)[:, :, 1:]  # R10
    racks = jnp.stack([jnp.stack(twin_rules.unpack_rack(rack), 1) for rack in batch.racks], 1)
    own = jnp.take_along_axis(racks, viewers[:, None, None].astype(jnp.int32), 1)[:, 0]
    printed = np.array([[float(colour == other) for other in COLOURS] for colour in board.colours], np.float32)
    seen = face_up.astype(jnp.float32) @ printed + hidden.sum(1) + own
    deciding = (~over & (twin_rules.draws_pending(batch) == ZERO))[:, None]
    scores = (jnp.stack(batch.racks, 1) >> SCORE_SHIFT).astype(jnp.int32)
    return {
        "face_up": face_up * np.float32(OF_MOST),
        "bridges": bridges,
        "hidden": hidden,
        "covered": unpack(twin_rules.covered_fields(batch)).astype(jnp.float32),
        "open": (unpack(twin_rules.open_fields(batch, tables)) & deciding).astype(jnp.float32),
        "last": one_hot(batch.turn & LAST_MASK, fields + 1)[:, 1:],
        "rack": (own[:, :, None] > np.arange(MOST, dtype=np.uint32)).astype(jnp.float32),
        "unseen": jnp.where(over[:, None], 0.0, (EACH - seen) * np.float32(OF_EACH)).astype(jnp.float32),
        "sizes": jnp.take_along_axis(racks.sum(2, dtype=jnp.uint32), seats, 1) * np.float32(OF_MOST),
        "scores": jnp.take_along_axis(scores, seats, 1) * points,
        "gained": (batch.turn >> GAINED_SHIFT)[:, None] * points,
        "bag": twin_rules.total(twin_rules.unpack_bag(batch.bag))[:, None] * np.float32(OF_STONES),
        "drawing": twin_rules.draws_pending(batch)[:, None] * np.float32(OF_DRAWS),
        "cause": one_hot(batch.bag >> CAUSE_SHIFT & np.uint32(3), len(CAUSES) + 1)[:, 1:],
        "turn": one_hot((seat - viewers) % players, players),
        "starter": one_hot((setup.first - viewers) % players, players),
    }
