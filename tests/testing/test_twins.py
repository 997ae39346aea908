"""How the registry finds twins."""

from __future__ import annotations

import subprocess
import sys

import pytest

from spieltisch import registry
from spieltisch.core.game import MissingExtra

TWINS = [game for game in registry.all() if registry.has_twin(game)]


def test_a_game_without_a_twin_has_none():
    game = registry.find("template")
    assert registry.twin(game, game.agree()) is None


def test_a_missing_extra_names_itself(monkeypatch):
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name == "jax" else object())
    with pytest.raises(MissingExtra, match=r"spieltisch-core\[batch\]"):
        registry.twin(TWINS[0], TWINS[0].agree())


def test_finding_games_loads_no_jax():
    code = "import sys; from spieltisch import registry; from spieltisch.testing import conformance, twins; registry.all(); assert 'jax' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
