"""Balance: its statistics, reproducibility, reports and charts."""

from __future__ import annotations

import json
from random import Random
from xml.etree import ElementTree as ET

import pytest

from spieltisch import players, registry
from spieltisch.arena.balance.chart import draw_marginal_values, draw_place_chart
from spieltisch.arena.balance.measure import Balance, measure_balance, ratio_estimate, summarize
from spieltisch.arena.balance.report import format_balance
from spieltisch.arena.balance.self_play import COPIES, BalanceLog, DuplicateDeal, GameStats, play_duplicate_deal
from spieltisch.arena.config import make_self_play_config
from spieltisch.arena.deal_log import BadDealLog
from spieltisch.arena.deals import VersionMismatch
from spieltisch.arena.tournament import LostDeal
from spieltisch.arena.workers import ClusterWorkers, ProcessWorkers
from spieltisch.core.game import BadSetup, Decision, Refusal
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.games.template.knowledge import PLAYERS
from spieltisch.i18n.format import LANGUAGES
from tests.support.command import run

GAME = registry.find("template")
CONFIG = make_self_play_config(GAME, {"players": 2}, "greedy", 1)


def noted(shares, scores=(0, 0), counts=()) -> GameStats:
    return GameStats(tuple(shares), tuple(scores), 10, 5, "empty", tuple(counts))


def made(pairs) -> Balance:
    return summarize(CONFIG, [DuplicateDeal(number, tuple(pair), 1.0) for number, pair in enumerate(pairs)])


def won(first: bool) -> GameStats:
    return noted((1.0, 0.0), (9, 3)) if first else noted((0.0, 1.0), (3, 9))


def timeless(result: Balance) -> Balance:
    return result._replace(seconds=0)


def test_luck_is_one_if_the_deal_decides_everything():
    dice = Random(1)
    result = made([(won(first), won(first)) for first in (dice.random() < 0.5 for _ in range(200))])
    assert result.luck.value == pytest.approx(1)
    assert result.luck_in_points.value == pytest.approx(1)


def test_luck_is_about_zero_if_the_deal_decides_nothing():
    dice = Random(1)
    result = made([(won(dice.random() < 0.5), won(dice.random() < 0.5)) for _ in range(2000)])
    assert result.luck.bounds.low < 0 < result.luck.bounds.high
    assert abs(result.luck.value) < 0.06


def test_the_advantage_of_starting_is_not_luck():
    result = made([(won(True), won(True))] * 50)
    assert result.places[0].share.value == 1
    assert result.luck == (0, None)


def test_a_known_marginal_value_is_estimated():
    dice = Random(2)
    pairs = []
    for _ in range(300):
        pair = []
        for _ in range(COPIES):
            rings = (dice.randrange(4), dice.randrange(4))
            scores = [20 + 3 * one + dice.randrange(-2, 3) for one in rings]
            pair.append(noted((float(scores[0] > scores[1]), float(scores[0] <= scores[1])), scores, [("ring", rings)]))
        pairs.append(pair)
    (value,) = made(pairs).marginal_values
    assert value.often == pytest.approx(1.5, abs=0.1)
    assert value.points.bounds.low < 3 < value.points.bounds.high
    assert value.points.value == pytest.approx(3, abs=0.1)


def test_intervals_of_ratios_have_the_right_coverage():
    dice, covered = Random(3), 0
    for _ in range(400):
        below = [1 + dice.random() for _ in range(40)]
        bounds = ratio_estimate([0.7 * one + dice.gauss(0, 1) for one in below], below).bounds
        covered += bounds.low < 0.7 < bounds.high
    assert 0.91 < covered / 400 < 0.985


def test_distributions_ties_endings_and_failures_are_counted():
    tie = noted((0.5, 0.5), (4, 4))
    result = summarize(
        CONFIG, [DuplicateDeal(0, (won(True), tie), 1.0), DuplicateDeal(1, (), 1.0), DuplicateDeal(2, (tie, tie), 1.0)]
    )
    assert (result.deals, result.games, result.lost) == (2, 4, 1)
    assert result.ties.value == 0.75
    assert result.endings == (("empty", 4),)
    assert result.lead.mean == pytest.approx(6 / 4)
    assert result.winner.mean == pytest.approx((9 + 4 + 4 + 4) / 4)


class First:
    """Takes the first choice."""

    def __init__(self, sampler) -> None:
        pass

    def choose(self, seen, clock):
        return seen.choices[0]


def test_places_are_counted_from_the_starting_seat(monkeypatch):
    monkeypatch.setitem(PLAYERS, "first", First)
    config = make_self_play_config(GAME, {"players": 3}, "first", 1)
    games = [play_duplicate_deal(config._replace(first=seat), 3).games for seat in range(3)]
    assert games[0] == games[1] == games[2]
    assert len(set(games[0][0].scores)) > 1


