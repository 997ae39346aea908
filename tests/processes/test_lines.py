"""A partner that is spoken to in lines: answers, silence, ends, and nothing left behind."""

from __future__ import annotations

import gc
import os
import signal
import sys
import textwrap
import threading
import time

import pytest

from spieltisch.processes.lines import LONGEST_LINE, NoAnswer, Partner, Why, end_all
from tests.support.running import PATIENCE, run_process

ECHO = "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)"


def python(code: str, patience: float = PATIENCE, **how) -> Partner:
    return Partner((sys.executable, "-c", textwrap.dedent(code)), patience, **how)


def runs(pid: int) -> bool:
    """Whether the process is there and more than a name that nobody has asked for yet."""
    try:
        with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int) -> None:
    until = time.monotonic() + PATIENCE
    while runs(pid):
        assert time.monotonic() < until, f"{pid} is still running"
        time.sleep(0.02)


def failing(partner: Partner, question: str = "4", patience: float | None = None) -> NoAnswer:
    with pytest.raises(NoAnswer) as caught:
        partner.ask(question, str, patience)
    assert partner.pid is None
    return caught.value


def test_a_partner_is_begun_when_first_asked_and_answers_line_by_line():
    partner = python(ECHO)
    assert partner.pid is None
    assert partner.ask("4", int) == 4
    first = partner.pid
    assert first is not None
    assert partner.ask("für", str) == "für"
    assert partner.pid == first
    partner.close()
    assert partner.pid is None
    assert not runs(first)


def test_blank_lines_are_no_answers():
    assert python("input(); print('\\n  \\n\\n5')").ask("4", int) == 5


def test_questions_of_any_length_are_put_whole():
    partner = python("while True: print(len(input()), flush=True)")
    assert [partner.ask("x" * length, int) for length in (1, 70_000, 3_000_000, 1)] == [1, 70_000, 3_000_000, 1]


def test_what_is_said_on_standard_error_holds_nobody_up_and_its_last_line_is_kept():
    partner = python(
        """
        import sys
        print("aside " * 200_000, file=sys.stderr)
        print(input(), flush=True)
        input()
        print("the last word\\n", file=sys.stderr)
        sys.exit(3)
        """
    )
    assert partner.ask("4", int) == 4
    reason = failing(partner)
    assert (reason.why, reason.told, reason.code) == (Why.ENDED, "the last word", 3)


def test_a_partner_that_hangs_is_ended_with_everything_it_has_begun():
    partner = Partner(("sh", "-c", "sleep 300 & echo $!; wait"), PATIENCE)
    child = partner.ask("", int)
    parent = partner.pid
    assert parent is not None
    reason = failing(partner, patience=0.3)
    assert (reason.why, reason.seconds) == (Why.SLOW, 0.3)
    wait_until_gone(parent)
    wait_until_gone(child)


def test_a_partner_that_never_listens_is_not_waited_for():
    reason = failing(python("import time; time.sleep(300)"), "x" * 3_000_000, patience=0.5)
    assert reason.why is Why.SLOW


def test_a_pipe_that_somebody_else_keeps_open_is_not_waited_for():
    began = time.monotonic()
    partner = python("import subprocess; subprocess.Popen(['sleep', '20'], start_new_session=True); input()")
    assert failing(partner, patience=1).why is Why.SLOW
    assert time.monotonic() - began < 15


def test_a_partner_that_cannot_be_begun_says_why():
    for command in [("/nowhere/program",), ("no\0name",)]:
        reason = failing(Partner(command, PATIENCE))
        assert reason.why is Why.NOT_BEGUN
        assert reason.told


def test_a_line_without_end_is_no_answer():
    assert failing(python("while True: print('x' * 9999, end='')")).why is Why.ENDLESS
    assert len(python(f"input(); print('x' * {LONGEST_LINE})").ask("", str)) == LONGEST_LINE
    assert failing(python("input(); print(4, end='')")).why is Why.ENDED


def test_a_partner_that_has_died_is_begun_anew():
    partner = python(ECHO)
    partner.ask("4", int)
    first = partner.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    while partner.pid is not None:
        time.sleep(0.01)
    assert partner.ask("4", int) == 4
    assert partner.pid not in (None, first)


