"""Checks of HTTP responses, raw connections, and clients behind a proxy."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from typing import NamedTuple, Self

import httpx

from spieltisch.server.errors import STATUS
from tests.support.server import TIMEOUT, Person, Server, new_key

PERSON, OPEN = {"kind": "person", "name": "Ada"}, {"kind": "open"}
SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LOGGED = {"event", "level", "timestamp", "method", "route", "status", "ms"}  # the fields of a request log
HEAD = "POST /api/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
_addresses = (f"203.0.113.{number}" for number in range(1, 255))


def next_address() -> str:
    """An address that no other test uses."""
    return next(_addresses)


def forwarded_client(server: Server, address: str | None = None, secret: str | None = None) -> Person:
    """A person whose requests come through the proxy, from an address of their own."""
    person = Person(server, secret)
    person.http.headers["X-Forwarded-For"] = address or next_address()
    return person


def wait_for(true: Callable[[], object]) -> None:
    """Waits until a condition is true."""
    end = time.monotonic() + TIMEOUT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def assert_security_headers(answer: httpx.Response, *, https: bool = False) -> None:
    """Checks the headers that every response has."""
    for name, value in SECURITY.items():
        assert answer.headers[name] == value
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert not re.search(r"unsafe|\*|http:|https:|blob:", answer.headers["content-security-policy"])
    assert not {"script-src", "script-src-elem", "script-src-attr", "style-src"} & set(
        policy
    )  # so that default-src applies
    assert ("strict-transport-security" in answer.headers) == https
    assert not {"server", "x-powered-by"} & set(answer.headers)
    if answer.headers.get("content-type", "").startswith("text/"):
        assert "charset=utf-8" in answer.headers["content-type"] or "version=" in answer.headers["content-type"]


def expect_refusal(request: Callable[[], httpx.Response]) -> httpx.Response:
    """The response to a request that is refused, after checking its code, its message and its headers."""
    answer = request()
    body = answer.json()
    assert answer.status_code == (405 if answer.status_code == 405 else STATUS[body["code"]])
    assert set(body) == {"code", "message", "rule", "field", "line"}
    assert body["message"]
    assert_security_headers(answer)
    assert answer.headers["cache-control"] == "no-store"
    return answer


def open_request(game: str = "template", *seats: dict, **more: object) -> dict:
    """The body of a request that opens a table."""
    return {"key": new_key(), "game": game, "seats": list(seats) or [PERSON, OPEN], **more}


def list_paths(http: httpx.Client, table: str) -> dict[str, set[str]]:
    """Every path of the server with the methods it supports."""
    described = http.get("/api/openapi.json").json()["paths"]
    paths = {path: {method.upper() for method in methods} for path, methods in described.items()}
    paths |= {"/": {"GET", "HEAD"}, "/plain.css": {"GET"}, "/api/docs": {"GET"}, "/api/openapi.json": {"GET"}}
    return {path.replace("{table}", table).replace("{game}", "template"): methods for path, methods in paths.items()}


class RawResponse(NamedTuple):
    """A response as it was read from a raw connection."""

    status: int
    headers: dict[str, str]
    body: bytes


class RawConnection:
    """A TCP connection to which a test can write anything."""

    def __init__(self, server: Server) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=TIMEOUT)
        self.read = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.read.close()
        self.socket.close()

    def send(self, *parts: bytes | str) -> None:
        self.socket.sendall(b"".join(part.encode() if isinstance(part, str) else part for part in parts))

    def read_response(self) -> RawResponse | None:
        """The next response; None if the server has closed the connection."""
        first = self.read.readline()
        if not first:
            return None
        headers: dict[str, str] = {}
        while line := self.read.readline().strip():
            name, _, value = line.decode("latin-1").partition(": ")
            headers[name.lower()] = value
        return RawResponse(int(first.split()[1]), headers, self.read.read(int(headers.get("content-length", 0))))
