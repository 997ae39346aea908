"""Leases: one process at a time works for a table."""

from __future__ import annotations

import asyncio

from spieltisch.server.runtime.leases import LEASE_SECONDS, Leases
from spieltisch.server.runtime.scheduler import SCHEDULED
from tests.support.storage.postgres import postgres
from tests.support.storage.stores import new_events, new_table, with_stores


def test_tables_that_wait_for_something_are_listed(location):
    @with_stores(location)
    async def _(store):
        for waits in (*SCHEDULED, "person", "nobody"):
            await store.write(new_table(waits, waits=waits))
        assert sorted(await Leases(store).list_unleased(SCHEDULED)) == sorted(SCHEDULED)
        assert await Leases(store).list_unleased(["bot"]) == ["bot"]
        assert len(await Leases(store).list_unleased(SCHEDULED, 2)) == 2
        await store.write(new_events("bot", 2, "three", waits="nobody"))
        assert await Leases(store).list_unleased(["bot"]) == []


def test_with_a_file_the_process_has_all_leases(tmp_path):
    @with_stores(str(tmp_path / "tables.sqlite"))
    async def _(store):
        await store.write(new_table("ada", waits="bot"))
        assert await Leases(store).acquire("ada")
        assert await Leases(store).list_unleased(["bot"]) == ["ada"]
        await Leases(store).release()


def test_one_process_at_a_time_has_a_lease_and_can_release_it(postgres_url):
    @with_stores(postgres_url, stores=2)
    async def _(*stores):
        ada, ben = map(Leases, stores)
        for table in ("one", "two"):
            await stores[0].write(new_table(table, waits="bot"))
        taken = await asyncio.gather(*(leases.acquire("one") for leases in (ada, ben) * 5))
        assert taken in ([True, False] * 5, [False, True] * 5)
        if not taken[0]:
            ada, ben = ben, ada
        assert await ben.list_unleased(["bot"]) == await ada.list_unleased(["bot"]) == ["two"]
        assert (await ada.renew(), await ben.renew()) == ({"one"}, set())
        assert await ben.acquire("two")
        await ben.release("one")  # not its own
        assert not await ben.acquire("one")
        await ada.release("one")
        assert await ben.acquire("one")
        await ben.release()
        assert (await ada.acquire("one"), await ada.acquire("two")) == (True, True)


def test_a_lease_expires_and_cannot_be_renewed_then(postgres_url):
    @with_stores(postgres_url, stores=2)
    async def _(*stores):
        ada, ben = map(Leases, stores)
        await stores[0].write(new_table("one", waits="bot"))
        assert await ada.acquire("one")
        lasts = "SELECT extract(epoch FROM until - now()) FROM leases"
        assert 0 < float(postgres().sql(postgres_url, lasts)[0][0]) <= LEASE_SECONDS
        postgres().sql(postgres_url, "UPDATE leases SET until = now() - interval '1 second'")
        assert await ada.renew() == set()
        assert await ben.list_unleased(["bot"]) == ["one"]
        assert await ben.acquire("one")
        assert not await ada.acquire("one")
