"""A second implementation of Rondo with plain lists and dicts: the baseline for speed, and the oracle for tests."""

from __future__ import annotations

from typing import Any

COLOURS = ["P", "B", "Y", "G", "R"]
CENTRE = "C"
MOST = 5


class Table:
    """A game in progress; moves and draws are texts in the notation. The board is the document, a side its edition."""

    def __init__(self, board: dict[str, Any], side: str, players: int, first: int = 0) -> None:
        self.board = board
        self.side = side
        self.players = players
        self.first = first
        self.seat = first
        self.bag: list[str] = [letter for letter in COLOURS for _ in range(24)]
        self.racks: list[list[str]] = [[] for _ in range(players)]
        self.points: list[int] = [0] * players
        self.turns: list[int] = [0] * players
        self.laid: dict[str, list[str]] = {}  # big letters face up, a small one face down
        self.chain: list[str] = []
        self.to_draw: list[int] = [(first + step // 2) % players for step in range(2 * players)]  # who draws, in order
        self.dealing = True
        self.ending: str | None = None  # the first cause, from the turn that brought it about
        self.finished = False

    def copy(self) -> Table:
        copy = Table(self.board, self.side, self.players, self.first)
        copy.seat = self.seat
        copy.bag = list(self.bag)
        copy.racks = [list(rack) for rack in self.racks]
        copy.points = list(self.points)
        copy.turns = list(self.turns)
        copy.laid = {field: list(stones) for field, stones in self.laid.items()}
        copy.chain = list(self.chain)
        copy.to_draw = list(self.to_draw)
        copy.dealing = self.dealing
        copy.ending = self.ending
        copy.finished = self.finished
        return copy

    def after(self, text: str) -> Table:
        """The game after an action, with the guarantees of the contract: illegal actions are refused, and this game is unchanged."""
        if text not in self.choices():
            raise ValueError(f"{text} is not allowed")
        copy = self.copy()
        copy.play(text)
        return copy

    # what the game waits for

    @property
    def pending(self) -> str:
        if self.finished:
            return "over"
        return "chance" if self.to_draw else "decision"

    @property
    def drawer(self) -> int:
        """The seat that draws next."""
        return self.to_draw[0]

    def choices(self) -> list[str]:
        if self.finished:
            return []
        if self.to_draw:
            return [letter for letter in COLOURS if letter in self.bag]
        rack = self.racks[self.seat]
        found: list[str] = []
        for field in self.open_fields():
            colour = self.colour(field)
            found += [f"{field}:{colour * number}" for number in range(1, rack.count(colour) + 1)]
            found += [f"{field}:{letter.lower()}" for letter in COLOURS if letter in rack]
        if self.chain:
            found.append(".")
        elif len(rack) < MOST or not found:
            found.append("pass")
        return found

    def weights(self) -> list[int]:
        return [self.bag.count(letter) for letter in self.choices()] if self.to_draw else []

    def open_fields(self) -> list[str]:
        """R6: beside anything occupied; R7: later only beside the field laid just before."""
        found: list[str] = []
        for field in self.board["cells"]:
            if field in self.laid:
                continue
            if self.chain:
                if self.chain[-1] in self.board["adjacency"][field]:
                    found.append(field)
            else:
                for neighbour in self.board["adjacency"][field]:
                    if neighbour == CENTRE or neighbour in self.laid:
                        found.append(field)
                        break
        return found

    def colour(self, field: str) -> str:
        colour: str = self.board["sides"][self.side][field]["colour"]
        return colour

    def value(self, field: str) -> int:
        value: int = self.board["sides"][self.side][field]["value"]
        return value

    # what happens

    def play(self, text: str) -> None:
        if self.to_draw:
            self.draw(text)
        elif text == "pass":
            self.turn_done(min(2, MOST - len(self.racks[self.seat])))
        elif text == ".":
            self.turn_done(1)
        else:
            self.lay(text)

    def lay(self, text: str) -> None:
        field, stones = text.split(":")
        for letter in stones:
            self.racks[self.seat].remove(letter.upper())
        self.laid[field] = list(stones)
        self.chain.append(field)
        if stones.isupper():
            self.points[self.seat] += len(stones) * self.value(field)
        if self.ending is None and all(grey in self.laid for grey in self.board["grey"]):
            self.ending = "grey"

    def turn_done(self, granted: int) -> None:
        if granted > len(self.bag):
            granted = len(self.bag)
            if self.ending is None:
                self.ending = "bag"
        self.chain = []
        self.turns[self.seat] += 1
        self.to_draw = [self.seat] * granted
        if not self.to_draw:
            self.next_seat()

    def draw(self, letter: str) -> None:
        self.bag.remove(letter)
        self.racks[self.to_draw.pop(0)].append(letter)
        if self.to_draw:
            return
        if self.dealing:
            self.dealing = False
        else:
            self.next_seat()

    def next_seat(self) -> None:
        self.seat = (self.seat + 1) % self.players
        if self.ending is not None and self.seat == self.first:
            self.finished = True

    # the end

    def scores(self) -> list[int]:
        return list(self.points)

    def ranks(self) -> list[int]:
        """One plus the number of better players: by points, then by stones left."""
        found: list[int] = []
        for seat in range(self.players):
            better = 0
            for other in range(self.players):
                more = self.points[other] > self.points[seat]
                level = self.points[other] == self.points[seat]
                if more or (level and len(self.racks[other]) > len(self.racks[seat])):
                    better += 1
            found.append(better + 1)
        return found

    def stones(self) -> int:
        """The number of stones in the whole game."""
        return len(self.bag) + sum(map(len, self.racks)) + sum(map(len, self.laid.values()))


def all_chains(table: Table) -> list[tuple[str, ...]]:
    """Every chain that the seat can lay from here on in this turn, without the dot that ends it."""
    found: list[tuple[str, ...]] = []
    for text in table.choices():
        if text not in (".", "pass"):
            found.append((text,))
            found += [(text, *rest) for rest in all_chains(table.after(text))]
    return found


def best_chain(table: Table) -> tuple[int, tuple[str, ...]]:
    """The most points of a chain, and the first chain that scores them; 0 and () if there is none."""
    most = 0
    best: tuple[str, ...] = ()
    for chain in all_chains(table):
        points = 0
        for text in chain:
            field, stones = text.split(":")
            if stones.isupper():
                points += len(stones) * table.value(field)
        if points > most or not best:
            most, best = points, chain
    return most, best
