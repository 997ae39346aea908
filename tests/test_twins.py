"""Twins as the registry finds them, and random play in a kernel."""

from __future__ import annotations

import subprocess
import sys

import jax
import numpy as np
import pytest

from spieltisch import kernel, registry

TWINS = [game for game in registry.all() if registry.part(game, "fast")]


def test_a_game_without_a_twin_has_none():
    game = registry.find("template")
    assert registry.twin(game, game.agree()) is None


def test_a_missing_extra_names_itself(monkeypatch):
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name == "jax" else object())
    with pytest.raises(registry.MissingExtra, match=r"spieltisch\[batch\]"):
        registry.twin(TWINS[0], TWINS[0].agree())


def test_finding_games_loads_no_jax():
    code = "import sys; from spieltisch import registry, conformance, agreement; registry.all(); assert 'jax' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("game", TWINS, ids=lambda game: game.name)
def test_the_kernel_plays_the_same_games(game):
    twin = registry.twin(game, game.agree())
    batch = twin.fresh(jax.random.key(0), 32)
    one = twin.wander(batch, jax.random.key(1), 160)
    other = kernel.wander(twin, batch, jax.random.key(1), 160, block=16, interpret=True)
    assert int(one[1].sum()) >= 32
    for mine, its in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        assert (np.asarray(mine) == np.asarray(its)).all()
