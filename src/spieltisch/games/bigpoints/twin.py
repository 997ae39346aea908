"""The twin of Big Points: its rules vectorized over a batch of games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from spieltisch.core.game import Seat, Setup
from spieltisch.core.twin import Kind, Twin
from spieltisch.games.bigpoints import notation, twin_features, twin_rules
from spieltisch.games.bigpoints.state import (
    BLACK,
    COLOURS,
    ON_TRACK,
    ONE,
    PAWNS,
    STAIRS,
    START,
    WHITE,
    Action,
    Deal,
    State,
    discs,
)
from spieltisch.games.bigpoints.twin_rules import EXTRA_FLAG, MIN_CHOICES, SEAT_MASK, SEAT_SHIFT, Batch, Choice, Track
from spieltisch.games.bigpoints.view import Phase, View, imagine
from spieltisch.twins.arrays import (
    batch_stream,
    broadcast_rows,
    chunked_loop,
    columns,
    jit_method,
    pad,
    tree_where,
)
from spieltisch.twins.bits import (
    ZERO,
    Bitset,
    Word,
    barrier,
    element_of,
    nth_bit,
    pack_bits,
    popcount,
    unpack_bits,
    unpack_words,
)
from spieltisch.twins.prng import (
    RandomStream,
    lowbias32,
    random_below,
    random_stream,
    seeds_of,
    shuffle_per_game,
)

SIZE: Final = sum(ON_TRACK)
DISCS: Final = SIZE + len(PAWNS)
_LAYS: Final = range(len(notation.ACTIONS) - len(COLOURS), len(notation.ACTIONS))
_EXTRA, _BACKWARD, _DECLINE = 20, 40, 55  # the first id of each kind of choice; normal moves start at 0


@dataclass(frozen=True)
class BigPointsTwin(Twin[State, Action, View, Batch]):
    """Twin for one setup. Tracks and hands are encoded as in a state, split into 32-bit words."""

    @property
    def actions(self) -> Sequence[Action]:
        return notation.ACTIONS

    @property
    def outcomes(self) -> range:
        return _LAYS

    def pack(self, states: Sequence[State]) -> Batch:
        leaves = columns(states, self._encode)
        sets = [Bitset(*leaves[n : n + 2]) for n in range(0, 10, 2)]
        return Batch((sets[0], sets[1], sets[2]), sets[3], sets[4], leaves[10], tuple(leaves[11:]))

    def _encode(self, state: State) -> tuple[int, ...]:
        """A state as 32-bit words: five bitsets of two words each, the status, the hands."""
        deal, remaining, pawns, hands, seat, extra = state
        if deal.setup != self.setup or deal.size != SIZE:
            raise ValueError("a state of another setup")
        occupied = sum(place for place in pawns if START < place < STAIRS)
        steps = [place.bit_length() - STAIRS.bit_length() + 1 if place >= STAIRS else 0 for place in pawns]
        status = sum(step << 3 * pawn for pawn, step in enumerate(steps)) | seat << 15 | extra << 18
        sets = (*_bit_planes(deal.discs), remaining, occupied)
        return (*(half for each in sets for half in (each & 0xFFFFFFFF, each >> 32)), status, *hands)

    def unpack(self, batch: Batch) -> list[State]:
        leaves = [np.asarray(leaf).astype(np.uint64) for leaf in jax.tree.leaves(batch)]
        sets = [(leaves[n] | leaves[n + 1] << np.uint64(32)).tolist() for n in range(0, 10, 2)]
        rest = [leaf.tolist() for leaf in leaves[10:]]
        return [self._decode(row[:5], row[5], row[6:]) for row in zip(*sets, *rest, strict=True)]

    def _decode(self, sets: tuple[int, ...], status: int, hands: tuple[int, ...]) -> State:
        one, two, four, remaining, occupied = sets
        deal = _decode_deal(self.setup, one, two, four)
        steps = [status >> 3 * pawn & 7 for pawn in PAWNS]
        pawns = tuple(
            STAIRS << step - 1 if step else occupied & deal.colours[pawn] or START
            for pawn, step in zip(PAWNS, steps, strict=True)
        )
        return State(deal, remaining, pawns, hands, Seat(status >> 15 & 7), bool(status >> 18 & 1))

    def asarray(self, numbers: Sequence[int]) -> Array:
        return jnp.asarray(numbers, jnp.int32)

    @jit_method("games")
    def init(self, key: Array, games: int) -> Batch:
        random = random_stream(seeds_of(key), jnp.arange(games, dtype=jnp.uint32))
        return self._new_games(twin_rules.shuffle_tracks(random, jnp.zeros(games, jnp.uint32)))

    def _new_games(self, track: Track) -> Batch:
        return twin_rules.new_games(track, self.setup.first, self.setup.players)

    @jit_method()
    def kind(self, batch: Batch) -> Array:
        pending = jnp.where(_is_dealing(batch), np.uint8(Kind.CHANCE), np.uint8(Kind.DECISION))
        return jnp.where(twin_rules.is_over(batch.status), np.uint8(Kind.OVER), pending)

    @jit_method()
    def seat(self, batch: Batch) -> Array:
        return (batch.status >> SEAT_SHIFT & SEAT_MASK).astype(jnp.int32)

    @jit_method()
    def legal(self, batch: Batch) -> Array:
        return unpack_words(self.legal_words(batch), len(self.actions))

    @jit_method()
    def legal_words(self, batch: Batch) -> list[Word]:
        deciding, extra = self.kind(batch) == Kind.DECISION, (batch.status & EXTRA_FLAG) != ZERO
        legal = barrier(jnp.where(deciding, twin_rules.legal_bits(batch), ZERO))
        forward = legal & np.uint32((1 << 20) - 1)
        parts: list[tuple[Word, int]] = [(jnp.where(extra, ZERO, forward), 20), (jnp.where(extra, forward, ZERO), 20)]
        backward = [legal >> np.uint32(twin_rules.BACKWARD_BITS + 2 * pawn) & np.uint32(3) for pawn in PAWNS]
        parts += [(some, 3) for some in backward]  # the third, to take nothing, is never legal
        parts.append((legal >> np.uint32(twin_rules.DECLINE_BIT) & np.uint32(1), 1))
        outcomes = self.weights(batch) > 0
        parts += [(outcomes[:, colour].astype(jnp.uint32), 1) for colour in COLOURS]
        return pack_bits(parts)

    @jit_method()
    def weights(self, batch: Batch) -> Array:
        left = [
            np.uint32(ON_TRACK[colour]) - twin_rules.discs_of_colour(batch.track, colour).size for colour in COLOURS
        ]
        return jnp.stack(left, 1).astype(jnp.int32)

    @jit_method()
    def step(self, batch: Batch, ids: Array) -> Batch:
        first_lay = np.uint32(_LAYS.start)
        number = ids.astype(jnp.uint32)
        laid = twin_rules.lay_disc(batch, number - first_lay)
        return tree_where(number >= first_lay, laid, self.choose(batch, ids))

    @jit_method()
    def choose(self, batch: Batch, ids: Array) -> Batch:
        number = ids.astype(jnp.uint32)
        backward_number = number - np.uint32(_BACKWARD)
        backward = (number >= np.uint32(_BACKWARD)) & (number < np.uint32(_DECLINE))
        forward = jnp.where(number >= np.uint32(_EXTRA), number - np.uint32(_EXTRA), number)
        choice = Choice(
            jnp.where(backward, backward_number // np.uint32(3), forward >> np.uint32(2)),
            jnp.where(backward, backward_number % np.uint32(3), forward & np.uint32(3)),
            backward,
            number == np.uint32(_DECLINE),
        )
        return twin_rules.apply_choice(batch, choice)

    @jit_method()
    def draw(self, batch: Batch, numbers: Array) -> Batch:
        return tree_where(_is_dealing(batch), twin_rules.lay_disc(batch, numbers.astype(jnp.uint32)), batch)

    @jit_method()
    def scores(self, batch: Batch) -> Array:
        steps = [batch.status >> np.uint32(3 * pawn) & np.uint32(7) for pawn in PAWNS]
        humble = self.setup.option("stairs") == "humble"
        values = [
            jnp.where(step == ZERO, ZERO, step - np.uint32(1) if humble else np.uint32(5) - step) for step in steps
        ]  # R2
        return jnp.stack([_score(hand, values) for hand in batch.hands], 1)

    @jit_method()
    def ranks(self, batch: Batch) -> Array:
        scores = self.scores(batch)
        return 1 + (scores[:, :, None] < scores[:, None, :]).sum(2, dtype=jnp.int32)  # R18

    @jit_method()
    def observe(self, batch: Batch, viewers: Array) -> Mapping[str, Array]:
        """The track as laid and as it is now, pawns, steps, known hands and whose turn it is.

        Colours count from 1; 0 is no disc. A pawn's place is 0 at the start and 56 on the staircase; steps count from 1.
        The discs of a concealed hand are -1. `takes` are the discs a pawn could take: `+ -` forward, then `<+ <-`.
        """
        one, two, four = map(_unpack_track, batch.track)
        codes = one + 2 * two + 4 * four
        seats = (viewers[:, None] + jnp.arange(self.setup.players)) % self.setup.players
        hands = jnp.stack([_unpack_hand(hand) for hand in batch.hands], 1)
        hands = jnp.take_along_axis(hands, seats[:, :, None], 1)
        known = twin_rules.is_over(batch.status)[:, None] | (jnp.arange(self.setup.players) == 0)  # R9
        if self.setup.option("hands") == "open":
            known = jnp.ones_like(known)
        steps = jnp.stack([batch.status >> np.uint32(3 * pawn) & np.uint32(7) for pawn in PAWNS], 1).astype(jnp.int8)
        own_occupied = [batch.occupied & twin_rules.discs_of_colour(batch.track, pawn) for pawn in PAWNS]
        places = jnp.stack([element_of(place) for place in own_occupied], 1).astype(jnp.int8)
        black_taken = (twin_rules.discs_of_colour(batch.track, BLACK) & ~batch.remaining).size.astype(jnp.int8)
        return {
            "laid": codes,
            "track": codes * _unpack_track(batch.remaining),
            "pawns": jnp.where(steps > 0, jnp.int8(SIZE + 1), places),
            "steps": steps,
            "takes": jnp.stack(twin_rules.takeable_codes(batch), 1).astype(jnp.int8),
            "sizes": hands.sum(2, dtype=jnp.int8),
            "hands": jnp.where(known[:, :, None], hands, jnp.int8(-1)),
            "handed_in": black_taken - hands[:, :, BLACK].sum(1, dtype=jnp.int8),
            "seat": ((self.seat(batch) - viewers) % self.setup.players).astype(jnp.int8),
            "extra": (batch.status & EXTRA_FLAG) != ZERO,
            "kind": self.kind(batch),
        }

    @jit_method()
    def features(self, batch: Batch, viewers: Array) -> Array:
        return twin_features.features(self.setup, batch, viewers)

    def resample(self, view: View, key: Array, games: int) -> Batch:
        """Deals the discs of unknown hands at random; a hand that may make an extra move keeps one black disc."""
        state, pool, owners = imagine(view, Random(0)), list[int](), list[int]()
        hands = list(state.hands)
        for seat, hand in enumerate(view.hands):
            if hand.discs is None:
                certain = ONE[BLACK] * (view.phase is Phase.EXTRA and seat == view.seat)
                unknown = discs(hands[seat] - certain)
                pool += [int(ONE[colour]) for colour in COLOURS for _ in range(unknown[colour])]
                owners += [seat] * sum(unknown)
                hands[seat] = certain
        known = self.pack([state._replace(hands=tuple(hands))])
        return self._deal_pool(known, key, games, pad(pool, DISCS), pad(owners, DISCS), len(pool))

    @jit_method("games")
    def _deal_pool(self, known: Batch, key: Array, games: int, pool: Array, owners: Array, count: int) -> Batch:
        """Copies of a game with the first `count` discs of the pool dealt in random order to their owners' hands."""
        dealt = shuffle_per_game(key, games, pool, count)
        batch = broadcast_rows(known, games)
        return batch._replace(
            hands=tuple(
                hand + jnp.where(owners == np.uint32(seat), dealt, ZERO).sum(1, dtype=jnp.uint32)
                for seat, hand in enumerate(batch.hands)
            )
        )

    @jit_method()
    def auto_reset(self, batch: Batch, key: Array, tracks: Track | None = None) -> Batch:
        """As in the contract; with `tracks`, a pool whose size is a power of two, new games use one of them."""
        random, over = batch_stream(key, batch), twin_rules.is_over(batch.status)
        zero = jnp.zeros_like(batch.status)
        track = _pick_track(tracks, over, random(zero)) if tracks else twin_rules.shuffle_tracks(random, zero)
        return tree_where(over, self._new_games(track), batch)

    @jit_method("steps")
    def rollout(self, batch: Batch, key: Array, steps: int, tracks: Track | None = None) -> tuple[Batch, Array]:
        """As in the contract; with `tracks`, a pool whose size is a power of two, new games use one of them."""
        return self.elementwise_rollout(batch, batch_stream(key, batch), steps, tracks, unroll=8)

    lookup_tables = ()

    def elementwise_rollout(
        self,
        batch: Batch,
        random: RandomStream,
        steps: Array | int,
        tracks: Track | None = None,
        unroll: int = 1,
        gather: object = None,
    ) -> tuple[Batch, Word]:
        """The rollout in element-wise operations only, which also run inside a kernel."""
        words_per_chunk = np.uint32(MIN_CHOICES + SIZE)

        def chunk(number: Array, some: Array | int, carry: tuple[Batch, Word]) -> tuple[Batch, Word]:
            counter = number.astype(jnp.uint32) * words_per_chunk
            return self._rollout_chunk(carry, random, counter, some, tracks, unroll)

        return chunked_loop(steps, MIN_CHOICES, chunk, (batch, jnp.zeros_like(batch.status)))

    def _rollout_chunk(
        self,
        carry: tuple[Batch, Word],
        random: RandomStream,
        counter: Word,
        steps: Array | int,
        tracks: Track | None,
        unroll: int,
    ) -> tuple[Batch, Word]:
        """So few random steps that no game ends twice, so that one new track per game is enough."""
        new_tracks = tracks or twin_rules.shuffle_tracks(random, counter + np.uint32(MIN_CHOICES), unroll)

        def step(number: Array, carry: tuple[Batch, Word]) -> tuple[Batch, Word]:
            batch, finished = carry
            word = random(counter + number.astype(jnp.uint32))
            batch = random_step(batch, word)
            over = twin_rules.is_over(batch.status)
            track = _pick_track(new_tracks, over, word) if tracks else new_tracks
            return tree_where(over, self._new_games(track), batch), finished + over.astype(jnp.uint32)

        after: tuple[Batch, Word] = lax.fori_loop(0, steps, step, carry)
        return after


