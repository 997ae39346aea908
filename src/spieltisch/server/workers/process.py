"""One process beside the server: it is sent work over a socket and answers in turn, without threads on either side."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import pickle
import signal
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable
from io import BufferedReader
from itertools import count
from multiprocessing.process import BaseProcess
from typing import Any, Final

from spieltisch import registry
from spieltisch.processes import lines
from spieltisch.server.ops import gc

_MEMORY: Final = 2 * 1024**3  # bytes that a process may take whose work depends on what somebody sent
_LENGTH: Final = struct.Struct(">I")
_LARGEST: Final = 1 << 28  # bytes of one answer


class Ended(Exception):
    """The process has ended."""


class WorkerProcess:
    """A process that answers one question after another."""

    def __init__(self, process: BaseProcess, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._listening = asyncio.create_task(self._listen())

    @classmethod
    async def start(cls, nicer: int) -> WorkerProcess:
        """A process that is ready; Ended where it could not begin."""
        here, there = socket.socketpair()
        process = await asyncio.to_thread(_start, there, nicer)
        reader, writer = await asyncio.open_connection(sock=here, limit=_LARGEST)
        begun = cls(process, reader, writer)
        try:
            await begun.ask(_ready)
        except Ended:
            await begun.end()
            raise
        return begun

    def ask(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> asyncio.Future[Any]:
        """What the work leads to there; Ended where the process ends before that."""
        asked: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._listening.done():
            asked.set_exception(Ended())
        else:
            message = pickle.dumps((work, args, kwargs), pickle.HIGHEST_PROTOCOL)
            self._waiting.append(asked)
            self._writer.write(_LENGTH.pack(len(message)) + message)
        return asked

    async def _listen(self) -> None:
        """Hands answers to those who wait for them, in turn."""
        try:
            while True:
                (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
                failed, answer = pickle.loads(await self._reader.readexactly(length))  # noqa: S301 - our own process
                asked = self._waiting.popleft()
                if asked.done():
                    continue  # nobody waits any more
                if failed:
                    asked.set_exception(answer)
                else:
                    asked.set_result(answer)
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            for asked in self._waiting:
                if not asked.done():
                    asked.set_exception(Ended())
            self._writer.close()

    async def end(self) -> None:
        """Ends the process, whatever it does, and with it everybody's waiting for its answers."""
        self._process.kill()
        await asyncio.to_thread(self._process.join)
        self._listening.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._listening


def _start(there: socket.socket, nicer: int) -> BaseProcess:
    process = multiprocessing.get_context("spawn").Process(target=_serve, args=(there, nicer))
    process.start()
    there.close()
    return process


# in the process


def _serve(there: socket.socket, nicer: int) -> None:
    """Answers until the server is gone."""
    _settle_in(nicer)
    there.setblocking(True)
    with contextlib.suppress(OSError, EOFError), there, there.makefile("rb") as questions:
        for done in count(1):
            (length,) = _LENGTH.unpack(_all(questions, _LENGTH.size))
            work, args, kwargs = pickle.loads(_all(questions, length))  # noqa: S301 - written by the server
            there.sendall(_answer(work, args, kwargs))
            gc.collect_periodically(done)


def _all(questions: BufferedReader, length: int) -> bytes:
    """So many bytes; EOFError where the server is gone before."""
    found = questions.read(length)
    if len(found) < length:
        raise EOFError
    return found


def _answer(work: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes:
    """What the work led to, and whether it failed."""
    told: tuple[bool, Any]
    try:
        told = (False, work(*args, **kwargs))
    except Exception as error:  # noqa: BLE001 - whoever asked is told, whatever it is
        told = (True, error)
    try:
        message = pickle.dumps(told, pickle.HIGHEST_PROTOCOL)
    except Exception as error:  # noqa: BLE001 - then that is what went wrong
        message = pickle.dumps((True, RuntimeError(repr(error))))
    return _LENGTH.pack(len(message)) + message


def _ready() -> None:
    """Loads every game, so that the first who asks need not wait."""
    registry.all()
    gc.freeze()


def _settle_in(nicer: int) -> None:
    """Leaves signals to the server, ends when the server is gone, and steps back with limits where others are in a hurry."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if nicer and sys.platform != "win32":
        import resource  # noqa: PLC0415 - there is none elsewhere

        os.nice(nicer)
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    if not nicer:
        gc.disable()
    server = multiprocessing.parent_process()

    def watch() -> None:
        if server is not None:
            server.join()
        lines.end_all()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
