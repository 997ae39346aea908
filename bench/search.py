"""Search: simulations per second of tree search and Monte Carlo, compiled and interpreted, in alternating runs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from bench import compiled
from spieltisch import players, registry
from spieltisch.core.game import AnyGame, Over
from spieltisch.core.player import Clock
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee

ROOT = Path(__file__).parent.parent
ROUNDS = 3
SIMULATIONS = 100
DECISIONS = 12


def speed(game: AnyGame, kind: str) -> float:
    """Simulations per second over some decisions in the middle of a game between greedy players."""
    game = game.for_simulation
    referee = Referee(game, game.agree(2), seeded("bench"))
    quick = [players.make("greedy", game, seat) for seat in range(2)]
    slow = players.make(f"{kind}:{SIMULATIONS}", game, 0)
    spent, asked, turn = 0.0, 0, 0
    while not isinstance(pending := referee.settle(), Over) and asked < DECISIONS:
        turn += 1
        if turn > 20 and len(pending.actions) > 1 and turn % 2:
            seen = referee.seen(pending.seat)
            began = time.process_time()
            slow.choose(seen, Clock())
            spent += time.process_time() - began
            asked += 1
        referee.ask(quick[pending.seat])
    return asked * SIMULATIONS / spent


def measured() -> dict[str, float]:
    return {f"{game.name} {kind}": speed(game, kind) for game in registry.offered() for kind in ("search", "mc")}


def main() -> None:
    compiled_speed: dict[str, list[float]] = {}
    plain: dict[str, list[float]] = {}
    environment = compiled.environment()
    for _ in range(ROUNDS):
        run = subprocess.run(
            [sys.executable, "-m", "bench.search"],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        for name, value in json.loads(run.stdout).items():
            compiled_speed.setdefault(name, []).append(value)
        for name, value in measured().items():
            plain.setdefault(name, []).append(value)
    for name, values in plain.items():
        factor = median(one / other for one, other in zip(compiled_speed[name], values, strict=True))
        print(f"{name + ', compiled':32} {factor:6.1f} × plain Python ({median(values):.0f} simulations a second here)")


if __name__ == "__main__":
    print(json.dumps(measured()))