def random_step(batch: Batch, word: Word) -> Batch:
    """The games after a random choice in each."""
    legal = twin_rules.legal_bits(batch)
    bit = nth_bit(legal, random_below(popcount(legal), word))
    return twin_rules.apply_choice(batch, twin_rules.decode_choice(bit))


def _pick_track(tracks: Track, over: Array, word: Word) -> Track:
    """A random track of the pool for games that are over, the first one for all others, whose memory is cached."""
    size = tracks[0].low.shape[0]
    number = jnp.where(over, lowbias32(word) & np.uint32(size - 1), ZERO).astype(jnp.int32)
    found: Track = jax.tree.map(lambda words: words[number], tracks)
    return found


def _is_dealing(batch: Batch) -> Array:
    return (twin_rules.laid_discs(batch.track).high & twin_rules.LAST_PLACE) == ZERO


def _unpack_track(places: Bitset) -> Array:
    """Which discs of the track are in the set: int8[games, 55]."""
    both = jnp.concatenate([unpack_bits(places.low, 1, 31), unpack_bits(places.high, 0, 24)], 1)
    return both.astype(jnp.int8)


def _unpack_hand(hand: Word) -> Array:
    """The discs of each colour: int8[games, colours]."""
    shifts = np.array([4 * colour for colour in COLOURS], np.uint32)
    return (hand[:, None] >> shifts & np.uint32(15)).astype(jnp.int8)


