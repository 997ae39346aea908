"""Running a server: options, startup, shutdown and restart."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time

import httpx
import psutil
import pytest

from spieltisch.server import run
from tests.support.command import has_ended
from tests.support.server import TIMEOUT, Person, Refused, find_bot_worker, running_server
from tests.support.streams import StreamClient, is_over, read_until


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server without errors."""
    with running_server(tmp_path_factory.mktemp("calm")) as server:
        yield server


def wait_in_store(server, tables, kind):
    """Waits until all tables wait for that in the database, without any request to the server."""
    end = time.monotonic() + TIMEOUT
    with contextlib.closing(sqlite3.connect(f"file:{server.file}?mode=ro", uri=True)) as store:
        while True:
            waits = dict(store.execute("SELECT id, waits FROM tables"))
            if {waits[at.table] for at in tables} == {kind}:
                return
            assert time.monotonic() < end, waits
            time.sleep(0.02)


def run_serve(*flags, **environment):
    command = [sys.executable, "-m", "spieltisch", "serve", "--language", "en", *flags]
    asked = {"capture_output": True, "text": True, "timeout": TIMEOUT, "env": {**os.environ, **environment}}
    return subprocess.run(command, check=False, **asked)


# shutdown and restart


def test_a_shutdown_ends_streams_cleanly_and_they_resume_after_the_restart(restartable):
    person = Person(restartable)
    mine = person.open_table("template", "Ada", "level:1", first=0, games=1)
    bots = [person.open_table("template", "level:3", "level:1", games=1) for _ in range(3)]
    mine.play(0, steps=1)
    tables = [mine, *bots]
    streams = [StreamClient(at) for at in tables for _ in range(3)]
    read_until(streams, lambda stream: stream.table)
    children = restartable.children()
    begun, heard = time.monotonic(), len(restartable.errors)
    restartable.process.send_signal(signal.SIGTERM)
    read_until(streams, lambda stream: stream.ended)
    assert restartable.wait() == 0
    assert time.monotonic() - begun < 20
    assert restartable.errors[heard:] == []
    _, alive = psutil.wait_procs(children, timeout=TIMEOUT)
    assert not [child for child in alive if not has_ended(child.pid)]
    assert not any(is_over(stream) for stream in streams[:3])
    restartable.start()
    again = [
        StreamClient(at, last=stream.last)
        for at, stream in zip([at for at in tables for _ in range(3)], streams, strict=True)
    ]
    mine.play(0)
    read_until(again, is_over)
    for number, at in enumerate(tables):
        for one in range(3 * number, 3 * number + 3):
            assert streams[one].happened + again[one].happened == at.events()["events"]
            again[one].socket.close()
            streams[one].socket.close()


def test_after_a_restart_bots_play_on_although_nobody_watches_and_another_table_is_corrupt(restartable):
    person = Person(restartable)
    find_bot_worker(restartable).suspend()  # so that no bot moves before the shutdown
    tables = [person.open_table("template", "level:1", "level:2", games=1) for _ in range(5)]
    assert restartable.stop() == 0
    wait_in_store(restartable, tables, "bot")
    broken, orphaned = sorted(tables, key=lambda at: at.table)[:2]  # scheduled before the others
    with contextlib.closing(sqlite3.connect(restartable.file)) as store, store:
        change = 'UPDATE log SET line = replace(line, ?, ?) WHERE "table" = ?'
        store.execute(change, ('"do":"opened"', '"do":"closed"', broken.table))
        store.execute(change, ('"player":"level:2"', '"player":"gone"', orphaned.table))
        store.execute("UPDATE tables SET digest = NULL")  # nobody notices what was changed
    restartable.start()
    tables.remove(broken)
    wait_in_store(restartable, tables, "nobody")
    assert all(at.look()["table"]["status"] == "over" for at in tables)
    failed = [event["words"] for event in orphaned.events()["events"] if event["kind"] == "failed"]
    assert failed == ["The bot Frida has failed; another one plays on."]
    with pytest.raises(Refused, match="Something went wrong here"):
        broken.look()


# startup


def test_a_second_server_on_the_same_file_is_refused(server):
    ran = run_serve("--data", str(server.file), "--port", "0")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"{server.file} is in use: another server has it.\n"
    assert Person(server).get("/healthz").json()["status"] == "ok"


def test_a_port_in_use_and_a_file_that_is_no_database_are_refused(server, tmp_path):
    ran = run_serve("--data", str(tmp_path / "tables.sqlite"), "--port", str(server.port))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"Cannot listen on 127.0.0.1:{server.port}. Is another server running there?\n"
    (tmp_path / "text").write_text("no database\n" * 100)
    ran = run_serve("--data", str(tmp_path / "text"), "--port", "0")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"Tables cannot be saved in {tmp_path / 'text'}.\n"
    assert (tmp_path / "text").read_text() == "no database\n" * 100


def test_options_can_be_set_by_environment_variables_and_lan_prints_the_address(tmp_path):
    told = {"LAN": "1", "PORT": "0", "DATA": str(tmp_path / "here.sqlite"), "BOT_WORKERS": "1", "LANGUAGE": "de"}
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    environment |= {f"SPIELTISCH_SERVE_{name}": value for name, value in told.items()}
    with subprocess.Popen(
        [sys.executable, "-m", "spieltisch", "serve"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:  # fmt: skip
        try:
            here, there, end = (process.stdout.readline() for _ in range(3))
            assert here.startswith("Der Spieltisch ist bereit: http://127.0.0.1:")
            assert there.startswith("Für andere in diesem Netz: http://")
            assert end.startswith(f"Alles wird in {tmp_path / 'here.sqlite'} gespeichert.")
            port = here.strip().rstrip("/").rpartition(":")[2]
            assert there.strip().endswith(f":{port}/")
            assert httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT).json()["status"] == "ok"
            listening = [
                one.laddr.ip for one in psutil.Process(process.pid).net_connections() if one.status == "LISTEN"
            ]
            assert listening == ["0.0.0.0"]  # noqa: S104 - as --lan asks
        finally:
            process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=TIMEOUT)
        assert (process.returncode, out, errors) == (0, "", "")


def test_small_responses_are_not_delayed_by_nagles_algorithm():
    """Without TCP_NODELAY, responses on a keep-alive connection wait for a delayed acknowledgement, 40 ms on Linux."""
    with run._listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
