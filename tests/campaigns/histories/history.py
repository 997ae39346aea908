"""History of a run: every operation of every client, with the times of its invocation and completion."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

READS = ("look", "events")


class Outcome(Enum):
    """What a client knows about an operation."""

    OK = "ok"
    REFUSED = "refused"  # nothing was changed
    UNKNOWN = "unknown"  # there was no response, or one that says so


@dataclass
class Operation:
    """An operation, which a client may have repeated with the same key until it got a response."""

    client: str
    what: str
    table: str  # "" for a table that is to be opened
    body: dict[str, Any] = field(default_factory=dict)
    invoked: int = 0  # nanoseconds, of a clock that all clients share
    completed: int | None = None
    outcome: Outcome = Outcome.UNKNOWN
    response: dict[str, Any] = field(default_factory=dict)
    attempts: int = 0

    @property
    def key(self) -> str | None:
        return self.body.get("key")

    @property
    def version(self) -> int | None:
        """The version of the table that the response tells."""
        return self.response.get("version")


@dataclass
class Streamed:
    """What a client has read from a table's stream, across all connections."""

    client: str
    table: str
    events: list[dict[str, Any]] = field(default_factory=list)
    connections: int = 0


class History:
    """The operations in the order of their invocation, and the streams."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.streams: list[Streamed] = []
        self._lock = threading.Lock()

    def invoke(self, client: str, what: str, table: str, body: dict[str, Any]) -> Operation:
        """Notes that an operation begins."""
        with self._lock:
            operation = Operation(client, what, table, body, time.monotonic_ns())
            self.operations.append(operation)
        return operation

    def complete(self, operation: Operation, outcome: Outcome, response: dict[str, Any]) -> None:
        """Notes what the client was told at last."""
        operation.completed = time.monotonic_ns()
        operation.response = response
        operation.outcome = outcome

    def stream(self, client: str, table: str) -> Streamed:
        """Notes that a client reads a stream."""
        streamed = Streamed(client, table)
        with self._lock:
            self.streams.append(streamed)
        return streamed
