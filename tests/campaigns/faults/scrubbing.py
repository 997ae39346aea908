"""Scrubs in forked processes: the server starts a new process for each, which would take longer than a whole workload."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
from collections.abc import Iterator
from typing import IO, Any
from unittest import mock

from spieltisch.processes.calls import WorkerLost
from spieltisch.server.storage import scrubber
from spieltisch.server.storage.scrub import scrub


class ScrubWorker:
    """The worker process of one scrub; it is forked by a process that has neither threads nor connections."""

    def __init__(self, requests: IO[bytes], results: IO[bytes]) -> None:
        self._requests = requests
        self._results = results

    async def start(self) -> ScrubWorker:
        return self

    async def kill(self) -> None:
        """It ends by itself."""

    async def call(self, _function: object, file: str) -> Any:
        return await asyncio.to_thread(self._call, file)

    def _call(self, file: str) -> Any:
        self._requests.write(f"{file}\n".encode())
        self._requests.flush()
        result = pickle.load(self._results)
        if isinstance(result, Exception):
            raise result
        return result


@contextlib.contextmanager
def forked_scrubs(time_limit: int) -> Iterator[None]:
    """Servers in this block scrub in forked processes."""
    (request_reader, request_writer), (result_reader, result_writer) = os.pipe(), os.pipe()
    helper = os.fork()
    if not helper:
        os.close(request_writer)
        os.close(result_reader)
        signal.alarm(time_limit)
        with contextlib.suppress(BrokenPipeError):
            _serve(os.fdopen(request_reader, "rb"), os.fdopen(result_writer, "wb"))
        os._exit(0)
    os.close(request_reader)
    os.close(result_writer)
    with os.fdopen(request_writer, "wb") as requests, os.fdopen(result_reader, "rb") as results:
        with mock.patch.object(scrubber, "AsyncWorker", ScrubWorker(requests, results)):
            yield
        requests.close()
        os.waitpid(helper, 0)


def _serve(requests: IO[bytes], results: IO[bytes]) -> None:
    for line in requests:
        child = os.fork()
        if not child:
            result: object
            try:
                result = scrub(line.decode().rstrip("\n"))
            except Exception as error:  # noqa: BLE001 - the server gets it
                result = error
            pickle.dump(result, results)
            results.flush()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status:
            pickle.dump(WorkerLost(), results)
            results.flush()
