"""Database schema; a change here needs a migration. Names of tables and columns are those of stored databases."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Index, Integer, LargeBinary, MetaData, String, Table, Text

METADATA: Final = MetaData()

tables: Final = Table(
    "tables",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("creation", String(64), nullable=False, unique=True),  # digest of who opened it, and of the idempotency key
    Column("public", Boolean, nullable=False),
    Column("status", String(16), nullable=False),
    Column("waits", String(16), nullable=False),  # what the table waits for
    Column("summary", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("version", Integer),  # the number of the last event; null if none was written since version 1 of the schema
    Column("digest", String(64)),  # of all events, chained
    Index("tables_by_waits", "waits"),
    Index("tables_by_public", "public", "status", "changed"),
)
log: Final = Table(  # events
    "log",
    METADATA,
    Column("table", String(32), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
answers: Final = Table(  # responses by idempotency key
    "answers",
    METADATA,
    Column("table", String(32), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("digest", String(64), nullable=False),  # of the command: another one with the same key is refused
    Column("answer", Text, nullable=False),
    Column("number", Integer, nullable=False),  # the table's last event at that time
)
snapshots: Final = Table(
    "snapshots",
    METADATA,
    Column("table", String(32), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("digest", String(64), nullable=False),  # of the events up to that version
    Column("code", String(64), nullable=False),  # digest of the code that has written it
    Column("body", LargeBinary, nullable=False),
)
draw_totals: Final = Table(  # running sums over finished games
    "draw_totals",
    METADATA,
    Column("game", String(64), primary_key=True),
    Column("games", BigInteger, nullable=False),
    Column("tally", Text, nullable=False),
)
leases: Final = Table(
    "leases",
    METADATA,
    Column("table", String(32), primary_key=True),
    Column("owner", String(32), nullable=False),  # the instance ID of the server process
    Column("until", DateTime(timezone=True), nullable=False),
    Index("leases_by_owner", "owner"),
)
