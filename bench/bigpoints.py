"""Big Points: random games through the public contract, compared with lists, compiled rules and OpenSpiel."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from bench import compiled
from bench.bigpoints_lists import Table
from spieltisch import registry
from spieltisch.core.game import AnyGame, Chance, Decision

ROOT = Path(__file__).parent.parent
GAMES = 24
ROUNDS = 60  # short rounds in alternation, so that a busy machine slows all of them down alike


def deal(game: AnyGame, seed: int) -> object:
    dice, state = Random(seed), game.initial(game.agree(2 + seed % 4))
    while isinstance(pending := game.pending(state), Chance):
        state = game.apply(state, dice.choices(pending.actions, pending.weights)[0])
    return state


def contract_round() -> Callable[[], float]:
    """Decisions per second through the contract."""
    game = registry.find("bigpoints")
    starts = [deal(game, seed) for seed in range(GAMES)]

    def run() -> float:
        pick, decisions, began = Random(1).random, 0, time.process_time()
        for state in starts:
            while isinstance(pending := game.pending(state), Decision):
                state = game.apply(state, pending.actions[int(pick() * len(pending.actions))])  # noqa: PLW2901
                decisions += 1
        return decisions / (time.process_time() - began)

    return run


def lists_round(*, in_place: bool) -> Callable[[], float]:
    """Decisions per second of the list-based implementation: with the guarantees of the contract, or in place and unchecked."""
    game = registry.find("bigpoints")
    tracks = [(game.observe(deal(game, seed), None).laid, 2 + seed % 4) for seed in range(GAMES)]

    def run() -> float:
        pick, decisions, began = Random(1).random, 0, time.process_time()
        for track, players in tracks:
            table = Table(list(track), players)
            while not table.over():
                choices = table.choices()
                move = choices[int(pick() * len(choices))]
                if in_place:
                    table.play(move)
                else:
                    table = table.after(move)
                decisions += 1
        return decisions / (time.process_time() - began)

    return run


def open_spiel_round(name: str, games: int) -> Callable[[], float] | None:
    """Decisions per second of OpenSpiel's game of that name, driven from Python; None if it is not installed."""
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        return None
    game = pyspiel.load_game(name)

    def run() -> float:
        dice = Random(1)
        decisions, began = 0, time.process_time()
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes = state.chance_outcomes()
                    state.apply_action(dice.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])
                else:
                    actions = state.legal_actions()
                    state.apply_action(actions[int(dice.random() * len(actions))])
                    decisions += 1
        return decisions / (time.process_time() - began)

    return run


class CompiledWorker:
    """A worker process that plays a round with compiled rules per request."""

    def __init__(self) -> None:
        environment = compiled.environment()
        command = [sys.executable, "-m", "bench.bigpoints", "worker"]
        self.process = subprocess.Popen(  # noqa: S603
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self) -> float:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write("round\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


def main() -> None:
    ways: dict[str, Callable[[], float] | None] = {
        "lists (the baseline)": lists_round(in_place=False),
        "lists, in place, unchecked": lists_round(in_place=True),
        "contract": contract_round(),
        "contract, compiled": CompiledWorker(),
        "OpenSpiel connect_four": open_spiel_round("connect_four", 80),
        "OpenSpiel backgammon": open_spiel_round("backgammon", 2),
    }
    gc.disable()  # as timeit does
    rates: dict[str, list[float]] = {name: [] for name, way in ways.items() if way}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            if way:
                rates[name].append(way())
    base = median(rates["lists (the baseline)"])
    print("Big Points, random games from dealt tracks, 2 to 5 players")
    for name, measured in rates.items():
        rate = median(measured)
        print(f"  {name:27} {rate / base:6.2f} × the baseline   ({rate:9.0f} decisions per second here)")
    if ways["OpenSpiel connect_four"] is None:
        print("  OpenSpiel is not installed: pip install -r requirements/bench.txt")


def worker() -> None:
    """Plays a round per line of standard input."""
    run = contract_round()
    gc.disable()
    assert compiled.is_compiled()
    for _ in sys.stdin:
        print(run(), flush=True)


if __name__ == "__main__":
    worker() if sys.argv[1:] == ["worker"] else main()
