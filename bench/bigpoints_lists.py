"""A second implementation of Big Points with plain lists: the baseline for speed, and the oracle for tests."""

from __future__ import annotations

PAWNS = ["b", "r", "y", "g", "p"]


class Table:
    """A game in progress; moves are texts in the notation."""

    def __init__(self, track: list[str], players: int, first: int = 0, humble: bool = False) -> None:
        self.track: list[str | None] = list(track)
        self.pawns: dict[str, int] = dict.fromkeys(PAWNS, -1)
        self.stairs: list[str] = []
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.beside = list(PAWNS)
        self.out: list[str] = []
        self.seat = first
        self.extra = False
        self.humble = humble

    def after(self, move: str) -> Table:
        """The game after a move, with the guarantees of the contract: illegal moves are refused, and this game is unchanged."""
        if move not in self.choices():
            raise ValueError(f"{move} is not allowed")
        copy = Table([], 0, self.seat, self.humble)
        copy.track = list(self.track)
        copy.pawns = dict(self.pawns)
        copy.stairs = list(self.stairs)
        copy.hands = [list(hand) for hand in self.hands]
        copy.beside = list(self.beside)
        copy.out = list(self.out)
        copy.extra = self.extra
        copy.play(move)
        return copy

    def over(self) -> bool:
        return len(self.stairs) == 5

    def choices(self) -> list[str]:
        found: list[str] = []
        for pawn in PAWNS:
            if pawn in self.stairs:
                continue
            star = "*" if self.extra else ""
            target = self.forward(pawn)
            if target is None:
                found.append(f"{star}{pawn}^")
            else:
                found += [f"{star}{pawn}{take}" for take in self.takes(pawn, target)]
            if self.extra:
                target = self.backward(pawn)
                if target is not None:
                    found += [f"*{pawn}<{take}" for take in self.takes(pawn, target)]
        if self.extra:
            found.append(".")
        return found

    def forward(self, pawn: str) -> int | None:
        for place in range(self.pawns[pawn] + 1, len(self.track)):
            if self.track[place] == pawn:
                return place
        return None

    def backward(self, pawn: str) -> int | None:
        for place in range(self.pawns[pawn] - 1, -1, -1):
            if self.track[place] == pawn:
                return place
        return None

    def takes(self, pawn: str, target: int) -> list[str]:
        found = []
        if self.nearest(pawn, target, +1) is not None:
            found.append("+")
        if self.nearest(pawn, target, -1) is not None:
            found.append("-")
        return found or ["0"]

    def nearest(self, pawn: str, target: int, direction: int) -> int | None:
        standing = [place for other, place in self.pawns.items() if other != pawn and other not in self.stairs]
        place = target + direction
        while 0 <= place < len(self.track):
            if self.track[place] is not None and place not in standing:
                return place
            place += direction
        return None

    def play(self, move: str) -> None:
        if move == ".":
            self.extra = False
            self.seat = (self.seat + 1) % len(self.hands)
            return
        hand = self.hands[self.seat]
        may_follow = not self.extra and "k" in hand
        if self.extra:
            hand.remove("k")
            self.out.append("k")
        pawn, take = move.strip("*")[0], move[-1]
        target = self.backward(pawn) if "<" in move else self.forward(pawn)
        if target is None:
            self.stairs.append(pawn)
            self.beside.remove(pawn)
            hand.append(pawn)
        else:
            taken = None
            if take != "0":
                taken = self.nearest(pawn, target, +1 if take == "+" else -1)
            self.pawns[pawn] = target
            if taken is not None:
                disc = self.track[taken]
                assert disc is not None
                hand.append(disc)
                self.track[taken] = None
        self.extra = may_follow and not self.over()
        if not self.extra:
            self.seat = (self.seat + 1) % len(self.hands)

    def scores(self) -> list[int]:
        values = [0, 1, 2, 3, 4] if self.humble else [4, 3, 2, 1, 0]
        worth = {pawn: values[step] for step, pawn in enumerate(self.stairs)}
        found = []
        for hand in self.hands:
            points = 0
            for disc in hand:
                if disc == "w":
                    points += len(set(hand) - {"w"})
                elif disc != "k":
                    points += worth[disc]
            found.append(points)
        return found
