"""Layout of the track in a picture: discs along a serpentine line that fills a box, with the staircase in its corner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import cos, hypot, pi, sin, sqrt
from typing import Final, NamedTuple

# In diameters of a disc.
_NOTCH_WIDTH, _NOTCH_HEIGHT, _NOTCH_GAP = 4.6, 3.3, 0.35  # the corner that the staircase takes
_SPACING: Final = 1.05  # the least distance of two discs
_PITCH: Final = (1.26, 1.75)  # the distance of two rows, least and most
_ABOVE, _BELOW = 0.85, 0.66  # margins
_LEAD: Final = 1.9  # the room for the pawns before the first disc

_MOST_ROWS: Final = 14
_BEND: Final = 14  # vertices of a half circle


class Point(NamedTuple):
    """A point, and the index of the line's next vertex if it lies on the centre line."""

    x: float
    y: float
    next: int = 0


class Layout(NamedTuple):
    """A track that fits its box."""

    d: float  # the diameter of a disc
    line: Sequence[Point]  # the centre line of the groove, from the start on
    spots: Sequence[Point]  # the start, then the centre of every disc
    stairs: Point  # the upper left corner of the staircase


@lru_cache(maxsize=16)
def fit_track(width: float, height: float, discs: int) -> Layout:
    """The layout with the largest discs, and then with the widest spacing."""

    def fits(rows: int, d: float, spacing: float = _SPACING) -> bool:
        return _lay_out(width, height, discs, rows, d, spacing) is not None

    best = (0.0, 1)
    for rows in range(1, _MOST_ROWS + 1):
        most = height / ((rows - 1) * _PITCH[0] + _ABOVE + _BELOW)
        d = _bisect(best[0] + 0.25, most, 0.02, partial(fits, rows))
        best = max(best, (d, rows))
    d, rows = best
    spacing = _bisect(_SPACING, 2, 0.001, lambda spacing: fits(rows, d, spacing)) or _SPACING
    found = _lay_out(width, height, discs, rows, d, spacing)
    assert found is not None
    line, spots = found
    return Layout(d, line, spots, Point(width - _NOTCH_WIDTH * d, 0))


def _bisect(low: float, high: float, tolerance: float, holds: Callable[[float], bool]) -> float:
    """The largest value for which a monotonic predicate holds; 0 if it does not hold for the lowest."""
    if low > high or not holds(low):
        return 0
    while high - low > tolerance:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _lay_out(
    width: float, height: float, discs: int, rows: int, d: float, spacing: float
) -> tuple[list[Point], list[Point]] | None:
    """The line and the places of the discs; None if they do not fit."""
    if width <= (_NOTCH_WIDTH + 3) * d or height < (_NOTCH_HEIGHT + 0.1) * d:
        return None
    line = _centre_line(width, height, rows, d)
    if any(not 0.49 * d <= point.x <= width - 0.49 * d for point in line):
        return None
    spots = _place_discs(line, _LEAD * d, spacing * d, discs)
    return None if spots is None else (line, spots)


def _centre_line(width: float, height: float, rows: int, d: float) -> list[Point]:
    """Rows from bottom to top, joined by half circles; the last row runs to the right, towards the staircase."""
    pitch = d if rows == 1 else min(_PITCH[1] * d, (height - (_ABOVE + _BELOW) * d) / (rows - 1))

    def row_y(row: int) -> float:
        return height - _BELOW * d - row * pitch

    def right(row: int) -> float:
        narrow = row_y(row) - 0.55 * d < _NOTCH_HEIGHT * d
        return width - d / 2 - (_NOTCH_WIDTH + _NOTCH_GAP) * d * narrow

    def bend(row: int) -> float:
        return min(right(row), right(row + 1)) - pitch / 2

    line: list[Point] = []
    for row in range(rows):
        y, rightward, last = row_y(row), (rows - 1 - row) % 2 == 0, row == rows - 1
        if rightward:
            start, end = d / 2 + (pitch / 2 if row else 0), right(row) if last else bend(row)
        else:
            start, end = bend(row - 1) if row else right(row), d / 2 + (0 if last else pitch / 2)
        line += [Point(start, y), Point(end, y)]
        if last:
            break
        for vertex in range(1, _BEND):
            angle = pi * vertex / _BEND
            out = pitch * sin(angle) / 2
            line.append(Point(end + (out if rightward else -out), y - pitch * (1 - cos(angle)) / 2))
    return line


def _place_discs(line: Sequence[Point], lead: float, spacing: float, discs: int) -> list[Point] | None:
    """The start, then the discs at equal straight distances; None if the line is too short."""
    spots = [Point(line[0].x, line[0].y, 1)]
    here = _at_length(line, lead)
    while here is not None:
        spots.append(here)
        if len(spots) > discs:
            return spots
        here = _at_distance(line, here, spacing)
    return None


def _at_length(line: Sequence[Point], length: float) -> Point | None:
    for at in range(1, len(line)):
        start, end = line[at - 1], line[at]
        segment = hypot(end.x - start.x, end.y - start.y)
        if segment >= length:
            return _between(start, end, length / segment, at)
        length -= segment
    return None


def _at_distance(line: Sequence[Point], here: Point, distance: float) -> Point | None:
    """The first later point of the line at that distance."""
    start = here
    for at in range(here.next, len(line)):
        end = line[at]
        if hypot(end.x - here.x, end.y - here.y) >= distance:
            dx, dy, fx, fy = end.x - start.x, end.y - start.y, start.x - here.x, start.y - here.y
            a, b, c = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - distance * distance
            return _between(start, end, (-b + sqrt(max(0.0, b * b - a * c))) / a, at)
        start = end
    return None


def _between(start: Point, end: Point, share: float, at: int) -> Point:
    return Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share, at)


def section(layout: Layout, start: int, end: int | None) -> list[Point]:
    """The part of the groove between two places, in walking order; None is the end, at the staircase."""
    one = layout.spots[start]
    if end is None:
        return [one, *layout.line[one.next :]]
    other = layout.spots[end]
    if start <= end:
        return [one, *layout.line[one.next : other.next], other]
    return [one, *reversed(layout.line[other.next : one.next]), other]
