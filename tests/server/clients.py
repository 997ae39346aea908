"""HTTP clients that keep everything they receive, with headers and event streams."""

from __future__ import annotations

import hashlib
import threading
from typing import Any

import httpx

from tests.support.server import TIMEOUT, Person, Refused, Server, TableClient


class RecordingClient(Person):
    """A client that records every response with its headers."""

    def __init__(self, server: Server, secret: str | None = None) -> None:
        super().__init__(server, secret)
        self.heads: list[bytes] = []
        self.previews: list[tuple[int, list[str], dict[str, Any]]] = []
        self.http.event_hooks = {"response": [self._keep_head]}

    def _keep_head(self, answer: httpx.Response) -> None:
        self.heads += [name + b": " + value for name, value in answer.headers.raw]

    @property
    def holder(self) -> str:
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def tries(self, at: TableClient, what: str, **body: Any) -> dict[str, Any]:
        """The response, or the refusal."""
        try:
            return at.ask(what, **body)
        except Refused as error:
            return error.body


def open_seat(person: Person, *seats: str, **more: object) -> tuple[TableClient, str]:
    """A table of the teaching game at which somebody is waited for, and its invitation."""
    table = person.open_table("template", *(seats or ("Ada", "open")), **{"first": 0, **more})
    return table, table.look()["table"]["code"]


class StreamReader:
    """Reads a client's event stream in the background, until the match is over or the table is deleted."""

    def __init__(self, at: TableClient) -> None:
        self.at = at
        self.told: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        with self.at.stream() as events:
            for event in events:
                with self._news:
                    self.told.append(event)
                    self._news.notify_all()
                if event["event"] == "gone" or event.get("data", {}).get("table", {}).get("status") == "over":
                    return

    def wait(self, true: Any, version: int = 0) -> dict[str, Any]:
        """The latest table that has reached a version and satisfies a condition; waits for it."""

        def last() -> dict[str, Any] | None:
            tables = (event["data"] for event in reversed(self.told) if event["event"] == "table")
            return next((told for told in tables if told["version"] >= version and true(told)), None)

        with self._news:
            assert self._news.wait_for(last, TIMEOUT), self.told[-1:]
            found = last()
        assert found is not None
        return found

    def end(self) -> None:
        self._thread.join(TIMEOUT)
        assert not self._thread.is_alive()


def commit(nonce: str) -> str:
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()
