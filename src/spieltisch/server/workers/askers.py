"""Askers: on whose behalf work is done. A context variable names the asker of the current request or task."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any


class AskerLeft(Exception):
    """The client that asked for the work has closed the connection before the work started."""


class Asker:
    """The party that asks for work. `account` is charged for it: a client's address, or a part of the server.

    The number of jobs that a client may have waiting is bounded; what the server itself must do is not.
    """

    def __init__(self, account: str, *, is_client: bool = False) -> None:
        self.account = account
        self.is_client = is_client
        self.left = False
        self._waiting: set[asyncio.Future[Any]] = set()

    def check_present(self) -> None:
        """AskerLeft if nobody waits for its work any more."""
        if self.left:
            raise AskerLeft

    def wait_for(self, granted: asyncio.Future[Any]) -> None:
        """Registers a job that waits for a worker, and is dropped if the asker leaves."""
        self._waiting.add(granted)
        granted.add_done_callback(self._waiting.discard)

    def leave(self) -> None:
        """Drops the jobs that have not started."""
        self.left = True
        for granted in list(self._waiting):
            if not granted.done():
                granted.set_exception(AskerLeft())


SERVER = Asker("")
_current: ContextVar[Asker] = ContextVar("asker", default=SERVER)


def current_asker() -> Asker:
    """The asker for whom the current request or task works."""
    return _current.get()


def set_asker(asker: Asker) -> None:
    """From here on, the current request or task works for that asker."""
    _current.set(asker)


@contextmanager
def asking(asker: Asker) -> Iterator[None]:
    """Context manager in which the current task works for that asker."""
    token = _current.set(asker)
    try:
        yield
    finally:
        _current.reset(token)
