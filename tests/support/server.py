"""A real server in a process of its own, and HTTP clients that play on it."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO

import httpx
import psutil

from tests.support.fork_server import ForkedProcess

UNLIMITED = {
    f"SPIELTISCH_SERVE_{what}": "0"
    for what in ("REQUESTS", "TABLES", "DAILY_TABLES", "STREAMS", "HINTS", "REPLAYS", "PENDING")
}
TIMEOUT = 180.0  # seconds for anything, also on a busy machine


class Server:
    """`spieltisch serve` on a port of its own."""

    def __init__(self, folder: Path, *flags: str, port: int = 0) -> None:
        self.file = folder / "tables.sqlite"
        self.flags = flags
        self.port = port
        self.start()

    def start(self) -> None:
        """Starts the process, and waits until it serves."""
        command = [
            "serve",
            "--language",
            "en",
            "--data",
            str(self.file),
            "--port",
            str(self.port),
            "--bot-workers",
            "1",
        ]
        self.process = ForkedProcess([*command, *self.flags], {**os.environ, **UNLIMITED})
        line = self.process.stdout.readline()
        assert "http://" in line, line + self.process.stderr.read()
        self.port = int(line.strip().rstrip("/").rpartition(":")[2])
        self.errors: list[str] = []
        self._readers = [self._read(self.process.stdout, []), self._read(self.process.stderr, self.errors)]

    def _read(self, pipe: IO[str], lines: list[str]) -> threading.Thread:
        """Collects the lines of a pipe in the background."""

        def read() -> None:
            with pipe:
                lines.extend(pipe)

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        return thread

    def wait(self) -> int:
        """Waits for the end of the process and its output; returns the exit code."""
        code = self.process.wait(TIMEOUT)
        for reader in self._readers:
            reader.join(TIMEOUT)
        return code

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def workers(self, *, bots: bool) -> list[psutil.Process]:
        """The bot workers, or the rules workers.

        Bot workers are nicer than the server, whatever its own niceness; one that has just started is not nicer yet,
        and is waited for.
        """
        own, end = psutil.Process(self.process.pid).nice(), time.monotonic() + TIMEOUT
        while True:
            with contextlib.suppress(psutil.NoSuchProcess):
                children = [child for child in self.children() if "spieltisch.processes" in " ".join(child.cmdline())]
                nicer = [child.nice() > own for child in children]
                if True in nicer and False in nicer:
                    return [child for child, is_bot in zip(children, nicer, strict=True) if is_bot == bots]
            assert time.monotonic() < end, "a worker process is missing"
            time.sleep(0.02)

    def stop(self) -> int:
        """Stops the server as a host does; returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def kill(self) -> None:
        """Kills the server, as a power cut would."""
        children = self.children()
        self.process.kill()
        psutil.wait_procs(children, timeout=TIMEOUT)
        self.wait()


@contextlib.contextmanager
def running_server(folder: Path, *flags: str) -> Iterator[Server]:
    """A server, stopped afterwards; it may not have logged any error."""
    server = Server(folder, *flags)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
    assert not server.errors, "".join(server.errors)


def reusable_port() -> int:
    """A free port outside the ephemeral range, so that it is still free when a server restarts."""
    while True:
        port = secrets.choice(range(20_000, 32_000))
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def new_key() -> str:
    return secrets.token_urlsafe(9)


class Refused(Exception):
    """A response with a status of 400 or more."""

    def __init__(self, answer: httpx.Response) -> None:
        super().__init__(f"{answer.status_code} {answer.text[:300]}")
        self.status = answer.status_code
        self.body = answer.json()
        self.code = self.body["code"]


class Person:
    """A client with a secret of its own; it records everything that it receives."""

    def __init__(self, server: Server, secret: str | None = None, language: str = "en") -> None:
        self.server = server
        self.secret = secret or secrets.token_urlsafe(24)
        self.language = language
        headers = {"Authorization": f"Bearer {self.secret}"}
        self.http = httpx.Client(timeout=TIMEOUT, headers=headers, verify=False)  # noqa: S501 - plain http, and quicker
        weakref.finalize(self, self.http.close)
        self.received: list[bytes] = []

    def url(self, path: str) -> str:
        return f"{self.server.address}{path}"

    def get(self, path: str, **query: object) -> httpx.Response:
        asked = {"language": self.language, **query}
        return self._check(self.http.get(self.url(path), params=asked))  # type: ignore[arg-type]

    def post(self, path: str, **body: object) -> dict:
        return self.send(path, **body).json()

    def send(self, path: str, **body: object) -> httpx.Response:
        return self._check(self.http.post(self.url(path), json=body, params={"language": self.language}))

    def _check(self, answer: httpx.Response) -> httpx.Response:
        self.received.append(answer.content)
        if answer.status_code >= 400:
            raise Refused(answer)
        return answer

    def open_table(self, game: str, *seats: dict | str, **more: object) -> TableClient:
        """Opens a table; a seat is a person's name, 'open' or a bot's level."""
        body = {"key": new_key(), "game": game, "seats": [_seat_request(seat) for seat in seats], **more}
        return TableClient(self, self.post("/api/tables", **body)["table"])

    def at(self, table: str) -> TableClient:
        return TableClient(self, table)


