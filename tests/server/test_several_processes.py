"""Several server processes on one PostgreSQL database: any of them serves any table, and any of them may fail."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import httpx
import psutil
import pytest

from tests.support.server import TIMEOUT, Person, Refused, TableClient, new_key, reusable_port, run_concurrently
from tests.support.storage.postgres import PostgresServer, postgres

GAME = "template"
T = TypeVar("T")


@pytest.fixture(scope="module")
def address() -> str:
    return postgres().create_database()


@pytest.fixture(scope="module")
def three(address) -> Iterator[list[PostgresServer]]:
    """Three processes that started at the same time on an empty database."""
    with ThreadPoolExecutor() as threads:
        processes = list(
            threads.map(lambda port: PostgresServer(address, port=port), [reusable_port() for _ in range(3)])
        )
    yield processes
    for process in processes:
        if process.process.poll() is None:
            assert process.stop() == 0


def everywhere(processes: list[PostgresServer], table: TableClient) -> list[TableClient]:
    """The same person at the same table, through each process."""
    return [Person(process, table.person.secret).at(table.table) for process in processes]


def all_do(seats: list[TableClient], what: str, *bodies: dict) -> list:
    """The responses when all clients send at once: the same body, or each its own."""
    return run_concurrently(
        *(partial(at.do, what, **body) for at, body in zip(seats, bodies * len(seats), strict=False))
    )


def outcomes(answers: list) -> Counter[str]:
    return Counter(one.code if isinstance(one, Refused) else "done" for one in answers)


def turn(table: TableClient) -> tuple[dict, list[str]]:
    """A command for the current turn, without its draft, and the choices."""
    told = table.look()
    seat = told["table"]["turn"]
    choices = [choice["text"] for choice in table.look(seat=seat)["position"]["choices"]]
    return {"key": new_key(), "seat": seat, "version": told["version"]}, choices


def wait_for(true: Callable[[], object], seconds: float = TIMEOUT) -> float:
    """Waits until a condition is true; returns for how many seconds."""
    began = time.monotonic()
    while not true():
        assert time.monotonic() < began + seconds
        time.sleep(0.05)
    return time.monotonic() - began


@contextlib.contextmanager
def ignore_unavailable() -> Iterator[None]:
    """Ignores errors that mean that a process or the database is unavailable."""
    try:
        yield
    except httpx.TransportError:
        pass
    except Refused as refused:
        if refused.status != 503:
            raise


def retry(ways: Sequence[T], do: Callable[[T], dict]) -> tuple[dict, int]:
    """The response of the first process that is available, and the number of failed attempts."""
    end, tried = time.monotonic() + TIMEOUT, 0
    while time.monotonic() < end:
        with ignore_unavailable():
            return do(ways[tried % len(ways)]), tried
        tried += 1
        time.sleep(0.05)
    raise AssertionError("all are unavailable")


class Watcher:
    """Reads a table's stream, and reconnects to the next process, after the last event, whenever the stream ends."""

    def __init__(self, *seats: TableClient) -> None:
        self._seats = seats
        self.numbers: list[int] = []  # of all events
        self.last: dict = {}
        self.connections = 0
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        wait_for(lambda: self.last)

    def _watch(self) -> None:
        known, end = 0, time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            seat = self._seats[self.connections % len(self._seats)]
            self.connections += 1
            with ignore_unavailable(), seat.stream(after=known) as news:
                for event in news:
                    self.last = event
                    known = int(event.get("id", known))
                    if event["event"] == "happened":
                        self.numbers.append(known)
                    if event["event"] == "gone":
                        return
                    if event["event"] == "table" and event["data"]["table"]["status"] == "over":
                        return
            time.sleep(0.05)

    def ended(self) -> list[int]:
        """The numbers of all events, once the match is over or the table deleted."""
        self._thread.join(TIMEOUT)
        assert not self._thread.is_alive()
        return self.numbers


def numbers(table: TableClient) -> list[int]:
    """The numbers of all events of a table."""
    return [event["number"] for event in table.events()["events"]]


