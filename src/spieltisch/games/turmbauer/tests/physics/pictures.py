"""Pictures of towers as SVG, for docs/reference/tower-physics.md."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from spieltisch.games.turmbauer.building.cells import FOUNDATION, Cell, is_coloured, x_of, y_of, z_of
from spieltisch.games.turmbauer.physics.fall import FRAME_RATE, Pose
from spieltisch.games.turmbauer.physics.statics import TABLE_BODY, loads
from spieltisch.games.turmbauer.state import COLOURS, Cells, Tower

_PAINT: Final = {
    "R": "#D63E24",
    "B": "#20559F",
    "G": "#4B9673",
    "K": "#1B1918",
    "natural": "#E8C78D",
    "brown": "#84452A",
}
_UNIT: Final = 16.0
_VIEWER: Final = (-1.0, -1.0, 1.0)  # from the south-west, above
_FACES: Final = [(axis, way) for axis in range(3) for way in (1, -1)]


class Face(NamedTuple):
    """One face of a cube: its depth, its projected corners, and its colour."""

    near: float
    corners: tuple[tuple[float, float], ...]
    colour: str


def project(x: float, y: float, z: float) -> tuple[float, float]:
    """The projection of a point onto the picture."""
    return 0.866 * (x - y) * _UNIT, -(0.5 * (x + y) + z) * _UNIT


def rotate(point: Sequence[float], turn: Sequence[float]) -> tuple[float, float, float]:
    """A point rotated by a quaternion."""
    w, i, j, k = turn
    x, y, z = point
    tx, ty, tz = 2 * (j * z - k * y), 2 * (k * x - i * z), 2 * (i * y - j * x)
    return x + w * tx + j * tz - k * ty, y + w * ty + k * tx - i * tz, z + w * tz + i * ty - j * tx


def centre(cells: Cells) -> tuple[float, float, float]:
    n = len(cells)
    return sum(map(x_of, cells)) / n, sum(map(y_of, cells)) / n, sum(map(z_of, cells)) / n + 0.5


def mix(colour: str, other: int, share: float) -> str:
    """A lighter or darker shade of a colour."""
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(part + (other - part) * share):02x}" for part in parts)


def faces(cells: Cells, colours: Mapping[Cell, str], pose: Pose) -> Iterator[Face]:
    """The visible faces of a stone's cubes."""
    own = centre(cells)
    for place in cells:
        at = [a - b for a, b in zip((x_of(place), y_of(place), z_of(place) + 0.5), own, strict=True)]
        for axis, way in _FACES:
            normal = [0.0, 0.0, 0.0]
            normal[axis] = float(way)
            out = rotate(normal, pose.rotation)
            facing = sum(a * b for a, b in zip(out, _VIEWER, strict=True))
            if facing <= 0:
                continue
            corners, nearness = [], 0.0
            for u, v in ((0.5, 0.5), (0.5, -0.5), (-0.5, -0.5), (-0.5, 0.5)):
                corner = list(at)
                corner[axis] += way / 2
                corner[axis - 2] += u
                corner[axis - 1] += v
                solid = [a + b for a, b in zip(rotate(corner, pose.rotation), pose.position, strict=True)]
                nearness += sum(a * b for a, b in zip(solid, _VIEWER, strict=True)) / 4
                corners.append(project(*solid))
            light = mix(colours[place], 255, 0.2 * max(0.0, out[2])) if out[2] > 0.3 else colours[place]
            shade = 0.06 if out[0] < -0.3 else 0.3 if out[1] < -0.3 else 0.0
            yield Face(nearness, tuple(corners), mix(light, 0, shade))


def coloured_bodies(tower: Tower) -> Iterator[tuple[Cells, dict[Cell, str]]]:
    """The foundation and the stones, with the colour of every cube."""
    yield FOUNDATION, {place: _PAINT["brown" if is_coloured(place) else "natural"] for place in FOUNDATION}
    for stone in tower:
        own = _PAINT[COLOURS[stone.colour]]
        yield stone.cells, {place: own if is_coloured(place) else _PAINT["natural"] for place in stone.cells}


def tower_polygons(tower: Tower, poses: Mapping[int, Pose] | None = None) -> list[str]:
    """The tower as polygons, the farthest first (painter's algorithm)."""
    found: list[Face] = []
    for number, (cells, colours) in enumerate(coloured_bodies(tower)):
        still = Pose(centre(cells), (1.0, 0.0, 0.0, 0.0))
        found += faces(cells, colours, (poses or {}).get(number, still))
    return [
        f'<polygon points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in face.corners)}" fill="{face.colour}"/>'
        for face in sorted(found)
    ]


def svg(content: Sequence[str], box: tuple[float, float, float, float], title: str) -> str:
    """An SVG document with an accessible title."""
    left, top, width, height = box
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{title}" font-family="sans-serif"><title>{title}</title>'
        f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}" fill="#FBF7EF"/>'
        '<g stroke="#3A2A1A" stroke-width=".4" stroke-linejoin="round">' + "\n".join(content) + "</g></svg>\n"
    )


