"""Event streams, ends and beginnings of the server, its bots, and the processes beside it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import select
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from random import Random
from urllib.parse import urlencode

import httpx
import psutil
import pytest
from sqlalchemy import text

from spieltisch.server.storage.store import Store
from spieltisch.server.workers.pool import WorkerLost, WorkerPool
from tests.support.serving import PATIENCE, Person, Refused, Server, quiet_port, serving, together

GAMES = ("template", "bigpoints", "rondo", "turmbauer")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server that nothing goes wrong in."""
    with serving(tmp_path_factory.mktemp("calm")) as server:
        yield server


@pytest.fixture(scope="module")
def restless(tmp_path_factory):
    """A server that is ended and begun again, and whose processes die."""
    server = Server(tmp_path_factory.mktemp("restless"), port=quiet_port())
    yield server
    server.end()


class Wire:
    """A stream read byte by byte, as the network gives it."""

    def __init__(self, at, last=None, receive=None, **query):
        self.events: list[dict] = []
        self.last = last
        self.ended = False  # as a chunked answer ends
        self.cut = False
        self._raw = self._body = b""
        self._begun = False
        self._left = 0  # of a chunk
        self.socket = socket.socket()
        if receive is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
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

    def take(self, most=1 << 16):
        """Takes what is there, and makes whole events of it."""
        try:
            more = self.socket.recv(most)
        except ConnectionResetError:
            more = b""
        self.cut = not more
        self._raw += more
        if not self._begun and b"\r\n\r\n" in self._raw:
            head, self._raw = self._raw.split(b"\r\n\r\n", 1)
            assert b" 200 OK\r\n" in head + b"\r\n", head
            assert b"text/event-stream" in head
            self._begun = True
        while self._begun and (self._left or (head := re.match(rb"(?:\r\n)?([0-9a-f]+)\r\n", self._raw))):
            if not self._left:
                self._left, self._raw = int(head[1], 16), self._raw[head.end() :]
                self.ended = not self._left
            part, self._raw = self._raw[: self._left], self._raw[self._left :]
            self._body += part
            self._left -= len(part)
            if not part:
                break
        *whole, self._body = self._body.split(b"\n\n")
        for one in whole:
            fields = dict(line.partition(": ")[::2] for line in one.decode().splitlines())
            if "data" in fields:
                self.last = int(fields.get("id", self.last or 0))
                self.events.append({**fields, "data": json.loads(fields["data"])})
        return more

    @property
    def happened(self):
        return [event["data"] for event in self.events if event["event"] == "happened"]

    @property
    def table(self):
        """How the table was told to be, last."""
        return next((one["data"] for one in reversed(self.events) if one["event"] == "table"), None)


def read_until(wires, true):
    """Reads all of these until something is true of each."""
    end = time.monotonic() + PATIENCE
    while left := [wire for wire in wires if not true(wire)]:
        assert time.monotonic() < end, f"{len(left)} have waited for too long"
        for wire in select.select(left, [], [], 1)[0]:
            wire.take()


def move(*people):
    """Lets whoever is to move take one action."""
    seat = people[0].look()["table"]["turn"]
    now = people[seat].look(seat=seat)
    draft = [now["position"]["choices"][0]["text"]]
    return people[seat].do("actions", seat=seat, version=now["version"], draft=draft)["version"]


def is_over(wire):
    return wire.table is not None and wire.table["table"]["status"] == "over"


def wait_in_store(server, tables, kind):
    """Waits until all of these tables wait for that, without asking the server anything."""
    end = time.monotonic() + PATIENCE
    with contextlib.closing(sqlite3.connect(f"file:{server.file}?mode=ro", uri=True)) as store:
        while True:
            waits = dict(store.execute("SELECT id, waits FROM tables"))
            if {waits[at.table] for at in tables} == {kind}:
                return
            assert time.monotonic() < end, waits
            time.sleep(0.02)


def bot_worker_of(server):
    (worker,) = [child for child in beside(server) if child.nice()]
    return worker


def rules_worker_of(server):
    (worker,) = [child for child in beside(server) if not child.nice()]
    return worker


def beside(server):
    return [child for child in server.children() if "spieltisch.processes" in " ".join(child.cmdline())]


