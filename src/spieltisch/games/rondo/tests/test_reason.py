"""Why a game of Rondo was won, in sentences."""

from __future__ import annotations

import re

import pytest

from spieltisch.core.game import Heard, Seat
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.reason import BestTurn, BetterFields, MoreStones, StonesLeft, find_reason, find_turns
from spieltisch.games.rondo.speech import SPEECH
from spieltisch.games.rondo.tests.positions import BOARD, position
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import Audience

VALUES = dict(zip(BOARD.names, BOARD.values, strict=True))


def heard(*turns: str) -> list[Heard]:
    """Turns such as '0 I4:B AE:PP .', each with a draw after it."""
    found = []
    for turn in turns:
        seat, *texts = turn.split()
        found += [Heard(Seat(int(seat)), text) for text in texts] + [Heard(None, "?")]
    return found


def ended(scores: tuple[int, ...], racks: tuple[str, ...] = ("", "")):
    return GAME.observe(position(racks=racks, scores=scores, cause="grey")._replace(over=True), None)


def test_a_turn_is_what_a_seat_does_until_another_one_moves():
    turns = find_turns(ended((0, 0)), heard("0 AE:PP K13:? I4:B .", "1 pass", "0 AW:P ."))
    first = 2 * VALUES["AE"] + VALUES["I4"]
    assert turns == [(0, first, 2, 3), (1, 0, 0, 0), (0, VALUES["AW"], 1, 1)]


def test_the_best_turn_of_the_game_decided_if_it_brought_more_than_the_margin():
    moves = heard("0 AE:PPPP I4:B .", "1 AE:P .")
    points = 4 * VALUES["AE"] + VALUES["I4"]
    assert find_reason(ended((20, 20 - points + 1)), moves) == BestTurn(points, 2)
    assert not isinstance(find_reason(ended((50, 50 - points)), moves), BestTurn)


def test_more_stones_decided_if_no_turn_did():
    assert find_reason(ended((50, 20)), heard("0 AE:P .", "1 AE:PP .", "0 AE:PP .")) == MoreStones(3, 2)


def test_no_more_stones_but_more_points_come_from_better_fields():
    assert find_reason(ended((50, 20)), heard("0 AE:P .", "1 AE:PP .")) == BetterFields(50, 1)


def test_r12_with_equal_points_more_stones_left_decide():
    assert find_reason(ended((7, 7), ("PB", "P")), heard("0 AE:P .", "1 AE:P .")) == StonesLeft(2, 1)
    assert find_reason(ended((7, 7), ("P", "P")), heard("0 AE:P .", "1 AE:P .")) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_can_be_said_in_every_language(language):
    games = [
        (ended((20, 19)), heard("0 AE:PPPP I4:B .", "1 AE:P .")),
        (ended((50, 20)), heard("0 AE:P .", "1 AE:PP .", "0 AE:PP .")),
        (ended((50, 20)), heard("0 AE:P .", "1 AE:PP .")),
        (ended((7, 7), ("PB", "P")), heard("0 AE:P .")),
    ]
    said = [SPEECH.reason(view, moves, Audience(["Ada", "Ibo"])) for view, moves in games]
    for (message,) in said:
        sentence = format_message(message, language)
        assert sentence.endswith(".")
        assert not re.search(r"[{}#]|  ", sentence), sentence
