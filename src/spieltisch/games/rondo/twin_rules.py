"""Rondo in words: board, racks and bag of many games at once, and what an action makes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from spieltisch.games.rondo.board import Board
from spieltisch.games.rondo.state import COLOURS, DEAL, FULL, MOST
from spieltisch.twins.bits import NONE, ONE, Pair, Stream, Word, bits, either, nth, one_of, pair, place

LAST: Final = np.uint32(127)  # of a turn: the field laid on last, counted from 1
SEAT: Final = np.uint32(7)
GAINED: Final = np.uint32(16)
STONES: Final = np.uint32(0x1FFFFFF)  # of a bag: five bits a colour
DRAWING: Final = np.uint32(25)
DEALING: Final = np.uint32(1 << 27)
CAUSE: Final = np.uint32(28)
GREY, BAG = np.uint32(1), np.uint32(2)
OVER: Final = np.uint32(1 << 30)
SCORE: Final = np.uint32(15)  # of a rack: three bits a colour, then the points of its seat
DRAWS: Final = 2  # that a turn brings at most


class Batch(NamedTuple):
    """Games side by side: every word has one element for each."""

    piles: tuple[
        Pair, Pair, Pair
    ]  # bits of: how many stones lie there face up, or the colour, from 1, of one face down
    down: Pair
    owner: tuple[Pair, Pair]  # bits of the seat that laid it face down
    beside: Pair
    bag: Word  # then how many are still to be drawn, whether this is the deal, the cause of the end, and the end
    turn: Word
    racks: tuple[Word, ...]


class Fields(NamedTuple):
    """What is printed on the board: as sets, and to be looked up by number in the tables of `tables_of`."""

    look: Callable[[int, Word], Word]
    coloured: tuple[Pair, ...]
    grey: Pair
    first: int

    def links(self, number: Word) -> Pair:
        """The neighbours of a field."""
        return Pair(self.look(0, number), self.look(1, number))

    def printed(self, number: Word) -> tuple[Word, Word]:
        """The colour and the value of a field."""
        printed = self.look(2, number)
        return printed & np.uint32(7), printed >> np.uint32(3)


class Choice(NamedTuple):
    """What a seat does: stones on a field, or the end of its chain, or nothing."""

    field: Word
    stones: Word
    colour: Word
    down: Array
    done: Array  # it passes, or its chain is whole


@lru_cache(maxsize=64)
def tables_of(board: Board) -> tuple[np.ndarray[Any, Any], ...]:
    """For every field the lower and the upper half of its neighbours, and three bits of colour with the value above."""
    printed = [colour | value << 3 for colour, value in zip(board.colours, board.values, strict=True)]
    columns = ([each & 0xFFFFFFFF for each in board.links], [each >> 32 for each in board.links], printed)
    return tuple(np.array(column, np.uint32) for column in columns)


def fields_of(board: Board, first: int, look: Callable[[int, Word], Word] | None = None) -> Fields:
    """The board as a twin looks at it."""
    coloured = tuple(
        pair(sum(1 << field for field, other in enumerate(board.colours) if other == colour)) for colour in COLOURS
    )
    tables = tables_of(board)
    at = look or (lambda number, places: jnp.asarray(tables[number])[places.astype(jnp.int32)])
    return Fields(at, coloured, pair(board.grey), first)


def begun(board: Board, first: int, players: int, zero: Word) -> Batch:
    """Games before the deal."""
    centre, none = pair(board.centre), Pair(zero, zero)
    return Batch(
        piles=(none, none, none),
        down=none,
        owner=(none, none),
        beside=Pair(zero | centre.low, zero | centre.high),
        bag=zero | np.uint32(FULL) | np.uint32(DEAL) << DRAWING | DEALING,
        turn=zero | np.uint32(first) << SEAT,
        racks=(zero,) * players,
    )


def covered(batch: Batch) -> Pair:
    return batch.piles[0] | batch.piles[1] | batch.piles[2]


def seat_of(batch: Batch) -> Word:
    return batch.turn >> SEAT & np.uint32(3)


def drawing(batch: Batch) -> Word:
    return batch.bag >> DRAWING & np.uint32(3)


def rack_of(batch: Batch) -> Word:
    """The rack, and the points, of the seat whose turn it is."""
    seat, found = seat_of(batch), batch.racks[0]
    for number, rack in enumerate(batch.racks[1:], 1):
        found = jnp.where(seat == np.uint32(number), rack, found)
    return found


def held(rack: Word) -> list[Word]:
    """How many stones of each colour are on a rack."""
    return [rack >> np.uint32(3 * colour) & np.uint32(7) for colour in COLOURS]


def in_bag(bag: Word) -> list[Word]:
    """How many stones of each colour are in the bag."""
    return [bag >> np.uint32(5 * colour) & np.uint32(31) for colour in COLOURS]


def total(numbers: Sequence[Word]) -> Word:
    first, *others = numbers
    for other in others:
        first = first + other
    return first


def open_fields(batch: Batch, fields: Fields) -> Pair:
    """The fields that can be laid on now."""  # R6, R7
    last = batch.turn & LAST
    links = fields.links(jnp.where(last == NONE, NONE, last - ONE))
    return either(last == NONE, batch.beside, links) & ~covered(batch)


def may_stop(batch: Batch, open_: Pair, rack: Word) -> Array:
    """Whether the chain may end, or the seat pass."""  # R4, R5
    return ((batch.turn & LAST) != NONE) | (total(held(rack)) < np.uint32(MOST)) | ~open_.some


def played(batch: Batch, choice: Choice, fields: Fields) -> Batch:
    """The games after a choice in each, before any draw."""
    return either(choice.done, _stopped(batch), _laid(batch, choice, fields))


def _laid(batch: Batch, choice: Choice, fields: Fields) -> Batch:
    field, stones, colour, down, _ = choice
    links, (_, value) = fields.links(field), fields.printed(field)
    here, seat = place(field), seat_of(batch)
    code = jnp.where(down, colour + ONE, stones)
    one, two, four = (
        plane | here.where((code >> np.uint32(bit) & ONE) != NONE)
        for bit, plane in zip(range(3), batch.piles, strict=True)
    )
    lower, upper = (
        plane | here.where(down & ((seat >> np.uint32(bit) & ONE) != NONE))
        for bit, plane in zip(range(2), batch.owner, strict=True)
    )
    gained = jnp.where(down, NONE, stones * value)  # R10
    change = (gained << SCORE) - (stones << colour * np.uint32(3))
    whole = (batch.bag >> CAUSE & np.uint32(3) == NONE) & ~(fields.grey & ~(one | two | four)).some  # R11
    return Batch(
        piles=(one, two, four),
        down=batch.down | here.where(down),
        owner=(lower, upper),
        beside=batch.beside | links,
        bag=batch.bag | jnp.where(whole, GREY << CAUSE, NONE),
        turn=(batch.turn & ~LAST | field + ONE) + (gained << GAINED),
        racks=_with(batch, change),
    )


def _with(batch: Batch, change: Word) -> tuple[Word, ...]:
    seat = seat_of(batch)
    return tuple(jnp.where(seat == np.uint32(number), rack + change, rack) for number, rack in enumerate(batch.racks))


def _stopped(batch: Batch) -> Batch:
    """The turn's laying is over: as many stones are to be drawn as are granted, or as are left."""  # R4, R5, R11
    room = np.uint32(MOST) - total(held(rack_of(batch)))
    passing = (batch.turn & LAST) == NONE
    granted = jnp.where(passing, jnp.minimum(room, np.uint32(2)), ONE)
    number = jnp.minimum(granted, total(in_bag(batch.bag)))
    short = (number < granted) & ((batch.bag >> CAUSE & np.uint32(3)) == NONE)
    return batch._replace(
        bag=batch.bag | number << DRAWING | jnp.where(short, BAG << CAUSE, NONE), turn=batch.turn & ~LAST
    )


