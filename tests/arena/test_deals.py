"""Playing deals: equal draws, reproducibility, and players that fail."""

from __future__ import annotations

from collections import Counter

import pytest

from spieltisch.arena.config import make_config
from spieltisch.arena.deals import play_deal
from spieltisch.arena.report import format_report
from spieltisch.arena.tournament import compete
from spieltisch.core.game import Refusal
from spieltisch.games.template.knowledge import PLAYERS
from tests.arena.bots import Absent
from tests.arena.cases import BOTH, GAME


def test_all_games_of_a_deal_have_the_same_draws(bots):
    config = make_config(GAME, {"players": 3}, ["first", "alike"], 7)
    deals = [play_deal(config, number) for number in range(6)]
    assert all(len({game.scores for game in deal.games}) == 1 for deal in deals)
    assert len({deal.games[0].scores for deal in deals}) > 3


def test_the_starting_seat_is_drawn_for_each_deal_unless_it_is_fixed(bots):
    drawn = make_config(GAME, {"players": 3}, ["first", "alike"], 7)
    fixed = make_config(GAME, {"players": 3, "first": 2}, ["first", "alike"], 7)
    assert drawn.first is None
    same = [play_deal(drawn, deal).games == play_deal(fixed, deal).games for deal in range(12)]
    assert 0 < sum(same) < 12


def test_a_deal_depends_on_the_config_and_its_number_only():
    config = make_config(GAME, {"players": 4}, BOTH, 7)
    other = make_config(GAME, {"players": 4}, BOTH, 8)
    games = [play_deal(config, number).games for number in (0, 1)]
    assert [play_deal(config, number).games for number in (0, 1)] == games
    assert games[0] != games[1] != play_deal(other, 1).games


def test_a_worker_of_another_version_refuses():
    with pytest.raises(Refusal, match="0\\.0\\.0"):
        play_deal(make_config(GAME, {}, BOTH, 1)._replace(version="0.0.0"), 0)


@pytest.mark.parametrize(
    ("name", "word"), [("crashing", "ZeroDivisionError"), ("leaving", "SystemExit"), ("lying", "castle")]
)
def test_a_player_that_fails_is_last_and_the_others_share_the_victory(bots, name, word):
    result = compete(GAME, {"players": 3}, [name, "first", "alike"], deals=4)
    assert result.games == len(result.failures) == 12
    assert {failed.name for failed in result.failures} == {name}
    assert Counter(failed.failure.seat for failed in result.failures) == {0: 4, 1: 4, 2: 4}
    assert {row.name: (row.share, row.failures) for row in result.entrants} == {
        "first": (0.5, 0),
        "alike": (0.5, 0),
        name: (0, 12),
    }
    failures = result.to_json()["failures"]
    assert all(word in failure["reason"] for failure in failures)
    lines = format_report(result, "Pebbles", "en")
    assert sum(line.startswith("Deal ") and f", {name}: " in line for line in lines) == 10
    assert lines[-1] == "… and 2 more."


def test_a_player_that_cannot_be_made_has_failed(monkeypatch):
    config = make_config(GAME, {}, BOTH, 1)
    monkeypatch.setitem(PLAYERS, "greedy", Absent)
    for game in play_deal(config, 0).games:
        assert game.failure is not None
        assert config.entrants[game.seats[game.failure.seat]] == "greedy"
        assert game.ranks[game.failure.seat] == 2
        assert "traffic" in str(game.failure.reason)


def test_an_error_in_the_rules_is_not_a_players_failure(monkeypatch):
    def broken(*_: object) -> None:
        raise ArithmeticError("the rules are broken")

    monkeypatch.setattr(type(GAME), "apply", broken)
    with pytest.raises(ArithmeticError):
        compete(GAME, {}, BOTH, deals=1)
