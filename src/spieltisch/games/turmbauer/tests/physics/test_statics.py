"""Static equilibrium, checked against hand-made cases, symmetry, an independent programme and the engine."""

from __future__ import annotations

import time
from statistics import median

import highspy
import pytest
from bench import turmbauer_forces as forces

from spieltisch.games.turmbauer import Turmbauer
from spieltisch.games.turmbauer.building.cells import COMPASS, Cell, cell, x_of, y_of, z_of
from spieltisch.games.turmbauer.physics.judge import full_judge, quick_judge
from spieltisch.games.turmbauer.physics.stability import stability_of
from spieltisch.games.turmbauer.physics.statics import (
    INSET,
    TABLE_BODY,
    bodies_of,
    contacts_of,
    loads,
    max_tilt,
    moving_stones,
    quick_moving_stones,
    solve_full,
    solve_quick,
    stands,
)
from spieltisch.games.turmbauer.state import HANDS, LEVEL, Lean, PlacedStone
from spieltisch.games.turmbauer.tests.physics.towers import (
    careful_game,
    format_tower,
    frozen_towers,
    parse_tower,
    points,
)
from spieltisch.games.turmbauer.tests.positions import placing

FROZEN = frozen_towers()
SAMPLES = [each.sample for each in FROZEN[:80]]

HALF_OUT = "R2d@1,0,1;2,0,1"
STRAIGHT_THREE = "R3i@0,1,1;1,1,1;2,1,1"
BRIDGE = "R2d@0,1,1;0,1,2 | B2d@1,0,1;1,0,2"


def tower(text: str):
    return parse_tower(text.replace("|", " "))


# Cases that can be checked by hand


def test_a_domino_half_out_over_an_edge_falls():
    assert moving_stones(tower(HALF_OUT), LEVEL) == {1}


def test_a_straight_three_or_four_one_out_stands():
    assert not moving_stones(tower(STRAIGHT_THREE), LEVEL)
    assert not moving_stones(tower("R4i@-1,0,1;0,0,1;1,0,1;2,0,1"), LEVEL)


def test_a_bridge_over_a_gap_stands():
    pillars = "R2d@0,0,1;0,0,2 B2d@1,1,1;1,1,2 G2d@0,1,1;0,1,2"
    assert not moving_stones(tower(f"{pillars} K3v@0,0,3;0,1,3;1,1,3"), LEVEL)


def test_a_counterweight_on_the_far_end_makes_an_overhang_stand():
    jutting = "R2d@1,0,1;2,0,1"
    assert moving_stones(tower(jutting), LEVEL)
    assert not moving_stones(tower(f"{jutting} B2d@1,0,2;1,0,3"), LEVEL)


def test_a_column_bears_what_its_foot_and_its_height_say():
    """A column of h cubes tips when its middle leaves the foot: tan = 0.45 / (h / 2), and slides at 0.4."""
    for high in (2, 4, 6):
        column = " ".join(f"R2d@0,1,{z};0,1,{z + 1}" for z in range(1, high, 2))
        for side in "NEW":
            whole = forces.bears(points(tower(column)), side)
            assert max_tilt(tower(column), side) == pytest.approx(whole, abs=0.02)


def test_a_stone_that_hangs_on_nothing_moves_alone():
    assert moving_stones(tower("R1c@0,1,1 B1c@3,0,1"), LEVEL) == {2}


def test_stones_that_stand_need_no_other_to_move():
    found = moving_stones(tower(f"G1c@0,1,1 {HALF_OUT}"), LEVEL)
    assert found == {2}


def test_the_loads_add_up_to_the_weight():
    """Everything ends on the table: all cubes and the foundation's four."""
    for sample in SAMPLES[:15]:
        if not moving_stones(sample.tower, LEVEL):
            carried = loads(sample.tower)
            weight = 4 + sum(len(stone.cells) for stone in sample.tower)
            assert sum(load.weight for load in carried if load.carrier == TABLE_BODY) == pytest.approx(weight, abs=1e-5)
            assert all(load.weight > 0 for load in carried)


