"""Work is shared between addresses by the processor time that it uses."""

from __future__ import annotations

import asyncio
import random
import time

import pytest

from spieltisch.server.errors import Overloaded
from spieltisch.server.workers import fair_queue
from spieltisch.server.workers.askers import Asker, AskerLeft, asking
from spieltisch.server.workers.fair_queue import FairQueue, Job, Priority
from spieltisch.server.workers.pool import PoolConfig, TimeLimit, WorkerPool, WorkerTimeout
from tests.support.server import TIMEOUT

TICKS = 10  # of the event loop that every job takes
BUSY, QUIET = "192.0.2.1", "192.0.2.2"


class SharedWorker:
    """Workers that do nothing, behind a fair queue; every job has a name and a cost."""

    def __init__(self, size: int = 1, pending: int = 0) -> None:
        self.queue = FairQueue(size, pending)
        self.started: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    def ask(self, account: str, name: str, cost: float, priority: Priority = Priority.TURN, **more) -> Asker:
        """Submits a job of a client."""
        asker = Asker(account, is_client=True)
        with asking(asker):
            self.tasks.append(asyncio.create_task(self._job(account, name, cost, priority, **more)))
        return asker

    async def _job(self, account: str, name: str, cost: float, priority: Priority, **more) -> None:
        worker = await self.queue.acquire(priority, **more)
        self.started.append(name)
        for _ in range(TICKS):
            await asyncio.sleep(0)
        self.queue.release(worker, account, cost)

    async def finish(self) -> list[str]:
        await asyncio.gather(*self.tasks, return_exceptions=True)
        return self.started


def test_a_client_that_has_used_little_goes_before_one_that_has_used_much():
    async def work():
        shared = SharedWorker()
        for number in range(5):
            shared.ask(BUSY, f"busy {number}", 1.0)
        await asyncio.sleep(0)
        for number in range(3):
            shared.ask(QUIET, f"quiet {number}", 0.1)
        return await shared.finish()

    assert asyncio.run(work()) == [
        "busy 0", "quiet 0", "quiet 1", "quiet 2", "busy 1", "busy 2", "busy 3", "busy 4",
    ]  # fmt: skip


def test_clients_get_the_same_processor_time_whatever_their_jobs_cost():
    async def work():
        shared = SharedWorker()
        for _ in range(40):
            shared.ask(BUSY, "long", 0.4)
            shared.ask(QUIET, "short", 0.1)
        return (await shared.finish())[:40]

    started = asyncio.run(work())
    assert 0.4 * started.count("long") == pytest.approx(0.1 * started.count("short"), abs=0.4)


def test_nobody_saves_up_processor_time_by_being_idle():
    async def work():
        shared = SharedWorker()
        shared.ask(QUIET, "quiet", 0.1)
        await shared.finish()
        for _ in range(50):
            shared.ask(BUSY, "busy", 1.0)
        for _ in range(20 * TICKS):
            await asyncio.sleep(0)
        before = len(shared.started)
        for _ in range(20):
            shared.ask(QUIET, "quiet", 1.0)
        await shared.finish()
        return shared.started[before : before + 20]

    assert asyncio.run(work()).count("quiet") == pytest.approx(10, abs=1)


def test_turns_go_before_looks_and_questions_of_clients_that_have_used_the_same():
    async def work():
        shared = SharedWorker()
        shared.ask(BUSY, "first", 0.001)
        await asyncio.sleep(0)
        for client, priority in enumerate((Priority.FILM, Priority.QUESTION, Priority.LOOK, Priority.TURN)):
            shared.ask(f"192.0.2.{client + 10}", priority.name, 0.001, priority)
        return await shared.finish()

    assert asyncio.run(work()) == ["first", "TURN", "LOOK", "QUESTION", "FILM"]


