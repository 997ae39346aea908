"""How the server listens."""

from __future__ import annotations

import socket

from spieltisch.server import run


def test_small_answers_are_not_held_back():
    """Without this every answer on a kept connection waits for the client's delayed acknowledgement, 40 ms on Linux."""
    with run._listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
