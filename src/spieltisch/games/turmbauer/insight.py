"""A closer look at the tower: how it fell, and what carries what in it."""

from __future__ import annotations

from spieltisch.core.json import Json
from spieltisch.games.turmbauer import rules
from spieltisch.games.turmbauer.building.choices import built_at
from spieltisch.games.turmbauer.physics import fall
from spieltisch.games.turmbauer.physics.firmness import firmness
from spieltisch.games.turmbauer.physics.judge import engine_is_here
from spieltisch.games.turmbauer.physics.statics import loads, moving
from spieltisch.games.turmbauer.state import COLLAPSE, LEVEL, STANDS, Action, State, Verdict
from spieltisch.games.turmbauer.view import View, state_of


def film(state: State, action: Action) -> bytes | None:
    """The motion of the stones that fall; None where none does, or the engine sees another end."""
    if not isinstance(action, Verdict) or action.fallen == STANDS or not engine_is_here():
        return None
    tower, lean = built_at(state, state.place), rules.lean_of(state)
    fallen = min(action.fallen, COLLAPSE)  # more make no difference
    for see in (fall.see, fall.see_exactly):
        fell = see(tower, lean)
        if min(len(fell.fallen), COLLAPSE) == fallen:
            return fell.motion
    return None


def inside(view: View) -> Json:
    """What carries what, and how firmly the tower stands; None where it does not stand by itself."""
    tower = state_of(view).tower
    if moving(tower, LEVEL):
        return None
    found = firmness(tower)
    return {
        "loads": [
            {
                "carried": load.carried,
                "carrier": load.carrier,
                "weight": round(load.weight, 3),
                "at": [round(number, 3) for number in load.at],
            }
            for load in loads(tower)
        ],
        "firm": {"word": found.word, "degrees": [round(degrees, 2) for degrees in found.degrees]},
    }
