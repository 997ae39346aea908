"""The real `spieltisch` command in a process of its own, and records of random games."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeAlias

import pexpect
import psutil
from hypothesis import settings

import spieltisch
from spieltisch import players, registry
from spieltisch.core.game import Over
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.series import Series
from spieltisch.records import Record

Env: TypeAlias = Mapping[str, str] | None  # changes to the environment

COMMAND = (sys.executable, "-m", "spieltisch")
TIMEOUT = 180  # seconds for any process, also on a busy machine
ANSI_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
FIRST_CHOICES = b"1\n\n" * 200  # always the first choice, and Enter to confirm a turn

FUZZ = settings(derandomize=True, deadline=None, database=None)


class CommandResult(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


def environment(changes: Env = None) -> dict[str, str]:
    """A minimal environment: English, no home folder to write to, and the sources that the tests import."""
    return {
        "PYTHONPATH": str(Path(spieltisch.__file__).parent.parent),
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "TERM": "xterm",
        "HOME": os.devnull,
        "XDG_DATA_HOME": os.devnull,
        **(changes or {}),
    }


def run(*arguments: object, typed: bytes = b"", cwd: Path | None = None, env: Env = None) -> CommandResult:
    """Runs `spieltisch` with these arguments, with `typed` on its standard input."""
    return run_process(*COMMAND, *arguments, typed=typed, cwd=cwd, env=env)


def run_process(*arguments: object, typed: bytes = b"", cwd: Path | None = None, env: Env = None) -> CommandResult:
    """Runs any program until it exits."""
    ended = subprocess.run(
        list(map(str, arguments)),
        input=typed,
        capture_output=True,
        cwd=cwd,
        env=environment(env),
        timeout=TIMEOUT,
        check=False,
    )
    return CommandResult(ended.returncode, _text(ended.stdout), _text(ended.stderr))


def run_with_output_to(stdout: int, *arguments: object, typed: bytes = b"") -> CommandResult:
    """Runs `spieltisch` with its output redirected to a file descriptor."""
    ended = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=typed,
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=environment(),
        timeout=TIMEOUT,
        check=False,
    )
    return CommandResult(ended.returncode, "", _text(ended.stderr))


def run_into_closed_pipe(*arguments: object, typed: bytes = b"") -> CommandResult:
    """Runs `spieltisch` with its output into a pipe whose reader is closed."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return run_with_output_to(writer, *arguments, typed=typed)
    finally:
        os.close(writer)


def run_on_full_disk(*arguments: object, room: int, typed: bytes = b"", env: Env = None) -> CommandResult:
    """Runs `spieltisch` with a limit on the size of files, as on a full disk."""
    limited = (
        "import resource, sys; from spieltisch.cli import main;"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room})); main()"
    )
    return run_process(sys.executable, "-c", limited, *arguments, typed=typed, env=env)


@contextmanager
def interruptible() -> Iterator[None]:
    """Processes started in this block react to Ctrl-C, even if the tests themselves ignore it.

    A shell's background jobs ignore SIGINT, and their children inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def running(*arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    """Runs `spieltisch` in the background; it and its children are killed at the end of the block."""
    pipe = subprocess.PIPE
    with interruptible():
        process = subprocess.Popen(
            [*COMMAND, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, env=environment()
        )
    try:
        yield process
    finally:
        kill_with_children(process.pid)
        process.communicate(timeout=TIMEOUT)


def kill_with_children(pid: int) -> None:
    """Kills a process and its descendants."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                one.kill()


def has_ended(pid: int) -> bool:
    """Whether a process has ended, reaped or not; it may end while it is looked at."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def _text(printed: bytes) -> str:
    return printed.decode(errors="surrogateescape")


def assert_refused(ran: CommandResult, *words: str) -> None:
    """Checks that the command failed with one sentence that contains these words."""
    assert ran.code in (1, 2), ran
    assert "Traceback" not in ran.err, ran.err
    sentence = ran.err.rstrip("\n").rpartition("\n")[2]
    assert sentence.endswith((".", "?")), ran.err
    for word in words:
        assert word in sentence


class EngineProcess:
    """A real `spieltisch engine` process, with one request per line."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        command = [*COMMAND, "engine"]
        with interruptible():
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment())
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._to, self._from = self.process.stdin, self.process.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, line: bytes) -> dict[str, Any]:
        """Sends a line, and returns the response."""
        self._to.write(line + b"\n")
        self._to.flush()
        answer: dict[str, Any] = json.loads(self._from.readline())
        return answer

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """Sends a request, and returns the response."""
        return self.send(json.dumps({"id": 1, "do": do, **fields}).encode())

    def interrupt(self) -> CommandResult:
        """Presses Ctrl-C, and waits for the end."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=TIMEOUT)
        return CommandResult(self.process.returncode, _text(out), _text(err))


@contextmanager
def spawn_in_terminal(*arguments: object, env: Env = None) -> Iterator[pexpect.spawn[str]]:
    """Runs `spieltisch` in a terminal of its own; it and its children are ended with the block."""
    with interruptible():
        child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], *map(str, arguments)],
            env=environment(env),
            encoding="utf-8",
            timeout=TIMEOUT,
            dimensions=(40, 120),
        )
    try:
        yield child
    finally:
        if child.isalive():
            kill_with_children(child.pid)
        child.close()


@cache
def random_record(seed: int, games: int = 1, *, count: int = 2, game: str = "template") -> Record:
    """The record of a match between random players."""
    rules = registry.find(game)
    series = Series(rules, rules.agree(count), games, lambda number: seeded(f"{seed}/{number}"))
    bots = [players.make("random", rules, f"{seed}/{seat}") for seat in range(count)]
    while not series.over:
        if isinstance(pending := series.referee.settle(), Over):
            series.begin()
        else:
            series.referee.ask(bots[pending.seat])
    return series.record()
