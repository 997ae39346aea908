"""LISTEN/NOTIFY: how the server processes that share a PostgreSQL database tell each other what has changed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from spieltisch.server.storage.errors import translate_errors
from spieltisch.server.storage.writes import TableWrite
from spieltisch.table.codec import Row

CHANNEL: Final = "spieltisch"
PING_TIMEOUT: Final = 2.0  # seconds after which a connection that does not respond counts as lost
MAX_PAYLOAD: Final = 7000  # characters; PostgreSQL accepts up to 8000 bytes
_WRITTEN: Final = "news"  # the words of the payload stay as they are: another version may listen during an upgrade
_DELETED: Final = "gone"
_PRESENCE: Final = "here"
_SIGNAL: Final = "signal:"  # the signal follows; versions that know none take it for a table that was written to


class TableNotification(NamedTuple):
    """Another process has written to a table or deleted it; the rows are included unless they are too long."""

    table: str
    deleted: bool
    after: int = 0
    rows: Sequence[Row] = ()


class Notifications:
    """Sends and receives notifications; without an engine, nothing is sent and nothing arrives."""

    def __init__(self, engine: AsyncEngine | None, instance_id: str) -> None:
        self._engine = engine
        self._instance_id = instance_id
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self._on_table: list[Callable[[TableNotification], None]] = []
        self._on_presence: list[Callable[[str, str], None]] = []
        self._on_signal: list[Callable[[str, str], None]] = []

    def subscribe_tables(self, handler: Callable[[TableNotification], None]) -> None:
        """Calls the handler whenever another process has changed a table."""
        self._on_table.append(handler)

    def subscribe_presence(self, handler: Callable[[str, str], None]) -> None:
        """Calls the handler with the instance ID of another process and what it reports about presence."""
        self._on_presence.append(handler)

    def subscribe_signals(self, handler: Callable[[str, str], None]) -> None:
        """Calls the handler with the table and the words of a signal of another process; nothing of it is stored."""
        self._on_signal.append(handler)

    async def listen(self) -> None:
        """Starts to listen on a connection of its own; replaces the connection if there was one."""
        if self._engine is None:
            return
        async with translate_errors():
            if self._connection is not None:
                await self._connection.invalidate()
            self._connection = await self._engine.connect()
            raw = await self._connection.get_raw_connection()
            driver: Any = raw.driver_connection
            await driver.execute(f"SET application_name TO '{CHANNEL} listening'")
            await driver.add_listener(CHANNEL, self._receive)
            self._driver = driver

    async def is_listening(self) -> bool:
        """Whether notifications can still arrive: pings the connection."""
        if self._engine is None:
            return True
        try:
            await self._driver.execute("SELECT 1", timeout=PING_TIMEOUT)
        except Exception:  # noqa: BLE001 - for any error, no notification arrives
            self._driver = None
        return self._driver is not None

    async def close(self) -> None:
        """Stops listening."""
        if self._connection is not None:
            with contextlib.suppress(Exception):  # it may be lost already
                await self._connection.close()

    def _receive(self, _connection: Any, _pid: int, _channel: str, payload: str) -> None:
        sender, kind, content = payload.split(" ", 2)
        if sender == self._instance_id:
            return
        if kind == _PRESENCE:
            for on_presence in self._on_presence:
                on_presence(sender, content)
            return
        if kind.startswith(_SIGNAL):
            for on_signal in self._on_signal:
                on_signal(content, kind.removeprefix(_SIGNAL))
            return
        table, _, written = content.partition(" ")
        after, rows = json.loads(written or "[0, []]")
        notification = TableNotification(table, kind == _DELETED, after, tuple(Row(*row) for row in rows))
        for on_table in self._on_table:
            on_table(notification)

    def send_writes(self, connection: Connection, writes: Sequence[TableWrite]) -> None:
        """Notifies the others of writes, when the connection's transaction commits."""
        if self._engine is not None:
            for write in writes:
                if write.snapshot is not None and not write.rows:
                    continue
                payload = self._payload(_WRITTEN, _describe(write))
                connection.exec_driver_sql("SELECT pg_notify($1, $2)", (CHANNEL, payload))

    async def send_deleted(self, connection: AsyncConnection, table: str) -> None:
        """Notifies the others that a table has been deleted, when the transaction commits."""
        await self._send(connection, _DELETED, table)

    async def send_presence(self, connection: AsyncConnection, content: str) -> None:
        """Notifies the others who is present at this process, when the transaction commits."""
        await self._send(connection, _PRESENCE, content)

    async def send_signal(self, connection: AsyncConnection, table: str, words: str) -> None:
        """Sends the others a signal about a table, without spaces, when the transaction commits."""
        await self._send(connection, _SIGNAL + words, table)

    async def _send(self, connection: AsyncConnection, kind: str, content: str) -> None:
        if self._engine is not None:
            values = {"channel": CHANNEL, "payload": self._payload(kind, content)}
            await connection.execute(text("SELECT pg_notify(:channel, :payload)"), values)

    def _payload(self, kind: str, content: str) -> str:
        return f"{self._instance_id} {kind} {content}"


def _describe(write: TableWrite) -> str:
    """The table and its new rows, which saves the others a query; only the table if the rows are too long."""
    whole = f"{write.table} {json.dumps([write.after, write.rows])}"
    return whole if len(whole) <= MAX_PAYLOAD else write.table
