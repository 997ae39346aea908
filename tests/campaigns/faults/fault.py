"""Faults: which system call fails and how, and which of them make sense for a recorded workload."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

KINDS = {
    "w": "write",
    "s": "sync",
    "o": "open, creating",
    "O": "open",
    "t": "truncate",
    "u": "unlink",
    "n": "rename",
    "r": "read",
}  # by their letter in a trace


class Error(IntEnum):
    """How a call fails; the numbers are those of faults.c."""

    NO_SPACE = 0  # ENOSPC
    IO_ERROR = 1  # EIO
    SHORT_WRITE = 2  # half is written, and then there is no space
    KILL = 3  # the process ends in the middle of the call


_POSSIBLE = {
    "w": (Error.NO_SPACE, Error.IO_ERROR, Error.SHORT_WRITE, Error.KILL),
    "o": (Error.NO_SPACE, Error.IO_ERROR, Error.KILL),
}


class Fault(NamedTuple):
    """The n-th call fails in this way, and if it is persistent, so do those after it."""

    number: int
    error: Error
    persistent: bool


def list_faults(trace: str) -> Iterator[Fault]:
    """Every fault of a workload that makes these calls."""
    for number, kind in enumerate(trace, 1):
        for error in _POSSIBLE.get(kind, (Error.IO_ERROR, Error.KILL)):
            yield Fault(number, error, persistent=False)
            if error is not Error.KILL:
                yield Fault(number, error, persistent=True)


class Injector:
    """The library that was preloaded into this process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.fault_injected.restype = ctypes.c_long
        self._library.fault_trace.restype = ctypes.c_char_p

    def watch(self, folder: Path) -> None:
        """Counts calls on files below that folder from now on."""
        self._library.fault_watch(str(folder).encode())

    def arm(self, fault: Fault | None) -> None:
        """Starts counting; with a fault, that call fails."""
        number, error, persistent = fault or (0, 0, False)
        self._library.fault_arm(ctypes.c_long(number), int(error), int(persistent))

    def disarm(self) -> None:
        """Lets every call succeed again."""
        self._library.fault_disarm()

    @property
    def injected(self) -> int:
        """The number of calls that have failed."""
        return int(self._library.fault_injected())

    @property
    def trace(self) -> str:
        """The calls that were made, one letter each."""
        return bytes(self._library.fault_trace()).decode()