def drawn(batch: Batch, colour: Word) -> Batch:
    """The games after one stone drawn in each, the turn not yet handed on."""
    return batch._replace(
        bag=batch.bag - (ONE << colour * np.uint32(5)) - (ONE << DRAWING),
        racks=_with(batch, ONE << colour * np.uint32(3)),
    )


def handed_on(batch: Batch, fields: Fields) -> Batch:
    """The games with the next seat's turn."""
    seat, bag = seat_of(batch), batch.bag
    following = jnp.where(seat == np.uint32(len(batch.racks) - 1), NONE, seat + ONE)
    round_over, dealing = following == np.uint32(fields.first), (bag & DEALING) != NONE
    ends = ~dealing & round_over & ((bag >> CAUSE & np.uint32(3)) != NONE)  # R11
    bag = jnp.where(
        dealing,
        jnp.where(round_over, bag & ~DEALING, bag | np.uint32(DEAL) << DRAWING),  # R3
        bag | jnp.where(ends, OVER, NONE),
    )
    return batch._replace(bag=bag, turn=following << SEAT)


def settled(batch: Batch, played_: Array, luck: tuple[Word, ...], fields: Fields) -> Batch:
    """The games after the draws that are pending, at most as many as there is luck; then the next turn."""
    pending = drawing(batch) > NONE
    for chance in luck:
        waiting = drawing(batch) > NONE
        batch = either(waiting, drawn(batch, any_stone(batch.bag, chance)), batch)
    return either((pending | played_) & (drawing(batch) == NONE), handed_on(batch, fields), batch)


