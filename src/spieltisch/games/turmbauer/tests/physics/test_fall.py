"""The rigid-body simulation, the encoding of motion, and the judge in its worker process."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time

import pytest

from spieltisch.core.game import Over
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.building.cells import FOUNDATION, x_of, y_of, z_of
from spieltisch.games.turmbauer.building.stones import stones_of
from spieltisch.games.turmbauer.physics import fall, judge, worker
from spieltisch.games.turmbauer.physics.fall import (
    LOAD_SECONDS,
    SECONDS,
    decode_motion,
    exact_scene_xml,
    run_scene,
    simulate,
    split_into_boxes,
)
from spieltisch.games.turmbauer.physics.judge import full_judge, has_engine, worker_judge
from spieltisch.games.turmbauer.physics.statics import moving_stones
from spieltisch.games.turmbauer.physics.worker import JudgeProcess
from spieltisch.games.turmbauer.state import LEVEL, Lean, Verdict
from spieltisch.games.turmbauer.tests.physics.test_statics import FROZEN, HALF_OUT, SAMPLES, STRAIGHT_THREE, tower
from spieltisch.games.turmbauer.tests.physics.towers import EXACT_SECONDS, MOVED_DISTANCE, careful_game
from spieltisch.games.turmbauer.tests.positions import placing

FALLING = [
    sample for sample in SAMPLES if moving_stones(sample.tower, LEVEL) or moving_stones(sample.tower, sample.lean)
]
PILED = tower("R2d@1,0,1;2,0,1 B2d@2,0,2;3,0,2 G1c@2,0,3 K1c@3,0,3")  # four stones, all over the edge


def filled(corner, size):
    x, y, z = x_of(corner), y_of(corner), z_of(corner)
    long, wide, high = size
    return {(x + a, y + b, z + c) for a in range(long) for b in range(wide) for c in range(high)}


def test_the_engine_is_here():
    """The suite runs with the extra `physics`, so that nothing below is tested without it."""
    assert has_engine()


def test_a_stone_becomes_few_boxes_that_fill_it_exactly():
    for kind in stones_of("").kinds:
        cells = tuple(place + FOUNDATION[0] for place in kind.orientations[0].steps)
        made = [filled(*box) for box in split_into_boxes(cells)]
        assert sum(map(len, made)) == kind.size
        assert set.union(*made) == {(x_of(place), y_of(place), z_of(place)) for place in cells}
        assert len(made) <= 3


def test_what_stands_stays_and_what_falls_has_fallen():
    assert simulate(tower(STRAIGHT_THREE), LEVEL).fallen == frozenset()
    assert simulate(tower(HALF_OUT), LEVEL).fallen == {1}


def test_it_stops_when_all_is_at_rest():
    assert simulate(tower(STRAIGHT_THREE), LEVEL).seconds < 1.5
    assert simulate(tower(HALF_OUT), LEVEL).seconds < SECONDS


def test_the_same_tower_falls_the_same_way_to_the_byte():
    sample = FALLING[0]
    first = simulate(sample.tower, sample.lean)
    simulate.cache_clear()
    assert simulate(sample.tower, sample.lean) == first


def test_the_motion_begins_where_the_stones_lay_and_is_small():
    sample = max(FALLING[:12], key=lambda sample: len(sample.tower))
    fallen = simulate(sample.tower, sample.lean)
    poses = decode_motion(fallen.motion)
    assert fallen.fallen <= poses.keys()
    for number, way in poses.items():
        cells = (FOUNDATION, *(stone.cells for stone in sample.tower))[number]
        middle = [sum(map(axis, cells)) / len(cells) for axis in (x_of, y_of, z_of)]
        middle[2] += 0.5
        assert way[0].position == pytest.approx(middle, abs=0.003)
        assert way[0].rotation == pytest.approx((1, 0, 0, 0))
        assert len(way) == len(next(iter(poses.values())))
    assert len(fallen.motion) <= 200_000


def test_something_that_is_no_fall_is_refused():
    import zlib

    with pytest.raises(ValueError, match="not a fall"):
        decode_motion(zlib.compress(b"else" + bytes(6)))


def test_a_fall_of_a_whole_tower_takes_at_most_three_seconds():
    """Measured in processor time, for the last stone of a full tower, built so that it falls."""
    state = list(careful_game(9))[-1]
    assert len(state.tower) >= 34
    top = max(place for stone in state.tower for place in stone.cells)
    first = state.tower[0]
    lost = first._replace(cells=(top + (1 << 20) + 1,))  # hangs beside the top, and drops along the tower
    spent = []
    for _ in range(2):  # the machine may be busy with something else for a while
        simulate.cache_clear()
        began = time.process_time()
        fallen = simulate((*state.tower, lost), Lean(1.0, "E"))
        spent.append(time.process_time() - began)
        assert len(state.tower) + 1 in fallen.fallen
    assert min(spent) < 3


def test_the_engine_still_says_of_some_frozen_towers_what_it_said():
    """A small sample; `make prove-physics` checks all."""
    small = [each for each in FROZEN if len(each.sample.tower) <= 12][:8]
    for each in small:
        seen = [
            run_scene(exact_scene_xml(each.sample.tower, way), LOAD_SECONDS, EXACT_SECONDS)
            for way in dict.fromkeys((LEVEL, each.sample.lean))
        ]
        assert (max(fallen.farthest for fallen in seen) <= MOVED_DISTANCE) == each.stood


# The judge


def test_the_full_judge_counts_what_fell():
    assert full_judge(tower(STRAIGHT_THREE), LEVEL) == (0,)
    assert full_judge(tower(HALF_OUT), LEVEL) == (1,)
    assert full_judge(PILED, LEVEL) == (len(simulate(PILED, LEVEL).fallen),)


def test_without_the_engine_the_programme_counts_and_the_app_says_so(monkeypatch):
    monkeypatch.setattr(judge, "has_engine", lambda: False)
    assert full_judge(PILED, LEVEL) == (len(moving_stones(PILED, LEVEL)),)
    assert [note.key for note in GAME.notes()] == ["note.no_engine"]
    monkeypatch.undo()
    assert GAME.notes() == ()


def test_where_the_engine_lets_it_stand_the_programme_counts(monkeypatch):
    """A tower that is said to fall never falls by nothing."""
    monkeypatch.setattr(fall, "simulate", lambda *_: fall.Simulation(frozenset(), 0.0, 1.0, b""))
    assert full_judge(PILED, LEVEL) == (len(moving_stones(PILED, LEVEL)),)


def test_a_worker_judges_as_the_judge_does():
    for sample in FALLING[:3]:
        assert worker_judge(sample.tower, sample.lean) == full_judge(sample.tower, sample.lean)
    assert worker_judge(tower(STRAIGHT_THREE), LEVEL) == (0,)


def test_a_worker_that_dies_is_restarted():
    one = JudgeProcess()
    try:
        assert one.count_fallen(tower(HALF_OUT), LEVEL) == 1
        first = one.process.pid
        assert first is not None
        os.kill(first, signal.SIGKILL)
        while one.process.pid is not None:
            time.sleep(0.01)
        assert one.count_fallen(tower(HALF_OUT), LEVEL) == 1
        assert one.process.pid not in (None, first)
    finally:
        one.process.close()


@pytest.mark.parametrize(
    "command",
    [("/nowhere/python",), (sys.executable, "-c", "pass"), (sys.executable, "-c", "input(); print('four')")],
    ids=["not to be found", "ends at once", "answers no number"],
)
def test_a_worker_that_gives_no_response_is_distinguished_from_one_that_does(command):
    assert JudgeProcess(command).count_fallen(tower(HALF_OUT), LEVEL) is None


def test_a_worker_that_hangs_is_not_waited_for():
    began = time.monotonic()
    assert (
        JudgeProcess((sys.executable, "-c", "import time; time.sleep(60)"), timeout=0.5).count_fallen(
            tower(HALF_OUT), LEVEL
        )
        is None
    )
    assert time.monotonic() - began < 20


def test_an_answer_that_nobody_waited_for_is_never_taken_for_another(monkeypatch):
    """Ctrl-C during a request: the worker is ended, and the next one responds to the next request."""
    one = JudgeProcess()
    try:
        assert one.count_fallen(tower(HALF_OUT), LEVEL) == 1
        first = one.process.pid
        assert first is not None
        monkeypatch.setattr(worker, "int", interrupted, raising=False)
        with pytest.raises(KeyboardInterrupt):
            one.count_fallen(tower(STRAIGHT_THREE), LEVEL)
        monkeypatch.undo()
        assert one.process.pid is None
        assert one.count_fallen(tower(HALF_OUT), LEVEL) == 1
        assert one.process.pid not in (None, first)
    finally:
        one.process.close()


def interrupted(_: str) -> int:
    raise KeyboardInterrupt


def test_without_a_worker_the_game_goes_on(monkeypatch, caplog):
    monkeypatch.setattr(worker, "_process", JudgeProcess(("/nowhere/python",)))
    worker.count_fallen.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert worker.count_fallen(tower(HALF_OUT), LEVEL) == 1
    assert "counted by the programme" in caplog.text
    worker.count_fallen.cache_clear()


def test_a_match_is_judged_in_full():
    assert GAME.judge is worker_judge
    assert GAME.for_simulation.judge is judge.quick_judge
    state = GAME.apply(placing("2d"), GAME.read(placing("2d"), "@1,0,1;2,0,1"))
    pending = GAME.pending(state)
    assert not isinstance(pending, Over)
    assert pending.actions == (Verdict(1),)
    assert pending.judged
