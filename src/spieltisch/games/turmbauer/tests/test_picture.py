"""Pictures of Turmbauer: the tower in painter's order, stones told apart, pawns that shine through."""

from __future__ import annotations

import re

import pytest

from spieltisch.core.picture import BOARD, PictureStyle
from spieltisch.core.picture.cubes import bounds, cubes, depth, hides, project
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.picture import draw
from spieltisch.games.turmbauer.picture.tower import camera_of, tower_cubes
from spieltisch.games.turmbauer.tests.positions import moving, new, placing, position, random_states
from spieltisch.i18n.message import Audience

STYLE = PictureStyle(False, "en")
NAMES = ["Ben", "Ida", "Eva", "Udo"]


def shapes(state, before=None):
    seen = None if before is None else GAME.observe(before, None)
    return draw(GAME.observe(state, None), Audience(NAMES[: state.setup.players]), STYLE, seen).shapes


def markup(state, before=None):
    return "".join(shape.markup for shape in shapes(state, before))


def test_a_cube_nearer_to_the_eye_is_painted_later():
    middle = (0, 0, 0)
    for nearer in ((1, 0, 0), (0, -1, 0), (0, 0, 1)):
        assert depth(nearer) > depth(middle)
        assert hides(nearer, *project(*(part + 0.5 for part in nearer)))


def test_a_point_outside_of_a_cube_is_not_hidden_by_it():
    x, y = project(0.5, 0.5, 0.5)
    assert hides((0, 0, 0), x, y)
    assert not hides((0, 0, 0), x + 1, y)
    assert not hides((0, 0, 0), x, y + 1.1)
    assert not hides((0, 0, 0), x + 0.8, y + 0.9)


def test_cubes_within_a_stone_have_no_edge_between_them():
    def lines(state):
        drawn = "".join(shape.markup for shape in shapes(state) if shape.order[0] == 20)
        return sum(len(re.findall("M", path)) for path in re.findall(r'd="(M[^"]*)" stroke="', drawn))

    joined = position("R 2d@0,0,1;1,0,1")
    apart = position("R 1n@0,0,1 | B 1c@1,0,1")
    assert lines(apart) > lines(joined)


@pytest.mark.parametrize("seed", range(3))
def test_the_tower_fits_the_board(seed):
    for state in list(random_states(new(2 + seed), seed))[::15]:
        cells = tower_cubes(GAME.observe(state, None), None)
        camera = camera_of(cells)
        left, top, right, bottom = bounds(cells)
        assert camera.x + left * camera.edge > BOARD.x + 100  # the rod is to the left
        assert camera.x + right * camera.edge < BOARD.x + BOARD.width
        assert camera.y + (top - 1) * camera.edge > BOARD.y  # with a pawn on top
        assert camera.y + bottom * camera.edge < BOARD.y + BOARD.height


def test_a_cube_behind_another_is_not_drawn():
    cells = tower_cubes(GAME.observe(position("R 1c@1,0,1"), None), None)
    assert (0, 1, 0) in cells
    assert len(list(cubes_of(cells))) == len(cells) - 1


def cubes_of(cells):
    from spieltisch.core.picture import Canvas

    return cubes(Canvas(STYLE), cells, 10, 0, 0)


def test_the_stone_of_the_last_turn_has_an_edge_of_light():
    before, after = position("R 1n@0,0,1"), position("R 1n@0,0,1 | B 1c@1,0,1")
    assert 'stroke="#fffdf5"' not in markup(after)
    assert 'stroke="#fffdf5"' in markup(after, before)


def test_a_stone_that_is_not_judged_yet_is_drawn():
    state = placing("1c", "R 1n@0,0,1")
    tried = state._replace(place=GAME.read(state, "@1,0,1").cells)
    assert len(tower_cubes(GAME.observe(tried, None), None)) == 6


def test_a_pawn_that_moved_stands_in_light():
    before, after = moving("R 1c@1,0,1", "R:table"), moving("R 1c@1,0,1", "R:1,0,2")
    assert 'fill-opacity=".85"' not in markup(after)
    assert 'fill-opacity=".85"' in markup(after, before)


def test_a_pawn_behind_the_tower_shines_through():
    hidden = position("R 1c@1,0,1 | B 1n@1,0,2", "G:0,1,1")
    seen = position("R 1c@1,0,1 | B 1n@1,0,2", "G:1,0,3")
    ghosts = [shape for shape in shapes(hidden) if shape.order[0] == 23]
    assert len(ghosts) == 1
    assert not [shape for shape in shapes(seen) if shape.order[0] == 23]


def test_a_new_stone_behind_the_tower_is_outlined():
    tower = "R 1c@1,0,1 | B 1n@1,0,2"
    hidden, seen = position(f"{tower} | G 1c@0,1,1"), position(f"{tower} | G 1c@1,0,3")
    assert [shape for shape in shapes(hidden, position(tower)) if shape.order[0] == 21]
    assert not [shape for shape in shapes(seen, position(tower)) if shape.order[0] == 21]


@pytest.mark.parametrize(("players", "sides"), [(2, 4), (3, 3), (4, 4)])
def test_every_side_has_a_plate_with_its_stones(players, sides):
    drawn = markup(new(players))
    assert drawn.count("#l-stone-") == 12 * sides
    assert drawn.count("#l-pawn-") == 3 * sides  # on the plate, on the table, and beside the rod


def test_the_dice_and_the_chosen_stone_are_drawn():
    drawn = markup(placing("1n"))
    assert drawn.count('r="3.8"') == 12
    assert drawn.count("#l-stone-1n-") == markup(position(roll="6+6")).count("#l-stone-1n-") + 1
