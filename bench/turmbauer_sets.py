"""A second implementation of Turmbauer with plain sets and dicts: the baseline for speed, and the oracle for tests."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from copy import copy as shallow
from itertools import permutations, product
from pathlib import Path
from typing import Any

Cell = tuple[int, int, int]
Square = tuple[int, int]
Place = frozenset[Cell]
Stand = Cell | None  # where a pawn stands: the cube under it, None is the table
Turned = list[tuple[Cell, bool]]  # a stone in one rotation: its cells, and whether each is coloured

STONES = Path(__file__).parent.parent / "src/spieltisch/games/turmbauer/stones.json"
COLOURS = ["R", "B", "G", "K"]
BROWN = "brown"
NATURAL = "natural"
FOUNDATION: Place = frozenset({(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)})
SIDES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
FACES = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
ROLLS = [f"{low}+{high}" for low in range(1, 7) for high in range(low, 7)]
TREMORS = ["~N", "~E", "~S", "~W"]
ROUNDS = 12
TRIES = 3


class Table:
    """A game in progress; actions are texts in the notation."""

    def __init__(
        self, players: int, first: int = 0, hand: str = "steady", stones: dict[str, Any] | None = None
    ) -> None:
        if stones is None:
            stones = json.loads(STONES.read_text(encoding="utf-8"))
        assert stones is not None
        self.players = players
        self.hand = hand
        self.sizes: dict[str, int] = {kind: len(stone["cells"]) for kind, stone in stones["kinds"].items()}
        self.turned: dict[str, list[Turned]] = {kind: rotations(stone) for kind, stone in stones["kinds"].items()}
        used = COLOURS[:3] if players == 3 else COLOURS
        self.order = used[first:] + used[:first]  # R4
        whole = [kind for kind, stone in stones["kinds"].items() for _ in range(stone["copies"])]
        self.stock: dict[str, list[str]] = {colour: list(whole) for colour in used}
        self.box: dict[str, list[str]] = {colour: [] for colour in used}
        self.rings: dict[str, int] = dict.fromkeys(used, 2)
        self.pawns: dict[str, Stand] = dict.fromkeys(used)
        self.tower: list[tuple[str, str, Place]] = []  # in building order, without the foundation
        self.turn = 0  # how many turns are over, of all colours together
        self.phase = "roll"  # then "stone", "place", "tremor", "verdict", "move", at last "over"
        self.dice: tuple[int, int] = (0, 0)
        self.kind = ""  # the stone chosen
        self.with_a = False  # ring a is declared for it
        self.place: Place = frozenset()  # where it is tried
        self.spent = False  # a ring is spent in this turn
        self.failed = 0  # tries of this turn that fell
        self.ruled_out: set[Place] = set()
        self.ending: str | None = None
        self.causer: int | None = None

    def copy(self) -> Table:
        copy = shallow(self)
        copy.stock = {colour: list(kinds) for colour, kinds in self.stock.items()}
        copy.box = {colour: list(kinds) for colour, kinds in self.box.items()}
        copy.rings = dict(self.rings)
        copy.pawns = dict(self.pawns)
        copy.tower = list(self.tower)
        copy.ruled_out = set(self.ruled_out)
        return copy

    def after(self, text: str) -> Table:
        """The game after an action: illegal actions are refused, and this game is unchanged."""
        if self.pending == "judge":
            allowed = re.fullmatch(r"stands|fall [1-9][0-9]*", text) is not None
        else:
            allowed = text in self.choices()
        if not allowed:
            raise ValueError(f"{text} is not allowed")
        copy = self.copy()
        copy.play(text)
        return copy

    # what the game waits for

    @property
    def pending(self) -> str:
        if self.phase == "over":
            return "over"
        if self.phase == "verdict":
            return "judge"
        return "chance" if self.phase in {"roll", "tremor"} else "decision"

    @property
    def colour(self) -> str:
        """The seat to play; in a finished game the seat that played last."""
        turn = self.turn - 1 if self.ending == "built" else self.turn
        return self.order[turn % len(self.order)]

    @property
    def seat(self) -> int:
        return self.seat_of(self.colour)

    def seat_of(self, colour: str) -> int:
        """R1: with two players red and green are seat 0, blue and black seat 1."""
        return COLOURS.index(colour) % self.players

    @property
    def first_round(self) -> bool:
        return self.turn < len(self.order)

    def choices(self) -> list[str]:
        if self.phase == "roll":
            return list(ROLLS)
        if self.phase == "tremor":
            return list(TREMORS)
        if self.phase == "stone":
            return self.stone_choices()
        if self.phase == "place":
            return [place_text(place) for place in places(self, self.kind) - self.ruled_out]
        if self.phase == "move":
            return self.move_choices()
        return []

    def weights(self) -> list[int]:
        if self.phase == "roll":
            return [1 if roll[0] == roll[2] else 2 for roll in ROLLS]
        if self.phase == "tremor":
            return [1 for _ in TREMORS]
        return []

    def stone_choices(self) -> list[str]:
        """R5, R6, R14, R19: stones that fit, others with ring a, or one for the box."""
        if self.failed == TRIES:
            return [f"box {self.kind}"]
        plain: list[str] = []
        with_ring: list[str] = []
        kinds = [kind for kind in self.sizes if kind in self.stock[self.colour]]
        for kind in kinds:
            if self.fits(kind):
                if self.has_place(kind):
                    plain.append(kind)
            elif self.rings[self.colour] > 0 and self.has_place(kind):
                with_ring.append(f"a{kind}")
        if not plain:
            plain = [f"box {kind}" for kind in kinds]
        return plain + with_ring

    def fits(self, kind: str) -> bool:
        """R5: the size is on one of the dice; a double allows any."""
        return self.dice[0] == self.dice[1] or self.sizes[kind] in self.dice

    def has_place(self, kind: str) -> bool:
        return any(place not in self.ruled_out for place in each_place(self, kind))

    def move_choices(self) -> list[str]:
        plain = reach(self)
        found = ["."] + [f">{stand_text(stand)}" for stand in plain]
        if not self.spent and self.rings[self.colour] > 0:
            for ring in ["b", "c"]:
                found += [f"{ring}>{stand_text(stand)}" for stand in reach(self, ring) - plain]
        return found

    # what happens

    def play(self, text: str) -> None:
        if self.phase == "roll":
            self.dice = (int(text[0]), int(text[2]))
            self.phase = "stone"
        elif self.phase == "stone":
            self.choose(text)
        elif self.phase == "place":
            self.place = read_place(text)
            self.phase = "verdict" if self.hand == "calm" else "tremor"
        elif self.phase == "tremor":
            self.phase = "verdict"
        elif self.phase == "verdict":
            self.judged(text)
        elif self.phase == "move":
            self.move(text)
        else:
            raise ValueError("the game is over")

    def choose(self, text: str) -> None:
        if text.startswith("box "):
            kind = text.removeprefix("box ")
            self.stock[self.colour].remove(kind)
            self.box[self.colour].append(kind)
            self.phase = "move"
            return
        self.with_a = text not in self.sizes
        self.kind = text.removeprefix("a") if self.with_a else text
        self.phase = "place"

    def judged(self, text: str) -> None:
        """R14: only a stone that stands leaves the stock, and only then its ring is spent."""
        if text == "stands":
            self.stock[self.colour].remove(self.kind)
            self.tower.append((self.colour, self.kind, self.place))
            if self.with_a:
                self.spend()
            self.phase = "move"
        elif int(text.removeprefix("fall ")) >= 3:
            self.causer = self.seat
            self.ending = "collapse"
            self.phase = "over"
        else:
            self.failed += 1
            self.ruled_out.add(self.place)
            self.phase = "stone"

    def spend(self) -> None:
        self.rings[self.colour] -= 1
        self.spent = True

    def move(self, text: str) -> None:
        if text != ".":
            ring, _, goal = text.partition(">")
            if ring:
                self.spend()
            self.pawns[self.colour] = read_stand(goal)
        self.turn += 1
        self.spent = False
        self.failed = 0
        self.ruled_out = set()
        self.phase = "roll"
        if self.turn == ROUNDS * len(self.order):
            self.ending = "built"
            self.phase = "over"

    # the end

    def height(self, colour: str) -> int:
        stand = self.pawns[colour]
        return 0 if stand is None else stand[2] + 1

    def scores(self) -> list[int]:
        """R20, R21: the heights, with two players those of both pawns together."""
        found = [0] * self.players
        for colour in self.pawns:
            found[self.seat_of(colour)] += self.height(colour)
        return found

    def ranks(self) -> list[int]:
        """R20 to R22: one plus the number of better players; the player who made the tower collapse is last."""
        heights = self.scores()
        cubes = [0] * self.players
        rings = [0] * self.players
        for colour in self.pawns:
            seat = self.seat_of(colour)
            counted = self.box[colour] + (self.stock[colour] if self.ending == "collapse" else [])
            cubes[seat] += sum(self.sizes[kind] for kind in counted)
            rings[seat] += self.rings[colour]
        merits = [
            (seat != self.causer, heights[seat], -cubes[seat], rings[seat])  # the greater, the better
            for seat in range(self.players)
        ]
        return [1 + sum(other > merit for other in merits) for merit in merits]

    def cubes(self) -> int:
        """All cubes in stock, tower and box, without the foundation."""
        lying = [kind for kinds in [*self.stock.values(), *self.box.values()] for kind in kinds]
        return sum(self.sizes[kind] for kind in lying) + sum(len(place) for _, _, place in self.tower)


# notation


def place_text(place: Place) -> str:
    ordered = sorted(place, key=lambda cell: (cell[2], cell[1], cell[0]))
    return "@" + ";".join(f"{x},{y},{z}" for x, y, z in ordered)


def read_place(text: str) -> Place:
    return frozenset(read_cell(part) for part in text.removeprefix("@").split(";"))


def stand_text(stand: Stand) -> str:
    return "table" if stand is None else f"{stand[0]},{stand[1]},{stand[2] + 1}"


def read_stand(text: str) -> Stand:
    if text == "table":
        return None
    x, y, height = read_cell(text)
    return x, y, height - 1


def read_cell(text: str) -> Cell:
    x, y, z = text.split(",")
    return int(x), int(y), int(z)


# stones and tower


def rotations(stone: dict[str, Any]) -> list[Turned]:
    """The distinct ones among the 24 rotations, each shifted so that its least x, y and z are 0."""
    natural = bool(stone.get("natural", False))
    found: list[Turned] = []
    for axes in permutations(range(3)):
        for signs in product([1, -1], repeat=3):
            swaps = sum(axes[i] > axes[j] for i in range(3) for j in range(i + 1, 3))
            if (-1) ** swaps != signs[0] * signs[1] * signs[2]:
                continue  # a mirror image
            cells = [
                tuple(sign * cell[axis] for axis, sign in zip(axes, signs, strict=True)) for cell in stone["cells"]
            ]
            least = [min(cell[axis] for cell in cells) for axis in range(3)]
            coloured = [(sum(cell) % 2 == 0) != natural for cell in stone["cells"]]
            turned: Turned = sorted(
                ((cell[0] - least[0], cell[1] - least[1], cell[2] - least[2]), paint)
                for cell, paint in zip(cells, coloured, strict=True)
            )
            if turned not in found:
                found.append(turned)
    return found


def painted(colour: str, place: Place) -> dict[Cell, str]:
    """R9: the paint of each cube of a stone of this colour."""
    return {cell: colour if sum(cell) % 2 == 0 else NATURAL for cell in place}


def tower_cells(table: Table) -> dict[Cell, str]:
    """Every occupied cell and the paint of its cube."""
    cells = painted(BROWN, FOUNDATION)
    for colour, _, place in table.tower:
        cells.update(painted(colour, place))
    return cells


def open_table(cells: dict[Cell, str]) -> set[Square]:
    """R15: the free squares around and under the tower that are joined to the open table; courtyards are not."""
    low_x, high_x = min(x for x, _, _ in cells) - 1, max(x for x, _, _ in cells) + 1
    low_y, high_y = min(y for _, y, _ in cells) - 1, max(y for _, y, _ in cells) + 1
    seen = {(low_x, low_y)}
    waiting = deque(seen)
    while waiting:
        x, y = waiting.popleft()
        for dx, dy in SIDES:
            square = (x + dx, y + dy)
            inside = low_x <= square[0] <= high_x and low_y <= square[1] <= high_y
            if inside and square not in seen and (*square, 0) not in cells:
                seen.add(square)
                waiting.append(square)
    return seen


# building


def places(table: Table, kind: str) -> set[Place]:
    """Every legal place of this stone for the colour to play, also those ruled out in this turn."""
    return set(each_place(table, kind))


def each_place(table: Table, kind: str) -> Iterator[Place]:
    """Try every rotation at every cell of a box around the tower."""
    cells = tower_cells(table)
    heads = {(x, y, z + 1) for x, y, z in filter(None, table.pawns.values())}
    squares = open_table(cells)
    guarded = [colour for colour in table.pawns if has_exit(table, colour, cells, squares)]
    size = table.sizes[kind]
    xs = range(min(x for x, _, _ in cells) - size, max(x for x, _, _ in cells) + 2)
    ys = range(min(y for _, y, _ in cells) - size, max(y for _, y, _ in cells) + 2)
    zs = range(max(z for _, _, z in cells) + 2)
    for turned in table.turned[kind]:
        for x, y, z in product(xs, ys, zs):
            if not in_pattern(turned, x, y, z):
                continue
            place = frozenset((x + dx, y + dy, z + dz) for (dx, dy, dz), _ in turned)
            if any(cell in cells or cell in heads for cell in place):  # R8
                continue
            if not rests(place, cells, table.first_round):
                continue
            if not walls_in(table, place, cells, squares, guarded):
                yield place


def in_pattern(turned: Turned, x: int, y: int, z: int) -> bool:
    """R9: coloured cubes on even cells, natural ones on odd cells."""
    return all(((x + dx + y + dy + z + dz) % 2 == 0) == coloured for (dx, dy, dz), coloured in turned)


def rests(place: Place, cells: dict[Cell, str], first_round: bool) -> bool:
    """R10 to R12. What lies on an occupied cell touches it, so R10 asks no more than R11."""
    if first_round:
        if not any((x + dx, y + dy, z + dz) in FOUNDATION for x, y, z in place for dx, dy, dz in FACES):
            return False
    elif any(z == 0 for _, _, z in place):
        return False
    supported = [(x, y) for x, y, z in place if z == 0 or (x, y, z - 1) in cells]
    if not supported:
        return False
    return (
        max(x for x, _, _ in place) <= max(x for x, _ in supported) + 1
        and min(x for x, _, _ in place) >= min(x for x, _ in supported) - 1
        and max(y for _, y, _ in place) <= max(y for _, y in supported) + 1
        and min(y for _, y, _ in place) >= min(y for _, y in supported) - 1
    )


def walls_in(table: Table, place: Place, cells: dict[Cell, str], squares: set[Square], guarded: list[str]) -> bool:
    """R13: whether the stone takes the last exit from a pawn that had one."""
    if not guarded:
        return False
    after = {**cells, **painted(table.colour, place)}
    if any(z == 0 for _, _, z in place):
        squares = open_table(after)
    return not all(has_exit(table, colour, after, squares) for colour in guarded)


def has_exit(table: Table, colour: str, cells: dict[Cell, str], squares: set[Square]) -> bool:
    """R13: whether one ordinary step is possible, ignoring other pawns; not for pawns on the table."""
    stand = table.pawns[colour]
    if stand is None:
        return False
    return any(may_enter(goal, colour, cells) for goal, _ in steps(stand, cells, squares, 1))


# moving


def steps(stand: Stand, cells: dict[Cell, str], squares: set[Square], most: int) -> Iterator[tuple[Stand, int]]:
    """R15, R16: the targets of one step of at most so many levels, with its levels; paint and pawns are ignored.

    A square of the table counts as the upper face of a cube at z = -1.
    """
    starts = [(x, y, -1) for x, y in squares] if stand is None else [stand]
    for x, y, z in starts:
        for dx, dy in SIDES:
            for dz in range(-most, most + 1):
                goal = (x + dx, y + dy, z + dz)
                if goal not in cells and not (goal[2] == -1 and goal[:2] in squares):
                    continue
                higher = max(z, goal[2])
                lower = goal if dz < 0 else (x, y, z)
                if (goal[0], goal[1], goal[2] + 1) in cells:
                    continue
                if any((lower[0], lower[1], level) in cells for level in range(lower[2] + 1, higher + 2)):
                    continue
                yield (None if goal[2] == -1 else goal), abs(dz)


def may_enter(stand: Stand, colour: str, cells: dict[Cell, str]) -> bool:
    """R17, without the pawns."""
    return stand is None or cells[stand] in {NATURAL, BROWN, colour}


def reach(table: Table, ring: str = "") -> set[Stand]:
    """Every place in reach of the pawn to play, without a ring or with ring b or c, except its own."""
    colour = table.colour
    cells = tower_cells(table)
    squares = open_table(cells)
    taken = {stand for other, stand in table.pawns.items() if other != colour and stand is not None}
    seen: set[tuple[Stand, bool]] = {(table.pawns[colour], False)}  # where, and whether the two levels are used up
    waiting = deque(seen)
    while waiting:
        stand, used = waiting.popleft()
        for goal, levels in steps(stand, cells, squares, 2 if ring == "c" and not used else 1):
            if ring != "b" and (goal in taken or not may_enter(goal, colour, cells)):
                continue
            state = (goal, used or levels == 2)
            if state not in seen:
                seen.add(state)
                waiting.append(state)
    return {stand for stand, _ in seen if stand not in taken} - {table.pawns[colour]}
