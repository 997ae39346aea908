"""Details of the tower on request: the animation of a fall, and the loads of a tower that stands."""

from __future__ import annotations

from pathlib import Path

import pytest

from spieltisch import registry
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import FOUNDATION
from spieltisch.games.turmbauer.insight import film, inside
from spieltisch.games.turmbauer.physics.fall import decode_motion
from spieltisch.games.turmbauer.state import COLLAPSE, STAY, Verdict
from spieltisch.records import read
from spieltisch.records.replay import Step, replay

GOLDEN = Path(__file__).parent.parent / "golden"
PAST = replay(GAME.for_replay, read((GOLDEN / "match.game").read_text(encoding="utf-8")).games[0])
FALLS = [
    transition.step
    for transition in PAST.transitions
    if transition.step and isinstance(transition.step.action, Verdict) and transition.step.action.fallen
]


@pytest.mark.parametrize("number", [0, 1, 4])  # the engine sees it at once; only with rounded edges; a collapse
def test_a_fall_is_seen_as_it_was_judged(number):
    before, _, action = FALLS[number]
    seen = film(before, action)
    assert seen is not None
    poses = decode_motion(seen)
    fallen = [stone for stone, way in poses.items() if distance(way[0].position, way[-1].position) > 0.5]
    assert min(len(fallen), COLLAPSE) == min(action.fallen, COLLAPSE)
    assert film(before, action) == seen


def distance(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5


def test_where_nothing_falls_there_is_nothing_to_be_seen(monkeypatch):
    stood = next(
        transition.step for transition in PAST.transitions if transition.step and transition.step.action == Verdict(0)
    )
    assert film(stood.before, stood.action) is None
    assert film(stood.before, STAY) is None
    monkeypatch.setattr("spieltisch.games.turmbauer.insight.has_engine", lambda: False)
    assert film(FALLS[0].before, FALLS[0].action) is None


def test_a_fall_that_the_engine_sees_otherwise_is_not_shown():
    before, _, action = FALLS[0]
    assert film(before, Verdict(action.fallen + 1)) is None


def test_all_weight_goes_down_to_the_table():
    view = GAME.observe(PAST.state, None)
    found = inside(view)
    assert isinstance(found, dict)
    loads = found["loads"]
    cubes = sum(len(stone.cells) for stone in PAST.state.tower) + len(FOUNDATION)
    assert sum(load["weight"] for load in loads if load["carrier"] == -1) == pytest.approx(cubes, abs=0.01)
    assert found["firm"]["word"] in ("firm", "wobbles")
    assert len(found["firm"]["degrees"]) == 4


def test_the_registry_finds_what_a_game_shows_closer():
    step = FALLS[0]
    assert isinstance(step, Step)
    assert registry.film(GAME, step.before, step.action)
    assert registry.inside(GAME, GAME.observe(step.before, None))
