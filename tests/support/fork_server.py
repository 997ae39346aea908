"""Fork server: starts `spieltisch` in processes that are forked from one that has imported the server already.

Importing the server takes longer than starting it, and the tests start hundreds. A forked process is as good as a new one:
it has its own environment, folder and standard streams, and ends as an interpreter does. As a program, this module reads
requests from the socket with the given descriptor and forks twice for each: once for a process that waits for the exit
status, and from that one for the command itself.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Final, NoReturn

_MODULES: Final = (
    *("spieltisch.cli.commands.serve", "spieltisch.server.run", "spieltisch.server.storage.migrations", "uvloop"),
    *("aiosqlite", "sqlalchemy.dialects.sqlite.aiosqlite", "uvicorn.loops.uvloop", "uvicorn.lifespan.on"),
)
_REQUEST: Final = 1 << 16  # bytes, at most


class ForkedProcess:
    """A command in a forked process, with the part of `subprocess.Popen` that tests of servers use."""

    def __init__(self, arguments: Sequence[str], env: Mapping[str, str]) -> None:
        out, out_end = os.pipe()
        err, err_end = os.pipe()
        status, status_end = os.pipe()
        ends = (out_end, err_end, status_end)
        request = json.dumps([list(arguments), dict(env), str(Path.cwd())]).encode()
        try:
            socket.send_fds(_server(), [request], ends)
        finally:
            for end in ends:
                os.close(end)
        self.stdout: IO[str] = os.fdopen(out, encoding="utf-8")
        self.stderr: IO[str] = os.fdopen(err, encoding="utf-8")
        self._status = status
        self.pid = int(os.read(status, 8))
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once the process has ended."""
        if self.returncode is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("spieltisch", timeout or 0)
            self.returncode = int(os.read(self._status, 8))
            os.close(self._status)
        return self.returncode

    def poll(self) -> int | None:
        """The exit code, or None while the process runs."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


_connection: socket.socket | None = None


def _server() -> socket.socket:
    """The connection to this process's fork server, which is started when it is needed first."""
    global _connection
    if _connection is None:
        _connection, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        _connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * _REQUEST)
        with there:
            command = [sys.executable, "-m", __name__, str(there.fileno())]
            single = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # a process with threads cannot be forked safely
            process = subprocess.Popen(command, pass_fds=[there.fileno()], env=single)
        atexit.register(process.wait)
        atexit.register(_connection.close)  # runs first, and ends the fork server
    return _connection


def _serve(connection: socket.socket) -> tuple[list[str], dict[str, str]]:
    """Forks for every request; returns in a process that is to run a command, with its arguments and environment."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # reaps the processes that wait for exit statuses
    while True:
        request, fds, _, _ = socket.recv_fds(connection, _REQUEST, 3)
        if not request:
            os._exit(0)  # whoever has sent requests has ended
        if not os.fork():
            connection.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            arguments, env, folder = json.loads(request)
            if _fork_waited_for(fds[2]):
                _become(folder, env, fds)
                return arguments, env
        for fd in fds:
            os.close(fd)


def _fork_waited_for(status: int) -> bool:
    """Forks; returns in the new process. The old one reports the new one's number, and then its exit status."""
    pid = os.fork()
    if not pid:
        return True
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.closerange(0, status)
    os.closerange(status + 1, 256)
    os.write(status, f"{pid:<8}".encode())
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with contextlib.suppress(OSError):  # nobody may want to know any more
        os.write(status, f"{code:<8}".encode())
    os._exit(0)


def _become(folder: str, env: dict[str, str], fds: list[int]) -> None:
    """Gives this process its folder, environment and standard streams."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever the tests themselves do about it
    os.chdir(folder)
    before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    given = list(filter(None, env.get("PYTHONPATH", "").split(os.pathsep)))
    sys.path[:] = [*given, *(place for place in sys.path if place not in before)]
    os.environ.clear()
    os.environ.update(env)
    for number, fd in zip((1, 2), fds, strict=False):
        os.dup2(fd, number)
    for fd in fds:
        os.close(fd)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False, buffering=1)
    sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False, buffering=1, errors="backslashreplace")


def main() -> NoReturn:
    for module in _MODULES:
        importlib.import_module(module)
    arguments, _ = _serve(socket.socket(fileno=int(sys.argv[1])))
    sys.argv = ["spieltisch", *arguments]
    importlib.import_module("spieltisch.cli").main()
    sys.exit(0)


if __name__ == "__main__":
    main()
