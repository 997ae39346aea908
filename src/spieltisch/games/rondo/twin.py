"""The twin of Rondo: its rules vectorized over a batch of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from spieltisch.core.game import Seat
from spieltisch.core.twin import Kind, Twin
from spieltisch.games.rondo import notation, twin_features, twin_rules
from spieltisch.games.rondo.board import Board, board_of
from spieltisch.games.rondo.state import (
    COLOURS,
    DEAL,
    Action,
    Bridge,
    FieldId,
    State,
    count,
)
from spieltisch.games.rondo.twin_rules import (
    CAUSE_SHIFT,
    DEALING_FLAG,
    GAINED_SHIFT,
    LAST_MASK,
    OVER_FLAG,
    SCORE_SHIFT,
    Batch,
    BoardTables,
    Choice,
)
from spieltisch.games.rondo.view import View, imagine, unseen
from spieltisch.twins.arrays import (
    batch_stream,
    broadcast_rows,
    chunked_loop,
    columns,
    jit_method,
    pad,
    tree_where,
)
from spieltisch.twins.bits import ONE, ZERO, Bitset, Word, barrier, pack_bits, singleton, unpack_bits, unpack_words
from spieltisch.twins.prng import RandomStream, random_stream, seeds_of, shuffle_per_game

MOST_FIELDS: Final = 64
STONES: Final = 120
_CAUSES: Final = ("", "grey", "bag")
_BAG, _NOBODY = 100, 255  # owners of a stone, besides fields (from 0) and seats (from MOST_FIELDS)
_WORDS_PER_STEP: Final = 1 + twin_rules.MAX_DRAWS  # random words: a choice and its draws


@dataclass(frozen=True)
class RondoTwin(Twin[State, Action, View, Batch]):
    """Twin for one setup, on a board of at most 64 fields."""

    def __post_init__(self) -> None:
        if len(self.board.names) > MOST_FIELDS:
            raise ValueError(f"a twin has room for {MOST_FIELDS} fields")

    @property
    def board(self) -> Board:
        return board_of(self.setup.option("board"), self.setup.edition)

    @property
    def _board_tables(self) -> BoardTables:
        return twin_rules.board_tables(self.board, self.setup.first)

    @property
    def actions(self) -> Sequence[Action]:
        return notation.ids(self.board).actions

    @property
    def outcomes(self) -> range:
        return range(self._lays + 2, self._lays + 2 + len(COLOURS))

    @property
    def _lays(self) -> int:
        return 10 * len(self.board.names)

    def pack(self, states: Sequence[State]) -> Batch:
        leaves = columns(states, self._encode)
        one, two, four, bridges, lower, upper, adjacent = (Bitset(*leaves[n : n + 2]) for n in range(0, 14, 2))
        return Batch((one, two, four), bridges, (lower, upper), adjacent, leaves[14], leaves[15], tuple(leaves[16:]))

    def _encode(self, state: State) -> tuple[int, ...]:
        """A state as 32-bit words: seven bitsets of two words each, the bag, the turn, the racks."""
        if state.setup != self.setup:
            raise ValueError("a state of another setup")
        codes, bridges, owner = list(state.piles), 0, [0, 0]
        for field, colour, seat in state.bridges:
            codes[field] = colour + 1
            bridges |= 1 << field
            owner = [plane | (seat >> bit & 1) << field for bit, plane in enumerate(owner)]
        planes = [sum((code >> bit & 1) << field for field, code in enumerate(codes)) for bit in range(3)]
        sets = (*planes, bridges, *owner, state.adjacent)
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
        return [self._decode(row[:7], row[7], row[8], row[9:]) for row in zip(*sets, *rest, strict=True)]

    def _decode(self, sets: tuple[int, ...], bag: int, turn: int, racks: tuple[int, ...]) -> State:
        one, two, four, bridges, lower, upper, adjacent = sets
        fields = range(len(self.board.names))
        codes = [(one >> n & 1) | (two >> n & 1) << 1 | (four >> n & 1) << 2 for n in fields]
        return State(
            setup=self.setup,
            board=self.board,
            seat=Seat(turn >> 7 & 3),
            dealing=bool(bag >> 27 & 1),
            drawing=bag >> 25 & 3,
            last=FieldId((turn & 127) - 1),
            gained=turn >> 16,
            covered=one | two | four,
            adjacent=adjacent,
            piles=bytes(0 if bridges >> n & 1 else codes[n] for n in fields),
            bridges=tuple(
                Bridge(FieldId(n), codes[n] - 1, Seat((lower >> n & 1) | (upper >> n & 1) << 1))
                for n in fields
                if bridges >> n & 1
            ),
            racks=tuple(sum((rack >> 3 * colour & 7) << 5 * colour for colour in COLOURS) for rack in racks),
            bag=bag & (1 << 25) - 1,
            scores=tuple(rack >> 15 for rack in racks),
            cause=_CAUSES[bag >> 28 & 3],
            over=bool(bag >> 30 & 1),
        )

    def asarray(self, numbers: Sequence[int]) -> Array:
        return jnp.asarray(numbers, jnp.int32)

    @jit_method("games")
    def init(self, key: Array, games: int) -> Batch:
        random = random_stream(seeds_of(key), jnp.arange(games, dtype=jnp.uint32))
        return self._new_games(random, jnp.zeros(games, jnp.uint32))

    def _new_games(self, random: RandomStream, counter: Word, unroll: bool = True) -> Batch:
        setup = self.setup
        undealt = twin_rules.undealt_games(self.board, setup.first, setup.players, random.start & ZERO)
        return twin_rules.deal(undealt, random, counter, setup.first, unroll)

    @property
    def lookup_tables(self) -> tuple[np.ndarray[Any, Any], ...]:
        """The tables that a kernel needs."""
        return twin_rules.lookup_tables(self.board)

    @jit_method()
    def kind(self, batch: Batch) -> Array:
        pending = jnp.where(twin_rules.draws_pending(batch) > ZERO, np.uint8(Kind.CHANCE), np.uint8(Kind.DECISION))
        return jnp.where(_is_over(batch), np.uint8(Kind.OVER), pending)

    @jit_method()
    def seat(self, batch: Batch) -> Array:
        return twin_rules.seat_to_play(batch).astype(jnp.int32)

    @jit_method()
    def legal(self, batch: Batch) -> Array:
        return unpack_words(self.legal_words(batch), len(self.actions))

    @jit_method()
    def legal_words(self, batch: Batch) -> list[Word]:
        open_, rack = twin_rules.open_fields(batch, self._board_tables), twin_rules.rack_to_play(batch)
        held = twin_rules.unpack_rack(rack)
        deciding = self.kind(batch) == Kind.DECISION
        open_ = open_.where(deciding)
        (bridges,) = pack_bits([((number > ZERO).astype(jnp.uint32), 1) for number in held])
        lays = [(ONE << number) - ONE | bridges << np.uint32(5) for number in held]  # by colour: face up, then bridges
        open_, lays = barrier((open_, lays))
        in_chain, may_stop = (batch.turn & LAST_MASK) != ZERO, twin_rules.may_stop(batch, open_, rack) & deciding
        outcomes = self.weights(batch) > 0
        parts: list[tuple[Word, int]] = [
            (jnp.where(open_.has(field), lays[colour], ZERO), 10) for field, colour in enumerate(self.board.colours)
        ]
        parts += [((may_stop & ~in_chain).astype(jnp.uint32), 1), ((may_stop & in_chain).astype(jnp.uint32), 1)]
        parts += [(outcomes[:, number].astype(jnp.uint32), 1) for number in range(len(self.outcomes))]
        return pack_bits(parts)

    def _unpack_fields(self, fields: Bitset) -> Array:
        """Which fields are in the set: bool[games, fields]."""
        return jnp.concatenate([unpack_bits(half, 0, 32) for half in fields], 1)[:, : len(self.board.names)]

    @jit_method()
    def weights(self, batch: Batch) -> Array:
        left = jnp.stack(twin_rules.unpack_bag(batch.bag), 1)
        return jnp.where((twin_rules.draws_pending(batch) > ZERO)[:, None], left, ZERO).astype(jnp.int32)

    @jit_method()
    def step(self, batch: Batch, ids: Array) -> Batch:
        first = self.outcomes.start
        is_draw = ids >= first
        drawn = self.draw(batch, jnp.where(is_draw, ids - first, 0))
        return tree_where(is_draw, drawn, self.choose(batch, ids))

    @jit_method()
    def choose(self, batch: Batch, ids: Array) -> Batch:
        number, board = ids.astype(jnp.uint32), self._board_tables
        is_lay = number < np.uint32(self._lays)
        field = jnp.where(is_lay, number // np.uint32(10), ZERO)
        variant = number - field * np.uint32(10)
        bridge = variant >= np.uint32(5)
        colour, _ = board.colour_and_value(field)
        choice = Choice(
            field=field,
            stones=jnp.where(bridge, ONE, variant + ONE),
            colour=jnp.where(bridge, variant - np.uint32(5), colour),
            bridge=bridge,
            stops=~is_lay,
        )
        chosen = twin_rules.apply_choice(batch, choice, board)
        turn_over = (twin_rules.draws_pending(chosen) == ZERO) & ~is_lay
        return tree_where(turn_over, twin_rules.next_turn(chosen, board), chosen)

    @jit_method()
    def draw(self, batch: Batch, numbers: Array) -> Batch:
        drawn = twin_rules.draw_stone(batch, numbers.astype(jnp.uint32))
        turn_over = twin_rules.draws_pending(drawn) == ZERO
        drawn = tree_where(turn_over, twin_rules.next_turn(drawn, self._board_tables), drawn)
        return tree_where(twin_rules.draws_pending(batch) > ZERO, drawn, batch)

    @jit_method()
    def scores(self, batch: Batch) -> Array:
        return (jnp.stack(batch.racks, 1) >> SCORE_SHIFT).astype(jnp.int32)

    @jit_method()
    def ranks(self, batch: Batch) -> Array:
        sizes = jnp.stack([twin_rules.total(twin_rules.unpack_rack(rack)) for rack in batch.racks], 1)
        keys = self.scores(batch) * 8 + sizes.astype(jnp.int32)
        return 1 + (keys[:, :, None] < keys[:, None, :]).sum(2, dtype=jnp.int32)  # R12

    @jit_method()
    def observe(self, batch: Batch, viewers: Array) -> Mapping[str, Array]:
        """Fields, known racks, scores, the bag and the turn so far.

        `bridges` holds the owner of a bridge, counted from 1 for the viewer; `colours` its colour, counted from 1, or 0
        if it is unknown. The stones of a concealed rack are -1. The field laid on last counts from 1.
        """
        players, over = self.setup.players, _is_over(batch)
        one, two, four, bridges, lower, upper = (
            self._unpack_fields(plane).astype(jnp.int8) for plane in (*batch.piles, batch.bridges, *batch.owner)
        )
        codes, owner = one + 2 * two + 4 * four, (lower + 2 * upper - viewers[:, None].astype(jnp.int8)) % players
        seats = (viewers[:, None] + jnp.arange(players)) % players
        racks = jnp.stack([jnp.stack(twin_rules.unpack_rack(rack), 1) for rack in batch.racks], 1).astype(jnp.int8)
        racks = jnp.take_along_axis(racks, seats[:, :, None], 1)
        known = over[:, None] | (jnp.arange(players) == 0)  # R3
        deciding = (self.kind(batch) == Kind.DECISION)[:, None]
        return {
            "face_up": codes * (1 - bridges),
            "bridges": bridges * (owner + 1),
            "colours": codes * bridges * (over[:, None] | (owner == 0)),  # R10
            "open": self._unpack_fields(twin_rules.open_fields(batch, self._board_tables)) & deciding,
            "racks": jnp.where(known[:, :, None], racks, jnp.int8(-1)),
            "sizes": racks.sum(2, dtype=jnp.int8),
            "scores": jnp.take_along_axis(self.scores(batch), seats, 1),
            "bag": twin_rules.total(twin_rules.unpack_bag(batch.bag)).astype(jnp.int8),
            "drawing": twin_rules.draws_pending(batch).astype(jnp.int8),
            "last": (batch.turn & LAST_MASK).astype(jnp.int8),
            "gained": (batch.turn >> GAINED_SHIFT).astype(jnp.int32),
            "cause": (batch.bag >> CAUSE_SHIFT & np.uint32(3)).astype(jnp.int8),
            "dealing": (batch.bag & DEALING_FLAG) != ZERO,
            "seat": ((self.seat(batch) - viewers) % players).astype(jnp.int8),
            "kind": self.kind(batch),
        }

    @jit_method()
    def features(self, batch: Batch, viewers: Array) -> Array:
        return twin_features.features(self.setup, batch, viewers)

    def resample(self, view: View, key: Array, games: int) -> Batch:
        """Deals the unseen stones at random to bridges, racks and the bag."""
        state, stones = imagine(view, Random(0)), unseen(view)
        hidden = [n for n, field in enumerate(view.fields) if field.bridge is not None and not field.hidden]
        piles = {MOST_FIELDS + seat: rack for seat, rack in enumerate(view.racks)} | {_BAG: view.bag}
        owners = [*hidden, *(owner for owner, pile in piles.items() if pile.stones is None for _ in range(pile.size))]
        known = state._replace(
            bridges=tuple(bridge._replace(colour=-1) if bridge.field in hidden else bridge for bridge in state.bridges),
            racks=tuple(0 if seen.stones is None else rack for seen, rack in zip(view.racks, state.racks, strict=True)),
            bag=0 if view.bag.stones is None else state.bag,
        )
        padded = (pad(stones, STONES), pad(owners, STONES, _NOBODY))
        return self._deal_pool(self.pack([known]), key, games, *padded, len(stones))

    @jit_method("games")
    def _deal_pool(self, known: Batch, key: Array, games: int, pool: Array, owners: Array, count: int) -> Batch:
        """Copies of a game with the first `count` stones of the pool dealt in random order to their owners."""
        stones = shuffle_per_game(key, games, pool, count)
        batch = broadcast_rows(known, games)
        fields = singleton(owners).where(owners < np.uint32(MOST_FIELDS))

        def add(word: Word, stones: Word) -> Word:
            return word + stones.sum(1, dtype=jnp.uint32)

        code_bits = [stones + ONE >> np.uint32(bit) & ONE for bit in range(3)]
        one, two, four = (
            Bitset(add(plane.low, bit * fields.low), add(plane.high, bit * fields.high))
            for plane, bit in zip(batch.piles, code_bits, strict=True)
        )
        on_rack, in_bag = (ONE << stones * np.uint32(width) for width in (3, 5))
        return batch._replace(
            piles=(one, two, four),
            racks=tuple(
                add(rack, on_rack * (owners == np.uint32(MOST_FIELDS + seat))) for seat, rack in enumerate(batch.racks)
            ),
            bag=add(batch.bag, in_bag * (owners == np.uint32(_BAG))),
        )

    @jit_method()
    def auto_reset(self, batch: Batch, key: Array) -> Batch:
        new = self._new_games(batch_stream(key, batch), jnp.zeros_like(batch.bag))
        return tree_where(_is_over(batch), new, batch)

    @jit_method("steps")
    def rollout(self, batch: Batch, key: Array, steps: int) -> tuple[Batch, Array]:
        return self.elementwise_rollout(batch, batch_stream(key, batch), steps, unroll=True)

    def elementwise_rollout(
        self,
        batch: Batch,
        random: RandomStream,
        steps: Array | int,
        unroll: bool = False,
        gather: Callable[[int, Word], Word] | None = None,
    ) -> tuple[Batch, Word]:
        """The rollout in element-wise operations and `gather` only, which also run inside a kernel."""
        size, board = self._min_choices, twin_rules.board_tables(self.board, self.setup.first, gather)
        words_per_chunk = np.uint32(size * _WORDS_PER_STEP + DEAL * self.setup.players)

        def chunk(number: Array, some: Array | int, carry: tuple[Batch, Word]) -> tuple[Batch, Word]:
            counter = number.astype(jnp.uint32) * words_per_chunk
            return self._rollout_chunk(carry, random, counter, some, board, unroll)

        return chunked_loop(steps, size, chunk, (batch, jnp.zeros_like(batch.bag)))

    @property
    def _min_choices(self) -> int:
        """A lower bound on the choices in a game: every grey field is covered or the bag is emptied, and a chain ends."""
        return max(self.setup.players, min(self.board.grey.bit_count(), 50)) + 1

    def _rollout_chunk(
        self,
        carry: tuple[Batch, Word],
        random: RandomStream,
        counter: Word,
        steps: Array | int,
        board: BoardTables,
        unroll: bool,
    ) -> tuple[Batch, Word]:
        """So few random steps that no game ends twice, so that one new deal per game is enough."""
        new = self._new_games(random, counter + np.uint32(self._min_choices * _WORDS_PER_STEP), unroll)

        def step(number: Array, carry: tuple[Batch, Word]) -> tuple[Batch, Word]:
            batch, finished = carry
            first_word = counter + number.astype(jnp.uint32) * np.uint32(_WORDS_PER_STEP)
            choosing, *drawing = (random(first_word + np.uint32(n)) for n in range(_WORDS_PER_STEP))
            deciding = twin_rules.draws_pending(batch) == ZERO
            choice = twin_rules.random_choice(batch, choosing, board)
            batch = tree_where(deciding, twin_rules.apply_choice(batch, choice, board), batch)
            batch = twin_rules.resolve_draws(batch, deciding & choice.stops, tuple(drawing), board)
            over = _is_over(batch)
            return tree_where(over, new, batch), finished + over.astype(jnp.uint32)

        after: tuple[Batch, Word] = lax.fori_loop(0, steps, step, carry)
        return after


def _is_over(batch: Batch) -> Array:
    return (batch.bag & OVER_FLAG) != ZERO


TWIN = RondoTwin
