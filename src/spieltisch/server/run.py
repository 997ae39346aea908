"""Serving: the application in a process of its own, with a clean end while streams are open."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, Final, NamedTuple

import structlog
import uvicorn
from fastapi import FastAPI

from spieltisch.server.app import make_app
from spieltisch.server.http.limits import RateLimits
from spieltisch.server.http.timeouts import Wire
from spieltisch.server.ops import logging
from spieltisch.server.storage.errors import StoreUnavailable
from spieltisch.server.storage.store import Store
from spieltisch.server.workers.pool import WorkerPool

_log = structlog.get_logger("spieltisch.server")
GRACE: Final = 5  # seconds that requests may take to end
_BACKLOG: Final = 2048  # connections that may wait to be accepted
_UNREAD: Final = (
    30_000  # milliseconds after which a connection whose other end takes nothing is cut, where that is known
)
_UNSENT: Final = 1 << 17  # bytes that the system keeps for somebody who does not read


class Serving(NamedTuple):
    """How a server is to be run."""

    data: str  # a file, or an address of PostgreSQL
    host: str
    port: int
    rules_workers: int
    bot_workers: int
    allowed: RateLimits
    proxies: str  # whose word about the client's address counts; '' is nobody's
    lan: str | None = None  # the host's name or address in the local network, where it is open to that


class _Server(uvicorn.Server):
    """Ends the streams itself when it is told to end: they would last for ever."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self._app = app
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            bound = self.servers[0].sockets[0].getsockname()
            self._ready(f"{bound[1]}")

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Takes the signals that mean the end while it serves; having ended as told is a success."""
        ends = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(number, self.handle_exit) for number in ends]
        try:
            yield
        finally:
            for number, handler in zip(ends, before, strict=True):
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        tables: Any = self._app.state.tables
        if self.started and not tables.closing.is_set():
            tables.end_streams()
        super().handle_exit(sig, frame)


def serve(how: Serving, ready: Callable[[str], None]) -> bool:
    """Serves until it is told to end; `ready` is told the port as soon as it serves. False where it cannot listen."""
    store = Store.at(how.data)
    try:
        asyncio.run(store.migrate())  # before anything else: a reason not to begin is said in a sentence
    except StoreUnavailable as error:
        _log.warning("store away", **logging.error_fields(error.__cause__ or error))
        raise
    try:
        listening = _listen(how.host, how.port)
    except OSError:
        return False
    lan = how.lan and f"http://{how.lan}:{listening.getsockname()[1]}"
    app = make_app(store, WorkerPool(rules=how.rules_workers, bots=how.bot_workers), how.allowed, lan)
    config = uvicorn.Config(
        app,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=20,
        http=Wire,
        ws="none",
        proxy_headers=bool(how.proxies),
        forwarded_allow_ips=how.proxies or None,
    )
    server = _Server(config, app, ready)
    server.run([listening])
    return True


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens there, so that nobody else can; OSError where somebody else does."""
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
    listening = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # for its connections too: answers go out at once
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNSENT)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD)
    return listening
