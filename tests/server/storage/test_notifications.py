"""Notifications between processes that share a PostgreSQL database."""

from __future__ import annotations

import asyncio

import pytest

from spieltisch.server.storage.errors import Conflict
from spieltisch.server.storage.notifications import TableNotification
from tests.support.server import TIMEOUT
from tests.support.storage.stores import new_events, new_table, with_stores


def test_each_process_is_notified_of_what_others_write_and_delete_but_not_of_its_own(postgres_url):
    @with_stores(postgres_url, stores=2)
    async def _(*stores):
        heard = [asyncio.Queue(), asyncio.Queue()]
        for store, mine in zip(stores, heard, strict=True):
            store.notifications.subscribe_tables(mine.put_nowait)
            await store.notifications.listen()
        await stores[0].write(new_table("ada"))
        with pytest.raises(Conflict):
            await stores[0].write(new_events("ada", 1, "late"))
        await stores[1].write(new_events("ada", 2, "three"))
        await stores[0].delete("ada")
        await stores[1].write(new_table("ben"))
        async with asyncio.timeout(TIMEOUT):
            ada, ben, further = new_table("ada"), new_table("ben"), new_events("ada", 2, "three")
            assert [await heard[0].get() for _ in range(2)] == [
                TableNotification("ada", False, further.after, tuple(further.rows)),
                TableNotification("ben", False, ben.after, tuple(ben.rows)),
            ]
            assert [await heard[1].get() for _ in range(2)] == [
                TableNotification("ada", False, ada.after, tuple(ada.rows)),
                TableNotification("ada", True),
            ]
        assert heard[0].empty()
        assert heard[1].empty()


def test_a_notification_leaves_out_rows_that_are_too_long(postgres_url):
    @with_stores(postgres_url, stores=2)
    async def _(*stores):
        heard = asyncio.Queue()
        stores[1].notifications.subscribe_tables(heard.put_nowait)
        await stores[1].notifications.listen()
        await stores[0].write(new_table("ada"))
        await stores[0].write(new_events("ada", 2, "long " * 2000))
        async with asyncio.timeout(TIMEOUT):
            assert (await heard.get()).rows
            assert await heard.get() == TableNotification("ada", False)
