"""A client that costs little, so that a load is the server's: keep-alive requests and event streams over asyncio."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any


class Line:
    """One connection for requests, one after another."""

    def __init__(self, host: str, port: int, secret: str) -> None:
        self.host = host
        self.port = port
        self.secret = secret
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def head(self, method: str, path: str, length: int = 0) -> bytes:
        return (
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAuthorization: Bearer {self.secret}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        ).encode()

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        content = b"" if body is None else json.dumps(body).encode()
        asked = self.head(method, path, len(content)) + content
        try:
            reader, head = await self._head(asked)
        except (
            asyncio.IncompleteReadError,
            ConnectionError,
        ):  # the server had closed it after a while without requests
            self.close()
            reader, head = await self._head(asked)
        length = int(head.partition("content-length:")[2].partition("\r\n")[0])
        text = await reader.readexactly(length)
        return int(head.split(" ")[1]), json.loads(text) if text else None

    async def _head(self, asked: bytes) -> tuple[asyncio.StreamReader, str]:
        """The head of an answer, and where the rest of it is read from."""
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.streams
        writer.write(asked)
        return reader, (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()

    async def listen(self, path: str) -> AsyncIterator[tuple[str, bytes]]:
        """The events of a stream, each with its kind and its data."""
        reader, writer = await asyncio.open_connection(self.host, self.port, limit=1 << 22)
        writer.write(self.head("GET", path))
        await reader.readuntil(b"\r\n\r\n")
        kind, waiting = "", b""
        try:
            while size := int(await reader.readline(), 16):
                waiting += await reader.readexactly(size)
                await reader.readline()
                *whole, waiting = waiting.split(b"\n")
                for line in whole:
                    if line.startswith(b"event: "):
                        kind = line[7:].decode()
                    elif line.startswith(b"data: "):
                        yield kind, line[6:]
        finally:
            writer.close()

    def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None
