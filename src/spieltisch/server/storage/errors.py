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
    """Turns every error of the database or its driver into StoreUnavailable."""
    try:
        yield
    except (SchemaTooNew, StoreUnusable, DamagedLog):
        raise
    except Exception as error:
        raise StoreUnavailable from error
