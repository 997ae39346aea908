"""The tower in a picture: cubes and pawns on the turntable in isometric view, and the height of every pawn on a rod."""

from __future__ import annotations

from math import ceil, hypot
from typing import Final, NamedTuple

from spieltisch.core.picture import BOARD, Box, Canvas
from spieltisch.core.picture.cubes import Cell, Cube, cubes, depth, hexagon, hides, project
from spieltisch.core.picture.pieces import face, grain, pawn, shadow
from spieltisch.core.picture.svg import Markup, element, group, label, number, path, place
from spieltisch.games.turmbauer.view import Point, View

COLOURS: Final = {"R": "red", "B": "blue", "G": "green", "K": "black"}
_FOUNDATION: Final = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0))
_ROOM: Final = Box(BOARD.x + 120, BOARD.y, BOARD.width - 120, BOARD.height)
_LARGEST: Final = 46.0  # pixels: the edge of a cube
_PAWN: Final = 1.35  # the height of a pawn, in edges of a cube
_LENGTH: Final = 590  # of the rod


class Camera(NamedTuple):
    """The projection of the tower onto the board: the length of an edge, the origin of the grid, and the radius of the turntable."""

    edge: float
    x: float
    y: float
    radius: float


def paint_at(cell: Cell, colour: str) -> str:
    """The paint of a cube: colour and natural wood alternate like on a checkerboard."""
    return "natural" if sum(cell) % 2 else colour


def tower_cubes(view: View, before: View | None) -> dict[Cell, Cube]:
    """All cubes of the tower by their cells; stones built in the last turn are marked."""
    old = set(before.tower) if before else set(view.tower)
    found: dict[Cell, Cube] = {cell: Cube(paint_at(cell, "brown"), 0) for cell in _FOUNDATION}
    for number_, stone in enumerate(view.tower, 1):
        for cell in stone.cells:
            found[cell.x, cell.y, cell.z] = Cube(paint_at(cell, COLOURS[stone.colour]), number_, stone not in old)
    for cell in view.place:  # not judged yet
        found[cell.x, cell.y, cell.z] = Cube(paint_at(cell, COLOURS[view.colour]), -1, True)
    return found


def draw_tower(canvas: Canvas, view: View, before: View | None) -> None:
    """The turntable, the tower and the pawns; pawns on the table stand around it."""
    cells = tower_cubes(view, before)
    camera = camera_of(cells)
    canvas.add(_turntable(canvas, camera), 10)
    for east, north, floor in cells:
        if floor == 0:
            canvas.add(_floor_shadow(canvas, camera, east, north), 11)
    for order, markup in cubes(canvas, cells, camera.edge, camera.x, camera.y):
        canvas.add(markup, 20, order)
    _draw_hidden_stone(canvas, camera, cells)
    moved = _moved(view, before)
    for at, side in enumerate(view.sides):
        if side.pawn is not None:
            _draw_pawn(canvas, camera, side.pawn, COLOURS[side.colour], lit=side.colour in moved)
            if _is_hidden(side.pawn, cells):
                ghost = pawn(canvas, COLOURS[side.colour], *_base(camera, side.pawn), _PAWN * camera.edge, shaded=False)
                canvas.add(group(ghost, opacity=0.5), 23)
        else:
            x, y = (
                camera.x + (1.73 - camera.radius * 0.62 + 1.15 * at) * camera.edge,
                camera.y + camera.radius * 0.52 * camera.edge,
            )
            canvas.add(pawn(canvas, COLOURS[side.colour], x, y, _PAWN * camera.edge), 22, y)


def camera_of(cells: dict[Cell, Cube]) -> Camera:
    """A projection that fits the tower; it changes in steps, so that a film does not jitter."""
    far = max(hypot(x - 0.5, y - 0.5) for x, y, _ in cells)
    radius = 0.8 * ceil((max(3.2, far) + 1.2) / 0.8)
    rx, ry = 1.2247 * radius, 0.7071 * radius
    top = max(-project(x, y + 1, z + 1)[1] for x, y, z in cells) + _PAWN
    high = 3 * ceil(max(top, ry) / 3)
    edge = min(_LARGEST, _ROOM.width / (2 * rx + 0.4), _ROOM.height / (high + ry + 0.8))
    middle, low = project(1, 1, 0)
    x = _ROOM.x + _ROOM.width / 2 - middle * edge
    return Camera(edge, x, _ROOM.y + _ROOM.height - (ry + 0.6 + low) * edge, radius)


def _turntable(canvas: Canvas, camera: Camera) -> Markup:
    rx, ry = number(1.2247 * camera.radius, 3), number(0.7071 * camera.radius, 3)
    middle, low = project(1, 1, 0)
    rim = {"rx": number(1.2247 * camera.radius * 0.93, 3), "ry": number(0.7071 * camera.radius * 0.93, 3)}
    return group(
        element("ellipse", cx=0.3, cy=0.5, rx=rx, ry=ry, fill=shadow(canvas), transform="scale(1.05)"),
        element("ellipse", cy=0.34, rx=rx, ry=ry, fill="#8d6830"),
        element("ellipse", rx=rx, ry=ry, fill=face(canvas, "natural")),
        element("ellipse", rx=rx, ry=ry, fill=grain(canvas), opacity=0.16),
        element("ellipse", **rim, fill="none", stroke="#8d6830", stroke_opacity=0.5, stroke_width=0.05),
        transform=place(camera.x + middle * camera.edge, camera.y + low * camera.edge, camera.edge),
    )


