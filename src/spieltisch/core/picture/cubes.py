"""Isometric drawing of cubes: visible faces in painter's order, stones told apart by their edges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import cos, pi
from typing import Final, NamedTuple, TypeAlias

from spieltisch.core.picture import Canvas
from spieltisch.core.picture.palette import BROWN_3D, SYMBOLS, mix
from spieltisch.core.picture.pieces import grain, stop, symbol
from spieltisch.core.picture.svg import Markup, element, group, number, path, place

Cell: TypeAlias = tuple[int, int, int]  # x to the lower right, y to the upper right, z up

_ACROSS: Final = cos(pi / 6)
_DARK: Final = "#2a1400"


class Cube(NamedTuple):
    """A cube of a stone: its paint, the number of its stone, and whether the stone is marked as new."""

    paint: str
    stone: int
    marked: bool = False


class Side(NamedTuple):
    """A side of a cube that is seen: its normal, the corner of its unit square, and the steps across and down."""

    name: str
    normal: Cell
    corner: Cell
    across: Cell
    down: Cell


_SIDES: Final = (
    Side("left", (0, -1, 0), (0, 0, 1), (1, 0, 0), (0, 0, -1)),
    Side("right", (1, 0, 0), (1, 0, 1), (0, 1, 0), (0, 0, -1)),
    Side("top", (0, 0, 1), (0, 1, 1), (1, 0, 0), (0, -1, 0)),
)
# Edges of a side's unit square: start, end, and the step to the neighbour as multiples of across and down.
_EDGES: Final = {
    "left": ((0, 0), (0, 1), (-1, 0)),
    "top": ((0, 0), (1, 0), (0, -1)),
    "right": ((1, 0), (1, 1), (1, 0)),
    "bottom": ((0, 1), (1, 1), (0, 1)),
}
_CONTACTS: Final = {  # shade where another cube rises: the gradient's start, the rectangle, and the depth
    "left": ((0, 0, 1, 0), (0, 0, 0.6, 1), 0.34),
    "top": ((0, 0, 0, 1), (0, 0, 1, 0.5), 0.34),
    "right": ((1, 0, 0, 0), (0.7, 0, 0.3, 1), 0.22),
    "bottom": ((0, 1, 0, 0), (0, 0.7, 1, 0.3), 0.22),
}


def project(x: float, y: float, z: float) -> tuple[float, float]:
    """Isometric projection; the unit is the edge of a cube."""
    return (x + y) * _ACROSS, (x - y) / 2 - z


def depth(cell: Cell) -> int:
    """Larger is nearer to the eye."""
    return cell[0] - cell[1] + cell[2]


def cubes(canvas: Canvas, cells: Mapping[Cell, Cube], edge: float, x: float, y: float) -> Iterator[tuple[int, Markup]]:
    """The cubes that are seen, each with its depth; x, y is the origin of the grid, `edge` the length of an edge."""
    high = max(cell[2] for cell in cells)
    for cell, cube in cells.items():
        if not _is_covered(cell, cells, high):
            px, py = project(*cell)
            parts = list(_faces(canvas, cell, cube, cells))
            yield depth(cell), group(*parts, transform=place(x + px * edge, y + py * edge, edge))


def bounds(cells: Mapping[Cell, Cube]) -> tuple[float, float, float, float]:
    """The box around the cubes: left, top, right, bottom."""
    left = min(project(x, y, 0)[0] for x, y, _ in cells)
    right = max(project(x + 1, y + 1, 0)[0] for x, y, _ in cells)
    top = min(project(x, y + 1, z + 1)[1] for x, y, z in cells)
    bottom = max(project(x + 1, y, z)[1] for x, y, z in cells)
    return left, top, right, bottom


def hides(cell: Cell, x: float, y: float) -> bool:
    """Whether a cube covers a point of the projection."""
    px, py = project(*cell)
    across, down = abs(x - px - _ACROSS), y - (py - 0.5)  # from the middle of the hexagon
    return across <= _ACROSS and abs(down) <= 1 - across / _ACROSS / 2


def hexagon(cell: Cell) -> str:
    """The outline of a cube in the projection, as a path."""
    x, y, z = cell
    around = (0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1)
    corners = [project(x + a, y + b, z + c) for a, b, c in around]
    return "M" + "L".join(f"{number(px, 2)} {number(py, 2)}" for px, py in corners) + "Z"


def _is_covered(cell: Cell, cells: Mapping[Cell, Cube], high: int) -> bool:
    x, y, z = cell
    return any((x + step, y - step, z + step) in cells for step in range(1, high - z + 1))


def _add(*cells: Cell) -> Cell:
    return sum(cell[0] for cell in cells), sum(cell[1] for cell in cells), sum(cell[2] for cell in cells)


def _times(cell: Cell, n: int) -> Cell:
    return cell[0] * n, cell[1] * n, cell[2] * n


def _faces(canvas: Canvas, cell: Cell, cube: Cube, cells: Mapping[Cell, Cube]) -> Iterator[Markup]:
    lines = []
    for side in _SIDES:
        if _add(cell, side.normal) in cells:
            continue
        yield _use(canvas, side, cube.paint)
        for name, (start, end, (right, down)) in _EDGES.items():
            step = _add(_times(side.across, right), _times(side.down, down))
            rises = _add(cell, side.normal, step) in cells
            if rises:
                yield _contact(canvas, side, name)
            beside = cells.get(_add(cell, step))
            if rises or beside is None or beside.stone != cube.stone:
                lines.append(f"M{_corner(side, start)}L{_corner(side, end)}")
    if lines:
        yield _outline(canvas, cube, "".join(lines))


def _corner(side: Side, at: tuple[int, int]) -> str:
    x, y = project(*_add(side.corner, _times(side.across, at[0]), _times(side.down, at[1])))
    return f"{number(x, 3)} {number(y, 3)}"


def _outline(canvas: Canvas, cube: Cube, lines: str) -> Markup:
    """The edges of the stone; in light if it is marked."""
    theme = canvas.theme
    if cube.marked:
        return group(
            path(lines, stroke=theme.lit_line, stroke_width=0.15),
            path(lines, stroke=theme.lit, stroke_width=0.085),
            stroke_linecap="round",
        )
    coat = canvas.paint(cube.paint)
    colour = coat.edge if cube.paint in {"black", "brown"} else mix(coat.solid, "#140800", 0.6)
    return path(lines, stroke=colour, stroke_width=0.045, stroke_linecap="round")


def _matrix(side: Side) -> str:
    values = (*project(*side.across), *project(*side.down), *project(*side.corner))
    return f"matrix({' '.join(number(value, 4) for value in values)})"


def _use(canvas: Canvas, side: Side, paint: str) -> Markup:
    key = canvas.define(f"{side.name}-{paint}", lambda key: _face(canvas, key, side, paint))
    return element("use", href=f"#{key}")


def _face(canvas: Canvas, key: str, side: Side, paint: str) -> Markup:
    coat = canvas.paint(paint)
    solid = BROWN_3D if paint == "brown" else coat.solid
    if side.name == "top":
        fill = mix(solid, "#ffffff", 0.16 if paint == "black" else 0.2)
    else:
        fill = mix(solid, _DARK, 0.06 if side.name == "left" else 0.3)
    parts = [  # the stroke closes the gap between two faces
        element("rect", width=1, height=1, fill=fill, stroke=fill, stroke_width=0.012),
        element("rect", width=1, height=1, fill=grain(canvas), opacity=0.1),
    ]
    if side.name == "top":
        light = 0.28 if paint == "black" else 0.5
        parts.append(path("M.06 .95H.95V.06", fill="none", stroke="#fff", stroke_opacity=light, stroke_width=0.03))
    if paint in SYMBOLS:
        parts.append(symbol(paint, 0.5, 0.5, 0.5, coat.on, 3))
    return group(*parts, id=key, transform=_matrix(side))


def _contact(canvas: Canvas, side: Side, edge: str) -> Markup:
    (x1, y1, x2, y2), (x, y, width, height), dark = _CONTACTS[edge]
    shade = canvas.url(
        f"contact-{edge}",
        lambda key: element(
            "linearGradient", stop(0, "#1a0c00", dark), stop(1, "#1a0c00", 0), id=key, x1=x1, y1=y1, x2=x2, y2=y2
        ),
    )
    key = canvas.define(
        f"{side.name}-at-{edge}",
        lambda key: group(
            element("rect", x=x, y=y, width=width, height=height, fill=shade), id=key, transform=_matrix(side)
        ),
    )
    return element("use", href=f"#{key}")
