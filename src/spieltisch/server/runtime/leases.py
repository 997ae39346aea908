"""Leases: which of several server processes does what a table waits for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.dialects import postgresql

from spieltisch.server.storage import models
from spieltisch.server.storage.store import Store

LEASE: Final = 5.0  # seconds that a lease lasts if it is not renewed


class Leases:
    """The leases of one process; where there can be no other, it has them all."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def take(self, table: str) -> bool:
        """Whether this process may do what the table waits for; nobody else may for the next seconds."""
        if not self.store.shared:
            return True
        me, until = self.store.instance_id, func.now() + timedelta(seconds=LEASE)
        new = postgresql.insert(models.leases).values(table=table, owner=me, until=until)
        taken = new.on_conflict_do_update(
            index_elements=["table"],
            set_={"owner": me, "until": until},
            where=or_(models.leases.c.until < func.now(), models.leases.c.owner == me),
        ).returning(models.leases.c.owner)
        async with self.store.transaction() as connection:
            return bool((await connection.scalar(taken)) == me)

    async def renew(self) -> set[str]:
        """Keeps the leases of this process for some seconds more; answers the tables that it has."""
        until = func.now() + timedelta(seconds=LEASE)
        mine = update(models.leases).where(
            models.leases.c.owner == self.store.instance_id, models.leases.c.until > func.now()
        )
        async with self.store.transaction() as connection:
            return set(await connection.scalars(mine.values(until=until).returning(models.leases.c.table)))

    async def release(self, *tables: str) -> None:
        """Gives leases back; all where none is named."""
        if self.store.shared:
            given = delete(models.leases).where(models.leases.c.owner == self.store.instance_id)
            async with self.store.transaction() as connection:
                await connection.execute(given.where(models.leases.c.table.in_(tables)) if tables else given)

    async def unattended(self, kinds: Sequence[str], limit: int | None = None) -> list[str]:
        """Tables that wait for one of these and that no process attends to."""
        tables, leases = models.tables, models.leases
        found = select(tables.c.id).where(tables.c.waits.in_(kinds)).limit(limit)
        if self.store.shared:
            held = select(leases.c.table).where(leases.c.until > func.now())
            found = found.where(tables.c.id.not_in(held))
        async with self.store.connect() as connection:
            return [str(name) for name in await connection.scalars(found)]
