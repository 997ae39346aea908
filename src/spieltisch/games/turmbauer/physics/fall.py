"""Rigid-body simulation of a falling tower with MuJoCo, an extra (`spieltisch-core[physics]`).

A cube is one metre wide, so that one unit is one cell; gravity is tilted by the lean. The simulation runs until all
stones are at rest. The poses of the stones that move are stored at thirty frames per second, as 16-bit integers.
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
MAX_SECONDS: Final = 8.0  # for an animation that runs to the end
FRAME_RATE: Final = 30  # frames per second
_GRAVITY: Final = 9.81
_CLEARANCE: Final = 0.01  # between adjacent stones, so that none is squeezed
_FALLEN_DISTANCE: Final = 0.5  # a stone that has moved farther has fallen
_REST_SPEED: Final = 0.05  # in metres or radians per second; anything slower is at rest
_REST_SECONDS_AFTER: Final = 0.3  # how long all stones must be at rest after a fall
_REST_SECONDS_BEFORE: Final = 1.0  # and before one, because a stone that starts to tip is slow at first
_POSITION_SCALE: Final = 250  # encoded units per cell
_ROTATION_SCALE: Final = 32767  # encoded units per unit of a quaternion
_HEADER: Final = struct.Struct("<4sHHH")
_MAGIC: Final = b"fall"


class SolverSettings(NamedTuple):
    """The accuracy of the simulation."""

    step: float = 0.002  # seconds
    contact_time: float = 0.005  # seconds; softness of the contacts, with whose square tall towers sag
    tolerance: float = 1e-4
    iterations: int = 12


_EXACT: Final = SolverSettings(
    step=0.001, contact_time=0.002, tolerance=1e-8, iterations=100
)  # soft contacts would let tall towers lean
_EXACT_CLEARANCE: Final = 0.001
_FRICTIONLESS: Final = 'mass="0" friction="0 0 0" priority="1"'
LOAD_SECONDS: Final = 0.3  # gravity is ramped up in this time: a stone is put down, not dropped


class Simulation(NamedTuple):
    """The result of a simulation: the stones that fell, numbered from 1 without the foundation, and their motion."""

    fallen: frozenset[int]
    farthest: float  # the largest distance that a stone moved, in cubes
    seconds: float
    motion: bytes  # encoded; see `decode_motion`


class Pose(NamedTuple):
    """The position of a stone's centre, and its rotation as a quaternion (w, x, y, z)."""

    position: tuple[float, float, float]
    rotation: tuple[float, float, float, float]


def split_into_boxes(cells: Cells) -> Iterator[tuple[Cell, tuple[int, int, int]]]:
    """Splits the cells greedily into boxes: each with its lowest corner and its length, width and height in cells."""
    left = set(cells)
    while left:
        corner = min(left)
        size = (1, 1, 1)
        while larger := next((each for each in _larger_boxes(size) if left.issuperset(_box_cells(corner, each))), None):
            size = larger
        left.difference_update(_box_cells(corner, size))
        yield corner, size


def _larger_boxes(size: tuple[int, int, int]) -> Iterator[tuple[int, int, int]]:
    long, wide, high = size
    yield long + 1, wide, high
    yield long, wide + 1, high
    yield long, wide, high + 1


def _box_cells(corner: Cell, size: tuple[int, int, int]) -> list[Cell]:
    x, y, z = x_of(corner), y_of(corner), z_of(corner)
    long, wide, high = map(range, size)
    return [cell(x + a, y + b, z + c) for a in long for b in wide for c in high]


def _centre(cells: Cells) -> tuple[float, float, float]:
    n = len(cells)
    return sum(map(x_of, cells)) / n, sum(map(y_of, cells)) / n, sum(map(z_of, cells)) / n + 0.5