def test_both_games_of_a_deal_have_the_same_draws_and_other_player_seeds():
    config = make_self_play_config(GAME, {"players": 2}, "random", 1)
    deals = [play_duplicate_deal(config, number) for number in range(5)]
    assert all(len(deal.games) == COPIES for deal in deals)
    assert any(deal.games[0] != deal.games[1] for deal in deals)
    assert [play_duplicate_deal(config, number).games for number in range(5)] == [deal.games for deal in deals]


def test_workers_and_interruptions_change_nothing(tmp_path):
    alone = measure_balance(GAME, {"players": 3}, "random", deals=8, seed=4)
    with ProcessWorkers(2) as workers, BalanceLog(tmp_path) as log:
        assert (
            timeless(measure_balance(GAME, {"players": 3}, "random", deals=5, seed=4, executor=workers, log=log)).deals
            == 5
        )
    reported: list[tuple[int, int]] = []
    with BalanceLog(tmp_path) as log:
        again = measure_balance(
            GAME, {"players": 3}, "random", deals=8, seed=4, log=log, progress=lambda *done: reported.append(done)
        )
    assert timeless(again) == timeless(alone)
    assert reported == [(5, 8), (6, 8), (7, 8)]
    with BalanceLog(tmp_path) as log, pytest.raises(BadDealLog, match="seed is 4 there and 5 here"):
        measure_balance(GAME, {"players": 3}, "random", deals=8, seed=5, log=log)


def test_a_cluster_gives_the_same_result():
    from distributed import LocalCluster

    alone = measure_balance(GAME, {"players": 2}, "random", deals=6, seed=4)
    with (
        LocalCluster(n_workers=1, processes=False, protocol="tcp", dashboard_address=None) as cluster,
        ClusterWorkers(cluster.scheduler_address) as workers,
    ):
        there = measure_balance(GAME, {"players": 2}, "random", deals=6, seed=4, executor=workers)
    assert timeless(there) == timeless(alone)


def test_a_bad_config_is_refused():
    with pytest.raises(BadSetup):
        make_self_play_config(GAME, {"players": 9}, "random", 1)
    with pytest.raises(Refusal, match="nobody"):
        make_self_play_config(GAME, {}, "nobody", 1)
    with pytest.raises(Refusal):
        make_self_play_config(GAME, {}, "random", -1)
    with pytest.raises(VersionMismatch):
        play_duplicate_deal(CONFIG._replace(version="0.0.0"), 0)
    assert issubclass(LostDeal, Refusal)


@pytest.mark.parametrize("name", registry.names())
def test_every_game_counts_something_for_every_seat(name):
    game = registry.find(name).for_simulation
    count = registry.game_counts(game)
    referee = Referee(game, game.agree(game.players[-1]), seeded(1))
    bot = players.make("random", game, 1)
    while isinstance(referee.settle(), Decision):
        referee.ask(bot)
    counted = count(referee.steps, referee.state)
    assert counted
    assert {len(numbers) for numbers in counted.values()} == {game.players[-1]}
    assert any(any(numbers) for numbers in counted.values())
    assert all(number >= 0 for numbers in counted.values() for number in numbers)


@pytest.mark.parametrize("language", LANGUAGES)
def test_balance_is_reported_and_drawn_in_every_language(language):
    results = [measure_balance(GAME, {"players": size}, "random", deals=6, seed=1) for size in (2, 3)]
    lines = [line for result in results for line in format_balance(result, GAME, GAME.title, language)]
    assert len(lines) == (1 + 2 + 3 + 2) + (1 + 3 + 3 + 2)
    assert not any("{" in line for line in lines)
    for picture in (
        draw_place_chart(results, GAME.title, language),
        draw_marginal_values(results, GAME, GAME.title, language),
    ):
        root = ET.fromstring(picture)
        assert root.get("lang") == language
        assert len(root.findall(".//{*}rect[@class='bar']")) in (4, 5)


def test_the_command_prints_saves_and_resumes(tmp_path):
    flags = ["stats", "template", "--player", "greedy", "--size", "2", "--workers", "1", "--out", str(tmp_path)]
    first = run(*flags, "--deals", "4").out
    assert "Pebbles, 2 seats, greedy among equals: 4 deals, 8 games." in first
    assert "Luck: the deal decides" in first
    numbers = json.loads((tmp_path / "stats.json").read_text())
    assert numbers[0]["games"] == 8
    assert {path.name for path in tmp_path.iterdir()} == {"2", "places.svg", "stats.json", "worths.svg"}
    assert "6 deals, 12 games" in run(*flags, "--deals", "6").out
