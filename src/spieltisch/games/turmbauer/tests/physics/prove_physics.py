"""`make prove-physics`: compares the linear programme with the engine and with an independent programme.

Writes the frozen towers (towers.json beside this file), docs/reference/tower-physics.md and its pictures.
"""

from __future__ import annotations

import json
import sys
import time
from datetime import UTC, datetime
from functools import lru_cache
from statistics import mean, median
from typing import Any

from bench import turmbauer_forces as forces
from tests.campaigns.campaign import ROOT, run_campaign

from spieltisch import players
from spieltisch.core.game import Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import COMPASS, z_of
from spieltisch.games.turmbauer.physics.fall import LOAD_SECONDS, decode_motion, exact_scene_xml, run_scene, simulate
from spieltisch.games.turmbauer.physics.statics import bodies_of, max_tilt, moving_stones, solve_full, solve_quick
from spieltisch.games.turmbauer.state import HANDS, LEVEL, Tower
from spieltisch.games.turmbauer.tests.physics import pictures
from spieltisch.games.turmbauer.tests.physics.towers import (
    EXACT_SECONDS,
    FILE,
    MOVED_DISTANCE,
    Sample,
    format_tower,
    points,
    samples,
)

PAGE = ROOT / "docs" / "reference" / "tower-physics.md"


@lru_cache(maxsize=1)
def drawn_samples(number: int) -> list[Sample]:
    return list(samples(number, seed=2027))


def compare_tower(number: int, seed: int) -> dict[str, Any]:
    """The verdicts of the programme, of the independent one and of the engine on one tower."""
    tower, lean = drawn_samples(number)[seed]
    found = moving_stones(tower, LEVEL) or moving_stones(tower, lean)
    cells = points(tower)
    independent = forces.stands(cells) and forces.stands(cells, lean.degrees, lean.side)
    began = time.process_time()
    fall = simulate(tower, lean)
    spent = time.process_time() - began
    seen = [run_scene(exact_scene_xml(tower, way), LOAD_SECONDS, EXACT_SECONDS) for way in dict.fromkeys((LEVEL, lean))]
    return {
        "tower": format_tower(tower),
        "degrees": lean.degrees,
        "side": lean.side,
        "stands": not found,
        "independent": independent,
        "bears": round(min(max_tilt(tower, side) for side in COMPASS), 2),
        "margin": round(max_tilt(tower, lean.side) - lean.degrees, 2) if lean.side else None,
        "moving": len(found),
        "farthest": round(max(each.farthest for each in seen), 3),
        "engine": max(len(each.fallen) for each in seen),
        "plainly": len(fall.fallen),
        "spent": round(spent, 2),
        "bytes": len(fall.motion),
    }


def floors(tower: Tower) -> int:
    return 1 + max((z_of(place) for stone in tower for place in stone.cells), default=0)


def play_game(setting: str, seed: int) -> tuple[int, str]:
    """The number of floors at the end of a game, and its ending."""
    name, hand = setting.split()
    game = GAME.for_simulation
    referee = Referee(game, game.agree(4, options={"hand": hand}, first=seed % 4), seeded(f"floors/{seed}"))
    bots = [players.make(name, game, f"{seed}/{seat}") for seat in range(4)]
    while not isinstance(pending := referee.settle(), Over):
        referee.ask(bots[pending.seat])
    return floors(referee.state.tower), pending.outcome.ending


def time_solvers(towers: list[Tower]) -> dict[str, float]:
    """Median milliseconds of the programmes on tall towers."""
    spent: dict[str, list[float]] = {"quick": [], "full": [], "angle": []}
    for tower in towers:
        for name, act in (
            ("quick", lambda tower=tower: solve_quick(bodies_of(tower), LEVEL)),
            ("full", lambda tower=tower: solve_full(bodies_of(tower), LEVEL)),
            ("angle", lambda tower=tower: max_tilt.__wrapped__(tower, "N")),
        ):
            began = time.process_time()
            act()
            spent[name].append(1000 * (time.process_time() - began))
    return {name: median(values) for name, values in spent.items()}


