"""Errors of the store."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator


class Conflict(Exception):
    """Another writer has already written that event or used that idempotency key."""


class TableDeleted(Exception):
    """The table has been deleted."""


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
    except SchemaTooNew:
        raise
    except Exception as error:
        raise StoreUnavailable from error
