"""The wire: a request must be there in time, and its head must be short; what is not is not waited for."""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD: Final = 64 * 1024  # bytes of a request's first line and headers, after those that came first


class Wire(HttpToolsProtocol):
    """A connection that ends where a request takes too long to arrive, or its head does not end."""

    seconds = 30.0  # that a whole request may take to arrive, the first one from when the connection was made
    _due: asyncio.TimerHandle | None = None
    _head: int | None = None  # its bytes so far; None where none is being read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head = 0
        self._wait()

    def on_headers_complete(self) -> None:
        self._head = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._wait_no_more()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        in_head = self._head is not None
        super().data_received(data)
        if in_head and self._head is not None:
            self._head += len(data)
            if self._head > MOST_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def _wait(self) -> None:
        self._wait_no_more()
        self._due = self.loop.call_later(self.seconds, self._end)

    def _wait_no_more(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _end(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
