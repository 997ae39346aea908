"""Layout of a board in a picture: as a wheel, by the positions in the board's file, or in rings around the centre."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import atan2, cos, dist, hypot, pi, sin
from pathlib import Path
from typing import Any, Final, NamedTuple, Self, TypeAlias

from spieltisch.games.rondo.board import CENTRE

Point: TypeAlias = tuple[float, float]

_RADII: Final = {"A": 1.3, "I": 2.55, "K": 3.8, "O": 5.1}  # in widths of a field
_FIELDS: Final = {"I": 16, "K": 16, "O": 32}  # in a full turn
_ARMS: Final = "NESW"
_NAME: Final = re.compile(r"A[NESW]|[IKO](?:0|[1-9]\d?)")
_WHEEL_SIZE: Final = 11.9
_MARGIN: Final = 0.85
_FIRST, _APART, _BESIDE = 1.4, 1.35, 1.25  # the first ring, between rings, and between fields of a ring
_SWEEPS: Final = 30
_LARGE: Final = 100  # fields: a larger board gets fewer sweeps and one order
_PERMUTED: Final = 4  # fields of the first ring, of which every order is tried
_FARTHEST: Final = 1e6
_WIDEST: Final = 60  # fields side by side: what is drawn wider cannot be read


class Layout(NamedTuple):
    """A board in widths of a field: the place of every field, the links, and the size."""

    spots: Mapping[str, Point]
    links: Sequence[tuple[str, str]]
    is_wheel: bool
    width: float
    height: float


@lru_cache(maxsize=16)
def layout_of(document: str) -> Layout:
    """The layout of the board in the document, or of the built-in board for ''."""
    text = document or (Path(__file__).parents[1] / "board.json").read_text(encoding="utf-8")
    board: dict[str, Any] = json.loads(text)
    adjacency: dict[str, list[str]] = board["adjacency"]
    links = [(one, other) for one, others in adjacency.items() for other in others if one < other]
    given = _given(board)
    if given is None and all(_is_on_wheel(name) for name in board["cells"]):
        spots = {CENTRE: (0.0, 0.0), **{name: polar(*position(name)) for name in board["cells"]}}
        return Layout(spots, links, True, _WHEEL_SIZE, _WHEEL_SIZE)
    spots = given or _spaced(_rings(adjacency))
    xs, ys = [x for x, _ in spots.values()], [y for _, y in spots.values()]
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    moved = {name: (x - middle[0], y - middle[1]) for name, (x, y) in spots.items()}
    return Layout(moved, links, False, max(xs) - min(xs) + 2 * _MARGIN, max(ys) - min(ys) + 2 * _MARGIN)


def polar(radius: float, angle: float) -> Point:
    """A point by its radius and its angle in degrees, clockwise from north."""
    return radius * sin(angle * pi / 180), -radius * cos(angle * pi / 180)


def _is_on_wheel(name: str) -> bool:
    return _NAME.fullmatch(name) is not None and (name[0] == "A" or int(name[1:]) < _FIELDS[name[0]])


def position(name: str) -> tuple[float, float]:
    """Radius and angle of a field of the wheel."""
    if name[0] == "A":
        return _RADII["A"], _ARMS.index(name[1]) * 90
    return _RADII[name[0]], int(name[1:]) * 360 / _FIELDS[name[0]]


def _given(board: dict[str, Any]) -> dict[str, Point] | None:
    """The positions in the board's file, spaced; None if they are missing or cannot be drawn."""
    positions = board.get("positions")
    names = [*board["cells"], CENTRE]
    if not isinstance(positions, dict) or any(not _is_point(positions.get(name)) for name in names):
        return None
    spots = {name: (float(positions[name][0]), float(positions[name][1])) for name in names}
    if len(set(spots.values())) < len(spots):
        return None
    spaced = _spaced(spots)
    return spaced if max(abs(part) for spot in spaced.values() for part in spot) < _WIDEST else None


def _is_point(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(part, int | float) and abs(part) < _FARTHEST for part in value)
    )


