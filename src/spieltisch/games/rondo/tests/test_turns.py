"""Lines of the log of Rondo: a turn is one line with stones and points, and its mark has the fields."""

from __future__ import annotations

import pytest
from tests.support.playing import tell, turn_line

from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.tests.positions import position
from spieltisch.i18n.format import LANGUAGES

START = position("AE:PP", racks=("BBGRR", "PP"))


@pytest.mark.parametrize(
    ("turn", "language", "listener", "said"),
    [
        ("I4:BB . R", "en", 1, "Ada lays 2\u00a0blue for 2\u00a0points."),
        ("I4:B . R", "en", 0, "You lay blue for one point. You draw red."),
        ("I4:BB I3:r K3:G . P", "en", None, "Ada lays 2\u00a0blue, a bridge and green for 3\u00a0points."),
        ("I4:BB I3:r K3:G . P", "de", None, "Ada legt 2-mal Blau, eine Brücke und Grün für 3\u00a0Punkte."),
        ("I4:r I3:b . P", "de", 0, "Du legst 2\u00a0Brücken. Du ziehst Lila."),
    ],
)
def test_a_turn_is_one_line_without_the_numbers_of_fields(turn, language, listener, said):
    assert turn_line(GAME, START, turn, language, listener) == said


def test_a_pass_says_how_many_stones_are_drawn_and_which_only_to_who_drew_them():
    state = position(racks=("B", "PP"))
    assert turn_line(GAME, state, "pass R R", "en", 1) == "Ada passes and draws 2 stones."
    assert turn_line(GAME, state, "pass R R", "en", 0) == "You pass. You draw 2\u00a0red."
    assert turn_line(GAME, state, "pass R R", "de") == "Ada passt und zieht 2 Steine."
    assert tell(GAME, state, "pass R R")[1] is None


def test_stones_are_symbols_but_the_colour_of_a_bridge_is_not_and_the_mark_has_the_fields_and_points():
    parts, mark = tell(GAME, START, "I4:BB I3:r K3:G .", listener=0)
    assert [part.symbol for part in parts if part.symbol] == ["stone.B", "bridge", "stone.G"]
    assert mark == {"fields": ["I4", "I3", "K3"], "points": 3}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_line(language):
    for turn in ("I4:BB I3:r K3:G . P", "I4:r . P", "I4:B . P", "I4:B"):
        assert turn_line(GAME, START, turn, language).endswith(".")
        assert turn_line(GAME, START, turn, language, 0).endswith(".")
