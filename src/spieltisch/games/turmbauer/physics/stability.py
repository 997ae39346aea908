"""Stability of a tower: how far it can be tilted before it falls."""

from __future__ import annotations

from typing import Final, NamedTuple

from spieltisch.games.turmbauer.building.cells import COMPASS
from spieltisch.games.turmbauer.physics.statics import max_tilt, moving_stones
from spieltisch.games.turmbauer.state import HANDS, LEVEL, Tower

_FIRM: Final = max(HANDS.values())  # a tower that withstands even a shaky hand is firm


class Stability(NamedTuple):
    """The tilt that a tower withstands towards north, east, south and west, and the stones that move if it falls."""

    degrees: tuple[float, ...]  # below 0 if the tower falls even when level
    moving: frozenset[int]  # numbered from 1 in the order of building

    @property
    def word(self) -> str:
        """'falls', 'wobbles' or 'firm'."""
        if self.moving:
            return "falls"
        return "firm" if min(self.degrees) >= _FIRM else "wobbles"


def stability_of(tower: Tower) -> Stability:
    """The stability of a tower by the full linear programme."""
    moving = moving_stones(tower, LEVEL)
    return Stability((-1.0,) * 4 if moving else tuple(max_tilt(tower, side) for side in COMPASS), moving)
