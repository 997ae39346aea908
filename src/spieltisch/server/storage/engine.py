"""Database engines for SQLite and PostgreSQL, and the schema migration."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool, QueuePool, StaticPool

from spieltisch.server.storage.errors import SchemaTooNew, StoreUnusable, UnknownStore

CONNECT_TIMEOUT: Final = 5.0  # seconds
STATEMENT_TIMEOUT: Final = 10.0  # seconds
POOL_SIZE: Final = 20  # connections per process; overflow connections would be opened and closed all the time
IDLE_TRANSACTION_TIMEOUT: Final = 5  # seconds until PostgreSQL aborts the transaction of a process that hangs in it
_PRAGMAS: Final = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "secure_delete = ON",
    "busy_timeout = 10000",
    "wal_autocheckpoint = 0",  # the Checkpointer does it
)
_MIGRATION_LOCK: Final = 8650  # key of the advisory lock that one process holds while it migrates


def url_of(location: str) -> str:
    """SQLAlchemy's URL of a PostgreSQL URL or a file; UnknownStore for another scheme."""
    if "://" not in location:
        return f"sqlite+aiosqlite:///{location}"
    scheme, _, rest = location.partition("://")
    if scheme not in ("postgresql", "postgres", "postgresql+asyncpg"):
        raise UnknownStore(scheme)
    return f"postgresql+asyncpg://{rest}"


def read_only_engine(location: str) -> AsyncEngine:
    """An engine that only reads, also while a server uses the database; StoreUnusable if there is no such file."""
    if "://" in location:
        return postgres_engine(url_of(location))
    if not Path(location).is_file():
        raise StoreUnusable(location)
    return create_async_engine(f"sqlite+aiosqlite:///file:{quote(location)}?mode=ro&uri=true", hide_parameters=True)


def sqlite_engine(url: str, *, writable: bool) -> AsyncEngine:
    """An engine for a SQLite file; a writable one always uses the same connection."""
    if not writable:
        engine = create_async_engine(url, hide_parameters=True)
    else:
        engine = create_async_engine(url, poolclass=StaticPool, hide_parameters=True)
        event.listen(engine.sync_engine, "begin", _begin_immediate)
    event.listen(engine.sync_engine, "connect", _set_pragmas)
    return engine


def writer_engine(url: str) -> Engine:
    """A synchronous engine with one SQLite connection, for the thread that writes the event log: running each statement
    from the event loop would cost several times as much.
    """
    engine = create_engine(url.replace("+aiosqlite", ""), poolclass=StaticPool, hide_parameters=True)
    event.listen(engine, "begin", _begin_immediate_on_driver)
    event.listen(engine, "connect", _set_pragmas)
    return engine


def reader_engine(url: str, threads: int) -> Engine:
    """A synchronous engine with a SQLite connection for each of some threads that read tables."""
    pool = {"pool_size": threads, "max_overflow": 0}
    engine = create_engine(url.replace("+aiosqlite", ""), poolclass=QueuePool, hide_parameters=True, **pool)
    event.listen(engine, "connect", _set_pragmas)
    return engine


def postgres_engine(url: str, *, for_migration: bool = False) -> AsyncEngine:
    """An engine for a PostgreSQL URL as libpq accepts it; for a migration it has neither a pool nor timeouts."""
    scheme = "postgresql+asyncpg://"
    settings = {
        "application_name": "spieltisch",
        "idle_in_transaction_session_timeout": f"{IDLE_TRANSACTION_TIMEOUT}s",
    }

    async def connect() -> Any:
        driver = importlib.import_module("asyncpg")
        return await driver.connect(
            f"postgresql://{url.partition('://')[2]}",
            timeout=CONNECT_TIMEOUT,
            command_timeout=None if for_migration else STATEMENT_TIMEOUT,
            server_settings={} if for_migration else settings,
        )

    if for_migration:
        return create_async_engine(scheme, async_creator=connect, poolclass=NullPool, hide_parameters=True)
    pool = {"pool_size": POOL_SIZE, "max_overflow": 0, "pool_use_lifo": True}
    engine = create_async_engine(scheme, async_creator=connect, hide_parameters=True, **pool)
    event.listen(engine.sync_engine, "checkout", _discard_if_closed)
    return engine


async def migrate(engine: AsyncEngine) -> None:
    """Migrates the schema to this version, one process at a time; SchemaTooNew if it is already newer."""
    async with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
        await connection.run_sync(_run_migrations)


def _run_migrations(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "spieltisch.server.storage:migrations")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise SchemaTooNew from error


def _set_pragmas(connection: Any, _: Any) -> None:
    """Makes SQLite durable, and leaves it to us when a transaction begins."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _discard_if_closed(connection: Any, *_: Any) -> None:
    """Makes the pool replace a closed connection; a ping on checkout would cost as much as a write."""
    if connection.driver_connection.is_closed():
        raise DisconnectionError


def _begin_immediate(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_immediate_on_driver(connection: Any) -> None:
    """Bypasses SQLAlchemy's statement execution, which costs more than the statement itself."""
    connection.connection.driver_connection.execute("BEGIN IMMEDIATE")