def main(towers: int, games: int) -> None:
    answers = run_campaign("physics", [str(towers)], towers, lambda _, seed: compare_tower(towers, seed))[str(towers)]
    settings = [f"{name} {hand}" for name in ("careful", "random") for hand in HANDS]
    ended = run_campaign("floors", settings, games, play_game)
    kept = ("tower", "degrees", "side", "stands", "bears", "farthest", "engine")
    lines = ",\n".join("  " + json.dumps({key: answer[key] for key in kept}) for answer in answers)
    about = "Towers from play with verdicts of the rigid-body engine; `make prove-physics` regenerates them."
    FILE.write_text(f'{{"about": "{about}", "towers": [\n{lines}\n]}}\n', encoding="utf-8")
    folder = PAGE.parent / "pictures"
    folder.mkdir(exist_ok=True)
    for name, picture in draw_pictures(ended, answers).items():
        (folder / f"tower-{name}.svg").write_text(picture, encoding="utf-8")
    PAGE.write_text(page(answers, ended, towers, games), encoding="utf-8")


def draw_pictures(ended: dict[str, list[Any]], answers: list[dict[str, Any]]) -> dict[str, str]:
    """The pictures of the page."""
    heights = {
        setting: [high for high, _ in games] for setting, games in ended.items() if setting.startswith("careful")
    }
    falling = next(
        Sample(sample.tower, sample.lean)
        for sample, answer in zip(drawn_samples(len(answers)), answers, strict=True)
        if 4 <= answer["plainly"] <= 12 and answer["moving"] >= 4
    )
    standing = next(
        sample.tower
        for sample, answer in zip(drawn_samples(len(answers)), answers, strict=True)
        if answer["stands"] and 14 <= len(sample.tower) <= 18
    )
    fall = simulate(falling.tower, falling.lean)
    return {
        "heights": pictures.draw_heights({setting.split()[1]: high for setting, high in heights.items()}),
        "loads": pictures.draw_loads(standing),
        "fall": pictures.draw_fall(falling.tower, decode_motion(fall.motion)),
    }


def explain(answer: dict[str, Any]) -> str:
    """Why the engine and the programme differ on a tower."""
    margin = answer["margin"]
    if margin is not None and answer["bears"] >= 0 and abs(margin) <= 0.1:
        return f"the limit is {abs(margin):.2f}° away"
    if answer["stands"]:
        return "wedged: forces that would hold it exist, but do not arise in the engine"
    return "it moves, and comes to rest against its neighbours"


def page(answers: list[dict[str, Any]], ended: dict[str, list[Any]], towers: int, games: int) -> str:
    agreed = [answer for answer in answers if answer["stands"] == (answer["farthest"] <= MOVED_DISTANCE)]
    others = [answer for answer in answers if answer not in agreed]
    stand = sum(answer["stands"] for answer in answers)
    fallen = [answer for answer in answers if not answer["stands"] and answer["plainly"]]
    near = sum(abs(answer["plainly"] - answer["moving"]) <= 1 for answer in fallen)
    tall = [sample.tower for sample in drawn_samples(towers) if len(sample.tower) >= 40]
    spent = time_solvers(tall)
    slowest = max(answers, key=lambda answer: answer["spent"])
    same = sum(answer["independent"] == answer["stands"] for answer in answers)
    rows = "\n".join(row(setting, results) for setting, results in ended.items())
    listed = "\n".join(
        f"- {answer['tower'].count('@')} stones, {answer['degrees']}° {answer['side'] or 'level'}: the programme says "
        f"{'stands' if answer['stands'] else 'falls'}, in the engine a stone moves {answer['farthest']:.2f} cubes; {explain(answer)}."
        for answer in others
    )
    return TEXT.format(
        date=f"{datetime.now(UTC):%Y-%m-%d}", towers=towers, games=games, stand=stand, fall=towers - stand, same=same,
        share=f"{100 * len(agreed) / towers:.1f}", agreed=len(agreed), listed=listed or "None.", fallen=len(fallen), near=near,
        rows=rows, tall=len(tall), quick=f"{spent['quick']:.0f}", full=f"{spent['full']:.0f}", angle=f"{spent['angle']:.0f}",
        slowest=f"{slowest['spent']:.1f}", stones=slowest["tower"].count("@"),
        mean=f"{mean(answer['spent'] for answer in fallen):.1f}",
        calm=max(answer["farthest"] for answer in answers if answer["stands"]),
        least=min(answer["farthest"] for answer in answers if not answer["stands"]),
        bytes=f"{max(answer['bytes'] for answer in answers) / 1000:.0f}",
    )  # fmt: skip


