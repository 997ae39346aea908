"""ASGI middleware: security headers, a body limit, an error boundary, and request logs with metrics."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from spieltisch.server.http.hosts import AllowedHosts
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
PING_ROUTE: Final = "/api/tables/{table}/present"
_YEAR: Final = 365 * 24 * 3600


class RequestLog:
    """Logs and counts every request, with the route's pattern instead of the path."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def note_status(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, note_status)
        finally:
            method, route = _method(scope), _route(scope)
            seconds = time.perf_counter() - started
            self.metrics.count_request(method, route, status, seconds)
            log = _log.debug if route == PING_ROUTE else _log.info  # every other second, of everybody
            log("request", method=method, route=route, status=status, ms=round(1000 * seconds, 1))


class SecurityHeaders:
    """Adds the security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def add_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    headers.setdefault("strict-transport-security", f"max-age={_YEAR}")
            await send(message)

        await self.app(scope, receive, add_headers)


class ErrorBoundary:
    """Logs an error that no handler has caught, and sends a response without its details."""

    def __init__(self, app: ASGIApp, make_response: Callable[[Scope], ASGIApp]) -> None:
        self.app = app
        self.make_response = make_response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = False

        async def note_start(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive, note_start)
        except Exception as error:  # noqa: BLE001 - no error may leave the server
            _log.error("request failed", method=_method(scope), route=_route(scope), **logging.error_fields(error))
            if not started:
                await self.make_response(scope)(scope, receive, send)


class HostCheck:
    """Refuses requests for a name that is not the server's: a foreign page can point its own name at this machine.

    Such a page (DNS rebinding) would be of the same origin for the browser, and could read and send everything here.
    """

    def __init__(self, app: ASGIApp, allowed: AllowedHosts, make_response: Callable[[Scope], ASGIApp]) -> None:
        self.app = app
        self.allowed = allowed
        self.make_response = make_response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and Headers(scope=scope).get("host", "") not in self.allowed:
            await self.make_response(scope)(scope, receive, send)
            return
        await self.app(scope, receive, send)


class BodyLimit:
    """Stops reading a body that is too large, and refuses the request unless its response has started."""

    def __init__(self, app: ASGIApp, make_response: Callable[[Scope], ASGIApp]) -> None:
        self.app = app
        self.make_response = make_response

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if _content_length(scope) > MAX_BODY_BYTES:
            await self.make_response(scope)(scope, receive, send)
            return
        received, started = 0, False

        async def receive_limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return {"type": "http.disconnect"} if received > MAX_BODY_BYTES else message

        async def send_unless_too_large(message: Message) -> None:
            nonlocal started
            if received <= MAX_BODY_BYTES or started:
                started = True
                await send(message)

        await self.app(scope, receive_limited, send_unless_too_large)
        if received > MAX_BODY_BYTES and not started:
            await self.make_response(scope)(scope, receive, send)


def _route(scope: Scope) -> str:
    """The pattern of the path, which does not name the table."""
    return getattr(scope.get("route"), "path", "")


def _method(scope: Scope) -> str:
    """The method, if it is a known one."""
    return scope["method"] if scope["method"] in METHODS else "other"


def _content_length(scope: Scope) -> int:
    """The size of the body as the request announces it."""
    announced = Headers(scope=scope).get("content-length", "0")
    return int(announced[:12]) if announced.isascii() and announced.isdigit() else 0
