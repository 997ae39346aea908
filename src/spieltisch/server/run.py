"""Runs the application under uvicorn, with a graceful shutdown while event streams are open."""

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

from spieltisch.server.app import create_app
from spieltisch.server.http.limits import RateLimits
from spieltisch.server.http.timeouts import TimeoutProtocol
from spieltisch.server.ops import logging
from spieltisch.server.runtime.retention import Retention
from spieltisch.server.storage.errors import StoreUnavailable
from spieltisch.server.storage.store import Store
from spieltisch.server.workers.pool import PoolConfig, WorkerPool

_log = structlog.get_logger("spieltisch.server")
SHUTDOWN_TIMEOUT: Final = 5  # seconds that open requests have to end
KEEP_ALIVE: Final = 20  # seconds
_BACKLOG: Final = 2048  # connections that may wait to be accepted
_USER_TIMEOUT: Final = 30_000  # milliseconds after which the system drops a connection that acknowledges nothing
_SEND_BUFFER: Final = 1 << 17  # bytes that the system buffers for a client that does not read


class ServerConfig(NamedTuple):
    """How to run a server."""

    data: str  # a file or a PostgreSQL URL
    host: str
    port: int
    rules_workers: int
    bot_workers: int
    rules_memory: int  # MiB
    limits: RateLimits
    proxies: str  # whose X-Forwarded headers are trusted; '' means nobody's
    retention: Retention
    hosts: str  # names besides the machine's own, separated by commas
    lan: str | None = None  # the host's name or address in the local network, if the server is open to it


class _Server(uvicorn.Server):
    """Ends the event streams when it is told to stop: they would never end by themselves."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, on_ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self._app = app
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            bound = self.servers[0].sockets[0].getsockname()
            self._on_ready(f"{bound[1]}")

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handles the signals to stop, and does not raise them again: stopping when told to is a success."""
        stop_signals = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(number, self.handle_exit) for number in stop_signals]
        try:
            yield
        finally:
            for number, handler in zip(stop_signals, before, strict=True):
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        tables: Any = self._app.state.tables
        if self.started and not tables.closing.is_set():
            tables.end_streams()
        super().handle_exit(sig, frame)


def serve(config: ServerConfig, on_ready: Callable[[str], None]) -> bool:
    """Serves until it is told to stop; calls `on_ready` with the port. Returns False if it cannot listen."""
    store = Store.at(config.data)
    try:
        asyncio.run(store.migrate())  # first of all, so that the CLI can report what keeps it from starting
    except StoreUnavailable as error:
        _log.warning("store unavailable", **logging.error_fields(error.__cause__ or error))
        raise
    try:
        listening = _listen(config.host, config.port)
    except OSError:
        return False
    lan = config.lan and f"http://{config.lan}:{listening.getsockname()[1]}"
    pool = WorkerPool(PoolConfig(config.rules_workers, config.bot_workers, config.rules_memory, config.limits.pending))
    app = create_app(store, pool, config.limits, lan, retention=config.retention, hosts=config.hosts)
    server = _Server(_uvicorn_config(app, config.proxies), app, on_ready)
    try:
        server.run([listening])
    except SystemExit:
        if app.state.startup_error is not None:
            raise app.state.startup_error from None  # uvicorn would end the process without a sentence
        raise
    return True


def _uvicorn_config(app: FastAPI, proxies: str) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        timeout_keep_alive=KEEP_ALIVE,
        http=TimeoutProtocol,
        ws="none",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
    )


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; OSError if the address is already in use."""
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
    listening = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # accepted connections inherit the options
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _USER_TIMEOUT)
    return listening
