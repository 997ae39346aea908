"""A proxy that makes a server dishonest: it exchanges bytes of the server's responses for others of the same length."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator


class Exchange:
    """The proxy: `exchange[b"the promise"] = b"another one"` takes effect at once, in open streams too."""

    def __init__(self, server: int) -> None:
        self.exchange: dict[bytes, bytes] = {}
        self.port = 0
        self._server = server

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, ready: threading.Event) -> None:
        """Serves until it is stopped."""
        self._loop, self._stopped = asyncio.get_running_loop(), asyncio.Event()
        listener = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = listener.sockets[0].getsockname()[1]
        ready.set()
        async with listener:
            await self._stopped.wait()

    def stop(self) -> None:
        """Ends the proxy and its connections, from another thread."""
        self._loop.call_soon_threadsafe(self._stopped.set)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream, to_server = await asyncio.open_connection("127.0.0.1", self._server)
        with contextlib.suppress(asyncio.CancelledError):  # the proxy ends
            await asyncio.gather(self._ask(reader, to_server), self._answer(upstream, writer), return_exceptions=True)
        for one in (writer, to_server):
            one.close()
            with contextlib.suppress(ConnectionError):
                await one.wait_closed()

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            writer.write(
                data.replace(b"Accept-Encoding:", b"X-None-Encoding:")
            )  # what is compressed can't be exchanged
            await writer.drain()
        writer.write_eof()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        held = b""  # the start of something that is exchanged, whose end has not come yet
        while data := await reader.read(65536):
            data = held + data
            for old, new in self.exchange.items():
                assert len(old) == len(new)
                data = data.replace(old, new)
            length = max((n for old in self.exchange for n in range(len(old)) if data.endswith(old[:n])), default=0)
            data, held = data[: len(data) - length], data[len(data) - length :]
            writer.write(data)
            await writer.drain()
        writer.write(held)
        writer.write_eof()


@contextlib.contextmanager
def exchanging_proxy(server: int) -> Iterator[Exchange]:
    """Runs a proxy in front of a server in a thread of its own."""
    proxy, ready = Exchange(server), threading.Event()
    thread = threading.Thread(target=asyncio.run, args=(proxy.serve(ready),), daemon=True)
    thread.start()
    assert ready.wait(60)
    try:
        yield proxy
    finally:
        proxy.stop()
        thread.join(60)
