"""The line protocol with real processes: responses, timeouts, exits, and no process left behind."""

from __future__ import annotations

import gc
import os
import signal
import sys
import textwrap
import threading
import time

import pytest

from spieltisch.processes.child import kill_all
from spieltisch.processes.lines import MAX_LINE, LineProcess, NoResponse, Reason
from tests.support.command import TIMEOUT, run_process

ECHO = "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)"


def python(code: str, timeout: float = TIMEOUT, **how) -> LineProcess:
    return LineProcess((sys.executable, "-c", textwrap.dedent(code)), timeout, **how)


def runs(pid: int) -> bool:
    """Whether the process is there and more than a name that nobody has asked for yet."""
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> None:
    until = time.monotonic() + TIMEOUT
    while runs(pid):
        assert time.monotonic() < until, f"{pid} is still running"
        time.sleep(0.02)


def failing(process: LineProcess, line: str = "4", timeout: float | None = None) -> NoResponse:
    with pytest.raises(NoResponse) as caught:
        process.request(line, str, timeout)
    assert process.pid is None
    return caught.value


def test_a_process_is_started_by_the_first_request_and_responds_line_by_line():
    process = python(ECHO)
    assert process.pid is None
    assert process.request("4", int) == 4
    first = process.pid
    assert first is not None
    assert process.request("für", str) == "für"
    assert process.pid == first
    process.close()
    assert process.pid is None
    assert not runs(first)


def test_blank_lines_are_no_responses():
    assert python("input(); print('\\n  \\n\\n5')").request("4", int) == 5


def test_requests_of_any_length_are_sent_whole():
    process = python("while True: print(len(input()), flush=True)")
    assert [process.request("x" * length, int) for length in (1, 70_000, 3_000_000, 1)] == [1, 70_000, 3_000_000, 1]


def test_standard_error_never_blocks_and_its_last_line_is_kept():
    process = python(
        """
        import sys
        print("aside " * 200_000, file=sys.stderr)
        print(input(), flush=True)
        input()
        print("the last word\\n", file=sys.stderr)
        sys.exit(3)
        """
    )
    assert process.request("4", int) == 4
    error = failing(process)
    assert (error.reason, error.detail, error.exit_code) == (Reason.EXITED, "the last word", 3)


def test_a_process_that_hangs_is_killed_with_everything_it_has_started():
    process = LineProcess(("sh", "-c", "sleep 300 & echo $!; wait"), TIMEOUT)
    child = process.request("", int)
    parent = process.pid
    assert parent is not None
    error = failing(process, timeout=0.3)
    assert (error.reason, error.timeout) == (Reason.TIMED_OUT, 0.3)
    wait_until_gone(parent)
    wait_until_gone(child)


def test_a_process_that_never_reads_times_out():
    error = failing(python("import time; time.sleep(300)"), "x" * 3_000_000, timeout=0.5)
    assert error.reason is Reason.TIMED_OUT


def test_a_pipe_that_another_process_keeps_open_is_not_waited_for():
    began = time.monotonic()
    process = python("import subprocess; subprocess.Popen(['sleep', '20'], start_new_session=True); input()")
    assert failing(process, timeout=1).reason is Reason.TIMED_OUT
    assert time.monotonic() - began < 15


def test_a_process_that_cannot_be_started_fails_with_the_reason():
    for command in [("/nowhere/program",), ("no\0name",)]:
        error = failing(LineProcess(command, TIMEOUT))
        assert error.reason is Reason.NOT_STARTED
        assert error.detail


def test_a_line_that_is_too_long_is_no_response():
    assert failing(python("while True: print('x' * 9999, end='')")).reason is Reason.LINE_TOO_LONG
    assert len(python(f"input(); print('x' * {MAX_LINE})").request("", str)) == MAX_LINE
    assert failing(python("input(); print(4, end='')")).reason is Reason.EXITED


def test_a_process_that_has_died_is_restarted():
    process = python(ECHO)
    process.request("4", int)
    first = process.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    while process.pid is not None:
        time.sleep(0.01)
    assert process.request("4", int) == 4
    assert process.pid not in (None, first)