def _floor_shadow(canvas: Canvas, camera: Camera, x: int, y: int) -> Markup:
    """The shade of a cube on the turntable, to the lower right."""
    corners = [project(x + dx, y + dy, 0) for dx, dy in ((0, 0), (1.3, -0.1), (1.5, 0.6), (1.3, 1.1), (0, 1))]
    points = "L".join(
        f"{number(camera.x + px * camera.edge)} {number(camera.y + py * camera.edge)}" for px, py in corners
    )
    return path(f"M{points}Z", fill=canvas.theme.piece_shade[0], opacity=0.22)


def _draw_pawn(canvas: Canvas, camera: Camera, on: Point, colour: str, *, lit: bool) -> None:
    """A pawn on a cube, painted after all cubes of the same depth, since it is taller than one."""
    (x, base), edge = _base(camera, on), camera.edge
    y = base - 0.12 * edge
    order = depth((on.x, on.y, on.z + 1))
    if lit:
        canvas.add(
            group(
                element("circle", r=1.3, fill=canvas.theme.glow, fill_opacity=0.85),
                element("circle", r=1.15, stroke=canvas.theme.lit_line, stroke_width=0.26, fill="none"),
                element("circle", r=1.15, stroke=canvas.theme.lit, stroke_width=0.15, fill="none"),
                transform=f"translate({number(x)} {number(y)})scale({number(edge * 0.5)} {number(edge * 0.29)})",
            ),
            20,
            order - 0.4,
        )
    canvas.add(pawn(canvas, colour, x, base, _PAWN * edge), 20, order + 0.5)


def _base(camera: Camera, on: Point) -> tuple[float, float]:
    """The middle of the base of a pawn on a cube."""
    x, y = project(on.x + 0.5, on.y + 0.5, on.z + 1)
    return camera.x + x * camera.edge, camera.y + (y + 0.12) * camera.edge


def _draw_hidden_stone(canvas: Canvas, camera: Camera, cells: dict[Cell, Cube]) -> None:
    """The outlines of new cubes that stones in front of them cover."""
    outline = ""
    for cell, cube in cells.items():
        if cube.marked:
            x, y = project(*(part + 0.5 for part in cell))
            nearer = [other for other in cells if depth(other) > depth(cell)]
            seen = [(x - 0.43, y + 0.25), (x + 0.43, y + 0.25), (x, y - 0.5)]  # the middles of its faces
            if all(any(hides(other, *point) for other in nearer) for point in seen):
                outline += hexagon(cell)
    if outline:
        theme = canvas.theme
        lines = (
            path(outline, stroke=theme.lit_line, stroke_width=0.13, stroke_opacity=0.7),
            path(outline, stroke=theme.lit, stroke_width=0.08, stroke_dasharray=".16 .14"),
        )
        canvas.add(group(*lines, fill="none", transform=place(camera.x, camera.y, camera.edge)), 21)


def _is_hidden(on: Point, cells: dict[Cell, Cube]) -> bool:
    """Whether stones in front of a pawn cover most of it; such a pawn shines through."""
    x, y = project(on.x + 0.5, on.y + 0.5, on.z + 1)
    nearer = [cell for cell in cells if depth(cell) > on.x - on.y + on.z + 1]
    return sum(any(hides(cell, x, y - up) for cell in nearer) for up in (0.1, 0.55, 1.0)) > 1


def _moved(view: View, before: View | None) -> set[str]:
    """The colours whose pawns moved in the last turn."""
    if before is None:
        return set()
    return {now.colour for now, then in zip(view.sides, before.sides, strict=True) if now.pawn != then.pawn}


def draw_rod(canvas: Canvas, view: View) -> None:
    """A wooden rod with a mark per height, and the pawns at their heights."""
    floors = max((cell.z + 1 for stone in view.tower for cell in stone.cells), default=1)
    top = max(11, 3 * ceil((floors + 2) / 3))
    step, x, foot = _LENGTH / top, BOARD.x + 8, BOARD.y + BOARD.height - 12
    parts = [
        element(
            "rect", y=-_LENGTH, width=26, height=_LENGTH, rx=5, fill=face(canvas, "natural"),
            stroke=canvas.paint("natural").edge,
        ),
        group(element("rect", y=number(-_LENGTH / 26, 3), width=1, height=number(_LENGTH / 26, 3), fill=grain(canvas), opacity=0.2), transform="scale(26)"),
    ]  # fmt: skip
    every = ceil(15 / step)
    marks = "".join(f"M26 {number(-mark * step)}h{-6 if mark % 5 else -9}" for mark in range(top + 1))
    parts.append(path(marks, stroke="#5a3d14", stroke_width=1.5))
    parts += [
        label(8.5, 4.5 - mark * step, str(mark), 11.5, "#5a3d14", anchor="middle", weight=600)
        for mark in range(every, top, every)
    ]
    canvas.add(group(*parts, transform=place(x, foot)), 10)
    heights: dict[int, list[str]] = {}
    for side in view.sides:
        heights.setdefault(side.height, []).append(COLOURS[side.colour])
    size = min(34.0, step * 1.25)
    for height, colours in heights.items():
        y = foot - height * step
        line = path(
            f"M{number(x + 26)} {number(y)}h{number(8 + 19 * len(colours))}", stroke=canvas.theme.ink, stroke_width=1.5
        )
        canvas.add(line, 11)
        for at, colour in enumerate(colours):
            canvas.add(pawn(canvas, colour, x + 42 + 19 * at, y - 1, size), 12, y)
