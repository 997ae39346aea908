"""An executor of worker processes: like the standard library's, but a lost worker costs its own task only."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, ParamSpec, TypeVar

from spieltisch.processes.calls import Worker, WorkerLost

P = ParamSpec("P")
T = TypeVar("T")


class _Task(NamedTuple):
    future: Future[Any]
    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]


class ProcessExecutor(Executor):
    """A fixed number of worker processes; each is replaced when it is lost, and after `renew_after` tasks.

    A task whose worker is lost raises WorkerLost. Ctrl-C interrupts this process only, and shutting down kills the
    workers at once, whatever they do.
    """

    def __init__(self, size: int, renew_after: int) -> None:
        self._size = size
        self._renew_after = renew_after
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []  # one per worker process
        self._workers: set[Worker] = set()
        self._lock = threading.Lock()
        self._closed = False

    def pids(self) -> list[int]:
        """The worker processes that are running."""
        with self._lock:
            return [worker.pid for worker in self._workers]

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("The executor has been shut down.")
            while len(self._threads) < self._size:
                self._threads.append(threading.Thread(target=self._run, daemon=True))
                self._threads[-1].start()
            self._tasks.put(_Task(future, fn, args, kwargs))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Kills the workers: tasks that run raise WorkerLost, all others are cancelled."""
        with self._lock:
            self._closed = True
            workers = list(self._workers)
        with contextlib.suppress(Empty):
            while True:
                if task := self._tasks.get_nowait():
                    task.future.cancel()
        for worker in workers:
            worker.kill()
        for _ in self._threads:
            self._tasks.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _run(self) -> None:
        """Takes one task after another to a worker process."""
        worker, tasks = None, 0
        while (task := self._tasks.get()) is not None:
            if not task.future.set_running_or_notify_cancel():
                continue
            try:
                if worker is None or tasks >= self._renew_after:
                    self._close(worker)
                    worker, tasks = None, 0
                    worker = self._start()
                tasks += 1
                result = worker.call(task.function, *task.args, **task.kwargs)
            except WorkerLost as error:
                self._close(worker)
                worker = None
                task.future.set_exception(error)
            except BaseException as error:  # noqa: BLE001 - raised by the task, or it cannot be pickled
                task.future.set_exception(error)
            else:
                task.future.set_result(result)
            del task
        self._close(worker)

    def _start(self) -> Worker:
        worker = Worker()
        with self._lock:
            self._workers.add(worker)
            if self._closed:  # too late to be killed by shutdown
                worker.kill()
        return worker

    def _close(self, worker: Worker | None) -> None:
        if worker is not None:
            with self._lock:
                self._workers.discard(worker)
            worker.close()
