"""Server-sent events: a stream first sends what the client missed, then every change, until either side closes it."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager
from typing import Final, TypeAlias

from starlette.responses import StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spieltisch.processes.aio import wait_shielded
from spieltisch.server.errors import Overloaded, Refused
from spieltisch.server.runtime.presence import Present
from spieltisch.server.runtime.table import CLOCK, Table, seconds_left, waits_for
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.workers import rules
from spieltisch.server.workers.askers import AskerLeft, current_asker
from spieltisch.server.workers.fair_queue import FairQueue, Priority
from spieltisch.server.workers.rules import StreamChunk, Subscriber

HEARTBEAT: Final = 15.0  # seconds without an event after which a comment keeps the connection alive
SEND_TIMEOUT: Final = 60.0  # seconds for which a client may not read
MAX_CHUNKS: Final = 50  # per table, cached for other subscribers
MAX_CONNECTING: Final = 4  # streams at a time; one address uses all but one
CONNECTING_COST: Final = 0.005  # seconds of processor time that an address is charged for connecting a stream
STREAM_PATH: Final = "/stream"  # how the paths of streams end
RECONNECT: Final = 1000  # milliseconds after which a browser reconnects
_HEARTBEAT_COMMENT: Final = b": still here\n\n"
_PING_EVENT: Final = b"event: ping\ndata: {}\n\n"
_DELETED_EVENT: Final = b"event: gone\ndata: {}\n\n"
_Turn: TypeAlias = tuple[int | None, int]  # a seat, and the event since which it has the turn


class EventStream(StreamingResponse):
    """A stream that is closed if the client stops reading; it holds a rate limit's slot while it is open."""

    media_type = "text/event-stream"

    def __init__(
        self, events: AsyncIterator[bytes], slot: AbstractContextManager[None], status_code: int = 200
    ) -> None:
        super().__init__(events, status_code)
        self.slot = slot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self.slot:
            await super().__call__(scope, receive, send)

    async def stream_response(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        with contextlib.suppress(TimeoutError):
            async for part in self.body_iterator:
                async with asyncio.timeout(SEND_TIMEOUT):
                    await send({"type": "http.response.body", "body": part, "more_body": True})
            await send({"type": "http.response.body", "body": b"", "more_body": False})


class StreamAdmission:
    """ASGI middleware that lets a few streams at a time connect, shared between addresses; no other work is done for the
    rest: after a restart all of them reconnect at once, and the event loop itself has no priorities.

    A stream has connected when its response starts. An address may have as many waiting as it may have open.
    """

    def __init__(self, app: ASGIApp, limit: int, make_response: Callable[[Scope], ASGIApp]) -> None:
        self.app = app
        self.make_response = make_response
        self.queue = FairQueue(MAX_CONNECTING, limit)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith(STREAM_PATH):
            await self.app(scope, receive, send)
            return
        try:
            slot: int | None = await self.queue.acquire(Priority.LOOK)
        except Overloaded:
            await self.make_response(scope)(scope, receive, send)
            return
        except AskerLeft:
            return
        account = current_asker().account

        def release() -> None:
            nonlocal slot
            if slot is not None:
                self.queue.release(slot, account, CONNECTING_COST)
                slot = None

        async def send_connected(message: Message) -> None:
            release()
            await send(message)

        try:
            await self.app(scope, receive, send_connected)
        finally:
            release()


async def stream_table(
    tables: Tables, table: Table, subscriber: Subscriber, first: StreamChunk, name: str | None = None
) -> AsyncIterator[bytes]:
    """The event stream of a subscriber, from a first chunk on; if it has a name, its pings are answered."""
    table.streams += 1
    stream = object()
    try:
        yield b"retry: %d\n\n" % RECONNECT
        chunk: StreamChunk | None = first
        present: Present | None = None
        reacted = table.last_reaction
        turn: _Turn | None = None
        while not tables.closing.is_set():
            changed = table.changed
            if table.deleted:
                yield _DELETED_EVENT
                return
            events = b""
            if chunk is None and subscriber.after != len(table.rows):
                chunk = await load_chunk(tables, table, subscriber)
            if chunk is not None:
                after, events, seats = chunk
                chunk = None
                subscriber = table.subscribers[stream] = subscriber._replace(after=after)
                tables.presence.connect(table.name, stream, seats, subscriber.holder, name)
            if (now_present := tables.presence.present(table.name)) != present:
                present = now_present
                events += _encode("here", {"seats": sorted(present.seats), "spectators": present.spectators})
            for number, seat, reaction in [one for one in table.reactions if one[0] > reacted]:
                reacted = number
                events += _encode("reaction", {"seat": seat, "reaction": reaction})
            if events:
                yield events
            if (clock := await _clock_event(tables, table, turn)) is not None:
                turn, event = clock
                yield event
            if subscriber.after != len(table.rows):
                continue  # the first chunk was made before this stream listened
            async for ping in _pings(tables, table.name, stream, changed):
                yield ping
    except Refused:
        yield _DELETED_EVENT  # the subscriber may no longer watch
    finally:
        table.streams -= 1
        table.subscribers.pop(stream, None)
        tables.presence.disconnect(table.name, stream)


async def _pings(tables: Tables, table: str, stream: object, changed: asyncio.Event) -> AsyncIterator[bytes]:
    """What keeps a connection alive until something changes: pings while others would notice, else comments."""
    while not tables.closing.is_set():
        due = tables.presence.next_ping(table, stream)
        if due is not None and due <= 0:
            tables.presence.ping(table, stream)
            yield _PING_EVENT
        elif await _is_set_within(changed, HEARTBEAT if due is None else due):
            return
        elif due is None:
            yield _HEARTBEAT_COMMENT


async def _clock_event(tables: Tables, table: Table, sent: _Turn | None) -> tuple[_Turn, bytes] | None:
    """The turn whose clock runs now, and its event; None if no clock runs or the event was sent already."""
    if not table.timed or waits_for(status := await tables.status(table)) != CLOCK:
        return None
    turn = (status.waiting.seat, status.waiting.since)
    if turn == sent:
        return None
    return turn, _encode("clock", {"seat": turn[0], "left": round(seconds_left(table, status), 1)})


async def _is_set_within(event: asyncio.Event, seconds: float) -> bool:
    if not event.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), seconds)
    return event.is_set()


def _encode(event: str, data: Mapping[str, object]) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (event.encode(), json.dumps(data).encode())


async def load_chunk(tables: Tables, table: Table, subscriber: Subscriber) -> StreamChunk:
    """What the subscriber has not got yet, projected once for all subscribers with the same view."""

    async def project() -> StreamChunk:
        async with table.projecting:  # a table with many subscribers must not occupy the rules worker
            return await tables.ask(table, rules.stream, *subscriber)

    key = (subscriber, len(table.rows))
    cached = table.chunks.get(key)
    if cached is None or (cached.done() and cached.exception()):
        cached = table.chunks[key] = asyncio.create_task(project())
        if len(table.chunks) > MAX_CHUNKS:
            table.chunks.popitem(last=False)
    return await wait_shielded(cached)
