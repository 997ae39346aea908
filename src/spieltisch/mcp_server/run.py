"""Runs the MCP server over standard input and output, or over HTTP on this machine."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Final

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from spieltisch.core.game import Refusal
from spieltisch.i18n.message import message_factory
from spieltisch.mcp_server.host import MatchHost
from spieltisch.mcp_server.server import GameServer

HOST: Final = "127.0.0.1"
_NAMES: Final = (HOST, "localhost")
_say = message_factory("")


def run_stdio(language: str) -> None:
    """Serves one client on standard input and output, until the input ends."""

    async def serve() -> None:
        async with MatchHost(language=language) as host:
            await GameServer(host).run_stdio_async()

    asyncio.run(serve())


def run_http(port: int, language: str, announce: Callable[[str], None]) -> None:
    """Serves clients on this machine over streamable HTTP; `announce` gets the address. Port 0 takes a free one."""
    try:
        listening = socket.create_server((HOST, port))
    except OSError:
        raise Refusal(_say("serve.port", host=HOST, port=port)) from None
    port = listening.getsockname()[1]

    async def serve() -> None:
        async with MatchHost(language=language) as host:
            app = GameServer(host).streamable_http_app(transport_security=_only_from_here(port))
            announce(f"http://{HOST}:{port}/mcp")
            await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listening])

    with listening:
        asyncio.run(serve())


def _only_from_here(port: int) -> TransportSecuritySettings:
    """Protection against DNS rebinding: a page of another site must not play in somebody's name."""
    hosts = [f"{name}:{port}" for name in _NAMES]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=[f"http://{host}" for host in hosts])
