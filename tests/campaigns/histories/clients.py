"""Clients of a history: they play, read and follow streams, and write down what they do and what they are told."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from random import Random
from typing import Any

import httpx

from tests.campaigns.histories.history import History, Operation, Outcome
from tests.campaigns.histories.proxy import CuttingProxy
from tests.support.server import Person, Refused

TIMEOUT = 4.0  # seconds until a client stops waiting for a response
GIVE_UP = 0.1  # share of the commands without a response that are not repeated
REPEAT = 0.1  # share of the acknowledged commands that are sent again
_PAUSE = 0.02  # seconds between two looks at a table where others have the turn


class Seating:
    """A table that one client opens and others join; its successors follow one another until the run ends."""

    def __init__(self, game: str, *, bots: int = 0, seconds: int | None = None) -> None:
        self.game = game
        self.bots = bots
        self.seconds = seconds
        self.tables: list[tuple[str, str]] = []  # with their invitations
        self.opened = threading.Condition()

    def add(self, table: str, code: str) -> None:
        with self.opened:
            self.tables.append((table, code))
            self.opened.notify_all()


class Client:
    """A client with a secret of its own, which sends each request through any of the proxies."""

    def __init__(self, name: str, history: History, proxies: Sequence[CuttingProxy], stop: threading.Event) -> None:
        self.name = name
        self.history = history
        self.stop = stop
        self.rng = Random(name)
        first = Person(proxies[0])  # type: ignore[arg-type] # it needs an address only
        self.ways = [first, *(Person(proxy, first.secret) for proxy in proxies[1:])]  # type: ignore[arg-type]
        for way in self.ways:
            way.http.timeout = httpx.Timeout(TIMEOUT)
        self.tables: list[str] = []  # that this client has been at
        self.failure: BaseException | None = None
        self._keys = 0
        self._threads: list[threading.Thread] = []

    def start(self, *works: Any) -> None:
        """Runs these functions, each in a thread of its own."""
        self._threads = [threading.Thread(target=self._guard, args=(work,), daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    def join(self, seconds: float) -> list[str]:
        """Waits until the client has stopped; returns what went wrong."""
        for thread in self._threads:
            thread.join(seconds)
        slow = [f"{self.name} does not stop" for thread in self._threads if thread.is_alive()]
        return [*slow, *([f"{self.name}: {self.failure!r}"] if self.failure else [])]

    def _guard(self, work: Any) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - told by `join`
            self.failure = error

    # operations

    def command(self, what: str, table: str, **body: object) -> Operation:
        """Sends a command until there is a response, or gives up."""
        self._keys += 1
        body = {"key": f"{self.name}-{self._keys}-{self.rng.getrandbits(32):08x}", **body}
        path = f"/api/tables/{table}/{what}" if table else "/api/tables"
        operation = self._perform(what, table, body, lambda way: way.post(path, **body), give_up=bool(table))
        if operation.outcome is Outcome.OK and self.rng.random() < REPEAT:
            with contextlib.suppress(httpx.TransportError):
                outcome, response = self._send(lambda way: way.post(path, **body))
                assert outcome is Outcome.UNKNOWN or response == operation.response, f"{operation} got {response}"
        return operation

    def look(self, table: str, **query: object) -> dict[str, Any]:
        """The table as this client may see it, as soon as a server responds."""
        ask = self._perform("look", table, query, lambda way: way.get(f"/api/tables/{table}", **query).json())
        return {**ask.response, "table": ask.response.get("seen", {})} if ask.response else {}

    def events(self, table: str, after: int) -> None:
        """Reads the events after one."""
        path = f"/api/tables/{table}/events"
        self._perform("events", table, {"after": after}, lambda way: way.get(path, after=after).json())

    def _perform(
        self, what: str, table: str, body: dict[str, Any], request: Any, *, give_up: bool = False
    ) -> Operation:
        operation = self.history.invoke(self.name, what, table, body)
        while True:
            operation.attempts += 1
            try:
                outcome, response = self._send(request)
            except httpx.TransportError:
                outcome, response = Outcome.UNKNOWN, {}
            if what in ("look", "events"):  # a table's name and its view have the same word
                response = {"seen" if key == "table" else key: value for key, value in response.items()}
            if outcome is not Outcome.UNKNOWN:
                self.history.complete(operation, outcome, response)
                return operation
            if give_up and self.rng.random() < GIVE_UP:
                return operation
            time.sleep(0.05)

    def _send(self, request: Any) -> tuple[Outcome, dict[str, Any]]:
        try:
            return Outcome.OK, request(self.rng.choice(self.ways))
        except Refused as refused:
            if refused.status > 503 or refused.status == 500:
                raise
            return (Outcome.UNKNOWN if refused.status == 503 else Outcome.REFUSED), refused.body

    # what clients do

    def host(self, seating: Seating) -> None:
        """Opens tables and plays at them, one after the other."""
        others = [{"kind": "bot", "player": "level:1"}] * seating.bots or [{"kind": "open"}]
        seats = [{"kind": "person", "name": self.name}, *others]
        while not self.stop.is_set():
            opened = self.command("open", "", game=seating.game, seats=seats, seconds=seating.seconds, late="first")
            assert opened.outcome is Outcome.OK, opened
            table = opened.response["table"]
            self.tables.append(table)
            seating.add(table, self.look(table)["table"]["code"])
            self._play(table, 0)

    def guest(self, seating: Seating) -> None:
        """Joins one table after the other, and plays there."""
        for table, code in self._follow(seating):
            self.tables.append(table)
            while not self.stop.is_set():
                self.command("join", table, name=self.name, code=code, seat=1)
                seats = self.look(table)["table"].get("seats")  # the outcome may be unknown; strangers see no table
                if seats and seats[1]["kind"] == "person":
                    self._play(table, 1)
                    break

    def watch(self, seating: Seating) -> None:
        """Follows the streams of all tables, of each until its match is over."""
        for table, code in self._follow(seating):
            self.tables.append(table)
            while self.command("watch", table, code=code).outcome is Outcome.UNKNOWN and not self.stop.is_set():
                pass  # given up, and tried again as another command
            self._stream(table)

    def _follow(self, seating: Seating) -> Any:
        number = 0
        while not self.stop.is_set():
            with seating.opened:
                seating.opened.wait_for(lambda: len(seating.tables) > number or self.stop.is_set(), 0.5)  # noqa: B023
            if len(seating.tables) > number:
                yield seating.tables[number]
                number += 1

    def _play(self, table: str, seat: int) -> None:
        """Plays until the match is over."""
        while not self.stop.is_set():
            now = self.look(table, seat=seat)
            view, version = now["table"], now["version"]
            if view["status"] == "over":
                return
            if view["status"] == "gathering":
                if seat == 0 and not any(one["kind"] == "open" for one in view["seats"]):
                    self.command("start", table)
            elif view["status"] == "paused":
                self.command("continue", table)
            elif (ask := view["ask"]) and ask["seat"] != seat:
                self.command("answer", table, seat=seat, version=version, yes=self.rng.random() < 0.5)
            elif (view["waiting"], view["turn"]) == ("person", seat):
                draft = [self.rng.choice(now["position"]["choices"])["text"]]
                done = self.command("actions", table, seat=seat, version=version, draft=draft)
                if done.outcome is Outcome.OK and self.rng.random() < 0.05:
                    self.command("undo", table, seat=seat, version=done.response["version"])
            if self.rng.random() < 0.2:
                self.events(table, self.rng.randrange(version + 1))
            time.sleep(_PAUSE)

    def _stream(self, table: str) -> None:
        """Follows a stream, which is resumed whenever it is cut, until the match is over."""
        streamed, last = self.history.stream(self.name, table), None
        while not self.stop.is_set():
            at = self.rng.choice(self.ways).at(table)
            with contextlib.suppress(httpx.TransportError, Refused), at.stream(after=last) as stream:
                streamed.connections += 1
                for event in stream:
                    last = int(event["id"]) if "id" in event else last
                    if event["event"] == "happened":
                        streamed.events.append(event["data"])
                    elif event["event"] == "table" and event["data"]["table"]["status"] == "over":
                        return
                    if self.stop.is_set():
                        return
            time.sleep(_PAUSE)
