"""Judges decide whether a tower stands, so that the rules need no physics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TypeAlias

from spieltisch.core.game import MissingExtra
from spieltisch.games.turmbauer.phrases import say
from spieltisch.games.turmbauer.state import LEVEL, STANDS, Lean, Tower

Judge: TypeAlias = Callable[
    [Tower, Lean], Sequence[int]
]  # the possible numbers of fallen stones: one, or all that a replay accepts


def has_engine() -> bool:
    """Whether the rigid-body engine is installed, which simulates how many stones fall."""
    return find_spec("mujoco") is not None


def missing_solver() -> MissingExtra:
    """The refusal if the solver of the linear programmes is not installed."""
    return MissingExtra(say("no_solver", extra="spieltisch-core[statics]"))


def require_solver() -> None:
    """Raises MissingExtra if the solver is not installed; a game is refused at its start rather than at its first stone."""
    if find_spec("highspy") is None:
        raise missing_solver()


def accept_any_verdict(tower: Tower, _: Lean) -> Sequence[int]:
    """Accepts every verdict of a record."""
    return range(STANDS, len(tower) + 1)


def quick_judge(tower: Tower, lean: Lean) -> Sequence[int]:
    """Decides by the quick linear programme, level and tilted."""
    from spieltisch.games.turmbauer.physics.statics import quick_moving_stones  # noqa: PLC0415  (heavy, and replays need none)

    return (len(quick_moving_stones(tower, LEVEL) or quick_moving_stones(tower, lean)),)


def full_judge(tower: Tower, lean: Lean) -> Sequence[int]:
    """Decides by the full linear programme, level and tilted; if the tower falls, simulates how many stones do.

    Without the engine, or if the tower stands in the simulation, the stones that move in the programme count.
    """
    from spieltisch.games.turmbauer.physics import fall, statics  # noqa: PLC0415

    moving = statics.moving_stones(tower, LEVEL) or statics.moving_stones(tower, lean)
    if moving and has_engine():
        moving = fall.simulate(tower, lean).fallen or moving
    return (len(moving),)


def worker_judge(tower: Tower, lean: Lean) -> Sequence[int]:
    """The full judge for matches: in a worker process, unless the quick judge already sees that the tower stands."""
    from spieltisch.games.turmbauer.physics import worker  # noqa: PLC0415

    return (STANDS,) if quick_judge(tower, lean) == (STANDS,) else (worker.count_fallen(tower, lean),)
