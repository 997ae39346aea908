"""Endgames of Big Points between two players of level 5, and how long plain Python takes to solve them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from spieltisch import players, registry
from spieltisch.arena.workers import ProcessWorkers
from spieltisch.core.game import Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.players.solve import find_hints, solve
from spieltisch.records import Record, read, write
from spieltisch.records.replay import replay

TURNS = 8
NODES = 1_000_000


def play(file: Path, seed: int) -> None:
    """Plays a game between two bots of the highest level, and saves its record."""
    game, source = registry.find("bigpoints"), seeded(f"endgames/{seed}")
    referee = Referee(game, game.agree(2, first=source.first(2)), source)
    bots = [players.make(players.STRONGEST, game, f"{seed}/{seat}") for seat in range(2)]
    while not isinstance(pending := referee.settle(), Over):
        referee.ask(bots[pending.seat])
    file.write_text(write(Record((referee.record(),))), encoding="utf-8")


def seconds(file: Path) -> float:
    """The seconds that solving the last turns of a recorded game takes."""
    game = registry.find("bigpoints")
    past = replay(game, read(file.read_text(encoding="utf-8")).games[0])
    turns = [step.before for step in past.steps if step.seat is not None and not step.before.extra]
    started = time.process_time()
    assert solve(game, turns[-TURNS], NODES, **find_hints(game)._asdict()) is not None, file
    return time.process_time() - started


def measure_endgames(folder: Path, games: int, workers: ProcessWorkers) -> list[float]:
    """The times of so many endgames: played by the workers, solved by an interpreter without compiled modules."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{seed:04}.game" for seed in range(games)]
    for future in [workers.submit(play, file, seed) for seed, file in enumerate(files) if not file.exists()]:
        future.result()
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run(
        [sys.executable, "-m", "tests.support.endgames", *map(str, files)], env=plain, check=True, capture_output=True
    )
    return json.loads(ran.stdout)


if __name__ == "__main__":
    print(json.dumps([seconds(Path(name)) for name in sys.argv[1:]]))
