"""TCP proxy between clients and a server, which can cut connections between commit and answer."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from random import Random
from typing import Self

_BUFFER = 1 << 16


class CuttingProxy:
    """Forwards connections to a port; while it cuts, an answer that arrives is dropped together with its connection."""

    def __init__(self, target: int, seed: str) -> None:
        self.target = target
        self.port = 0
        self.cut_share = 0.0  # of the answers
        self.cuts = 0
        self._rng = Random(seed)
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _run(self) -> None:
        server = self._loop.run_until_complete(self._listen())
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.wait(tasks) if tasks else asyncio.sleep(0))
        self._loop.close()

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._forward, "127.0.0.1", 0)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers = [writer]
        tasks: list[asyncio.Task[None]] = []
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
            writers.append(up_writer)
            ways = (self._pump(reader, up_writer, cuts=False), self._pump(up_reader, writer, cuts=True))
            tasks = [asyncio.create_task(way) for way in ways]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        except (OSError, asyncio.CancelledError):
            pass  # the server is down, or the run has ended
        finally:
            for task in tasks:
                task.cancel()
            for one in writers:
                one.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, cuts: bool) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_BUFFER):
                if cuts and self._rng.random() < self.cut_share:
                    self.cuts += 1
                    return
                writer.write(data)
                await writer.drain()
