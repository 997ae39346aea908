"""The rules of Rondo for a batch of games, as bitwise arithmetic on uint32 words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from spieltisch.games.rondo.board import Board
from spieltisch.games.rondo.state import COLOURS, DEAL, FULL, MOST
from spieltisch.twins import bits
from spieltisch.twins.arrays import tree_where
from spieltisch.twins.bits import ONE, ZERO, Bitset, Word, nth_bit, nth_element, pack_flags, popcount
from spieltisch.twins.prng import RandomStream, random_below

# Layout of the word `turn`.
LAST_MASK: Final = np.uint32(127)  # the field laid on last, counted from 1
SEAT_SHIFT: Final = np.uint32(7)
GAINED_SHIFT: Final = np.uint32(16)
# Layout of the word `bag`.
STONES_MASK: Final = np.uint32(0x1FFFFFF)  # five bits per colour
DRAWING_SHIFT: Final = np.uint32(25)
DEALING_FLAG: Final = np.uint32(1 << 27)
CAUSE_SHIFT: Final = np.uint32(28)
OVER_FLAG: Final = np.uint32(1 << 30)
# Layout of a rack: three bits per colour, then the points of its seat.
SCORE_SHIFT: Final = np.uint32(15)

GREY_COVERED, BAG_EMPTY = np.uint32(1), np.uint32(2)  # causes of the end
MAX_DRAWS: Final = 2  # per turn


class Batch(NamedTuple):
    """A batch of games: every word has one element per game."""

    piles: tuple[Bitset, Bitset, Bitset]  # bit planes of the number of stones face up, or of a bridge's colour and one
    bridges: Bitset  # the fields with a stone face down
    owner: tuple[Bitset, Bitset]  # bit planes of the seat that laid the bridge
    adjacent: Bitset
    bag: Word  # stones, draws pending, whether this is the deal, the cause of the end, whether the game is over
    turn: Word
    racks: tuple[Word, ...]


class BoardTables(NamedTuple):
    """The printed board: bitsets, and a function that looks up `lookup_tables` by field."""

    gather: Callable[[int, Word], Word]
    fields_by_colour: tuple[Bitset, ...]
    grey: Bitset
    first_seat: int

    def neighbours(self, field: Word) -> Bitset:
        return Bitset(self.gather(0, field), self.gather(1, field))

    def colour_and_value(self, field: Word) -> tuple[Word, Word]:
        printed = self.gather(2, field)
        return printed & np.uint32(7), printed >> np.uint32(3)


class Choice(NamedTuple):
    """A decoded choice: stones on a field, the end of a chain, or a pass."""

    field: Word
    stones: Word
    colour: Word
    bridge: Array
    stops: Array  # a pass or the end of a chain


@lru_cache(maxsize=64)
def lookup_tables(board: Board) -> tuple[np.ndarray[Any, Any], ...]:
    """Per field: the low and the high word of its neighbours, and its colour in three bits with the value above them."""
    printed = [colour | value << 3 for colour, value in zip(board.colours, board.values, strict=True)]
    columns = ([links & 0xFFFFFFFF for links in board.links], [links >> 32 for links in board.links], printed)
    return tuple(np.array(column, np.uint32) for column in columns)


def board_tables(board: Board, first_seat: int, gather: Callable[[int, Word], Word] | None = None) -> BoardTables:
    """The board for the functions below; a kernel brings its own `gather`."""
    fields_by_colour = tuple(
        bits.constant(sum(1 << field for field, other in enumerate(board.colours) if other == colour))
        for colour in COLOURS
    )
    tables = lookup_tables(board)
    from_arrays = gather or (lambda table, fields: jnp.asarray(tables[table])[fields.astype(jnp.int32)])
    return BoardTables(from_arrays, fields_by_colour, bits.constant(board.grey), first_seat)


def undealt_games(board: Board, first_seat: int, players: int, zero: Word) -> Batch:
    """Games before the deal."""
    centre, empty = bits.constant(board.centre), Bitset(zero, zero)
    return Batch(
        piles=(empty, empty, empty),
        bridges=empty,
        owner=(empty, empty),
        adjacent=Bitset(zero | centre.low, zero | centre.high),
        bag=zero | np.uint32(FULL) | np.uint32(DEAL) << DRAWING_SHIFT | DEALING_FLAG,
        turn=zero | np.uint32(first_seat) << SEAT_SHIFT,
        racks=(zero,) * players,
    )


def covered_fields(batch: Batch) -> Bitset:
    return batch.piles[0] | batch.piles[1] | batch.piles[2]


def seat_to_play(batch: Batch) -> Word:
    return batch.turn >> SEAT_SHIFT & np.uint32(3)


def draws_pending(batch: Batch) -> Word:
    return batch.bag >> DRAWING_SHIFT & np.uint32(3)


def rack_to_play(batch: Batch) -> Word:
    """The rack, with the points above it, of the seat to play."""
    seat, found = seat_to_play(batch), batch.racks[0]
    for number, rack in enumerate(batch.racks[1:], 1):
        found = jnp.where(seat == np.uint32(number), rack, found)
    return found


def unpack_rack(rack: Word) -> list[Word]:
    """The number of stones of each colour on a rack."""
    return [rack >> np.uint32(3 * colour) & np.uint32(7) for colour in COLOURS]


def unpack_bag(bag: Word) -> list[Word]:
    """The number of stones of each colour in the bag."""
    return [bag >> np.uint32(5 * colour) & np.uint32(31) for colour in COLOURS]


def total(counts: Sequence[Word]) -> Word:
    first, *others = counts
    for other in others:
        first = first + other
    return first


def open_fields(batch: Batch, board: BoardTables) -> Bitset:
    """The fields that can be laid on now."""  # R6, R7
    last = batch.turn & LAST_MASK
    neighbours = board.neighbours(jnp.where(last == ZERO, ZERO, last - ONE))
    return tree_where(last == ZERO, batch.adjacent, neighbours) & ~covered_fields(batch)


def may_stop(batch: Batch, open_: Bitset, rack: Word) -> Array:
    """Whether the seat may end its chain or pass."""  # R4, R5
    return ((batch.turn & LAST_MASK) != ZERO) | (total(unpack_rack(rack)) < np.uint32(MOST)) | ~open_.any


def apply_choice(batch: Batch, choice: Choice, board: BoardTables) -> Batch:
    """The games after one choice per game, before the draws it causes."""
    return tree_where(choice.stops, _stop(batch), _lay(batch, choice, board))


def _lay(batch: Batch, choice: Choice, board: BoardTables) -> Batch:
    field, stones, colour, bridge, _ = choice
    neighbours, (_, value) = board.neighbours(field), board.colour_and_value(field)
    here, seat = bits.singleton(field), seat_to_play(batch)
    code = jnp.where(bridge, colour + ONE, stones)
    one, two, four = (
        plane | here.where((code >> np.uint32(bit) & ONE) != ZERO)
        for bit, plane in zip(range(3), batch.piles, strict=True)
    )
    lower, upper = (
        plane | here.where(bridge & ((seat >> np.uint32(bit) & ONE) != ZERO))
        for bit, plane in zip(range(2), batch.owner, strict=True)
    )
    gained = jnp.where(bridge, ZERO, stones * value)  # R10
    change = (gained << SCORE_SHIFT) - (stones << colour * np.uint32(3))
    is_first_cause = batch.bag >> CAUSE_SHIFT & np.uint32(3) == ZERO
    all_grey = is_first_cause & ~(board.grey & ~(one | two | four)).any  # R11
    return Batch(
        piles=(one, two, four),
        bridges=batch.bridges | here.where(bridge),
        owner=(lower, upper),
        adjacent=batch.adjacent | neighbours,
        bag=batch.bag | jnp.where(all_grey, GREY_COVERED << CAUSE_SHIFT, ZERO),
        turn=(batch.turn & ~LAST_MASK | field + ONE) + (gained << GAINED_SHIFT),
        racks=_change_rack(batch, change),
    )


def _change_rack(batch: Batch, change: Word) -> tuple[Word, ...]:
    """The racks with a difference added to that of the seat to play."""
    seat = seat_to_play(batch)
    return tuple(jnp.where(seat == np.uint32(number), rack + change, rack) for number, rack in enumerate(batch.racks))


def _stop(batch: Batch) -> Batch:
    """The games with the laying of this turn ended: draws are pending, at most as many as stones are left."""  # R4, R5, R11
    room = np.uint32(MOST) - total(unpack_rack(rack_to_play(batch)))
    passes = (batch.turn & LAST_MASK) == ZERO
    granted = jnp.where(passes, jnp.minimum(room, np.uint32(2)), ONE)
    draws = jnp.minimum(granted, total(unpack_bag(batch.bag)))
    bag_empty = (draws < granted) & ((batch.bag >> CAUSE_SHIFT & np.uint32(3)) == ZERO)
    return batch._replace(
        bag=batch.bag | draws << DRAWING_SHIFT | jnp.where(bag_empty, BAG_EMPTY << CAUSE_SHIFT, ZERO),
        turn=batch.turn & ~LAST_MASK,
    )


def draw_stone(batch: Batch, colour: Word) -> Batch:
    """The games after one draw per game, still in the same turn."""
    return batch._replace(
        bag=batch.bag - (ONE << colour * np.uint32(5)) - (ONE << DRAWING_SHIFT),
        racks=_change_rack(batch, ONE << colour * np.uint32(3)),
    )


def next_turn(batch: Batch, board: BoardTables) -> Batch:
    """The games with the next seat to play."""
    seat, bag = seat_to_play(batch), batch.bag
    next_seat = jnp.where(seat == np.uint32(len(batch.racks) - 1), ZERO, seat + ONE)
    round_over, dealing = next_seat == np.uint32(board.first_seat), (bag & DEALING_FLAG) != ZERO
    ends = ~dealing & round_over & ((bag >> CAUSE_SHIFT & np.uint32(3)) != ZERO)  # R11
    bag = jnp.where(
        dealing,
        jnp.where(round_over, bag & ~DEALING_FLAG, bag | np.uint32(DEAL) << DRAWING_SHIFT),  # R3
        bag | jnp.where(ends, OVER_FLAG, ZERO),
    )
    return batch._replace(bag=bag, turn=next_seat << SEAT_SHIFT)


def resolve_draws(batch: Batch, stopped: Array, words: tuple[Word, ...], board: BoardTables) -> Batch:
    """The games after their pending draws, at most one per random word, and with the next turn if that was the last."""
    was_pending = draws_pending(batch) > ZERO
    for word in words:
        is_pending = draws_pending(batch) > ZERO
        batch = tree_where(is_pending, draw_stone(batch, random_stone(batch.bag, word)), batch)
    return tree_where((was_pending | stopped) & (draws_pending(batch) == ZERO), next_turn(batch, board), batch)


def random_stone(bag: Word, word: Word) -> Word:
    """The colour of a random stone of the bag."""
    counts = unpack_bag(bag)
    ticket = random_below(total(counts), word)
    colour, cumulative = jnp.zeros_like(bag), jnp.zeros_like(bag)
    for count in counts[:-1]:
        cumulative = cumulative + count
        colour = colour + (ticket >= cumulative).astype(jnp.uint32)
    return colour


def random_choice(batch: Batch, word: Word, board: BoardTables) -> Choice:
    """A legal choice, all equally likely.

    Choices are numbered without being listed: first the stones face up, colour by colour, then the bridges, then the
    stop. Within a colour a choice is a field and a number of stones; a bridge is a field and a colour.
    """
    rack, open_ = rack_to_play(batch), open_fields(batch, board)
    counts = unpack_rack(rack)
    open_by_colour = [open_ & fields for fields in board.fields_by_colour]
    face_up = [fields.size * count for fields, count in zip(open_by_colour, counts, strict=True)]
    held = pack_flags(*(count > ZERO for count in counts))
    colours, all_face_up = popcount(held), total(face_up)
    lays = all_face_up + open_.size * colours
    number = random_below(lays + may_stop(batch, open_, rack).astype(jnp.uint32), word)
    bridge = number >= all_face_up
    rest, per_field, fields, colour = number - all_face_up, colours, open_, jnp.zeros_like(number)
    start = jnp.zeros_like(number)
    for own, (count, own_fields, choices) in enumerate(zip(counts, open_by_colour, face_up, strict=True)):
        here = ~bridge & (number >= start) & (number < start + choices)
        rest, per_field = jnp.where(here, number - start, rest), jnp.where(here, count, per_field)
        fields, colour = tree_where(here, own_fields, fields), jnp.where(here, np.uint32(own), colour)
        start = start + choices
    per_field = jnp.maximum(per_field, ONE)
    which = rest // per_field
    remainder = rest - which * per_field
    return Choice(
        field=nth_element(fields, which),
        stones=jnp.where(bridge, ONE, remainder + ONE),
        colour=jnp.where(bridge, nth_bit(held, remainder), colour),
        bridge=bridge,
        stops=number >= lays,
    )


def deal(batch: Batch, random: RandomStream, counter: Word, first_seat: int, unroll: bool) -> Batch:
    """The games after the deal."""  # R3
    players = len(batch.racks)

    def draw(number: Array, carry: tuple[Word, ...]) -> tuple[Word, ...]:
        bag, *racks = carry
        index = number.astype(jnp.uint32)
        colour = random_stone(bag, random(counter + index))
        seat = (index // np.uint32(DEAL) + np.uint32(first_seat)) % players
        stone = ONE << colour * np.uint32(3)
        return (
            bag - (ONE << colour * np.uint32(5)),
            *(rack + jnp.where(seat == np.uint32(n), stone, ZERO) for n, rack in enumerate(racks)),
        )

    carry = (batch.bag & STONES_MASK, *batch.racks)
    bag, *racks = lax.fori_loop(0, DEAL * players, draw, carry, unroll=unroll)
    return batch._replace(bag=bag, racks=tuple(racks))
