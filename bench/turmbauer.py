"""Turmbauer: all places of a stone by bitboards, compared with trying every orientation at every cell; late decisions."""

from __future__ import annotations

import time
from random import Random
from statistics import median

from bench.turmbauer_sets import Table
from bench.turmbauer_sets import places as tried_places
from spieltisch.core.game import Chance, Over
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import x_of, y_of, z_of
from spieltisch.games.turmbauer.building.choices import in_stock
from spieltisch.games.turmbauer.building.climbing import cubes_of, enclosed_squares, terrain_of
from spieltisch.games.turmbauer.building.places import Frame, frame_of
from spieltisch.games.turmbauer.state import Phase, State, colour_of

LATE = 36  # stones


def late_towers(number: int) -> list[tuple[State, Table]]:
    """Turns with tall towers, each from another game, for both implementations."""
    game, found = GAME.for_replay, []
    for seed in range(number):
        dice, state, table = Random(seed), game.initial(game.agree(4)), Table(4)
        while not isinstance(pending := game.pending(state), Over):
            if state.phase is Phase.STONE and len(state.tower) >= LATE and in_stock(state):
                found.append((state, table))
                break
            judged = isinstance(pending, Chance) and pending.judged
            text = "stands" if judged else game.write(state, dice.choice(pending.actions))
            state = game.apply(state, game.read(state, text))
            table.play(text)
    return found


def forget() -> None:
    """Clears the caches of towers, so that every decision is computed again."""
    for remembered in (frame_of, terrain_of, cubes_of, enclosed_squares):
        remembered.cache_clear()


def decision(state: State) -> float:
    """The milliseconds of the slowest decision of a turn: which stone, and where to put the one with most places."""
    slowest = 0.0
    for kind in in_stock(state):
        for at in (state, state._replace(chosen=kind, phase=Phase.PLACE)):
            forget()
            began = time.process_time()
            GAME.pending(at)
            slowest = max(slowest, time.process_time() - began)
    return 1000 * slowest


def main() -> None:
    ratios, counts = [], []
    late = late_towers(6)
    for state, table in late:
        for kind in in_stock(state):
            forget()
            began = time.process_time()
            listed = Frame(state.tower, state.pawns, colour_of(state), first_round=False).places(
                state.stones.kinds[kind]
            )
            half = time.process_time()
            tried = tried_places(table, state.stones.kinds[kind].name)
            ratios.append((time.process_time() - half) / (half - began))
            counts.append(len(listed))
            assert {frozenset((x_of(c), y_of(c), z_of(c)) for c in place) for place in listed} == tried
    print("Turmbauer")
    print(
        f"  all places of a stone     {median(ratios):7.0f} × as fast as trying with sets (at least 30; {max(counts)} at most)"
    )
    print(f"  slowest late decision     {max(decision(state) for state, _ in late):7.1f} ms here (below 30)")


if __name__ == "__main__":
    main()