class RetryingPlayer:
    """Plays through any process that responds; repeats a command without a response with the same key."""

    def __init__(self, seats: list[TableClient], seat: int) -> None:
        self.seats = seats
        self.seat = seat
        self.acknowledged: list[int] = []  # the version in the response to each move
        self.repeated = 0

    def retry(self, do: Callable[[TableClient], dict]) -> dict:
        self.seats = [*self.seats[1:], self.seats[0]]
        answer, repeated = retry(self.seats, do)
        self.repeated += repeated
        return answer

    def play(self) -> None:
        """Plays until the match is over."""
        while True:
            told = self.retry(lambda at: at.look(seat=self.seat))
            if told["table"]["status"] == "over":
                return
            if (told["table"]["waiting"], told["table"]["turn"]) != ("person", self.seat):
                time.sleep(0.02)
                continue
            move = {"seat": self.seat, "version": told["version"], "key": new_key(),
                    "draft": [told["position"]["choices"][0]["text"]]}  # fmt: skip
            self.acknowledged.append(self.retry(lambda at: at.do("actions", **move))["version"])  # noqa: B023


def seated(processes: list[PostgresServer]) -> tuple[list[TableClient], list[TableClient]]:
    """Ada and Ben at a table with a bot, each through every process; the match has started."""
    people = [[Person(process, secret) for process in processes] for secret in (new_key() * 2, new_key() * 2)]
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "open"}, {"kind": "bot", "player": "level:1"}]
    opening = {"key": new_key(), "game": GAME, "seats": seats, "games": 1, "public": True}
    table = retry(people[0], lambda ada: ada.post("/api/tables", **opening))[0]["table"]
    ada, ben = ([one.at(table) for one in ways] for ways in people)
    joining, start = {"key": new_key(), "name": "Ben"}, {"key": new_key()}
    retry(ben, lambda at: at.do("join", **joining))
    retry(ada, lambda at: at.do("start", **start))
    return ada, ben


def play_on(processes: list[PostgresServer], until: Callable[[], bool]) -> list[RetryingPlayer]:
    """Ada, Ben and a bot play one match after another through all processes; everything is checked against the log."""
    players: list[RetryingPlayer] = []
    while not until():
        seats = seated(processes)
        watchers = [Watcher(*seats[0]), Watcher(*reversed(seats[1]))]
        pair = [RetryingPlayer(seats[0], 0), RetryingPlayer(seats[1], 1)]
        with ThreadPoolExecutor() as threads:
            list(threads.map(RetryingPlayer.play, pair))
        told = retry(seats[0], TableClient.events)[0]
        moves = Counter(event["seat"] for event in told["events"] if event["kind"] == "move")
        happened = [event["number"] for event in told["events"]]
        assert [moves[one.seat] for one in pair] == [
            len(one.acknowledged) for one in pair
        ]  # none lost, none duplicated
        for one in pair:
            assert sorted(set(one.acknowledged)) == one.acknowledged
        assert [watcher.ended() for watcher in watchers] == [happened, happened]
        players += pair
    return players


# one table, all processes


def test_processes_that_start_at_once_on_an_empty_database_are_all_ready(three, address):
    assert [httpx.get(f"{one.address}/readyz", timeout=TIMEOUT).json() for one in three] == [{"status": "ready"}] * 3
    assert postgres().sql(address, "SELECT count(*) FROM alembic_version") == [["1"]]


def test_a_match_on_three_processes_sends_every_event_once_to_every_stream(three):
    ada, ben = seated(three)
    spectator = Person(three[1]).at(ada[0].table)
    watchers = [Watcher(ada[0]), Watcher(ben[2]), Watcher(spectator)]
    with ThreadPoolExecutor() as threads:
        list(threads.map(lambda at, seat: at.play(seat), (ada[0], ben[2]), (0, 1)))
    happened = numbers(ada[0])
    assert len(happened) > 20
    assert happened == sorted(set(happened))
    assert [watcher.ended() for watcher in watchers] == [happened] * 3
    assert len({at.record() for at in (*ada, *ben, spectator)}) == 1


