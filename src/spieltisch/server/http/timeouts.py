"""The HTTP protocol of a connection: it does not wait for slow or endless requests, and ends what nobody reads."""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

MAX_HEADER_BYTES: Final = 64 * 1024  # of request line and headers, not counting the first packet


class TimeoutProtocol(HttpToolsProtocol):
    """Closes the connection if a request takes too long to arrive, or if its headers are too long."""

    request_timeout = 30.0  # seconds; the first request of a connection counts from the connection's start
    _timer: asyncio.TimerHandle | None = None
    _header_bytes: int | None = None  # received so far; None while no headers are being read
    _answering: RequestResponseCycle | None = None  # the request that is answered now; others are pipelined behind it

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_timer()
        if self._answering is not None and not self._answering.response_complete:
            # uvicorn tells the last request that its client has left, but not the one before it that is being answered:
            # that would write to the closed connection, fail, and log an error
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._header_bytes = 0
        self._start_timer()

    def on_headers_complete(self) -> None:
        self._header_bytes = None
        super().on_headers_complete()
        if self._answering is None or self._answering.response_complete:
            self._answering = self.cycle

    def on_response_complete(self) -> None:
        following = self.pipeline[-1][0] if self.pipeline else None
        super().on_response_complete()
        self._answering = following

    def on_message_complete(self) -> None:
        self._cancel_timer()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        reading_headers = self._header_bytes is not None
        super().data_received(data)
        if reading_headers and self._header_bytes is not None:
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long.")

    def _start_timer(self) -> None:
        self._cancel_timer()
        self._timer = self.loop.call_later(self.request_timeout, self._close)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _close(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