def run(*flags, **environment):
    command = [sys.executable, "-m", "spieltisch", "serve", "--language", "en", *flags]
    asked = {"capture_output": True, "text": True, "timeout": PATIENCE, "env": {**os.environ, **environment}}
    return subprocess.run(command, check=False, **asked)


# the loop: measured first, for the measure is the longest pause that ever was


# resumption


@pytest.fixture(scope="module")
def played(server):
    """A game that is over, with a name for its host."""
    at = Person(server).opens("template", "Ada", "level:1", games=1)
    at.play(0)
    return at


@pytest.mark.parametrize("part", [0.0, 0.3, 0.7, 1.0])
def test_a_stream_begins_with_exactly_what_was_missed_and_then_tells_the_table(played, part):
    told = played.events()
    known = int(told["version"] * part)
    missed = [event for event in told["events"] if event["number"] > known]
    assert played.events(after=known)["events"] == missed
    with Wire(played, last=known) as by_header, Wire(played, after=known) as by_query:
        for wire in (by_header, by_query):
            read_until([wire], is_over)
            assert wire.happened == missed
            kept = [event for event in wire.events if event["event"] != "here"]
            assert [event["event"] for event in kept] == [*["happened"] * len(missed), "table"]
            ids = [int(event["id"]) for event in kept]
            assert ids == [*(event["number"] for event in missed), told["version"]]
            assert wire.table == {key: told[key] for key in ("version", "table", "position")}


def test_the_last_event_of_a_browser_counts_more_than_the_address_it_began_with(played):
    version = played.look()["version"]
    with Wire(played, last=version, after=0) as again, Wire(played, last="nonsense", after=version) as odd:
        read_until([again, odd], is_over)
        assert again.happened == odd.happened == []


def test_whoever_comes_with_an_event_that_is_yet_to_be_gets_the_table_and_what_comes_then(server):
    at = Person(server).opens("template", "Ada", "Bob", first=0)
    version = at.look()["version"]
    with Wire(at, last=version + 50) as ahead:
        read_until([ahead], lambda wire: wire.table)
        assert ahead.happened == []
        move(at, at)
        read_until([ahead], lambda wire: wire.table["version"] > version)
        assert ahead.happened == at.events(after=version)["events"]


def test_wherever_a_connection_is_cut_what_is_missing_comes_after_it_once(server):
    at = Person(server).opens("bigpoints", "level:1", "level:1", games=1)
    chance, events, last, cuts = Random(8), [], None, 0
    while True:
        with Wire(at, last=last) as wire:
            left = chance.randrange(20, 9000)
            while left > 0 and not is_over(wire) and (more := wire.take(left)):
                left -= len(more)
        events += wire.happened
        last = wire.last
        if is_over(wire):
            break
        cuts += 1
    assert events == at.events()["events"]
    assert cuts > 10


def test_several_streams_of_one_browser_tell_the_same(server):
    at = Person(server).opens("template", "Ada", "level:1")
    wires = [Wire(at) for _ in range(5)]
    at.play(0)
    read_until(wires, is_over)
    assert all(wire.happened == at.events()["events"] for wire in wires)
    assert len({json.dumps(wire.table) for wire in wires}) == 1
    for wire in wires:
        wire.socket.close()


def test_a_hundred_streams_at_once_each_tell_everything_as_their_seat_may_know_it(server):
    ada, bob = together(server, "template", "Ada", "Bob", public=True, first=0)
    others = [Person(server).at(ada.table) for _ in range(6)]
    lookers = [[ada, bob, *others][number % 8] for number in range(100)]
    wires = [Wire(at) for at in lookers]
    for _ in range(8):
        version = move(ada, bob)
    read_until(wires, lambda wire: wire.table is not None and wire.table["version"] == version)
    expected = {id(at): at.events()["events"] for at in (ada, bob, *others)}
    for at, wire in zip(lookers, wires, strict=True):
        assert wire.happened == expected[id(at)]
        wire.socket.close()
    texts = [[event["text"] for event in expected[id(at)]] for at in (ada, bob, others[0])]
    assert texts[0] != texts[1] != texts[2]


# slow ones


def test_a_slow_reader_gets_everything_in_its_own_time(server):
    at = Person(server).opens("bigpoints", "level:1", "level:1", games=1)
    with Wire(at, receive=4096) as slow:
        read_until([slow], lambda wire: wire.table)
        at.wait_until(lambda now: now["table"]["status"] == "over")  # the whole game, nothing of which is read
        while not is_over(slow):
            assert slow.take(1500)
        assert slow.happened == at.events()["events"]