def test_the_same_command_sent_to_all_processes_is_done_once_and_gets_the_same_response(three):
    ada = Person(three[0]).open_table(GAME, "Ada", "Anna", games=1)
    seats = everywhere(three, ada)
    moves = 0
    while ada.look()["table"]["status"] == "playing":
        move, choices = turn(ada)
        answers = all_do(seats, "actions", {**move, "draft": choices[:1]})
        assert answers == [{"version": answers[0]["version"]}] * 3
        moves += 1
        assert sum(event["kind"] == "move" for event in ada.events()["events"]) == moves
    seats_planned = [{"kind": "person", "name": "Ada"}, {"kind": "open"}]
    opening = {"key": new_key(), "game": GAME, "seats": seats_planned}
    opened = run_concurrently(*(partial(at.person.post, "/api/tables", **opening) for at in seats))
    assert opened == [{"table": opened[0]["table"]}] * 3
    rematches = all_do(seats, "rematch", {"key": new_key()})
    assert rematches == [{"version": rematches[0]["version"], "table": rematches[0]["table"]}] * 3


def test_a_process_finds_a_stored_response_that_it_was_not_notified_of(three, address):
    ada = Person(three[0]).open_table(GAME, "Ada", "Anna", games=1)
    others = everywhere(three, ada)[1]
    move, choices = turn(ada)
    move["draft"] = choices[:1]
    back = {"key": new_key(), "seat": 0}
    answers = ada.do("actions", **move), ada.do("return", **back)
    version = others.look()["version"]
    for command in (move, back):  # under a key that the other process was not notified of
        heard, command["key"] = command["key"], new_key()
        postgres().sql(address, f"UPDATE answers SET key = '{command['key']}', number = 0 WHERE key = '{heard}'")  # noqa: S608
    assert (others.do("actions", **move), others.do("return", **back)) == answers
    assert others.refused("actions", **{**move, "draft": []}).code == "key-reused"
    assert others.look()["version"] == version


def test_of_two_conflicting_commands_one_is_done_and_the_other_refused(three):
    ada = Person(three[0]).open_table(GAME, "Ada", "Anna", games=1)
    seats = everywhere(three, ada)
    for _ in range(5):
        move, choices = turn(ada)
        drafts = [choices[number % len(choices)] for number in range(3)]
        answers = all_do(seats, "actions", *({**move, "key": new_key(), "draft": [draft]} for draft in drafts))
        assert outcomes(answers) == {"done": 1, "stale": 2}
        assert len({at.look()["version"] for at in seats}) == 1


def test_of_several_people_who_take_a_seat_at_once_one_gets_it(three):
    for _ in range(5):
        ada = Person(three[0]).open_table(GAME, "Ada", "open", games=1)
        code = ada.look()["table"]["code"]
        people = [Person(process).at(ada.table) for process in three]
        names = ("Ben", "Carl", "Dora")
        answers = all_do(people, "join", *({"seat": 1, "name": name, "code": code} for name in names))
        assert outcomes(answers) == {"done": 1, "taken": 2}
        mine = names[[isinstance(one, Refused) for one in answers].index(False)]
        assert {at.look()["table"]["seats"][1]["name"] for at in everywhere(three, ada)} == {mine}


def test_a_table_deleted_at_one_process_is_gone_at_all_processes(three, address):
    ada, ben = seated(three)
    watchers = [Watcher(seat) for seat in (*ada, *ben)]
    ada[1].delete()
    for watcher in watchers:
        watcher.ended()
        assert watcher.last["event"] == "gone"
    for at in (*ada, *ben):
        for asked in (at.look, at.record, lambda at=at: at.do("resign", seat=0)):
            with pytest.raises(Refused) as refused:
                asked()
            assert refused.value.status == 404


