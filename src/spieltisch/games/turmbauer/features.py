"""Features of Turmbauer: a seat's view as numbers for programs that learn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from spieltisch.core.features import FeatureField, Features, Vector, share
from spieltisch.games.turmbauer.building.action_ids import CELLS, HEIGHT, SOUTH, WEST, WIDTH
from spieltisch.games.turmbauer.building.cells import FOUNDATION, cell, is_coloured
from spieltisch.games.turmbauer.building.stones import stones_of
from spieltisch.games.turmbauer.state import COLOURS, RINGS, ROUNDS, TRIES, Phase
from spieltisch.games.turmbauer.view import Point, Stone, View, point

PAWN: Final = 1 + WIDTH + WIDTH + HEIGHT
PHASES: Final = (Phase.STONE, Phase.PLACE, Phase.MOVE)
_OF_COPIES: Final = share(2)
_OF_RINGS: Final = share(RINGS)
_OF_TRIES: Final = share(TRIES)
_OF_ROUNDS: Final = share(ROUNDS)
_OF_HEIGHT: Final = share(HEIGHT)


class TurmbauerFeatures(Features[View]):
    """All numbers lie between 0 and 1.

    Colours are counted from the viewer's first in the order of play, so that with two players the viewer has the first
    and the third. The building space has 12 × 12 columns, x and y from -5 to 6, and 32 floors; what lies beyond it is left
    out. Kinds of stones are in the order of their names.
    """

    version = "turmbauer-v1"

    def define(self) -> Sequence[FeatureField]:
        colours = len(COLOURS) if self.setup.players == 2 else self.setup.players
        self._kinds = [kind.name for kind in stones_of(self.setup.option("stones")).kinds]
        kinds = len(self._kinds)
        return (
            FeatureField("cubes", (1 + colours, HEIGHT, WIDTH, WIDTH), "cubes by floor, row (y) and column (x): those that every pawn may enter, then those of each colour"),
            FeatureField("pawns", (colours, PAWN), "place of each pawn: 1 on the table, or its cube's x, y and floor, each one-hot"),
            FeatureField("heights", (colours,), "height of each pawn, divided by 32"),
            FeatureField("stocks", (colours, kinds), "stones left of each kind, divided by 2"),
            FeatureField("boxes", (colours, kinds), "stones of each kind in the box, divided by 2"),
            FeatureField("rings", (colours,), "rings left, divided by 2"),
            FeatureField("dice", (2, 6), "the smaller and the larger die, one-hot"),
            FeatureField("chosen", (kinds,), "the kind of stone that is being built, one-hot"),
            FeatureField("ring", (1,), "1 if a ring was declared or spent in this turn"),
            FeatureField("tries", (1,), "places that failed in this turn, divided by 3"),
            FeatureField("round", (1,), "completed rounds, divided by 12"),
            FeatureField("phase", (len(PHASES),), "what is decided, one-hot: a stone, its place, the pawn's move"),
            FeatureField("turn", (colours,), "the colour to play, one-hot"),
        )  # fmt: skip

    def write(self, view: View, vector: Vector) -> None:
        at, colours, kinds, viewer = self.offsets, len(view.sides), len(self._kinds), view.viewer
        assert viewer is not None
        planes = {COLOURS[(viewer + number) % colours]: number for number in range(colours)}
        ones = list(_FOUNDATION)
        for stone in view.tower:
            neutral, coloured = _cells(stone)
            ones += neutral
            plane = CELLS * (1 + planes[stone.colour])
            ones += [plane + number for number in coloured]
        for side in view.sides:
            ones += [at["pawns"] + PAWN * planes[side.colour] + number for number in _pawn(side.pawn)]
        for die, number in enumerate(view.roll or ()):
            ones.append(at["dice"] + 6 * die + number - 1)
        if view.chosen:
            ones.append(at["chosen"] + self._kinds.index(view.chosen))
        if view.phase in PHASES:
            ones.append(at["phase"] + PHASES.index(view.phase))
        ones.append(at["turn"] + planes[view.colour])
        vector[ones] = 1.0
        sides = sorted(view.sides, key=lambda side: planes[side.colour])
        stones = [named.count(kind) for named in (*(side.stock for side in sides), *(side.box for side in sides)) for kind in self._kinds]  # fmt: skip
        vector[at["heights"] : at["stocks"]] = [min(side.height, HEIGHT) * _OF_HEIGHT for side in sides]
        vector[at["stocks"] : at["stocks"] + 2 * colours * kinds] = np.array(stones, np.float32) * np.float32(
            _OF_COPIES
        )
        vector[at["rings"] : at["dice"]] = [side.rings * _OF_RINGS for side in sides]
        vector[at["ring"] : at["phase"]] = [
            bool(view.ring),
            len(view.ruled_out) * _OF_TRIES,
            view.turn // colours * _OF_ROUNDS,
        ]


def _number(place: Point) -> int | None:
    """The number of a cell in a plane; None beyond the building space."""
    x, y, z = place.x - WEST, place.y - SOUTH, place.z
    return (z * WIDTH + y) * WIDTH + x if 0 <= x < WIDTH and 0 <= y < WIDTH and z < HEIGHT else None


@lru_cache(maxsize=1 << 14)
def _cells(stone: Stone) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of a stone's natural cubes, which every pawn may enter, and of its coloured ones."""
    numbered = [(number, is_coloured(cell(*place))) for place in stone.cells if (number := _number(place)) is not None]
    return tuple(n for n, colour in numbered if not colour), tuple(n for n, colour in numbered if colour)


def _pawn(place: Point | None) -> tuple[int, ...]:
    """The ones of a pawn in its field."""
    if place is None:
        return (0,)
    if _number(place) is None:
        return ()
    return 1 + place.x - WEST, 1 + WIDTH + place.y - SOUTH, 1 + 2 * WIDTH + place.z


_FOUNDATION: Final = tuple(number for place in FOUNDATION if (number := _number(point(place))) is not None)

FEATURES = TurmbauerFeatures
