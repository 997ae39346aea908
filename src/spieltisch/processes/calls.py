"""Remote procedure calls: functions that run in a worker process, which is sent pickled calls over a socket.

A frame is a length and a pickle: a `Call` to the worker, a `Response` back. Responses come in the order of the calls. A
response says how much processor time the call took. A call may have a limit of processor time; exceeding it ends the
worker process. Functions are pickled by name, so the worker must be able to import them: it gets this process's `sys.path`.
"""

from __future__ import annotations

import contextlib
import pickle
import signal
import socket
import struct
import sys
import time
import traceback
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from io import BufferedReader
from itertools import count
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from spieltisch.processes.child import Child, exit_with_parent, ignore_signals

P = ParamSpec("P")
T = TypeVar("T")

LENGTH: Final = struct.Struct(">I")
_COMMAND: Final = (sys.executable, "-P", "-m", "spieltisch.processes")


class WorkerLost(BrokenExecutor):
    """A worker process ended, or could not be started, before it responded."""


class WorkerTimeout(WorkerLost):
    """A worker process was ended because a call took too long."""


class RemoteTraceback(Exception):
    """The traceback of an exception where it was raised; it is the cause of the exception that the caller gets."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class Call(NamedTuple):
    """A function and its arguments."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    cpu_limit: float = 0.0  # seconds of processor time; 0 means no limit


class Response(NamedTuple):
    """What a call returned or raised."""

    value: Any = None
    error: Exception | None = None
    trace: str = ""
    cpu_seconds: float = 0.0  # processor time that the call took

    def result(self) -> Any:
        """The value; raises the error if there is one."""
        if self.error is not None:
            self.error.__cause__ = RemoteTraceback(self.trace)
            raise self.error
        return self.value


def encode_call(call: Call) -> bytes:
    """The frame of a call."""
    return _frame(pickle.dumps(tuple(call), pickle.HIGHEST_PROTOCOL))


def decode_response(body: bytes) -> Response:
    """The response in a frame; one that cannot be unpickled here is an error."""
    try:
        response: Response = pickle.loads(body)  # noqa: S301 - from a process that this one has started
    except Exception as error:  # noqa: BLE001 - the caller gets it, like any other error of its call
        return Response(error=error)
    return response


def spawn() -> tuple[Child, socket.socket]:
    """Starts a worker process, and returns it with the socket to it."""
    here, there = socket.socketpair()
    try:
        with there:
            return Child((*_COMMAND, str(there.fileno())), pass_fds=(there.fileno(),)), here
    except OSError as error:
        here.close()
        raise WorkerLost from error


class Worker:
    """A worker process that one thread at a time can call, and any thread can kill."""

    def __init__(self) -> None:
        self._child, self._socket = spawn()
        self._responses = self._socket.makefile("rb")
        self._finalizer = weakref.finalize(self, _end, self._child, self._socket, self._responses)
        self.call(set_path, sys.path)

    @property
    def pid(self) -> int:
        return self._child.pid

    def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns or raises in the worker process; WorkerLost if that ends before."""
        frame = encode_call(Call(function, args, kwargs))
        try:
            self._socket.sendall(frame)
            body = _read_frame(self._responses)
        except (OSError, EOFError, ValueError) as error:  # ValueError: closed by another thread
            raise WorkerLost from error
        result: T = decode_response(body).result()
        return result

    def kill(self) -> None:
        """Kills the process; a call that waits for it raises WorkerLost."""
        self._child.kill()

    def close(self) -> None:
        """Kills the process, and closes the connection; no other thread may be calling it."""
        self._finalizer()


def _end(child: Child, connection: socket.socket, responses: BufferedReader) -> None:
    child.kill()
    responses.close()
    connection.close()


def _frame(body: bytes) -> bytes:
    return LENGTH.pack(len(body)) + body


def _read_frame(stream: BufferedReader) -> bytes:
    (length,) = LENGTH.unpack(_read_exactly(stream, LENGTH.size))
    return _read_exactly(stream, length)


def _read_exactly(stream: BufferedReader, length: int) -> bytes:
    body = stream.read(length)
    if len(body) < length:
        raise EOFError
    return body


# inside a worker process

after_response: Final[list[Callable[[int], None]]] = []  # called after each response with the number of responses


def set_path(path: list[str]) -> None:
    """Makes modules importable that the parent process can import."""
    sys.path[:] = path


def serve(connection: socket.socket) -> None:
    """Carries out calls until the parent process closes the connection, or ends."""
    ignore_signals()
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # a parent may ignore it, and children inherit that
    exit_with_parent()
    with contextlib.suppress(OSError, EOFError), connection, connection.makefile("rb") as calls:
        for number in count(1):
            connection.sendall(_respond(_read_frame(calls)))
            for callback in after_response:
                callback(number)


def _respond(body: bytes) -> bytes:
    """The frame of the response to a call."""
    before = time.process_time()
    try:
        call = Call(*pickle.loads(body))  # noqa: S301 - from the process that has started this one
        with _limited_cpu(call.cpu_limit):
            response = Response(call.function(*call.args, **call.kwargs))
    except Exception as error:  # noqa: BLE001 - the caller gets it
        response = Response(error=error, trace=traceback.format_exc())
    spent = time.process_time() - before
    try:
        return _frame(pickle.dumps(response._replace(cpu_seconds=spent), pickle.HIGHEST_PROTOCOL))
    except Exception as error:  # noqa: BLE001 - the value or the error cannot be pickled
        return _frame(pickle.dumps(Response(None, RuntimeError(repr(error)), response.trace, spent)))


@contextlib.contextmanager
def _limited_cpu(seconds: float) -> Iterator[None]:
    """Ends the process by SIGPROF after that much processor time, even in the middle of a library's function."""
    if not seconds:
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
