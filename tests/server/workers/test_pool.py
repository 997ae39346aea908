"""Worker processes that die or hang are replaced."""

from __future__ import annotations

import asyncio
import os
import time

import psutil
import pytest

from spieltisch.server.workers import bots, rules
from spieltisch.server.workers.pool import PoolConfig, Priority, TimeLimit, WorkerLost, WorkerPool, WorkerTimeout
from tests.support.server import (
    TIMEOUT,
    Person,
    find_bot_worker,
    find_rules_worker,
    start_match,
)
from tests.support.streams import StreamClient, make_move, read_until

TURN = Priority.TURN
LIMIT = TimeLimit(TIMEOUT, TIMEOUT)


def test_a_bot_worker_that_dies_only_delays_the_game(restartable):
    at = Person(restartable).open_table("bigpoints", "level:5", "level:5", games=1)
    killed = 0
    while killed < 3:
        worker = find_bot_worker(restartable)
        before = worker.cpu_times().user
        while worker.cpu_times().user == before:
            time.sleep(0.01)
        worker.kill()
        worker.wait(TIMEOUT)
        killed += 1
        version = at.look()["version"]
        at.wait_until(lambda now, version=version: now["version"] > version)
    assert "failed" not in [event["kind"] for event in at.events()["events"]]
    assert [seat["player"] for seat in at.look()["table"]["seats"]] == ["level:5", "level:5"]
    at.delete()


def test_a_rules_worker_that_dies_only_delays_the_game(restartable):
    ada, bob = start_match(restartable, "template", "Ada", "Bob", first=0)
    with StreamClient(ada) as stream:
        for _ in range(3):
            worker = find_rules_worker(restartable)
            worker.kill()
            version = make_move(ada, bob)
            worker.wait(TIMEOUT)
        read_until([stream], lambda stream: stream.table is not None and stream.table["version"] == version)
        assert stream.happened == ada.events()["events"]


def test_a_call_that_hangs_times_out_and_the_next_one_succeeds(capsys):
    async def ask():
        workers = WorkerPool(PoolConfig(rules=1, bots=1))
        before = psutil.Process().children(recursive=True)
        await workers.open()
        begun = [one for one in psutil.Process().children(recursive=True) if one not in before]
        try:
            with pytest.raises(WorkerLost):
                await workers.call_bot(TURN, TimeLimit(TIMEOUT, 0.2), time.sleep, 60)
            waited = asyncio.create_task(workers.call_rules("table", TURN, time.sleep, 0.3))
            await asyncio.sleep(0.1)
            waited.cancel()  # a client disconnects: the worker goes on with the other calls
            worker = await workers.call_rules("table", TURN, os.getpid)
            psutil.Process(worker).kill()
            many = await asyncio.gather(*(workers.call_rules("table", TURN, abs, number) for number in range(100)))
            assert many == list(range(100))
            assert await workers.call_rules("table", TURN, os.getpid) != worker
            return begun, await workers.call_bot(TURN, LIMIT, abs, -1)
        finally:
            await workers.close()

    begun, answer = asyncio.run(ask())
    assert answer == 1
    assert "worker process replaced" in capsys.readouterr().out
    gone, _ = psutil.wait_procs(begun, timeout=0)
    assert len(gone) >= 2


def test_a_call_that_waits_for_a_bot_worker_comes_before_later_ones():
    async def run_calls() -> list[str]:
        pool, order = WorkerPool(PoolConfig(rules=1, bots=1)), []

        async def call(name: str, times: int = 1) -> None:
            for _ in range(times):
                await pool.call_bot(TURN, LIMIT, abs, -1)
                order.append(name)

        try:
            await asyncio.gather(call("first", 2), call("second"), call("third"))
        finally:
            await pool.close()
        return order

    assert asyncio.run(run_calls()) == ["first", "second", "third", "first"]


def test_a_call_that_exceeds_its_time_or_memory_fails_and_the_next_one_succeeds():
    async def work() -> None:
        workers = WorkerPool(PoolConfig(rules=1, bots=1))
        try:
            with pytest.raises(WorkerTimeout):
                await workers.call_replay(TURN, TimeLimit(TIMEOUT, 0.5), time.sleep, 60)
            assert await workers.call_replay(TURN, LIMIT, abs, -1) == 1
            waits = (
                workers.call_replay(TURN, TimeLimit(TIMEOUT, 4), time.sleep, 2.2) for _ in range(2)
            )  # each has its time, whoever was first
            assert await asyncio.gather(*waits) == [None, None]
            for most in (workers.call_replay, workers.call_bot):
                with pytest.raises(MemoryError):
                    await most(TURN, LIMIT, bytearray, 3 * 1024**3)
                assert await most(TURN, LIMIT, abs, -2) == 2
        finally:
            await workers.close()

    asyncio.run(work())


def test_a_worker_that_is_ready_has_imported_what_it_will_be_asked_for():
    """Importing takes a fifth of a second, for which the first turn after a start had to wait."""

    async def work() -> list[bool]:
        workers = WorkerPool(PoolConfig(rules=1, bots=1))
        try:
            await workers.open()
            return [
                await workers.call_rules("table", TURN, eval, f"'{rules.__name__}' in __import__('sys').modules"),
                await workers.call_bot(TURN, LIMIT, eval, f"'{bots.__name__}' in __import__('sys').modules"),
            ]
        finally:
            await workers.close()

    assert asyncio.run(work()) == [True, True]
