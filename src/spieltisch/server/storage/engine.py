"""The two kinds of database, a file of SQLite or PostgreSQL at an address: connecting to them, and bringing them up to date."""

from __future__ import annotations

import importlib
from typing import Any, Final

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool, StaticPool

from spieltisch.server.storage.errors import SchemaTooNew

CONNECTING: Final = 5.0  # seconds that a connection may take
ANSWERING: Final = 10.0  # seconds that a statement may take
CONNECTIONS: Final = 20  # of a process: those that come on top would be opened and closed all the time
IDLE: Final = 5  # seconds after which PostgreSQL ends a transaction of a process that has stopped in the middle of it
_PRAGMAS: Final = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "secure_delete = ON",
    "busy_timeout = 10000",
    "wal_autocheckpoint = 0",  # somebody else sees to that
)
_MIGRATING: Final = 8650  # the advisory lock under which one process brings the store up to date


def over_file(url: str, *, writes: bool) -> AsyncEngine:
    """Connections to a file; for writing it is always the same one."""
    if not writes:
        engine = create_async_engine(url, hide_parameters=True)
    else:
        engine = create_async_engine(url, poolclass=StaticPool, hide_parameters=True)
        event.listen(engine.sync_engine, "begin", _begin)
    event.listen(engine.sync_engine, "connect", _prepare)
    return engine


def pen(url: str) -> Engine:
    """The connection over which a file's log is written, for use in one thread: statement by statement from the event
    loop would cost several times as much.
    """
    engine = create_engine(url.replace("+aiosqlite", ""), poolclass=StaticPool, hide_parameters=True)
    event.listen(engine, "begin", _begin_at_once)
    event.listen(engine, "connect", _prepare)
    return engine


def over_network(address: str, *, patient: bool = False) -> AsyncEngine:
    """Connections to PostgreSQL at an address that its own programs would take too; patient ones wait for any answer."""
    scheme = "postgresql+asyncpg://"
    settings = {"application_name": "spieltisch", "idle_in_transaction_session_timeout": f"{IDLE}s"}

    async def connect() -> Any:
        driver = importlib.import_module("asyncpg")
        return await driver.connect(
            f"postgresql://{address.partition('://')[2]}",
            timeout=CONNECTING,
            command_timeout=None if patient else ANSWERING,
            server_settings={} if patient else settings,
        )

    if patient:
        return create_async_engine(scheme, async_creator=connect, poolclass=NullPool, hide_parameters=True)
    pool = {"pool_size": CONNECTIONS, "max_overflow": 0, "pool_use_lifo": True}
    engine = create_async_engine(scheme, async_creator=connect, hide_parameters=True, **pool)
    event.listen(engine.sync_engine, "checkout", _look_at)
    return engine


async def migrate(engine: AsyncEngine) -> None:
    """Gives the database the form that this version needs, one process at a time; SchemaTooNew where it has a later one."""
    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
        await connection.run_sync(_migrate)


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "spieltisch.server.storage:migrations")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise SchemaTooNew from error


def _prepare(connection: Any, _: Any) -> None:
    """Makes SQLite keep what it was given when it says so, and transactions begin where they are begun."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _look_at(connection: Any, *_: Any) -> None:
    """Takes another connection where this one was closed meanwhile; asking the database would cost as much as writing."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _begin(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_at_once(connection: Any) -> None:
    connection.connection.driver_connection.execute("BEGIN IMMEDIATE")
