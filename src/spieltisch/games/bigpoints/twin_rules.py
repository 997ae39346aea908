"""The rules of Big Points for a batch of games, as bitwise arithmetic on uint32 words.

The three bits of a disc's colour code are stored in three bitsets (bit planes), so that the discs of a colour are an
intersection. A pawn stands only on discs of its own colour, so one bitset of occupied discs tells where all pawns are.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from spieltisch.games.bigpoints.state import BLACK, COLOURS, ON_TRACK, PAWNS
from spieltisch.twins import bits
from spieltisch.twins.arrays import tree_where
from spieltisch.twins.bits import ONE, ZERO, Bitset, Word, pack_flags, popcount
from spieltisch.twins.prng import RandomStream, random_below

Track = tuple[Bitset, Bitset, Bitset]  # bit planes of the colour code: the colour and one; 0 is no disc
TRACK_PLACES: Final = (1 << 56) - 2
LAST_PLACE: Final = np.uint32(1 << 55 - 32)  # in the high word
STEP_BITS: Final = np.uint32(0o77777)
STEP_LOW_BITS: Final = np.uint32(0o11111)  # the lowest bit of every pawn's step
SEAT_SHIFT: Final = np.uint32(15)
SEAT_MASK: Final = np.uint32(7)
EXTRA_FLAG: Final = np.uint32(1 << 18)
ONE_BLACK: Final = np.uint32(1 << 4 * BLACK)
BACKWARD_BITS: Final = 20  # the first bit of the backward moves in `legal_bits`
DECLINE_BIT: Final = 30
AHEAD, BEHIND = np.uint32(0), np.uint32(1)
MIN_CHOICES: Final = 28  # no game ends after fewer


class Batch(NamedTuple):
    """A batch of games: every word has one element per game."""

    track: Track  # as it was laid
    remaining: Bitset
    occupied: Bitset  # the discs that pawns stand on
    status: Word  # three bits per pawn: its step, counted from 1; then the seat, and whether an extra move is pending
    hands: tuple[Word, ...]  # as in a state


class Choice(NamedTuple):
    """A decoded choice."""

    pawn: Word
    take: Word
    backward: Array
    declined: Array


def discs_with_code(track: Track, code: Word) -> Bitset:
    """The discs of a colour that differs from game to game, by its code: the colour and one."""
    masks = [((code >> np.uint32(bit)) & ONE) - ONE for bit in range(3)]
    low, high = ([getattr(plane, half) ^ mask for plane, mask in zip(track, masks, strict=True)]
                 for half in ("low", "high"))  # fmt: skip
    return Bitset(low[0] & low[1] & low[2], high[0] & high[1] & high[2])


def discs_of_colour(track: Track, colour: int) -> Bitset:
    """The discs of a colour that is the same for all games."""
    first, second, third = (
        plane if colour + 1 >> bit & 1 else ~plane for bit, plane in zip(range(3), track, strict=True)
    )
    return first & second & third


def laid_discs(track: Track) -> Bitset:
    return track[0] | track[1] | track[2]


def colour_code(track: Track, disc: Bitset) -> Word:
    """The colour code of a single disc; 0 for the empty set."""
    return pack_flags(*((plane & disc).any for plane in track))


def pawn_place(own_occupied: Bitset) -> Bitset:
    """The place of a pawn from the discs of its colour that are occupied: the start if there is none."""
    return Bitset(own_occupied.low | (~own_occupied.any).astype(jnp.uint32), own_occupied.high)


def pawns_on_stairs(status: Word) -> Word:
    """One bit per pawn on the staircase, three bits apart."""
    return (status | status >> np.uint32(1) | status >> np.uint32(2)) & STEP_LOW_BITS


def is_over(status: Word) -> Array:
    return pawns_on_stairs(status) == STEP_LOW_BITS  # R15


def legal_bits(batch: Batch) -> Word:
    """The legal choices as bits of a word: `+ - ^ 0` of each pawn, then `<+ <-` of each, then declining.

    `<0` is never legal: after a move backward the disc just left can be taken.
    """
    remaining, occupied, climbed = batch.remaining, batch.occupied, pawns_on_stairs(batch.status)
    free = remaining & ~occupied
    above_first_free = free.lowest.mask_above
    extra = (batch.status & EXTRA_FLAG) != ZERO
    legal = jnp.where(extra, np.uint32(1 << DECLINE_BIT), ZERO)  # R10
    for pawn in PAWNS:
        colour = discs_of_colour(batch.track, pawn)
        own, own_occupied = remaining & colour, occupied & colour
        at_start, place = ~own_occupied.any, pawn_place(own_occupied)
        ahead = own & place.mask_above
        landing = ahead.lowest  # R5
        lands, can_move = ahead.any, (climbed >> np.uint32(3 * pawn) & ONE) == ZERO  # R17
        take_ahead = (free & landing.mask_above).any
        take_behind = lands & (~at_start | (free & landing.mask_below).any)  # R6, R7
        nothing = lands & ~(take_ahead | take_behind)
        forward = pack_flags(take_ahead, take_behind, ~lands, nothing)  # R8
        behind = own & place.mask_below  # R11
        backward = pack_flags(behind.any, (behind & above_first_free).any)
        backward_bits = jnp.where(extra, backward << np.uint32(BACKWARD_BITS + 2 * pawn), ZERO)
        legal |= jnp.where(can_move, forward << np.uint32(4 * pawn) | backward_bits, ZERO)
    return jnp.where(climbed == STEP_LOW_BITS, ZERO, legal)


def decode_choice(bit: Word) -> Choice:
    """The choice that a bit of `legal_bits` stands for, by the index of the bit."""
    backward = (bit >= np.uint32(BACKWARD_BITS)) & (bit < np.uint32(DECLINE_BIT))
    backward_bit = bit - np.uint32(BACKWARD_BITS)
    return Choice(
        jnp.where(backward, backward_bit >> ONE, bit >> np.uint32(2)),
        jnp.where(backward, backward_bit & ONE, bit & np.uint32(3)),
        backward,
        bit == np.uint32(DECLINE_BIT),
    )


def apply_choice(batch: Batch, choice: Choice) -> Batch:
    """The games after one choice per game."""
    pawn, take, backward, declined = choice
    track, remaining, occupied, status, hands = batch
    seat = status >> SEAT_SHIFT & SEAT_MASK
    extra = (status & EXTRA_FLAG) != ZERO
    colour = discs_with_code(track, pawn + ONE)
    own, own_occupied = remaining & colour, occupied & colour
    place = pawn_place(own_occupied)
    landing = tree_where(backward, (own & place.mask_below).highest, (own & place.mask_above).lowest)  # R5, R11
    moved = occupied ^ own_occupied | landing
    free = remaining & ~moved
    nothing = Bitset(jnp.zeros_like(status), jnp.zeros_like(status))
    taken_behind = tree_where(take == BEHIND, (free & landing.mask_below).highest, nothing)
    taken = tree_where(take == AHEAD, (free & landing.mask_above).lowest, taken_behind)  # R6
    taken = taken.where(~declined)
    climbs = ~(landing.any | declined)
    code = jnp.where(climbs, pawn + ONE, colour_code(track, taken))  # R8
    pays = extra & ~declined
    change = (ONE << code * np.uint32(4) >> np.uint32(4)) - jnp.where(pays, ONE_BLACK, ZERO)  # R10, R13
    step = popcount(pawns_on_stairs(status)) + ONE
    steps = status & STEP_BITS | jnp.where(climbs, step << pawn * np.uint32(3), ZERO)
    hand_before, hands_after = jnp.zeros_like(status), []
    for number, hand in enumerate(hands):
        to_play = seat == np.uint32(number)
        hand_before = jnp.where(to_play, hand, hand_before)
        hands_after.append(jnp.where(to_play, hand + change, hand))
    gets_extra = (hand_before >= ONE_BLACK) & ~extra & ~is_over(steps)  # R10, R12, R14, R15
    next_seat = jnp.where(seat == np.uint32(len(hands) - 1), ZERO, seat + ONE)
    turn = jnp.where(gets_extra, seat << SEAT_SHIFT | EXTRA_FLAG, next_seat << SEAT_SHIFT)
    return Batch(track, remaining ^ taken, tree_where(declined, occupied, moved), steps | turn, tuple(hands_after))


def takeable_codes(batch: Batch) -> list[Word]:
    """The colour codes of the discs that each pawn could take: `+ -` forward, then `<+ <-`; 0 for none.

    A pawn that would climb takes the disc of its own colour; a pawn on the staircase takes nothing.
    """
    remaining, occupied, climbed = batch.remaining, batch.occupied, pawns_on_stairs(batch.status)
    codes = []
    for pawn in PAWNS:
        colour = discs_of_colour(batch.track, pawn)
        own, own_occupied = remaining & colour, occupied & colour
        place = pawn_place(own_occupied)
        forward, backward = (own & place.mask_above).lowest, (own & place.mask_below).highest  # R5, R11
        climbing = jnp.where((climbed >> np.uint32(3 * pawn) & ONE) == ZERO, np.uint32(pawn + 1), ZERO)  # R8, R17
        for landing, instead in ((forward, climbing), (backward, ZERO)):
            free = remaining & ~(occupied ^ own_occupied | landing)
            ahead, behind = (free & landing.mask_above).lowest, (free & landing.mask_below).highest  # R6
            codes += [jnp.where(landing.any, colour_code(batch.track, disc), instead) for disc in (ahead, behind)]
    return codes


def lay_disc(batch: Batch, colour: Word) -> Batch:
    """The games after the next disc of the track is laid; for games whose track is not complete."""
    next_place = (~laid_discs(batch.track) & bits.constant(TRACK_PLACES)).lowest
    code = colour + ONE
    first, second, third = (
        plane | next_place.where((code >> np.uint32(bit) & ONE) != ZERO)
        for bit, plane in zip(range(3), batch.track, strict=True)
    )
    return batch._replace(track=(first, second, third), remaining=batch.remaining | next_place)


def new_games(track: Track, first: int, players: int) -> Batch:
    """Games on these tracks before the first move."""
    zero = jnp.zeros_like(track[0].low)
    places = bits.constant(TRACK_PLACES)
    remaining = Bitset(zero | places.low, zero | places.high)
    return Batch(track, remaining, Bitset(zero, zero), zero | np.uint32(first) << SEAT_SHIFT, (zero,) * players)


def shuffle_tracks(random: RandomStream, counter: Word, unroll: int = 1) -> Track:
    """Shuffled tracks, from 55 random words starting at the counter."""  # R3
    sums = np.cumsum(ON_TRACK)
    zero = random.start & ZERO
    first = zero | np.uint32(sum(int(total) << 8 * n for n, total in enumerate(sums[:3])))
    second = zero | np.uint32(sum(int(total) << 8 * n for n, total in enumerate(sums[3:6])))
    lower, bag = _draw_discs(random, counter, (first, second), (0, 31), unroll)
    upper, _ = _draw_discs(random, counter, bag, (31, 55), unroll)
    planes = [Bitset(low, high >> np.uint32(8)) for low, high in zip(lower, upper, strict=True)]
    return planes[0], planes[1], planes[2]


def _draw_discs(
    random: RandomStream, counter: Word, bag: tuple[Word, Word], draws: tuple[int, int], unroll: int
) -> tuple[tuple[Word, Word, Word], tuple[Word, Word]]:
    """The colour codes of the next discs, shifted into three words from the top, and the bag after them.

    The bag is the cumulative number of discs left, for every colour but the last: eight bits each, three per word. A
    draw is compared with all of them at once by one subtraction per word, which leaves the high bit of a byte set if
    the draw is not beyond that colour.
    """
    high_bits = np.uint32(0x808080)

    def draw(number: Array, carry: tuple[Word, ...]) -> tuple[Word, ...]:
        first, second, *planes = carry
        index = number.astype(jnp.uint32)
        ticket = random_below(np.uint32(sum(ON_TRACK)) - index, random(counter + index)) + ONE
        tickets = ticket * np.uint32(0x010101)
        in_first = ((first | high_bits) - tickets) & high_bits
        in_second = ((second | high_bits) - tickets) & high_bits
        code = np.uint32(len(COLOURS)) - popcount(in_first) - popcount(in_second)
        return (
            first - (in_first >> np.uint32(7)),
            second - (in_second >> np.uint32(7)),
            *(
                plane >> ONE | (code >> np.uint32(bit) & ONE) << np.uint32(31)
                for bit, plane in enumerate(planes)
            ),
        )  # fmt: skip

    zero = bag[0] & ZERO
    first, second, one, two, three = lax.fori_loop(*draws, draw, (*bag, zero, zero, zero), unroll=unroll)
    return (one, two, three), (first, second)
