"""Features of Rondo for a batch of games; `features.py` has the table of fields.

The fields that hold ones and zeros only come first in the table. They are packed as bits and unpacked at once, which is
several times as fast as computing and joining them one by one.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
from jax import Array

from spieltisch.core.game import Setup
from spieltisch.games.rondo import twin_rules
from spieltisch.games.rondo.board import board_of
from spieltisch.games.rondo.features import CAUSES, EACH, OF_DRAWS, OF_EACH, OF_MOST, OF_STONES, of_points
from spieltisch.games.rondo.state import COLOURS, MOST
from spieltisch.games.rondo.twin_rules import CAUSE_SHIFT, GAINED_SHIFT, LAST_MASK, OVER_FLAG, SCORE_SHIFT, Batch
from spieltisch.twins.arrays import bits_and_numbers
from spieltisch.twins.bits import ONE, ZERO, Bitset, Word, pack_bits, singleton


def features(setup: Setup, batch: Batch, viewers: Array) -> Array:
    """The vector of `RondoFeatures`."""
    board, players = board_of(setup.option("board"), setup.edition), setup.players
    tables, count = twin_rules.board_tables(board, setup.first), len(board.names)
    over, points = (batch.bag & OVER_FLAG) != ZERO, np.float32(of_points(board))
    seats = [((viewers + n) % players).astype(jnp.uint32) for n in range(players)]  # counted from the viewer
    one, two, four = batch.piles
    bridges, face_up = batch.bridges, ~batch.bridges
    at_least = [plane & face_up for plane in (one | two | four, two | four, (one & two) | four, four, one & four)]
    owned = [_owned_by(batch, seat) for seat in seats]
    known = Bitset(jnp.where(over, bridges.low, owned[0].low), jnp.where(over, bridges.high, owned[0].high))  # R10
    hidden = [known & _with_code(batch, colour + 1) for colour in COLOURS]
    deciding = ~over & (twin_rules.draws_pending(batch) == ZERO)
    last = batch.turn & LAST_MASK
    racks = [_rack_of(batch, seat) for seat in seats]
    held = twin_rules.unpack_rack(racks[0])
    parts: list[tuple[Bitset | Word, int]] = [
        *((plane, count) for plane in (*at_least, *owned, *hidden, twin_rules.covered_fields(batch))),
        (twin_rules.open_fields(batch, tables).where(deciding), count),
        (singleton(last - ONE & np.uint32(63)).where(last != ZERO), count),
        *(((ONE << number) - ONE, MOST) for number in held),
        (batch.bag >> CAUSE_SHIFT & np.uint32(3), len(CAUSES)),
        *(((twin_rules.seat_to_play(batch) == seat).astype(jnp.uint32), 1) for seat in seats),
        *(((np.uint32(setup.first) == seat).astype(jnp.uint32), 1) for seat in seats),
    ]
    unseen = []
    for colour, own in enumerate(held):
        printed = tables.fields_by_colour[colour]
        laid = sum(((plane & printed).size for plane in at_least), hidden[colour].size + own)
        unseen.append(jnp.where(over, ZERO, np.uint32(EACH) - laid) * np.float32(OF_EACH))
    numbers = [
        *unseen,
        *(twin_rules.total(twin_rules.unpack_rack(rack)) * np.float32(OF_MOST) for rack in racks),
        *((rack >> SCORE_SHIFT) * points for rack in racks),
        (batch.turn >> GAINED_SHIFT) * points,
        twin_rules.total(twin_rules.unpack_bag(batch.bag)) * np.float32(OF_STONES),
        twin_rules.draws_pending(batch) * np.float32(OF_DRAWS),
    ]
    return bits_and_numbers(pack_bits(parts), sum(width for _, width in parts), jnp.stack(numbers, 1))


def _owned_by(batch: Batch, seat: Word) -> Bitset:
    """The bridges of a seat, which differs from game to game."""
    found = batch.bridges
    for bit, plane in enumerate(batch.owner):
        other = ((seat >> np.uint32(bit)) & ONE) - ONE  # all ones if the bit is not set
        found &= Bitset(plane.low ^ other, plane.high ^ other)
    return found


def _with_code(batch: Batch, code: int) -> Bitset:
    """The fields with this code in the bit planes of the piles."""
    one, two, four = (plane if code >> bit & 1 else ~plane for bit, plane in zip(range(3), batch.piles, strict=True))
    return one & two & four


def _rack_of(batch: Batch, seat: Word) -> Word:
    """The rack of a seat, which differs from game to game, with the points above it."""
    found = batch.racks[0]
    for number, rack in enumerate(batch.racks[1:], 1):
        found = jnp.where(seat == np.uint32(number), rack, found)
    return found
