"""Event streams: what a client missed, then the news, until one of both sides ends it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Final

from starlette.responses import StreamingResponse
from starlette.types import Send

from spieltisch.server import clerks
from spieltisch.server.refusals import Refused
from spieltisch.server.tables import Table, Tables

PING: Final = 15.0  # seconds of silence after which a comment shows that the connection lives
PATIENCE: Final = 30.0  # seconds that a client may leave unread what was sent
AGAIN: Final = 1000  # milliseconds after which a browser connects again


class Stream(StreamingResponse):
    """A stream that ends where nobody reads it."""

    media_type = "text/event-stream"

    async def stream_response(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for chunk in self.body_iterator:
            async with asyncio.timeout(PATIENCE):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def watch(
    tables: Tables, table: Table, holder: str | None, seat: int | None, language: str, after: int
) -> AsyncIterator[bytes]:
    """What somebody is streamed that knows everything up to that line."""
    table.streams += 1
    try:
        yield b"retry: %d\n\n" % AGAIN
        clock: tuple[int | None, int] | None = None
        while not tables.closing.is_set():
            changed = table.changed
            if table.gone:
                yield b"event: gone\ndata: {}\n\n"
                return
            look = await tables.ask(table, clerks.look, holder, seat, language)
            after, news = await tables.stream(table, look, after)
            yield news
            if table.ends is not None and table.due != clock:
                clock = table.due
                left = max(0.0, table.ends - asyncio.get_running_loop().time())
                yield (
                    b"event: clock\ndata: %s\n\n"
                    % json.dumps({"seat": clock and clock[0], "left": round(left, 1)}).encode()
                )
            while not changed.is_set() and not tables.closing.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), PING)
                    break
                yield b": still here\n\n"
    except Refused:
        yield b"event: gone\ndata: {}\n\n"  # it may not be looked at any more
    finally:
        table.streams -= 1
