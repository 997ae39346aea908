"""Files that are written by one process at a time and survive a crash."""

from __future__ import annotations

import os
from io import FileIO


def lock_exclusively(file: FileIO) -> bool:
    """Locks an open file for this process; False if another process holds the lock.

    If the system or the file system has no locks, nothing is locked.
    """
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # not on every file system
    return True


def write_durably(file: FileIO, content: bytes) -> None:
    """Writes everything; it is on disk when this returns."""
    rest = memoryview(content)
    try:
        while rest:
            rest = rest[file.write(rest) or 0 :]
        os.fsync(file.fileno())
    except OSError as error:
        error.filename = str(file.name)
        raise