def test_one_client_leaves_a_worker_for_the_others():
    async def work():
        shared = SharedWorker(size=3)
        acquired: list[int] = []

        async def hold() -> None:
            acquired.append(await shared.queue.acquire(Priority.TURN))

        with asking(Asker(BUSY, is_client=True)):
            held = [asyncio.create_task(hold()) for _ in range(3)]
        for _ in range(5):
            await asyncio.sleep(0)
        assert len(acquired) == 2
        shared.ask(QUIET, "quiet", 0.1)
        await shared.finish()
        shared.queue.release(acquired[0], BUSY, 5.0)
        await asyncio.gather(*held)
        return len(acquired)

    assert asyncio.run(work()) == 3


def test_a_client_with_too_many_questions_is_refused_at_once_and_others_are_not():
    async def work():
        shared = SharedWorker(pending=3)
        for number in range(6):
            shared.ask(BUSY, f"busy {number}", 0.1)
        await asyncio.sleep(0)
        shared.ask(QUIET, "quiet", 0.1)
        await shared.finish()
        return shared

    shared = asyncio.run(work())
    refused = [task.exception() for task in shared.tasks if task.exception()]
    assert [type(error) for error in refused] == [Overloaded, Overloaded]
    assert refused[0].message.key == "limit.waiting"
    assert refused[0].retry_after > 0
    assert shared.started == ["busy 0", "quiet", "busy 1", "busy 2", "busy 3"]


def test_work_is_dropped_if_whoever_asked_for_it_has_left():
    async def work():
        shared = SharedWorker(pending=1)
        shared.ask(BUSY, "first", 0.1)
        await asyncio.sleep(0)
        shared.ask(BUSY, "left", 0.1).leave()
        await asyncio.sleep(0)
        shared.ask(BUSY, "second", 0.1)  # the place in the queue is free again
        await shared.finish()
        return shared

    shared = asyncio.run(work())
    assert shared.started == ["first", "second"]
    assert [type(task.exception()) for task in shared.tasks] == [type(None), AskerLeft, type(None)]
    assert len(shared.queue) == 0


def test_a_cancelled_job_gives_its_worker_back():
    async def work():
        shared = SharedWorker()
        shared.ask(BUSY, "first", 0.1)
        shared.ask(BUSY, "cancelled", 0.1)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        shared.tasks[1].cancel()
        shared.ask(BUSY, "last", 0.1)
        return await shared.finish()

    assert asyncio.run(work())[-1] == "last"


# with processes


def burn(seconds: float) -> int:
    """Uses so much processor time."""
    end, loops = time.process_time() + seconds, 0
    while time.process_time() < end:
        loops += 1
    return loops


def pooled(work, **config):
    async def run():
        pool = WorkerPool(PoolConfig(rules=1, bots=1, **config))
        try:
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(run())


def test_a_time_limit_counts_processor_time_and_not_waiting():
    async def work(pool):
        limit = TimeLimit(cpu=0.5, wall=TIMEOUT)
        await pool.call_replay(Priority.TURN, limit, time.sleep, 1.0)
        await asyncio.gather(*(pool.call_replay(Priority.TURN, limit, burn, 0.3) for _ in range(4)))  # each has its own
        with pytest.raises(WorkerTimeout):
            await pool.call_replay(Priority.TURN, limit, burn, TIMEOUT)
        return await pool.call_replay(Priority.TURN, limit, abs, -1)

    assert pooled(work) == 1


def test_a_client_is_charged_for_the_processor_time_of_its_calls():
    async def work(pool):
        order: list[str] = []

        async def call(name: str, seconds: float) -> None:
            await pool.call_rules("table", Priority.TURN, burn, seconds)
            order.append(name)

        await pool.open()
        tasks = []
        for _ in range(3):
            with asking(Asker(BUSY, is_client=True)):
                tasks.append(asyncio.create_task(call("busy", 0.2)))
        await asyncio.sleep(0)
        for _ in range(3):
            with asking(Asker(QUIET, is_client=True)):
                tasks.append(asyncio.create_task(call("quiet", 0.01)))
        await asyncio.gather(*tasks)
        return order

    assert pooled(work) == ["busy", "quiet", "quiet", "quiet", "busy", "busy"]


