"""Who plays the deals: this process, others on this machine, or a cluster; all of them are executors."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from multiprocessing.connection import Connection
from typing import Any, ClassVar, Final, ParamSpec, TypeVar

from spieltisch.core.game import Refusal, brief
from spieltisch.i18n.message import message_factory
from spieltisch.processes import lines

P = ParamSpec("P")
T = TypeVar("T")
_say = message_factory("")
_RENEWED_AFTER: Final = 1000  # deals a process, so that whatever its players keep does not grow for ever
_PATIENCE: Final = 10  # seconds for a cluster to answer


class NoWorkers(Refusal):
    """Nobody is there to play."""

    code: ClassVar[str] = "no-workers"


class Workers(Executor):
    """An executor that says how many it is and how it tells that it lost one of them; it goes on with others."""

    size: int = 1
    lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)


class Here(Workers):
    """Plays in this process, at once."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - whoever asks for the result gets it
            future.set_exception(error)
        return future


def cores() -> int:
    """How many processes can run at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Processes(Workers):
    """Processes on this machine, replaced where one dies, all ended at once when the executor shuts down.

    They live as long as a pipe that this process holds open: whatever ends it, nobody is left behind. The pool is
    renewed here and not by `max_tasks_per_child`, with which Pythons of these years may wait for ever.
    """

    def __init__(self, size: int | None = None) -> None:
        self.size = size or cores()
        self._context = multiprocessing.get_context("spawn")
        self._life, self._lifeline = self._context.Pipe(duplex=False)
        self._pool = self._open()
        self._given = 0

    def _open(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.size, self._context, _live, (self._life,))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if self._given >= _RENEWED_AFTER * self.size:
            self._renew()
        self._given += 1
        with _interrupts_held():
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenExecutor:
                self._renew()
                return self._pool.submit(fn, *args, **kwargs)

    def _renew(self) -> None:
        """Opens a new pool; the old one finishes what it has."""
        self._pool.shutdown(wait=False)
        self._pool, self._given = self._open(), 0

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._lifeline.close()
        self._pool.shutdown(wait, cancel_futures=True)
        self._life.close()


def _live(lifeline: Connection) -> None:
    """Ends the process when its lifeline does."""

    def watch() -> None:
        with contextlib.suppress(OSError):
            lifeline.poll(None)
        lines.end_all()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Inside, Ctrl-C waits; processes begun here never hear of it, for it is meant for the one that ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Cluster(Workers):
    """The workers of a dask cluster, which hands the deals of a lost worker to another one by itself."""

    def __init__(self, address: str) -> None:
        try:
            import distributed  # noqa: PLC0415 - an extra
        except ImportError:
            raise NoWorkers(_say("arena.extra", extra="spieltisch[arena]")) from None
        self._library: Any = distributed
        self.lost = (
            *Workers.lost,
            self._library.KilledWorker,
            self._library.client.FutureCancelledError,
            self._library.comm.CommClosedError,
        )
        self._address = address
        self._connect()

    def _connect(self) -> None:
        try:
            # a client that cannot connect takes long to say so, and longer to be gone
            place = self._library.comm.get_address_host_port(self._address)
            socket.create_connection(place, _PATIENCE).close()
            self._client = self._library.Client(self._address, timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError, OverflowError):
            raise NoWorkers(_say("arena.cluster_none", address=brief(self._address))) from None
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            self._client.close()
            raise NoWorkers(_say("arena.cluster_empty", address=brief(self._address))) from None
        self.size = sum(self._client.nthreads().values())
        self._executor: Executor = self._client.get_executor(pure=False)  # a lost deal is not the same task again

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if self._client.status != "running":
            self._client.close()
            self._connect()
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self._client.status == "running":
            self._executor.shutdown(wait=False)
        self._client.close()
