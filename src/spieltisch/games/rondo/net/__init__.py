"""The value net of Rondo: inputs from the fields that are free and can be reached, the rack, and the points.

Both sides of the built-in board are one net: what depends on the colours and values that are printed on a side has
inputs of its own for each side.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spieltisch.core.game import Setup
from spieltisch.core.net import Lookahead, Net, TrainingSetup
from spieltisch.games.rondo.board import SIDES, board_of
from spieltisch.games.rondo.features import CAUSES, RondoFeatures, of_points
from spieltisch.games.rondo.state import COLOURS, MOST

_SEATS: Final = 4
_FIELDS: Final = len(board_of("", SIDES[0]).names)
_POINTS: Final = 32.0
_MOST_POINTS: Final = 25.0  # on one field
_LEADS: Final = (8.0, 32.0)  # scales on which leads are clipped


class _Table(NamedTuple):
    """What is printed on a side, and the features of a setup."""

    features: RondoFeatures
    links: NDArray[np.float32]  # per field its neighbours
    centre: NDArray[np.float32]  # the fields next to the centre
    grey: NDArray[np.float32]
    colours: NDArray[np.float32]  # per field its colour, one-hot
    values: NDArray[np.float32]
    points: float  # as a feature is multiplied with this


class RondoNet(Net):
    """556 inputs from what the seat that has chosen may know."""

    version = "rondo-net-v1"
    seats = _SEATS
    size = 556
    hidden = (512, 384, 384)
    points = 64.0
    trace = 0.7
    branching = 120
    lookahead = Lookahead(beam=16)  # a chain is judged at its end; beyond it lie draws and hidden racks
    mix = (TrainingSetup("blue", {}), TrainingSetup("red", {}))

    def variant(self, setup: Setup) -> str | None:
        return None if setup.option("board") else setup.edition

    def inputs(self, xp: Any, setup: Setup, features: Any) -> Any:
        table, rows, players = _table(setup), features.shape[0], setup.players

        def field(name: str, *shape: int) -> Any:
            return features[:, table.features.slice(name)].reshape(rows, *shape)

        covered = field("covered", _FIELDS)
        free = 1.0 - covered
        reach = ((covered @ table.links + table.centre) > 0) * free
        within = field("open", _FIELDS) * (field("last", _FIELDS).sum(1, keepdims=True) > 0)  # the chain goes on there
        rack = field("rack", len(COLOURS), MOST)
        held = rack.sum(2)
        brings = (held @ table.colours.T) * table.values / _MOST_POINTS
        scores = xp.round(field("scores", players) / table.points)
        leads = scores - scores[:, :1]
        sides = xp.concatenate([free, reach, within], 1)
        on_side = [sides if side == setup.edition else xp.zeros_like(sides) for side in SIDES]
        reachable = (reach * table.values) @ table.colours / _POINTS
        seats = [
            field("turn", players, 1),
            field("starter", players, 1),
            field("sizes", players, 1),
            scores[:, :, None] / _POINTS,
            *(xp.clip(leads / scale, -1.0, 1.0)[:, :, None] for scale in _LEADS),
            xp.ones((rows, players, 1)),
        ]
        parts = [
            *on_side,
            reach * brings,
            within * brings,
            rack,
            held / MOST,
            field("unseen", len(COLOURS)),
            reachable,
            *(xp.pad(part, ((0, 0), (0, _SEATS - players), (0, 0))) for part in seats),
            field("cause", len(CAUSES)),
            (free @ table.grey)[:, None] / max(1.0, float(table.grey.sum())),
            xp.round(field("gained", 1) / table.points) / _POINTS,
            field("bag", 1),
            field("drawing", 1),
            xp.where(field("last", _FIELDS).sum(1, keepdims=True) > 0, 1.0, 0.0),
            xp.full((rows, 1), float(setup.edition == SIDES[1])),
        ]
        return xp.concatenate([part.reshape(rows, -1).astype(features.dtype) for part in parts], 1)


@lru_cache(maxsize=16)
def _table(setup: Setup) -> _Table:
    board = board_of(setup.option("board"), setup.edition)
    fields = range(len(board.names))

    def plane(bits: int) -> NDArray[np.float32]:
        return np.array([bits >> field & 1 for field in fields], np.float32)

    return _Table(
        RondoFeatures(setup),
        np.stack([plane(links) for links in board.links]),
        plane(board.centre),
        plane(board.grey),
        np.eye(len(COLOURS), dtype=np.float32)[list(board.colours)],
        np.array(board.values, np.float32),
        of_points(board),
    )


NET = RondoNet()
