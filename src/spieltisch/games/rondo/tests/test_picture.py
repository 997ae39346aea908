"""Pictures of Rondo: any board can be drawn, and fields do not overlap."""

from __future__ import annotations

import json
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from spieltisch.core.game import Seat
from spieltisch.core.picture import PictureStyle
from spieltisch.games import rondo
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.picture import draw
from spieltisch.games.rondo.picture.layout import layout_of
from spieltisch.games.rondo.tests.positions import position
from spieltisch.games.rondo.tests.test_board import SMALL
from spieltisch.i18n.message import Audience

BOARD = json.loads((Path(rondo.__file__).parent / "board.json").read_text(encoding="utf-8"))
ONE = {
    "cells": ["x"],
    "adjacency": {"C": ["x"], "x": ["C"]},
    "grey": ["x"],
    "sides": {"blue": {"x": {"colour": "P", "value": 1000}}},
}
POSITIONS = {"C": [0, 0], "N1": [0, -2], "E1": [2, 0], "ring": [2, -2], "far": [4, -4]}
OTHER_NAMES = json.loads(json.dumps(BOARD).replace('"I', '"in').replace('"O', '"out'))
BOARDS = {
    "built-in": "",
    "small": json.dumps(SMALL),
    "one field": json.dumps(ONE),
    "with positions": json.dumps({**SMALL, "positions": POSITIONS}),
    "with other names": json.dumps(OTHER_NAMES),
}


def markup(state, viewer=None, before=None):
    view = GAME.observe(state, viewer)
    seen = None if before is None else GAME.observe(before, viewer)
    return "".join(
        shape.markup for shape in draw(view, Audience(["Ben", "Ida"]), PictureStyle(False, "en"), seen).shapes
    )


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_fields_lie_within_the_board_and_do_not_overlap(board):
    layout = layout_of(board)
    assert min(dist(one, other) for one, other in combinations(layout.spots.values(), 2)) >= 0.99
    assert all(abs(x) < layout.width / 2 and abs(y) < layout.height / 2 for x, y in layout.spots.values())


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_any_board_is_drawn(board):
    state = GAME.initial(GAME.agree(2, options={"board": json.loads(board) if board else ""}))
    drawn = markup(state)
    assert drawn.count("#l-field-") == len(layout_of(board).spots) - 1


def test_positions_of_the_file_are_used():
    spots = layout_of(BOARDS["with positions"]).spots
    assert dist(spots["C"], spots["far"]) == pytest.approx(2 * dist(spots["C"], spots["ring"]))


@pytest.mark.parametrize(
    "positions",
    [
        {},
        [],
        {**POSITIONS, "far": [1]},
        {**POSITIONS, "far": ["a", "b"]},
        {**POSITIONS, "far": [10**400, 0]},
        {**POSITIONS, "far": [0, 0]},
        {**POSITIONS, "far": [1e-300, 0]},
        {**POSITIONS, "far": [1e5, 0]},
    ],
)
def test_positions_that_cannot_be_drawn_are_left_aside(positions):
    assert layout_of(json.dumps({**SMALL, "positions": positions})) == layout_of(BOARDS["small"])


def test_a_bridge_shows_its_colour_to_its_owner_only():
    state = position("AE:p@0", ("PB", "Y"))
    own, other = markup(state, Seat(0)), markup(state, Seat(1))
    assert own.count("#l-disc-purple") == 2  # on the rack, and beside the bridge
    assert other.count("#l-disc-purple") == 0
    assert other.count('#l-disc-back"') == 3  # the bridge, and two on the rack


def test_a_high_stack_has_a_badge():
    low, high = (markup(position(stack)).count(">5</text>") for stack in ("AE:P", "AE:PPPPP"))
    assert high == low + 1


def test_the_chain_of_the_last_turn_is_ringed():
    before, after = position("AE:P"), position("AE:P AN:B I0:G", scores=(7, 0))
    plain, marked = markup(after), markup(after, before=before)
    assert marked.count('stroke="#fffdf5"') == plain.count('stroke="#fffdf5"') + 2
    assert ">+7</text>" in marked
