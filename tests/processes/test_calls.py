"""Remote procedure calls to real worker processes: results, errors, lost workers, and no process left behind."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import textwrap
import threading
import time

import psutil
import pytest

from spieltisch.processes import calls
from spieltisch.processes.aio import AsyncWorker, wait_shielded
from spieltisch.processes.calls import RemoteTraceback, Worker, WorkerLost
from spieltisch.processes.child import Child, set_limits
from spieltisch.processes.executor import ProcessExecutor
from spieltisch.processes.lines import LineProcess
from tests.processes.test_lines import runs, wait_until_gone
from tests.support.command import TIMEOUT, run_process


@pytest.fixture
def worker():
    one = Worker()
    yield one
    one.close()


def test_a_call_runs_in_another_process_and_returns_its_result(worker):
    assert worker.call(os.getpid) == worker.pid != os.getpid()
    assert worker.call(divmod, 7, 2) == (3, 1)
    assert worker.call(int, "ff", base=16) == 255
    assert len(worker.call(bytes, 50_000_000)) == 50_000_000


def test_an_exception_is_raised_here_with_the_traceback_from_there(worker):
    with pytest.raises(ZeroDivisionError, match="by zero") as caught:
        worker.call(divmod, 1, 0)
    assert isinstance(caught.value.__cause__, RemoteTraceback)
    assert "ZeroDivisionError" in str(caught.value.__cause__)
    assert worker.call(abs, -1) == 1


def test_what_cannot_be_pickled_is_an_error_of_that_call_only(worker):
    with pytest.raises(Exception, match="lambda"):
        worker.call(lambda: 1)
    with pytest.raises(RuntimeError, match="cannot pickle"):
        worker.call(threading.Lock)
    with pytest.raises(ModuleNotFoundError):
        worker.call(eval, "type('Odd', (), {'__reduce__': lambda self: (__import__, ('nowhere',))})()")
    assert worker.call(abs, -1) == 1


def test_a_worker_can_import_what_its_parent_can(tmp_path, monkeypatch):
    (tmp_path / "guest.py").write_text("def greet(name): return f'Hello, {name}'\n")
    monkeypatch.syspath_prepend(tmp_path)
    import guest  # type: ignore[import-not-found]

    one = Worker()
    assert one.call(guest.greet, "Ada") == "Hello, Ada"
    one.close()


@pytest.mark.parametrize("ending", [os._exit, sys.exit], ids=["exits", "raises SystemExit"])
def test_a_worker_that_ends_is_lost(ending, capfd):
    one = Worker()
    with pytest.raises(WorkerLost):
        one.call(ending, 3)
    with pytest.raises(WorkerLost):
        one.call(abs, -1)
    one.close()
    assert not runs(one.pid)


def test_a_worker_that_is_killed_by_another_thread_is_lost(worker):
    threading.Timer(0.2, worker.kill).start()
    with pytest.raises(WorkerLost):
        worker.call(time.sleep, 300)
    wait_until_gone(worker.pid)


def test_a_worker_that_cannot_be_started_is_lost(monkeypatch):
    monkeypatch.setattr(calls, "_COMMAND", ("/nowhere/python",))
    with pytest.raises(WorkerLost):
        Worker()
    monkeypatch.setattr(calls, "_COMMAND", (sys.executable, "-c", "pass"))
    with pytest.raises(WorkerLost):
        Worker()


def test_a_worker_that_nothing_refers_to_is_killed():
    one = Worker()
    pid = one.pid
    del one
    assert not runs(pid)


def test_signals_that_mean_the_end_are_left_to_the_parent(worker):
    assert os.getpgid(worker.pid) != os.getpgid(0)  # Ctrl-C reaches the foreground group only
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(worker.pid, number)
    assert worker.call(abs, -1) == 1


def test_a_worker_shares_the_session_in_which_its_niceness_counts(worker):
    assert os.getsid(worker.pid) == os.getsid(0)
    before = os.getpriority(os.PRIO_PROCESS, 0)
    worker.call(set_limits, 7, 1 << 30)
    assert os.getpriority(os.PRIO_PROCESS, worker.pid) == before + 7
    with pytest.raises(MemoryError):
        worker.call(bytearray, 2 << 30)
    assert worker.call(abs, -1) == 1


PARENT = """
    import os, sys, threading, time
    from spieltisch.processes.calls import Worker
    from spieltisch.processes.lines import LineProcess
    worker = Worker()
    process = LineProcess((sys.executable, "-c", "while True: print(input(), flush=True)"), 60)
    print(worker.pid, flush=True)
