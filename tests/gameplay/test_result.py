"""The result of a game in sentences: who won, by how much, and why."""

from __future__ import annotations

import pytest

from spieltisch import registry
from spieltisch.core.game import Outcome
from spieltisch.gameplay.result import announce, announce_match, winning_margin
from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import Audience

NAMES = ("Ada", "Ibo", "Kim")
PEBBLES = registry.find("template")


def headline(scores: tuple[int, ...], ranks: tuple[int, ...], listener: int | None = None) -> str:
    told = announce(PEBBLES, Outcome(scores, ranks, "empty"), None, (), Audience(NAMES, listener))
    return format_message(told.headline, "en")


def test_a_headline_has_the_winner_and_the_margin():
    assert headline((9, 3, 5), (1, 3, 2)) == "Ada wins by 4 points."
    assert headline((9, 3, 5), (1, 3, 2), 0) == "You win by 4 points."
    assert headline((9, 8, 5), (1, 2, 3), 1) == "Ada wins by one point."


def test_a_winner_by_what_breaks_a_tie_has_no_margin():
    assert headline((9, 9, 5), (2, 1, 3)) == "Ibo wins."
    assert headline((9, 9, 5), (2, 1, 3), 1) == "You win."


def test_a_shared_victory_names_everybody_who_shares_it():
    assert headline((9, 9, 5), (1, 1, 3)) == "Ada and Ibo share the victory."
    assert headline((9, 9, 5), (1, 1, 3), 1) == "You and Ada share the victory."
    assert headline((9, 9, 9), (1, 1, 1), 0) == "You, Ibo and Kim share the victory."
    assert headline((9, 9, 5), (1, 1, 3), 2) == "Ada and Ibo share the victory."


def test_a_game_need_not_give_a_reason():
    assert announce(PEBBLES, Outcome((1, 0), (1, 2), "empty"), None, (), Audience(NAMES)).reason == ()


@pytest.mark.parametrize(("totals", "said"), [((30, 20), "You win the match by 10 points."), ((9, 9), "You and Ibo share the victory in the match.")])  # fmt: skip
def test_a_match_is_won_by_the_sum_of_its_games(totals, said):
    ranks = tuple(1 if total == max(totals) else 2 for total in totals)
    assert format_message(announce_match(totals, ranks, Audience(NAMES[:2], 0)), "en") == said


def test_there_is_no_margin_without_a_lead():
    assert winning_margin((5,), (1,)) is None
    assert winning_margin((3, 5), (1, 2)) is None
    assert winning_margin((5, 3), (1, 2)) == 2
