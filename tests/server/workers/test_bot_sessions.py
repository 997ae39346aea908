"""A seat's bot stays in one worker process, as one object, while its game goes on; and nothing depends on that."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import time
from random import Random

import pytest

from spieltisch import players, registry
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.players import external
from spieltisch.server.workers import bot_pool, bots
from spieltisch.server.workers.bots import BotFailed, PlayerCache, SessionKey
from spieltisch.server.workers.pool import PoolConfig, Priority, TimeLimit, WorkerPool
from tests.support.command import has_ended
from tests.support.server import TIMEOUT, Person, Server, find_bot_worker

GAME = "template"
CLOCK = 10.0
LIMIT = TimeLimit(TIMEOUT, TIMEOUT)

GUESTS = """
import os

class Counting:
    "Notes its process and the number of its decisions, and takes the first choice."

    def __init__(self):
        self.decisions = 0

    def choose(self, seen, clock):
        self.decisions += 1
        with open(os.environ["COUNTED"], "a") as file:
            print(os.getpid(), self.decisions, file=file)
        return seen.choices[0]
"""


def seen() -> bytes:
    game = registry.find(GAME)
    referee = Referee(game, game.agree(), seeded(1))
    return pickle.dumps(referee.seen(referee.settle().seat))


SEEN = seen()


class Counted:
    """What the bots of a test have noted."""

    def __init__(self, file):
        self.file = file

    def decisions(self) -> list[tuple[int, int]]:
        lines = self.file.read_text().splitlines() if self.file.exists() else []
        return [(int(pid), int(number)) for pid, number in map(str.split, lines)]

    def pids(self) -> list[int]:
        return list(dict.fromkeys(pid for pid, _ in self.decisions()))


@pytest.fixture
def counted(tmp_path, monkeypatch):
    """Installs a package with a bot that notes its process."""
    package = tmp_path / "package"
    info = package / "guests-1.0.dist-info"
    info.mkdir(parents=True)
    (package / "guests.py").write_text(GUESTS)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: guests\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[spieltisch.players]\ncounting = guests:Counting\n")
    monkeypatch.setenv("COUNTED", str(tmp_path / "counted"))
    monkeypatch.setenv("PYTHONPATH", str(package), prepend=os.pathsep)
    monkeypatch.syspath_prepend(str(package))
    external.installed_players.cache_clear()
    yield Counted(tmp_path / "counted")
    external.installed_players.cache_clear()


def wait_until(true) -> None:
    end = time.monotonic() + TIMEOUT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


# in a bot worker


@pytest.fixture
def created(monkeypatch):
    """The players that were created, each with the random numbers that it has used; nothing is kept from before."""
    made = []

    class Noting:
        def __init__(self, sampler):
            self.sampler, self.drawn = sampler, []
            made.append(self)

        def choose(self, told, clock):
            self.drawn.append(self.sampler.random())
            return told.choices[0]

    monkeypatch.setattr(players, "maker", lambda name, game, access: Noting)
    monkeypatch.setattr(bots, "_players", PlayerCache(3))
    return made


def key(number: int = 1, player: str = "level:1") -> SessionKey:
    return SessionKey(number, GAME, player, f"table {number}")


def test_consecutive_decisions_of_a_session_use_one_player(created):
    for decision in range(3):
        assert bots.choose_in_session(key(), SEEN, f"table 0 {decision}", CLOCK) == 0
    assert [len(player.drawn) for player in created] == [3]
    bots.choose_in_session(key(2), SEEN, "other", CLOCK)
    assert len(created) == 2


def test_a_session_that_has_ended_keeps_no_player(created):
    bots.choose_in_session(key(), SEEN, "1", CLOCK)
    bots.end_session(key())
    bots.end_session(key())
    assert len(bots._players) == 0
    bots.choose_in_session(key(), SEEN, "2", CLOCK)
    assert len(created) == 2


def test_the_least_recently_used_player_is_evicted(created):
    for number in (1, 2, 3, 1, 4, 1, 2):
        bots.choose_in_session(key(number), SEEN, "", CLOCK)
    assert len(bots._players) == 3
    assert [len(player.drawn) for player in created] == [3, 1, 1, 1, 1]  # the second one was evicted by the fourth


def test_a_decision_is_the_same_of_a_kept_and_of_a_new_player(created):
    for decision in range(3):
        bots.choose_in_session(key(), SEEN, f"table 0 {decision}", CLOCK)
    bots.end_session(key())
    bots.choose_in_session(key(), SEEN, "table 0 2", CLOCK)
    bots.choose(GAME, "level:1", SEEN, "table 0 2", CLOCK)
    assert created[1].drawn == created[2].drawn == created[0].drawn[2:] == [Random("player table 0 2").random()]


def test_a_player_that_fails_is_not_kept(created, monkeypatch):
    bots.choose_in_session(key(), SEEN, "", CLOCK)
    monkeypatch.setattr(created[0], "choose", lambda told, clock: "nonsense", raising=False)
    with pytest.raises(BotFailed):
        bots.choose_in_session(key(), SEEN, "", CLOCK)
    assert bots.choose_in_session(key(), SEEN, "", CLOCK) == 0
    assert len(created) == 2


def test_a_decision_that_runs_out_of_memory_is_made_again_without_the_kept_players(created, monkeypatch):
    def choose(told, clock):
        raise MemoryError

    for number in (1, 2):
        bots.choose_in_session(key(number), SEEN, "", CLOCK)
    monkeypatch.setattr(created[0], "choose", choose, raising=False)
    assert bots.choose_in_session(key(1), SEEN, "", CLOCK) == 0
    assert len(bots._players) == 0


# in the pool


def pooled(work, size: int = 2):
    """What some work with a pool returns."""

    async def run():
        pool = WorkerPool(PoolConfig(rules=1, bots=size))
        await pool.open()
        try:
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


async def decide(session, times: int = 1) -> None:
    for decision in range(times):
        assert await session.choose(LIMIT, SEEN, f"{decision}", CLOCK) == 0


def test_an_external_bot_has_one_process_per_session(counted):
    async def work(pool):
        first, second = (pool.open_bot_session(GAME, "counting", seed) for seed in "ab")
        for _ in range(3):
            await asyncio.gather(decide(first), decide(second))
        assert {first.worker, second.worker} == {0, 1}  # the least loaded worker is taken first
        one, other = counted.pids()
        assert sorted(counted.decisions()) == sorted((pid, n) for pid in (one, other) for n in (1, 2, 3))
        first.close()
        await asyncio.to_thread(wait_until, lambda: has_ended(one) or has_ended(other))
        del second  # a table that was deleted, or evicted from memory
        await asyncio.to_thread(wait_until, lambda: has_ended(one) and has_ended(other))

    pooled(work)


def test_a_lost_worker_costs_a_session_nothing_but_its_player(counted):
    async def work(pool):
        session = pool.open_bot_session(GAME, "counting", "")
        await decide(session, 2)
        os.kill(await pool.call_bot(Priority.TURN, LIMIT, os.getpid), signal.SIGKILL)
        await decide(session, 2)
        first, second = counted.pids()
        assert counted.decisions() == [(first, 1), (first, 2), (second, 1), (second, 2)]
        await asyncio.to_thread(wait_until, lambda: has_ended(first))

    pooled(work, size=1)


def test_a_session_whose_worker_stays_busy_moves_to_another(counted, monkeypatch):
    async def work(pool):
        session = pool.open_bot_session(GAME, "counting", "")
        await decide(session)
        busy = session.worker
        assert await pool._bots.acquire(busy) == busy
        await decide(session, 2)
        assert session.worker != busy
        first, second = counted.pids()
        assert counted.decisions() == [(first, 1), (second, 1), (second, 2)]
        await asyncio.to_thread(wait_until, lambda: has_ended(first))
        pool._bots.shared.queue.release(busy, "", 0.0)
        await decide(session)
        assert counted.pids() == [first, second]

    monkeypatch.setattr(bot_pool, "STEAL_AFTER", 0.1)
    pooled(work)


def test_calls_get_workers_in_the_order_in_which_they_came(monkeypatch):
    """Only a session waits for its own worker, and not for long."""

    async def work(pool):
        queue = pool._bots
        for worker in (0, 1):
            assert await queue.acquire(worker) == worker
        order: list[str] = []

        async def acquire(name: str, worker: int | None) -> None:
            order.append(f"{name}{await queue.acquire(worker)}")

        waiting = [("a", 0), ("b", None), ("c", None), ("d", 1), ("e", 0)]
        tasks = [asyncio.create_task(acquire(*one)) for one in waiting]
        await asyncio.sleep(0)
        tasks[2].cancel()
        for worker in (1, 1, 0):
            queue.shared.queue.release(worker, "", 0.0)
            await asyncio.sleep(0.01)
        assert order == ["b1", "d1", "a0"]
        queue.shared.queue.release(1, "", 0.0)
        await asyncio.wait_for(tasks[4], TIMEOUT)
        assert order[-1] == "e1"
        queue.shared.queue.release(0, "", 0.0)
        assert await queue.acquire(None) == 0

    monkeypatch.setattr(bot_pool, "STEAL_AFTER", 0.5)
    pooled(work)


# at a table

BOT = {"kind": "bot", "player": "counting"}


@pytest.fixture
def server(counted, tmp_path):
    one = Server(tmp_path)
    yield one
    if one.process.poll() is None:
        one.stop()


def moves(at) -> int:
    return sum(event["kind"] == "move" for event in at.events()["events"])


def test_at_a_table_a_seats_bot_keeps_its_process_until_the_game_is_over(server, counted):
    at = Person(server).open_table(GAME, "Ada", BOT, games=2, first=0)
    at.play(0)
    assert at.look()["table"]["status"] == "paused"
    (first,) = counted.pids()
    decisions = counted.decisions()
    assert [number for _, number in decisions] == list(range(1, len(decisions) + 1))
    assert len(decisions) > 3
    wait_until(lambda: has_ended(first))
    at.do("continue")
    at.play(0)
    _, second = counted.pids()
    assert next(number for pid, number in counted.decisions() if pid == second) == 1
    assert at.look()["table"]["status"] == "over"
    wait_until(lambda: has_ended(second))
    assert not server.errors


def test_a_deleted_table_keeps_no_bot(server, counted):
    at = Person(server).open_table(GAME, "Ada", BOT, first=0)
    at.play(0, steps=2)
    (pid,) = counted.pids()
    assert not has_ended(pid)
    at.delete()
    wait_until(lambda: has_ended(pid))


def test_a_lost_bot_worker_costs_no_decision(server, counted):
    at = Person(server).open_table(GAME, "Ada", BOT, games=1, first=0)
    for lost in range(3):
        while len(counted.pids()) == lost:
            at.play(0, steps=1)
        worker = find_bot_worker(server)
        worker.kill()
        wait_until(lambda pid=worker.pid: has_ended(pid))
    at.play(0)
    assert len(counted.pids()) == 4
    assert "failed" not in [event["kind"] for event in at.events()["events"]]
    assert len(counted.decisions()) == sum(
        event["kind"] == "move" and event["seat"] == 1 for event in at.events()["events"]
    )


def test_a_bot_chooses_from_what_it_is_told_after_turns_were_taken_back(server, counted):
    at = Person(server).open_table(GAME, "Ada", BOT, games=1, first=0)
    at.play(0, steps=2)
    before = moves(at)
    at.do("undo", seat=0, version=at.look()["version"])
    at.play(0)
    assert at.look()["table"]["status"] == "over"
    assert moves(at) > before
    assert len(counted.pids()) == 1
