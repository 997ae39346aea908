"""Migrations: they alone create the schema."""

from __future__ import annotations

import asyncio
import os

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from spieltisch.server.storage import models
from spieltisch.server.storage.errors import SchemaTooNew, StoreUnavailable, UnknownStore
from spieltisch.server.storage.store import Store
from tests.support.command import run
from tests.support.storage.postgres import postgres
from tests.support.storage.stores import new_table, open_store, with_stores


def differences(connection) -> list:
    options = {"compare_type": True, "compare_server_default": True}
    return compare_metadata(MigrationContext.configure(connection, opts=options), models.METADATA)


def schema(connection) -> dict:
    """The schema as the database reports it."""
    seen = inspect(connection)
    return {
        table: [[str(one) for one in told(table)] for told in (seen.get_columns, seen.get_indexes)]
        for table in seen.get_table_names()
    }


def script_folder() -> str:
    config = Config()
    config.set_main_option("script_location", "spieltisch.server.storage:migrations")
    return ScriptDirectory.from_config(config).dir


def fails_to_serve(data: str) -> str:
    """The error output of a server that cannot start."""
    ran = run("serve", "--port", "0", "--data", data, env={"PYTHONPATH": os.environ.get("PYTHONPATH", "")})
    assert (ran.code, ran.out) == (1, "")
    return ran.err


def test_migrations_create_the_schema_of_the_models(location):
    @with_stores(location)
    async def _(store):
        async with store.connect() as connection:
            assert await connection.run_sync(differences) == []
        async with store.transaction() as connection:
            await connection.execute(text("DROP INDEX tables_by_waits"))
            assert await connection.run_sync(differences)  # differences are detected


def test_migrating_twice_changes_nothing(location):
    schemas = []

    async def look(store) -> None:
        async with store.connect() as connection:
            schemas.append(await connection.run_sync(schema))
            versions = list(await connection.scalars(text("SELECT version_num FROM alembic_version")))
        assert versions == ScriptDirectory(script_folder()).get_heads()

    @with_stores(location)
    async def _(store):
        await store.write(new_table("ada"))
        await look(store)

    @with_stores(location)
    async def _(store):
        await store.migrate()
        await look(store)
        assert len((await store.load("ada")).rows) == 2

    assert schemas[0] == schemas[1]
    assert {"alembic_version", *models.METADATA.tables} == set(schemas[0])


def test_many_processes_that_start_at_once_on_an_empty_database_migrate_it_once(postgres_url):
    async def begin() -> None:
        async with open_store(postgres_url) as store:
            await store.probe()

    async def all_begin() -> None:
        await asyncio.gather(*(begin() for _ in range(6)))

    asyncio.run(all_begin())
    assert postgres().sql(postgres_url, "SELECT count(*) FROM alembic_version") == [["1"]]


def test_a_database_of_a_newer_version_is_left_alone(location):
    @with_stores(location)
    async def _(store):
        async with store.transaction() as connection:
            await connection.execute(text("UPDATE alembic_version SET version_num = 'later'"))
        with pytest.raises(SchemaTooNew):
            await store.migrate()
        async with store.connect() as connection:
            assert await connection.scalar(text("SELECT version_num FROM alembic_version")) == "later"

    if location.startswith("postgresql"):
        assert "belongs to a newer version" in fails_to_serve(location)


def test_a_server_without_a_database_says_so_without_the_password(postgres_url):
    for given in (
        postgres_url.replace("/spieltisch_", "/no_"),
        "mysql://ada:geheim@localhost/tables",
        "postgresql://[x",
    ):
        with pytest.raises((StoreUnavailable, UnknownStore)):
            asyncio.run(Store.at(given).open())
    said = fails_to_serve("postgresql://ada:geheim@127.0.0.1:1/tables")
    assert "postgresql://ada:…@127.0.0.1:1/tables does not answer." in said
    assert "geheim" not in said
