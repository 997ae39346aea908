"""The cost of a twin of Turmbauer (decision 17): `PYTHONPATH=src:. python3 -m bench.turmbauer_twin GAMES`.

Careful players build games under the quick judge. Measured are the box around every tower, choices, the time that the
judge takes, and how a judge without a linear programme compares: every stone, with all that rests on it, directly or
not, must have its middle above what carries it. That is necessary and needs sums and angles alone.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from random import Random
from statistics import mean

import numpy as np

from spieltisch.core.game import Chance, Over
from spieltisch.core.player import Clock, Seen
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import FOUNDATION, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.choices import built_at
from spieltisch.games.turmbauer.building.stones import stones_of
from spieltisch.games.turmbauer.knowledge import Careful
from spieltisch.games.turmbauer.physics.judge import quick_judge
from spieltisch.games.turmbauer.physics.statics import Numbers, bodies_of, contacts_of, quick_moving_stones, slope
from spieltisch.games.turmbauer.rules import lean_of
from spieltisch.games.turmbauer.state import COLLAPSE, LEVEL, Lean, Phase, Tower
from spieltisch.games.turmbauer.view import observe

UPRIGHT = 2


def plainly(tower: Tower, lean: Lean) -> int:
    """The number of stones that fall by centres of mass only: those of the smallest unsupported group."""
    bodies = bodies_of(tower)
    touch = contacts_of(bodies)
    which = touch.axis == UPRIGHT
    points, upper, lower = touch.points[which], touch.first[which], touch.second[which]
    rests = np.eye(len(bodies), dtype=bool)
    rests[upper[lower >= 0], lower[lower >= 0]] = True
    for _ in range(len(bodies).bit_length()):
        rests = rests @ rests
    sizes = np.array([len(cells) for cells in bodies], float)
    centres = np.array([[sum(map(axis, cells)) / len(cells) for axis in (x_of, y_of, z_of)] for cells in bodies])
    centres[:, 2] += 0.5
    fallen = 0
    for each in (LEVEL, lean):
        sideways = np.array(slope(each))
        for heap in rests.T[1:]:
            carried = heap[upper] & ~heap[lower] | heap[upper] & (lower < 0)
            centre = (sizes[heap, None] * centres[heap]).sum(0) / sizes[heap].sum()
            away = points[carried] - centre
            if not surrounded(away[:, :2] + sideways * away[:, 2:]):
                fallen = min(fallen or len(bodies), int(heap.sum()))
        if fallen:
            break
    return fallen


def surrounded(points: Numbers) -> bool:
    """Whether the origin lies in the convex hull of the points."""
    if not len(points):
        return False
    angles = np.sort(np.arctan2(points[:, 1], points[:, 0]))
    gaps = np.diff(np.append(angles, angles[0] + 2 * np.pi))
    return bool(gaps.max() <= np.pi + 1e-7)


def kind_of(fallen: int) -> str:
    return "stands" if not fallen else "some" if fallen < COLLAPSE else "collapse"


def main(games: int) -> None:
    game, judged, spent, plain_spent = GAME.for_simulation, Counter[tuple[str, str]](), list[float](), list[float]()
    places, boxes, decisions, began = list[int](), list[tuple[int, ...]](), 0, time.process_time()
    for seed in range(games):
        dice, state = Random(seed), game.initial(game.agree(2 + seed % 3))
        player = Careful(dice) if seed % 2 else None
        while not isinstance(pending := game.pending(state), Over):
            if state.phase is Phase.JUDGE:
                tower, lean = built_at(state, state.place), lean_of(state)
                quick_moving_stones.cache_clear()
                at = time.process_time()
                answer = quick_judge(tower, lean)[0]
                half = time.process_time()
                plain = plainly(tower, lean)
                plain_spent.append(time.process_time() - half)
                spent.append(half - at)
                judged[kind_of(answer), kind_of(plain)] += 1
            if isinstance(pending, Chance):
                action = dice.choices(pending.actions, pending.weights)[0]
            else:
                decisions += 1
                if state.phase is Phase.PLACE:
                    places.append(len(pending.actions))
                seen = Seen(observe(state, pending.seat), pending.actions, ())
                action = player.choose(seen, Clock()) if player else dice.choice(pending.actions)
            state = game.apply(state, action)
        cells = [*FOUNDATION, *(cell for stone in state.tower for cell in stone.cells)]
        boxes.append(tuple(max(map(axis, cells)) - min(map(axis, cells)) + 1 for axis in (x_of, y_of, z_of)))
    report(places, boxes, judged, spent, plain_spent)
    print(f"{decisions / games:.0f} decisions a game, {(time.process_time() - began) / games:.1f} s a game in all")


def report(
    places: list[int],
    boxes: list[tuple[int, ...]],
    judged: Counter[tuple[str, str]],
    spent: list[float],
    plain_spent: list[float],
) -> None:
    orientations = [len(kind.orientations) for kind in stones_of("").kinds]
    print(f"{len(boxes)} games; {sum(orientations)} orientations of {len(orientations)} kinds of stones")
    print(f"places of a chosen stone: {mean(places):.0f} on average, {max(places)} at most")
    for name, axis in (("east to west", 0), ("north to south", 1), ("high", 2)):
        sizes = sorted(box[axis] for box in boxes)
        print(f"towers {name}: {mean(sizes):.1f} on average, {sizes[-1]} at most")
    total = sum(judged.values())
    print(f"judged {total}: quick {1000 * mean(spent):.1f} ms each, plain {1000 * mean(plain_spent):.1f} ms")
    table = [x * y * z * sum(orientations) for x, y, z in [[max(box[axis] for box in boxes) + 2 for axis in range(3)]]]
    print(f"ids for every orientation in a box that holds all of these and a cube around: {table[0]}")
    same = sum(n for (one, other), n in judged.items() if (one == "stands") == (other == "stands"))
    print(f"the same on standing: {same} ({100 * same / total:.2f} %); by quick and by plain: {dict(judged)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
