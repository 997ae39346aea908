"""The twin of Rondo: many games at once, in JAX."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from spieltisch.core.game import Seat
from spieltisch.core.twin import Kind, Twin
from spieltisch.games.rondo import twin_rules
from spieltisch.games.rondo.board import LETTERS, Board, board_of
from spieltisch.games.rondo.state import (
    COLOURS,
    DEAL,
    DRAWS,
    END,
    PASS,
    Action,
    Bridge,
    Field,
    Lay,
    State,
    count,
)
from spieltisch.games.rondo.twin_rules import CAUSE, DEALING, DRAWING, GAINED, LAST, OVER, SCORE, Batch, Choice
from spieltisch.games.rondo.view import View, imagine, unseen
from spieltisch.twins import bits
from spieltisch.twins.bits import NONE, ONE, Pair, Stream, Word, compiled, either

MOST_FIELDS: Final = 64
STONES: Final = 120
_CAUSES: Final = ("", "grey", "bag")
_BAG, _NOBODY = 100, 255  # whose a stone is, beside fields and then seats
_LUCK: Final = 1 + twin_rules.DRAWS  # words of it in a step


@dataclass(frozen=True)
class FastRondo(Twin[State, Action, View, Batch]):
    """Many games of one setup, on a board of at most 64 fields."""

    def __post_init__(self) -> None:
        if len(self.board.names) > MOST_FIELDS:
            raise ValueError(f"a twin has room for {MOST_FIELDS} fields")

    @property
    def board(self) -> Board:
        return board_of(self.setup.option("board"), self.setup.edition)

    @property
    def fields(self) -> twin_rules.Fields:
        """What is printed on the board."""
        return twin_rules.fields_of(self.board, self.setup.first)

    @property
    def actions(self) -> Sequence[Action]:
        return _actions(self.board)

    @property
    def outcomes(self) -> range:
        return range(self._lays + 2, self._lays + 2 + len(COLOURS))

    @property
    def _lays(self) -> int:
        return 10 * len(self.board.names)

    def pack(self, states: Sequence[State]) -> Batch:
        leaves = bits.columns(states, self._words)
        one, two, four, down, lower, upper, beside = (Pair(*leaves[n : n + 2]) for n in range(0, 14, 2))
        return Batch((one, two, four), down, (lower, upper), beside, leaves[14], leaves[15], tuple(leaves[16:]))

    def _words(self, state: State) -> tuple[int, ...]:
        """A state in whole numbers: seven sets of two words, the bag, the turn, the racks."""
        if state.setup != self.setup:
            raise ValueError("a state of another setup")
        codes, down, owner = list(state.piles), 0, [0, 0]
        for field, colour, seat in state.bridges:
            codes[field] = colour + 1
            down |= 1 << field
            owner = [plane | (seat >> bit & 1) << field for bit, plane in enumerate(owner)]
        planes = [sum((code >> bit & 1) << field for field, code in enumerate(codes)) for bit in range(3)]
        sets = (*planes, down, *owner, state.beside)
        bag = (
            state.bag | state.drawing << 25 | state.dealing << 27 | _CAUSES.index(state.cause) << 28 | state.over << 30
        )
        turn = state.last + 1 | state.seat << 7 | state.gained << 16
        racks = [
            sum(count(rack, colour) << 3 * colour for colour in COLOURS) | score << 15
            for rack, score in zip(state.racks, state.scores, strict=True)
        ]
        return (*(half for each in sets for half in (each & 0xFFFFFFFF, each >> 32)), bag, turn, *racks)

    def unpack(self, batch: Batch) -> list[State]:
        leaves = [np.asarray(leaf).astype(np.uint64) for leaf in jax.tree.leaves(batch)]
        sets = [(leaves[n] | leaves[n + 1] << np.uint64(32)).tolist() for n in range(0, 14, 2)]
        rest = [leaf.tolist() for leaf in leaves[14:]]
        return [self._state(row[:7], row[7], row[8], row[9:]) for row in zip(*sets, *rest, strict=True)]

    def _state(self, sets: tuple[int, ...], bag: int, turn: int, racks: tuple[int, ...]) -> State:
        one, two, four, down, lower, upper, beside = sets
        places = range(len(self.board.names))
        codes = [(one >> n & 1) | (two >> n & 1) << 1 | (four >> n & 1) << 2 for n in places]
        return State(
            setup=self.setup,
            board=self.board,
            seat=Seat(turn >> 7 & 3),
            dealing=bool(bag >> 27 & 1),
            drawing=bag >> 25 & 3,
            last=Field((turn & 127) - 1),
            gained=turn >> 16,
            covered=one | two | four,
            beside=beside,
            piles=bytes(0 if down >> n & 1 else codes[n] for n in places),
            bridges=tuple(
                Bridge(Field(n), codes[n] - 1, Seat((lower >> n & 1) | (upper >> n & 1) << 1))
                for n in places
                if down >> n & 1
            ),
            racks=tuple(sum((rack >> 3 * colour & 7) << 5 * colour for colour in COLOURS) for rack in racks),
            bag=bag & (1 << 25) - 1,
            scores=tuple(rack >> 15 for rack in racks),
            cause=_CAUSES[bag >> 28 & 3],
            over=bool(bag >> 30 & 1),
        )

    def numbers(self, ids: Sequence[int]) -> Array:
        return jnp.asarray(ids, jnp.int32)

    @compiled("games")
    def fresh(self, key: Array, games: int) -> Batch:
        zero = jnp.zeros(games, jnp.uint32)
        luck = bits.stream(bits.seeds(key), jnp.arange(games, dtype=jnp.uint32))
        return self._dealt(luck, zero)

    def _dealt(self, luck: Stream, counter: Word, unroll: bool = True) -> Batch:
        board, setup = self.board, self.setup
        undealt = twin_rules.begun(board, setup.first, setup.players, luck.begin & NONE)
        return twin_rules.dealt(undealt, luck, counter, setup.first, unroll)

    @property
    def tables(self) -> tuple[np.ndarray[Any, Any], ...]:
        """What a kernel is given to look things up in."""
        return twin_rules.tables_of(self.board)

    @compiled()
    def kind(self, batch: Batch) -> Array:
        waiting = jnp.where(twin_rules.drawing(batch) > NONE, np.uint8(Kind.CHANCE), np.uint8(Kind.DECISION))
        return jnp.where((batch.bag & OVER) != NONE, np.uint8(Kind.OVER), waiting)

    @compiled()
    def seat(self, batch: Batch) -> Array:
        return twin_rules.seat_of(batch).astype(jnp.int32)

    @compiled()
    def legal(self, batch: Batch) -> Array:
        open_, rack = twin_rules.open_fields(batch, self.fields), twin_rules.rack_of(batch)
        held = jnp.stack(twin_rules.held(rack), 1)  # games, colours
        own = held[:, np.array(self.board.colours)]
        up = own[:, :, None] >= np.arange(1, 6, dtype=np.uint32)
        down = jnp.broadcast_to((held > NONE)[:, None, :], up.shape)
        lays = jnp.concatenate([up, down], 2) & self._spread(open_)[:, :, None]
        chain, stop = (batch.turn & LAST) != NONE, twin_rules.may_stop(batch, open_, rack)
        ends = jnp.stack([stop & ~chain, stop & chain], 1)
        deciding = (self.kind(batch) == Kind.DECISION)[:, None]
        choices = jnp.concatenate([lays.reshape(lays.shape[0], -1), ends], 1)
        return jnp.concatenate([choices & deciding, self.weights(batch) > 0], 1)

    def _spread(self, places: Pair) -> Array:
        """The fields of a set side by side: bool[games, fields]."""
        both = [(half[:, None] >> np.arange(32, dtype=np.uint32) & ONE) != NONE for half in places]
        return jnp.concatenate(both, 1)[:, : len(self.board.names)]

    @compiled()
    def weights(self, batch: Batch) -> Array:
        left = jnp.stack(twin_rules.in_bag(batch.bag), 1)
        return jnp.where((twin_rules.drawing(batch) > NONE)[:, None], left, NONE).astype(jnp.int32)

    @compiled()
    def step(self, batch: Batch, ids: Array) -> Batch:
        number, lays, fields = ids.astype(jnp.uint32), np.uint32(self._lays), self.fields
        laying, chance = number < lays, number >= lays + np.uint32(2)
        field = jnp.where(laying, number // np.uint32(10), NONE)
        way = number - field * np.uint32(10)
        down = way >= np.uint32(5)
        colour, _ = fields.printed(field)
        choice = Choice(
            field=field,
            stones=jnp.where(down, ONE, way + ONE),
            colour=jnp.where(down, way - np.uint32(5), colour),
            down=down,
            done=~laying,
        )
        chosen = twin_rules.played(batch, choice, fields)
        passed = (twin_rules.drawing(chosen) == NONE) & ~laying
        chosen = either(passed, twin_rules.handed_on(chosen, fields), chosen)
        return either(chance, self.draw(batch, jnp.where(chance, number - lays - np.uint32(2), NONE)), chosen)

    @compiled()
    def draw(self, batch: Batch, numbers: Array) -> Batch:
        after = twin_rules.drawn(batch, numbers.astype(jnp.uint32))
        after = either(twin_rules.drawing(after) == NONE, twin_rules.handed_on(after, self.fields), after)
        return either(twin_rules.drawing(batch) > NONE, after, batch)

    @compiled()
    def scores(self, batch: Batch) -> Array:
        return (jnp.stack(batch.racks, 1) >> SCORE).astype(jnp.int32)

    @compiled()
    def ranks(self, batch: Batch) -> Array:
        sizes = jnp.stack([twin_rules.total(twin_rules.held(rack)) for rack in batch.racks], 1).astype(jnp.int32)
        keys = self.scores(batch) * 8 + sizes
        return 1 + (keys[:, :, None] < keys[:, None, :]).sum(2, dtype=jnp.int32)  # R12

    @compiled()
    def features(self, batch: Batch, viewers: Array) -> Mapping[str, Array]:
        """Fields, racks as far as they are known, points, the bag, and what the turn has brought so far.

        A bridge is its owner, counted from the viewer, and one; its colour counts from 1 and is 0 where it is not
        known; stones of a rack that is not known are -1; the field laid on last counts from 1.
        """
        players, over = self.setup.players, (batch.bag & OVER) != NONE
        one, two, four, down, lower, upper = (
            self._spread(plane).astype(jnp.int8) for plane in (*batch.piles, batch.down, *batch.owner)
        )
        codes, owner = one + 2 * two + 4 * four, (lower + 2 * upper - viewers[:, None].astype(jnp.int8)) % players
        order = (viewers[:, None] + jnp.arange(players)) % players
        held = jnp.stack([jnp.stack(twin_rules.held(rack), 1) for rack in batch.racks], 1).astype(jnp.int8)
        held = jnp.take_along_axis(held, order[:, :, None], 1)
        known = over[:, None] | (jnp.arange(players) == 0)  # R3
        deciding = (self.kind(batch) == Kind.DECISION)[:, None]
        return {
            "face_up": codes * (1 - down),
            "bridges": down * (owner + 1),
            "colours": codes * down * (over[:, None] | (owner == 0)),  # R10
            "open": self._spread(twin_rules.open_fields(batch, self.fields)) & deciding,
            "racks": jnp.where(known[:, :, None], held, jnp.int8(-1)),
            "sizes": held.sum(2, dtype=jnp.int8),
            "scores": jnp.take_along_axis(self.scores(batch), order, 1),
            "bag": twin_rules.total(twin_rules.in_bag(batch.bag)).astype(jnp.int8),
            "drawing": twin_rules.drawing(batch).astype(jnp.int8),
            "last": (batch.turn & LAST).astype(jnp.int8),
            "gained": (batch.turn >> GAINED).astype(jnp.int32),
            "cause": (batch.bag >> CAUSE & np.uint32(3)).astype(jnp.int8),
            "dealing": (batch.bag & DEALING) != NONE,
            "seat": ((self.seat(batch) - viewers) % players).astype(jnp.int8),
            "kind": self.kind(batch),
        }

    def resample(self, view: View, key: Array, games: int) -> Batch:
        """The unseen stones are dealt out anew to bridges, racks and bag."""
        one, stones = imagine(view, Random(0)), unseen(view)
        hidden = [n for n, field in enumerate(view.fields) if field.bridge is not None and not field.hidden]
        piles = {MOST_FIELDS + seat: rack for seat, rack in enumerate(view.racks)} | {_BAG: view.bag}
        owners = [*hidden, *(who for who, pile in piles.items() if pile.stones is None for _ in range(pile.size))]
        base = one._replace(
            bridges=tuple(bridge._replace(colour=-1) if bridge.field in hidden else bridge for bridge in one.bridges),
            racks=tuple(0 if seen.stones is None else rack for seen, rack in zip(view.racks, one.racks, strict=True)),
            bag=0 if view.bag.stones is None else one.bag,
        )
        room = (bits.padded(stones, STONES), bits.padded(owners, STONES, _NOBODY))
        return self._shared_out(self.pack([base]), key, games, *room, len(stones))

    @compiled("games")
    def _shared_out(self, base: Batch, key: Array, games: int, pool: Array, owners: Array, count: int) -> Batch:
        """The first so many stones of the pool added in a random order to fields, by number, racks and bag."""
        stones = bits.shuffled(key, games, pool, count)
        many: Batch = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (games,)), base)
        fields = bits.place(owners).where(owners < np.uint32(MOST_FIELDS))

        def added(whole: Word, each: Word) -> Word:
            return whole + each.sum(1, dtype=jnp.uint32)

        lit = [stones + ONE >> np.uint32(bit) & ONE for bit in range(3)]
        one, two, four = (
            Pair(added(plane.low, bit * fields.low), added(plane.high, bit * fields.high))
            for plane, bit in zip(many.piles, lit, strict=True)
        )
        on_rack, in_bag = (ONE << stones * np.uint32(width) for width in (3, 5))
        return many._replace(
            piles=(one, two, four),
            racks=tuple(
                added(rack, on_rack * (owners == np.uint32(MOST_FIELDS + seat))) for seat, rack in enumerate(many.racks)
            ),
            bag=added(many.bag, in_bag * (owners == np.uint32(_BAG))),
        )

    @compiled()
    def renew(self, batch: Batch, key: Array) -> Batch:
        luck = bits.stream(bits.seeds(key), bits.rows(batch))
        return either((batch.bag & OVER) != NONE, self._dealt(luck, jnp.zeros_like(batch.bag)), batch)

    @compiled("steps")
    def wander(self, batch: Batch, key: Array, steps: int) -> tuple[Batch, Array]:
        return self.wandered(batch, bits.stream(bits.seeds(key), bits.rows(batch)), steps, unroll=True)

    def wandered(
        self,
        batch: Batch,
        luck: Stream,
        steps: Array | int,
        unroll: bool = False,
        look: Callable[[int, Word], Word] | None = None,
    ) -> tuple[Batch, Word]:
        """Random play with that luck, element by element, as a kernel can do it too."""
        few, fields = self._fewest, twin_rules.fields_of(self.board, self.setup.first, look)
        every = np.uint32(few * _LUCK + DEAL * self.setup.players)

        def window(number: Array, some: Array | int, kept: tuple[Batch, Word]) -> tuple[Batch, Word]:
            return self._window(kept, luck, number.astype(jnp.uint32) * every, some, fields, unroll)

        return bits.in_windows(steps, few, window, (batch, jnp.zeros_like(batch.bag)))

    @property
    def _fewest(self) -> int:
        """Fewer choices than any game has: every grey field is laid on, or the bag is drawn empty; a chain ends."""
        return max(self.setup.players, min(self.board.grey.bit_count(), 50)) + 1

    def _window(
        self,
        kept: tuple[Batch, Word],
        luck: Stream,
        counter: Word,
        steps: Array | int,
        fields: twin_rules.Fields,
        unroll: bool,
    ) -> tuple[Batch, Word]:
        """Some steps of random play, so few that no game ends twice: one new deal for each game is enough."""
        new = self._dealt(luck, counter + np.uint32(self._fewest * _LUCK), unroll)

        def one(number: Array, kept: tuple[Batch, Word]) -> tuple[Batch, Word]:
            batch, finished = kept
            at = counter + number.astype(jnp.uint32) * np.uint32(_LUCK)
            chance, *draws = (luck(at + np.uint32(n)) for n in range(_LUCK))
            asked = (batch.bag >> DRAWING & np.uint32(3)) == NONE
            choice = twin_rules.any_choice(batch, chance, fields)
            batch = either(asked, twin_rules.played(batch, choice, fields), batch)
            batch = twin_rules.settled(batch, asked & choice.done, tuple(draws), fields)
            over = (batch.bag & OVER) != NONE
            return either(over, new, batch), finished + over.astype(jnp.uint32)

        after: tuple[Batch, Word] = lax.fori_loop(0, steps, one, kept)
        return after


@lru_cache(maxsize=64)
def _actions(board: Board) -> Sequence[Action]:
    """Field by field: one to five stones face up, each colour face down; then pass, the end of a chain, draws."""
    lays = [
        Lay(Field(field), stones)
        for field, colour in enumerate(board.colours)
        for stones in (*(LETTERS[colour] * n for n in range(1, 6)), *LETTERS.lower())
    ]
    return (*lays, PASS, END, *DRAWS)


TWIN = FastRondo
