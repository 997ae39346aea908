"""OpenSpiel's own check of longer games."""

from __future__ import annotations

import pyspiel
import pytest

from spieltisch import registry
from spieltisch.research import openspiel


@pytest.mark.parametrize("name", [game.name for game in registry.all() if game.minutes >= 30])
def test_openspiels_simulation_test_passes(name):
    pyspiel.random_sim_test(pyspiel.load_game(f"{openspiel.PREFIX}{name}"), 1, serialize=False, verbose=False)
