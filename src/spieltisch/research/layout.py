"""Views as rows of numbers, for any game: the places of a row are found by looking at games.

A dozen games of the setup are played from fixed seeds, and what their players saw is surveyed: how long lists
become, which words come up, how far numbers reach. From that follows a layout, the same one on every machine. Whatever
never changes is left out, and there is room for half as long a list again and for a quarter as large a number again.
All numbers lie between 0 and 1; what lies beyond is cut.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from spieltisch import registry
from spieltisch.core.game import AnyGame, Over, Setup
from spieltisch.core.json import Json, to_json
from spieltisch.match.chance import seeded
from spieltisch.match.referee import Referee
from spieltisch.research.parts import Part, survey

Numbers: TypeAlias = NDArray[np.float32]
GAMES: Final = 12  # that are looked at
_known: dict[tuple[type, str, Setup], Layout] = {}


class Layout:
    """Which place of a row says what; `names` tells it, place by place."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.size = part.size
        self.names: tuple[str, ...] = tuple(name.removeprefix(".") for name in part.names(""))

    def __call__(self, view: Any) -> Numbers:
        """The view as numbers."""
        row = np.zeros(self.size, np.float32)
        self.part.write(view, row, 0)
        return row


def layout(game: AnyGame, setup: Setup) -> Layout:
    """The layout of a setup's views, whoever begins; it is worked out once."""
    key = (type(game), game.name, setup._replace(first=type(setup.first)(0)))
    if key not in _known:
        _known[key] = Layout(survey([_views(game, setup)]))
    return _known[key]


def _views(game: AnyGame, setup: Setup) -> list[Json]:
    """What players see, with all that they remember: some take any choice, some play on not too badly."""
    saw: list[Json] = []
    knowledge = registry.knowledge(game)
    for number in range(GAMES):
        agreed = game.agree(setup.players, setup.edition, dict(setup.options), number % setup.players, setup.rules)
        referee = Referee(game, agreed, seeded(f"layout/{number}"))
        dice = Random(f"layout {number}")
        while not isinstance(decision := referee.settle(), Over):
            seen = referee.seen(decision.seat)
            saw.append(to_json(game.recall(seen.view, seen.heard)))
            wild = number < GAMES / 2
            action = dice.choice(seen.choices) if wild else knowledge.rollout_action(referee.state, seen.choices, dice)
            referee.play(decision.seat, [action])
    return saw