def test_nothing_is_left_of_a_table_that_is_deleted_during_play(three, address):
    for _ in range(6):
        ada, ben = seated(three)
        run_concurrently(
            ada[0].delete,
            partial(ada[1].do, "lend", seat=0),
            partial(ben[2].do, "return", seat=1),
            partial(ben[0].do, "leave", seat=1),
            partial(Person(three[2]).at(ada[0].table).do, "watch"),
        )
        with pytest.raises(Refused, match="404"):
            ada[2].look()
        for part, column in (("tables", "id"), ("log", "table"), ("answers", "table")):
            found = postgres().sql(address, f"SELECT count(*) FROM {part} WHERE \"{column}\" = '{ada[0].table}'")  # noqa: S608
            assert found == [["0"]]


# failures


@contextlib.contextmanager
def suspended(processes: list[psutil.Process]) -> Iterator[None]:
    for one in processes:
        one.suspend()
    try:
        yield
    finally:
        for one in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                one.resume()


def test_a_process_that_lost_its_notifications_listens_again_and_catches_up(three, address):
    assert [one.errors for one in three] == [[], [], []]  # no warnings so far
    ada, ben = seated(three)
    watchers = [Watcher(at) for at in ben]
    gone = everywhere(three, Person(three[0]).open_table(GAME, "Ada", "open"))
    unheard = [Watcher(at) for at in gone]
    ears = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%listening'"
    first, *others = (int(pid) for (pid,) in postgres().sql(address, ears))
    with suspended([psutil.Process(first)]):  # one hangs, two are disconnected
        assert postgres().terminate_connections(address, f"pid IN ({', '.join(map(str, others))})") == 2
        gone[1].delete()
        with ThreadPoolExecutor() as threads:
            list(threads.map(lambda at, seat: at.play(seat), (ada[0], ben[1]), (0, 1)))
        assert [watcher.ended() for watcher in watchers] == [numbers(ada[0])] * 3
        for watcher in unheard:
            watcher.ended()
            assert watcher.last["event"] == "gone"


def test_connections_that_are_cut_repeatedly_lose_and_duplicate_nothing(three, address):
    done = threading.Event()
    cuts: list[int] = []

    def cut() -> None:
        for _ in range(12):
            cuts.append(postgres().terminate_connections(address))
            done.wait(0.1)
        done.set()

    with ThreadPoolExecutor() as threads:
        cutting = threads.submit(cut)
        play_on(three, done.is_set)
        cutting.result()
    assert sum(cuts) > 12


def test_while_the_database_is_unavailable_requests_get_503_and_then_play_goes_on(three):
    ada = Person(three[0]).open_table(GAME, "Ada", "level:1", games=1, first=0)
    seats = everywhere(three, ada)
    watcher = Watcher(seats[2])
    move, choices = turn(ada)
    move["draft"] = choices[:1]
    clock = Person(three[0]).open_table(GAME, "Ada", "Anna", games=1, seconds=5, late="first")
    due = time.monotonic() + 5
    wait_for(lambda: time.monotonic() > due - 0.5)
    postgres().stop()
    try:
        refusals = [at.refused("actions", **move) for at in seats]
        refusals += run_concurrently(
            *(at.look for at in seats), lambda: Person(three[1]).open_table(GAME, "Ben", "open")
        )
        for refused in refusals:
            assert (refused.status, refused.code) == (503, "closing")
            assert refused.body["message"].startswith("The tables cannot be reached right now.")
        answer = httpx.post(f"{three[0].address}{ada.path}/start", json={"key": new_key()}, headers={
            "Authorization": f"Bearer {ada.person.secret}"}, timeout=TIMEOUT)  # fmt: skip
        assert int(answer.headers["retry-after"]) > 0
        assert [httpx.get(f"{one.address}/readyz", timeout=TIMEOUT).status_code for one in three] == [503] * 3
        assert [httpx.get(f"{one.address}/healthz", timeout=TIMEOUT).status_code for one in three] == [200] * 3
        wait_for(lambda: time.monotonic() > due + 0.5)
    finally:
        postgres().start()
    wait_for(lambda: all(httpx.get(f"{one.address}/readyz", timeout=TIMEOUT).status_code == 200 for one in three))
    assert len({at.do("actions", **move)["version"] for at in seats}) == 1
    seats[1].play(0)
    assert watcher.ended() == numbers(ada)
    assert watcher.connections == 1  # the stream never ended
    wait_for(lambda: was_late(clock))  # although the time expired while nothing could be written


