"""The command `spieltisch arena`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.arena.cases import BOTH, wait_until
from tests.support.command import (
    COMMAND,
    TIMEOUT,
    assert_refused,
    has_ended,
    run,
    run_process,
    running,
    spawn_in_terminal,
)


def arena(*arguments: object) -> tuple[object, ...]:
    return ("arena", "template", "--players", "greedy,random", "--size", 4, "--seed", 5, *arguments)


def result_in(folder: Path) -> dict[str, Any]:
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    assert result.pop("seconds") > 0
    return result


def test_the_command_prints_and_saves_the_result(tmp_path):
    ran = run(*arena("--games", 130, "--out", tmp_path, "--workers", 2, "--language", "de"))
    assert ran.code == 0, ran.err
    assert ran.out.startswith(
        "Pebbles, 4\xa0Plätze: 33 Durchgänge, 132 Partien. Gleichmäßig verteilt wären es 25,0\xa0%.\n1  greedy  "
    )
    assert "greedy ist besser als random: " in ran.out
    result = result_in(tmp_path)
    assert (result["deals"], result["games"], result["ended"]) == (33, 132, "games")
    assert [entrant["name"] for entrant in result["entrants"]] == BOTH
    assert result["settings"]["options"] == {"piles": "concealed", "bag": ""}
    assert result["pairs"][0]["better"] == "greedy"
    assert "<svg" in (tmp_path / "result.svg").read_text(encoding="utf-8")
    assert str(tmp_path) in ran.err


def test_the_number_of_workers_changes_nothing_and_nothing_is_saved_without_a_folder(tmp_path):
    runs = {run_process(*COMMAND, *arena("--games", 200, "--decide", "--workers", n), cwd=tmp_path).out for n in (1, 3)}
    assert len(runs) == 1
    assert "certain after" in runs.pop()
    assert list(tmp_path.iterdir()) == []


def test_a_command_that_is_interrupted_and_killed_is_resumed_to_the_same_result(tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    file = cut / "deals.jsonl"

    @contextmanager
    def run_until(deals: int) -> Iterator[subprocess.Popen[bytes]]:
        """Starts a long command and waits for that many deals."""
        with running(*arena("--games", 10**6, "--workers", 2, "--out", cut)) as process:
            wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") > deals)
            yield process

    with run_until(5) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
    assert f"deals are saved in {cut}; the same command continues from there.".encode() in err
    with run_until(30) as process:
        workers = psutil.Process(process.pid).children(recursive=True)
        assert len(workers) >= 2
        process.kill()
        process.communicate(timeout=TIMEOUT)
    wait_until(lambda: all(has_ended(worker.pid) for worker in workers))
    before = file.read_bytes()
    assert run(*arena("--games", 480, "--out", cut)).code == 0
    assert run(*arena("--games", 480, "--out", whole)).code == 0
    assert result_in(cut) == result_in(whole)
    assert file.read_bytes().startswith(before[: before.rfind(b"\n") + 1])


@pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")
def test_the_terminal_shows_progress_and_can_interrupt():
    with spawn_in_terminal(*arena("--games", 10**6, "--workers", 2)) as shown:
        shown.expect(r"Pebbles.* [1-9]\d*/250000")
        shown.sendintr()
        shown.expect("with --out FOLDER a tournament can be continued later")
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
def test_bad_arguments_are_refused(arguments, words):
    ran = run(*arena(*arguments))
    assert_refused(ran, *words)
    assert ran.out == ""


def test_a_missing_extra_is_named():
    without = "import sys; sys.modules['distributed'] = None; from spieltisch.cli import main; main()"
    ran = run_process(sys.executable, "-c", without, *arena("--cluster", "127.0.0.1:1"))
    assert_refused(ran, "spieltisch-core[arena]")


def test_a_full_disk_is_reported_and_loses_nothing(tmp_path):
    from tests.support.command import run_on_full_disk

    arguments = arena("--games", 80, "--workers", 1, "--out", tmp_path)
    ran = run_on_full_disk(*arguments, room=4000)
    assert ran.code == 1
    assert "Traceback" not in ran.err
    assert "deals.jsonl" in ran.err
    there = (tmp_path / "deals.jsonl").read_bytes().count(b"\n")
    assert 1 < there < 20
    assert run(*arguments).code == 0
    assert result_in(tmp_path)["deals"] == 20
