"""Asyncio client of worker processes: many calls may wait for one, without a thread."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections import deque
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

from spieltisch.processes.calls import (
    LENGTH,
    Call,
    WorkerLost,
    WorkerTimeout,
    decode_response,
    encode_call,
    set_path,
    spawn,
)
from spieltisch.processes.child import Child

P = ParamSpec("P")
T = TypeVar("T")
_BUFFER: Final = 1 << 28  # bytes of responses that are read ahead
_EXIT_TIMEOUT: Final = 1.0  # seconds that a process may take to end after it has closed its connection
_connected: Final[set[AsyncWorker]] = set()  # keeps whoever awaits a call alive: the event loop's references are weak


class AsyncWorker:
    """A worker process that carries out one call after another."""

    def __init__(self, child: Child, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._child = child
        self._reader = reader
        self._writer = writer
        self._calls: deque[asyncio.Future[Any]] = deque()
        self.cpu_seconds = 0.0  # processor time of all calls so far
        _connected.add(self)
        self._receiving = asyncio.create_task(self._receive())

    @classmethod
    async def start(cls) -> AsyncWorker:
        """A worker process that is ready; WorkerLost if it could not be started."""
        child, connection = await asyncio.to_thread(spawn)
        reader, writer = await asyncio.open_connection(sock=connection, limit=_BUFFER)
        worker = cls(child, reader, writer)
        try:
            await worker.call(set_path, sys.path)
        except BaseException:  # it is lost, or nobody waits for it any more
            await worker.kill()
            raise
        return worker

    @property
    def exit_code(self) -> int | None:
        """The exit code, if the process has ended; that of a signal is negative."""
        return self._child.exit_code

    def call(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """What the function returns or raises in the worker process; WorkerLost if that ends before.

        The call is carried out even if nobody awaits it, or the future is cancelled.
        """
        return self.send(Call(function, args, kwargs))

    def send(self, call: Call) -> asyncio.Future[Any]:
        """The same for a call that may be limited; WorkerTimeout if it takes more processor time than that."""
        called: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        called.add_done_callback(_retrieve)
        if self._receiving.done():
            called.set_exception(WorkerLost())
        else:
            frame = encode_call(call)
            self._calls.append(called)
            self._writer.write(frame)
        return called

    async def _receive(self) -> None:
        """Completes the futures of the calls, in order."""
        try:
            while True:
                (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
                response = decode_response(await self._reader.readexactly(length))
                self.cpu_seconds += response.cpu_seconds
                called = self._calls.popleft()
                if called.done():
                    continue  # cancelled
                try:
                    called.set_result(response.result())
                except Exception as error:  # noqa: BLE001 - raised by the function that was called
                    called.set_exception(error)
        except (asyncio.IncompleteReadError, OSError):
            await asyncio.to_thread(self._child.wait, _EXIT_TIMEOUT)
            if self._child.exit_code == -signal.SIGPROF:
                self._fail(WorkerTimeout())
        finally:
            _connected.discard(self)
            self._writer.close()
            self._fail(WorkerLost())

    def _fail(self, error: WorkerLost) -> None:
        """Completes the futures of calls that will get no response."""
        for called in self._calls:
            if not called.done():
                called.set_exception(error)

    async def kill(self) -> None:
        """Kills the process, whatever it does; calls that wait for it raise WorkerLost."""
        await asyncio.to_thread(self._child.kill)
        self._receiving.cancel()
        _connected.discard(self)
        with contextlib.suppress(asyncio.CancelledError):
            await self._receiving


async def wait_shielded(work: asyncio.Future[T]) -> T:
    """The result of work that continues if the awaiting task is cancelled; its error is then ignored.

    From Python 3.14 on, asyncio.shield would log that error.
    """
    work.add_done_callback(_retrieve)
    await asyncio.wait((work,))
    return work.result()


def _retrieve(called: asyncio.Future[Any]) -> None:
    """Marks an error as seen: the caller may be gone."""
    if not called.cancelled():
        called.exception()
