"""HTTP client for load tests that costs little itself: keep-alive requests and event streams over asyncio."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any


class HttpClient:
    """One keep-alive connection for requests, one after another, and further connections for streams."""

    def __init__(self, host: str, port: int, secret: str, source: str | None = None) -> None:
        self.host = host
        self.port = port
        self.secret = secret
        self.local = (source, 0) if source else None  # the address from which it connects
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def _headers(self, method: str, path: str, length: int = 0) -> bytes:
        return (
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAuthorization: Bearer {self.secret}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        ).encode()

    async def request(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the JSON of a response."""
        content = b"" if body is None else json.dumps(body).encode()
        request = self._headers(method, path, len(content)) + content
        try:
            reader, headers = await self._send(request)
        except (asyncio.IncompleteReadError, ConnectionError):  # the server closes idle connections
            self.close()
            reader, headers = await self._send(request)
        length = int(headers.partition("content-length:")[2].partition("\r\n")[0])
        text = await reader.readexactly(length)
        return int(headers.split(" ")[1]), json.loads(text) if text else None

    async def _send(self, request: bytes) -> tuple[asyncio.StreamReader, str]:
        """Sends a request; returns where to read the body from, and the headers of the response."""
        if self._connection is None:
            self._connection = await asyncio.open_connection(self.host, self.port, local_addr=self.local, limit=1 << 22)
        reader, writer = self._connection
        writer.write(request)
        return reader, (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()

    async def stream(self, path: str) -> AsyncIterator[tuple[str, bytes]]:
        """The events of a stream: the name and the data of each."""
        reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=self.local, limit=1 << 22)
        writer.write(self._headers("GET", path))
        await reader.readuntil(b"\r\n\r\n")
        name, buffered = "", b""
        try:
            while size := int(await reader.readline(), 16):
                buffered += await reader.readexactly(size)
                await reader.readline()
                *lines, buffered = buffered.split(b"\n")
                for line in lines:
                    if line.startswith(b"event: "):
                        name = line[7:].decode()
                    elif line.startswith(b"data: "):
                        yield name, line[6:]
        finally:
            writer.close()

    def close(self) -> None:
        """Closes the connection for requests."""
        if self._connection is not None:
            self._connection[1].close()
            self._connection = None
