"""Event streams: what a client missed, then the news, until one of both sides ends it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractContextManager
from typing import Final

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from spieltisch.server.errors import Refused
from spieltisch.server.runtime.table import CLOCK, Table, left, waits
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.workers import rules
from spieltisch.server.workers.rules import Stretch, Watcher

PING: Final = 15.0  # seconds of silence after which a comment shows that the connection lives
PATIENCE: Final = 60.0  # seconds that a client may leave unread what was sent
MOST_TOLD: Final = 50  # stretches of one table that are kept for others
AGAIN: Final = 1000  # milliseconds after which a browser connects again


class Stream(StreamingResponse):
    """A stream that ends where nobody reads it."""

    media_type = "text/event-stream"

    def __init__(self, news: AsyncIterator[bytes], limit: AbstractContextManager[None], status_code: int = 200) -> None:
        super().__init__(news, status_code)
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.limit:
            await super().__call__(scope, receive, send)

    async def stream_response(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        with contextlib.suppress(TimeoutError):
            async for chunk in self.body_iterator:
                async with asyncio.timeout(PATIENCE):
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def watch(tables: Tables, table: Table, watcher: Watcher, first: Stretch) -> AsyncIterator[bytes]:
    """What somebody is streamed, from a first stretch on."""
    table.streams += 1
    me = object()
    try:
        yield b"retry: %d\n\n" % AGAIN
        stretch: Stretch | None = first
        present: list[int] | None = None
        clock: tuple[int | None, int] | None = None
        while not tables.closing.is_set():
            changed = table.changed
            if table.gone:
                yield b"event: gone\ndata: {}\n\n"
                return
            news = b""
            if stretch is None and watcher.after != len(table.rows):
                stretch = await tell(tables, table, watcher)
            if stretch is not None:
                after, news, seats = stretch
                stretch = None
                watcher = table.watching[me] = watcher._replace(after=after)
                tables.presence.connect(table.name, me, seats)
            there = tables.presence.seats(table.name)
            if there != present:
                present = there
                news += _event("here", {"seats": there})
            if news:
                yield news
            if table.timed and waits(now := await tables.stand(table)) == CLOCK:
                turn = (now.waiting.seat, now.waiting.since)
                if turn != clock:
                    clock = turn
                    yield _event("clock", {"seat": turn[0], "left": round(left(table, now), 1)})
            while not changed.is_set() and not tables.closing.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), PING)
                    break
                yield b": still here\n\n"
    except Refused:
        yield b"event: gone\ndata: {}\n\n"  # it may not be looked at any more
    finally:
        table.streams -= 1
        table.watching.pop(me, None)
        tables.presence.disconnect(table.name, me)


def _event(kind: str, body: Mapping[str, object]) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), json.dumps(body).encode())


async def tell(tables: Tables, table: Table, watcher: Watcher) -> Stretch:
    """What is told to somebody who knows everything up to a line, asked for once for all who look alike."""

    async def ask() -> Stretch:
        async with table.telling:  # many who watch must not keep the server from everything else
            return await tables.ask(table, rules.stream, *watcher)

    asked = (watcher, len(table.rows))
    told = table.told.get(asked)
    if told is None or (told.done() and told.exception()):
        told = table.told[asked] = asyncio.create_task(ask())
        told.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody waits any more
        if len(table.told) > MOST_TOLD:
            table.told.popitem(last=False)
    return await asyncio.shield(told)
