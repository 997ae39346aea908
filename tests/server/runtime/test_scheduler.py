"""The scheduler: turns that take too long, and nonces that do not come."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from spieltisch.gameplay.verify import verify
from spieltisch.records import read
from spieltisch.server.runtime.scheduler import MAX_BACKOFF, Scheduler
from spieltisch.server.runtime.table import Table
from spieltisch.server.storage.reads import StoredTable
from spieltisch.table.state import Wait, Waiting
from tests.support.server import Person, Refused, Server, TableClient, running_server

DEAL = ["draw"] * 6
NONCE = "a5" * 16


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def silent(server) -> TableClient:
    """A table where somebody has announced a nonce and never reveals it; the last test looks at it again."""
    ada = {"kind": "person", "name": "Ada", "commit": hashlib.sha256(bytes.fromhex(NONCE)).hexdigest()}
    return Person(server).open_table("template", ada, "level:1", games=1)


def kinds(events: list[dict]) -> list[str]:
    return [event["kind"] for event in events]


def test_a_turn_that_takes_too_long_is_finished_by_the_table(server):
    tables = {
        late: Person(server).open_table("template", "Ada", "Eva", first=0, seconds=5, late=late)
        for late in ("first", "bot")
    }
    choices = {
        late: [choice["text"] for choice in table.look(seat=0)["position"]["choices"]] for late, table in tables.items()
    }
    for late, table in tables.items():
        events: list[dict] = []

        def drawn_after_being_late(_: dict, table: TableClient = table, events: list[dict] = events) -> bool:
            events[:] = [event for event in table.events(0, seat=0)["events"] if event["kind"] not in ("sat", "begin")]
            return "draw" in kinds(events)[len(DEAL) :]

        table.wait_until(drawn_after_being_late)
        table.delete()
        begun, events = events[len(DEAL) - 1], events[len(DEAL) :]
        turned = events[: kinds(events).index("draw")]
        assert turned[0]["words"] == "You took too long; your turn is finished automatically."
        assert kinds(turned)[1:] == ["move"] * (len(turned) - 1)
        assert {event["seat"] for event in turned} == {0}
        assert turned[0]["at"] - begun["at"] >= 4500
        assert turned[1]["text"] in choices[late][: 1 if late == "first" else None]


def test_a_stream_says_how_much_time_is_left(server):
    table = Person(server).open_table("template", "Ada", "Eva", first=0, seconds=86_400)
    with table.stream(after=0) as stream:
        clock = next(event["data"] for event in stream if event["event"] == "clock")
    assert clock["seat"] == 0
    assert 0 < clock["left"] <= 86_400


def test_a_nonce_is_waited_for_ten_seconds_at_most(silent):
    """The table was opened before the first test of this file; the seat that stays silent has no nonce, and play starts."""
    told = silent.wait_until(lambda told: told["table"]["status"] != "revealing")
    assert told["table"]["status"] == "playing"
    assert told["table"]["fair"]["nonces"] == [None, None]
    assert told["table"]["fair"]["commitments"][0] is not None
    events = silent.events()["events"]
    sat = next(event for event in events if event["kind"] == "sat")
    begun = next(event for event in events if event["kind"] == "begin")
    assert begun["at"] - sat["at"] >= 9_900
    with pytest.raises(Refused, match="not-now"):
        silent.do("reveal", seat=0, nonce=NONCE)
    silent.play(0)
    record = read(silent.record())
    assert record.games[0].nonces == ()
    assert verify(record).proven


def test_a_table_whose_rules_fail_is_tried_again_later_and_later(monkeypatch, capsys):
    """It takes no consumer's time meanwhile, and after a success the next failure counts as the first."""

    async def work() -> list[float]:
        delays: list[float] = []
        table = Table("poisoned", StoredTable([], {}))
        table.status = SimpleNamespace(waiting=Waiting(Wait.BOT, 0, "level:1", 1))
        scheduler = Scheduler(SimpleNamespace(store=None, workers=None), SimpleNamespace(held={}), asyncio.Queue())
        failing = True

        async def decide(table: Table, status: object) -> None:
            if failing:
                raise ZeroDivisionError

        monkeypatch.setattr(scheduler, "_decide", decide)
        monkeypatch.setattr(scheduler, "_schedule_own", lambda table: None)
        monkeypatch.setattr(asyncio.get_running_loop(), "call_later", lambda delay, *_: delays.append(delay))
        for _ in range(12):
            await scheduler._run(table)
        failing = False
        await scheduler._run(table)
        failing = True
        await scheduler._run(table)
        return delays

    *delays, last = asyncio.run(work())
    assert delays[:5] == [1, 2, 4, 8, 16]
    assert delays[-1] == MAX_BACKOFF
    assert last == 1
    assert "scheduled task failed" in capsys.readouterr().out


def test_a_bot_cannot_be_foretold_from_what_everybody_knows():
    """Its seed is the same for a whole game, and another one in every server process."""

    def seeds() -> list[str]:
        opened: list[str] = []

        def open_bot_session(game: str, player: str, seed: str) -> SimpleNamespace:
            opened.append(seed)
            return SimpleNamespace(key=SimpleNamespace(player=player, seed=seed))

        tables = SimpleNamespace(store=None, workers=SimpleNamespace(open_bot_session=open_bot_session))
        scheduler = Scheduler(tables, SimpleNamespace(held={}), asyncio.Queue())
        status = SimpleNamespace(game="template", games=1)
        for table in (tables_of_everybody[0], tables_of_everybody[0], tables_of_everybody[1]):
            scheduler._bot(table, status, 0, "level:1")
        return opened

    tables_of_everybody = [Table(name, StoredTable([], {})) for name in ("ada", "ben")]
    one, other = seeds(), seeds()
    assert len(one) == 2 == len(set(one))
    assert not set(one) & set(other)