def row(setting: str, results: list[Any]) -> str:
    name, hand = setting.split()
    high = sorted(floors for floors, _ in results)
    collapsed = sum(ending == "collapse" for _, ending in results)
    few, many = high[len(high) // 20], high[-1 - len(high) // 20]
    share = 100 * collapsed / len(results)
    return f"| {name} | {hand} | {mean(high):.1f} | {few} to {many} | {high[0]} to {high[-1]} | {share:.0f} % |"


TEXT = """# The physics of the tower

{date}, `make prove-physics TOWERS={towers} GAMES={games}` (number of towers, games of each kind). It also writes the frozen towers against which the tests check verdicts.

## The model
Stones are rigid bodies. Their weight is the number of their cubes, and they touch in patches: unions of unit squares in one plane in which a cell of one stone meets a cell of another. Contact forces act at the outer corners of the patches, 0.05 of a cube inwards, because edges are rounded. Where one stone lies on another there is Coulomb friction (0.4); between vertical faces there are normal forces only. A tower stands if contact forces exist that keep every stone in equilibrium, both level and with gravity tilted in the direction of the tremor. That is a linear programme, so the verdict is the same on every machine.

The quick programme allows only forces along gravity, with three equations per stone; it is sufficient for solid towers, and bots use it. The full programme has six equations per stone. Both have slack variables, so that a solution always exists, and minimize their sum: a tower stands if the minimum is zero. Otherwise the dual values tell which stones start to move. The largest tilt that a tower withstands is a programme of its own, with the slope as a variable.

![A tower and the loads inside it](pictures/tower-loads.svg)

How a tower falls is simulated by a rigid-body engine (MuJoCo: steps of 2 ms, elliptic cones, impratio 10, stiff contacts, friction 0.4, 1 % clearance at the sides). A stone has fallen if it has moved more than half a cube. If a tower stands in the simulation but not in the programme, the stones that move in the programme count. The motion is stored at 30 frames per second.

![A tower falls, in six moments](pictures/tower-fall.svg)

## Limits
- The programme decides whether forces exist, not whether they arise. A stone wedged between two others can be held by friction although nothing has pressed it there.
- Stones are put down without momentum, and pawns weigh nothing.
- Close to the limit, tenths of a degree decide; see the exceptions below.

## Agreement
{towers} places tried in the middle of careful games, small and tall, {stand} that stand and {fall} that fall. An independent programme, written from the rules only, gave the same verdict on {same}. For this comparison the engine used the geometry of the programme (edges rounded by 0.05, sides without friction, a clearance of 0.1 %) and stiffer contacts (steps of 1 ms). Gravity was ramped up within 0.3 s, and each tower was simulated level and tilted; it counts as fallen if a stone moved farther than 0.075 cubes. The engine agreed on {agreed}, {share} %. In towers that stand by the programme no stone moved farther than {calm} cubes, in those that fall one moved at least {least}.

Geometry, accuracy and threshold of the comparison were fixed on 440 other towers (seeds 11, 101 and 102) and on an aborted set (seed 2026: 149 of 151 agreed, and the two exceptions showed that gravity must be ramped up) before these towers were drawn (seed 2027), and not changed afterwards. Lessons from there: with contacts as soft as in matches, a tall tower sags by tenths of a degree and marginal ones tip; with 0.4 % clearance, long levers swing visibly before their neighbours hold them; without clearance, stones push each other apart; and if gravity sets in at once, the impact throws down some towers that stand at rest.

In matches the engine only counts fallen stones, with plain boxes: of the {fall} that fall, stones fell there from {fallen}, and in {near} of these as many as move in the programme, or one more or fewer.

Towers on which they disagreed:

{listed}

## How high, and how often it falls
Four players each, {games} games per row, with the quick judge. `careful` builds at a random place where the tower stands in every tremor; `random` builds anywhere.

| players | hand | floors on average | nine of ten games | all games | collapses |
|---|---|---|---|---|---|
{rows}

![How many floors careful play reaches under each hand](pictures/tower-heights.svg)

## Times
On towers of at least 40 stones ({tall} of them, medians on one core here): quick programme {quick} ms, full programme {full} ms, the largest tilt to one side {angle} ms. A simulated fall takes {mean} s on average and {slowest} s at most ({stones} stones); its motion at most {bytes} kB.
"""


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 240, int(sys.argv[2]) if len(sys.argv) > 2 else 60)
