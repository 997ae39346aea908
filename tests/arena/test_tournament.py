"""Tournaments, and workers that are lost on the way."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

from spieltisch.arena.config import BadTournament
from spieltisch.arena.deals import DealResult, GameResult
from spieltisch.arena.standings import Standings, order_is_certain
from spieltisch.arena.statistics import (
    MIN_DEALS,
)
from spieltisch.arena.tournament import LostDeal, compete
from spieltisch.arena.workers import ClusterWorkers, NoWorkers, ProcessWorkers
from spieltisch.core.game import BadSetup, Refusal
from tests.arena.cases import BOTH, GAME, config_of, timeless


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


def test_a_tournament_stops_as_soon_as_the_order_is_certain():
    result = compete(GAME, {"players": 2}, BOTH, games=5000, until=order_is_certain)
    assert result.ended == "decided"
    assert MIN_DEALS <= result.deals < 200
    assert compete(GAME, {"players": 2}, BOTH, deals=result.deals).entrants == result.entrants


def test_more_entrants_than_seats_meet_in_turn(bots):
    result = compete(GAME, {"players": 2}, [*BOTH, "first", "alike"], deals=60)
    assert {pair.deals for pair in result.pairs} == {10}
    assert {row.games for row in result.entrants} == {60}
    assert not any(pair.better for pair in result.pairs)


def test_a_comparison_is_from_the_better_entrants_side():
    standing = Standings(config_of(2, 2))
    for number in range(40):
        games = tuple(GameResult(seats, tuple(2 - entrant for entrant in seats), None) for seats in ((0, 1), (1, 0)))
        standing.add(DealResult(number, games, 0))
    (pair,) = standing.result("games").pairs
    assert (pair.first, pair.second, pair.difference, pair.better) == ("bot1", "bot0", 1, "bot1")
    assert pair.bounds is not None
    assert pair.bounds.low > 0.5


def test_a_bad_config_is_refused():
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


class CrashingWorkers(ProcessWorkers):
    """Worker processes that exit when they play a given deal, for a given number of times."""

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


def test_a_killed_worker_does_not_change_the_result():
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


def test_a_deal_that_kills_some_workers_is_played_again_and_one_that_kills_all_is_reported():
    plain = compete(GAME, {}, BOTH, deals=12)
    with CrashingWorkers(deal=3, times=3) as workers:
        assert timeless(compete(GAME, {}, BOTH, deals=12, executor=workers)) == timeless(plain)
        assert workers.most <= 2 * workers.size
    with CrashingWorkers(deal=3, times=99) as workers, pytest.raises(LostDeal, match="Deal 3 .* 5 times"):
        compete(GAME, {}, BOTH, deals=12, executor=workers)


def test_worker_processes_are_renewed_after_some_deals(monkeypatch):
    monkeypatch.setattr("spieltisch.arena.workers._RENEW_AFTER", 5)
    with ProcessWorkers(1) as workers:
        pids = [workers.submit(os.getpid).result() for _ in range(12)]
    assert [len(set(pids[begin : begin + 5])) for begin in (0, 5, 10)] == [1, 1, 1]
    assert len(set(pids)) == 3


@pytest.mark.filterwarnings("default")
def test_a_cluster_that_loses_a_worker_gives_the_same_result():
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
def test_a_cluster_that_does_not_respond_is_reported(address):
    with pytest.raises(NoWorkers, match=f"No cluster answers at {address}"):
        ClusterWorkers(address)
