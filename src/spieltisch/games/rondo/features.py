"""Features of Rondo: a seat's view as numbers for programs that learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from spieltisch.core.features import FeatureField, Features, Vector, share
from spieltisch.core.game import Setup
from spieltisch.games.rondo import rules
from spieltisch.games.rondo.board import LETTERS, Board, board_of
from spieltisch.games.rondo.state import COLOURS, DEAL, FULL, MOST, NOWHERE, State, counts, total
from spieltisch.games.rondo.view import View

EACH: Final = counts(FULL)[0]  # stones of each colour
STONES: Final = sum(counts(FULL))
OF_MOST: Final = share(MOST)
OF_EACH: Final = share(EACH)
OF_STONES: Final = share(STONES)
OF_DRAWS: Final = share(DEAL)
CAUSES: Final = ("grey", "bag")
_LEVELS: Final = np.arange(MOST, dtype=np.uint8)[:, None]
_AT_LEAST: Final = tuple(tuple(float(n > level) for level in range(MOST)) for n in range(MOST + 1))
UNKNOWN: Final = -1  # the colour of a bridge
_INDEX: Final = {letter: colour for colour, letter in enumerate(LETTERS)}


def of_points(board: Board) -> float:
    """The share of a point in the most that stones can bring: if every colour lies on the fields that are worth most."""
    points = 0
    for colour in COLOURS:
        values = sorted(
            (value for field, value in enumerate(board.values) if board.colours[field] == colour), reverse=True
        )
        stones = EACH
        for value in values:
            points += value * min(stones, MOST)
            stones -= min(stones, MOST)
    return share(max(1, points))


class RondoFeatures(Features[View]):
    """All numbers lie between 0 and 1. Seats are counted from the viewer, colours are P B Y G R, fields as on the board."""

    version = "rondo-v1"
    reads_states = True

    def define(self) -> Sequence[FeatureField]:
        self.board = board_of(self.setup.option("board"), self.setup.edition)
        self._of_points = of_points(self.board)
        players, fields, colours = self.setup.players, len(self.board.names), len(COLOURS)
        return (
            FeatureField("face_up", (MOST, fields), "stones face up on each field: 1 for one, two … five or more"),
            FeatureField("bridges", (players, fields), "stones face down: per owner 1 where one of it lies"),
            FeatureField(
                "hidden",
                (colours, fields),
                "stones face down whose colour the viewer knows: per colour 1 where one lies",
            ),
            FeatureField("covered", (fields,), "1 if stones lie on the field"),
            FeatureField("open", (fields,), "1 if the field can be laid on now"),
            FeatureField("last", (fields,), "the field laid on last in this turn, one-hot"),
            FeatureField(
                "rack", (colours, MOST), "the viewer's rack: 1 for one, two … five stones of each colour or more"
            ),
            FeatureField("cause", (len(CAUSES),), "what ends the game after this round, one-hot: grey fields, bag"),
            FeatureField("turn", (players,), "the seat to play, one-hot"),
            FeatureField("starter", (players,), "the seat that started, before which a round ends, one-hot"),
            FeatureField("unseen", (colours,), "stones of each colour that the viewer does not know, divided by 24"),
            FeatureField("sizes", (players,), "stones on each rack, divided by 5"),
            FeatureField("scores", (players,), "points of each seat, as a share of the most points on this board"),
            FeatureField("gained", (1,), "points of this turn's chain so far, as the same share"),
            FeatureField("bag", (1,), "stones in the bag, divided by 120"),
            FeatureField("drawing", (1,), "stones still to be drawn in this turn, divided by 2"),
        )

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._numbers = {name: number for number, name in enumerate(self.board.names)}
        self._printed = np.array(self.board.colours, np.intp)
        self._seats = [[(viewer + n) % setup.players for n in range(setup.players)] for viewer in range(setup.players)]
        self._hidden, players = self.offsets["hidden"], range(setup.players)
        self._owned = [
            [self.offsets["bridges"] + (owner - viewer) % setup.players * len(self.board.names) for owner in players]
            for viewer in players
        ]
        self._covered, self._open = self.offsets["covered"], self.offsets["open"]
        self._last, self._rack = self.offsets["last"], self.offsets["rack"]

    def write(self, view: View, vector: Vector) -> None:
        viewer, numbers = view.viewer, self._numbers
        assert viewer is not None
        held = view.racks[viewer].stones
        assert held is not None
        piles = bytes([field.face_up for field in view.fields])
        bridges = [
            (number, _INDEX[field.hidden] if field.hidden else UNKNOWN, field.bridge)
            for number, field in enumerate(view.fields)
            if field.bridge is not None
        ]
        ones = [self._covered + number for number, stones in enumerate(piles) if stones]
        ones += [self._covered + number for number, _, _ in bridges]
        ones += [self._open + numbers[name] for name in view.open]
        if view.last:
            ones.append(self._last + numbers[view.last])
        vector[ones] = 1.0
        sizes = [rack.size for rack in view.racks]
        turn = (view.scores, view.gained, view.bag.size, view.drawing, view.cause, view.seat, view.setup.first)
        self._write(viewer, piles, bridges, held, sizes, *turn, view.outcome is not None, vector)

    def write_state(self, state: State, viewer: int, vector: Vector) -> None:
        over, covered, fields = state.over, self._covered, len(state.piles)
        vector[covered : covered + fields] = _bits(state.covered, fields)
        if not (state.drawing or over):
            vector[self._open : self._open + fields] = _bits(rules.open_fields(state), fields)
        if state.last != NOWHERE:
            vector[self._last + state.last] = 1.0
        sizes, bag = [*map(total, state.racks)], total(state.bag)
        turn = (state.scores, state.gained, bag, state.drawing, state.cause, state.seat, state.setup.first)
        self._write(viewer, state.piles, state.bridges, counts(state.racks[viewer]), sizes, *turn, over, vector)

    def _write(
        self,
        viewer: int,
        piles: bytes,
        bridges: Sequence[tuple[int, int, int]],
        held: Sequence[int],
        sizes: Sequence[int],
        scores: Sequence[int],
        gained: int,
        bag: int,
        drawing: int,
        cause: str,
        turn: int,
        first: int,
        over: bool,
        vector: Vector,
    ) -> None:
        points, seats, fields = self._of_points, self._seats[viewer], len(piles)
        numbers = np.frombuffer(piles, np.uint8)
        vector[: MOST * fields].reshape(MOST, fields)[:] = numbers > _LEVELS
        known = np.bincount(self._printed, numbers, len(COLOURS)).tolist()  # stones of each colour
        ones, owned, hidden = list[int](), self._owned[viewer], self._hidden
        for field, colour, owner in bridges:
            ones.append(owned[owner] + field)
            if owner == viewer or over:  # R10
                ones.append(hidden + fields * colour + field)
                known[colour] += 1
        vector[ones] = 1.0
        tail = [step for n in held for step in _AT_LEAST[n]]
        tail += (cause == "grey", cause == "bag")
        tail += [seat == turn for seat in seats]
        tail += [seat == first for seat in seats]
        tail += [0 if over else (EACH - seen - own) * OF_EACH for seen, own in zip(known, held, strict=True)]
        tail += [sizes[seat] * OF_MOST for seat in seats]
        tail += [scores[seat] * points for seat in seats]
        tail += (gained * points, bag * OF_STONES, drawing * OF_DRAWS)
        vector[self._rack :] = tail


def _bits(fields: int, count: int) -> Vector:
    """The fields of a bitset, as ones."""
    octets = fields.to_bytes((count + 7) // 8, "little")
    return np.unpackbits(np.frombuffer(octets, np.uint8), count=count, bitorder="little")  # type: ignore[return-value]


FEATURES = RondoFeatures
