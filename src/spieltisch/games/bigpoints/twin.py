"""The twin of Big Points: many games at once, in JAX."""

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
from spieltisch.games.bigpoints import notation, twin_rules
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
from spieltisch.games.bigpoints.twin_rules import EXTRA, FEWEST, SEAT, SEATS, Batch, Choice, Track
from spieltisch.games.bigpoints.view import Phase, View, imagine
from spieltisch.twins import bits
from spieltisch.twins.bits import NONE, Pair, Stream, Word, compiled, either, nth, number_of, one_of

SIZE: Final = sum(ON_TRACK)
DISCS: Final = SIZE + len(PAWNS)
_LAYS: Final = range(len(notation.ACTIONS) - len(COLOURS), len(notation.ACTIONS))
_NORMAL, _EXTRA, _BACK, _DECLINE = 0, 20, 40, 55  # where the ids of each kind of choice begin


@dataclass(frozen=True)
class FastBigPoints(Twin[State, Action, View, Batch]):
    """Many games of one setup; hands and tracks as in the rules, in words."""

    @property
    def actions(self) -> Sequence[Action]:
        return notation.ACTIONS

    @property
    def outcomes(self) -> range:
        return _LAYS

    def pack(self, states: Sequence[State]) -> Batch:
        leaves = bits.columns(states, self._words)
        pairs = [Pair(*leaves[n : n + 2]) for n in range(0, 10, 2)]
        return Batch((pairs[0], pairs[1], pairs[2]), pairs[3], pairs[4], leaves[10], tuple(leaves[11:]))

    def _words(self, state: State) -> tuple[int, ...]:
        """A state in whole numbers: five sets of two words, the table, the hands."""
        deal, left, pawns, hands, seat, extra = state
        if deal.setup != self.setup or deal.size != SIZE:
            raise ValueError("a state of another setup")
        stood = sum(place for place in pawns if START < place < STAIRS)
        steps = [place.bit_length() - STAIRS.bit_length() + 1 if place >= STAIRS else 0 for place in pawns]
        table = sum(step << 3 * pawn for pawn, step in enumerate(steps)) | seat << 15 | extra << 18
        sets = (*_planes(deal.discs), left, stood)
        return (*(half for each in sets for half in (each & 0xFFFFFFFF, each >> 32)), table, *hands)

    def unpack(self, batch: Batch) -> list[State]:
        leaves = [np.asarray(leaf).astype(np.uint64) for leaf in jax.tree.leaves(batch)]
        sets = [(leaves[n] | leaves[n + 1] << np.uint64(32)).tolist() for n in range(0, 10, 2)]
        rest = [leaf.tolist() for leaf in leaves[10:]]
        return [self._state(row[:5], row[5], row[6:]) for row in zip(*sets, *rest, strict=True)]

    def _state(self, sets: tuple[int, ...], table: int, hands: tuple[int, ...]) -> State:
        one, two, four, left, stood = sets
        deal = _deal(self.setup, one, two, four)
        steps = [table >> 3 * pawn & 7 for pawn in PAWNS]
        pawns = tuple(
            STAIRS << step - 1 if step else stood & deal.colours[pawn] or START
            for pawn, step in zip(PAWNS, steps, strict=True)
        )
        return State(deal, left, pawns, hands, Seat(table >> 15 & 7), bool(table >> 18 & 1))

    def numbers(self, ids: Sequence[int]) -> Array:
        return jnp.asarray(ids, jnp.int32)

    @compiled("games")
    def fresh(self, key: Array, games: int) -> Batch:
        luck = bits.stream(bits.seeds(key), jnp.arange(games, dtype=jnp.uint32))
        return self._begun(twin_rules.shuffled(luck, jnp.zeros(games, jnp.uint32)))

    def _begun(self, track: Track) -> Batch:
        return twin_rules.begun(track, self.setup.first, self.setup.players)

    @compiled()
    def kind(self, batch: Batch) -> Array:
        waiting = jnp.where(_dealing(batch), np.uint8(Kind.CHANCE), np.uint8(Kind.DECISION))
        return jnp.where(twin_rules.is_over(batch.table), np.uint8(Kind.OVER), waiting)

    @compiled()
    def seat(self, batch: Batch) -> Array:
        return (batch.table >> SEAT & SEATS).astype(jnp.int32)

    @compiled()
    def legal(self, batch: Batch) -> Array:
        found, extra = twin_rules.choices(batch), (batch.table & EXTRA) != NONE
        normal = _spread(found, 0, 20)
        back = _spread(found, twin_rules.BACK, 10).reshape(-1, 5, 2)
        never = jnp.zeros((*back.shape[:2], 1), bool)
        moves = [
            normal & ~extra[:, None],
            normal & extra[:, None],
            jnp.concatenate([back, never], 2).reshape(-1, 15),
            _spread(found, twin_rules.DECLINE, 1),
        ]
        deciding = (self.kind(batch) == Kind.DECISION)[:, None]
        return jnp.concatenate([*(each & deciding for each in moves), self.weights(batch) > 0], 1)

    @compiled()
    def weights(self, batch: Batch) -> Array:
        left = [np.uint32(ON_TRACK[colour]) - twin_rules.of_colour(batch.track, colour).size for colour in COLOURS]
        return jnp.where(_dealing(batch)[:, None], jnp.stack(left, 1), NONE).astype(jnp.int32)

    @compiled()
    def step(self, batch: Batch, ids: Array) -> Batch:
        number = ids.astype(jnp.uint32)
        back = number - np.uint32(_BACK)
        backward = (number >= np.uint32(_BACK)) & (number < np.uint32(_DECLINE))
        forward = jnp.where(number >= np.uint32(_EXTRA), number - np.uint32(_EXTRA), number)
        choice = Choice(
            jnp.where(backward, back // np.uint32(3), forward >> np.uint32(2)),
            jnp.where(backward, back % np.uint32(3), forward & np.uint32(3)),
            backward,
            number == np.uint32(_DECLINE),
        )
        laying = number >= np.uint32(_LAYS.start)
        return either(
            laying, twin_rules.laid_next(batch, number - np.uint32(_LAYS.start)), twin_rules.played(batch, choice)
        )

    @compiled()
    def draw(self, batch: Batch, numbers: Array) -> Batch:
        return either(_dealing(batch), twin_rules.laid_next(batch, numbers.astype(jnp.uint32)), batch)

    @compiled()
    def scores(self, batch: Batch) -> Array:
        steps = [batch.table >> np.uint32(3 * pawn) & np.uint32(7) for pawn in PAWNS]
        humble = self.setup.option("stairs") == "humble"
        values = [
            jnp.where(step == NONE, NONE, step - np.uint32(1) if humble else np.uint32(5) - step) for step in steps
        ]  # R2
        return jnp.stack([_score(hand, values) for hand in batch.hands], 1)

    @compiled()
    def ranks(self, batch: Batch) -> Array:
        scores = self.scores(batch)
        return 1 + (scores[:, :, None] < scores[:, None, :]).sum(2, dtype=jnp.int32)  # R18

    @compiled()
    def features(self, batch: Batch, viewers: Array) -> Mapping[str, Array]:
        """The track as it was laid and as it is, pawns, steps, hands as far as they are known, whose turn it is.

        Colours count from 1 and 0 is no disc; a pawn's place is 0 at the start and 56 on the staircase; a step counts
        from 1; discs of a concealed hand are -1. What a pawn would take is `+ -` forward, then `<+ <-`.
        """
        one, two, four = map(_bits, batch.track)
        codes = one + 2 * two + 4 * four
        seats = (viewers[:, None] + jnp.arange(self.setup.players)) % self.setup.players
        hands = jnp.stack([_counts(hand) for hand in batch.hands], 1)
        hands = jnp.take_along_axis(hands, seats[:, :, None], 1)
        known = twin_rules.is_over(batch.table)[:, None] | (jnp.arange(self.setup.players) == 0)  # R9
        if self.setup.option("hands") == "open":
            known = jnp.ones_like(known)
        steps = jnp.stack([batch.table >> np.uint32(3 * pawn) & np.uint32(7) for pawn in PAWNS], 1).astype(jnp.int8)
        pawns = jnp.stack([number_of(batch.stood & twin_rules.of_colour(batch.track, pawn)) for pawn in PAWNS], 1)
        black = twin_rules.of_colour(batch.track, BLACK)
        taken = (black & ~batch.left).size.astype(jnp.int8)
        return {
            "laid": codes,
            "track": codes * _bits(batch.left),
            "pawns": jnp.where(steps > 0, jnp.int8(SIZE + 1), pawns.astype(jnp.int8)),
            "steps": steps,
            "takes": jnp.stack(twin_rules.takings(batch), 1).astype(jnp.int8),
            "sizes": hands.sum(2, dtype=jnp.int8),
            "hands": jnp.where(known[:, :, None], hands, jnp.int8(-1)),
            "handed_in": taken - hands[:, :, BLACK].sum(1, dtype=jnp.int8),
            "seat": ((self.seat(batch) - viewers) % self.setup.players).astype(jnp.int8),
            "extra": (batch.table & EXTRA) != NONE,
            "kind": self.kind(batch),
        }

    def resample(self, view: View, key: Array, games: int) -> Batch:
        """Discs in hands that are not known are dealt out anew, but for the black one of a hand that is asked."""
        one, pool, owners = imagine(view, Random(0)), list[int](), list[int]()
        hands = list(one.hands)
        for seat, hand in enumerate(view.hands):
            if hand.discs is None:
                certain = ONE[BLACK] * (view.phase is Phase.EXTRA and seat == view.seat)
                held = discs(hands[seat] - certain)
                pool += [int(ONE[colour]) for colour in COLOURS for _ in range(held[colour])]
                owners += [seat] * sum(held)
                hands[seat] = certain
        base = self.pack([one._replace(hands=tuple(hands))])
        return self._shared_out(base, key, games, bits.padded(pool, DISCS), bits.padded(owners, DISCS), len(pool))

    @compiled("games")
    def _shared_out(self, base: Batch, key: Array, games: int, pool: Array, owners: Array, count: int) -> Batch:
        """The first so many discs of the pool added in a random order to their owners' hands."""
        dealt = bits.shuffled(key, games, pool, count)
        many: Batch = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (games,)), base)
        return many._replace(
            hands=tuple(
                hand + jnp.where(owners == np.uint32(seat), dealt, NONE).sum(1, dtype=jnp.uint32)
                for seat, hand in enumerate(many.hands)
            )
        )

    @compiled()
    def renew(self, batch: Batch, key: Array, tracks: Track | None = None) -> Batch:
        """As the contract says; with tracks, whose number is a power of two, new games begin on one of those."""
        luck, over = bits.stream(bits.seeds(key), bits.rows(batch)), twin_rules.is_over(batch.table)
        zero = jnp.zeros_like(batch.table)
        track = _picked(tracks, over, luck(zero)) if tracks else twin_rules.shuffled(luck, zero)
        return either(over, self._begun(track), batch)

    @compiled("steps")
    def wander(self, batch: Batch, key: Array, steps: int, tracks: Track | None = None) -> tuple[Batch, Array]:
        """As the contract says; with tracks, whose number is a power of two, new games begin on one of those."""
        return self.wandered(batch, bits.stream(bits.seeds(key), bits.rows(batch)), steps, tracks, unroll=8)

    tables = ()  # what a kernel is given to look things up in: nothing

    def wandered(
        self,
        batch: Batch,
        luck: Stream,
        steps: Array | int,
        tracks: Track | None = None,
        unroll: int = 1,
        look: object = None,
    ) -> tuple[Batch, Word]:
        """Random play with that luck, element by element, as a kernel can do it too."""
        every = np.uint32(FEWEST + SIZE)

        def window(number: Array, some: Array | int, kept: tuple[Batch, Word]) -> tuple[Batch, Word]:
            return self._window(kept, luck, number.astype(jnp.uint32) * every, some, tracks, unroll)

        return bits.in_windows(steps, FEWEST, window, (batch, jnp.zeros_like(batch.table)))

    def _window(
        self,
        kept: tuple[Batch, Word],
        luck: Stream,
        counter: Word,
        steps: Array | int,
        tracks: Track | None,
        unroll: int,
    ) -> tuple[Batch, Word]:
        """Some steps of random play, so few that no game ends twice: one new track for each game is enough."""
        own = tracks or twin_rules.shuffled(luck, counter + np.uint32(FEWEST), unroll)

        def one(number: Array, kept: tuple[Batch, Word]) -> tuple[Batch, Word]:
            batch, finished = kept
            chance = luck(counter + number.astype(jnp.uint32))
            batch = randomly(batch, chance)
            over = twin_rules.is_over(batch.table)
            track = _picked(own, over, chance) if tracks else own
            return either(over, self._begun(track), batch), finished + over.astype(jnp.uint32)

        after: tuple[Batch, Word] = lax.fori_loop(0, steps, one, kept)
        return after


