"""Games and bots for tests of players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import spieltisch
from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Outcome, Over
from spieltisch.core.player import AnyPlayer
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.records import read

GAMES = [game.for_simulation for game in registry.all()]
NAMES = [game.name for game in GAMES]


def new_referee(game: AnyGame, seats: int = 2, seed: int = 1, first: int = 0, **options: object) -> Referee:
    """The referee of a new game."""
    return Referee(game, game.agree(seats, options=options, first=first), seeded(seed))


def late_referee(game: AnyGame, left: int, seed: int = 1) -> Referee:
    """The referee of the golden game of greedy players, so many actions before its end."""
    path = Path(spieltisch.__file__).parent / "games" / game.name / "tests" / "golden" / "all-greedy.game"
    record = read(path.read_text(encoding="utf-8")).games[0]
    return Referee.resume(game, replace(record, entries=record.entries[:-left], result=None, ending=None), seeded(seed))


def make_bots(game: AnyGame, names: Sequence[str], seed: int = 1) -> list[AnyPlayer]:
    """Bots of these names, each with a seed of its own."""
    return [players.make(name, game, f"{seed}/{seat}") for seat, name in enumerate(names)]


def play_out(referee: Referee, bots: Sequence[AnyPlayer]) -> Outcome:
    """Plays the game to its end, and returns the outcome."""
    while not isinstance(pending := referee.settle(), Over):
        referee.ask(bots[pending.seat])
    return pending.outcome
