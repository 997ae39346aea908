"""Event streams: resumption, many streams, and slow readers."""

from __future__ import annotations

import asyncio
import json
import time
from random import Random
from types import SimpleNamespace

import psutil
import pytest
from starlette.responses import Response

from spieltisch.server.http.sse import MAX_CONNECTING, StreamAdmission, stream_table
from spieltisch.server.runtime.presence import Present
from spieltisch.server.runtime.table import Table
from spieltisch.server.storage.reads import StoredTable
from spieltisch.server.workers.askers import Asker, asking
from spieltisch.server.workers.rules import StreamChunk, Subscriber
from tests.support.server import TIMEOUT, Person, running_server, start_match
from tests.support.storage.stores import rows
from tests.support.streams import StreamClient, is_over, make_move, read_until


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server without errors."""
    with running_server(tmp_path_factory.mktemp("calm")) as server:
        yield server


# resumption


@pytest.fixture(scope="module")
def played(server):
    """A finished game, for its host."""
    at = Person(server).open_table("template", "Ada", "level:1", games=1)
    at.play(0)
    return at


@pytest.mark.parametrize("part", [0.0, 0.3, 0.7, 1.0])
def test_a_stream_starts_with_exactly_the_missed_events_and_then_the_table(played, part):
    told = played.events()
    known = int(told["version"] * part)
    missed = [event for event in told["events"] if event["number"] > known]
    assert played.events(after=known)["events"] == missed
    with StreamClient(played, last=known) as by_header, StreamClient(played, after=known) as by_query:
        for stream in (by_header, by_query):
            read_until([stream], is_over)
            assert stream.happened == missed
            kept = [event for event in stream.events if event["event"] != "here"]
            assert [event["event"] for event in kept] == [*["happened"] * len(missed), "table"]
            ids = [int(event["id"]) for event in kept]
            assert ids == [*(event["number"] for event in missed), told["version"]]
            assert stream.table == {key: told[key] for key in ("version", "table", "position")}


def test_last_event_id_takes_precedence_over_the_query(played):
    version = played.look()["version"]
    with (
        StreamClient(played, last=version, after=0) as again,
        StreamClient(played, last="nonsense", after=version) as odd,
    ):
        read_until([again, odd], is_over)
        assert again.happened == odd.happened == []


def test_a_stream_from_a_future_event_gets_the_table_and_then_what_happens(server):
    at = Person(server).open_table("template", "Ada", "Bob", first=0)
    version = at.look()["version"]
    with StreamClient(at, last=version + 50) as ahead:
        read_until([ahead], lambda stream: stream.table)
        assert ahead.happened == []
        make_move(at, at)
        read_until([ahead], lambda stream: stream.table["version"] > version)
        assert ahead.happened == at.events(after=version)["events"]


def test_after_a_cut_at_any_byte_every_missing_event_arrives_once(server):
    at = Person(server).open_table("bigpoints", "level:1", "level:1", games=1)
    chance, events, last, cuts = Random(8), [], None, 0
    while True:
        with StreamClient(at, last=last) as stream:
            left = chance.randrange(20, 9000)
            while left > 0 and not is_over(stream) and (more := stream.receive(left)):
                left -= len(more)
        events += stream.happened
        last = stream.last
        if is_over(stream):
            break
        cuts += 1
    assert events == at.events()["events"]
    assert cuts > 10


def test_what_happens_before_a_stream_listens_is_sent_at_once():
    """The first chunk is made when the stream is admitted; a move in between was sent with the next move only."""

    async def second_chunk() -> bytes:
        async def ask(table, work, *subscriber):
            return StreamChunk(len(table.rows), b"event: happened\n\n", ())

        presence = SimpleNamespace(connect=lambda *_: None, disconnect=lambda *_: None, present=lambda _: Present())
        tables = SimpleNamespace(closing=asyncio.Event(), presence=presence, ask=ask)
        table = Table("ada", StoredTable(rows("opened", "moved"), {}))
        table.timed = False
        first = StreamChunk(1, b"event: table\n\n", ())
        stream = stream_table(tables, table, Subscriber("ada", 0, "en", 0), first)
        sent = [await anext(stream) for _ in range(2)]
        assert sent[1].startswith(first.events)
        return await asyncio.wait_for(anext(stream), TIMEOUT / 6)  # earlier than the heartbeat

    assert asyncio.run(second_chunk()) == b"event: happened\n\n"


# admission


def connect_streams(paths: list[str], limit: int) -> tuple[list[str], list[str], list[int]]:
    """Requests that come at once while nothing is answered: those that are worked on, all that were then, and the statuses."""

    async def work() -> tuple[list[str], list[str], list[int]]:
        working, statuses, answering = list[str](), list[int](), asyncio.Event()

        async def app(scope, receive, send) -> None:
            working.append(scope["path"])
            await answering.wait()
            await Response("connected")(scope, receive, send)

        async def send(message) -> None:
            statuses.extend([message["status"]] if "status" in message else [])

        admission = StreamAdmission(app, limit, lambda _: Response("busy", 503))

        async def request(number: int, path: str) -> None:
            with asking(Asker(f"192.0.2.{number if limit == 0 else 1}", is_client=True)):
                await admission({"type": "http", "path": path}, None, send)

        tasks = [asyncio.create_task(request(number, path)) for number, path in enumerate(paths)]
        for _ in range(20):
            await asyncio.sleep(0)
        first = list(working)
        answering.set()
        await asyncio.gather(*tasks)
        return first, working, statuses

    return asyncio.run(work())


def test_only_a_few_streams_connect_at_a_time_and_nothing_else_waits_for_them():
    streams = [f"/api/tables/{number}/stream" for number in range(50)]
    first, working, statuses = connect_streams([*streams, "/api/tables/7/actions"], limit=0)
    assert first == [*streams[:MAX_CONNECTING], "/api/tables/7/actions"]
    assert sorted(working) == sorted([*streams, "/api/tables/7/actions"])
    assert statuses == [200] * 51


def test_an_address_with_as_many_waiting_streams_as_it_may_have_open_is_told_to_come_back():
    first, working, statuses = connect_streams(["/api/tables/7/stream"] * 20, limit=10)
    assert len(first) == MAX_CONNECTING - 1  # one is left for others
    assert len(working) == len(first) + 10
    assert statuses == [503] * (20 - len(working)) + [200] * len(working)


# many streams


def test_several_streams_of_one_client_get_the_same_events(server):
    at = Person(server).open_table("template", "Ada", "level:1")
    streams = [StreamClient(at) for _ in range(5)]
    at.play(0)
    read_until(streams, is_over)
    assert all(stream.happened == at.events()["events"] for stream in streams)
    assert len({json.dumps(stream.table) for stream in streams}) == 1
    for stream in streams:
        stream.socket.close()


def test_each_of_a_hundred_streams_gets_every_event_as_its_seat_may_see_it(server):
    ada, bob = start_match(server, "template", "Ada", "Bob", public=True, first=0)
    others = [Person(server).at(ada.table) for _ in range(6)]
    lookers = [[ada, bob, *others][number % 8] for number in range(100)]
    streams = [StreamClient(at) for at in lookers]
    for _ in range(8):
        version = make_move(ada, bob)
    read_until(streams, lambda stream: stream.table is not None and stream.table["version"] == version)
    expected = {id(at): at.events()["events"] for at in (ada, bob, *others)}
    for at, stream in zip(lookers, streams, strict=True):
        assert stream.happened == expected[id(at)]
        stream.socket.close()
    texts = [[event["text"] for event in expected[id(at)]] for at in (ada, bob, others[0])]
    assert texts[0] != texts[1] != texts[2]


# slow readers


def test_a_slow_reader_gets_every_event(server):
    at = Person(server).open_table("bigpoints", "level:1", "level:1", games=1)
    with StreamClient(at, receive_buffer=4096) as slow:
        read_until([slow], lambda stream: stream.table)
        at.wait_until(lambda now: now["table"]["status"] == "over")  # the whole game, while nothing is read
        while not is_over(slow):
            assert slow.receive(1500)
        assert slow.happened == at.events()["events"]


def test_clients_that_never_read_delay_nobody_and_do_not_fill_the_memory(restartable):
    at = Person(restartable).open_table("rondo", "level:1", "level:1", games=1)
    unread = [StreamClient(at, receive_buffer=2048) for _ in range(40)]
    process = psutil.Process(restartable.process.pid)
    with StreamClient(at) as reader:
        read_until([reader], lambda stream: stream.table)
        before = process.memory_info().rss
        other = Person(restartable).open_table("template", "Ada", "level:1")
        assert other.play(0)["table"]["status"] == "over"
        read_until([reader], is_over)
        assert reader.happened == at.events()["events"]
    assert process.memory_info().rss - before < 15_000_000  # they were sent more than 30 MB
    begun = time.monotonic()
    assert restartable.stop() == 0
    assert time.monotonic() - begun < 20
    for stream in unread:
        stream.socket.close()
    restartable.start()