def test_the_memory_of_a_rules_worker_is_limited():
    async def work(pool):
        with pytest.raises(MemoryError):
            await pool.call_rules("table", Priority.TURN, bytearray, 400 * 1024**2)
        return await pool.call_rules("table", Priority.TURN, abs, -1)

    assert pooled(work, rules_memory=300) == 1


def test_a_process_that_is_closed_while_it_works_counts_as_ended_and_not_as_lost(capsys):
    async def work(pool):
        call = asyncio.create_task(pool.call_bot(Priority.TURN, TimeLimit(TIMEOUT, TIMEOUT), time.sleep, TIMEOUT))
        await pool.open()
        await asyncio.sleep(0.1)
        call.cancel()

    pooled(work)
    assert "replaced" not in capsys.readouterr().out


# many accounts


def count_keys(monkeypatch, accounts: int) -> float:
    """How often the queue computes when a job is due, per job of so many accounts that wait for one worker."""
    counted = 0
    due = Job.due.fget

    def counting(job: Job) -> float:
        nonlocal counted
        counted += 1
        return due(job)

    async def work() -> None:
        shared = SharedWorker()
        for number in range(accounts):
            for _ in range(2):
                shared.ask(f"account {number}", "job", 0.01, Priority.LOOK)
        await shared.finish()

    monkeypatch.setattr(Job, "due", property(counting))
    asyncio.run(work())
    monkeypatch.setattr(Job, "due", property(due))
    return counted / (2 * accounts)


def test_a_job_costs_the_queue_no_more_if_a_thousand_accounts_wait(monkeypatch):
    monkeypatch.setitem(globals(), "TICKS", 1)
    assert count_keys(monkeypatch, 1000) < 2 * count_keys(monkeypatch, 20)


@pytest.mark.parametrize("seed", range(5))
def test_the_job_that_starts_is_always_one_that_is_due_first(monkeypatch, seed):
    """Whatever was charged, withdrawn or held back meanwhile, and whichever worker a job needs."""
    randomly, jobs = random.Random(seed), list[Job]()
    size = seed % 3 + 1

    class NotedJob(Job):
        def __init__(self, *args, **more) -> None:
            super().__init__(*args, **more)
            jobs.append(self)

    class CheckedQueue(FairQueue):
        def _remove(self, job: Job) -> None:
            if job.granted.done():  # withdrawn
                super()._remove(job)
                return
            able = [other for other in jobs if other.waiting and not other.granted.done() and self.may_start(other)]
            assert job.due == min(other.due for other in able)
            super()._remove(job)

        def may_start(self, job: Job) -> bool:
            return job.account.running < self._most and (
                bool(self._idle) if job.worker is None else job.worker in self._idle
            )

    async def work() -> list[str]:
        shared = SharedWorker(size)
        shared.queue = CheckedQueue(size, 0)
        askers = []
        for number in range(200):
            more = {"worker": randomly.randrange(size)} if randomly.random() < 0.5 else {}
            account, priority = f"account {randomly.randrange(12)}", randomly.choice(list(Priority))
            askers.append(shared.ask(account, f"{number}", randomly.choice((0.0, 0.01, 0.3)), priority, **more))
            if randomly.random() < 0.1:
                randomly.choice(askers).leave()
            for _ in range(randomly.randrange(6)):
                await asyncio.sleep(0)
        await shared.finish()
        errors = [error for task in shared.tasks if (error := task.exception())]
        assert all(isinstance(error, AskerLeft) for error in errors)
        assert len(shared.queue) == 0
        assert len(shared.started) + len(errors) == 200
        return shared.started

    monkeypatch.setattr(fair_queue, "Job", NotedJob)
    assert len(asyncio.run(work())) > 100
