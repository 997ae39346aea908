"""How firmly a tower would stand: asked before building, in words."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from typing import Final, NamedTuple

from spieltisch.games.turmbauer.building.cells import COMPASS
from spieltisch.games.turmbauer.building.choices import built_at
from spieltisch.games.turmbauer.phrases import colour, say, stone
from spieltisch.games.turmbauer.physics.statics import bears, moving
from spieltisch.games.turmbauer.state import HANDS, LEVEL, Cells, Lean, State, Tower
from spieltisch.i18n.message import Message

_FIRM: Final = max(HANDS.values())  # what bears even a shaky hand is firm


class Firmness(NamedTuple):
    """What a tower bears: degrees to the north, east, south and west; and which stones move where it does not stand."""

    degrees: tuple[float, ...]  # below 0 where it falls when level
    moving: frozenset[int]  # by number from 1, in the order of building

    @property
    def word(self) -> str:
        """'falls', 'wobbles' or 'firm'."""
        if self.moving:
            return "falls"
        return "firm" if min(self.degrees) >= _FIRM else "wobbles"


def firmness(tower: Tower) -> Firmness:
    """How firmly a tower stands by the full programme."""
    fallen = moving(tower, LEVEL)
    return Firmness((-1.0,) * 4 if fallen else tuple(bears(tower, side) for side in COMPASS), fallen)


def told(state: State, cells: Cells) -> Iterator[Message]:
    """How firmly the chosen stone would stand there, which stones would move, and what the hand may do."""
    tower = built_at(state, cells)
    found = firmness(tower)
    if found.word == "falls":
        stones = [tower[number - 1] for number in sorted(found.moving)]
        names = [say("stone_of", stone=stone(state.stones, one.kind), colour=colour(one.colour)) for one in stones]
        yield say("firm.falls", stones=tuple(dict.fromkeys(names)))
        return
    least = min(found.degrees)
    borne = floor(10 * least) / 10
    side = say(f"towards.{COMPASS[found.degrees.index(least)]}")
    if found.word == "firm":
        yield say("firm.firm", degrees=borne)
    else:
        yield say("firm.wobbles", degrees=borne, side=side)
    hand = HANDS[state.setup.option("hand")]
    risky = [way for way in COMPASS if hand and moving(tower, Lean(hand, way))]
    if risky:
        yield say("firm.tremor", n=len(risky), sides=tuple(say(f"towards.{way}") for way in risky))