# Laws of the model


def transformed(text_tower, swap: bool, east: int, north: int):
    """The tower turned or mirrored about the foundation's middle."""

    def moved(place: Cell) -> Cell:
        x, y = x_of(place) - 0.5, y_of(place) - 0.5
        x, y = (y, x) if swap else (x, y)
        return cell(round(east * x + 0.5), round(north * y + 0.5), z_of(place))

    return tuple(PlacedStone(one.colour, one.kind, tuple(sorted(map(moved, one.cells)))) for one in text_tower)


def transformed_side(side: str, swap: bool, east: int, north: int) -> str:
    x, y = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}[side]
    x, y = (y, x) if swap else (x, y)
    return {(0, 1): "N", (1, 0): "E", (0, -1): "S", (-1, 0): "W"}[east * x, north * y]


TURNS = [(swap, east, north) for swap in (False, True) for east in (1, -1) for north in (1, -1)]


def test_turning_and_mirroring_changes_no_verdict_and_no_angle():
    for sample in SAMPLES[:12]:
        side = sample.lean.side or "N"
        verdicts, angles = set(), []
        for turn in TURNS:
            image, way = transformed(sample.tower, *turn), transformed_side(side, *turn)
            verdicts.add(bool(moving_stones(image, LEVEL) or moving_stones(image, Lean(sample.lean.degrees, way))))
            angles.append(max_tilt(image, way))
        assert len(verdicts) == 1
        assert max(angles) - min(angles) < 1e-4


def test_a_larger_inset_never_makes_a_tower_stand_and_more_friction_never_makes_it_fall():
    for sample in SAMPLES[:25]:
        bodies = bodies_of(sample.tower)
        by_inset = [stands(bodies, sample.lean, inset=inset) for inset in (0.0, 0.02, 0.05, 0.1)]
        assert by_inset == sorted(by_inset, reverse=True)
        by_friction = [stands(bodies, sample.lean, friction=friction) for friction in (0.1, 0.3, 0.4, 0.8)]
        assert by_friction == sorted(by_friction)


def test_what_the_quick_programme_lets_stand_the_full_one_lets_stand():
    for sample in SAMPLES:
        bodies = bodies_of(sample.tower)
        if solve_quick(bodies, sample.lean).residual < 1e-6:
            assert solve_full(bodies, sample.lean).residual < 1e-6
        assert quick_moving_stones(sample.tower, sample.lean) or not moving_stones(sample.tower, sample.lean)


def test_a_tower_stands_just_below_the_angle_that_it_bears_and_falls_just_above():
    tried = 0
    for sample in SAMPLES:
        for side in COMPASS if tried < 40 else ():
            angle = max_tilt(sample.tower, side)
            if 0.05 < angle < 21:
                tried += 1
                assert not moving_stones(sample.tower, Lean(angle - 0.02, side))
                assert moving_stones(sample.tower, Lean(angle + 0.02, side))
    assert tried >= 40


def test_pawns_weigh_nothing():
    """A stone of four that juts out to both sides: a stone on its end gets the same verdict, whatever stands on it."""
    tower, verdicts = "B 1n@0,0,1 | G 4i@-1,0,2;0,0,2;1,0,2;2,0,2", {}
    for pawns in ("", "R:-1,0,3", "R:-1,0,3 B:0,0,3", "B:0,0,3 G:1,0,3"):
        for judge in (full_judge, quick_judge):
            game = Turmbauer(judge)
            state = placing("1n", tower, pawns)
            judged = game.pending(game.apply(state, game.read(state, "@2,0,3")))
            verdicts.setdefault(judge, set()).add(judged)
    assert [len(each) for each in verdicts.values()] == [1, 1]


