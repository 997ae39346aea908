"""ASGI middleware that sets the asker of a request: its work is charged to the client's address, and dropped if the
client closes the connection before the work has started.
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spieltisch.server.http.auth import client_address
from spieltisch.server.workers.askers import Asker, asking


class AskerMiddleware:
    """Sets the asker of every request, and tells it when the client has left."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        asker = Asker(client_address(Request(scope)), is_client=True)
        messages: asyncio.Queue[Message] = asyncio.Queue()

        async def receive_next() -> Message:
            return {"type": "http.disconnect"} if asker.left and messages.empty() else await messages.get()

        listening = asyncio.create_task(_listen(receive, messages, asker))
        try:
            with asking(asker):
                await self.app(scope, receive_next, send)
        finally:
            listening.cancel()


async def _listen(receive: Receive, messages: asyncio.Queue[Message], asker: Asker) -> None:
    """Passes the messages of a request on, up to the one that says that the client has left."""
    while True:
        message = await receive()
        messages.put_nowait(message)
        if message["type"] == "http.disconnect":
            asker.leave()
            return