def test_clients_that_never_read_delay_nobody_and_fill_no_memory(restless):
    at = Person(restless).opens("rondo", "level:1", "level:1", games=1)
    deaf = [Wire(at, receive=2048) for _ in range(40)]
    process = psutil.Process(restless.process.pid)
    with Wire(at) as reader:
        read_until([reader], lambda wire: wire.table)
        before = process.memory_info().rss
        other = Person(restless).opens("template", "Ada", "level:1")
        assert other.play(0)["table"]["status"] == "over"
        read_until([reader], is_over)
        assert reader.happened == at.events()["events"]
    assert process.memory_info().rss - before < 15_000_000  # of more than 30 that these were sent
    begun = time.monotonic()
    assert restless.end() == 0
    assert time.monotonic() - begun < 20
    for wire in deaf:
        wire.socket.close()
    restless.begin()


# ends and beginnings


def test_told_to_end_the_server_ends_its_streams_properly_and_goes_on_when_it_is_back(restless):
    person = Person(restless)
    mine = person.opens("template", "Ada", "level:1", first=0, games=1)
    bots = [person.opens("template", "level:3", "level:1", games=1) for _ in range(3)]
    mine.play(0, steps=1)
    tables = [mine, *bots]
    wires = [Wire(at) for at in tables for _ in range(3)]
    read_until(wires, lambda wire: wire.table)
    children = restless.children()
    begun, heard = time.monotonic(), len(restless.errors)
    restless.process.send_signal(signal.SIGTERM)
    read_until(wires, lambda wire: wire.ended)
    assert restless._ended() == 0
    assert time.monotonic() - begun < 20
    assert restless.errors[heard:] == []
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    assert not [child for child in alive if child.status() != psutil.STATUS_ZOMBIE]
    assert not any(is_over(wire) for wire in wires[:3])
    restless.begin()
    again = [Wire(at, last=wire.last) for at, wire in zip([at for at in tables for _ in range(3)], wires, strict=True)]
    mine.play(0)
    read_until(again, is_over)
    for number, at in enumerate(tables):
        for one in range(3 * number, 3 * number + 3):
            assert wires[one].happened + again[one].happened == at.events()["events"]
            again[one].socket.close()
            wires[one].socket.close()


def test_after_a_restart_bots_go_on_though_nobody_looks_and_other_tables_are_broken(restless):
    person = Person(restless)
    bot_worker_of(restless).suspend()  # nobody decides before the end
    tables = [person.opens("template", "level:1", "level:2", games=1) for _ in range(5)]
    assert restless.end() == 0
    wait_in_store(restless, tables, "bot")
    broken, orphaned = sorted(tables, key=lambda at: at.table)[:2]  # taken up before the others
    with contextlib.closing(sqlite3.connect(restless.file)) as store, store:
        change = 'UPDATE log SET line = replace(line, ?, ?) WHERE "table" = ?'
        store.execute(change, ('"do":"opened"', '"do":"closed"', broken.table))
        store.execute(change, ('"player":"level:2"', '"player":"gone"', orphaned.table))
    restless.begin()
    tables.remove(broken)
    wait_in_store(restless, tables, "nobody")
    assert all(at.look()["table"]["status"] == "over" for at in tables)
    failed = [event["words"] for event in orphaned.events()["events"] if event["kind"] == "failed"]
    assert failed == ["The bot Bot 2 has failed; another one plays on."]
    with pytest.raises(Refused, match="Something went wrong here"):
        broken.look()


def test_a_second_server_on_the_same_file_is_refused_with_a_sentence(server):
    ran = run("--data", str(server.file), "--port", "0")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"{server.file} is in use: another server has it.\n"
    assert Person(server).get("/healthz").json()["status"] == "ok"


def test_a_port_that_is_in_use_and_a_file_that_is_none_are_refused_with_a_sentence(server, tmp_path):
    ran = run("--data", str(tmp_path / "tables.sqlite"), "--port", str(server.port))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"127.0.0.1:{server.port} cannot be listened at. Is another server running there?\n"
    (tmp_path / "text").write_text("no database\n" * 100)
    ran = run("--data", str(tmp_path / "text"), "--port", "0")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"Tables cannot be kept in {tmp_path / 'text'}.\n"
    assert (tmp_path / "text").read_text() == "no database\n" * 100


