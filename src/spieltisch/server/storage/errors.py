"""Errors of the store."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator


class Conflict(Exception):
    """Another writer has already written that event or used that idempotency key."""


class TableDeleted(Exception):
    """The table has been deleted."""


class DamagedLog(Exception):
    """The stored events of a table are not those that were written: one is missing, or one was changed."""

    def __init__(self, table: str, event: int | None) -> None:
        super().__init__(table, event)
        self.table = table
        self.event = event  # the first that is missing; None if one was changed


class StoreUnavailable(Exception):
    """The database does not respond; the outcome of the last write is unknown."""


class StoreFull(StoreUnavailable):
    """There is no space left on the database's disk; nothing was written."""


class UnknownStore(Exception):
    """The URL has a scheme that no store supports."""


class StoreInUse(Exception):
    """Another process has locked the database file."""


class StoreUnusable(Exception):
    """The file is not a database, or it cannot be written."""


class SchemaTooNew(Exception):
    """A newer version of this program has migrated the database."""


@contextlib.asynccontextmanager
async def translate_errors() -> AsyncIterator[None]:
    """Turns every error of the database or its driver into StoreUnavailable, or into StoreFull if the disk is full."""
    try:
        yield
    except (SchemaTooNew, StoreUnusable, DamagedLog, StoreUnavailable):
        raise
    except Exception as error:
        raise StoreFull if _is_disk_full(error) else StoreUnavailable from error


def _is_disk_full(error: BaseException | None) -> bool:
    """Whether SQLite or PostgreSQL has said that the disk is full, and so has rolled back the transaction.

    The error may be the cause of another one: after it, SQLite no longer has the savepoint that is to be rolled back.
    """
    while error is not None:
        driver = getattr(error, "orig", None) or error
        if getattr(driver, "sqlite_errorname", "") == "SQLITE_FULL" or getattr(driver, "sqlstate", "") == "53100":
            return True
        error = error.__cause__ or error.__context__
    return False
