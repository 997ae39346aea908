"""Advice on a place in sentences: how firmly a stone would stand there. Loads the solver, so import it late."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor

from spieltisch.games.turmbauer.building.cells import COMPASS
from spieltisch.games.turmbauer.building.choices import built_at
from spieltisch.games.turmbauer.phrases import colour_phrase, say, stone_phrase
from spieltisch.games.turmbauer.physics.stability import stability_of
from spieltisch.games.turmbauer.physics.statics import moving_stones
from spieltisch.games.turmbauer.state import HANDS, Cells, Lean, State
from spieltisch.i18n.message import Message


def describe_stability(state: State, cells: Cells) -> Iterator[Message]:
    """How firmly the chosen stone would stand there, which stones would move, and which tremors are risky."""
    tower = built_at(state, cells)
    stability = stability_of(tower)
    if stability.word == "falls":
        stones = [tower[number - 1] for number in sorted(stability.moving)]
        names = [
            say("stone_of", stone=stone_phrase(state.stones, stone.kind), colour=colour_phrase(stone.colour))
            for stone in stones
        ]
        yield say("firm.falls", stones=tuple(dict.fromkeys(names)))
        return
    least = min(stability.degrees)
    degrees = floor(10 * least) / 10
    side = say(f"towards.{COMPASS[stability.degrees.index(least)]}")
    if stability.word == "firm":
        yield say("firm.firm", degrees=degrees)
    else:
        yield say("firm.wobbles", degrees=degrees, side=side)
    tremor = HANDS[state.setup.option("hand")]
    risky = [side for side in COMPASS if tremor and moving_stones(tower, Lean(tremor, side))]
    if risky:
        yield say("firm.tremor", n=len(risky), sides=tuple(say(f"towards.{side}") for side in risky))