def bounding_box(tower: Tower, poses: Sequence[Mapping[int, Pose]] = ()) -> tuple[float, float, float, float]:
    """The bounding box of the projected tower in all its poses."""
    spots = [project(x_of(c) + a, y_of(c) + b, z_of(c) + d) for cells, _ in coloured_bodies(tower) for c in cells
             for a in (-1, 1) for b in (-1, 1) for d in (0, 1)]  # fmt: skip
    spots += [project(*pose.position) for each in poses for pose in each.values()]
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    return min(xs) - 45, min(ys) - 45, max(xs) - min(xs) + 90, max(ys) - min(ys) + 90


def draw_fall(tower: Tower, moved: Mapping[int, Sequence[Pose]]) -> str:
    """Six frames of a fall, side by side."""
    frames = len(next(iter(moved.values())))
    moments = [0, FRAME_RATE // 3, FRAME_RATE * 2 // 3, FRAME_RATE, FRAME_RATE * 3 // 2, frames - 1]
    content, across, box = [], 0.0, (0.0, 0.0, 0.0, 0.0)
    shown = [{number: poses[min(moment, frames - 1)] for number, poses in moved.items()} for moment in moments]
    box = bounding_box(tower, shown)
    for moment, poses in zip(moments, shown, strict=True):
        content.append(f'<g transform="translate({across:.0f} 0)">{"".join(tower_polygons(tower, poses))}')
        when = f"{min(moment, frames - 1) / FRAME_RATE:.1f} s"
        label = f'<text x="{box[0] + box[2] / 2:.0f}" y="{box[1] + box[3] - 8:.0f}" font-size="14" text-anchor="middle"'
        content.append(f'{label} stroke="none" fill="#3A2A1A">{when}</text></g>')
        across += box[2]
    return svg(content, (box[0], box[1], across, box[3]), "A tower falls, in six moments")


def draw_loads(tower: Tower) -> str:
    """A tower and its loads: thicker lines carry more."""
    box = bounding_box(tower)
    content = [
        *tower_polygons(tower),
        f'<g transform="translate({box[2]:.0f} 0)" opacity="1"><g opacity=".18">{"".join(tower_polygons(tower))}</g>',
    ]
    bodies = [cells for cells, _ in coloured_bodies(tower)]
    for load in loads(tower):
        above = centre(bodies[load.carried])
        below = (above[0], above[1], 0.0) if load.carrier == TABLE_BODY else centre(bodies[load.carrier])
        (x1, y1), (x2, y2) = project(*above), project(*below)
        width = 0.6 + 7 * load.weight / (4 + sum(len(stone.cells) for stone in tower))
        content.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#7A3B12" stroke-width="{width:.2f}" '
            f'stroke-linecap="round"><title>{load.weight:.1f} cubes</title></line>'
        )
    content += [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="#3A2A1A"/>' for x, y in (project(*centre(b)) for b in bodies)
    ]
    return svg([*content, "</g>"], (box[0], box[1], 2 * box[2], box[3]), "A tower and the loads inside it")


def draw_heights(floors: Mapping[str, Sequence[int]]) -> str:
    """The distribution of heights, one line per hand."""
    styles = {"calm": "", "steady": "7 4", "shaky": "2 3"}
    most = max(max(values) for values in floors.values()) + 1
    wide, high = 560.0, 240.0
    top = max(values.count(n) / len(values) for values in floors.values() for n in set(values))
    content = [f'<line x1="0" y1="0" x2="{wide}" y2="0" stroke-width="1"/>']
    words = 'font-size="13" stroke="none"'
    content += [
        f'<text x="{wide * n / most:.0f}" y="18" text-anchor="middle" {words}>{n}</text>' for n in range(0, most + 1, 5)
    ]
    for row, (hand, values) in enumerate(floors.items()):
        spots = [(wide * n / most, -high * values.count(n) / len(values) / top) for n in range(most + 1)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        dashes = f' stroke-dasharray="{styles[hand]}"' if styles[hand] else ""
        content.append(f'<polyline points="{path}" fill="none" stroke="#7A3B12" stroke-width="2"{dashes}/>')
        content.append(f'<line x1="{wide - 120}" x2="{wide - 80}" y1="{-high + 22 * row}" y2="{-high + 22 * row}" '
                       f'stroke="#7A3B12" stroke-width="2"{dashes}/><text x="{wide - 72}" y="{-high + 22 * row + 4}" '
                       f'font-size="13" stroke="none">{hand}</text>')  # fmt: skip
    content.append(f'<text x="{wide / 2}" y="38" font-size="13" text-anchor="middle" stroke="none">floors</text>')
    return svg(content, (-30, -high - 30, wide + 60, high + 80), "How many floors careful play reaches under each hand")
