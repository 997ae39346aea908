"""What the store consists of; a change here comes with a migration."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Index, Integer, MetaData, String, Table, Text

DATA: Final = MetaData()

tables: Final = Table(
    "tables",
    DATA,
    Column("id", String(32), primary_key=True),
    Column("creation", String(64), nullable=False, unique=True),  # who opened it by which key, as a digest
    Column("public", Boolean, nullable=False),
    Column("status", String(16), nullable=False),
    Column("waits", String(16), nullable=False),
    Column("summary", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Index("tables_by_waits", "waits"),
    Index("tables_by_public", "public", "status", "changed"),
)
log: Final = Table(
    "log",
    DATA,
    Column("table", String(32), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)
answers: Final = Table(
    "answers",
    DATA,
    Column("table", String(32), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("digest", String(64), nullable=False),  # of the command: another one with the same key is refused
    Column("answer", Text, nullable=False),
    Column("number", Integer, nullable=False),  # the last line when it was answered
)
tallies: Final = Table(
    "tallies",
    DATA,
    Column("table", String(32), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("game", String(64), nullable=False),
    Column("tally", Text, nullable=False),
)
leases: Final = Table(
    "leases",
    DATA,
    Column("table", String(32), primary_key=True),
    Column("owner", String(32), nullable=False),  # the server process that does what the table waits for
    Column("until", DateTime(timezone=True), nullable=False),
    Index("leases_by_owner", "owner"),
)
