"""Big Points in words: the table of many games at once, and what a choice makes of it.

A disc's colour is written across three sets of places, so that a colour is an intersection of them. A pawn stands on
discs of its own colour only: one set of the discs that are stood on tells where all pawns are.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from spieltisch.games.bigpoints.state import BLACK, COLOURS, ON_TRACK, PAWNS
from spieltisch.twins.bits import NONE, ONE, Pair, Stream, Word, bits, either, one_of, pair

Track = tuple[Pair, Pair, Pair]  # the bits of every disc's colour, counted from 1; 0 is no disc
SEAT: Final = np.uint32(15)
EXTRA: Final = np.uint32(1 << 18)
SEATS: Final = np.uint32(7)
BEGUN: Final = np.uint32(0o11111)  # the lowest bit of every pawn's step
START: Final = 1
LAST: Final = np.uint32(1 << 55 - 32)
HELD_BLACK: Final = np.uint32(1 << 4 * BLACK)
BACK: Final = 20  # where moves backward begin among the choices
DECLINE: Final = 30
AHEAD, BEHIND = np.uint32(0), np.uint32(1)
FEWEST: Final = 28  # choices in a game


class Batch(NamedTuple):
    """Games side by side: every word has one element for each."""

    track: Track  # as it was laid
    left: Pair
    stood: Pair  # the discs that pawns stand on
    table: (
        Word  # three bits a pawn: its step, counted from 1; then the seat, and whether it is asked about an extra move
    )
    hands: tuple[Word, ...]  # as in a state


class Choice(NamedTuple):
    """A move by what it is made of."""

    pawn: Word
    take: Word
    backward: Array
    declined: Array


def coloured(track: Track, code: Word) -> Pair:
    """The discs of the colour with that code, which is its number and one."""
    masks = [((code >> np.uint32(bit)) & ONE) - ONE for bit in range(3)]
    low, high = ([getattr(plane, half) ^ mask for plane, mask in zip(track, masks, strict=True)]
                 for half in ("low", "high"))  # fmt: skip
    return Pair(low[0] & low[1] & low[2], high[0] & high[1] & high[2])


def of_colour(track: Track, colour: int) -> Pair:
    """The discs of a colour that is the same for every game."""
    first, second, third = (
        plane if colour + 1 >> bit & 1 else ~plane for bit, plane in zip(range(3), track, strict=True)
    )
    return first & second & third


def laid(track: Track) -> Pair:
    """The places of the track that have a disc."""
    return track[0] | track[1] | track[2]


def climbed(table: Word) -> Word:
    """A bit for every pawn on the staircase, three apart."""
    return (table | table >> np.uint32(1) | table >> np.uint32(2)) & BEGUN


def is_over(table: Word) -> Array:
    return climbed(table) == BEGUN  # R15


def choices(batch: Batch) -> Word:
    """What may be chosen, as bits: `+ - ^ 0` of each pawn, then `<+ <-` of each, then declining.

    `<0` is not among them: after a move backward the disc just left is there to take.
    """
    left, stood, up = batch.left, batch.stood, climbed(batch.table)
    free = left & ~stood
    above_first = free.lowest.beyond
    extra = (batch.table & EXTRA) != NONE
    found = jnp.where(extra, np.uint32(1 << DECLINE), NONE)  # R10
    for pawn in PAWNS:
        colour = of_colour(batch.track, pawn)
        own, on = left & colour, stood & colour
        waiting = ~on.some
        place = Pair(on.low | waiting.astype(jnp.uint32), on.high)
        ahead = own & place.beyond
        onto = ahead.lowest  # R5
        lands, goes = ahead.some, (up >> np.uint32(3 * pawn) & ONE) == NONE  # R17
        take_ahead = (free & onto.beyond).some
        take_behind = lands & (~waiting | (free & onto.below).some)  # R6, R7
        nothing = lands & ~(take_ahead | take_behind)
        flags = _flags(take_ahead, take_behind, ~lands, nothing)  # R8
        behind = own & place.below  # R11
        back = _flags(behind.some, (behind & above_first).some)
        both = flags << np.uint32(4 * pawn) | jnp.where(extra, back << np.uint32(BACK + 2 * pawn), NONE)
        found |= jnp.where(goes, both, NONE)
    return jnp.where(up == BEGUN, NONE, found)


def _flags(*conditions: Array) -> Word:
    found = conditions[0].astype(jnp.uint32)
    for number, condition in enumerate(conditions[1:], 1):
        found |= condition.astype(jnp.uint32) << np.uint32(number)
    return found


def chosen(number: Word) -> Choice:
    """The choice behind a bit of `choices`."""
    backward = (number >= np.uint32(BACK)) & (number < np.uint32(DECLINE))
    rest = number - np.uint32(BACK)
    return Choice(
        jnp.where(backward, rest >> ONE, number >> np.uint32(2)),
        jnp.where(backward, rest & ONE, number & np.uint32(3)),
        backward,
        number == np.uint32(DECLINE),
    )


def played(batch: Batch, choice: Choice) -> Batch:
    """The games after a choice in each."""
    pawn, take, backward, declined = choice
    track, left, stood, table, hands = batch
    seat = table >> SEAT & SEATS
    extra = (table & EXTRA) != NONE
    colour = coloured(track, pawn + ONE)
    own, on = left & colour, stood & colour
    place = Pair(on.low | (~on.some).astype(jnp.uint32), on.high)
    onto = either(backward, (own & place.below).highest, (own & place.beyond).lowest)  # R5, R11
    moved = stood ^ on | onto
    free = left & ~moved
    none = Pair(jnp.zeros_like(table), jnp.zeros_like(table))
    behind = either(take == BEHIND, (free & onto.below).highest, none)
    gone = either(take == AHEAD, (free & onto.beyond).lowest, behind)  # R6
    gone = gone.where(~declined)
    climbs = ~(onto.some | declined)
    code = jnp.where(climbs, pawn + ONE, _flags(*((plane & gone).some for plane in track)))  # R8
    paid = extra & ~declined
    change = (ONE << code * np.uint32(4) >> np.uint32(4)) - jnp.where(paid, HELD_BLACK, NONE)  # R10, R13
    step = bits(climbed(table)) + ONE
    steps = table & np.uint32(0o77777) | jnp.where(climbs, step << pawn * np.uint32(3), NONE)
    held, after = jnp.zeros_like(table), []
    for number, hand in enumerate(hands):
        own_turn = seat == np.uint32(number)
        held = jnp.where(own_turn, hand, held)
        after.append(jnp.where(own_turn, hand + change, hand))
    asked = (held >= HELD_BLACK) & ~extra & ~is_over(steps)  # R10, R12, R14, R15
    following = jnp.where(seat == np.uint32(len(hands) - 1), NONE, seat + ONE)
    turn = jnp.where(asked, seat << SEAT | EXTRA, following << SEAT)
    return Batch(track, left ^ gone, either(declined, stood, moved), steps | turn, tuple(after))


def takings(batch: Batch) -> list[Word]:
    """What each pawn would bring: `+ -` forward and then `<+ <-`, as the colour's code, 0 for nothing.

    A pawn that would climb brings its own disc, one on the staircase nothing.
    """
    left, stood, up = batch.left, batch.stood, climbed(batch.table)
    found = []
    for pawn in PAWNS:
        colour = of_colour(batch.track, pawn)
        own, on = left & colour, stood & colour
        place = Pair(on.low | (~on.some).astype(jnp.uint32), on.high)
        climbs = jnp.where((up >> np.uint32(3 * pawn) & ONE) == NONE, np.uint32(pawn + 1), NONE)  # R8, R17
        for onto, instead in (((own & place.beyond).lowest, climbs), ((own & place.below).highest, NONE)):  # R5, R11
            free = left & ~(stood ^ on | onto)
            for gone in ((free & onto.beyond).lowest, (free & onto.below).highest):  # R6
                code = _flags(*((plane & gone).some for plane in batch.track))
                found.append(jnp.where(onto.some, code, instead))
    return found


def laid_next(batch: Batch, colour: Word) -> Batch:
    """The games after the next disc of the track, where the track is not whole."""
    there = laid(batch.track)
    following = (~there & pair(EVERY_PLACE)).lowest
    code = colour + ONE
    track = [
        plane | following.where((code >> np.uint32(bit) & ONE) != NONE)
        for bit, plane in zip(range(3), batch.track, strict=True)
    ]
    return batch._replace(track=(track[0], track[1], track[2]), left=batch.left | following)


EVERY_PLACE: Final = (1 << 56) - 2


def begun(track: Track, first: int, players: int) -> Batch:
    """Games on these tracks before the first move."""
    zero = jnp.zeros_like(track[0].low)
    every = pair(EVERY_PLACE)
    left = Pair(zero | every.low, zero | every.high)
    return Batch(track, left, Pair(zero, zero), zero | np.uint32(first) << SEAT, (zero,) * players)


def shuffled(luck: Stream, counter: Word, unroll: int = 1) -> Track:
    """Tracks in random order, from 55 words of luck after the counter."""  # R3
    sums = np.cumsum(ON_TRACK)
    zero = luck.begin & NONE
    first = zero | np.uint32(sum(int(total) << 8 * n for n, total in enumerate(sums[:3])))
    second = zero | np.uint32(sum(int(total) << 8 * n for n, total in enumerate(sums[3:6])))
    lower, bag = _drawn(luck, counter, (first, second), (0, 31), unroll)
    upper, _ = _drawn(luck, counter, bag, (31, 55), unroll)
    planes = [Pair(low, high >> np.uint32(8)) for low, high in zip(lower, upper, strict=True)]
    return planes[0], planes[1], planes[2]


def _drawn(
    luck: Stream, counter: Word, bag: tuple[Word, Word], draws: tuple[int, int], unroll: int
) -> tuple[tuple[Word, Word, Word], tuple[Word, Word]]:
    """The next discs, pushed into three words from above, and what is left in the bag.

    The bag is, for every colour but the last, how many discs are left of it and of those before it, eight bits each.
    """
    high = np.uint32(0x808080)

    def draw(number: Array, kept: tuple[Word, ...]) -> tuple[Word, ...]:
        first, second, *planes = kept
        drawn = number.astype(jnp.uint32)
        chance = one_of(np.uint32(sum(ON_TRACK)) - drawn, luck(counter + drawn)) + ONE
        spread = chance * np.uint32(0x010101)
        after_first = ((first | high) - spread) & high  # marked where the disc is of the colour or one before it
        after_second = ((second | high) - spread) & high
        code = np.uint32(len(COLOURS)) - bits(after_first) - bits(after_second)
        return (
            first - (after_first >> np.uint32(7)),
            second - (after_second >> np.uint32(7)),
            *(
                plane >> ONE | (code >> np.uint32(bit) & ONE) << np.uint32(31)
                for bit, plane in enumerate(planes)
            ),
        )  # fmt: skip

    zero = bag[0] & NONE
    first, second, one, two, three = lax.fori_loop(*draws, draw, (*bag, zero, zero, zero), unroll=unroll)
    return (one, two, three), (first, second)
