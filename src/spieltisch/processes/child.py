"""A child process: started in a process group of its own, killed with everything that it has started, and reaped.

The second half of this module runs inside children: they exit with their parent, and limit themselves.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterable, Mapping
from typing import IO, Final

_PARENT_POLL: Final = 0.5  # seconds between two checks whether the parent is still there
_REAP_POLL: Final = 1.0  # seconds between two checks for children that have ended by themselves
_TAIL: Final = 8_192  # bytes of standard error that are kept

_running: Final[weakref.WeakSet[Child]] = weakref.WeakSet()
_reaper: threading.Thread | None = None


class Child:
    """A running child process. Signals of the terminal, such as Ctrl-C, do not reach it.

    With `pipes` its standard streams are pipes to this process, and it has a session of its own, without a terminal.
    Otherwise it shares this process's output, and its session: in another one, niceness would not count.
    """

    def __init__(
        self,
        command: Iterable[str],
        *,
        pipes: bool = False,
        environment: Mapping[str, str] | None = None,
        pass_fds: Iterable[int] = (),
    ) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            tuple(command),
            bufsize=0,
            stdin=subprocess.PIPE if pipes else subprocess.DEVNULL,
            stdout=subprocess.PIPE if pipes else None,
            stderr=subprocess.PIPE if pipes else None,
            start_new_session=pipes,
            process_group=None if pipes else 0,
            pass_fds=tuple(pass_fds),
            env=None if environment is None else {**os.environ, **environment},
        )
        self._owner = os.getpid()
        _running.add(self)
        _start_reaper()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, if the process has ended and was reaped."""
        return self._process.returncode

    def pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        """Standard input, output and error, none of which ever blocks."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for pipe in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(pipe.fileno(), False)
        return process.stdin, process.stdout, process.stderr

    def is_own(self) -> bool:
        """Whether this process started it, and not one that this process was forked from."""
        return self._owner == os.getpid()

    def is_running(self) -> bool:
        """Whether the process runs, and is this process's own."""
        return self.is_own() and self._process.poll() is None

    def wait(self, timeout: float | None = None) -> None:
        """Waits for the end of the process, at most that many seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout)

    def kill(self) -> None:
        """Kills the process and its process group, and reaps it; a child of another process is left to that one."""
        if not self.is_own():
            return
        if self in _running:
            _running.discard(self)  # its number may soon be another process's
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()

    def reap(self) -> None:
        """Reaps the process if it has ended by itself. What it has started runs on until `kill`."""
        if not self.is_running() and self.is_own():
            try:
                os.killpg(self.pid, 0)
            except ProcessLookupError:
                _running.discard(self)  # nothing is left to kill, and its number may soon be another process's
            except OSError:
                pass  # there is something left, which has changed its user


class StderrTail:
    """The end of what a child prints on standard error, for the reason why it failed."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._tail = b""

    def read(self) -> bytes | None:
        """What is there now: None is nothing yet, b'' nothing any more."""
        more = self._pipe.read(1 << 16)
        self._tail = (self._tail + (more or b""))[-_TAIL:]
        return more

    def text(self) -> str:
        """The end of what was printed until now."""
        for _ in range(100):  # a child may print for ever
            if not self.read():
                break
        return self._tail.decode(errors="replace")

    def last_line(self) -> str:
        """The last line that is not blank, or ''."""
        return next((line.strip() for line in reversed(self.text().split("\n")) if line.strip()), "")


def kill_all() -> None:
    """Kills every child of this process, for one that is about to end without any clean-up."""
    for child in _children():
        child.kill()


def _children() -> list[Child]:
    """The children that were not killed yet."""
    while True:
        try:
            return list(_running)
        except RuntimeError:  # another thread has just started one
            continue


def _start_reaper() -> None:
    """Starts the reaper thread, once per process."""
    global _reaper  # noqa: PLW0603
    if _reaper is None or not _reaper.is_alive():  # after a fork it is dead
        _reaper = threading.Thread(target=_reap_periodically, name="reaper", daemon=True)
        _reaper.start()


def _reap_periodically() -> None:
    """Reaps idle children that have ended, which would otherwise stay zombies until somebody uses them."""
    while True:
        time.sleep(_REAP_POLL)
        _reap_children()


def _reap_children() -> None:
    for child in _children():
        child.reap()


# inside a child


def exit_with_parent() -> None:
    """Ends this process, and everything that it has started, as soon as its parent has ended."""
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PARENT_POLL)
    exit_immediately()


def exit_immediately() -> None:
    """Ends this process and everything that it has started, without any clean-up."""
    kill_all()
    if os.getpgrp() == os.getpid():  # the leader of a group that holds nothing but what it has started
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def ignore_signals() -> None:
    """Leaves it to the parent to end this process: a supervisor may send its signals to both."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def set_limits(niceness: int, memory: int) -> None:
    """Lowers this process's priority, and limits its data to that many bytes."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415 - it exists on Unix only

        os.nice(niceness)
        resource.setrlimit(resource.RLIMIT_DATA, (memory, resource.getrlimit(resource.RLIMIT_DATA)[1]))
