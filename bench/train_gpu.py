"""Trains a game's net on a machine that has nothing but JAX and NumPy; prints its speed and its progress.

PYTHONPATH=src python bench/train_gpu.py GAME --minutes 5 --out FOLDER
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from pathlib import Path

import jax

from spieltisch import registry
from spieltisch.nets.weights import load_weights
from spieltisch.training.learner import state_of
from spieltisch.training.run import Limit, Progress, Training, is_large


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("game")
    options.add_argument("--minutes", type=float)
    options.add_argument("--within", type=float, help="minutes for everything, compilation included")
    options.add_argument("--updates", type=int)
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--recipe", type=json.loads, default={}, help="fields of the recipe to replace, as JSON")
    options.add_argument("--full", action="store_true", help="the full net and all settings, also without a GPU")
    options.add_argument("--start", type=Path, help="a weights file to start from, instead of random weights")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    print(f"JAX {jax.__version__} on {jax.devices()[0].device_kind}", flush=True)
    started = time.monotonic()
    changes = {name: tuple(value) if isinstance(value, list) else value for name, value in given.recipe.items()}
    if given.start:
        changes["start"] = _describe(given.start)
    limit = Limit(given.minutes, given.updates)
    large = is_large() or given.full
    training = Training(registry.find(given.game), given.out, limit, given.seed, large, changes, "en")
    if given.start and not training.updates:
        params = load_weights(given.start, training.game).params
        training.state = state_of(params)
    training.compile()
    if given.within:
        training.limit = Limit(given.within - (time.monotonic() - started) / 60, given.updates)
    decisions = sum(one.self_play.games for one in training.setups) * training.recipe.steps
    print(
        f"compiled {len(training.setups)} setups in {time.monotonic() - started:.0f} s; {decisions} decisions a chunk"
    )
    first = (training.updates, training.seconds)
    printed = 0.0

    def report(progress: Progress) -> None:
        nonlocal printed, first
        if progress.updates <= 3:
            first = (progress.updates, progress.seconds)
        if not (progress.results or progress.updates <= 3 or progress.seconds > printed + 10):
            return
        printed = progress.seconds
        rate = decisions * (progress.updates - first[0]) / max(1e-9, progress.seconds - first[1])
        print(
            f"{progress.seconds:6.1f} s, {100 * progress.done:5.1f} %, {progress.updates} updates, "
            f"{progress.games} games, {rate:.0f} decisions/s, loss {progress.victory_loss:.4f} "
            f"{progress.points_loss:.4f}",
            *(f"| {one.players} {one.opponent} {100 * one.share:.1f} ± {100 * one.error:.1f} % "
              f"{one.points:.1f}:{one.others:.1f}" for one in progress.results),
            flush=True,
        )  # fmt: skip

    info = training.run(report)
    for match in info.figures["matches"]:
        print(match)
    for file in sorted(given.out.iterdir()):
        print(file.name, file.stat().st_size)


def _describe(file: Path) -> str:
    """The weights of a file, so that they can be found again: their hash."""
    return f"weights with SHA-256 {hashlib.sha256(file.read_bytes()).hexdigest()[:16]}"


if __name__ == "__main__":
    main()
