"""Sets of stones: parsed from a JSON document, validated, and rotated into every orientation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from pathlib import Path
from typing import Any, Final, NamedTuple, Never, TypeAlias

from spieltisch.core.game import BadSetup, brief
from spieltisch.games.turmbauer.building.cells import Cell, cell, x_of, y_of, z_of
from spieltisch.i18n.message import Argument, message_factory

Offset: TypeAlias = tuple[int, int, int]
SIZES: Final = range(1, 7)
_NAME: Final = re.compile(r"[1-6][a-z]{1,5}")
say = message_factory("turmbauer")


class Orientation(NamedTuple):
    """A rotated stone: its cells relative to the corner of its bounding box, and how its pattern lies."""

    offsets: tuple[Offset, ...]
    steps: tuple[int, ...]  # the offsets as differences of cells, ascending
    odd: bool  # whether the corner must lie on a cell with an odd coordinate sum for the pattern to fit
    edges: tuple[tuple[Offset, ...], ...]  # at least one cell of each set must be supported


class Kind(NamedTuple):
    """A kind of stones: one shape."""

    name: str
    size: int
    copies: int
    orientations: tuple[Orientation, ...]


class StoneSet(NamedTuple):
    """The set of stones that every colour has."""

    kinds: tuple[Kind, ...]
    reconstructed: bool

    def number(self, name: str) -> int | None:
        """The index of the kind of that name; None if there is none."""
        return next((number for number, kind in enumerate(self.kinds) if kind.name == name), None)

    @property
    def stock(self) -> tuple[int, ...]:
        """The number of stones of each kind at the start."""
        return tuple(kind.copies for kind in self.kinds)

    def cubes(self, stones: Sequence[int]) -> int:
        """The number of cubes in these numbers of stones of each kind."""
        return sum(n * kind.size for n, kind in zip(stones, self.kinds, strict=True))


@lru_cache(maxsize=64)
def stones_of(document: str) -> StoneSet:
    """Parses the set of stones in the document, or the built-in set for ''; BadSetup names the error."""
    text = document or (Path(__file__).parents[1] / "stones.json").read_text(encoding="utf-8")
    data: Any = json.loads(text)
    if not isinstance(data, dict):
        _refuse("stones.kinds")
    for name in data:
        if name not in ("about", "kinds"):
            _refuse("stones.unknown", field=brief(name))
    kinds = data.get("kinds")
    if not isinstance(kinds, dict) or not kinds:
        _refuse("stones.kinds")
    parsed = tuple(_parse_kind(name, kind) for name, kind in kinds.items())
    for size in SIZES:
        count = sum(kind.copies for kind in parsed if kind.size == size)
        if count != 2:
            _refuse("stones.sizes", size=size, n=count)
    if sum(kind.copies for kind in parsed if kind.size == 1 and kinds[kind.name].get("natural")) != 1:
        _refuse("stones.singles")
    return StoneSet(tuple(sorted(parsed, key=lambda kind: kind.name)), reconstructed=not document)


def _parse_kind(name: str, kind: Any) -> Kind:
    if not _NAME.fullmatch(name):
        _refuse("stones.name", kind=brief(name))
    if not isinstance(kind, dict):
        _refuse("stones.kind", kind=name)
    for field in kind:
        if field not in ("cells", "copies", "natural"):
            _refuse("stones.unknown", field=brief(f"{name} {field}"))
    copies, natural = kind.get("copies", 1), kind.get("natural", False)
    if type(copies) is not int or not 1 <= copies <= 2:
        _refuse("stones.copies", kind=name, given=brief(copies))
    if type(natural) is not bool:
        _refuse("stones.natural", kind=name, given=brief(natural))
    cells = _parse_cells(name, kind.get("cells"))
    if len(cells) != int(name[0]):
        _refuse("stones.size", kind=name, size=int(name[0]), n=len(cells))
    return Kind(name, len(cells), copies, tuple(sorted(set(_orientations(cells, natural)))))


def _parse_cells(name: str, given: Any) -> list[Offset]:
    """The validated cells of a kind: distinct, and connected face to face."""
    if not isinstance(given, list) or not given:
        _refuse("stones.cells", kind=name)
    cells: list[Offset] = []
    for each in given:
        if not isinstance(each, list) or len(each) != 3 or any(type(n) is not int or abs(n) > 99 for n in each):
            _refuse("stones.cell", kind=name, given=brief(json.dumps(each)))
        x, y, z = each
        if (x, y, z) in cells:
            _refuse("stones.twice", kind=name, given=brief(json.dumps(each)))
        cells.append((x, y, z))
    joined, waiting = {cells[0]}, [cells[0]]
    while waiting:
        x, y, z = waiting.pop()
        for other in cells:
            if other not in joined and abs(other[0] - x) + abs(other[1] - y) + abs(other[2] - z) == 1:
                joined.add(other)
                waiting.append(other)
    for each in cells:
        if each not in joined:
            _refuse("stones.apart", kind=name, given=brief(json.dumps(each)))
    return cells


def _rotations() -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """The 24 rotations of a cube: permutations of the axes with signs."""  # R8
    for axes in permutations(range(3)):
        even = axes in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        for signs in product((1, -1), repeat=3):
            if even == (signs[0] * signs[1] * signs[2] > 0):
                yield axes, signs


def _orientations(cells: Sequence[Offset], natural: bool) -> Iterator[Orientation]:
    for (a, b, c), (along, across, up) in _rotations():
        turned = [(along * place[a], across * place[b], up * place[c]) for place in cells]
        low = [min(place[axis] for place in turned) for axis in range(3)]
        offsets = sorted(((x - low[0], y - low[1], z - low[2]) for x, y, z in turned), key=lambda o: (o[2], o[1], o[0]))
        odd = (sum(low) + natural) % 2 == 1  # rotation keeps the parity of the sum; coloured cells had an even one
        yield Orientation(tuple(offsets), tuple(cell_difference(offset) for offset in offsets), odd, _edges(offsets))


def _edges(offsets: Sequence[Offset]) -> tuple[tuple[Offset, ...], ...]:
    """Per side the cells at most one from the outermost; supersets of another set are dropped as redundant."""  # R12
    far_x, far_y = max(x for x, _, _ in offsets), max(y for _, y, _ in offsets)
    edges = {
        frozenset(offset for offset in offsets if offset[0] >= far_x - 1),
        frozenset(offset for offset in offsets if offset[0] <= 1),
        frozenset(offset for offset in offsets if offset[1] >= far_y - 1),
        frozenset(offset for offset in offsets if offset[1] <= 1),
    }
    least = [edge for edge in edges if not any(other < edge for other in edges)]
    return tuple(sorted(tuple(sorted(edge)) for edge in least))


def cell_difference(offset: Offset) -> int:
    """The difference between two cells with this offset."""
    return cell(*offset) - cell(0, 0, 0)


def normalized(cells: Sequence[Cell]) -> tuple[int, ...]:
    """The shape of the cells regardless of position: differences from the corner of their bounding box."""
    corner = cell(min(map(x_of, cells)), min(map(y_of, cells)), min(map(z_of, cells)))
    return tuple(sorted(place - corner for place in cells))


def _refuse(key: str, **arguments: Argument) -> Never:
    raise BadSetup(say(key, **arguments), "R2", "stones")
