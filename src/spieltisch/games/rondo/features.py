"""Features of Rondo: a seat's view as numbers for programs that learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from spieltisch.core.features import FeatureField, Features, Vector, share
from spieltisch.games.rondo.board import LETTERS, Board, board_of
from spieltisch.games.rondo.state import COLOURS, DEAL, FULL, MOST, counts
from spieltisch.games.rondo.view import View

EACH: Final = counts(FULL)[0]  # stones of each colour
STONES: Final = sum(counts(FULL))
OF_MOST: Final = share(MOST)
OF_EACH: Final = share(EACH)
OF_STONES: Final = share(STONES)
OF_DRAWS: Final = share(DEAL)
CAUSES: Final = ("grey", "bag")
_PILES: Final = np.arange(MOST + 1, dtype=np.float32) * np.float32(OF_MOST)
_AT_LEAST: Final = np.tri(MOST + 1, MOST, -1, dtype=np.float32)  # row n: n ones
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

    def define(self) -> Sequence[FeatureField]:
        self.board = board_of(self.setup.option("board"), self.setup.edition)
        self._of_points = of_points(self.board)
        players, fields, colours = self.setup.players, len(self.board.names), len(COLOURS)
        self._numbers = {name: number for number, name in enumerate(self.board.names)}
        self._seats = [[(viewer + n) % players for n in range(players)] for viewer in range(players)]
        return (
            FeatureField("face_up", (fields,), "stones face up on each field, divided by 5"),
            FeatureField("bridges", (fields, players), "owner of the stone face down on each field, one-hot"),
            FeatureField("hidden", (fields, colours), "colour of that stone if the viewer knows it, one-hot"),
            FeatureField("covered", (fields,), "1 if stones lie on the field"),
            FeatureField("open", (fields,), "1 if the field can be laid on now"),
            FeatureField("last", (fields,), "the field laid on last in this turn, one-hot"),
            FeatureField(
                "rack", (colours, MOST), "the viewer's rack: 1 for one, two … five stones of each colour or more"
            ),
            FeatureField("unseen", (colours,), "stones of each colour that the viewer does not know, divided by 24"),
            FeatureField("sizes", (players,), "stones on each rack, divided by 5"),
            FeatureField("scores", (players,), "points of each seat, as a share of the most points on this board"),
            FeatureField("gained", (1,), "points of this turn's chain so far, as the same share"),
            FeatureField("bag", (1,), "stones in the bag, divided by 120"),
            FeatureField("drawing", (1,), "stones still to be drawn in this turn, divided by 2"),
            FeatureField("cause", (len(CAUSES),), "what ends the game after this round, one-hot: grey fields, bag"),
            FeatureField("turn", (players,), "the seat to play, one-hot"),
            FeatureField("starter", (players,), "the seat that started, before which a round ends, one-hot"),
        )

    def write(self, view: View, vector: Vector) -> None:
        at, players, viewer = self.offsets, self.setup.players, view.viewer
        assert viewer is not None
        seats, numbers = self._seats[viewer], self._numbers
        covered, bridges, hidden = at["covered"], at["bridges"], at["hidden"]
        unseen = [EACH] * len(COLOURS)
        ones, fields, piles = [at["turn"] + seats.index(view.seat)], list[int](), list[int]()
        ones.append(at["starter"] + seats.index(view.setup.first))
        for number, (_, colour, _, _, face_up, owner, known) in enumerate(view.fields):
            if face_up:
                fields.append(number)
                piles.append(face_up)
                ones.append(covered + number)
                unseen[_INDEX[colour]] -= face_up
            elif owner is not None:
                ones += (covered + number, bridges + players * number + seats.index(owner))
                if known:
                    ones.append(hidden + len(COLOURS) * number + _INDEX[known])
                    unseen[_INDEX[known]] -= 1
        ones += [at["open"] + numbers[name] for name in view.open]
        if view.last:
            ones.append(at["last"] + numbers[view.last])
        if view.cause:
            ones.append(at["cause"] + CAUSES.index(view.cause))
        vector[ones] = 1.0
        if fields:
            vector[fields] = _PILES[piles]
        rack = view.racks[viewer].stones
        assert rack is not None
        vector[at["rack"] : at["unseen"]] = _AT_LEAST[[*rack]].reshape(-1)
        over = view.outcome is not None
        vector[at["unseen"] : at["cause"]] = [
            *(0 if over else (left - own) * OF_EACH for left, own in zip(unseen, rack, strict=True)),
            *(view.racks[seat].size * OF_MOST for seat in seats),
            *(view.scores[seat] * self._of_points for seat in seats),
            view.gained * self._of_points,
            view.bag.size * OF_STONES,
            view.drawing * OF_DRAWS,
        ]


FEATURES = RondoFeatures
