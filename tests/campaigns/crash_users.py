"""Simulated users of a crash test."""

from __future__ import annotations

import contextlib
import hashlib
import threading
import time
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import httpx

from tests.campaigns.crash_checks import AcknowledgedCommand
from tests.campaigns.crash_plan import TablePlan
from tests.support.server import Person, Refused, TableClient

if TYPE_CHECKING:
    from tests.campaigns.crash_evening import Evening

STALE_CODES = {"stale", "not-pending", "not-now"}  # of refusals that are fine: the table has changed in the meantime
MAX_UNDOS = 3


def make_users(evening: Evening, plan: TablePlan) -> Iterator[SimulatedUser]:
    """The people and spectators of a table; a table of bots has one user, who opens it."""
    table = SharedTable(plan)
    for seat in range(max(plan.people, 1)):
        yield SimulatedUser(evening, table, seat)
    if plan.watched:
        yield SimulatedUser(evening, table, None)


class SharedTable:
    """A table that one user opens and others join."""

    def __init__(self, plan: TablePlan) -> None:
        self.plan = plan
        self.there = threading.Event()
        self.table = ""
        self.code = ""


class SimulatedUser:
    """A user who plays or watches like a browser: follows the event stream and sends commands."""

    def __init__(self, evening: Evening, shared: SharedTable, seat: int | None) -> None:
        self.evening = evening
        self.shared = shared
        self.plan = shared.plan
        self.seat = seat
        self.rng = Random(f"{evening.seed} {evening.plans.index(self.plan)} {seat}")
        self.person = Person(evening.server)
        self.name = f"SimulatedUser {seat}"
        self.nonce = self.rng.randbytes(16)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.latest: dict = {}  # the last table event of the stream
        self.undos = 0
        self.moves = 0
        self.answered: set[tuple[str, int]] = set()  # (table, number) of the questions that this user has answered

    def run(self) -> None:
        """Runs the whole evening of this user."""
        try:
            at: TableClient | None = self._open() if self.seat == 0 else self._join()
            while at is not None and self.plan.people:
                at = self._follow(at)
        except BaseException as error:  # noqa: BLE001 - raised by Evening.play
            self.evening.failures.append(error)

    def command(self, table: str, command: str, **body: object) -> dict:
        """Sends a command until there is a response; an empty one if the table has changed in the meantime."""
        key = self.rng.randbytes(9).hex()
        path = f"/api/tables/{table}/{command}" if table else "/api/tables"
        self.evening.unacknowledged[key] = command
        try:
            response = self.evening.retry(lambda: self.person.post(path, key=key, **body))
        except Refused as refused:
            if refused.code not in STALE_CODES:
                raise
            self.evening.count("commands refused because the table had changed")
            return {}
        finally:
            del self.evening.unacknowledged[key]
        self.evening.acknowledged.append(AcknowledgedCommand(table or response["table"], command, key, body, response))
        return response

    def _commit(self) -> str:
        return hashlib.sha256(self.nonce).hexdigest()

    def _open(self) -> TableClient:
        plan, shared = self.plan, self.shared
        me = {"kind": "person", "name": self.name, "commit": self._commit()}
        others = [{"kind": "open"}] * (plan.people - 1) + [{"kind": "bot", "player": bot} for bot in plan.bots]
        seats = [me, *others] if plan.people else others
        table = self.command("", "open", game=plan.game, seats=seats, games=plan.games)["table"]
        at = self.person.at(table)
        shared.table, shared.code = table, self.evening.retry(at.look)["table"]["code"]
        shared.there.set()
        return at

    def _join(self) -> TableClient:
        while not self.shared.there.wait(1):
            assert not self.evening.failures, "another user has failed"
        code = self.shared.code
        at = self.person.at(self.shared.table)
        if self.seat is None:
            self.command(at.table, "watch", code=code)
        else:
            self.command(at.table, "join", code=code, seat=self.seat, name=self.name, commit=self._commit())
        return at

    def _follow(self, at: TableClient) -> TableClient | None:
        """Plays along the stream and returns the table of the rematch; checks that every event arrives exactly once."""
        events: list[dict] = []
        has_rematch = self.plan.rematch and at.table == self.shared.table
        following = None
        with contextlib.closing(self._stream(at)) as stream:
            for event in stream:
                if event["event"] == "happened":
                    assert not events or event["data"]["number"] > events[-1]["number"], event
                    events.append(event["data"])
                if event["event"] != "table":
                    continue
                self.latest = event["data"]
                if self.latest["table"]["status"] != "over":
                    if self.seat is not None:
                        self._act(at, self.seat, self.latest)
                else:
                    if has_rematch and self.seat is not None and following is None:
                        following = self.command(at.table, "rematch")["table"]
                    if not has_rematch or events[-1]["kind"] == "followed":
                        break
        told = self.evening.retry(at.events)
        assert told["events"] == events, f"evening {self.evening.seed}: the stream of {at.table} differs"
        self.evening.count("events streamed", len(events))
        if self.seat == 0:
            self.evening.check_record(at, self.plan)
        if following is None:
            return None
        self.command(following, "join", name=self.name, commit=self._commit())
        return self.person.at(following)

    def _stream(self, at: TableClient) -> Iterator[dict]:
        """The event stream, resumed whenever it is cut."""
        last = None
        while True:
            with contextlib.suppress(httpx.TransportError), at.stream(after=last) as stream:
                self.evening.count("streams resumed", int(last is not None))
                for event in stream:
                    last = int(event["id"]) if "id" in event else last
                    yield event
            assert time.monotonic() < self.evening.deadline, f"evening {self.evening.seed} does not finish"
            assert not self.evening.failures, "another user has failed"
            self.evening.up.wait(1)
            time.sleep(0.01)

    def _act(self, at: TableClient, seat: int, now: dict) -> None:
        table, version = now["table"], now["version"]
        mine = (table["waiting"], table["turn"]) == ("person", seat)
        if table["status"] == "gathering" and not any(one["kind"] == "open" or one["kept"] for one in table["seats"]):
            self.command(at.table, "start")
        elif table["status"] == "revealing" and table["fair"]["nonces"][seat] is None:
            self.command(at.table, "reveal", seat=seat, nonce=self.nonce.hex())
        elif table["status"] == "paused":
            self.command(at.table, "continue")
        elif (ask := table["ask"]) and ask["seat"] != seat:
            if (at.table, ask["number"]) not in self.answered:
                self.answered.add((at.table, ask["number"]))
                self.command(at.table, "answer", seat=seat, version=version, yes=self.rng.random() < 0.7)
        elif mine and self.moves == self.plan.moves:
            self.command(at.table, "resign", seat=seat)
        elif mine:
            self._move(at, seat, now)

    def _move(self, at: TableClient, seat: int, now: dict) -> None:
        """Plays one or two actions, and sometimes asks to undo them."""
        draft = [self.rng.choice(now["position"]["choices"])["text"]]
        if self.rng.random() < 0.3:
            with contextlib.suppress(httpx.TransportError, Refused):
                more = at.ask("preview", seat=seat, version=now["version"], draft=draft)
                draft += [] if more["complete"] else [self.rng.choice(more["choices"])["text"]]
        done = self.command(at.table, "actions", seat=seat, version=now["version"], draft=draft)
        self.moves += bool(done)
        if done and self.undos < MAX_UNDOS and self.plan.people < 3 and self.rng.random() < 0.2:
            self.undos += bool(self.command(at.table, "undo", seat=seat, version=done["version"]))
