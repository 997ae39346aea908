"""Evenings at a server that is killed again and again while people and bots play, and what must be true all the same.

Whoever gets no answer repeats the command with the same key; whoever loses the stream comes back with the last event.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar

import httpx
import psutil

from spieltisch.match.verify import verify
from spieltisch.records import read
from tests.support.serving import At, Person, Refused, Server, quiet_port

T = TypeVar("T")
PATIENCE = 300.0  # for a whole evening
GONE_ON = {"stale", "not-pending", "not-now"}  # why a command may be refused: the table has gone on meanwhile
MOST_UNDONE = 3
_CLEARED = "resource_tracker"  # Python itself tells that it cleared up after a process that was killed


class Plan(NamedTuple):
    """A table of an evening: its people, who else sits there, and how long they stay."""

    game: str
    people: int
    bots: tuple[str, ...] = ()
    games: int = 1
    rematch: bool = False
    watched: bool = False
    moves: int | None = None  # after which somebody resigns, unless the game is over before

    @property
    def played(self) -> int:
        return self.games * (1 + self.rematch)


def evening(seed: int) -> list[Plan]:
    """Twelve games, most of them quick, now and then one with a judge."""
    return [
        Plan("template", 1, ("level:1",)),
        Plan("template", 2, rematch=True, watched=True),
        Plan("template", 0, ("level:2", "level:1", "level:1")),
        Plan("template", 1, ("level:2", "level:1")),
        Plan("bigpoints", 1, ("level:3",)),
        Plan("bigpoints", 2, games=2),
        Plan("bigpoints", 3, watched=True),
        Plan("bigpoints", 0, ("level:1", "level:3")),
        Plan("rondo", 2, watched=True) if seed % 2 else Plan("rondo", 1, ("level:1",)),
        Plan("template", 2, ("level:1",)) if seed % 4 else Plan("turmbauer", 1, ("level:1",), moves=8),
    ]


class Sent(NamedTuple):
    """A command that was answered, and so is to be kept for ever."""

    table: str
    what: str
    key: str
    body: dict
    answer: dict


class Kept(NamedTuple):
    """What is in the store: every table's lines and what it waits for, every answer, and the games that ended."""

    rows: dict[str, list[tuple[str, int]]]
    waits: dict[str, str]
    answers: dict[tuple[str, str], dict]
    ended: Counter[str]


def look_into(file: Path) -> Kept:
    """What a server that was killed has left behind, read from a copy: the next server is to find it as it was."""
    with tempfile.TemporaryDirectory() as folder:
        for name in (file.name, f"{file.name}-wal"):
            if (file.parent / name).exists():
                shutil.copy(file.parent / name, folder)
        with contextlib.closing(sqlite3.connect(Path(folder) / file.name)) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            rows: dict[str, list[tuple[str, int]]] = {}
            for table, number, line, at in copy.execute('SELECT * FROM log ORDER BY "table", number'):
                rows.setdefault(table, []).append((line, at))
                assert len(rows[table]) == number, f"{table} has a gap before line {number}"
            answers = copy.execute('SELECT "table", key, answer FROM answers')
            return Kept(
                rows,
                dict(copy.execute("SELECT id, waits FROM tables")),
                {(table, key): json.loads(answer) for table, key, answer in answers},
                Counter(table for (table,) in copy.execute('SELECT "table" FROM tallies')),
            )


