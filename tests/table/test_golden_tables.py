"""Stored tables outlive us: what version 1 has stored is read, migrated, told as before and played on."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from spieltisch import players
from spieltisch.core.game import Viewer
from spieltisch.table import projection
from spieltisch.table.codec import Row, UnknownEvent, decode, encode
from spieltisch.table.responses import serialize
from spieltisch.table.state import STAND_IN, TableState, fold
from tests.support.server import Person, Refused, running_server

GOLDEN = Path(__file__).parent / "golden"
EXPECTED: dict[str, Any] = json.loads((GOLDEN / "expected.json").read_text(encoding="utf-8"))
SECRETS = {
    "ada": "golden-ada-0000000000000000",
    "ben": "golden-ben-0000000000000000",
    "cleo": "golden-cleo-000000000000000",
    "dora": "golden-dora-000000000000000",
    "wim": "golden-wim-0000000000000000",
}
EACH_TABLE = pytest.mark.parametrize("table", EXPECTED, ids=lambda table: Path(EXPECTED[table]["log"]).stem)


def rows_of(table: str) -> list[Row]:
    lines = (GOLDEN / EXPECTED[table]["log"]).read_bytes().decode().split("\n")[:-1]
    return [Row(line, int(at)) for at, _, line in (line.partition(" ") for line in lines)]


def state_of(table: str) -> TableState:
    state = fold((decode(row.line), row.at) for row in rows_of(table))
    assert state is not None
    return state


def holder(name: str | None) -> str | None:
    return None if name is None else hashlib.sha256(SECRETS[name].encode()).hexdigest()


REWORDED = (
    (r"are counted to the east", "count to the east"),
    (r"a pawn on a cube of floor 3 stands at", "on a cube of floor 3 one stands at"),
    (r": (.+)’s bridge\.$", r": a bridge of \1."),
    (r": your bridge\.$", ": a bridge of yours."),
    (r"^(.+)’s pile is empty\.$", r"\1 has a pile of no pebbles."),
    (r"^Your pile is empty\.$", "You have a pile of no pebbles."),
    (r"^(.+)’s pile: ", r"The pile of \1: "),
    (r"^So far there is only the foundation\.$", "The tower is no more than the foundation."),
    (r"^in all (\d+ points)$", r"together \1"),
    (r"finished automatically\.$", "finished by the table."),
    (r"^You take your seat back\.$", "You play again."),
    (r"takes the seat back\.$", "plays again."),
    (r"leaves the (\w+) pawn where it is\.$", r"stays with the \1 pawn."),
    (r"^The game continues at a new table\.$", "It goes on at a new table."),
)


def as_worded_then(sentence: str) -> str:
    """The sentence in the words of the golden files, which stay as they are."""
    for now, then in REWORDED:
        sentence = re.sub(now, then, sentence)
    return sentence


def as_version_1(answer: Any, expected: Any) -> Any:
    """The answer as version 1 told it: choices did not say whether they end the turn, seats had no avatars, a seat that
    was left in the middle of a game was free for everybody, nothing said whether the starting seat was drawn, the end of a
    match was told in fewer words, there was no line per turn, and some sentences were different.
    """
    for field in ("told", "sheet") if answer["position"] else ():
        answer["position"][field] = [as_worded_then(sentence) for sentence in answer["position"][field]]
    del answer["table"]["fair"]["drawn"]
    for field in ("headline", "reason"):
        (answer["position"] or {field: None}).pop(field)
    for field in ("scores", "result", "ended", "shared", "next_title"):
        del answer["table"][field]
    for event in answer["events"]:
        del event["turn"], event["back"]
        event["words"] = as_worded_then(event["words"])
        if event["kind"] == "ended":
            assert event["words"].endswith(("win.", "wins."))
            event["words"] = "The match is over early."
    for choice in (answer["position"] or {"choices": []})["choices"]:
        del choice["ends"]
    for seat, before in zip(answer["table"]["seats"], expected["table"]["seats"], strict=True):
        del seat["avatar"]
        seat["free"] |= before["free"] and before["kind"] == "bot"
    return answer


def all_pages(ask: Callable[[int], dict]) -> dict:
    """What is told page by page, as one page."""
    told = ask(0)
    while told["next"] is not None:
        page = ask(told["next"])
        told = {**page, "events": told["events"] + page["events"]}
    del told["next"]
    return told


@EACH_TABLE
def test_a_stored_log_gives_the_same_table(table):
    expected, state = EXPECTED[table], state_of(table)
    assert (state.opened.game, state.status.value, state.version) == tuple(
        expected[field] for field in ("game", "status", "lines")
    )
    waiting = state.waiting()
    assert (waiting.kind.value, waiting.seat, waiting.player) == tuple(
        expected["waiting"][field] for field in ("kind", "seat", "player")
    )
    if waiting.seat is not None or waiting.since:
        assert waiting.since == expected["waiting"]["since"]
    digest = b""
    for row in rows_of(table):
        digest = hashlib.sha256(digest + row.line.encode()).digest()
    assert digest.hex() == expected["digest"]  # the golden log itself is unchanged


@EACH_TABLE
def test_a_stored_log_is_told_to_everybody_as_before(table):
    state = state_of(table)
    for expected in EXPECTED[table]["viewers"].values():
        by = projection.viewpoint(state, holder(expected["by"]), expected["seat"], "en")
        told = all_pages(lambda after, by=by: json.loads(serialize(projection.project(state, by, after))))
        assert as_version_1(told, expected["answer"]) == expected["answer"]
        viewer: Viewer = by.viewer
        record = projection.project_record(state, viewer)
        assert record.replace("drawn     first\n", "") == expected["record"]


@EACH_TABLE
def test_every_event_that_is_not_repeated_by_the_record_is_stored_as_before(table):
    for row in rows_of(table):
        event = decode(row.line)
        if not row.line.startswith("game "):  # the start of a game has an event of its own now
            assert encode(event) == row.line


def test_a_line_of_a_newer_version_is_refused():
    for line in (
        '@ {"do":"sat","v":2,"seat":0,"name":"Ada","holder":"x"}',
        '@ {"do":"flown","seat":0}',
        "@ {",
        "0",
        "undo x",
    ):
        with pytest.raises(UnknownEvent):
            decode(line)


def test_fields_that_a_stored_event_lacks_have_defaults():
    assert encode(decode('@ {"do":"sat","seat":0,"name":"Ada","holder":"x"}')) == (
        '@ {"do":"sat","seat":0,"name":"Ada","holder":"x","commit":null}'
    )


def test_the_stand_in_of_a_table_is_the_bot_that_sits_down_by_default():
    assert STAND_IN == players.DEFAULT


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    """A server of this version on the database of version 1."""
    folder = tmp_path_factory.mktemp("golden")
    with contextlib.closing(sqlite3.connect(folder / "tables.sqlite")) as database:
        database.executescript((GOLDEN / "tables-1.sql").read_bytes().decode())
        database.commit()
    with running_server(folder) as server:
        yield server


def waits_for_a_person(table: str) -> bool:
    """Whether nothing happens at the table until somebody acts."""
    state = state_of(table)
    return state.waiting().kind.value in ("person", "nobody") and state.opened.seconds is None


@EACH_TABLE
def test_a_migrated_database_tells_every_table_as_before(migrated, table):
    if not waits_for_a_person(table):
        return  # bots, judges and clocks go on at once
    for expected in EXPECTED[table]["viewers"].values():
        if expected["by"] is None:
            continue
        person = Person(migrated, SECRETS[expected["by"]])
        seat = {} if expected["seat"] is None else {"seat": expected["seat"]}
        told = person.at(table).events(**seat)
        del told["next"]
        assert as_version_1(told, expected["answer"]) == expected["answer"]


@EACH_TABLE
def test_a_command_that_was_answered_by_version_1_gets_the_same_response(migrated, table):
    for what in ("last command", "opened"):
        known = EXPECTED[table][what]
        if known is None:
            continue
        person = Person(migrated, SECRETS[known["by"]])
        path = "/api/tables" if what == "opened" else f"/api/tables/{table}/{known['command']}"
        assert person.post(path, **known["body"]) == known["answer"]


def test_every_migrated_table_goes_on(migrated):
    """People play their turn; bots, judges, clocks and nonces are not waited for in vain."""
    for table, expected in EXPECTED.items():
        if expected["status"] != "playing":
            continue
        by = next(one["by"] for one in expected["viewers"].values() if one["by"])
        at = Person(migrated, SECRETS[by]).at(table)
        if waits_for_a_person(table):
            seat = expected["waiting"]["seat"]
            mover = next(one["by"] for name, one in expected["viewers"].items() if name == f"seat {seat}")
            at = Person(migrated, SECRETS[mover]).at(table)
            told = at.look(seat=seat)
            try:
                at.do("actions", seat=seat, version=told["version"], draft=[told["position"]["choices"][0]["text"]])
            except Refused as refused:
                raise AssertionError((table, refused.body)) from refused
        at.wait_until(lambda told, lines=expected["lines"]: told["version"] > lines)
