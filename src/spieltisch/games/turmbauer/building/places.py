"""Legal places of a stone, computed with bitboards.

A frame is a bounding box around the tower; bit n of an integer stands for its n-th cell. Shifting a bitboard by the
offset of one of a stone's cells tests that cell for every position of the stone, so that a few shifts and ANDs check
each rule for all positions. The margin around the tower is wider than any stone is long: a stone that touches the tower
lies inside the box, and one that wraps around an edge touches nothing. The sides have odd lengths, so that the bits
alternate like a checkerboard.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from spieltisch.games.turmbauer.building.cells import (
    FOUNDATION,
    TABLE,
    Cell,
    above,
    beside,
    cell,
    is_coloured,
    x_of,
    y_of,
    z_of,
)
from spieltisch.games.turmbauer.building.climbing import NEUTRAL, Terrain, terrain_of
from spieltisch.games.turmbauer.building.stones import Kind, Offset, Orientation
from spieltisch.games.turmbauer.state import Cells, Tower

_MARGIN: Final = 7  # one more than any stone is long

Bitboard: TypeAlias = int  # a set of cells of a frame


class PawnExits(NamedTuple):
    """A pawn that must not be walled in, with the cells that would close each of its exits."""

    pawn: Cell
    colour: int
    closing: tuple[Bitboard, ...]


class Frame:
    """A tower with its pawns as bitboards, for the colour that builds."""

    def __init__(self, tower: Tower, pawns: tuple[Cell, ...], builder: int, first_round: bool) -> None:
        self.terrain = terrain_of(tower)
        self.builder = builder
        cubes = self.terrain.cubes
        west, east = min(map(x_of, cubes)) - _MARGIN, max(map(x_of, cubes)) + _MARGIN
        south, north = min(map(y_of, cubes)) - _MARGIN, max(map(y_of, cubes)) + _MARGIN
        self.south = south
        self.west = west - (west + south) % 2
        self.row = (east - self.west + 1) | 1
        self.floor = self.row * ((north - south + 1) | 1)
        self.size = size = self.floor * (max(map(z_of, cubes)) + 1 + _MARGIN)
        everything = (1 << size) - 1
        table = (1 << self.floor) - 1 if first_round else 0
        occupied = self.board(cubes)
        taken = occupied | self.board(above(pawn) for pawn in pawns if pawn != TABLE)
        self.free = (everything if first_round else everything >> self.floor << self.floor) & ~taken  # R8, R11
        self.support = occupied << self.floor | table  # R12
        self.beside = self.board(near for stone in FOUNDATION for near in (*beside(stone), above(stone)))
        self.first_round = first_round
        even = ((1 << size + size % 2) - 1) // 3
        self.patterns = (even, even << 1)  # R9
        self.exits = tuple(self._find_exits(pawns, table))
        self._shifted: dict[tuple[str, Offset], Bitboard] = {}
        self._places: dict[Kind, tuple[Cells, ...]] = {}

    def board(self, cells: Iterable[Cell]) -> Bitboard:
        """The cells as a bitboard."""
        bits = bytearray(self.size // 8 + 1)
        for place in cells:
            at = x_of(place) - self.west + (y_of(place) - self.south) * self.row + z_of(place) * self.floor
            bits[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(bits, "little")

    def cells(self, board: Bitboard) -> Iterator[Cell]:
        """The cells of a bitboard, ascending."""
        at = -1
        bits = f"{board:b}"[::-1]
        while (at := bits.find("1", at + 1)) >= 0:
            z, rest = divmod(at, self.floor)
            y, x = divmod(rest, self.row)
            yield cell(x + self.west, y + self.south, z)

    def _find_exits(self, pawns: tuple[Cell, ...], table: Bitboard) -> Iterator[PawnExits]:
        for colour, pawn in enumerate(pawns):
            closing = tuple(
                self.board(map(Cell, step.room))
                | (table if step.place == TABLE else 0)  # a stone can enclose the square
                for step in (self.terrain.open_steps(pawn) if pawn != TABLE else ())
                if self.terrain.may_enter(step.place, colour)
            )
            if closing:
                yield PawnExits(pawn, colour, closing)

    def at(self, name: str, board: Bitboard, offset: Offset) -> Bitboard:
        """The corners of stones whose cell at the offset is on the bitboard."""
        key = name, offset
        if key not in self._shifted:
            self._shifted[key] = board >> (offset[0] + offset[1] * self.row + offset[2] * self.floor)
        return self._shifted[key]

    def corners(self, orientation: Orientation) -> Bitboard:
        """The legal positions of the corner of a stone in an orientation."""
        fits = self.patterns[orientation.odd]  # R9
        for offset in orientation.offsets:
            fits &= self.at("free", self.free, offset)  # R8, R11
        for edge in orientation.edges:  # R11, R12
            fits &= self.any_at("support", self.support, edge)
        if self.first_round:
            fits &= self.any_at("beside", self.beside, orientation.offsets)  # R11
        for exits in self.exits if fits else ():
            fits &= ~self._walled_in(exits, orientation, fits)  # R13
        return fits

    def any_at(self, name: str, board: Bitboard, offsets: Iterable[Offset]) -> Bitboard:
        """The corners of stones of which a cell at one of the offsets is on the bitboard."""
        found = 0
        for offset in offsets:
            found |= self.at(name, board, offset)
        return found

    def _walled_in(self, exits: PawnExits, orientation: Orientation, fits: Bitboard) -> Bitboard:
        """The corners at which the stone would close the pawn's last exit."""
        for closing in exits.closing:
            closed = 0
            for x, y, z in orientation.offsets:
                closed |= closing >> (x + y * self.row + z * self.floor)
            fits &= closed
            if not fits:
                return 0
        return self.board(
            corner
            for corner in self.cells(fits)
            if not self.leaves_exit(exits, [corner + step for step in orientation.steps])
        )

    def leaves_exit(self, exits: PawnExits, cells: Iterable[int]) -> bool:
        """Whether the pawn keeps an exit if the builder's stone lies in these cells."""
        stone = {Cell(place): self.builder if is_coloured(Cell(place)) else NEUTRAL for place in cells}
        return bool(Terrain({**self.terrain.cubes, **stone}).exits(exits.pawn, exits.colour))

    def has_place(self, kind: Kind, ruled_out: Collection[Cells]) -> bool:
        """Whether there is a legal place for a kind of stone apart from those ruled out."""
        if ruled_out:
            return any(place not in ruled_out for place in self.places(kind))
        return any(map(self.corners, kind.orientations))

    def places(self, kind: Kind) -> tuple[Cells, ...]:
        """All legal places of a kind of stone, sorted by their cells."""
        if kind not in self._places:
            self._places[kind] = tuple(
                sorted(
                    tuple([Cell(corner + step) for step in orientation.steps])
                    for orientation in kind.orientations
                    for corner in self.cells(self.corners(orientation))
                )
            )
        return self._places[kind]


@lru_cache(maxsize=32)
def frame_of(tower: Tower, pawns: tuple[Cell, ...], builder: int, first_round: bool) -> Frame:
    """The frame of a tower for the colour that builds, cached."""
    return Frame(tower, pawns, builder, first_round)
