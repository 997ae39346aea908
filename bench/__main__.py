"""`make bench`: all benchmarks, each as a ratio to a baseline in the same run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from random import Random

from bench import bigpoints, envs, rondo, search, solve, turmbauer
from bench.timing import compare
from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee


def start() -> float:
    """The time of `spieltisch --help` relative to a bare interpreter."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}

    def run(*arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], env=environment, check=True, capture_output=True)  # noqa: S603

    return compare(lambda: run("-m", "spieltisch", "--help"), lambda: run("-c", "pass")).ratio


def refereed(game: AnyGame) -> float:
    """The time of random games through the referee, with log and views, relative to the bare rules."""
    games = 1

    def bare() -> None:
        dice = Random(1)
        for _ in range(games):
            state = game.initial(game.agree())
            while not isinstance(pending := game.pending(state), Over):
                state = game.apply(state, pending.actions[dice.randrange(len(pending.actions))])

    def whole() -> None:
        for seed in range(games):
            referee = Referee(game, game.agree(), seeded(seed))
            player = players.make("random", game, seed)
            while not isinstance(referee.settle(), Over):
                referee.ask(player)

    began = time.process_time()
    bare()
    games = max(1, min(40, round(0.2 / (time.process_time() - began))))
    return compare(whole, bare).ratio


def main() -> None:
    print(f"spieltisch --help                {start():6.1f} × a bare interpreter (must stay below 10)")
    for game in registry.all():
        print(f"{game.name + ', refereed':32} {refereed(game.for_simulation):6.1f} × the bare rules")
    bigpoints.main()
    rondo.main()
    turmbauer.main()
    solve.main()
    search.main()
    envs.main()


if __name__ == "__main__":
    main()
