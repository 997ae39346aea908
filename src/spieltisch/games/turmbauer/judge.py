"""Judges: who says whether a tower stands. The rules ask, and know nothing of forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from spieltisch.games.turmbauer.state import STANDS, Tower

Tilt: TypeAlias = tuple[str, str]  # the hand, and the side it trembles to or ''
Judge: TypeAlias = Callable[[Tower, Tilt], Sequence[int]]  # how many stones may fall: one answer, or several to believe

DEGREES: Final = {"calm": 0.0, "steady": 1.0, "shaky": 2.5}


def given(tower: Tower, _: Tilt) -> Sequence[int]:
    """Believes whatever a record says."""
    return range(STANDS, len(tower) + 1)


@lru_cache(maxsize=1 << 14)
def quick(tower: Tower, tilt: Tilt) -> Sequence[int]:
    """Asks whether forces along the weight alone can hold the tower, level and tilted."""
    from spieltisch.games.turmbauer.statics import falling  # noqa: PLC0415  (heavy, and replays need none)

    hand, side = tilt
    if not side:
        return (falling(tower, 0.0, ""),)
    level = quick(tower, (hand, ""))
    return level if level[0] != STANDS else (falling(tower, DEGREES[hand], side),)
