"""Manners: what every answer says to browsers, what no request may exceed, and what is said where something broke."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spieltisch.server.http.limits import MAX_BODY_BYTES
from spieltisch.server.ops import logging
from spieltisch.server.ops.metrics import Metrics

_log = structlog.get_logger("spieltisch.server")
HEADERS: Final = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
_YEAR: Final = 365 * 24 * 3600


class Manners:
    """Adds headers to every answer, counts it, stops reading where a body is too large, and lets no error through."""

    def __init__(
        self, app: ASGIApp, metrics: Metrics, too_large: Callable[[Scope], ASGIApp], broken: Callable[[Scope], ASGIApp]
    ) -> None:
        self.app = app
        self.metrics = metrics
        self.too_large = too_large
        self.broken = broken

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, taken = time.perf_counter(), 0, _announced(scope)

        async def polite(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", f"max-age={_YEAR}")
            await send(message)

        async def measured() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            return {"type": "http.disconnect"} if taken > MAX_BODY_BYTES else message

        async def unless_too_large(message: Message) -> None:
            if taken <= MAX_BODY_BYTES or status:
                await polite(message)

        try:
            if taken <= MAX_BODY_BYTES:
                taken = 0
                await self.app(scope, measured, unless_too_large)
            if taken > MAX_BODY_BYTES and not status:
                await self.too_large(scope)(scope, receive, polite)
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody outside may read it
            _log.error("failed", method=_method(scope), route=_route(scope), **logging.error_fields(error))
            if not status:
                await self.broken(scope)(scope, receive, polite)
        finally:
            method, route = _method(scope), _route(scope)
            spent = time.perf_counter() - began
            self.metrics.answered(method, route, status, spent)
            _log.info("answered", method=method, route=route, status=status, ms=round(1000 * spent, 1))


def _route(scope: Scope) -> str:
    """The pattern of the path, not the table's name."""
    return getattr(scope.get("route"), "path", "")


def _method(scope: Scope) -> str:
    """The method, where it is one that anybody uses."""
    return scope["method"] if scope["method"] in METHODS else "other"


def _announced(scope: Scope) -> int:
    """How many bytes a request says it has."""
    said = Headers(scope=scope).get("content-length", "0")
    return int(said[:12]) if said.isascii() and said.isdigit() else 0
