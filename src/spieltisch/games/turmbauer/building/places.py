"""All places of a stone at once, by bit boards.

A frame is a box around the tower; bit n of a number stands for its n-th cell. Shifting such a number by the way from a
stone's corner to one of its cells asks for that cell at every position of the stone at once, so a handful of shifts
and ANDs answers every rule for all of them. The box leaves more room around the tower than a stone is long: a stone
that touches the tower never leaves it, and one that would wrap around an edge touches nothing. Its sides are odd, so
that bits alternate like the checkerboard.
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
from spieltisch.games.turmbauer.building.stones import Kind, Offset, Pose
from spieltisch.games.turmbauer.state import Cells, Tower

_ROOM: Final = 7  # one more than any stone is long

Board: TypeAlias = int  # a set of cells


class Guard(NamedTuple):
    """A pawn that must not be walled in, and for each of its exits the cells that would close it."""

    pawn: Cell
    colour: int
    closing: tuple[Board, ...]


class Frame:
    """A tower with its pawns, and what each position of the builder's stones in it would mean."""

    def __init__(self, tower: Tower, pawns: tuple[Cell, ...], builder: int, first_round: bool) -> None:
        self.terrain = terrain_of(tower)
        self.builder = builder
        cubes = self.terrain.cubes
        west, east = min(map(x_of, cubes)) - _ROOM, max(map(x_of, cubes)) + _ROOM
        south, north = min(map(y_of, cubes)) - _ROOM, max(map(y_of, cubes)) + _ROOM
        self.south = south
        self.west = west - (west + south) % 2
        self.row = (east - self.west + 1) | 1
        self.floor = self.row * ((north - south + 1) | 1)
        self.size = size = self.floor * (max(map(z_of, cubes)) + 1 + _ROOM)
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
        self.guards = tuple(self._guards(pawns, table))
        self._shifted: dict[tuple[str, Offset], Board] = {}
        self._places: dict[Kind, tuple[Cells, ...]] = {}

    def board(self, cells: Iterable[Cell]) -> Board:
        """The cells as a bit board."""
        bits = bytearray(self.size // 8 + 1)
        for place in cells:
            at = x_of(place) - self.west + (y_of(place) - self.south) * self.row + z_of(place) * self.floor
            bits[at >> 3] |= 1 << (at & 7)
        return int.from_bytes(bits, "little")

    def cells(self, board: Board) -> Iterator[Cell]:
        """The cells of a bit board, ascending."""
        at = -1
        bits = f"{board:b}"[::-1]
        while (at := bits.find("1", at + 1)) >= 0:
            z, rest = divmod(at, self.floor)
            y, x = divmod(rest, self.row)
            yield cell(x + self.west, y + self.south, z)

    def _guards(self, pawns: tuple[Cell, ...], table: Board) -> Iterator[Guard]:
        for colour, pawn in enumerate(pawns):
            closing = tuple(
                self.board(map(Cell, step.room))
                | (table if step.place == TABLE else 0)  # a stone may fence the table off
                for step in (self.terrain.open_steps(pawn) if pawn != TABLE else ())
                if self.terrain.may_enter(step.place, colour)
            )
            if closing:
                yield Guard(pawn, colour, closing)

    def at(self, name: str, board: Board, offset: Offset) -> Board:
        """The corners of stones that have a cell of the board at that offset."""
        key = name, offset
        if key not in self._shifted:
            self._shifted[key] = board >> (offset[0] + offset[1] * self.row + offset[2] * self.floor)
        return self._shifted[key]

    def corners(self, pose: Pose) -> Board:
        """Where the corner of a stone so turned can lie."""
        fits = self.patterns[pose.odd]  # R9
        for offset in pose.offsets:
            fits &= self.at("free", self.free, offset)  # R8, R11
        for edge in pose.edges:  # R11, R12
            fits &= self.some("support", self.support, edge)
        if self.first_round:
            fits &= self.some("beside", self.beside, pose.offsets)  # R11
        for guard in self.guards if fits else ():
            fits &= ~self._walled_in(guard, pose, fits)  # R13
        return fits

    def some(self, name: str, board: Board, offsets: Iterable[Offset]) -> Board:
        """The corners of stones that have a cell of the board at one of the offsets."""
        found = 0
        for offset in offsets:
            found |= self.at(name, board, offset)
        return found

    def _walled_in(self, guard: Guard, pose: Pose, fits: Board) -> Board:
        """Those of the corners where the stone takes the pawn's last exit."""
        for closing in guard.closing:
            closed = 0
            for x, y, z in pose.offsets:
                closed |= closing >> (x + y * self.row + z * self.floor)
            fits &= closed
            if not fits:
                return 0
        return self.board(
            corner for corner in self.cells(fits) if not self.leaves_exit(guard, [corner + step for step in pose.steps])
        )

    def leaves_exit(self, guard: Guard, cells: Iterable[int]) -> bool:
        """Whether the pawn has an exit once the builder's stone lies there."""
        stone = {Cell(place): self.builder if is_coloured(Cell(place)) else NEUTRAL for place in cells}
        return bool(Terrain({**self.terrain.cubes, **stone}).exits(guard.pawn, guard.colour))

    def has_place(self, kind: Kind, ruled_out: Collection[Cells]) -> bool:
        """Whether there is a place for that stone beside those ruled out."""
        if ruled_out:
            return any(place not in ruled_out for place in self.places(kind))
        return any(map(self.corners, kind.poses))

    def places(self, kind: Kind) -> tuple[Cells, ...]:
        """All places of that stone, in the order of their cells."""
        if kind not in self._places:
            self._places[kind] = tuple(
                sorted(
                    tuple([Cell(corner + step) for step in pose.steps])
                    for pose in kind.poses
                    for corner in self.cells(self.corners(pose))
                )
            )
        return self._places[kind]


@lru_cache(maxsize=32)
def frame_of(tower: Tower, pawns: tuple[Cell, ...], builder: int, first_round: bool) -> Frame:
    """The frame of a tower for the colour that builds."""
    return Frame(tower, pawns, builder, first_round)
