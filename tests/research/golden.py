"""Golden files of features and action ids: fixed positions as text that a person can read.

`python -m tests.research.golden` writes those that are missing. One that exists is never changed: a change of features or
ids needs a new version, which has files of its own.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np

from spieltisch import registry
from spieltisch.core.game import AnyGame, Decision, Seat, Setup
from spieltisch.research.environment import Environment

PLIES = (0, 7, 20)  # decisions before each position


def path(game: AnyGame, setup: Setup) -> Path:
    version = registry.features(game, setup).version
    folder = Path(registry.__file__).parent / "games" / game.name / "tests" / "golden"
    return folder / f"{version}-{setup.players}.features"


def setups(game: AnyGame) -> list[Setup]:
    """The smallest and the largest table."""
    return [game.agree(min(game.players)), game.agree(max(game.players))]


def written(game: AnyGame, setup: Setup) -> str:
    """The table of fields, then for some positions the features of two seats and the ids of all choices."""
    environment = Environment(game.name, setup.players, setup.edition, dict(setup.options), 0, setup.rules)
    features = environment.features
    lines = [f"{features.version}, {features.size} features, {len(environment.ids)} actions, digest {features.digest}"]
    lines += [
        f"{field.name} {_shape(field.shape)} {field.low:g}…{field.high:g}: {field.doc}" for field in features.fields
    ]
    dice = Random(1)
    environment.reset(1)
    for ply in range(max(PLIES) + 1):
        assert isinstance(environment.pending, Decision)
        if ply in PLIES:
            lines += ["", f"decision {ply}, seat {environment.seat} to move"]
            for seat in (environment.seat, Seat((environment.seat + 1) % setup.players)):
                lines += [f"seat {seat}:", *_fields(environment, seat)]
            lines += ["ids:", *_ids(environment)]
        environment.step(sorted(environment.legal)[dice.randrange(len(environment.legal))])
        if environment.over:
            break
    return "\n".join(lines) + "\n"


def _shape(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape))


def _fields(environment: Environment, seat: Seat) -> list[str]:
    """The numbers that are not zero, by field and index."""
    features, vector = environment.features, environment.observe(seat)
    lines = []
    for field in features.fields:
        values = vector[features.slice(field.name)].reshape(field.shape)
        found = [(".".join(map(str, index)), values[tuple(index)]) for index in np.argwhere(values)]
        texts = [where if value == 1 else f"{where}={value:.6g}" for where, value in found]
        if texts:
            lines.append(f"  {field.name}: {' '.join(texts)}")
    return lines


def _ids(environment: Environment) -> list[str]:
    """Some of the choices, evenly spread, by id."""
    numbers = sorted(environment.legal)
    some = numbers[:: max(1, len(numbers) // 12)]
    write = environment.game.write
    return ["  " + "  ".join(f"{number} {write(environment.state, environment.legal[number])}" for number in some)]


def main() -> None:
    for game in registry.all():
        for setup in setups(game):
            file = path(game, setup)
            if not file.exists():
                file.write_text(written(game, setup), encoding="utf-8")
                print("written:", file.name)


if __name__ == "__main__":
    main()
