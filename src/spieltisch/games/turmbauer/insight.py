"""Details of the tower on request: the animation of a fall, and the loads inside."""

from __future__ import annotations

from spieltisch.core.json import Json
from spieltisch.games.turmbauer import rules
from spieltisch.games.turmbauer.building.choices import built_at
from spieltisch.games.turmbauer.physics import fall
from spieltisch.games.turmbauer.physics.judge import has_engine
from spieltisch.games.turmbauer.physics.stability import stability_of
from spieltisch.games.turmbauer.physics.statics import loads, moving_stones
from spieltisch.games.turmbauer.state import COLLAPSE, LEVEL, STANDS, Action, State, Verdict
from spieltisch.games.turmbauer.view import View, state_of


def film(state: State, action: Action) -> bytes | None:
    """The encoded motion of falling stones; None if none falls, or if the simulation ends differently."""
    if not isinstance(action, Verdict) or action.fallen == STANDS or not has_engine():
        return None
    tower, lean = built_at(state, state.place), rules.lean_of(state)
    fallen = min(action.fallen, COLLAPSE)  # the rules do not distinguish more
    for simulate in (fall.simulate_to_rest, fall.simulate_exactly):
        simulation = simulate(tower, lean)
        if min(len(simulation.fallen), COLLAPSE) == fallen:
            return simulation.motion
    return None


def inside(view: View) -> Json:
    """The loads between stones and the stability of the tower; None if it does not stand without a hand."""
    tower = state_of(view).tower
    if moving_stones(tower, LEVEL):
        return None
    stability = stability_of(tower)
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
        "firm": {"word": stability.word, "degrees": [round(degrees, 2) for degrees in stability.degrees]},
    }
