"""Event streams read byte by byte, and moves that cause events."""

from __future__ import annotations

import json
import re
import select
import socket
import time
from urllib.parse import urlencode

from tests.support.server import TIMEOUT


class StreamClient:
    """A client that reads an event stream from a raw socket, chunk by chunk."""

    def __init__(self, at, last=None, receive_buffer=None, **query):
        self.events: list[dict] = []
        self.last = last
        self.ended = False  # with the last chunk of the response
        self.cut = False
        self._raw = self._body = b""
        self._started = False
        self._left = 0  # bytes of the current chunk
        self.socket = socket.socket()
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(("127.0.0.1", at.person.server.port))
        asked = urlencode({"language": "en", **query})
        known = "" if last is None else f"Last-Event-ID: {last}\r\n"
        self.socket.sendall(
            f"GET {at.path}/stream?{asked} HTTP/1.1\r\nHost: 127.0.0.1:{at.person.server.port}\r\n"
            f"Authorization: Bearer {at.person.secret}\r\n{known}\r\n".encode()
        )

    def fileno(self):
        return self.socket.fileno()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def receive(self, limit=1 << 16):
        """Receives what has arrived, and parses the complete events in it."""
        try:
            more = self.socket.recv(limit)
        except ConnectionResetError:
            more = b""
        self.cut = not more
        self._raw += more
        if not self._started and b"\r\n\r\n" in self._raw:
            head, self._raw = self._raw.split(b"\r\n\r\n", 1)
            assert b" 200 OK\r\n" in head + b"\r\n", head
            assert b"text/event-stream" in head
            self._started = True
        while self._started and (self._left or (head := re.match(rb"(?:\r\n)?([0-9a-f]+)\r\n", self._raw))):
            if not self._left:
                self._left, self._raw = int(head[1], 16), self._raw[head.end() :]
                self.ended = not self._left
            part, self._raw = self._raw[: self._left], self._raw[self._left :]
            self._body += part
            self._left -= len(part)
            if not part:
                break
        *complete, self._body = self._body.split(b"\n\n")
        for one in complete:
            fields = dict(line.partition(": ")[::2] for line in one.decode().splitlines())
            if "data" in fields:
                self.last = int(fields.get("id", self.last or 0))
                self.events.append({**fields, "data": json.loads(fields["data"])})
        return more

    @property
    def happened(self):
        """The events of the table."""
        return [event["data"] for event in self.events if event["event"] == "happened"]

    @property
    def table(self):
        """The last state of the table that was sent."""
        return next((one["data"] for one in reversed(self.events) if one["event"] == "table"), None)


def read_until(streams, true):
    """Reads all streams until a condition is true of each; together they may not be silent for too long."""
    received, end = -1, 0.0
    while left := [stream for stream in streams if not true(stream)]:
        if (now := sum(len(stream.events) for stream in left)) != received:
            received, end = now, time.monotonic() + TIMEOUT
        assert time.monotonic() < end, f"{len(left)} streams are still waiting"
        for stream in select.select(left, [], [], 1)[0]:
            stream.receive()


def is_over(stream):
    """Whether the stream has sent the end of the match."""
    return stream.table is not None and stream.table["table"]["status"] == "over"


def make_move(*people):
    """Plays one action of the person whose turn it is; returns the new version."""
    seat = people[0].look()["table"]["turn"]
    now = people[seat].look(seat=seat)
    draft = [now["position"]["choices"][0]["text"]]
    return people[seat].do("actions", seat=seat, version=now["version"], draft=draft)["version"]
