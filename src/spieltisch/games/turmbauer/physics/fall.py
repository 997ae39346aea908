"""How does it fall? The tower in a rigid-body engine, let go once and watched until all is at rest.

The engine is MuJoCo, an extra (`spieltisch[physics]`). Cubes are a metre wide, so that a unit is a cell; gravity leans
with the load. The motion is kept as numbers of two bytes, thirty poses a second, of the stones that move.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import ceil
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from spieltisch.games.turmbauer.building.cells import FOUNDATION, Cell, cell, x_of, y_of, z_of
from spieltisch.games.turmbauer.physics.statics import FRICTION, INSET, slope
from spieltisch.games.turmbauer.state import Cells, Lean, Tower

SECONDS: Final = 3.4
PATIENTLY: Final = 8.0  # seconds for somebody who looks on
RATE: Final = 30  # poses a second
_GRAVITY: Final = 9.81
_CLEARANCE: Final = 0.01  # between stones side by side, so that none is squeezed in
_FAR: Final = 0.5  # a stone that moved farther has fallen
_STILL: Final = 0.05  # slower than this, in metres or radians a second, is at rest
_PATIENCE: Final = 0.3  # for how many seconds all must be at rest after a fall
_HESITATION: Final = 1.0  # and before one: what begins to tip is slow at first
_GRID: Final = 250  # positions are kept in 1/250 of a cell, quaternions in 1/32767
_HEAD: Final = struct.Struct("<4sHHH")
_MARK: Final = b"fall"


class Care(NamedTuple):
    """How exactly the engine reckons."""

    step: float = 0.002  # seconds
    stiff: float = 0.005  # the seconds in which contacts give way: tall towers sag with their square
    tolerance: float = 1e-4
    iterations: int = 12


_EXACTLY: Final = Care(step=0.001, stiff=0.002, tolerance=1e-8, iterations=100)  # soft contacts let tall towers lean
_HARDLY: Final = 0.001  # the clearance there
_SMOOTH: Final = 'mass="0" friction="0 0 0" priority="1"'
EASING: Final = 0.3  # seconds in which the weight comes on: a stone is put down, not dropped


class Fall(NamedTuple):
    """What happened: which stones fell, by number from 1 (the foundation never counts), and the motion."""

    fallen: frozenset[int]
    farthest: float  # how far, in cubes, the stone went that went farthest
    seconds: float
    motion: bytes


class Pose(NamedTuple):
    """Where a stone is: its middle, and how it is turned, as a quaternion (w, x, y, z)."""

    middle: tuple[float, float, float]
    turn: tuple[float, float, float, float]


def boxes(cells: Cells) -> Iterator[tuple[Cell, tuple[int, int, int]]]:
    """The cells as few boxes: for each its lowest corner and how many cells it is long, wide and high."""
    left = set(cells)
    while left:
        corner = min(left)
        size = (1, 1, 1)
        while grown := next((more for more in _grown(size) if left.issuperset(_filled(corner, more))), None):
            size = grown
        left.difference_update(_filled(corner, size))
        yield corner, size


def _grown(size: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    long, wide, high = size
    yield long + 1, wide, high
    yield long, wide + 1, high
    yield long, wide, high + 1


def _filled(corner: Cell, size: tuple[int, int, int]) -> list[Cell]:
    x, y, z = x_of(corner), y_of(corner), z_of(corner)
    long, wide, high = map(range, size)
    return [cell(x + a, y + b, z + c) for a in long for b in wide for c in high]


def _middle(cells: Cells) -> tuple[float, float, float]:
    n = len(cells)
    return sum(map(x_of, cells)) / n, sum(map(y_of, cells)) / n, sum(map(z_of, cells)) / n + 0.5


def scene(tower: Tower, lean: Lean) -> str:
    """The tower in the engine's own language: stones as boxes, a little apart at the sides."""
    bodies: list[str] = []
    for cells in (FOUNDATION, *(stone.cells for stone in tower)):
        shapes = [
            f'<geom type="box" pos="{place}" size="{(size[0] - _CLEARANCE) / 2} {(size[1] - _CLEARANCE) / 2} {size[2] / 2}"/>'
            for place, size in shapes_of(cells)
        ]
        bodies.append(body(cells, shapes))
    return world(bodies, lean)


def shapes_of(cells: Cells) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """The boxes of a stone: where each lies from the stone's middle, and its size in cells."""
    middle = _middle(cells)
    for corner, size in boxes(cells):
        low = (x_of(corner), y_of(corner), z_of(corner) + 0.5)
        yield " ".join(f"{at + (n - 1) / 2 - own:.9g}" for at, n, own in zip(low, size, middle, strict=True)), size


def body(cells: Cells, shapes: Sequence[str]) -> str:
    """A stone that can move freely."""
    return f'<body pos="{" ".join(f"{n:.9g}" for n in _middle(cells))}"><freejoint/>{"".join(shapes)}</body>'


def world(bodies: Sequence[str], lean: Lean, care: Care = Care()) -> str:  # noqa: B008 - a plain value
    """The stones on the table, under a weight that leans."""
    east, north = slope(lean)
    return (
        f'<mujoco><option timestep="{care.step}" cone="elliptic" impratio="10" tolerance="{care.tolerance}" '
        f'iterations="{care.iterations}" ls_iterations="10" gravity="{_GRAVITY * east:.9g} {_GRAVITY * north:.9g} {-_GRAVITY}">'
        '<flag island="disable"/></option>'  # a tower is one island
        f'<default><geom friction="{FRICTION} 0.005 0.0001" solref="{care.stiff} 1" solimp="0.99 0.999 0.001"/></default>'
        f'<worldbody><geom type="plane" size="200 200 1" priority="2"/>{"".join(bodies)}</worldbody></mujoco>'
    )