def test_a_process_that_has_died_is_not_restarted_if_restart_is_off():
    process = python("import sys; input(); sys.exit('that was it')", restart=False)
    for _ in range(2):
        error = failing(process)
        assert (error.reason, error.detail, error.exit_code) == (Reason.EXITED, "that was it", 1)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_a_response_that_cannot_be_parsed_the_process_is_not_used_again(error):
    def confused(_: str) -> None:
        raise error

    process = python("for number in range(100): print(number, flush=True)\ninput(); input()")
    with pytest.raises(error):
        process.request("", confused)
    assert process.pid is None
    assert process.request("", int) == 0


def test_many_threads_may_use_one_process():
    process, wrong = python(ECHO), []

    def asking(number: int) -> None:
        questions = range(number * 1000, number * 1000 + 50)
        wrong.extend(question for question in questions if process.request(str(question), int) != question)

    threads = [threading.Thread(target=asking, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_process_that_nothing_refers_to_is_killed():
    process = python(ECHO)
    process.request("4", int)
    pid = process.pid
    assert pid is not None
    del process
    gc.collect()
    assert not runs(pid)


def test_the_closing_line_is_sent_and_time_given_to_exit(tmp_path):
    heard = tmp_path / "heard"
    process = python(
        f"""
        import sys
        print(input(), flush=True)
        open({str(heard)!r}, "w").write(sys.stdin.read())
        """,
        closing_line="bye",
        grace=TIMEOUT,
    )
    process.request("4", int)
    process.close()
    assert heard.read_text() == "bye\n"


ASKING = """
    import os, sys, time
    from spieltisch.processes.lines import LineProcess
    process = LineProcess((sys.executable, "-c", "{child}"), 60)
    print(process.request("4", int), process.pid, flush=True)
"""


def test_at_exit_no_process_is_left_behind():
    code = ASKING.format(child="import time; print(input(), flush=True); time.sleep(300)")
    ran = run_process(sys.executable, "-c", textwrap.dedent(code))
    assert (ran.code, ran.err) == (0, "")
    answer, pid = map(int, ran.out.split())
    assert answer == 4
    assert not runs(pid)


def test_a_serving_process_exits_when_its_parent_is_killed():
    child = (
        "import time; from spieltisch.processes.lines import serve;"
        " serve(lambda line: line.strip() if line.strip() == '4' else time.sleep(300))"
    )
    code = ASKING.format(child=child)
    code += (
        "    import threading; threading.Timer(1, os.kill, (os.getpid(), 9)).start()\n    process.request('5', int)\n"
    )
    ran = run_process(sys.executable, "-c", textwrap.dedent(code))
    assert ran.code == -signal.SIGKILL
    wait_until_gone(int(ran.out.split()[1]))


def test_what_a_serving_process_prints_or_reads_itself_is_no_part_of_the_protocol():
    process = python(
        """
        import os, sys
        from spieltisch.processes.lines import serve

        def answer(line):
            print("aside")
            os.write(1, b"aside too\\n")
            return f"{line.strip()}{sys.stdin.read()}"

        serve(answer)
        """
    )
    assert [process.request(str(number), int) for number in range(3)] == [0, 1, 2]


def test_after_a_fork_parent_and_child_have_a_process_each():
    code = ASKING.format(child="while True: print(input(), flush=True)") + (
        "    own = process.pid\n"
        "    child = os.fork()\n"
        "    assert all(process.request(str(n), int) == n for n in range(200))\n"
        "    assert (process.pid == own) == (child != 0)\n"
        "    sys.exit(child and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    ran = run_process(sys.executable, "-c", textwrap.dedent(code))
    assert ran.code == 0, ran.err
    assert "Error" not in ran.err


def test_all_children_can_be_killed_at_once():
    processes = [python(ECHO) for _ in range(2)]
    pids = [process.request(f"{n}", lambda _, process=process: process.pid) for n, process in enumerate(processes)]
    kill_all()
    for pid in pids:
        wait_until_gone(pid)


def test_a_stored_failure_keeps_no_frames_alive():
    """Else other processes would live on with it."""
    process = python(ECHO, restart=False)

    def fail() -> int:
        other = python(ECHO)
        pid = other.request("4", lambda _: other.pid)
        process.request("word", int)
        return pid

    gc.collect()
    gc.disable()
    try:
        with pytest.raises(ValueError, match="word"):
            fail()
        with pytest.raises(ValueError, match="word"):
            process.request("4", int)
        assert process._failure is not None
        assert process._failure.__traceback__ is None
    finally:
        gc.enable()