def _score(hand: Word, values: Sequence[Word]) -> Array:
    """The score of a hand: int32[games]."""  # R16
    held = [hand >> np.uint32(4 * colour) & np.uint32(15) for colour in COLOURS]
    others = sum((held[colour] > ZERO).astype(jnp.uint32) for colour in COLOURS if colour != WHITE)
    coloured = sum(number * value for number, value in zip(held[:WHITE], values, strict=True))
    return (coloured + held[WHITE] * others).astype(jnp.int32)


@lru_cache(maxsize=4096)
def _bit_planes(laid: bytes) -> tuple[int, int, int]:
    """The three bits of the discs' colour codes, as bitsets of places."""
    one, two, four = (sum((disc + 1 >> bit & 1) << place for place, disc in enumerate(laid, 1)) for bit in range(3))
    return one, two, four


@lru_cache(maxsize=4096)
def _decode_deal(setup: Setup, one: int, two: int, four: int) -> Deal:
    codes = [
        (one >> n & 1) + 2 * (two >> n & 1) + 4 * (four >> n & 1) for n in range(1, (one | two | four).bit_length())
    ]
    colours = tuple(sum(1 << n for n, code in enumerate(codes, 1) if code == colour + 1) for colour in COLOURS)
    return Deal(setup, SIZE, bytes(code - 1 for code in codes), colours)


TWIN = BigPointsTwin