def test_contacts_grow_with_the_tower_and_never_change():
    bodies = bodies_of(SAMPLES[-1].tower)
    whole = contacts_of(bodies, INSET)
    before = contacts_of(bodies[:-1], INSET)
    assert (whole.points[: len(before.points)] == before.points).all()


# An independent programme, and the engine


def test_an_independent_programme_says_the_same():
    """On towers from play; `make prove-physics` checks hundreds."""
    said = []
    for sample in SAMPLES:
        cells, lean = points(sample.tower), sample.lean
        level = forces.stands(cells)
        leaning = forces.stands(cells, lean.degrees, lean.side)
        assert (not moving_stones(sample.tower, LEVEL), not moving_stones(sample.tower, lean)) == (level, leaning), (
            format_tower(sample.tower)
        )
        quickly = forces.stands(cells, lean.degrees, lean.side, full=False)
        assert (not quick_moving_stones(sample.tower, lean)) == quickly
        said.append(level and leaning)
    assert 10 < sum(said) < 50
    for sample in SAMPLES[:12]:
        for side in "NW":
            assert max_tilt(sample.tower, side) == pytest.approx(forces.bears(points(sample.tower), side), abs=0.02)


def test_frozen_towers_are_many_and_of_every_kind():
    assert len(FROZEN) >= 200
    heights = [1 + max(z_of(place) for stone in each.sample.tower for place in stone.cells) for each in FROZEN]
    assert sum(high <= 5 for high in heights) >= 20
    assert sum(high >= 12 for high in heights) >= 20
    assert sum(each.stands for each in FROZEN) >= 60
    assert sum(not each.stands for each in FROZEN) >= 60
    assert sum(each.stands and each.bears < 2.5 for each in FROZEN) >= 30


def test_verdicts_on_frozen_towers_are_what_they_were():
    for each in FROZEN:
        found = moving_stones(each.sample.tower, LEVEL) or moving_stones(each.sample.tower, each.sample.lean)
        assert (not found) == each.stands, format_tower(each.sample.tower)


def test_the_engine_agreed_on_ninety_nine_of_a_hundred_frozen_towers():
    agreed = [each.stands == each.stood for each in FROZEN]
    assert sum(agreed) / len(agreed) >= 0.99


# Firmness and speed


def test_stability_is_classified_by_the_tilt_that_the_tower_withstands():
    assert stability_of(tower(HALF_OUT)).word == "falls"
    assert stability_of(tower("R1c@0,1,1")).word == "firm"
    words = {stability_of(sample.tower).word for sample in SAMPLES[:40]}
    assert words == {"falls", "wobbles", "firm"}
    for sample in SAMPLES[:20]:
        found = stability_of(sample.tower)
        if found.word == "firm":
            for side in COMPASS:
                assert not moving_stones(sample.tower, Lean(HANDS["shaky"], side))


def test_a_verdict_takes_at_most_twice_the_solvers_own_time(monkeypatch):
    states = [state for state in careful_game(5) if len(state.tower) >= 40]
    assert states
    bodies, spent, run = bodies_of(states[-1].tower), [0.0], highspy.Highs.run

    def timed(solver):
        began = time.process_time()
        answer = run(solver)
        spent[0] += time.process_time() - began
        return answer

    monkeypatch.setattr(highspy.Highs, "run", timed)
    for programme in (solve_quick, solve_full):
        ratios = []
        for lean in [Lean(degrees, side) for degrees in (0.5, 1.0, 1.5) for side in COMPASS]:
            spent[0], began = 0.0, time.process_time()
            programme(bodies, lean)
            ratios.append((time.process_time() - began) / spent[0])
        assert median(ratios) <= 2, programme


def test_a_verdict_is_remembered():
    sample = SAMPLES[0]
    moving_stones(sample.tower, sample.lean)
    before = moving_stones.cache_info().hits
    moving_stones(sample.tower, sample.lean)
    assert moving_stones.cache_info().hits == before + 1