def scene_xml(tower: Tower, lean: Lean) -> str:
    """The tower as a MuJoCo scene: stones made of boxes, with a small clearance at the sides."""
    bodies: list[str] = []
    for cells in (FOUNDATION, *(stone.cells for stone in tower)):
        geoms = [
            f'<geom type="box" pos="{place}" size="{(size[0] - _CLEARANCE) / 2} {(size[1] - _CLEARANCE) / 2} {size[2] / 2}"/>'
            for place, size in box_geoms(cells)
        ]
        bodies.append(body_xml(cells, geoms))
    return world_xml(bodies, lean)


def box_geoms(cells: Cells) -> Iterator[tuple[str, tuple[int, int, int]]]:
    """The boxes of a stone: the position relative to the stone's centre, and the size in cells."""
    centre = _centre(cells)
    for corner, size in split_into_boxes(cells):
        low = (x_of(corner), y_of(corner), z_of(corner) + 0.5)
        yield " ".join(f"{at + (n - 1) / 2 - own:.9g}" for at, n, own in zip(low, size, centre, strict=True)), size


def body_xml(cells: Cells, geoms: Sequence[str]) -> str:
    """A stone as a free rigid body."""
    return f'<body pos="{" ".join(f"{n:.9g}" for n in _centre(cells))}"><freejoint/>{"".join(geoms)}</body>'


def world_xml(bodies: Sequence[str], lean: Lean, settings: SolverSettings = SolverSettings()) -> str:  # noqa: B008 - a plain value
    """The bodies on the table, with tilted gravity."""
    east, north = slope(lean)
    return (
        f'<mujoco><option timestep="{settings.step}" cone="elliptic" impratio="10" tolerance="{settings.tolerance}" '
        f'iterations="{settings.iterations}" ls_iterations="10" gravity="{_GRAVITY * east:.9g} {_GRAVITY * north:.9g} {-_GRAVITY}">'
        '<flag island="disable"/></option>'  # a tower is one island
        f'<default><geom friction="{FRICTION} 0.005 0.0001" solref="{settings.contact_time} 1" solimp="0.99 0.999 0.001"/></default>'
        f'<worldbody><geom type="plane" size="200 200 1" priority="2"/>{"".join(bodies)}</worldbody></mujoco>'
    )


def exact_scene_xml(tower: Tower, lean: Lean) -> str:
    """The tower as a MuJoCo scene under the assumptions of the linear programme.

    Edges are rounded, the sides have no friction, and there is hardly any clearance. Every box becomes three boxes, one
    for each pair of opposite faces.
    """
    bodies = []
    for cells in (FOUNDATION, *(stone.cells for stone in tower)):
        geoms = []
        for place, size in box_geoms(cells):
            for axis in range(3):
                margins = [2 * INSET] * 3
                margins[axis] = 0.0 if axis == 2 else _EXACT_CLEARANCE
                half = " ".join(f"{(n - margin) / 2:.9g}" for n, margin in zip(size, margins, strict=True))
                mass = f'mass="{size[0] * size[1] * size[2]}"' if axis == 2 else _FRICTIONLESS
                geoms.append(f'<geom type="box" pos="{place}" size="{half}" {mass}/>')
        bodies.append(body_xml(cells, geoms))
    return world_xml(bodies, lean, _EXACT)


@lru_cache(maxsize=256)
def simulate(tower: Tower, lean: Lean) -> Simulation:
    """Simulates the tower for the judge; deterministic on one machine."""
    return run_scene(scene_xml(tower, lean))


@lru_cache(maxsize=64)
def simulate_to_rest(tower: Tower, lean: Lean) -> Simulation:
    """The same simulation, continued until all stones are at rest."""
    simulation = simulate(tower, lean)
    return simulation if simulation.seconds < SECONDS else run_scene(scene_xml(tower, lean), seconds=MAX_SECONDS)


@lru_cache(maxsize=64)
def simulate_exactly(tower: Tower, lean: Lean) -> Simulation:
    """A slower simulation under the assumptions of the linear programme: a tower that falls there falls here too."""
    return run_scene(exact_scene_xml(tower, lean), LOAD_SECONDS, MAX_SECONDS)


