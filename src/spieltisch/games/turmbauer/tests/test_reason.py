"""Why a game of Turmbauer was won, in sentences."""

from __future__ import annotations

import re

import pytest

from spieltisch.core.game import Outcome
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.reason import find_reason
from spieltisch.games.turmbauer.speech import SPEECH
from spieltisch.games.turmbauer.tests.positions import moving, play
from spieltisch.games.turmbauer.view import View
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import Audience

HEIGHTS = "B 1n@0,0,1 | B 2d@1,1,1;1,1,2 | G 1c@1,0,1"  # natural 2, blue 3, green 2, natural 1


def ended(stones: str = "", pawns: str = "", **more: object) -> View:
    """The end when the last player of the last round stays where they are."""
    players = more.setdefault("players", 3)
    last = "RBGK"[-1 if players != 3 else 2]
    return GAME.observe(play(moving(stones, pawns, colour=last, in_round=12, **more), "."), None)


def collapsed(view: View, causer: int, ranks: tuple[int, ...]) -> View:
    assert view.outcome is not None
    return view._replace(fallen=3, seat=causer, outcome=Outcome(view.outcome.scores, ranks, "collapse"))


def said(view: View, language: str = "en") -> list[str]:
    audience = Audience(["Ada", "Ibo", "Kim"][: view.setup.players], 0)
    return [format_message(message, language) for message in SPEECH.reason(view, (), audience)]


def test_the_highest_pawn_decided():
    assert said(ended(HEIGHTS, "R:0,0,2 B:1,1,3 G:0,1,1")) == ["The highest pawn stands at height 3, the next at 2."]


def test_with_two_players_the_heights_are_added_up():
    view = ended(HEIGHTS, "R:0,0,2 B:1,1,3", players=2)
    assert said(view) == ["The two pawns’ heights add up to 3, the others’ to 2."]


def test_a_tie_is_explained_by_what_broke_it():
    tie = {"boxes": {"R": "6s", "B": "2d"}}
    assert said(ended(**tie))[0].startswith("Equally high, but fewer cubes in the box: 0 against ")
    assert said(ended(rings="R:1 B:1")) == ["Equally high, but more rings left: 2 against 1."]


def test_a_collapse_names_who_caused_it_and_compares_the_others():
    view = ended(HEIGHTS, "R:0,0,2 B:1,1,3 G:0,1,1")
    assert said(collapsed(view, 1, (1, 3, 2))) == [
        "Ibo brought the tower down.",
        "The highest pawn stands at height 2, the next at 1.",
    ]
    assert said(collapsed(view, 0, (3, 1, 2)))[0] == "Your stone brought the tower down."


def test_with_two_players_a_collapse_is_the_whole_reason():
    view = ended(HEIGHTS, "R:0,0,2 B:1,1,3", players=2)
    assert said(collapsed(view, 1, (1, 2))) == ["Ibo brought the tower down."]


def test_a_shared_victory_has_no_reason():
    assert find_reason(ended()) == (None, None)
    assert said(ended()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reason_can_be_said_in_every_language(language):
    views = [ended(HEIGHTS, "R:0,0,2 B:1,1,3 G:0,1,1"), ended(boxes={"R": "6s", "B": "2d"}), ended(rings="R:1 B:1")]
    views += [collapsed(views[0], 1, (1, 3, 2)), collapsed(views[1], 1, (2, 3, 1))]
    views += [ended(HEIGHTS, "R:0,0,2 B:1,1,3", players=2)]
    for sentence in (sentence for view in views for sentence in said(view, language)):
        assert sentence.endswith(".")
        assert not re.search(r"[{}#]|  ", sentence), sentence
