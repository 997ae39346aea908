"""Check of a whole database: the file itself, and the log of every table, which is replayed through the rules."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final, NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.exc import DatabaseError
from sqlalchemy.ext.asyncio import AsyncConnection

from spieltisch.i18n.message import Message, message_factory
from spieltisch.server.storage import engine, models
from spieltisch.server.storage.errors import DamagedLog, StoreUnusable, translate_errors
from spieltisch.server.storage.reads import Head, check_log
from spieltisch.table.codec import Row, decode
from spieltisch.table.state import fold

PAGE: Final = 200  # tables that are listed at a time
_say = message_factory("")


class Checked(NamedTuple):
    """One table that was checked, how many there are, and what is wrong with it."""

    table: str
    tables: int
    events: int
    problem: Message | None


async def check(location: str) -> AsyncIterator[Checked]:
    """Checks every table of a database, which a server may be using; StoreUnusable if the file itself is damaged."""
    reader = engine.read_only_engine(location)
    try:
        async with translate_errors(), reader.connect() as connection:
            if connection.dialect.name == "sqlite":
                await _check_file(connection, location)
            total = await connection.scalar(select(func.count()).select_from(models.tables)) or 0
            last = ""
            while names := await _names_after(connection, last):
                for last in names:
                    events, problem = await _check_table(connection, last)
                    yield Checked(last, total, events, problem)
    finally:
        await reader.dispose()


async def _check_file(connection: AsyncConnection, location: str) -> None:
    try:
        found = (await connection.execute(text("PRAGMA integrity_check(1)"))).scalar()
    except DatabaseError:
        found = None
    if found != "ok":
        raise StoreUnusable(location)


async def _names_after(connection: AsyncConnection, last: str) -> list[str]:
    names = select(models.tables.c.id).where(models.tables.c.id > last).order_by(models.tables.c.id).limit(PAGE)
    return list(await connection.scalars(names))


async def _check_table(connection: AsyncConnection, table: str) -> tuple[int, Message | None]:
    stored, heads = models.log, models.tables
    head = (await connection.execute(select(heads.c.version, heads.c.digest).where(heads.c.id == table))).one_or_none()
    if head is None:
        return 0, None  # deleted meanwhile
    events = (
        select(stored.c.number, stored.c.line, stored.c.at).where(stored.c.table == table).order_by(stored.c.number)
    )
    numbered = [(number, Row(line, at)) for number, line, at in await connection.execute(events)]
    try:
        log = check_log(table, 0, b"", numbered, Head(*head))
        fold((decode(row.line), row.at) for row in log.rows)
    except DamagedLog as error:
        key = "check.changed" if error.event is None else "check.missing"
        return len(numbered), _say(key, event=error.event or 0)
    except Exception as error:  # noqa: BLE001 - whatever a log may hold
        return len(numbered), _say("check.unreadable", reason=type(error).__name__)
    return len(numbered), None
