"""A killed server loses no acknowledged command, repeats none, and goes on by itself after the restart.

This is the short version; `make prove-crash` plays thousands of games.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sqlite3
import time

import httpx
import psutil
import pytest

from tests.campaigns.crash_checks import check_log, read_store
from tests.campaigns.crash_evening import Evening
from tests.campaigns.crash_plan import TablePlan, plan_evening
from tests.support.server import TIMEOUT, Person, Refused, Server, new_key, reusable_port

SHORT = [
    TablePlan("template", 1, ("level:1",)),
    TablePlan("template", 2, rematch=True, watched=True),
    TablePlan("template", 0, ("level:2", "level:1")),
    TablePlan("bigpoints", 2),
    TablePlan("turmbauer", 1, ("level:1",), moves=3),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("server"), port=reusable_port())
    yield server
    if server.process.poll() is None:
        server.stop()


def wait_in_store(server, true):
    """Waits until a condition is true of the database, without any request to the server."""
    end = time.monotonic() + TIMEOUT
    with contextlib.closing(sqlite3.connect(f"file:{server.file}?mode=ro", uri=True)) as store:
        while not true(store):
            assert time.monotonic() < end
            time.sleep(0.005)


def waits_of(store, at):
    return store.execute("SELECT waits FROM tables WHERE id = ?", (at.table,)).fetchone()[0]


def suspend(server, *, bots):
    """Stops the bot workers, or the rules workers."""
    stopped = server.workers(bots=bots)
    for child in stopped:
        child.suspend()
    return stopped


def kill_and_resume(server, stopped):
    """Kills the server, and resumes the suspended workers, which notice that and exit."""
    server.process.kill()
    for child in stopped:
        child.resume()
    _, alive = psutil.wait_procs(stopped, timeout=TIMEOUT)
    assert not alive
    server.wait()


def lines_of(server, at):
    return [line for line, _ in read_store(server.file).rows[at.table]]


def test_kills_lose_no_acknowledged_command_and_repeat_none(tmp_path):
    played = Evening(tmp_path, 1, SHORT)
    played.play(kills=2, least=20)  # so that there are streams to lose
    check_log(played)
    assert played.counts["kills"] >= 2
    assert played.counts["games"] == sum(plan.played for plan in SHORT)
    assert played.counts["streams resumed"] > 0


def test_a_long_evening_is_twelve_games():
    assert {sum(plan.played for plan in plan_evening(seed)) for seed in range(8)} == {12}


def test_a_command_stored_before_the_kill_gets_its_stored_response_when_repeated(server):
    at = Person(server).open_table("template", "Ada", "Bob", first=0)
    now = at.look(seat=0)
    key, body = new_key(), {"seat": 0, "version": now["version"], "draft": [now["position"]["choices"][0]["text"]]}
    sent = json.dumps({"key": key, **body}).encode()
    with socket.create_connection(("127.0.0.1", server.port)) as unread:  # nobody reads the response
        head = f"POST {at.path}/actions HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {at.person.secret}\r\n"
        unread.sendall(f"{head}Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n".encode() + sent)
        wait_in_store(server, lambda store: store.execute("SELECT 1 FROM answers WHERE key = ?", (key,)).fetchone())
        server.kill()
    kept = read_store(server.file)
    server.start()
    assert at.do("actions", key=key, **body) == kept.answers[at.table, key]
    again = at.look(seat=0)
    assert again["version"] == len(kept.rows[at.table]) == kept.answers[at.table, key]["version"]
    with pytest.raises(Refused) as refused:  # with another key it is another command
        at.do("actions", **body)
    assert refused.value.code == "stale"
    with pytest.raises(Refused) as refused:  # and the key belongs to the first command for ever
        at.do("actions", key=key, **{**body, "draft": ["?"]})
    assert refused.value.code == "key-reused"


def test_a_command_not_stored_before_the_kill_is_done_once_when_repeated(server):
    at = Person(server).open_table("template", "Ada", "Bob", first=0)
    now, lines = at.look(seat=0), lines_of(server, at)
    stopped = suspend(server, bots=False)  # so that no command can be carried out
    key, body = new_key(), {"seat": 0, "version": now["version"], "draft": [now["position"]["choices"][0]["text"]]}
    at.person.http.timeout = 0.5
    with pytest.raises(httpx.ReadTimeout):
        at.do("actions", key=key, **body)
    kill_and_resume(server, stopped)
    assert lines_of(server, at) == lines
    server.start()
    at.person.http.timeout = TIMEOUT
    first = at.do("actions", key=key, **body)
    assert at.do("actions", key=key, **body) == first
    after = lines_of(server, at)
    assert after[: len(lines)] == lines
    assert after.count(f"0 {body['draft'][0]}") == lines.count(f"0 {body['draft'][0]}") + 1


def test_after_a_kill_the_server_goes_on_with_what_tables_waited_for(server):
    person = Person(server)
    stopped = suspend(server, bots=True)  # so that no bot moves
    bots = person.open_table("template", "level:1", "level:1")
    tower = person.open_table("turmbauer", "Ada", "Bob", first=0)
    while (now := tower.look())["table"]["waiting"] == "person":
        draft = [now["position"]["choices"][0]["text"]]
        tower.do("actions", seat=now["table"]["turn"], version=now["version"], draft=draft)
    wait_in_store(server, lambda store: (waits_of(store, bots), waits_of(store, tower)) == ("bot", "judge"))
    kill_and_resume(server, stopped)
    server.start()
    wait_in_store(server, lambda store: (waits_of(store, bots), waits_of(store, tower)) == ("nobody", "person"))
