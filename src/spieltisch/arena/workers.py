"""Executors that play deals: in this process, in worker processes on this machine, or on a Dask cluster."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import Any, ClassVar, Final, ParamSpec, TypeVar

from spieltisch.core.game import Refusal, brief
from spieltisch.i18n.message import message_factory
from spieltisch.processes.executor import ProcessExecutor

P = ParamSpec("P")
T = TypeVar("T")
_say = message_factory("")
_RENEW_AFTER: Final = 1000  # deals per process, so that what its players cache does not grow for ever
_TIMEOUT: Final = 10  # seconds for a cluster to respond


class NoWorkers(Refusal):
    """There are no workers at that address."""

    code: ClassVar[str] = "no-workers"


class Workers(Executor):
    """An executor with a number of workers; when one is lost, its task raises one of `lost` and others go on."""

    size: int = 1
    lost: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError)


class InlineWorkers(Workers):
    """Runs every task in this process, when it is submitted."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - raised by future.result()
            future.set_exception(error)
        return future


def cores() -> int:
    """How many processes can run at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ProcessWorkers(Workers):
    """Worker processes on this machine, one per core unless a number is given."""

    def __init__(self, size: int | None = None) -> None:
        self.size = size or cores()
        self._executor = ProcessExecutor(self.size, _RENEW_AFTER)

    def pids(self) -> list[int]:
        """The worker processes that are running."""
        return self._executor.pids()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Kills the worker processes at once."""
        self._executor.shutdown(wait, cancel_futures=cancel_futures)


class ClusterWorkers(Workers):
    """The workers of a Dask cluster, which gives the tasks of a lost worker to another one by itself."""

    def __init__(self, address: str) -> None:
        try:
            import distributed  # noqa: PLC0415 - an extra
        except ImportError:
            raise NoWorkers(_say("arena.extra", extra="spieltisch-core[arena]")) from None
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
            # checked first: a client that cannot connect takes long to give up, and longer to close
            place = self._library.comm.get_address_host_port(self._address)
            socket.create_connection(place, _TIMEOUT).close()
            self._client = self._library.Client(self._address, timeout=_TIMEOUT, set_as_default=False)
        except (OSError, ValueError, OverflowError):
            raise NoWorkers(_say("arena.cluster_none", address=brief(self._address))) from None
        try:
            self._client.wait_for_workers(1, timeout=_TIMEOUT)
        except TimeoutError:
            self._client.close()
            raise NoWorkers(_say("arena.cluster_empty", address=brief(self._address))) from None
        self.size = sum(self._client.nthreads().values())
        self._executor: Executor = self._client.get_executor(pure=False)  # a deal that is played again is a new task

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if self._client.status != "running":
            self._client.close()
            self._connect()
        return self._executor.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self._client.status == "running":
            self._executor.shutdown(wait=False)
        self._client.close()
