"""The value net of Big Points: inputs in which colours are exchangeable and discs that are gone leave no gap.

The rules depend only on the order of the discs that are left, and no colour differs from another but by its pawn. So the
track is compacted and counted from the staircase, and the five colours are sorted by how far their pawns are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np

from spieltisch.core.game import Setup
from spieltisch.core.net import Bilinear, Net, TrainingSetup
from spieltisch.games.bigpoints.features import DISCS, PLACES, STEPS, TAKES, TRACK, BigPointsFeatures
from spieltisch.games.bigpoints.state import BLACK, COLOURS, PAWNS, WHITE

_SEATS: Final = 5
_PAWNS, _COLOURS = len(PAWNS), len(COLOURS)
_AHEAD: Final = 10  # moves a pawn may need: one-hot
_AT_LEAST: Final = (1, 2, 3)  # discs of a colour in a hand
_FROM_HERE: Final = np.tril(np.ones((TRACK, TRACK), np.float32))  # sums over a place and all beyond it
_SLOTS: Final = np.arange(1, TRACK + 1, dtype=np.float32)  # of the compacted track: 1 is the disc before the staircase
_CODES: Final = np.arange(1, _COLOURS + 1, dtype=np.float32)[:, None]  # of the colours; 0 is no disc
_RANKS: Final = np.arange(_PAWNS)
_BEFORE: Final = np.tril(np.ones((_PAWNS, _PAWNS), bool), -1)  # [i, j]: j comes before i
_TAKES: Final = np.arange(TAKES)[:, None] * _COLOURS  # where each take is among those of a pawn
_HAND: Final = 4.0  # discs of a colour are divided by this
_POINTS: Final = 16.0


class BigPointsNet(Net):
    """1,045 inputs; the values of the hands' discs are computed by the net and multiplied with the hands."""

    version = "bigpoints-net-v1"
    seats = _SEATS
    size = 1045
    hidden = (448, 320, 320)
    bilinear = Bilinear(0, _SEATS, _COLOURS, 8)
    points = 32.0
    shared = True
    branching = 24
    mix = (TrainingSetup("2009", {"stairs": "proud"}, 3), TrainingSetup("2009", {"stairs": "humble"}))

    def variant(self, setup: Setup) -> str | None:
        return setup.option("stairs")  # concealed hands are remembered; the editions differ in their players only

    def inputs(self, xp: Any, setup: Setup, features: Any) -> Any:
        table, rows, players = _table(setup), features.shape[0], setup.players

        def field(name: str, *shape: int) -> Any:
            return features[:, table.slice(name)].reshape(rows, *shape)

        track, pawns = field("track", _COLOURS, TRACK), field("pawns", _PAWNS, PLACES)
        compact, beyond = _compact(xp, (track * _CODES).sum(1))
        started, climbed = pawns[:, :, 0], pawns[:, :, -1]
        place = (pawns[:, :, 1:-1] * beyond[:, None]).sum(2) + (TRACK + 1) * started
        own = (compact[:, None] == _CODES[:_PAWNS]) & (place[:, :, None] > _SLOTS)
        ahead, following = own.sum(2), (own * _SLOTS).max(2)
        steps = (field("steps", _PAWNS, STEPS) * np.arange(-STEPS, 0, dtype=np.float32)).sum(2)
        rank, pawn_order, order = _orders(xp, xp.where(climbed > 0, steps, (ahead * 64 + place) * 64 + following))
        discs = xp.take_along_axis(rank, compact.astype(xp.int32), 1)[:, None] == np.arange(_COLOURS)[:, None]
        takes = (pawn_order * TAKES * _COLOURS)[:, :, None, None] + _TAKES + order[:, None, None, :]
        takes = xp.take_along_axis(field("takes", _PAWNS * TAKES * _COLOURS), takes.reshape(rows, -1), 1)
        by_pawn = [started, climbed, field("values", _PAWNS), field("climbs", _PAWNS), place]
        by_pawn = xp.concatenate([xp.stack(by_pawn, 2), ahead[:, :, None] == np.arange(_AHEAD)], 2)
        by_pawn = xp.take_along_axis(by_pawn, pawn_order[:, :, None], 1)
        hands = xp.round(field("hands", players, _COLOURS) * np.array(DISCS, np.float32))
        hands = xp.take_along_axis(hands, order[:, None, :], 2)
        others = (hands > 0).sum(2) - (hands[:, :, WHITE] > 0)  # R16
        secured = (hands[:, :, :_PAWNS] * 4 * by_pawn[:, None, :, 2]).sum(2)
        seats = [
            hands / _HAND,
            *(hands >= number for number in _AT_LEAST),
            others[:, :, None] / 6.0,
            (others * hands[:, :, WHITE])[:, :, None] / _POINTS,
            secured[:, :, None] / _POINTS,
            field("turn", players, 1),
            xp.ones((rows, players, 1)),
        ]
        parts = [
            *(xp.pad(part, ((0, 0), (0, _SEATS - players), (0, 0))) for part in seats),
            discs,
            by_pawn[:, :, 4:5] == _SLOTS,
            takes,
            by_pawn[:, :, :4],
            by_pawn[:, :, 5:],
            xp.take_along_axis(field("left", _COLOURS), order, 1),
            field("handed_in", 1),
            field("extra", 1),
            xp.full((rows, 1), float(setup.option("stairs") == "humble")),
        ]
        return xp.concatenate([part.reshape(rows, -1).astype(features.dtype) for part in parts], 1)


def _compact(xp: Any, codes: Any) -> tuple[Any, Any]:
    """The discs that are left, without gaps from the staircase backwards, and per place the discs from there on."""
    beyond = (codes > 0).astype(codes.dtype) @ _FROM_HERE
    place = (beyond[:, :, None] >= _SLOTS).sum(1) - 1  # of each slot; -1 if there are fewer discs
    found = xp.take_along_axis(codes, xp.maximum(place, 0), 1)
    return xp.where(place >= 0, found, 0.0), beyond


def _orders(xp: Any, key: Any) -> tuple[Any, Any, Any]:
    """The rank of every code by ascending key of its pawn, and the pawns and the colours by rank."""
    one, other = key[:, :, None], key[:, None, :]
    rank = ((other < one) | ((other == one) & _BEFORE)).sum(2)
    pawns = ((rank[:, None, :] == _RANKS[:, None]) * _RANKS).sum(2)
    rest = xp.broadcast_to(np.array([WHITE, BLACK]), (key.shape[0], 2))
    nothing = xp.full((key.shape[0], 1), -1)
    return xp.concatenate([nothing, rank, rest], 1), pawns, xp.concatenate([pawns, rest], 1)


@lru_cache(maxsize=16)
def _table(setup: Setup) -> BigPointsFeatures:
    return BigPointsFeatures(setup)


NET = BigPointsNet()