def test_a_partner_that_has_died_stays_so_where_that_was_asked():
    partner = python("import sys; input(); sys.exit('that was it')", anew=False)
    for _ in range(2):
        reason = failing(partner)
        assert (reason.why, reason.told, reason.code) == (Why.ENDED, "that was it", 1)


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_answer_that_was_not_understood_nothing_more_is_taken_from_that_process(error):
    def confused(_: str) -> None:
        raise error

    partner = python("for number in range(100): print(number, flush=True)\ninput(); input()")
    with pytest.raises(error):
        partner.ask("", confused)
    assert partner.pid is None
    assert partner.ask("", int) == 0


def test_many_threads_may_ask_one_partner():
    partner, wrong = python(ECHO), []

    def asking(number: int) -> None:
        questions = range(number * 1000, number * 1000 + 50)
        wrong.extend(question for question in questions if partner.ask(str(question), int) != question)

    threads = [threading.Thread(target=asking, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_partner_that_is_forgotten_is_ended():
    partner = python(ECHO)
    partner.ask("4", int)
    pid = partner.pid
    assert pid is not None
    del partner
    gc.collect()
    assert not runs(pid)


def test_a_farewell_is_said_and_time_given_to_end(tmp_path):
    heard = tmp_path / "heard"
    partner = python(
        f"""
        import sys
        print(input(), flush=True)
        open({str(heard)!r}, "w").write(sys.stdin.read())
        """,
        farewell="bye",
        grace=PATIENCE,
    )
    partner.ask("4", int)
    partner.close()
    assert heard.read_text() == "bye\n"


ASKING = """
    import os, sys, time
    from spieltisch.partner import Partner
    partner = Partner((sys.executable, "-c", "{child}"), 60)
    print(partner.ask("4", int), partner.pid, flush=True)
"""


def test_at_exit_no_partner_is_left_behind():
    code = ASKING.format(child="import time; print(input(), flush=True); time.sleep(300)")
    ran = run_process(sys.executable, "-c", textwrap.dedent(code))
    assert (ran.code, ran.err) == (0, "")
    answer, pid = map(int, ran.out.split())
    assert answer == 4
    assert not runs(pid)


def test_a_process_that_serves_leaves_when_whoever_asks_is_killed():
    child = (
        "import time; from spieltisch.partner import serve;"
        " serve(lambda line: line.strip() if line.strip() == '4' else time.sleep(300))"
    )
    code = ASKING.format(child=child)
    code += "    import threading; threading.Timer(1, os.kill, (os.getpid(), 9)).start()\n    partner.ask('5', int)\n"
    ran = run_process(sys.executable, "-c", textwrap.dedent(code))
    assert ran.code == -signal.SIGKILL
    wait_until_gone(int(ran.out.split()[1]))


def test_what_a_serving_process_prints_or_reads_besides_is_no_part_of_the_talk():
    partner = python(
        """
        import os, sys
        from spieltisch.partner import serve

        def answer(line):
            print("aside")
            os.write(1, b"aside too\\n")
            return f"{line.strip()}{sys.stdin.read()}"

        serve(answer)
        """
    )
    assert [partner.ask(str(number), int) for number in range(3)] == [0, 1, 2]


def test_after_a_fork_each_has_a_partner_of_its_own():
    code = ASKING.format(child="while True: print(input(), flush=True)") + (
        "    own = partner.pid\n"
        "    child = os.fork()\n"
        "    assert all(partner.ask(str(n), int) == n for n in range(200))\n"
        "    assert (partner.pid == own) == (child != 0)\n"
        "    sys.exit(child and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    ran = run_process(sys.executable, "-c", textwrap.dedent(code))
    assert ran.code == 0, ran.err
    assert "Error" not in ran.err


def test_all_that_was_begun_can_be_ended_at_once():
    partners = [python(ECHO) for _ in range(2)]
    pids = [partner.ask(f"{n}", lambda _, partner=partner: partner.pid) for n, partner in enumerate(partners)]
    end_all()
    for pid in pids:
        wait_until_gone(pid)


def test_a_failure_holds_nothing_that_was_at_hand_when_it_happened():
    """Else other partners would live on with it."""
    partner = python(ECHO, anew=False)

    def fail() -> int:
        other = python(ECHO)
        pid = other.ask("4", lambda _: other.pid)
        partner.ask("word", int)
        return pid

    gc.collect()
    gc.disable()
    try:
        with pytest.raises(ValueError, match="word"):
            fail()
        with pytest.raises(ValueError, match="word"):
            partner.ask("4", int)
        assert partner._lost is not None
        assert partner._lost.__traceback__ is None
    finally:
        gc.enable()
