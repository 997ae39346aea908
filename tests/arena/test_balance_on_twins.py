"""Balance on twins: the same statistics as by self-play in the arena."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from spieltisch import registry
from spieltisch.arena.balance import twin_play
from spieltisch.arena.balance.measure import measure_balance
from spieltisch.arena.balance.self_play import BalanceLog
from spieltisch.arena.balance.twin_play import measure_balance_on_twin
from spieltisch.core.game import Decision
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from tests.support import twins  # noqa: F401 - sets compiler flags for fast compilation
from tests.support.command import run

TWINS = [game.name for game in registry.all() if registry.has_twin(game)]


@pytest.mark.parametrize("name", TWINS)
def test_twin_counts_equal_game_counts(name):
    game = registry.find(name)
    setup = game.agree(3)
    twin = registry.twin(game, setup)
    ids = {action: number for number, action in enumerate(twin.actions)}
    done, ends, counted, dice = np.zeros((4, 3, len(ids)), int), [], [], Random(1)
    for number in range(4):
        referee = Referee(game, setup, seeded(number))
        while isinstance(pending := referee.settle(), Decision):
            action = dice.choice(pending.actions)
            done[number, pending.seat, ids[action]] += 1
            referee.play(pending.seat, [action])
        ends.append(referee.state)
        counted.append(registry.game_counts(game)(referee.steps, referee.state))
    features = {thing: np.asarray(array) for thing, array in twin.observe(twin.pack(ends), np.zeros(4, int)).items()}
    found = registry.twin_counts(game)(setup, twin.actions, done, features)
    assert {thing: array.tolist() for thing, array in found.items()} == {
        thing: [list(each[thing]) for each in counted] for thing in counted[0]
    }


def test_twins_and_the_arena_agree(monkeypatch, tmp_path):
    monkeypatch.setattr(twin_play, "_BATCH", 128)
    game, reported = registry.find(TWINS[0]), []
    arguments = {"deals": 200, "seed": 1, "progress": lambda *done: reported.append(done)}
    with BalanceLog(tmp_path) as log:
        quick = measure_balance_on_twin(game, {"players": 3}, log=log, **arguments)
    monkeypatch.setattr(twin_play, "_collect_stats", None)  # nothing is played again
    with BalanceLog(tmp_path) as log:
        again = measure_balance_on_twin(game, {"players": 3}, log=log, **arguments)
    assert again._replace(seconds=0) == quick._replace(seconds=0)
    slow = measure_balance(game, {"players": 3}, "random", deals=60, seed=2)
    assert (quick.deals, quick.games) == (200, 400)
    assert reported == [(0, 200), (128, 200)] * 2
    for place, other in zip(quick.places, slow.places, strict=True):
        assert place.share.bounds.low < other.share.bounds.high
        assert other.share.bounds.low < place.share.bounds.high
        assert place.points == pytest.approx(other.points, rel=0.1)
    assert quick.decisions.mean == pytest.approx(slow.decisions.mean, rel=0.03)
    assert quick.draws.mean == pytest.approx(slow.draws.mean, rel=0.01)
    assert quick.luck.bounds.low < slow.luck.bounds.high
    assert slow.luck.bounds.low < quick.luck.bounds.high
    assert dict(quick.endings).keys() == dict(slow.endings).keys()
    for value, other in zip(quick.marginal_values, slow.marginal_values, strict=True):
        assert value.name == other.name
        assert value.often == pytest.approx(other.often, rel=0.2)
        assert value.points.bounds.low < other.points.bounds.high
        assert other.points.bounds.low < value.points.bounds.high


def test_a_game_without_a_twin_is_refused():
    ran = run("stats", "template", "--twin", "--size", "2")
    assert ran.code
    assert "Pebbles has no twin" in ran.err


def test_twins_refuse_other_players_than_random():
    ran = run("stats", TWINS[0], "--twin", "--player", "greedy")
    assert ran.code == 2
    assert "--player" in ran.err
