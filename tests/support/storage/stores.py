"""Stores for tests, and what to write into them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import StoredResponse, TableWrite
from spieltisch.table.codec import Row


@contextlib.asynccontextmanager
async def open_store(location: str) -> AsyncIterator[Store]:
    """An open store, closed afterwards."""
    store = Store.at(location)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def with_stores(location: str, *, stores: int = 1):
    """Decorator that runs an async test at once, with so many open stores at one location."""

    def run(test):
        async def run_with_stores() -> None:
            async with contextlib.AsyncExitStack() as stack:
                await test(*[await stack.enter_async_context(open_store(location)) for _ in range(stores)])

        asyncio.run(run_with_stores())

    return run


def rows(*lines: str, at: int = 1000) -> list[Row]:
    """Rows of the event log."""
    return [Row(line, at) for line in lines]


def new_table(table: str, *lines: str, **more) -> TableWrite:
    """The write that opens a table."""
    return new_events(table, 0, *(lines or ("one", "two")), **{"creation": f"opening of {table}", **more})


def new_events(table: str, after: int, *lines: str, key: str | None = None, **more) -> TableWrite:
    """The write of further events at a table."""
    response = None if key is None else StoredResponse(key, "digest", f"answer to {key}", after + len(lines))
    fields = {"public": True, "status": "playing", "waits": "person", "summary": f"after {after}", "at": 1000, **more}
    return TableWrite(table, after, rows(*lines), response, **fields)