def _spaced(spots: Mapping[str, Point]) -> dict[str, Point]:
    """The spots, scaled so that the two nearest are as far apart as fields are."""
    places = list(spots.values())
    nearest = min(dist(one, other) for at, one in enumerate(places) for other in places[:at])
    return {name: (x * _BESIDE / nearest, y * _BESIDE / nearest) for name, (x, y) in spots.items()}


def _rings(adjacency: Mapping[str, Sequence[str]]) -> dict[str, Point]:
    """Fields in rings by their distance from the centre, in an order that keeps the links short."""
    levels, seen = [[CENTRE]], {CENTRE}
    while levels[-1]:
        found = dict.fromkeys(other for name in levels[-1] for other in adjacency[name] if other not in seen)
        levels.append(list(found))
        seen |= found.keys()
    first, *others = levels[1:-1]
    orders = permutations(first[1:]) if len(first) <= _PERMUTED and len(seen) <= _LARGE else [tuple(first[1:])]
    arranged = (Rings(adjacency, [[first[0], *order], *map(list, others)]).arranged() for order in orders)
    return min(arranged, key=lambda rings: rings.length()).spots


class Rings:
    """Concentric rings of fields."""

    def __init__(self, adjacency: Mapping[str, Sequence[str]], rings: list[list[str]]) -> None:
        self.adjacency, self.rings = adjacency, rings
        self.spots: dict[str, Point] = {CENTRE: (0.0, 0.0)}
        radius, self.radii = _FIRST - _APART, list[float]()
        for ring in rings:
            radius = max(radius + _APART, _BESIDE / 2 / sin(pi / max(2, len(ring))))
            self.radii.append(radius)

    def arranged(self) -> Self:
        """Sorts every ring by its neighbours on inner rings, then swaps fields as long as that shortens links."""
        for index, ring in enumerate(self.rings):
            if index:
                angles = {name: self._mean_angle(name) for name in ring}
                ring.sort(key=lambda name: angles[name])
            self._place(index)
        for _ in range(_SWEEPS if len(self.spots) <= _LARGE else 3):
            swapped = [self._swap(index) for index in range(len(self.rings))]
            for index in range(len(self.rings)):
                self._place(index)
            if not any(swapped):
                break
        return self

    def length(self) -> float:
        """The length of all links."""
        return sum(self._length(name) for name in self.spots)

    def _length(self, name: str) -> float:
        return sum(dist(self.spots[name], self.spots[other]) for other in self.adjacency[name] if other in self.spots)

    def _mean_angle(self, name: str) -> float:
        """Barycentre heuristic: the mean direction of the neighbours that are placed."""
        near = [self.spots[other] for other in self.adjacency[name] if other in self.spots and other != CENTRE]
        return atan2(sum(x / hypot(x, y) for x, y in near), -sum(y / hypot(x, y) for x, y in near))

    def _place(self, index: int) -> None:
        """Spreads a ring evenly, rotated so that its fields are close to their neighbours on other rings."""
        ring, radius = self.rings[index], self.radii[index]
        sine = cosine = 0.0
        for at, name in enumerate(ring):
            for other in self.adjacency[name]:
                if other in self.spots and other != CENTRE and other not in ring:
                    x, y = self.spots[other]
                    offset = atan2(x, -y) - 2 * pi * at / len(ring)
                    sine, cosine = sine + sin(offset), cosine + cos(offset)
        turn = atan2(sine, cosine) if sine or cosine else 0
        for at, name in enumerate(ring):
            angle = turn + 2 * pi * at / len(ring)
            self.spots[name] = (radius * sin(angle), -radius * cos(angle))

    def _swap(self, index: int) -> bool:
        """Swaps neighbours of a ring if that shortens their links; says whether any were swapped."""
        ring, spots, swapped = self.rings[index], self.spots, False
        for at in range(len(ring) if len(ring) > 2 else 0):
            one, other = ring[at], ring[(at + 1) % len(ring)]
            before = self._length(one) + self._length(other)
            spots[one], spots[other] = spots[other], spots[one]
            if self._length(one) + self._length(other) < before - 1e-9:
                ring[at], ring[(at + 1) % len(ring)] = other, one
                swapped = True
            else:
                spots[one], spots[other] = spots[other], spots[one]
        return swapped