def run_scene(scene: str, load_seconds: float = 0.0, seconds: float = SECONDS) -> Simulation:
    """Runs a scene until all stones are at rest or the time is over; gravity can be ramped up at the start."""
    import mujoco  # type: ignore[import-untyped]  # noqa: PLC0415  (an extra)

    engine: Any = mujoco
    model = engine.MjModel.from_xml_string(scene)
    data = engine.MjData(model)
    start, rest, step_seconds = data.qpos.reshape(-1, 7).copy(), 0.0, float(model.opt.timestep)
    frames, gravity = [start], model.opt.gravity.copy()
    for step in range(1, ceil(seconds / step_seconds) + 1):
        if step * step_seconds <= load_seconds + step_seconds:
            model.opt.gravity[:] = gravity * min(1.0, step * step_seconds / load_seconds) if load_seconds else gravity
            rest = 0.0
        engine.mj_step(model, data)
        poses = data.qpos.reshape(-1, 7)
        if step * step_seconds * FRAME_RATE >= len(frames):
            frames.append(poses.copy())
        rest = rest + step_seconds if np.abs(data.qvel).max() < _REST_SPEED else 0.0
        has_fallen = rest > _REST_SECONDS_AFTER and _distances(poses, start).max() > _FALLEN_DISTANCE
        if has_fallen or rest > _REST_SECONDS_BEFORE:
            break
    distances = _distances(data.qpos.reshape(-1, 7), start)
    fallen = frozenset(int(number) + 1 for number in np.nonzero(distances > _FALLEN_DISTANCE)[0])
    motion = _encode_motion(np.array([*frames, data.qpos.reshape(-1, 7)]))
    return Simulation(fallen, float(distances.max()), float(data.time), motion)


def _distances(poses: NDArray[np.float64], start: NDArray[np.float64]) -> NDArray[np.float64]:
    """The distance of every stone from its start; without the foundation."""
    return np.asarray(np.linalg.norm(poses[1:, :3] - start[1:, :3], axis=1))


def _encode_motion(poses: NDArray[np.float64]) -> bytes:
    """The poses [frame, stone, 7] of the stones that move: quantized, delta-encoded and compressed."""
    moving = np.nonzero(np.abs(poses[:, :, :3] - poses[0, :, :3]).max(axis=(0, 2)) > 2 / _POSITION_SCALE)[0]
    scaled = np.concatenate([poses[:, moving, :3] * _POSITION_SCALE, poses[:, moving, 3:] * _ROTATION_SCALE], axis=2)
    numbers = np.clip(np.rint(scaled), -32767, 32767).astype("<i2")
    deltas = np.concatenate([numbers[:1], np.diff(numbers, axis=0)])
    header = _HEADER.pack(_MAGIC, len(poses), len(moving), FRAME_RATE) + moving.astype("<u2").tobytes()
    return zlib.compress(header + deltas.tobytes(), 9)


def decode_motion(encoded: bytes) -> dict[int, list[Pose]]:
    """The poses of every stone that moves, by its number: one per frame, the last one at rest."""
    data = zlib.decompress(encoded)
    magic, frames, stones, _ = _HEADER.unpack_from(data)
    if magic != _MAGIC:
        raise ValueError("not a fall")
    numbers = struct.unpack_from(f"<{stones}H", data, _HEADER.size)
    deltas = struct.iter_unpack("<7h", data[_HEADER.size + 2 * stones :])
    poses: dict[int, list[Pose]] = {number: [] for number in numbers}
    current: dict[int, tuple[int, ...]] = dict.fromkeys(numbers, (0,) * 7)
    for _ in range(frames):
        for number in numbers:
            current[number] = tuple(a + b for a, b in zip(current[number], next(deltas), strict=True))
            x, y, z, *quaternion = current[number]
            w, i, j, k = (component / _ROTATION_SCALE for component in quaternion)
            poses[number].append(Pose((x / _POSITION_SCALE, y / _POSITION_SCALE, z / _POSITION_SCALE), (w, i, j, k)))
    return poses
