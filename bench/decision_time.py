"""Processor time per decision of players that meet at one table, and their shares of the victories.

OPENBLAS_NUM_THREADS=1 PYTHONPATH=src python bench/decision_time.py GAME PLAYER,PLAYER,… --games 20

Each deal is played as often as there are players, who move on by one seat from game to game. Decisions with a single
choice are not counted. The arena measures strength; this is about the cost.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from spieltisch import players, registry
from spieltisch.core.game import Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee


@dataclass
class Tally:
    """What is counted of one player."""

    victories: float = 0.0
    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("game")
    options.add_argument("players")
    options.add_argument("--games", type=int, default=20)
    given = options.parse_args()
    names = given.players.split(",")
    tallies = [Tally() for _ in names]
    for number in range(given.games):
        play(given.game, names, number, tallies)
    for name, tally in zip(names, tallies, strict=True):
        mean, longest = 1000 * tally.seconds / max(1, tally.decisions), 1000 * tally.longest
        print(f"{name:12} {tally.victories:g} of {given.games} victories, ", end="")
        print(f"{mean:.1f} ms per decision ({tally.decisions}), at most {longest:.0f} ms")


def play(title: str, names: list[str], number: int, tallies: list[Tally]) -> None:
    game, count = registry.find(title).for_simulation, len(names)
    seats = [(number + seat) % count for seat in range(count)]
    referee = Referee(game, game.agree(count), seeded(f"m/{number // count}"))
    bots = [players.make(names[index], game, f"{number}/{seat}") for seat, index in enumerate(seats)]
    while not isinstance(pending := referee.settle(), Over):
        tally, before = tallies[seats[pending.seat]], time.process_time()
        referee.ask(bots[pending.seat])
        if len(pending.actions) > 1:
            spent = time.process_time() - before
            tally.decisions += 1
            tally.seconds += spent
            tally.longest = max(tally.longest, spent)
    ranks = pending.outcome.ranks
    for index, rank in zip(seats, ranks, strict=True):
        tallies[index].victories += (rank == 1) / ranks.count(1)


if __name__ == "__main__":
    main()
