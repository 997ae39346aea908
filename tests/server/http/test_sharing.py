"""What one address asks for does not keep others waiting: pages, refusals before a long queue, work that is dropped."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest

from spieltisch.server.http.sse import MAX_CONNECTING
from spieltisch.server.runtime.tables import MAX_COMMANDS
from spieltisch.table.projection import PAGE
from tests.server.http.test_limits import forwarded_client
from tests.support.server import TIMEOUT, Person, Refused, Server, TableClient, find_rules_worker, running_server

PENDING = 3


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("shared"), "--pending", str(PENDING)) as server:
        yield server


@contextlib.contextmanager
def stopped(worker: psutil.Process) -> Iterator[None]:
    """A worker process that does nothing for a while."""
    worker.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        worker.send_signal(signal.SIGCONT)


def waiting(server: Server) -> int:
    """How many jobs wait for a worker process."""
    lines = httpx.get(f"{server.address}/metrics", timeout=TIMEOUT).text.splitlines()
    return int(float(next(line for line in lines if line.startswith("spieltisch_worker_queue ")).split()[1]))


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + TIMEOUT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def long_table(server: Server) -> TableClient:
    """A table at which more has happened than fits on a page."""
    at = Person(server).open_table("template", "Ada", "Eva", first=0)
    for _ in range(PAGE // 2):
        at.do("lend", seat=1)
        at.do("return", seat=1)
    return at


def test_events_come_in_pages(server):
    at = long_table(server)
    path = f"{at.path}/events"
    first = at.person.get(path, after=0).json()
    assert first["version"] > PAGE
    assert first["next"] == PAGE
    assert first["events"][-1]["number"] <= PAGE
    second = at.person.get(path, after=first["next"]).json()
    assert second["next"] is None
    numbers = [event["number"] for event in (*first["events"], *second["events"])]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == first["version"]
    assert at.events()["events"] == first["events"] + second["events"]
    with at.stream(after=0) as stream:
        received = []
        for event in stream:
            if event["event"] == "table":
                break
            received += [event["data"]] if event["event"] == "happened" else []
    assert received == first["events"] + second["events"]


def test_an_address_with_many_questions_is_told_to_wait_and_another_is_not(tmp_path):
    server = Server(tmp_path, "--pending", str(PENDING), "--proxies", "127.0.0.1")
    try:
        ada, eva = forwarded_client(server), forwarded_client(server)
        at = ada.open_table("bigpoints", "Ada", "open", public=True)
        with ThreadPoolExecutor(PENDING + 8) as threads, stopped(find_rules_worker(server)):
            asked = [threads.submit(ada.http.get, ada.url(at.path)) for _ in range(PENDING + 5)]
            wait_until(lambda: sum(one.done() for one in asked) == 4)  # one is under way, and some may wait
            refused = [one.result() for one in asked if one.done()]
            other = threads.submit(eva.http.get, eva.url(at.path))
            wait_until(lambda: waiting(server) == PENDING + 1)
            find_rules_worker(server).send_signal(signal.SIGCONT)
            answered = [one.result() for one in asked if one.result() not in refused]
            assert other.result().status_code == 200
        assert {(one.status_code, one.json()["code"]) for one in refused} == {(503, "closing")}
        assert all(int(one.headers["retry-after"]) >= 1 for one in refused)
        assert "waiting" in refused[0].json()["message"]
        assert [one.status_code for one in answered] == [200] * (PENDING + 1)
    finally:
        assert server.stop() == 0


def test_work_is_dropped_when_its_client_has_closed_the_connection(server):
    at = Person(server).open_table("template", "Ada", "open")
    with stopped(find_rules_worker(server)), ThreadPoolExecutor(1) as threads:
        first = threads.submit(at.look)
        with httpx.Client(headers=at.person.http.headers) as client:
            for _ in range(2 * PENDING):
                with pytest.raises(httpx.ReadTimeout):
                    client.get(at.person.url(at.path), timeout=0.3)
                wait_until(lambda: waiting(server) == 0)
        find_rules_worker(server).send_signal(signal.SIGCONT)
        assert first.result()["table"]["seats"]


def test_streams_that_connect_all_at_once_leave_room_for_turns(server):
    """A few at a time load what they missed; the others wait without any work, and all of them are served."""
    at = Person(server).open_table("template", "Ada", "Eva", first=0)
    with contextlib.ExitStack() as stack:
        threads = stack.enter_context(ThreadPoolExecutor(12))
        with stopped(find_rules_worker(server)):
            languages = ("de", "en", "es", "fr", "it", "nl") * 2
            opened = [threads.submit(first_event, at, language) for language in languages]
            wait_until(lambda: waiting(server) > 0)
            time.sleep(0.5)
            assert waiting(server) < MAX_CONNECTING
        assert all(one.result() for one in opened)


def first_event(at: TableClient, language: str) -> bool:
    """Whether a stream starts."""
    path, query = at.person.url(f"{at.path}/stream"), {"after": 0, "language": language}
    with at.person.http.stream("GET", path, params=query) as response:
        return response.status_code == 200 and any("table" in line for line in response.iter_lines())


def test_games_that_are_not_offered_can_be_opened_on_the_servers_own_machine_only(limited):
    afar = forwarded_client(limited)
    with pytest.raises(Refused, match="404") as refused:
        afar.open_table("template", "Ada", "open")
    assert refused.value.code == "unknown-game"
    assert "template" not in refused.value.body["message"].partition(":")[2]
    assert forwarded_client(limited).open_table("bigpoints", "Ada", "open")
    assert Person(limited).open_table("template", "Ada", "open")


def test_a_wrong_invitation_does_not_tell_that_a_table_exists(server):
    table = Person(server).open_table("template", "Ada", "open").table
    stranger = Person(server)
    for what, body in (("join", {"name": "Eve"}), ("watch", {})):
        there, nowhere = (stranger.at(name).refused(what, code="a-wrong-code", **body) for name in (table, "0" * 16))
        assert (there.status, there.body) == (nowhere.status, nowhere.body)
        assert there.status == 404


def test_the_page_size_is_documented():
    page = (Path(__file__).parents[3] / "docs/reference/api.md").read_text(encoding="utf-8")
    assert f"at most {PAGE} events" in page


def test_only_so_many_commands_wait_at_one_table(server):
    at = Person(server).open_table("template", "Ada", "Eva", first=0)
    at.do("lend", seat=1)

    def give_back() -> int:
        try:
            at.do("return", seat=1)
        except Refused as refused:
            return refused.status
        return 200

    surplus = 4
    with ThreadPoolExecutor(MAX_COMMANDS + surplus) as clients, stopped(find_rules_worker(server)):
        asked = [clients.submit(give_back) for _ in range(MAX_COMMANDS + surplus)]
        wait_until(lambda: sum(one.done() for one in asked) == surplus)
        assert {one.result() for one in asked if one.done()} == {503}
    assert [one.result() for one in asked].count(503) == surplus
