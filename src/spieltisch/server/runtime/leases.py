"""Leases: which of several server processes works for a table, e.g. moves its bots."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.dialects import postgresql

from spieltisch.server.storage import models
from spieltisch.server.storage.store import Store

LEASE_SECONDS: Final = 5.0  # how long a lease lasts unless it is renewed


class Leases:
    """The leases of one process; with a file there is only one process, and it has them all."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.held: dict[str, float] = {}  # the tables whose lease this process holds: when they last had work

    def holds(self, table: str) -> bool:
        """Whether this process holds the table's lease."""
        return table in self.held

    async def acquire(self, table: str) -> bool:
        """Whether this process has the table's lease now; then no other process can acquire it until it expires."""
        if not self.store.shared:
            return True
        owner, until = self.store.instance_id, func.now() + timedelta(seconds=LEASE_SECONDS)
        new = postgresql.insert(models.leases).values(table=table, owner=owner, until=until)
        acquired = new.on_conflict_do_update(
            index_elements=["table"],
            set_={"owner": owner, "until": until},
            where=or_(models.leases.c.until < func.now(), models.leases.c.owner == owner),
        ).returning(models.leases.c.owner)
        async with self.store.transaction() as connection:
            return bool((await connection.scalar(acquired)) == owner)

    async def renew(self) -> set[str]:
        """Extends the leases of this process; returns their tables."""
        until = func.now() + timedelta(seconds=LEASE_SECONDS)
        own = update(models.leases).where(
            models.leases.c.owner == self.store.instance_id, models.leases.c.until > func.now()
        )
        async with self.store.transaction() as connection:
            return set(await connection.scalars(own.values(until=until).returning(models.leases.c.table)))

    async def release(self, *tables: str) -> None:
        """Releases the leases of these tables; without arguments, of all."""
        if self.store.shared:
            own = delete(models.leases).where(models.leases.c.owner == self.store.instance_id)
            async with self.store.transaction() as connection:
                await connection.execute(own.where(models.leases.c.table.in_(tables)) if tables else own)

    async def list_unleased(self, kinds: Sequence[str], limit: int | None = None) -> list[str]:
        """The tables that wait for one of these kinds and that no process has leased."""
        tables, leases = models.tables, models.leases
        query = select(tables.c.id).where(tables.c.waits.in_(kinds)).limit(limit)
        if self.store.shared:
            leased = select(leases.c.table).where(leases.c.until > func.now())
            query = query.where(tables.c.id.not_in(leased))
        async with self.store.connect() as connection:
            return [str(name) for name in await connection.scalars(query)]
