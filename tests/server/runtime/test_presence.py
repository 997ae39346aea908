"""Presence: who has an event stream open, at one process and at several."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import select
import time
from collections.abc import Callable, Iterator
from itertools import groupby

import pytest

from spieltisch.server.http.limits import REACTIONS
from spieltisch.server.runtime import presence as presences
from spieltisch.server.runtime.presence import Presence
from spieltisch.server.storage.errors import StoreUnavailable
from tests.support.server import TIMEOUT, Person, Refused, Server, running_server, start_match
from tests.support.storage.postgres import PostgresServer, postgres
from tests.support.streams import StreamClient, read_until


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("web")) as server:
        yield server


def reports(stream: StreamClient) -> list[dict]:
    return [event["data"] for event in stream.events if event["event"] == "here"]


def reported_seats(stream: StreamClient) -> list[list[int]]:
    """The seats that were reported as present, one change after another."""
    return [seats for seats, _ in groupby(report["seats"] for report in reports(stream))]


def pings(stream: StreamClient) -> list[dict]:
    return [event for event in stream.events if event["event"] == "ping"]


def reactions(stream: StreamClient) -> list[dict]:
    return [event["data"] for event in stream.events if event["event"] == "reaction"]


def expect_presence(stream: StreamClient, *seats: list[int]) -> None:
    """Reads until so many reports have arrived, and checks them."""
    read_until([stream], lambda stream: len(reported_seats(stream)) >= len(seats))
    assert reported_seats(stream) == list(seats)


def read_for(stream: StreamClient, seconds: float) -> None:
    """Reads what arrives within that time."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if select.select([stream], [], [], left)[0]:
            stream.receive()


def test_a_stream_starts_with_who_is_present_and_reports_every_change(server):
    ada, eva = start_match(server, "template", "Ada", "Eva", games=1)
    before = ada.look()["version"]
    with StreamClient(ada) as first:
        expect_presence(first, [0])
        assert [event["event"] for event in first.events][-2:] == ["table", "here"]
        with StreamClient(eva) as second:
            expect_presence(second, [0, 1])
            expect_presence(first, [0], [0, 1])
            with StreamClient(Person(server).open_table("template", "Cleo", "open", public=True)) as elsewhere:
                expect_presence(elsewhere, [0])
        began = time.monotonic()
        expect_presence(first, [0], [0, 1], [0])
        assert time.monotonic() - began > 2.5
        kinds = [event["event"] for event in first.events]
        assert kinds.count("table") == 1  # the rules worker was not asked
    assert ada.look()["version"] == before  # nothing of it is stored


def test_a_reload_is_not_reported(server):
    ada, eva = start_match(server, "template", "Ada", "Eva", games=1)
    with StreamClient(ada) as watching:
        for _ in range(3):
            with StreamClient(eva) as reloaded:
                read_until([reloaded], reported_seats)
                assert reported_seats(reloaded) == [[0, 1]]
            time.sleep(0.1)  # of three seconds; the rest is for a busy machine
        with StreamClient(eva):
            read_for(watching, 3.5)
            assert reported_seats(watching) == [[0], [0, 1]]


def test_spectators_are_counted_and_one_client_may_have_several_seats_and_streams(server):
    both = Person(server).open_table("template", "Ada", "Eva", public=True)
    passing = Person(server).at(both.table)
    with StreamClient(passing) as first, StreamClient(passing):
        expect_presence(first, [])
        with StreamClient(both) as playing, StreamClient(both):
            expect_presence(first, [], [0, 1])
            read_until([playing], reports)
            with StreamClient(Person(server).at(both.table)):
                read_until([first, playing], lambda stream: reports(stream)[-1]["spectators"] == 2)
            read_until([first, playing], lambda stream: reports(stream)[-1]["spectators"] == 1)


def test_a_client_that_is_lost_without_a_word_counts_as_absent_until_it_answers_again(server):
    ada, eva = start_match(server, "template", "Ada", "Eva", games=1)
    name = secrets.token_urlsafe(16)
    with StreamClient(ada) as first, StreamClient(eva, name=name) as lost:
        expect_presence(first, [0], [0, 1])
        read_until([lost], pings)  # the connection stays open, but nobody answers
        expect_presence(first, [0], [0, 1], [0])
        eva.person.send(f"{eva.path}/present", stream=name)
        expect_presence(first, [0], [0, 1], [0], [0, 1])
        assert pings(first) == []  # it did not promise to answer


def test_nobody_is_pinged_who_is_alone_and_nobody_answers_for_a_stream_of_another_table(server):
    ada, eva = start_match(server, "template", "Ada", "Eva", games=1)
    name = secrets.token_urlsafe(16)
    with StreamClient(ada, name=name) as first:
        read_for(first, 2.5)
        assert pings(first) == []
        with StreamClient(eva):
            read_until([first], pings)
            other = Person(server).open_table("template", "Cleo", "open")
            other.person.send(f"{other.path}/present", stream=name)
            expect_presence(first, [0], [0, 1], [1])
    ada.person.send("/api/tables/no%20where/present", stream=name)
    with pytest.raises(Refused):
        ada.person.send(f"{ada.path}/present", stream="short")


def test_taking_or_leaving_a_seat_while_streaming_changes_presence(server):
    ada = Person(server).open_table("template", "Ada", "open", "open", public=True)
    eva = Person(server).at(ada.table)
    with StreamClient(ada) as first, StreamClient(eva) as second:
        expect_presence(first, [0])
        expect_presence(second, [0])
        eva.do("join", name="Eva", seat=2)
        expect_presence(first, [0], [0, 2])
        expect_presence(second, [0], [0, 2])
        eva.do("leave", seat=2)
        expect_presence(first, [0], [0, 2], [0])


