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
from spieltisch.server.runtime.table import CLOCK, Table, seconds_left, waits_for
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.workers import rules
from spieltisch.server.workers.rules import StreamChunk, Subscriber

PING: Final = 15.0  # seconds of silence after which a comment shows that the connection lives
PATIENCE: Final = 60.0  # seconds that a client may leave unread what was sent
MAX_CHUNKS: Final = 50  # stretches of one table that are kept for others
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
            async for part in self.body_iterator:
                async with asyncio.timeout(PATIENCE):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def watch(tables: Tables, table: Table, subscriber: Subscriber, first: StreamChunk) -> AsyncIterator[bytes]:
    """What somebody is streamed, from a first chunk on."""
    table.streams += 1
    me = object()
    try:
        yield b"retry: %d\n\n" % AGAIN
        chunk: StreamChunk | None = first
        present: list[int] | None = None
        clock: tuple[int | None, int] | None = None
        while not tables.closing.is_set():
            changed = table.changed
            if table.deleted:
                yield b"event: gone\ndata: {}\n\n"
                return
            news = b""
            if chunk is None and subscriber.after != len(table.rows):
                chunk = await tell(tables, table, subscriber)
            if chunk is not None:
                after, news, seats = chunk
                chunk = None
                subscriber = table.subscribers[me] = subscriber._replace(after=after)
                tables.presence.connect(table.name, me, seats)
            there = tables.presence.seats(table.name)
            if there != present:
                present = there
                news += _event("here", {"seats": there})
            if news:
                yield news
            if table.timed and waits_for(now := await tables.status(table)) == CLOCK:
                turn = (now.waiting.seat, now.waiting.since)
                if turn != clock:
                    clock = turn
                    yield _event("clock", {"seat": turn[0], "left": round(seconds_left(table, now), 1)})
            while not changed.is_set() and not tables.closing.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), PING)
                    break
                yield b": still here\n\n"
    except Refused:
        yield b"event: gone\ndata: {}\n\n"  # it may not be looked at any more
    finally:
        table.streams -= 1
        table.subscribers.pop(me, None)
        tables.presence.disconnect(table.name, me)


def _event(kind: str, body: Mapping[str, object]) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), json.dumps(body).encode())


async def tell(tables: Tables, table: Table, subscriber: Subscriber) -> StreamChunk:
    """What is told to somebody who knows everything up to a line, asked for once for all who look alike."""

    async def ask() -> StreamChunk:
        async with table.projecting:  # many who watch must not keep the server from everything else
            return await tables.ask(table, rules.stream, *subscriber)

    asked = (subscriber, len(table.rows))
    told = table.chunks.get(asked)
    if told is None or (told.done() and told.exception()):
        told = table.chunks[asked] = asyncio.create_task(ask())
        told.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody waits any more
        if len(table.chunks) > MAX_CHUNKS:
            table.chunks.popitem(last=False)
    return await asyncio.shield(told)
