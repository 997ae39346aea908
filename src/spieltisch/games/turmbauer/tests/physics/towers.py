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
from spieltisch.games.turmbauer.evaluation import count_falls
from spieltisch.games.turmbauer.state import COLOURS, HANDS, LEVEL, Lean, Phase, PlacedStone, State, Tower, Verdict

FILE = Path(__file__).parent / "towers.json"
STONES = stones_of("")
EXACT_SECONDS = 4.0  # seconds that a tower is watched at most
MOVED_DISTANCE = 0.075  # a tower has not stood in the engine if a stone went farther, in cubes


class Sample(NamedTuple):
    """A tower whose last stone has just been built, and the lean."""

    tower: Tower
    lean: Lean


def careful_game(seed: int, hand: str = "steady") -> Iterator[State]:
    """The states of a random game in which stones are built only where the tower stands."""
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
                    if not any(count_falls(state, state.chosen, place.cells)):
                        action = place
                        break
        state = game.apply(state, action)


def samples(number: int, seed: int = 0) -> Iterator[Sample]:
    """Towers with one stone tried at a random place in the middle of a careful game."""
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
    """The cells of the stones as coordinates."""
    return [[(x_of(place), y_of(place), z_of(place)) for place in stone.cells] for stone in tower]


def format_tower(tower: Tower) -> str:
    """A tower as text: colour, kind and cells of every stone."""
    return " ".join(
        COLOURS[stone.colour]
        + STONES.kinds[stone.kind].name
        + "@"
        + ";".join(f"{x_of(place)},{y_of(place)},{z_of(place)}" for place in stone.cells)
        for stone in tower
    )


def parse_tower(text: str) -> Tower:
    """The tower from its text form."""
    tower = []
    for stone in text.split():
        name, _, cells = stone.partition("@")
        kind = STONES.number(name[1:])
        assert kind is not None, stone
        places = tuple(sorted(cell(*map(int, place.split(","))) for place in cells.split(";")))
        tower.append(PlacedStone(COLOURS.index(name[0]), kind, places))
    return tuple(tower)


class FrozenTower(NamedTuple):
    """A tower with a frozen verdict of the rigid-body engine."""

    sample: Sample
    stands: bool  # by the programme, level and leaning
    bears: float  # the least of the four sides, in degrees; -1 if it falls when level
    farthest: float  # how far the stone went in the engine that went farthest, in cubes
    engine: int  # how many stones fell there

    @property
    def stood(self) -> bool:
        """Whether the tower stood in the engine."""
        return self.farthest <= MOVED_DISTANCE


def frozen_towers() -> list[FrozenTower]:
    """The towers in towers.json."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return [
        FrozenTower(
            Sample(parse_tower(each["tower"]), Lean(each["degrees"], each["side"])),
            each["stands"],
            each["bears"],
            each["farthest"],
            each["engine"],
        )
        for each in data["towers"]
    ]