def _seat_request(seat: dict | str) -> dict:
    if isinstance(seat, dict):
        return seat
    if seat == "open":
        return {"kind": "open"}
    return {"kind": "bot", "player": seat} if seat.startswith("level:") else {"kind": "person", "name": seat}


def start_match(server: Server, game: str, *names: str, **more: object) -> list[TableClient]:
    """One client per name at a new table, seated in this order; the first one opens it and starts the match."""
    host = Person(server).open_table(game, names[0], *["open"] * (len(names) - 1), **more)
    code = host.look()["table"]["code"]
    others = [Person(server).at(host.table) for _ in names[1:]]
    for other, name in zip(others, names[1:], strict=True):
        other.do("join", name=name, code=code)
    host.do("start")
    return [host, *others]


def run_concurrently(*requests):
    """The results of functions that start at the same moment; a refusal is a result too."""
    ready = threading.Barrier(len(requests))

    def run(request):
        ready.wait(TIMEOUT)
        try:
            return request()
        except Refused as refused:
            return refused

    with ThreadPoolExecutor(len(requests)) as threads:
        return list(threads.map(run, requests))


class TableClient:
    """A client at one table."""

    def __init__(self, person: Person, table: str) -> None:
        self.person = person
        self.table = table

    @property
    def path(self) -> str:
        return f"/api/tables/{self.table}"

    def look(self, **query: object) -> dict:
        """The table and the game as this client may see them."""
        return self.person.get(self.path, **query).json()

    def events(self, after: int = 0, **query: object) -> dict:
        """The table, and all events after one, page by page."""
        events: list[dict] = []
        while True:
            page = self.person.get(f"{self.path}/events", after=after, **query).json()
            events += page["events"]
            if page["next"] is None:
                return {**page, "events": events}
            after = page["next"]

    def record(self, **query: object) -> str:
        return self.person.get(f"{self.path}/record", **query).text

    def do(self, what: str, **body: object) -> dict:
        """Sends a command with a new idempotency key."""
        return self.person.post(f"{self.path}/{what}", **{"key": new_key(), **body})

    def ask(self, what: str, **body: object) -> dict:
        """Sends a request that changes nothing, and so needs no key."""
        return self.person.post(f"{self.path}/{what}", **body)

    def refused(self, what: str, **body: object) -> Refused:
        """Sends a command that is refused; returns the refusal."""
        try:
            answer = self.do(what, **body)
        except Refused as refused:
            return refused
        raise AssertionError(answer)

    def delete(self) -> None:
        self.person._check(self.person.http.delete(self.person.url(self.path)))

    def wait_until(self, true, **query: object) -> dict:
        """Polls the table until a condition is true, and returns its state; fails if nothing changes for too long.

        Bots run at a low priority: on a busy machine their game goes on, but slowly.
        """
        version, end = None, 0.0
        while not true(told := self.look(**query)):
            if told["version"] != version:
                version, end = told["version"], time.monotonic() + TIMEOUT
            assert time.monotonic() < end, told["table"]
            time.sleep(0.02)
        return told

    def play(self, seat: int, pick=None, steps: int = 100_000, **query: object) -> dict:
        """Plays a seat until the game is over or for so many actions: the middle choice, or the one that `pick` returns."""
        while True:
            told = self.wait_until(lambda now: now["table"]["status"] != "playing" or (now["table"]["turn"] == seat
                                   and now["table"]["waiting"] == "person"), seat=seat, **query)  # fmt: skip
            if told["table"]["status"] != "playing" or steps == 0:
                return told
            choices = told["position"]["choices"]
            chosen = pick(told) if pick else choices[len(choices) // 2]
            self.do("actions", seat=seat, version=told["version"], draft=[chosen["text"]])
            steps -= 1

    @contextlib.contextmanager
    def stream(self, after: int | None = None, **query: object) -> Iterator[Iterator[dict]]:
        """The events of the stream."""
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        asked = {"language": self.person.language, **query}
        with self.person.http.stream(
            "GET", self.person.url(f"{self.path}/stream"), params=asked, headers=headers
        ) as answer:  # type: ignore[arg-type]
            if answer.status_code >= 400:
                answer.read()
                raise Refused(answer)
            yield self._parse(answer)

    def _parse(self, answer: httpx.Response) -> Iterator[dict]:
        event: dict = {}
        for line in answer.iter_lines():
            self.person.received.append(line.encode())
            if not line:
                if "data" in event:
                    yield event
                event = {}
                continue
            field, _, value = line.partition(": ")
            if field:
                event[field] = json.loads(value) if field == "data" else value


def find_bot_worker(server: Server) -> psutil.Process:
    """The server's only bot worker."""
    (worker,) = server.workers(bots=True)
    return worker


def find_rules_worker(server: Server) -> psutil.Process:
    """The server's only rules worker."""
    (worker,) = server.workers(bots=False)
    return worker