class Evening:
    """A server, everybody who plays there, and everything that they were answered and told."""

    def __init__(self, folder: Path, seed: int, plans: Sequence[Plan]) -> None:
        self.seed = seed
        self.plans = plans
        self.chance = Random(f"crash {seed}")
        self.server = Server(folder, port=quiet_port())
        self.up = threading.Event()
        self.up.set()
        self.sent: list[Sent] = []
        self.asked: dict[str, str] = {}  # by its key, what nobody has answered yet
        self.failures: list[BaseException] = []
        self.counts: Counter[str] = Counter()
        self.noting = threading.Lock()
        self.end = time.monotonic() + PATIENCE
        self.before = Kept({}, {}, {}, Counter())
        self.guests = [guest for plan in plans for guest in _guests(self, plan)]

    def insist(self, ask: Callable[[], T]) -> T:
        """The answer, asked for again and again while the server is down."""
        while True:
            assert time.monotonic() < self.end, f"evening {self.seed} does not end"
            try:
                return ask()
            except httpx.TransportError:
                self.up.wait(1)
                time.sleep(0.01)

    def play(self, kills: int, least: int = 0) -> None:
        """Lets everybody play while the server is killed so many times, after at least so many commands each, and then
        to the end.
        """
        for guest in self.guests:
            guest.thread.start()
        for kill in range(kills):
            self._wait_for_a_moment(least, judged=kill == 1)
            self._kill(self.server.process)
            self.server._ended()
            self._look_after_kill()
            if self.chance.random() < 0.3:
                self._kill_at_birth()
            self.server.begin()
            self.up.set()
        while self._is_going_on() and time.monotonic() < self.end:
            time.sleep(0.05)
        if self.failures:
            raise self.failures[0]
        left = [guest.told for guest in self.guests if guest.thread.is_alive()]
        assert not left, f"evening {self.seed} does not end: {left}"
        self._wait_for_bots()
        for guest in self.guests:
            if not guest.plan.people:
                self.check_record(guest.person.at(guest.invitation.table), guest.plan)
        assert self.server.end() == 0
        assert not self.server.errors, "".join(self.server.errors)

    def note(self, what: str, times: int = 1) -> None:
        """Counts what is reported in the end."""
        with self.noting:
            self.counts[what] += times

    def check_record(self, at: At, plan: Plan) -> None:
        """Proves every draw of a match that is over."""
        text = self.insist(at.record)
        found = verify(read(text))
        assert found.proven
        assert found.finished or plan.moves is not None
        self.note("games", found.games)
        self.note("draws verified", sum(line.startswith("*") for line in text.splitlines()))

    def _is_going_on(self) -> bool:
        return not self.failures and any(guest.thread.is_alive() for guest in self.guests)

    def _wait_for_a_moment(self, least: int, *, judged: bool) -> None:
        """Waits until so many more commands are answered, and an instant; once, until a verdict is waited for."""
        if judged and any(plan.moves for plan in self.plans):
            self._wait_in_store(lambda waits: "judge" in waits.values() or not self._is_going_on(), 10.0)
            return
        enough = len(self.sent) + max(least, self.chance.choice((0, 5, 20, 40, 60)))
        end = time.monotonic() + 10
        while len(self.sent) < enough and time.monotonic() < end and self._is_going_on():
            time.sleep(0.001)
        time.sleep(self.chance.random() * 0.05)

    def _wait_in_store(self, true: Callable[[dict[str, str]], bool], seconds: float) -> dict[str, str]:
        """Waits until something is true of what the tables wait for, without asking the server anything."""
        end = time.monotonic() + seconds
        with contextlib.closing(sqlite3.connect(f"file:{self.server.file}?mode=ro", uri=True)) as store:
            while True:
                waits = dict(store.execute("SELECT id, waits FROM tables"))
                if true(waits) or time.monotonic() > end:
                    return waits
                time.sleep(0.002)

    def _wait_for_bots(self) -> None:
        """Waits for the tables that nobody looks at: bots go on there by themselves."""
        waits = self._wait_in_store(
            lambda waits: not {"bot", "judge"} & set(waits.values()), self.end - time.monotonic()
        )
        assert set(waits.values()) == {"nobody"}, waits

    def _kill(self, process: subprocess.Popen[str]) -> None:
        """Kills the server at this very moment; nobody whom it has begun may outlive it."""
        server = psutil.Process(process.pid)
        server.suspend()
        children = server.children(recursive=True)
        self.up.clear()
        process.kill()
        process.wait(60)
        _, alive = psutil.wait_procs(children, timeout=60)
        left = [child for child in alive if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
        assert not left, f"the killed server left {left} behind"
        self.note("kills")
        self.note("worker processes that ended with the server", len(children))

    def _kill_at_birth(self) -> None:
        """Kills the next server while it begins."""
        command = [sys.executable, "-m", "spieltisch", "serve", "--data", str(self.server.file)]
        quiet = subprocess.DEVNULL
        with subprocess.Popen(
            [*command, "--port", str(self.server.port)], stdout=quiet, stderr=quiet, text=True
        ) as born:
            time.sleep(self.chance.random() * 2.0)
            self._kill(born)
        self.note("kills during startup")

    def _look_after_kill(self) -> None:
        """Holds what is left behind against what was answered, and against what was left behind before."""
        answered, unanswered = list(self.sent), set(self.asked)
        assert all(_CLEARED in line or "warnings.warn" in line for line in self.server.errors), self.server.errors
        kept = look_into(self.server.file)
        for table, rows in self.before.rows.items():
            assert kept.rows[table][: len(rows)] == rows, f"{table} has changed behind"
        for one in answered:
            assert kept.answers[one.table, one.key] == one.answer, f"{one} is lost"
            assert one.answer.get("version", 0) <= len(kept.rows[one.table]), f"{one} is lost"
        done = len({key for _, key in kept.answers} & set(unanswered))
        self.note("commands without a response at a kill", len(unanswered))
        self.note("of those, already stored and acknowledged when repeated", done)
        for kind in ("bot", "judge"):
            self.note(f"tables that waited for a {kind} at a kill", list(kept.waits.values()).count(kind))
        self.before = kept


def _guests(evening: Evening, plan: Plan) -> Iterator[Guest]:
    table = Invitation(plan)
    for seat in range(max(plan.people, 1)):
        yield Guest(evening, table, seat)
    if plan.watched:
        yield Guest(evening, table, None)


class Invitation:
    """A table that somebody opens and others come to."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.there = threading.Event()
        self.table = ""
        self.code = ""


class Guest:
    """Somebody who plays or watches, as a browser does: told by the stream, acting by commands."""

    def __init__(self, evening: Evening, invitation: Invitation, seat: int | None) -> None:
        self.evening = evening
        self.invitation = invitation
        self.plan = invitation.plan
        self.seat = seat
        self.chance = Random(f"{evening.seed} {evening.plans.index(self.plan)} {seat}")
        self.person = Person(evening.server)
        self.name = f"Guest {seat}"
        self.nonce = self.chance.randbytes(16)
        self.thread = threading.Thread(target=self.stay, daemon=True)
        self.told: dict = {}  # last by the stream
        self.undone = 0
        self.moved = 0
        self.answered: set[tuple[str, int]] = set()  # what was asked at which table, and answered by this guest

    def stay(self) -> None:
        """The whole evening of a guest."""
        try:
            at: At | None = self._open() if self.seat == 0 else self._come()
            while at is not None and self.plan.people:
                at = self._follow(at)
        except BaseException as error:  # noqa: BLE001 - told where the evening is waited for
            self.evening.failures.append(error)

    def command(self, table: str, what: str, **body: object) -> dict:
        """The answer to a command, sent until it comes; an empty one where the table has gone on meanwhile."""
        key = self.chance.randbytes(9).hex()
        path = f"/api/tables/{table}/{what}" if table else "/api/tables"
        self.evening.asked[key] = what
        try:
            answer = self.evening.insist(lambda: self.person.post(path, key=key, **body))
        except Refused as refused:
            if refused.code not in GONE_ON:
                raise
            self.evening.note("commands refused because the table had changed")
            return {}
        finally:
            del self.evening.asked[key]
        self.evening.sent.append(Sent(table or answer["table"], what, key, body, answer))
        return answer

    def _commit(self) -> str:
        return hashlib.sha256(self.nonce).hexdigest()

    def _open(self) -> At:
        plan, invitation = self.plan, self.invitation
        me = {"kind": "person", "name": self.name, "commit": self._commit()}
        others = [{"kind": "open"}] * (plan.people - 1) + [{"kind": "bot", "player": bot} for bot in plan.bots]
        seats = [me, *others] if plan.people else others
        table = self.command("", "open", game=plan.game, seats=seats, games=plan.games)["table"]
        at = self.person.at(table)
        invitation.table, invitation.code = table, self.evening.insist(at.look)["table"]["code"]
        invitation.there.set()
        return at

    def _come(self) -> At:
        while not self.invitation.there.wait(1):
            assert not self.evening.failures, "somebody else has failed"
        code = self.invitation.code
        at = self.person.at(self.invitation.table)
        if self.seat is None:
            self.command(at.table, "watch", code=code)
        else:
            self.command(at.table, "join", code=code, seat=self.seat, name=self.name, commit=self._commit())
        return at

    def _follow(self, at: At) -> At | None:
        """Plays as the stream tells, and answers where it goes on; every event has come once, and none is missing."""
        events: list[dict] = []
        goes_on = self.plan.rematch and at.table == self.invitation.table
        following = None
        with contextlib.closing(self._stream(at)) as stream:
            for event in stream:
                if event["event"] == "happened":
                    assert not events or event["data"]["number"] > events[-1]["number"], event
                    events.append(event["data"])
                if event["event"] != "table":
                    continue
                self.told = event["data"]
                if self.told["table"]["status"] != "over":
                    if self.seat is not None:
                        self._act(at, self.seat, self.told)
                else:
                    if goes_on and self.seat is not None and following is None:
                        following = self.command(at.table, "rematch")["table"]
                    if not goes_on or events[-1]["kind"] == "followed":
                        break
        told = self.evening.insist(at.events)
        assert told["events"] == events, f"evening {self.evening.seed}: the stream of {at.table} is another story"
        self.evening.note("events streamed", len(events))
        if self.seat == 0:
            self.evening.check_record(at, self.plan)
        if following is None:
            return None
        self.command(following, "join", name=self.name, commit=self._commit())
        return self.person.at(following)

    def _stream(self, at: At) -> Iterator[dict]:
        """The stream, taken up again where it was cut."""
        last = None
        while True:
            with contextlib.suppress(httpx.TransportError), at.stream(after=last) as stream:
                self.evening.note("streams resumed", int(last is not None))
                for event in stream:
                    last = int(event["id"]) if "id" in event else last
                    yield event
            assert time.monotonic() < self.evening.end, f"evening {self.evening.seed} does not end"
            assert not self.evening.failures, "somebody else has failed"
            self.evening.up.wait(1)
            time.sleep(0.01)

    def _act(self, at: At, seat: int, now: dict) -> None:
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
                self.command(at.table, "answer", seat=seat, version=version, yes=self.chance.random() < 0.7)
        elif mine and self.moved == self.plan.moves:
            self.command(at.table, "resign", seat=seat)
        elif mine:
            self._move(at, seat, now)

    def _move(self, at: At, seat: int, now: dict) -> None:
        """Plays one action or two, and now and then takes them back."""
        draft = [self.chance.choice(now["position"]["choices"])["text"]]
        if self.chance.random() < 0.3:
            with contextlib.suppress(httpx.TransportError, Refused):
                more = at.ask("preview", seat=seat, version=now["version"], draft=draft)
                draft += [] if more["complete"] else [self.chance.choice(more["choices"])["text"]]
        done = self.command(at.table, "actions", seat=seat, version=now["version"], draft=draft)
        self.moved += bool(done)
        if done and self.undone < MOST_UNDONE and self.plan.people < 3 and self.chance.random() < 0.2:
            self.undone += bool(self.command(at.table, "undo", seat=seat, version=done["version"]))


def check_log(evening: Evening) -> None:
    """Holds the log against all that was answered: everything is there, once, where it was said to be."""
    kept = look_into(evening.server.file)
    plans = {guest.invitation.table: guest.plan for guest in evening.guests}
    following = {json.loads(line[2:])["table"]: table for table, rows in kept.rows.items()
                 for line, _ in rows if line.startswith('@ {"do":"followed"')}  # fmt: skip
    assert set(kept.rows) == {*plans, *following}, "a table was opened twice, or not at all"
    for table in kept.rows:
        plan = plans[following.get(table, table)]
        answered = sorted(
            (one for one in evening.sent if one.table == table), key=lambda one: one.answer.get("version", 0)
        )
        _check_table([line for line, _ in kept.rows[table]], plan, answered)
        resigned = any(line.startswith('@ {"do":"resigned"') for line, _ in kept.rows[table])
        assert kept.ended[table] == (0 if resigned else plan.games)


def _check_table(lines: list[str], plan: Plan, answered: Sequence[Sent]) -> None:
    marks = [json.loads(line[2:]) for line in lines if line.startswith("@ ")]
    kinds = Counter(mark["do"] for mark in marks)
    did = Counter(one.what for one in answered)
    entries = [(int(line.split(" ", 1)[0]), line.split(" ", 1)[1]) for line in lines if line[:1].isdigit()]
    for seat in range(plan.people):
        drafts = [one for one in answered if one.what == "actions" and one.body["seat"] == seat]
        played = [text for one in drafts for text in one.body["draft"]]
        assert [text for actor, text in entries if actor == seat] == played, f"seat {seat}: {did}"
        assert sum(mark["do"] == "sat" and mark["seat"] == seat for mark in marks) == 1
        assert sum(mark["do"] == "revealed" and mark["seat"] == seat for mark in marks) == 1
    for one in answered:
        if one.what == "actions":
            before = [line for line in lines[: one.answer["version"]] if line[:1].isdigit()]
            draft = [f"{one.body['seat']} {text}" for text in one.body["draft"]]
            assert before[-len(draft) :] == draft, f"{one} is not where it was said to be"
    undone = sum(line.startswith("undo ") for line in lines)
    if plan.people == 1:
        assert undone == did["undo"]
    else:
        assert kinds["asked"] == did["undo"]
        assert kinds["answered"] == did["answer"]
        assert undone == sum(one.what == "answer" and one.body["yes"] is True for one in answered)
    assert kinds["resigned"] == bool(did["resign"]), "who resigns again is told yes, and nothing happens"
    assert plan.moves is not None or not did["resign"]
    assert kinds["gathered"] == 1
    assert sum(line.startswith("game ") for line in lines) == plan.games
