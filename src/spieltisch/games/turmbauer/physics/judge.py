"""Judges: who says whether a tower stands. The rules ask, and know nothing of forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TypeAlias

from spieltisch.games.turmbauer.state import LEVEL, STANDS, Lean, Tower

Judge: TypeAlias = Callable[[Tower, Lean], Sequence[int]]  # how many stones may fall: one answer, or several to believe


def engine_is_here() -> bool:
    """Whether the rigid-body engine is installed, which counts the stones that fall."""
    return find_spec("mujoco") is not None


def given(tower: Tower, _: Lean) -> Sequence[int]:
    """Believes whatever a record says."""
    return range(STANDS, len(tower) + 1)


def quick(tower: Tower, lean: Lean) -> Sequence[int]:
    """Asks whether forces along the weight alone can hold the tower, level and leaning."""
    from spieltisch.games.turmbauer.physics.statics import quick_moving  # noqa: PLC0415  (heavy, and replays need none)

    return (len(quick_moving(tower, LEVEL) or quick_moving(tower, lean)),)


def full(tower: Tower, lean: Lean) -> Sequence[int]:
    """Asks the full programme, level and leaning, and where the tower falls the rigid-body engine how many stones do.

    Where there is no engine, or it lets the tower stand, the stones count that the programme sees moving.
    """
    from spieltisch.games.turmbauer.physics import fall, statics  # noqa: PLC0415

    moving = statics.moving(tower, LEVEL) or statics.moving(tower, lean)
    if moving and engine_is_here():
        moving = fall.let_go(tower, lean).fallen or moving
    return (len(moving),)


def in_a_worker(tower: Tower, lean: Lean) -> Sequence[int]:
    """The full judge for matches: solid towers are seen at once, others are judged in a process of their own."""
    from spieltisch.games.turmbauer.physics import worker  # noqa: PLC0415

    return (STANDS,) if quick(tower, lean) == (STANDS,) else (worker.count_fallen(tower, lean),)
