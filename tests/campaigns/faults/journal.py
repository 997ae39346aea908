"""Journal of a client: every operation with its outcome, written down at once, so that it outlives a killed process."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Operation:
    """A request of the workload, and what is known of its outcome."""

    who: str
    what: str  # the command, or "open", "delete", "look", …
    table: str  # "" for a table that is to be opened
    body: dict[str, Any]
    status: int | None = None  # of the last response; None if there was none
    response: dict[str, Any] = field(default_factory=dict)

    @property
    def acknowledged(self) -> bool:
        return self.status is not None and self.status < 300

    @property
    def unknown(self) -> bool:
        """Whether it may have been carried out without the client knowing."""
        return self.status is None or self.status >= 500

    @property
    def key(self) -> str:
        return str(self.body.get("key", ""))


class Journal:
    """Writes one JSON line per step to a file descriptor."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._operations = 0

    def begin(self, operation: Operation) -> int:
        """Notes that an operation is sent for the first time; returns its number."""
        self._write("begin", operation.who, operation.what, operation.table, operation.body)
        self._operations += 1
        return self._operations - 1

    def end(self, number: int, status: int, response: dict[str, Any]) -> None:
        """Notes a response."""
        self._write("end", number, status, response)

    def note(self, **facts: object) -> None:
        """Notes anything else."""
        self._write("note", facts)

    def _write(self, *step: object) -> None:
        os.write(self._to, json.dumps(step).encode() + b"\n")


@dataclass
class Account:
    """What a journal tells: the operations, and the notes."""

    operations: list[Operation] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)

    def read(self, lines: Iterable[bytes]) -> None:
        """Adds the steps of a journal."""
        first = len(self.operations)
        for line in lines:
            kind, *step = json.loads(line)
            if kind == "begin":
                self.operations.append(Operation(*step))
            elif kind == "end":
                number, status, response = step
                operation = self.operations[first + number]
                operation.status, operation.response = status, response
            else:
                self.notes.append(step[0])
