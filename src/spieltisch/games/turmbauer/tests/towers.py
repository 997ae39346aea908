"""Towers for the tests of the physics: from play, small and tall, standing, marginal and falling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from spieltisch.core.game import Chance, Over
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import COMPASS, cell, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.choices import built_at
from spieltisch.games.turmbauer.building.stones import stones_of
from spieltisch.games.turmbauer.evaluation import falls
from spieltisch.games.turmbauer.state import COLOURS, HANDS, LEVEL, Built, Lean, Phase, State, Tower, Verdict

FILE = Path(__file__).parent / "towers.json"
STONES = stones_of("")
LONG = 4.0  # seconds that a tower is watched at most
STIRRED = 0.075  # a tower has not stood in the engine if a stone went farther, in cubes


class Sample(NamedTuple):
    """A tower whose last stone has just been built, and how the load leans."""

    tower: Tower
    lean: Lean


def careful_game(seed: int, hand: str = "steady") -> Iterator[State]:
    """The states of a game in which chance builds, but only what stands, of the places it looks at."""
    dice, game = Random(seed), GAME.for_replay
    state = game.initial(game.agree(2 + seed % 3, options={"hand": hand}))
    while not isinstance(pending := game.pending(state), Over):
        yield state
        if isinstance(pending, Chance):
            action: Any = Verdict(0) if pending.judged else dice.choices(pending.actions, pending.weights)[0]
        else:
            action = dice.choice(pending.actions)
            if state.phase is Phase.PLACE:
                for place in dice.sample(list(pending.actions), min(20, len(pending.actions))):
                    if not any(falls(state, state.chosen, place.cells)):
                        action = place
                        break
        state = game.apply(state, action)


def samples(number: int, seed: int = 0) -> Iterator[Sample]:
    """As many towers as asked for, each a place that somebody might try in the middle of a careful game."""
    dice = Random(f"towers {seed}")
    while number > 0:
        for state in careful_game(dice.randrange(1 << 30)):
            if state.phase is Phase.PLACE and dice.random() < 0.12:
                places = GAME.pending(state)
                assert not isinstance(places, Over)
                place: Any = dice.choice(places.actions)
                degrees = dice.choices([HANDS["steady"], HANDS["calm"], HANDS["shaky"]], [3, 1, 1])[0]
                lean = Lean(degrees, dice.choice(COMPASS)) if degrees else LEVEL
                yield Sample(built_at(state, place.cells), lean)
                number -= 1
                if not number:
                    return


def points(tower: Tower) -> list[list[tuple[int, int, int]]]:
    """The stones as cells of three numbers."""
    return [[(x_of(place), y_of(place), z_of(place)) for place in stone.cells] for stone in tower]


def written(tower: Tower) -> str:
    """A tower as text: colour, kind and cells of every stone."""
    return " ".join(
        COLOURS[stone.colour]
        + STONES.kinds[stone.kind].name
        + "@"
        + ";".join(f"{x_of(place)},{y_of(place)},{z_of(place)}" for place in stone.cells)
        for stone in tower
    )


def read(text: str) -> Tower:
    """The tower that the text names."""
    tower = []
    for stone in text.split():
        name, _, cells = stone.partition("@")
        kind = STONES.number(name[1:])
        assert kind is not None, stone
        places = tuple(sorted(cell(*map(int, place.split(","))) for place in cells.split(";")))
        tower.append(Built(COLOURS.index(name[0]), kind, places))
    return tuple(tower)


class Frozen(NamedTuple):
    """A tower that the rigid-body engine was asked about once."""

    sample: Sample
    stands: bool  # by the programme, level and leaning
    bears: float  # the least of the four sides, in degrees; -1 where it falls when level
    farthest: float  # how far the stone went in the engine that went farthest, in cubes
    engine: int  # how many stones fell there

    @property
    def stood(self) -> bool:
        """Whether it stood in the engine."""
        return self.farthest <= STIRRED


def frozen() -> list[Frozen]:
    """The towers kept as data."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return [
        Frozen(
            Sample(read(each["tower"]), Lean(each["degrees"], each["side"])),
            each["stands"],
            each["bears"],
            each["farthest"],
            each["engine"],
        )
        for each in data["towers"]
    ]
