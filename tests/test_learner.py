"""The example that learns: a few updates, and what was learnt sits down and plays."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import jax
import numpy as np
import pytest

from spieltisch import players, registry
from spieltisch.game import Decision, Over
from spieltisch.match.chance import seeded
from spieltisch.match.referee import Referee
from spieltisch.research import batched
from tests import twins  # noqa: F401 - compiled in a hurry

EXAMPLES = Path(__file__).parent.parent / "examples"
GAME = registry.find("bigpoints")


@pytest.fixture
def examples(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    import learn
    import learnt

    jax.config.update("jax_disable_most_optimizations", True)
    yield learn, learnt
    jax.config.update("jax_disable_most_optimizations", False)  # as it was
    for name in ("learn", "learnt"):
        sys.modules.pop(name)


def test_a_few_updates_change_the_net_and_what_is_kept_plays_a_whole_game(examples, monkeypatch, tmp_path):
    learn, learnt = examples
    monkeypatch.setattr(learnt, "FILE", tmp_path / "learnt.npz")
    learner = learn.Learner(batched.make(GAME.name, players=2), seed=1, games=16)
    before = {name: np.array(weights) for name, weights in learner.net.items()}
    told = [learner.update() for _ in range(3)]
    assert all(math.isfinite(value) for each in told for value in each.values())
    assert all(np.isfinite(weights).all() for weights in learner.net.values())
    assert all((before[name] != np.asarray(weights)).any() for name, weights in learner.net.items())
    learner.keep(learnt.FILE)
    bot, other = learnt.Learnt(GAME), players.make("random", GAME, 1)
    for first in (0, 1):
        referee = Referee(GAME, GAME.agree(2, first=first), seeded(first))
        while isinstance(pending := referee.settle(), Decision):
            referee.ask(other if pending.seat else bot)
        assert isinstance(pending, Over)
    with pytest.raises(ValueError, match="a view of another setup"):
        bot.liked(GAME.observe(GAME.initial(GAME.agree(3)), 0))
    with pytest.raises(ValueError, match="what was learnt is bigpoints"):
        learnt.Learnt(registry.find("rondo"))