def was_late(table: TableClient) -> bool:
    """Whether somebody's time has expired."""
    return any(event["kind"] == "late" for event in table.events()["events"])


def frozen(process: PostgresServer) -> contextlib.AbstractContextManager[None]:
    """Suspends a process with all its children."""
    return suspended([psutil.Process(process.process.pid), *process.children()])


def pending(process: PostgresServer) -> TableClient:
    """A table whose bot is computing its move in that process."""
    while True:
        table = Person(process).open_table(GAME, "Ada", "level:1", games=1, first=1, public=True)
        end = time.monotonic() + 1
        while time.monotonic() < end and table.look()["table"]["waiting"] == "bot":
            time.sleep(0.05)
        if table.look()["table"]["waiting"] == "bot":
            return table


def test_another_process_takes_over_from_a_killed_or_frozen_one_within_ten_seconds(three):
    killed, other, stopped = three
    nonce = "ab" * 16
    with contextlib.ExitStack() as stack:
        for process in (killed, stopped):
            stack.enter_context(suspended(process.workers(bots=True)))
        bots = [pending(killed), pending(stopped)]
        silent = Person(killed).open_table(GAME, {"kind": "person", "name": "Ada", "commit": "0" * 64}, "level:1")
        clock = Person(killed).open_table(GAME, "Ada", "Anna", games=1, seconds=8, late="first")
        assert silent.look()["table"]["status"] == "revealing"
        assert silent.refused("reveal", seat=0, nonce=nonce).code == "bad-request"
        stack.enter_context(frozen(stopped))
        children = killed.children()
        killed.process.kill()
        began = time.monotonic()
        killed.all_errors.pop()  # what Python prints about a killed program is not the server's
        here = [Person(other, at.person.secret).at(at.table) for at in (*bots, silent, clock)]
        for at in here[:2]:
            wait_for(lambda: at.look()["table"]["waiting"] == "person", 10 - (time.monotonic() - began))  # noqa: B023
            assert time.monotonic() - began < 10
        killed.process.wait(TIMEOUT)
    psutil.wait_procs(children, timeout=TIMEOUT)
    with ThreadPoolExecutor() as threads:
        back = threads.submit(killed.start)
        here[2].wait_until(lambda told: told["table"]["status"] == "playing")  # without the nonce
        wait_for(lambda: was_late(here[3]))
        back.result()
    for at in here[:2]:  # also through those that were suspended
        assert len({one.play(0)["version"] for one in everywhere(three, at)}) == 1
        happened = numbers(at)
        assert happened == sorted(set(happened))


def test_a_rolling_restart_loses_and_duplicates_no_acknowledged_move(three, address):
    done = threading.Event()

    def restart() -> None:
        try:
            for process in three:
                assert process.stop() == 0
                attending = postgres().sql(address, "SELECT count(DISTINCT owner) FROM leases WHERE until > now()")
                assert int(attending[0][0]) <= 2  # a process that stops releases its leases
                if process is not three[-1]:
                    process.start()
        finally:
            done.set()

    with ThreadPoolExecutor() as threads:
        restarting = threads.submit(restart)
        players = play_on(three, done.is_set)
        restarting.result()
    assert sum(one.repeated for one in players) > 0


def test_the_processes_logged_only_warnings_about_the_database(three):
    known = {"lease renewal failed", "store unavailable", "not ready", "table not caught up", "lease not acquired",
             "tables not scheduled", "timer command retried", "scheduled task failed"}  # fmt: skip
    said = [json.loads(line) for one in three for lines in one.all_errors for line in lines]
    assert [one for one in said if one["event"] not in known or one["level"] != "warning"] == []