def randomly(batch: Batch, chance: Word) -> Batch:
    """The games after a random choice in each."""
    found = twin_rules.choices(batch)
    return twin_rules.played(batch, twin_rules.chosen(nth(found, one_of(bits.bits(found), chance))))


def _picked(tracks: Track, over: Array, chance: Word) -> Track:
    """One of the tracks where a game is over, the first elsewhere, since that one is at hand."""
    size = tracks[0].low.shape[0]
    number = jnp.where(over, bits.mixed(chance) & np.uint32(size - 1), NONE).astype(jnp.int32)
    found: Track = jax.tree.map(lambda words: words[number], tracks)
    return found


def _dealing(batch: Batch) -> Array:
    return (twin_rules.laid(batch.track).high & twin_rules.LAST) == NONE


def _spread(word: Word, first: int, count: int) -> Array:
    """Bits of a word side by side: bool[games, count]."""
    return (word[:, None] >> np.arange(first, first + count, dtype=np.uint32) & np.uint32(1)) != NONE


def _bits(places: Pair) -> Array:
    """The discs of the track that are in the set: int8[games, 55]."""
    both = jnp.concatenate([_spread(places.low, 1, 31), _spread(places.high, 0, 24)], 1)
    return both.astype(jnp.int8)


def _counts(hand: Word) -> Array:
    shifts = np.array([4 * colour for colour in COLOURS], np.uint32)
    return (hand[:, None] >> shifts & np.uint32(15)).astype(jnp.int8)


