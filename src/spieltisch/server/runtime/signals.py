"""Signals of clients that are passed on and not stored: answers to pings, and reactions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from spieltisch.server.runtime.presence import Presence
from spieltisch.server.runtime.table import Table
from spieltisch.server.storage.store import Store

_PONG: Final = "pong"
_REACTION: Final = "reaction"


class Signals:
    """Passes signals on to the streams of a table, at all server processes."""

    def __init__(self, store: Store, wake: Callable[[str], None], cached: Callable[[str], Table | None]) -> None:
        self.presence = Presence(store, wake)
        self._store = store
        self._cached = cached
        store.notifications.subscribe_signals(self.receive)

    async def answer_ping(self, table: str, stream: str) -> None:
        """The answer to a ping of a stream, which may be open at another process."""
        if table.isalnum() and not self.presence.answer(table, stream):
            await self._send(table, f"{_PONG}:{stream}")

    async def react(self, table: str, seat: int, reaction: str) -> None:
        """Shows a reaction of a seat to everybody at the table."""
        self._show(table, seat, reaction)
        await self._send(table, f"{_REACTION}:{seat}:{reaction}")

    async def _send(self, table: str, words: str) -> None:
        if self._store.shared:
            async with self._store.transaction() as connection:
                await self._store.notifications.send_signal(connection, table, words)

    def receive(self, table: str, words: str) -> None:
        """Handles a signal of another process."""
        kind, _, content = words.partition(":")
        if kind == _PONG:
            self.presence.answer(table, content)
        elif kind == _REACTION:
            seat, _, reaction = content.partition(":")
            self._show(table, int(seat), reaction)

    def _show(self, name: str, seat: int, reaction: str) -> None:
        table = self._cached(name)
        if table is not None:
            table.show_reaction(seat, reaction)
