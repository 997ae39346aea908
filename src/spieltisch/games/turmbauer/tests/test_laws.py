"""The laws on tall towers: careful walks with a calm and a steady hand, and walks that accept any verdict."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.variants import ScriptedChooser, choosers

from spieltisch.core.game import Chance, Decision
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import z_of
from spieltisch.games.turmbauer.evaluation import count_falls
from spieltisch.games.turmbauer.state import Action, Phase, Place, State
from spieltisch.games.turmbauer.view import View
from spieltisch.testing.conformance import Walk, check

QUIETLY: Any = {"derandomize": True, "deadline": None, "suppress_health_check": list(HealthCheck)}


class CarefulWalk(Walk[State, Action, View]):
    """A walk that builds where the tower stands, if it finds such a place."""

    def play(self, pending: Decision[Action] | Chance[Action]) -> None:
        if self.state.phase is Phase.PLACE:
            for place in self.some(pending.actions, 12):
                assert isinstance(place, Place)
                if not any(count_falls(self.state, self.state.chosen, place.cells)):
                    return super().play(pending._replace(actions=(place,)))
        return super().play(pending)


def floors(state: State) -> int:
    return 1 + max((z_of(place) for stone in state.tower for place in stone.cells), default=0)


@pytest.mark.parametrize(("players", "hand"), [(2, "calm"), (3, "steady"), (4, "calm")])
def test_laws_1_to_11_hold_for_tall_towers(players: int, hand: str):
    heights = []

    @settings(max_examples=1, **QUIETLY)
    @given(st.integers(0, players - 1), choosers())
    def hold(first: int, chooser: ScriptedChooser):
        walk = CarefulWalk(GAME.for_simulation, GAME.agree(players, options={"hand": hand}, first=first), chooser)
        walk.run()
        heights.append(floors(walk.state))

    hold()
    assert max(heights) >= 8


@pytest.mark.parametrize("players", [2, 3, 4])
def test_laws_1_to_11_hold_if_every_verdict_is_accepted(players: int):
    @settings(max_examples=2, **QUIETLY)
    @given(st.integers(0, players - 1), choosers())
    def hold(first: int, chooser: ScriptedChooser):
        check(GAME.for_replay, GAME.agree(players, first=first), chooser)

    hold()