def test_everything_can_be_told_by_the_environment_and_the_local_network_is_told_its_address(tmp_path):
    told = {"LAN": "1", "PORT": "0", "DATA": str(tmp_path / "here.sqlite"), "BOT_WORKERS": "1", "LANGUAGE": "de"}
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    environment |= {f"SPIELTISCH_SERVE_{name}": value for name, value in told.items()}
    with subprocess.Popen(
        [sys.executable, "-m", "spieltisch", "serve"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:  # fmt: skip
        here, there, end = (process.stdout.readline() for _ in range(3))
        try:
            assert here.startswith("Der Spieltisch ist bereit: http://127.0.0.1:")
            assert there.startswith("Für andere in diesem Netz: http://")
            assert end.startswith(f"Alles wird in {tmp_path / 'here.sqlite'} gespeichert.")
            port = here.strip().rstrip("/").rpartition(":")[2]
            assert there.strip().endswith(f":{port}/")
            assert httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE).json()["status"] == "ok"
            listening = [
                one.laddr.ip for one in psutil.Process(process.pid).net_connections() if one.status == "LISTEN"
            ]
            assert listening == ["0.0.0.0"]  # noqa: S104 - as --lan asks
        finally:
            process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, errors) == (0, "", "")


def test_what_is_written_stays_written(tmp_path):
    names = ("journal_mode", "synchronous", "secure_delete")

    def read_pragmas(connection):
        return {name: str(connection.scalar(text(f"PRAGMA {name}"))) for name in names}

    async def pragmas():
        store = Store.in_file(tmp_path / "tables.sqlite")
        await store.open()
        try:
            return await store.transactions.run(read_pragmas)
        finally:
            await store.close()

    assert asyncio.run(pragmas()) == {"journal_mode": "wal", "synchronous": "2", "secure_delete": "1"}


# bots, and the processes beside the server


def test_a_bot_worker_that_dies_costs_only_time(restless):
    at = Person(restless).opens("bigpoints", "level:5", "level:5", games=1)
    killed = 0
    while killed < 3:
        worker = bot_worker_of(restless)
        before = worker.cpu_times().user
        while worker.cpu_times().user == before:
            time.sleep(0.01)
        worker.kill()
        worker.wait(PATIENCE)
        killed += 1
        version = at.look()["version"]
        at.wait_until(lambda now, version=version: now["version"] > version)
    assert "failed" not in [event["kind"] for event in at.events()["events"]]
    assert [seat["player"] for seat in at.look()["table"]["seats"]] == ["level:5", "level:5"]
    at.delete()


def test_a_rules_worker_that_dies_costs_only_time(restless):
    ada, bob = together(restless, "template", "Ada", "Bob", first=0)
    with Wire(ada) as wire:
        for _ in range(3):
            worker = rules_worker_of(restless)
            worker.kill()
            version = move(ada, bob)
            worker.wait(PATIENCE)
        read_until([wire], lambda wire: wire.table is not None and wire.table["version"] == version)
        assert wire.happened == ada.events()["events"]


def test_work_that_hangs_is_given_up_and_the_next_is_done(capsys):
    async def ask():
        workers = WorkerPool(rules=1, bots=1)
        before = psutil.Process().children(recursive=True)
        await workers.open()
        begun = [one for one in psutil.Process().children(recursive=True) if one not in before]
        try:
            with pytest.raises(WorkerLost):
                await workers.call_bot(0.2, time.sleep, 60)
            waited = asyncio.create_task(workers.call_rules("table", time.sleep, 0.3))
            await asyncio.sleep(0.1)
            waited.cancel()  # a browser goes away: its worker goes on with what the others ask
            worker = await workers.call_rules("table", os.getpid)
            psutil.Process(worker).kill()
            many = await asyncio.gather(*(workers.call_rules("table", abs, number) for number in range(100)))
            assert many == list(range(100))
            assert await workers.call_rules("table", os.getpid) != worker
            return begun, await workers.call_bot(PATIENCE, abs, -1)
        finally:
            await workers.close()

    begun, answer = asyncio.run(ask())
    assert answer == 1
    assert "worker process replaced" in capsys.readouterr().out
    gone, _ = psutil.wait_procs(begun, timeout=0)
    assert len(gone) >= 2
