"""Rondo: random games compared with the list-based Big Points, and chains compared with naive recursion."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import spieltisch
from bench.bigpoints import lists_round
from bench.rondo_lists import Table
from bench.rondo_lists import all_chains as naive_chains
from bench.rondo_lists import best_chain as naive_best
from spieltisch import registry
from spieltisch.core.game import Chance, Over
from spieltisch.games.rondo.board import LETTERS
from spieltisch.games.rondo.chains import BestChain, list_chains
from spieltisch.games.rondo.state import NOWHERE, State, total

BOARD = json.loads((Path(spieltisch.__file__).parent / "games" / "rondo" / "board.json").read_text(encoding="utf-8"))
ROUNDS = 20


def games_round(games: int = 8) -> float:
    """Decisions per second of random games through the contract."""
    game, dice, decisions = registry.find("rondo"), Random(1), 0
    began = time.process_time()
    for number in range(games):
        state = game.initial(game.agree(2 + number % 3))
        while not isinstance(pending := game.pending(state), Over):
            if isinstance(pending, Chance):
                action = dice.choices(pending.actions, pending.weights)[0]
            else:
                action = pending.actions[int(dice.random() * len(pending.actions))]
                decisions += 1
            state = game.apply(state, action)
    return decisions / (time.process_time() - began)


def positions(number: int) -> list[tuple[State, Table]]:
    """Turns with five stones on the rack, in the middle of random games, for both implementations."""
    game, found = registry.find("rondo"), []
    for seed in range(10 * number):
        dice, state, table = Random(seed), game.initial(game.agree(2)), Table(BOARD, "blue", 2)
        while not isinstance(pending := game.pending(state), Over):
            if state.last == NOWHERE and not state.drawing and total(state.racks[state.seat]) == 5:
                found.append((state, table.copy()))
                break
            if isinstance(pending, Chance):
                text = LETTERS[dice.choices(pending.actions, pending.weights)[0].colour]
            else:
                texts = [game.write(state, action) for action in pending.actions]
                text = "pass" if "pass" in texts and dice.random() < 0.6 else dice.choice(texts)
            state = game.apply(state, game.read(state, text))
            table.play(text)
        if len(found) == number:
            break
    return found


def _seconds(act: Callable[[Any], object], things: list[Any]) -> float:
    began = time.process_time()
    for thing in things:
        act(thing)
    return time.process_time() - began


def main() -> None:
    base = lists_round(in_place=False)
    rates = [(games_round(), base()) for _ in range(ROUNDS)]
    ours, lists = median(rate for rate, _ in rates), median(rate for _, rate in rates)
    print("Rondo")
    print(f"  random games              {ours / lists:7.2f} × the decisions per second of Big Points with lists")
    found = positions(6)
    states, tables = [state for state, _ in found], [table for _, table in found]
    chains = sum(len(list_chains(state)) for state in states)
    for state, table in found:
        assert len(list_chains(state)) == len(naive_chains(table))
        assert BestChain(state).value == naive_best(table)[0]
    listed = [(_seconds(naive_chains, tables), _seconds(list_chains, states)) for _ in range(3)]
    best = [(_seconds(naive_best, tables), _seconds(BestChain, states)) for _ in range(3)]
    print(
        f"  all chains of five stones {median(a / b for a, b in listed):7.1f} × as fast as naive recursion ({chains} chains)"
    )
    print(f"  the best chain            {median(a / b for a, b in best):7.1f} × as fast as listing all that way")


if __name__ == "__main__":
    main()