def _score(hand: Word, values: Sequence[Word]) -> Array:
    """What a hand scores."""  # R16
    held = [hand >> np.uint32(4 * colour) & np.uint32(15) for colour in COLOURS]
    others = sum((held[colour] > NONE).astype(jnp.uint32) for colour in COLOURS if colour != WHITE)
    coloured = sum(number * value for number, value in zip(held[:WHITE], values, strict=True))
    return (coloured + held[WHITE] * others).astype(jnp.int32)


@lru_cache(maxsize=4096)
def _planes(laid: bytes) -> tuple[int, int, int]:
    """The bits of the discs' colours, counted from 1, as three sets of places."""
    one, two, four = (sum((disc + 1 >> bit & 1) << place for place, disc in enumerate(laid, 1)) for bit in range(3))
    return one, two, four


@lru_cache(maxsize=4096)
def _deal(setup: Setup, one: int, two: int, four: int) -> Deal:
    codes = [
        (one >> n & 1) + 2 * (two >> n & 1) + 4 * (four >> n & 1) for n in range(1, (one | two | four).bit_length())
    ]
    colours = tuple(sum(1 << n for n, code in enumerate(codes, 1) if code == colour + 1) for colour in COLOURS)
    return Deal(setup, SIZE, bytes(code - 1 for code in codes), colours)


TWIN = FastBigPoints
