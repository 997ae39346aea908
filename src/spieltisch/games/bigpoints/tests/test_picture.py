"""Pictures of Big Points: the track fits its box, and the last turn is marked."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

from spieltisch.core.game import Seat
from spieltisch.core.picture import PictureStyle
from spieltisch.games.bigpoints import GAME
from spieltisch.games.bigpoints.picture import draw
from spieltisch.games.bigpoints.picture.track import fit_track, section
from spieltisch.games.bigpoints.tests.positions import position
from spieltisch.i18n.message import Audience


def markup(state, viewer=None, before=None):
    view = GAME.observe(state, viewer)
    seen = None if before is None else GAME.observe(before, viewer)
    return "".join(
        shape.markup for shape in draw(view, Audience(["Ben", "Ida"]), PictureStyle(False, "en"), seen).shapes
    )


@pytest.mark.parametrize("discs", [1, 5, 20, 55])
def test_discs_lie_within_the_box_and_do_not_overlap(discs):
    layout = fit_track(640, 630, discs)
    places = [spot[:2] for spot in layout.spots[1:]]
    assert len(places) == discs
    assert all(dist(one, other) >= layout.d for one, other in combinations(places, 2))
    assert all(x - layout.d / 2 + 1 >= 0 and x + layout.d / 2 <= 641 for x, _ in places)
    assert all(y - layout.d / 2 >= 0 and y + layout.d / 2 <= 630 for _, y in places)
    corner = layout.stairs.x
    assert not any(x + layout.d / 2 > corner and y - layout.d / 2 < 3.2 * layout.d for x, y in places)


def test_a_section_of_the_groove_runs_in_walking_order():
    layout = fit_track(640, 630, 55)
    there, back = section(layout, 3, 30), section(layout, 30, 3)
    assert [point[:2] for point in there] == [point[:2] for point in reversed(back)]
    assert section(layout, 50, None)[-1] == layout.line[-1]


def test_a_gap_is_a_dent_and_a_disc_is_a_disc():
    drawn = markup(position("g w . y . .", "r2"))
    assert drawn.count("#l-dent") == 3
    assert drawn.count("#l-disc-green") == 2  # on the track, and beside the staircase
    assert drawn.count("#l-disc-white") == 1


def test_a_hidden_hand_is_drawn_as_backs_with_their_number():
    state = position("g w y", hands=("brr", "yk"))
    own, spectator = markup(state, Seat(0)), markup(state)
    assert own.count("#l-disc-back") == 2
    assert spectator.count("#l-disc-back") == 5
    assert own.count("#l-disc-red") == spectator.count("#l-disc-red") + 1


def test_the_way_of_a_pawn_is_lit_and_the_disc_that_it_took_is_ringed():
    before, after = position("g w y b r", "b1"), position("g w . b r", "b4")
    marked, plain = markup(after, before=before), markup(after)
    assert marked.count('stroke="#ffc445"') == plain.count('stroke="#ffc445"') + 1
    assert marked.count("stroke-dasharray") == plain.count("stroke-dasharray") + 1


def test_pawns_on_the_staircase_and_handed_in_discs_are_drawn():
    state = position("k . . b r", "", stairs="yg")
    drawn = markup(state)
    assert "× 2" in drawn
    assert drawn.count("#l-pawn-") == 5
