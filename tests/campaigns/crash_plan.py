"""Plan of a crash test: the tables of an evening."""

from __future__ import annotations

from typing import NamedTuple


class TablePlan(NamedTuple):
    """A table of an evening: its people and bots, and what happens there."""

    game: str
    people: int
    bots: tuple[str, ...] = ()
    games: int = 1
    rematch: bool = False
    watched: bool = False
    moves: int | None = None  # after which a user resigns, unless the game is over

    @property
    def played(self) -> int:
        return self.games * (1 + self.rematch)


def plan_evening(seed: int) -> list[TablePlan]:
    """The tables of an evening: twelve games, most of them short, sometimes one with a judge."""
    return [
        TablePlan("template", 1, ("level:1",)),
        TablePlan("template", 2, rematch=True, watched=True),
        TablePlan("template", 0, ("level:2", "level:1", "level:1")),
        TablePlan("template", 1, ("level:2", "level:1")),
        TablePlan("bigpoints", 1, ("level:3",)),
        TablePlan("bigpoints", 2, games=2),
        TablePlan("bigpoints", 3, watched=True),
        TablePlan("bigpoints", 0, ("level:1", "level:3")),
        TablePlan("rondo", 2, watched=True) if seed % 2 else TablePlan("rondo", 1, ("level:1",)),
        TablePlan("template", 2, ("level:1",)) if seed % 4 else TablePlan("turmbauer", 1, ("level:1",), moves=8),
    ]
