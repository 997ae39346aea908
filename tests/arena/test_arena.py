"""Tournaments: fair deals, honest statistics, and results that nothing changes: no worker's end, no interruption."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from statistics import fmean, variance
from typing import Any
from xml.etree import ElementTree as ET

import psutil
import pytest
from scipy import stats

from spieltisch import registry
from spieltisch.arena.chart import draw_chart
from spieltisch.arena.config import BadTournament, Config, make_config
from spieltisch.arena.deal_log import BadDealLog
from spieltisch.arena.deals import DealResult, GameResult, play_deal
from spieltisch.arena.rating import Ratings
from spieltisch.arena.report import format_report
from spieltisch.arena.seating import games_per_deal, line_ups
from spieltisch.arena.standings import Standings, TournamentResult, order_is_certain, victory_shares
from spieltisch.arena.statistics import (
    MIN_DEALS,
    Sample,
    confidence_interval,
    confidence_sequence,
    decided_sign,
    student_quantile,
)
from spieltisch.arena.tournament import LostDeal, compete
from spieltisch.arena.tournament_log import TournamentLog
from spieltisch.arena.workers import ClusterWorkers, NoWorkers, ProcessWorkers
from spieltisch.core.game import BadSetup, Refusal
from spieltisch.games.template.knowledge import PLAYERS
from spieltisch.i18n.format import LANGUAGES
from tests.support.running import COMMAND, PATIENCE, assert_refused, at_terminal, run, run_process, running

GAME = registry.find("template")
BOTH = ["greedy", "random"]


def config_of(entrants: int, seats: int, seed: int = 1) -> Config:
    return Config("template", seats, "standard", (), None, 1, tuple(f"bot{n}" for n in range(entrants)), seed)


def timeless(result: TournamentResult) -> TournamentResult:
    """The result without what differs from run to run."""
    return result._replace(seconds=0)


def wait_until(there: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# Seating

TABLES = [(entrants, seats) for entrants in range(2, 8) for seats in range(2, 7)]


@pytest.mark.parametrize(("entrants", "seats"), TABLES)
def test_everybody_sits_everywhere_equally_often_in_every_deal(entrants, seats):
    for deal in range(5):
        seated = line_ups(config_of(entrants, seats), deal)
        assert len(seated) == games_per_deal(entrants, seats)
        there = {entrant for game in seated for entrant in game}
        assert len(there) == min(entrants, seats)
        often = Counter((entrant, seat) for game in seated for seat, entrant in enumerate(game))
        assert {often[entrant, seat] for entrant in there for seat in range(seats)} == {len(seated) // len(there)}


@pytest.mark.parametrize(("entrants", "seats"), TABLES)
def test_in_every_game_the_seats_are_shared_out_as_evenly_as_can_be(entrants, seats):
    for game in line_ups(config_of(entrants, seats), 0):
        often = Counter(game).values()
        assert max(often) - min(often) <= 1


def test_a_surplus_seat_changes_hands_within_the_deal():
    seated = line_ups(config_of(2, 5), 0)
    assert Counter(game.count(0) for game in seated) == {2: 5, 3: 5}
    assert {tuple(1 - entrant for entrant in game) for game in seated} == set(seated)


def test_every_selection_of_many_entrants_comes_once_before_any_comes_again():
    config = config_of(6, 3)
    chosen = [frozenset(line_ups(config, deal)[0]) for deal in range(40)]
    assert Counter(chosen[:20]) == Counter(map(frozenset, combinations(range(6), 3)))
    assert Counter(chosen[20:]) == Counter(chosen[:20])
    assert chosen[20:] != chosen[:20]
    for deals in range(1, 40):
        often = Counter(entrant for selection in chosen[:deals] for entrant in selection)
        assert max(often.values()) - min(often[entrant] for entrant in range(6)) <= 3


def test_neighbours_change_from_deal_to_deal():
    assert len({frozenset(line_ups(config_of(4, 4), deal)) for deal in range(60)}) == 6


# Playing


class First:
    """Takes the first choice."""

    def __init__(self, sampler: random.Random) -> None:
        self.asked = 0

    def choose(self, seen: Any, clock: Any) -> Any:
        self.asked += 1
        return seen.choices[0]


class Crashing(First):
    """Crashes at its second choice."""

    def choose(self, seen: Any, clock: Any) -> Any:
        if self.asked:
            raise ZeroDivisionError("by <nothing>")
        return super().choose(seen, clock)


class Leaving(First):
    """Ends the program."""

    def choose(self, seen: Any, clock: Any) -> Any:
        sys.exit(3)


class Lying(First):
    """Answers with something else."""

    def choose(self, seen: Any, clock: Any) -> Any:
        return "a king and a castle"


class Absent(First):
    """Does not even come."""

    def __init__(self, sampler: random.Random) -> None:
        if sampler.random() < 2:
            raise OSError("stuck in traffic")


BOTS = {"first": First, "alike": First, "crashing": Crashing, "leaving": Leaving, "lying": Lying}


@pytest.fixture
def bots(monkeypatch):
    """Players for the template game that tests need."""
    for name, bot in BOTS.items():
        monkeypatch.setitem(PLAYERS, name, bot)


def test_all_games_of_a_deal_have_the_same_luck(bots):
    config = make_config(GAME, {"players": 3}, ["first", "alike"], 7)
    deals = [play_deal(config, number) for number in range(6)]
    assert all(len({game.scores for game in deal.games}) == 1 for deal in deals)
    assert len({deal.games[0].scores for deal in deals}) > 3


def test_whoever_begins_is_drawn_for_each_deal_unless_it_was_agreed(bots):
    drawn = make_config(GAME, {"players": 3}, ["first", "alike"], 7)
    fixed = make_config(GAME, {"players": 3, "first": 2}, ["first", "alike"], 7)
    assert drawn.first is None
    same = [play_deal(drawn, deal).games == play_deal(fixed, deal).games for deal in range(12)]
    assert 0 < sum(same) < 12


def test_a_deal_depends_on_its_number_and_the_terms_alone():
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
def test_whoever_fails_is_the_last_and_the_others_share_the_victory(bots, name, word):
    result = compete(GAME, {"players": 3}, [name, "first", "alike"], deals=4)
    assert result.games == len(result.failures) == 12
    assert {failed.name for failed in result.failures} == {name}
    assert Counter(failed.failure.seat for failed in result.failures) == {0: 4, 1: 4, 2: 4}
    assert {row.name: (row.share, row.failures) for row in result.entrants} == {
        "first": (0.5, 0),
        "alike": (0.5, 0),
        name: (0, 12),
    }
    told = result.to_json()["failures"]
    assert all(word in failure["reason"] for failure in told)
    lines = format_report(result, "Pebbles", "en")
    assert sum(line.startswith("Deal ") and f", {name}: " in line for line in lines) == 10
    assert lines[-1] == "… and 2 more."


def test_whoever_does_not_even_sit_down_has_failed(monkeypatch):
    config = make_config(GAME, {}, BOTH, 1)
    monkeypatch.setitem(PLAYERS, "greedy", Absent)
    for game in play_deal(config, 0).games:
        assert game.failure is not None
        assert config.entrants[game.seats[game.failure.seat]] == "greedy"
        assert game.ranks[game.failure.seat] == 2
        assert "traffic" in str(game.failure.reason)


def test_an_error_of_the_rules_is_nobodys_failure(monkeypatch):
    def broken(*_: object) -> None:
        raise ArithmeticError("the rules are broken")

    monkeypatch.setattr(type(GAME), "apply", broken)
    with pytest.raises(ArithmeticError):
        compete(GAME, {}, BOTH, deals=1)


# Statistics


def test_a_sample_has_the_mean_and_spread_of_its_numbers():
    values = [random.Random(1).uniform(-1, 1) for _ in range(50)]
    sample = Sample(values)
    assert sample.mean == pytest.approx(fmean(values))
    assert sample.variance == pytest.approx(variance(values) + 1 / 49)


@pytest.mark.parametrize(("freedom", "off"), [(3, 0.01), (5, 0.001), (10, 1e-4), (100, 1e-6), (5000, 1e-8)])
@pytest.mark.parametrize("level", [0.05, 0.01])
def test_students_quantile_is_that_of_the_tables(freedom, off, level):
    assert student_quantile(freedom, level) == pytest.approx(
        stats.t.ppf(1 - level / 2, freedom), rel=off * (1 if level == 0.05 else 6)
    )


def test_an_interval_at_the_end_holds_the_mean_in_nineteen_cases_of_twenty():
    dice = random.Random(2)
    held = 0
    for _ in range(600):
        bounds = confidence_interval(Sample(dice.choice((0, 0.25, 0.5, 1)) for _ in range(80)))
        assert bounds is not None
        held += bounds.low <= 0.4375 <= bounds.high
    assert 0.93 < held / 600 < 0.98
    assert confidence_interval(Sample([0.5])) is None


def test_never_having_won_does_not_prove_that_one_never_will():
    bounds = confidence_interval(Sample([0.0] * 30))
    assert bounds is not None
    assert 0.03 < bounds.high < 0.1


def test_the_confidence_sequence_is_the_published_one():
    sample = Sample([0.3, -0.1] * 50)
    s, t, alpha = math.sqrt((100 * 0.04 + 1) / 99), 100, 0.05
    rho = math.sqrt((-2 * math.log(alpha) + math.log(-2 * math.log(alpha)) + 1) / 100)
    assert rho == pytest.approx(0.296, abs=5e-4)
    reach = s * math.sqrt(2 * (t * rho**2 + 1) / (t**2 * rho**2) * math.log(math.sqrt(t * rho**2 + 1) / alpha))
    assert confidence_sequence(sample) == pytest.approx((0.1 - reach, 0.1 + reach))


NULLS = {
    "two alike at two seats": lambda dice: dice.choice((-1, 0, 0, 1)),
    "mostly the same result": lambda dice: dice.choices((-1, 0, 1), (1, 18, 1))[0],
    "many games a deal": lambda dice: dice.gauss(0, 0.15),
}


@pytest.mark.parametrize("draw_one", NULLS.values(), ids=NULLS.keys())
def test_watching_all_along_calls_equals_different_in_one_tournament_of_twenty_at_most(draw_one):
    dice = random.Random(3)
    wrong = 0
    for _ in range(400):
        sample = Sample()
        for _ in range(300):
            sample.add(draw_one(dice))
            if decided_sign(sample):
                wrong += 1
                break
    assert wrong / 400 <= 0.05 + 0.03


def test_three_equals_are_put_in_order_in_one_tournament_of_twenty_at_most():
    dice = random.Random(4)
    wrong = 0
    for _ in range(150):
        standing = Standings(config_of(3, 3))
        for number in range(100):
            ranks = [tuple(dice.sample((1, 2, 3), 3)) for _ in range(3)]
            games = tuple(
                GameResult(seats, rank, rank)
                for seats, rank in zip(line_ups(standing.config, number), ranks, strict=True)
            )
            shares = victory_shares(DealResult(number, games, 0))
            for entrant, share in shares.items():
                standing.shares[entrant].add(share)
            for (one, other), sample in standing.differences.items():
                sample.add(shares[one] - shares[other])
            if order_is_certain(standing):
                wrong += 1
                break
    assert wrong / 150 <= 0.05


def test_a_clear_difference_is_decided_early_and_for_the_right_side():
    dice = random.Random(5)
    for sign in (1, -1):
        for _ in range(50):
            values = [sign * dice.choices((1, 0, -1), (6, 3, 1))[0] for _ in range(70)]
            assert decided_sign(values) == sign


def test_nothing_is_decided_before_thirty_deals():
    assert decided_sign([1.0] * (MIN_DEALS - 1)) == 0
    assert confidence_sequence(Sample([1.0] * (MIN_DEALS - 1))) is None
    assert decided_sign([1.0] * MIN_DEALS) == 1
    assert decided_sign([-1.0] * MIN_DEALS) == -1
    assert decided_sign([0.0] * 10_000) == 0


# Ratings


def test_whoever_wins_more_is_rated_higher():
    ratings = Ratings(3)
    for turn in range(30):
        seats = ((0, 1, 2), (1, 2, 0), (2, 0, 1))[turn % 3]
        ratings.add(GameResult(seats, tuple(entrant + 1 for entrant in seats), None))
    assert ratings[0].strength > ratings[1].strength > ratings[2].strength
    assert all(ratings[entrant].deviation < Ratings(1)[0].deviation for entrant in range(3))


def test_whoever_sits_twice_is_rated_by_both_seats():
    even, better = Ratings(2), Ratings(2)
    even.add(GameResult((0, 1, 1, 0), (1, 2, 3, 4), None))
    better.add(GameResult((0, 1, 0, 1), (1, 3, 2, 4), None))
    start = Ratings(1)[0].strength
    assert better[0].strength - start > abs(even[0].strength - start)
    assert better[1].strength < start < better[0].strength


# Tournaments


def test_the_better_player_wins_and_that_is_decided():
    result = compete(GAME, {"players": 3}, BOTH, games=240, seed=1)
    assert (result.deals, result.games, result.ended) == (40, 240, "games")
    first, second = result.entrants
    assert (first.name, second.name) == ("greedy", "random")
    assert (first.share + second.share) / 2 == pytest.approx(1 / 3)
    assert first.rating.strength > second.rating.strength
    (pair,) = result.pairs
    assert pair.better == "greedy"
    assert pair.difference == pytest.approx(first.share - second.share)
    assert pair.bounds is not None
    assert 0 < pair.bounds.low < pair.difference < pair.bounds.high


def test_it_stops_as_soon_as_the_order_is_certain():
    result = compete(GAME, {"players": 2}, BOTH, games=5000, until=order_is_certain)
    assert result.ended == "decided"
    assert MIN_DEALS <= result.deals < 200
    assert compete(GAME, {"players": 2}, BOTH, deals=result.deals).entrants == result.entrants


def test_more_entrants_than_seats_meet_in_turn(bots):
    result = compete(GAME, {"players": 2}, [*BOTH, "first", "alike"], deals=60)
    assert {pair.deals for pair in result.pairs} == {10}
    assert {row.games for row in result.entrants} == {60}
    assert not any(pair.better for pair in result.pairs)


def test_the_mirror_of_a_pair_is_told_from_the_better_side():
    standing = Standings(config_of(2, 2))
    for number in range(40):
        games = tuple(GameResult(seats, tuple(2 - entrant for entrant in seats), None) for seats in ((0, 1), (1, 0)))
        standing.add(DealResult(number, games, 0))
    (pair,) = standing.result("games").pairs
    assert (pair.first, pair.second, pair.difference, pair.better) == ("bot1", "bot0", 1, "bot1")
    assert pair.bounds is not None
    assert pair.bounds.low > 0.5


def test_what_makes_no_tournament_is_refused():
    with pytest.raises(BadTournament, match="at least two"):
        compete(GAME, {}, ["random"], deals=1)
    with pytest.raises(BadTournament, match="random takes part twice"):
        compete(GAME, {}, ["random", "greedy", "random"], deals=1)
    with pytest.raises(Refusal, match="nobody"):
        compete(GAME, {}, ["random", "nobody"], deals=1)
    with pytest.raises(BadSetup):
        compete(GAME, {"players": 9}, BOTH, deals=1)
    with pytest.raises(Refusal, match="-1"):
        compete(GAME, {}, BOTH, deals=1, seed=-1)
    for length in ({}, {"games": 0}, {"deals": 0}, {"games": 1, "deals": 1}):
        with pytest.raises(BadTournament, match="number of games"):
            compete(GAME, {}, BOTH, **length)


# Workers


class Mortal(ProcessWorkers):
    """Processes in which playing one deal ends the worker, for the first so many times."""

    def __init__(self, deal: int, times: int) -> None:
        super().__init__(2)
        self.deal, self.times, self.most = deal, times, 0
        self.under_way: set[Any] = set()

    def submit(self, fn, /, *args, **kwargs):
        if args[1] == self.deal and self.times:
            self.times -= 1
            future = super().submit(os._exit, 9)
        else:
            future = super().submit(fn, *args, **kwargs)
        self.under_way = {one for one in (*self.under_way, future) if not one.done()}
        self.most = max(self.most, len(self.under_way))
        return future


def test_a_killed_worker_costs_nothing_but_time():
    plain = compete(GAME, {"players": 4}, BOTH, deals=40, seed=3)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done >= 5 and not killed:
            killed.extend(workers.pids()[:1])
            os.kill(killed[0], signal.SIGKILL)

    with ProcessWorkers(2) as workers:
        result = compete(GAME, {"players": 4}, BOTH, deals=40, seed=3, executor=workers, progress=kill)
    assert killed
    assert timeless(result) == timeless(plain)


def test_a_deal_that_ends_some_workers_is_played_again_and_one_that_ends_all_is_named():
    plain = compete(GAME, {}, BOTH, deals=12)
    with Mortal(deal=3, times=3) as workers:
        assert timeless(compete(GAME, {}, BOTH, deals=12, executor=workers)) == timeless(plain)
        assert workers.most <= 2 * workers.size
    with Mortal(deal=3, times=99) as workers, pytest.raises(LostDeal, match="Deal 3 .* 5 times"):
        compete(GAME, {}, BOTH, deals=12, executor=workers)


def test_processes_are_renewed_before_they_grow_old(monkeypatch):
    monkeypatch.setattr("spieltisch.arena.workers._RENEW_AFTER", 5)
    with ProcessWorkers(1) as workers:
        pids = [workers.submit(os.getpid).result() for _ in range(12)]
    assert [len(set(pids[begin : begin + 5])) for begin in (0, 5, 10)] == [1, 1, 1]
    assert len(set(pids)) == 3


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_plays_the_same_tournament():
    from distributed import LocalCluster

    plain = compete(GAME, {"players": 4}, BOTH, deals=40, seed=3)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if done >= 5 and not killed:
            killed.append(next(iter(workers._client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        ClusterWorkers(cluster.scheduler_address) as workers,
    ):
        assert workers.size == 2
        result = compete(GAME, {"players": 4}, BOTH, deals=40, seed=3, executor=workers, progress=kill)
    assert killed
    assert timeless(result) == timeless(plain)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "tcp://127.0.0.1:99999", "pigeon://coop:1"])
def test_a_cluster_that_does_not_answer_is_named(address):
    with pytest.raises(NoWorkers, match=f"No cluster answers at {address}"):
        ClusterWorkers(address)


# The store


def stored(folder: Path, deals: int = 6, **changes: Any) -> TournamentResult:
    given = {"setup": {"players": 3}, "entrants": BOTH, "seed": 1, "game": GAME, **changes}
    with TournamentLog(folder) as log:
        return compete(given["game"], given["setup"], given["entrants"], deals=deals, seed=given["seed"], log=log)


def test_what_is_stored_is_not_played_again_and_can_be_played_on(tmp_path, monkeypatch):
    short = stored(tmp_path, 6)
    lines = (tmp_path / "deals.jsonl").read_text().splitlines()
    assert [json.loads(line)["deal"] for line in lines[1:]] == list(range(6))
    assert timeless(stored(tmp_path, 9)) == timeless(compete(GAME, {"players": 3}, BOTH, deals=9, seed=1))
    monkeypatch.setattr("spieltisch.arena.tournament.play_deal", None)
    assert timeless(stored(tmp_path, 6)) == timeless(short)


def test_failures_are_stored_with_their_reasons(tmp_path, bots):
    result = stored(tmp_path, entrants=["crashing", "first"])
    assert result.failures
    assert timeless(stored(tmp_path, entrants=["crashing", "first"])) == timeless(result)


def test_a_run_torn_anywhere_goes_on_to_the_same_result(tmp_path):
    whole = stored(tmp_path)
    file = tmp_path / "deals.jsonl"
    content = file.read_bytes()
    ends = [place + 1 for place, byte in enumerate(content) if byte == 10]
    for length in {0, 1, *ends, *(end - 1 for end in ends), *(end + 40 for end in ends[:-1])}:
        file.write_bytes(content[:length])
        assert timeless(stored(tmp_path)) == timeless(whole)
        kept = file.read_bytes()
        assert kept.count(b"\n") == 7
        assert (
            kept[: max((end for end in ends if end <= length), default=0)]
            == content[: max((end for end in ends if end <= length), default=0)]
        )


def test_a_last_line_that_is_no_deal_is_dropped_and_another_is_named(tmp_path):
    whole = stored(tmp_path)
    file = tmp_path / "deals.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]) + b'{"deal": 5, "games": [{"se\n')
    assert timeless(stored(tmp_path)) == timeless(whole)
    for bad in (
        b"\0\0\n",
        b"[]\n",
        b"{}\n",
        lines[2].replace(b"greedy", b"nobody"),
        lines[2].replace(b'"deal": 1', b'"deal": 4'),
    ):
        file.write_bytes(lines[0] + lines[1] + bad + b"".join(lines[3:]))
        with pytest.raises(BadDealLog, match="deals.jsonl, line 3"):
            stored(tmp_path)
    file.write_bytes(b"something else\n")
    with pytest.raises(BadDealLog, match="deals.jsonl, line 1"):
        stored(tmp_path)
    assert file.read_bytes() == b"something else\n"


OTHERS = {
    "seed is 1 there and 2 here": {"seed": 2},
    "size is 3 there and 4 here": {"setup": {"players": 4}},
    'players is ["greedy", "random"] there and ["random", "greedy"] here': {"entrants": BOTH[::-1]},
    "first is null there and 2 here": {"setup": {"players": 3, "first": 2}},
    "rules is 2 there and 1 here": {"setup": {"players": 3, "rules": 1}},
    "game is template there": {"game": registry.find("bigpoints")},
    "open": {"setup": {"players": 3, "options": {"piles": "open"}}},
}


@pytest.mark.parametrize(("words", "changes"), OTHERS.items(), ids=OTHERS.keys())
def test_another_tournament_in_the_folder_is_refused_by_what_differs(tmp_path, words, changes):
    stored(tmp_path, 1)
    before = (tmp_path / "deals.jsonl").read_bytes()
    with pytest.raises(BadDealLog) as refused:
        stored(tmp_path, 1, **changes)
    assert words in str(refused.value)
    assert (tmp_path / "deals.jsonl").read_bytes() == before


def test_a_bot_that_was_changed_is_not_taken_for_the_one_before(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bot = tmp_path / "edited.py"
    bot.write_text("class Edited:\n    def choose(self, seen, clock):\n        return seen.choices[0]\n")
    stored(tmp_path / "run", 1, entrants=["edited:Edited", "random"])
    bot.write_text("class Edited:\n    def choose(self, seen, clock):\n        return seen.choices[-1]\n")
    with pytest.raises(BadDealLog, match="code is "):
        stored(tmp_path / "run", 1, entrants=["edited:Edited", "random"])


def test_a_run_of_another_version_is_not_gone_on_with(tmp_path):
    stored(tmp_path, 1)
    file = tmp_path / "deals.jsonl"
    header, _, rest = file.read_text().partition("\n")
    file.write_text(json.dumps({**json.loads(header), "version": "0.0.1"}) + "\n" + rest)
    with pytest.raises(BadDealLog, match="version is 0.0.1 there and"):
        stored(tmp_path, 1)


def test_two_at_once_do_not_write_into_one_folder(tmp_path):
    with TournamentLog(tmp_path) as first:
        first.open(make_config(GAME, {"players": 3}, BOTH, 1))
        with pytest.raises(BadDealLog, match="Another tournament"):
            stored(tmp_path)
    stored(tmp_path)


# The picture


def test_the_picture_is_read_aloud_and_follows_light_and_dark(bots, monkeypatch):
    monkeypatch.setitem(PLAYERS, "<b>&", First)
    result = compete(GAME, {"players": 3}, [*BOTH, "crashing", "<b>&"], deals=4)
    for language in LANGUAGES:
        picture = draw_chart(result, "Pebbles", language)
        root = ET.fromstring(picture)  # noqa: S314 - it is our own
        name = "{http://www.w3.org/2000/svg}"
        texts = [text.text or "" for text in root.iter(f"{name}text")]
        assert root.get("role") == "img"
        labels = {root.find(f"{name}title"), root.find(f"{name}desc")}
        assert {label.get("id") for label in labels if label is not None} == set(
            (root.get("aria-labelledby") or "").split()
        )
        assert all(label is not None and label.text for label in labels)
        for row in result.entrants:
            assert row.name in texts
        assert "prefers-color-scheme: dark" in picture
        width = float((root.get("viewBox") or "").split()[2])
        assert all(
            0 <= float(bar.get("x") or 0) + float(bar.get("width") or 0) <= width for bar in root.iter(f"{name}rect")
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_is_told_in_every_language(language, bots):
    result = compete(GAME, {"players": 3}, [*BOTH, "lying"], deals=31)
    lines = format_report(result._replace(ended="decided"), "Pebbles", language)
    assert len(lines) == 1 + 3 + 3 + 1 + 1 + 10 + 1
    assert "greedy" in lines[1]
    early = format_report(compete(GAME, {}, BOTH, deals=1), "Pebbles", language)
    assert str(MIN_DEALS) in early[-1]


# The command


def arena(*arguments: object) -> tuple[object, ...]:
    return ("arena", "template", "--players", "greedy,random", "--size", 4, "--seed", 5, *arguments)


def result_in(folder: Path) -> dict[str, Any]:
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result.pop("seconds") > 0
    return result


def test_the_command_tells_and_keeps_the_result(tmp_path):
    ran = run(*arena("--games", 130, "--out", tmp_path, "--workers", 2, "--language", "de"))
    assert ran.code == 0, ran.err
    assert ran.out.startswith(
        "Pebbles, 4\xa0Plätze: 33 Durchgänge, 132 Partien. Ein gleicher Anteil ist 25,0\xa0%.\n1  greedy  "
    )
    assert "greedy ist besser als random: " in ran.out
    result = result_in(tmp_path)
    assert (result["deals"], result["games"], result["ended"]) == (33, 132, "games")
    assert [entrant["name"] for entrant in result["entrants"]] == BOTH
    assert result["settings"]["options"] == {"piles": "concealed", "bag": ""}
    assert result["pairs"][0]["better"] == "greedy"
    assert "<svg" in (tmp_path / "result.svg").read_text(encoding="utf-8")
    assert str(tmp_path) in ran.err


def test_the_number_of_workers_changes_nothing_and_without_a_folder_nothing_is_kept(tmp_path):
    runs = {run_process(*COMMAND, *arena("--games", 200, "--decide", "--workers", n), cwd=tmp_path).out for n in (1, 3)}
    assert len(runs) == 1
    assert "certain after" in runs.pop()
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_is_interrupted_and_killed_goes_on_to_the_same_result(tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    file = cut / "deals.jsonl"

    @contextmanager
    def begun(deals: int) -> Iterator[subprocess.Popen[bytes]]:
        """A command that would go on for long, as soon as there are so many deals."""
        with running(*arena("--games", 10**6, "--workers", 2, "--out", cut)) as process:
            wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") > deals)
            yield process

    with begun(5) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
    assert f"deals are kept in {cut}; the same command goes on from there.".encode() in err
    with begun(30) as process:
        workers = psutil.Process(process.pid).children(recursive=True)
        assert len(workers) >= 2
        process.kill()
        process.communicate(timeout=PATIENCE)
    wait_until(lambda: not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in workers))
    before = file.read_bytes()
    assert run(*arena("--games", 480, "--out", cut)).code == 0
    assert run(*arena("--games", 480, "--out", whole)).code == 0
    assert result_in(cut) == result_in(whole)
    assert file.read_bytes().startswith(before[: before.rfind(b"\n") + 1])


@pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")
def test_somebody_who_watches_sees_how_far_it_is_and_can_stop_it():
    with at_terminal(*arena("--games", 10**6, "--workers", 2)) as shown:
        shown.expect(r"Pebbles.* [1-9]\d*/250000")
        shown.sendintr()
        shown.expect("with --out FOLDER a tournament can go on later")
        assert "Traceback" not in shown.before
        assert "Traceback" not in shown.read()
        shown.wait()
        assert shown.exitstatus == 130


REFUSED = {
    "one player": (["--players", "random"], ["at least two"]),
    "nobody": (["--players", ""], ["random"]),
    "an unknown player": (["--players", "random,nobody"], ["nobody", "greedy"]),
    "the same twice": (["--players", "random,random"], ["random"]),
    "a table that is too big": (["--size", 9], ["2", "4", "9"]),
    "a table for nobody": (["--size", 0], ["2", "4", "0"]),
    "a first seat that is not there": (["--first", 4], ["0", "3", "4"]),
    "a seed below zero": (["--seed", -1], ["-1"]),
    "no games": (["--games", 0], ["0"]),
    "no workers": (["--workers", 0], ["0"]),
    "workers in a cluster": (["--workers", 2, "--cluster", "127.0.0.1:1"], ["--cluster", "--workers"]),
    "no cluster": (["--cluster", "127.0.0.1:1"], ["127.0.0.1:1"]),
    "a folder that is a file": (["--out", __file__], ["--out"]),
}


@pytest.mark.parametrize(("arguments", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_a_sentence_refuses(arguments, words):
    ran = run(*arena(*arguments))
    assert_refused(ran, *words)
    assert ran.out == ""


def test_without_the_extra_a_sentence_says_what_to_install():
    without = "import sys; sys.modules['distributed'] = None; from spieltisch.cli import main; main()"
    ran = run_process(sys.executable, "-c", without, *arena("--cluster", "127.0.0.1:1"))
    assert_refused(ran, "spieltisch[arena]")


def test_a_full_disk_ends_in_a_sentence_and_loses_nothing(tmp_path):
    from tests.support.running import run_on_full_disk

    arguments = arena("--games", 80, "--workers", 1, "--out", tmp_path)
    ran = run_on_full_disk(*arguments, room=4000)
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert "deals.jsonl" in ran.err
    there = (tmp_path / "deals.jsonl").read_bytes().count(b"\n")
    assert 1 < there < 20
    assert run(*arguments).code == 0
    assert result_in(tmp_path)["deals"] == 20
