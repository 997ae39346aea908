"""The solver: the last turns of Big Points between two greedy players, with and without hints, and compiled."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from functools import cache
from math import inf
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench import compiled
from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.players.solve import Hints, find_hints, solve

ROOT = Path(__file__).parent.parent
GAMES = 40
NODES = 25_000
TURNS = (6, 8, 10, 12)


class Work(NamedTuple):
    """The cost of solving each position: nodes and seconds, infinite if it was not solved."""

    nodes: list[int]
    seconds: list[float]

    def within(self, seconds: float) -> str:
        """The share of positions solved within so many seconds."""
        return f"{100 * sum(took < seconds for took in self.seconds) / len(self.seconds):5.1f}%"


@cache
def game_states(seed: int) -> list[Any]:
    """The states at the start of each turn of a game between greedy players."""
    game, source = registry.find("bigpoints"), seeded(f"solve {seed}")
    referee = Referee(game, game.agree(2, first=source.first(2)), source)
    bots = [players.make("greedy", game, f"{seed}/{seat}") for seat in range(2)]
    while not isinstance(pending := referee.settle(), Over):
        referee.ask(bots[pending.seat])
    return [step.before for step in referee.steps if step.seat is not None and not step.before.extra]


def positions(turns: int, games: int = GAMES) -> list[Any]:
    """Positions with so many turns left in the game they are from."""
    return [game_states(seed)[-turns] for seed in range(games)]


def work(game: AnyGame, states: list[Any], nodes: int, hints: Hints, *, victory_only: bool = False) -> Work:
    """Solves the positions, each within so many nodes."""
    looked, took = [], []
    for state in states:
        began = time.process_time()
        found = solve(
            game, state, nodes, key=hints.key, order=hints.order, bounds=hints.bounds, victory_only=victory_only
        )
        took.append(time.process_time() - began if found else inf)
        looked.append(found.nodes if found else nodes)
    return Work(looked, took)


def compiled_seconds() -> float:
    """The seconds of the compiled solver for the last eight turns."""
    command = [sys.executable, "-m", "bench.solve", "worker"]
    ran = subprocess.run(  # noqa: S603
        command, cwd=ROOT, env=compiled.environment(), check=True, capture_output=True, text=True
    )
    seconds: float = json.loads(ran.stdout)
    return seconds


def main() -> None:
    game = registry.find("bigpoints")
    hints = find_hints(game)
    print(f"Solving Big Points, two players, {GAMES} games, {NODES} positions looked at at most")
    for turns in TURNS:
        states = positions(turns)
        whole, victory = (work(game, states, NODES, hints, victory_only=only) for only in (False, True))
        print(
            f"  last {turns:2} turns  {whole.within(inf)} solved, {median(whole.nodes):6.0f} positions in the median;"
            f" {whole.within(2)} in 2 s here; only who wins: {victory.within(inf)}, {median(victory.nodes):5.0f} positions"
        )
    states = positions(8)
    told = work(game, states, 10 * NODES, hints)
    untold = work(game, states, 10 * NODES, Hints(hints.key))
    print(f"  without bounds         {sum(untold.nodes) / sum(told.nodes):6.2f} × the positions, last 8 turns")
    print(f"  compiled               {sum(told.seconds) / compiled_seconds():6.2f} × as fast, last 8 turns")


def worker() -> None:
    """Solves the last eight turns once, and prints the seconds."""
    game = registry.find("bigpoints")
    assert compiled.is_compiled()
    print(sum(work(game, positions(8), 10 * NODES, find_hints(game)).seconds))


if __name__ == "__main__":
    worker() if sys.argv[1:] == ["worker"] else main()