def any_stone(bag: Word, chance: Word) -> Word:
    """The colour of a stone drawn from the bag."""
    numbers = in_bag(bag)
    number = one_of(total(numbers), chance)
    colour, below = jnp.zeros_like(bag), jnp.zeros_like(bag)
    for count in numbers[:-1]:
        below = below + count
        colour = colour + (number >= below).astype(jnp.uint32)
    return colour


def any_choice(batch: Batch, chance: Word, fields: Fields) -> Choice:
    """A choice, all that are allowed equally likely."""
    rack, open_ = rack_of(batch), open_fields(batch, fields)
    counts = held(rack)
    found = [open_ & coloured for coloured in fields.coloured]
    up = [each.size * count for each, count in zip(found, counts, strict=True)]
    mask = total([(count > NONE).astype(jnp.uint32) << np.uint32(n) for n, count in enumerate(counts)])
    colours, all_up = bits(mask), total(up)
    lays = all_up + open_.size * colours
    number = one_of(lays + may_stop(batch, open_, rack).astype(jnp.uint32), chance)
    down = number >= all_up
    rest, each, among, colour = number - all_up, colours, open_, jnp.zeros_like(number)
    below = jnp.zeros_like(number)
    for own, (count, places, ways) in enumerate(zip(counts, found, up, strict=True)):
        here = ~down & (number >= below) & (number < below + ways)
        rest, each = jnp.where(here, number - below, rest), jnp.where(here, count, each)
        among, colour = either(here, places, among), jnp.where(here, np.uint32(own), colour)
        below = below + ways
    each = jnp.maximum(each, ONE)
    which = rest // each
    left = rest - which * each
    return Choice(
        field=_nth_place(among, which),
        stones=jnp.where(down, ONE, left + ONE),
        colour=jnp.where(down, nth(mask, left), colour),
        down=down,
        done=number >= lays,
    )


def _nth_place(places: Pair, number: Word) -> Word:
    lower = bits(places.low)
    up = number >= lower
    found = nth(jnp.where(up, places.high, places.low), jnp.where(up, number - lower, number))
    return jnp.where(up, found + np.uint32(32), found)


def dealt(batch: Batch, luck: Stream, counter: Word, first: int, unroll: bool) -> Batch:
    """The games after the deal."""  # R3
    players = len(batch.racks)

    def draw(number: Array, kept: tuple[Word, ...]) -> tuple[Word, ...]:
        bag, *racks = kept
        drawn = number.astype(jnp.uint32)
        colour, seat = any_stone(bag, luck(counter + drawn)), (drawn // np.uint32(DEAL) + np.uint32(first)) % players
        one = ONE << colour * np.uint32(3)
        return (
            bag - (ONE << colour * np.uint32(5)),
            *(rack + jnp.where(seat == np.uint32(n), one, NONE) for n, rack in enumerate(racks)),
        )

    kept = (batch.bag & STONES, *batch.racks)
    bag, *racks = lax.fori_loop(0, DEAL * players, draw, kept, unroll=unroll)
    return batch._replace(bag=bag, racks=tuple(racks))