def rounded(tower: Tower, lean: Lean) -> str:
    """The tower for the engine as the programme sees it: edges rounded, sides that only push, and hardly any clearance.

    Every box is three, one for each pair of opposite faces.
    """
    bodies = []
    for cells in (FOUNDATION, *(stone.cells for stone in tower)):
        shapes = []
        for place, size in shapes_of(cells):
            for axis in range(3):
                less = [2 * INSET] * 3
                less[axis] = 0.0 if axis == 2 else _HARDLY
                half = " ".join(f"{(n - gap) / 2:.9g}" for n, gap in zip(size, less, strict=True))
                weight = f'mass="{size[0] * size[1] * size[2]}"' if axis == 2 else _SMOOTH
                shapes.append(f'<geom type="box" pos="{place}" size="{half}" {weight}/>')
        bodies.append(body(cells, shapes))
    return world(bodies, lean, _EXACTLY)


@lru_cache(maxsize=256)
def let_go(tower: Tower, lean: Lean) -> Fall:
    """Lets the tower go; the same tower falls the same way on the same machine."""
    return watch(scene(tower, lean))


@lru_cache(maxsize=64)
def see(tower: Tower, lean: Lean) -> Fall:
    """The same fall, seen to its end."""
    fell = let_go(tower, lean)
    return fell if fell.seconds < SECONDS else watch(scene(tower, lean), seconds=PATIENTLY)


@lru_cache(maxsize=64)
def see_exactly(tower: Tower, lean: Lean) -> Fall:
    """A fall as the programme sees it: what it lets fall falls here too."""
    return watch(rounded(tower, lean), EASING, PATIENTLY)


def watch(scene: str, easing: float = 0.0, seconds: float = SECONDS) -> Fall:
    """Runs a scene until all is at rest, or for some seconds; the weight may come on little by little."""
    import mujoco  # type: ignore[import-untyped]  # noqa: PLC0415  (an extra)

    engine: Any = mujoco
    model = engine.MjModel.from_xml_string(scene)
    data = engine.MjData(model)
    start, still, length = data.qpos.reshape(-1, 7).copy(), 0.0, float(model.opt.timestep)
    frames, weight = [start], model.opt.gravity.copy()
    for step in range(1, ceil(seconds / length) + 1):
        if step * length <= easing + length:
            model.opt.gravity[:] = weight * min(1.0, step * length / easing) if easing else weight
            still = 0.0
        engine.mj_step(model, data)
        poses = data.qpos.reshape(-1, 7)
        if step * length * RATE >= len(frames):
            frames.append(poses.copy())
        still = still + length if np.abs(data.qvel).max() < _STILL else 0.0
        if still > _PATIENCE and (still > _HESITATION or _moved(poses, start).max() > _FAR):
            break
    moved = _moved(data.qpos.reshape(-1, 7), start)
    fallen = frozenset(int(number) + 1 for number in np.nonzero(moved > _FAR)[0])
    poses = np.array([*frames, data.qpos.reshape(-1, 7)])
    stirred = np.nonzero(np.abs(poses[:, :, :3] - poses[0, :, :3]).max(axis=(0, 2)) > 2 / _GRID)[0]
    kept = np.concatenate([poses[:, stirred, :3] * _GRID, poses[:, stirred, 3:] * 32767], axis=2)
    numbers = np.clip(np.rint(kept), -32767, 32767).astype("<i2")
    changes = np.concatenate([numbers[:1], np.diff(numbers, axis=0)])  # pressed well, since most is repetition
    head = _HEAD.pack(_MARK, len(poses), len(stirred), RATE) + stirred.astype("<u2").tobytes()
    return Fall(fallen, float(moved.max()), float(data.time), zlib.compress(head + changes.tobytes(), 9))


def _moved(poses: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far every stone is from where it was; the foundation does not count."""
    return np.asarray(np.linalg.norm(poses[1:, :3] - start[1:, :3], axis=1))


def motion(packed: bytes) -> dict[int, list[Pose]]:
    """The poses of every stone that moves, by its number: thirty a second, the last one when all is at rest."""
    data = zlib.decompress(packed)
    mark, frames, stones, _ = _HEAD.unpack_from(data)
    if mark != _MARK:
        raise ValueError("not a fall")
    numbers = struct.unpack_from(f"<{stones}H", data, _HEAD.size)
    steps = struct.iter_unpack("<7h", data[_HEAD.size + 2 * stones :])
    poses: dict[int, list[Pose]] = {number: [] for number in numbers}
    at: dict[int, tuple[int, ...]] = dict.fromkeys(numbers, (0,) * 7)
    for _ in range(frames):
        for number in numbers:
            at[number] = tuple(a + b for a, b in zip(at[number], next(steps), strict=True))
            x, y, z, w, i, j, k = at[number]
            turn = (w / 32767, i / 32767, j / 32767, k / 32767)
            poses[number].append(Pose((x / _GRID, y / _GRID, z / _GRID), turn))
    return poses
