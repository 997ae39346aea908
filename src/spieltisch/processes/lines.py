"""Line protocol: a child process that responds to each line on its standard input with one on its standard output."""

from __future__ import annotations

import contextlib
import os
import selectors
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from enum import Enum
from typing import Final, TypeVar

from spieltisch.processes.child import Child, StderrTail, exit_with_parent

T = TypeVar("T")

MAX_LINE: Final = 1_000_000  # bytes of a response
_EXIT_TIMEOUT: Final = 1.0  # seconds that a process may take to end after it has closed its output


class Reason(Enum):
    """Why there is no response."""

    NOT_STARTED = "not started"
    TIMED_OUT = "timed out"
    EXITED = "exited"
    LINE_TOO_LONG = "line too long"


class NoResponse(Exception):
    """The process did not respond; `detail` is the system's error or the last line on standard error."""

    def __init__(self, reason: Reason, detail: str = "", *, timeout: float = 0.0, exit_code: int | None = None) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        self.timeout = timeout  # the seconds after which it was given up
        self.exit_code = exit_code  # if it has exited

    def __str__(self) -> str:
        return f"{self.reason.value}: {self.detail}" if self.detail else self.reason.value


class LineProcess:
    """A command with a line protocol. Its process is started by the first request.

    If the process dies or hangs, the next request starts another one, unless `restart` is false: then it fails like
    the last. The process ends when the LineProcess is closed or garbage-collected, and at exit: it is sent
    `closing_line`, given `grace` seconds, then killed.
    """

    def __init__(
        self,
        command: Iterable[str],
        timeout: float,
        *,
        restart: bool = True,
        closing_line: str = "",
        grace: float = 0.0,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.command = tuple(command)
        self.timeout = timeout
        self._restart = restart
        self._closing = (closing_line, grace)
        self._environment = environment
        self._session: _Session | None = None
        self._finalizer: weakref.finalize[..., LineProcess] | None = None
        self._failure: Exception | None = None  # why there is no process any more
        self._output = ""  # of the last process, if it has ended
        self._lock = threading.Lock()

    def request(self, line: str, parse: Callable[[str], T], timeout: float | None = None) -> T:
        """What `parse` makes of the response; NoResponse if there is none.

        Any failure kills the process, even one of `parse`: a late response is never taken for that to another request.
        """
        seconds = self.timeout if timeout is None else timeout
        with self._lock:
            session = self._connect()
            try:
                return parse(session.exchange(line, seconds))
            except BaseException as error:
                self._end()
                if isinstance(error, Exception):
                    self._failure = _without_frames(error)
                raise

    @property
    def pid(self) -> int | None:
        """The process that is running, if one is."""
        session = self._session
        return session.child.pid if session is not None and session.child.is_running() else None

    def output(self) -> str:
        """The end of what the process has printed on standard error, even if it has ended since."""
        with self._lock:
            return self._session.output() if self._session is not None else self._output

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._end(*self._closing)

    def _connect(self) -> _Session:
        if self._session is not None:
            child = self._session.child
            if not (child.is_running() if self._restart else child.is_own()):
                self._end()
        if self._session is None:
            if self._failure is not None and not self._restart:
                raise _without_frames(self._failure)
            self._session = _Session(self.command, self._environment)
            self._finalizer = weakref.finalize(self, _Session.end, self._session, *self._closing)
        return self._session

    def _end(self, closing_line: str = "", grace: float = 0.0) -> None:
        if self._session is not None:
            session, self._session = self._session, None
            self._output = session.output()
            self._failure = NoResponse(Reason.EXITED)
            if self._finalizer is not None:
                self._finalizer.detach()
            session.end(closing_line, grace)


def _without_frames(error: Exception) -> Exception:
    """A copy of the error without its traceback, whose frames would keep other objects alive."""
    copied = copy(error)
    copied.__traceback__ = copied.__cause__ = copied.__context__ = None  # some libraries' errors copy them
    return copied


class _Session:
    """A running process and its three pipes."""

    def __init__(self, command: tuple[str, ...], environment: Mapping[str, str] | None) -> None:
        try:
            self.child = Child(command, pipes=True, environment=environment)
        except (OSError, ValueError) as error:
            raise NoResponse(Reason.NOT_STARTED, getattr(error, "strerror", None) or str(error)) from None
        self._stdin, self._stdout, self._stderr = self.child.pipes()
        self._received = bytearray()  # since the last whole line
        self._tail = StderrTail(self._stderr)

    def exchange(self, line: str, seconds: float) -> str:
        """The first line that is not blank after this one was sent; NoResponse if none comes in time."""
        deadline = time.monotonic() + seconds
        unsent = memoryview(f"{line}\n".encode())
        with selectors.DefaultSelector() as ready:
            ready.register(self._stdin, selectors.EVENT_WRITE)
            ready.register(self._stdout, selectors.EVENT_READ)
            ready.register(self._stderr, selectors.EVENT_READ)
            while True:
                if not unsent and (response := self._next_line()):
                    return response
                left = deadline - time.monotonic()
                if left <= 0:
                    raise NoResponse(Reason.TIMED_OUT, self._tail.last_line(), timeout=seconds)
                for key, _ in ready.select(min(left, 60.0)):
                    if key.fileobj is self._stdin:
                        unsent = unsent[self._write(unsent) :]
                        if not unsent:
                            ready.unregister(self._stdin)
                    elif key.fileobj is self._stdout:
                        self._read()
                    elif self._tail.read() == b"":
                        ready.unregister(self._stderr)

    def _write(self, unsent: memoryview) -> int:
        try:
            return self._stdin.write(unsent) or 0
        except BrokenPipeError:  # it reads no more, but what it has printed may still come
            return len(unsent)

    def _read(self) -> None:
        more = self._stdout.read(1 << 16)
        if more == b"":
            self.child.wait(_EXIT_TIMEOUT)
            raise NoResponse(Reason.EXITED, self._tail.last_line(), exit_code=self.child.exit_code)
        self._received += more or b""

    def _next_line(self) -> str:
        """The next line that is whole and not blank, or ''."""
        while b"\n" in self._received:
            line, _, self._received = self._received.partition(b"\n")
            if line.strip():
                return line.decode(errors="replace").strip()
        if len(self._received) > MAX_LINE:
            raise NoResponse(Reason.LINE_TOO_LONG, self._tail.last_line())
        return ""

    def output(self) -> str:
        """The end of what was printed on standard error; '' in a process that was forked from the owner."""
        with contextlib.suppress(OSError, ValueError):  # the pipe is closed if the child was killed from elsewhere
            return self._tail.text() if self.child.is_own() else ""
        return ""

    def end(self, closing_line: str, grace: float) -> None:
        """Ends the process: asks it to if there is a grace period, then kills it."""
        if grace and self.child.is_own():
            with contextlib.suppress(OSError):
                self._stdin.write(f"{closing_line}\n".encode() if closing_line else b"")
            self._stdin.close()
            self.child.wait(grace)
        self.child.kill()


def serve(respond: Callable[[str], str]) -> None:
    """The child's side: responds to every line of standard input until it ends, or the parent does.

    Whatever else this process prints goes to standard error, and whatever else it reads is empty.
    """
    with os.fdopen(os.dup(0), encoding="utf-8") as requests, os.fdopen(os.dup(1), "w", encoding="utf-8") as responses:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        exit_with_parent()
        for request in requests:
            print(respond(request), file=responses, flush=True)