"""


@pytest.mark.parametrize("busy", ["", "    worker.call(time.sleep, 300)\n"], ids=["idle", "busy"])
def test_a_worker_exits_when_its_parent_is_killed(busy):
    code = PARENT + f"    threading.Timer(1, os.kill, (os.getpid(), 9)).start()\n{busy}    time.sleep(60)\n"
    ran = run_process(sys.executable, "-c", textwrap.dedent(code))
    assert ran.code == -signal.SIGKILL
    wait_until_gone(int(ran.out))


def test_at_exit_no_worker_is_left_behind():
    ran = run_process(sys.executable, "-c", textwrap.dedent(PARENT))
    assert (ran.code, ran.err) == (0, "")
    assert not runs(int(ran.out))


def test_a_child_is_killed_once_and_reaped():
    child = Child(("sleep", "300"))
    assert child.is_running()
    child.kill()
    child.kill()
    assert child.exit_code == -signal.SIGKILL
    assert not child.is_running()


def leave_idle_worker():
    worker = Worker()
    return worker.pid, worker.close


def leave_idle_executor():
    executor = ProcessExecutor(1, renew_after=1000)
    return executor.submit(os.getpid).result(TIMEOUT), executor.shutdown


def leave_idle_line_process():
    process = LineProcess((sys.executable, "-c", "while True: print(input(), flush=True)"), TIMEOUT)
    process.request("hello", str)
    return process.pid, process.close


@pytest.mark.parametrize("leave_idle", [leave_idle_worker, leave_idle_executor, leave_idle_line_process])
def test_a_process_that_is_killed_while_idle_is_reaped(leave_idle):
    pid, close = leave_idle()
    os.kill(pid, signal.SIGKILL)
    until = time.monotonic() + TIMEOUT
    while psutil.pid_exists(pid):  # a zombie still has its number
        assert time.monotonic() < until
        time.sleep(0.02)
    close()


def test_what_a_reaped_child_has_started_is_still_killed_with_it():
    child = Child(("sh", "-c", "sleep 300 & echo $!"), pipes=True)
    _, output, _ = child.pipes()
    child.wait(TIMEOUT)
    orphan = int(output.read())
    child.reap()
    assert runs(orphan)
    child.kill()
    wait_until_gone(orphan)


# asyncio


def test_calls_that_wait_for_one_worker_are_carried_out_in_order():
    async def call():
        one = await AsyncWorker.start()
        try:
            waiting = [one.call(abs, -number) for number in range(100)]
            waiting[50].cancel()
            failing = one.call(divmod, 1, 0)
            results = await asyncio.gather(*waiting, return_exceptions=True)
            with pytest.raises(ZeroDivisionError):
                await failing
            return results, await one.call(abs, -1)
        finally:
            await one.kill()

    results, last = asyncio.run(call())
    assert isinstance(results.pop(50), asyncio.CancelledError)
    assert results == [number for number in range(100) if number != 50]
    assert last == 1


def test_all_calls_of_a_worker_that_dies_are_lost():
    async def call():
        one = await AsyncWorker.start()
        waiting = [one.call(os._exit, 9), one.call(abs, -1)]
        results = await asyncio.gather(*waiting, return_exceptions=True)
        results.append(await asyncio.gather(one.call(abs, -1), return_exceptions=True))
        await one.kill()
        return results

    first, second, (third,) = asyncio.run(call())
    assert [type(error) for error in (first, second, third)] == [WorkerLost] * 3


# the executor


def test_a_lost_worker_costs_its_own_task_only():
    with ProcessExecutor(2, renew_after=1000) as executor:
        slow = executor.submit(pow, 2, 10)
        lost = executor.submit(os._exit, 9)
        others = [executor.submit(abs, -number) for number in range(20)]
        assert isinstance(lost.exception(TIMEOUT), WorkerLost)
        assert slow.result(TIMEOUT) == 1024
        assert [future.result(TIMEOUT) for future in others] == list(range(20))


def test_errors_of_a_task_and_of_its_pickling_are_raised_by_its_future():
    with ProcessExecutor(1, renew_after=1000) as executor:
        assert isinstance(executor.submit(divmod, 1, 0).exception(TIMEOUT), ZeroDivisionError)
        assert executor.submit(lambda: 1).exception(TIMEOUT) is not None
        assert list(executor.map(abs, [-1, -2])) == [1, 2]


def test_shutting_down_kills_what_runs_and_cancels_what_waits():
    executor = ProcessExecutor(1, renew_after=1000)
    running = executor.submit(time.sleep, 300)
    waiting = executor.submit(abs, -1)
    while not running.running() or not executor.pids():
        time.sleep(0.01)
    pids = executor.pids()
    executor.shutdown()
    assert isinstance(running.exception(), WorkerLost)
    assert waiting.cancelled()
    assert not any(map(runs, pids))
    with pytest.raises(RuntimeError, match="shut down"):
        executor.submit(abs, -1)


def test_a_task_that_was_cancelled_in_time_is_not_carried_out(tmp_path):
    with ProcessExecutor(1, renew_after=1000) as executor:
        executor.submit(time.sleep, 0.3)
        never = executor.submit(os.mkdir, tmp_path / "never")
        assert never.cancel()
        executor.submit(abs, -1).result(TIMEOUT)
    assert not (tmp_path / "never").exists()


def test_work_goes_on_if_whoever_waits_for_it_is_cancelled():
    async def run():
        done = asyncio.Event()
        work = asyncio.create_task(done.wait())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await wait_shielded(work)
        done.set()
        return await wait_shielded(work)

    assert asyncio.run(run()) is True


def test_an_error_for_which_nobody_waits_any_more_is_not_logged():
    logged = []

    async def fail(begun):
        await begun.wait()
        raise WorkerLost

    async def run():
        asyncio.get_running_loop().set_exception_handler(lambda _, context: logged.append(context["message"]))
        begun = asyncio.Event()
        work = asyncio.create_task(fail(begun))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await wait_shielded(work)
        begun.set()
        await asyncio.wait((work,))
        with pytest.raises(WorkerLost):
            await wait_shielded(work)

    asyncio.run(run())
    gc.collect()
    assert logged == []