def test_presence_is_known_at_every_process():
    address = postgres().create_database()
    here, beyond = processes = [PostgresServer(address), PostgresServer(address)]
    try:
        ada, eva = start_match(here, "template", "Ada", "Eva", games=1)
        afar = Person(beyond, eva.person.secret).at(ada.table)
        with StreamClient(ada) as first:
            expect_presence(first, [0])
            with StreamClient(afar) as second:
                expect_presence(first, [0], [0, 1])
                read_until([second], lambda stream: reported_seats(stream)[-1:] == [[0, 1]])
            with StreamClient(eva):  # the next connection goes to the other process
                read_for(first, 3.5)
                assert reported_seats(first) == [[0], [0, 1]]
            expect_presence(first, [0], [0, 1], [0])
            name = secrets.token_urlsafe(16)
            with StreamClient(eva, name=name) as answering:
                read_until([answering], pings)
                expect_presence(first, [0], [0, 1], [0], [0, 1], [0])
                afar.person.send(f"{afar.path}/present", stream=name)  # at the process without the stream
                expect_presence(first, [0], [0, 1], [0], [0, 1], [0], [0, 1])
                afar.person.send(f"{afar.path}/react", seat=1, reaction="bravo")
                read_until([first, answering], reactions)
                assert reactions(first) == reactions(answering) == [{"seat": 1, "reaction": "bravo"}]
    finally:
        assert [process.stop() for process in processes] == [0, 0]


# reactions


def test_a_reaction_is_shown_to_everybody_who_looks_on_and_is_not_stored(server):
    ada, eva = start_match(server, "template", "Ada", "Eva", games=1, public=True)
    before = ada.events()
    with StreamClient(ada) as first, StreamClient(Person(server).at(ada.table)) as passing:
        read_until([first, passing], reports)
        eva.person.send(f"{eva.path}/react", seat=1, reaction="laugh")
        read_until([first, passing], reactions)
        assert reactions(first) == reactions(passing) == [{"seat": 1, "reaction": "laugh"}]
    with StreamClient(ada) as later:
        read_until([later], reports)
        assert reactions(later) == []
    assert ada.events() == before


@pytest.mark.parametrize(
    ("seat", "reaction", "status"), [(0, "bravo", 403), (7, "bravo", 403), (1, "<b>rude</b>", 422), (1, "", 422)]
)
def test_nobody_reacts_for_another_seat_or_with_words_of_their_own(server, seat, reaction, status):
    _, eva = start_match(server, "template", "Ada", "Eva", games=1)
    with pytest.raises(Refused) as refused:
        eva.person.send(f"{eva.path}/react", seat=seat, reaction=reaction)
    assert refused.value.status == status


def test_reactions_per_minute_are_limited_by_client(server):
    ada, eva = start_match(server, "template", "Ada", "Eva", games=1)
    for _ in range(REACTIONS):
        eva.person.send(f"{eva.path}/react", seat=1, reaction="wow")
    with pytest.raises(Refused) as refused:
        eva.person.send(f"{eva.path}/react", seat=1, reaction="wow")
    assert (refused.value.status, refused.value.code) == (429, "limit")
    ada.person.send(f"{ada.path}/react", seat=0, reaction="wow")


# several processes, without a database


class FakeStore:
    """A store that records notifications, and that a test can make unavailable."""

    shared = True

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.unavailable = False
        self.notifications = self

    @contextlib.asynccontextmanager
    async def transaction(self):
        if self.unavailable:
            raise StoreUnavailable
        yield None

    def subscribe_presence(self, handler) -> None:
        pass

    subscribe_signals = subscribe_presence

    async def send_presence(self, _: None, content: str) -> None:
        self.sent.append(content)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(TIMEOUT):
        while not true():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.01)


def test_reports_that_are_not_repeated_expire_and_unsent_ones_are_retried(monkeypatch):
    for name, seconds in (("GRACE_PERIOD", 0.05), ("BROADCAST_INTERVAL", 0.1), ("EXPIRY", 1.5)):
        monkeypatch.setattr(presences, name, seconds)

    async def run() -> None:
        store, woken = FakeStore(), []
        presence = Presence(store, woken.append)
        broadcasting = asyncio.create_task(presence.broadcast())
        stream = object()
        presence.connect("table", stream, [0, 2])
        await until(lambda: len(store.sent) > 2)  # at once, and then at intervals
        assert set(store.sent) == {"table:0,2"}
        presence.receive("another", "table:1 elsewhere:0")
        assert (presence.seats("table"), presence.seats("elsewhere")) == ([0, 1, 2], [0])
        store.sent, store.unavailable = [], True
        presence.disconnect("table", stream)
        await until(lambda: presence.seats("table") == [1])
        assert store.sent == []
        store.unavailable = False
        await until(lambda: store.sent == ["table:"])
        await until(lambda: presence.seats("table") == presence.seats("elsewhere") == [])
        assert woken == ["table", "table", "elsewhere", "table", "table", "elsewhere"]
        broadcasting.cancel()

    asyncio.run(run())


def test_reports_of_many_tables_are_split_into_messages():
    async def run() -> None:
        store = FakeStore()
        presence = Presence(store, lambda _: None)
        for number in range(250):
            presence.connect(f"{number:016x}", object(), range(6))
        broadcasting = asyncio.create_task(presence.broadcast())
        await asyncio.sleep(0.1)
        broadcasting.cancel()
        assert sum(len(message.split()) for message in store.sent) == 250
        assert max(map(len, store.sent)) < 7000  # PostgreSQL accepts 8000 bytes

    asyncio.run(run())
