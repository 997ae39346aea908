"""Requests that are ambiguous, endless or too slow."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time

import pytest
import uvicorn

from spieltisch.server.http.timeouts import TimeoutProtocol
from tests.support.http import (
    HEAD,
    RawConnection,
    wait_for,
)
from tests.support.server import TIMEOUT


@pytest.mark.parametrize(
    "lengths",
    [
        "Content-Length: -1\r\n",
        "Content-Length: many\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Content-Length: 99999999999999999999999999\r\n",
        "Content-Length : 5\r\n",
        "X: a\rb\r\n",
    ],
)
def test_a_request_of_ambiguous_length_is_refused(server, http, lengths):
    smuggled = "GET /api/games HTTP/1.1\r\nHost: x\r\n\r\n"
    with RawConnection(server) as connection:
        connection.send(HEAD, lengths, "\r\n", "0\r\n\r\n", smuggled)
        first = connection.read_response()
        assert first is None or first.status in (400, 413)
        assert connection.read_response() is None  # nothing of the rest is parsed as a request
    assert http.get("/healthz").status_code == 200


@pytest.mark.parametrize("endless", [b"a" * 1000, b"x: " + b"a" * 95 + b"\r\n"], ids=["value", "headers"])
def test_endless_headers_are_refused(server, http, endless):
    with RawConnection(server) as connection, contextlib.suppress(ConnectionError):
        connection.send("GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
        for _ in range(2000):
            connection.send(endless * 10)
        answer = connection.read_response()
        assert answer is None or answer.status == 400
    assert http.get("/healthz").status_code == 200


def test_a_request_that_arrives_too_slowly_times_out():
    class Impatient(TimeoutProtocol):
        request_timeout = 1.0

    async def application(scope, receive, send):
        await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    config = uvicorn.Config(application, port=0, http=Impatient, ws="none", lifespan="off", log_config=None)
    served = uvicorn.Server(config)
    thread = threading.Thread(target=served.run, daemon=True)
    thread.start()
    wait_for(lambda: served.started)
    place = served.servers[0].sockets[0].getsockname()
    for slow in (b"", b"GET / HTTP/1.1\r\nHo", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"):
        with socket.create_connection(place, timeout=TIMEOUT) as connection:
            connection.sendall(slow)
            while connection.recv(1000):
                pass  # a response may come before the body is read; then the connection is closed
    with socket.create_connection(place, timeout=TIMEOUT) as connection:
        for _ in range(3):
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(1000).startswith(b"HTTP/1.1 204")
            time.sleep(1.1)  # the timeout between two requests is longer
    served.should_exit = True
    thread.join(TIMEOUT)


def test_a_client_that_pipelines_requests_and_reads_nothing_causes_no_error_in_the_log(server, http):
    """The request that is answered learns that its client has left, although others are pipelined behind it."""
    with contextlib.ExitStack() as connections:
        for _ in range(20):
            connection = connections.enter_context(RawConnection(server))
            connection.socket.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
            )  # reset when closed
            connection.send("GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n" * 50)
            connection.socket.recv(1)  # the first response has started
        time.sleep(0.5)  # until nothing more fits into the buffers
    for _ in range(3):
        assert http.get("/healthz").status_code == 200
        time.sleep(0.2)
    assert [line for line in server.errors if json.loads(line)["level"] == "error"] == []
