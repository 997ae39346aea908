"""Playing at a table over HTTP: drafts, keys and versions, undo, resigning, series, clocks, hints, replays, pages."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from functools import partial
from typing import Any

import httpx
import jsonschema
import pytest

from spieltisch import __version__
from spieltisch.core.game import Seat
from spieltisch.gameplay.verify import verify
from spieltisch.games.turmbauer.physics.fall import decode_motion
from spieltisch.i18n.format import LANGUAGES
from spieltisch.records import Move, read
from spieltisch.server.http.openapi import example_of
from spieltisch.table import projection
from spieltisch.table.codec import decode
from spieltisch.table.responses import serialize
from spieltisch.table.state import fold
from tests.campaigns.campaign import ROOT
from tests.support.server import (
    TIMEOUT,
    Person,
    Refused,
    Server,
    TableClient,
    new_key,
    run_concurrently,
    running_server,
    start_match,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("commands")) as server:
        yield server


@pytest.fixture
def ada(server):
    return Person(server)


def alone(person: Person, **more: object) -> TableClient:
    """Somebody against a bot in the teaching game, who begins."""
    return person.open_table("template", "Ada", "level:1", **{"first": 0, **more})


def draft_of(told: dict) -> list[str]:
    """The first choice: a pebble laid face up."""
    return [told["position"]["choices"][0]["text"]]


def act(at: TableClient, seat: int, pick: int = 0) -> dict:
    """Somebody takes a choice as soon as there is one; answers how it was before."""
    told = at.wait_until(lambda now: (now["table"]["turn"], now["table"]["waiting"]) == (seat, "person"), seat=seat)
    at.do("actions", seat=seat, version=told["version"], draft=[told["position"]["choices"][pick]["text"]])
    return told


def turn(at: TableClient, seat: int) -> dict:
    """Somebody lays a pebble and says that this was all; answers how it was before."""
    told = at.wait_until(lambda now: (now["table"]["turn"], now["table"]["waiting"]) == (seat, "person"), seat=seat)
    at.do("actions", seat=seat, version=told["version"], draft=[*draft_of(told), "."])
    return told


def over(told: dict) -> bool:
    return told["table"]["status"] == "over"


# drafts


def test_a_preview_tells_where_a_draft_leads_and_changes_nothing(ada):
    table = alone(ada)
    told = table.look()
    before = ada.received[-1]
    draft = draft_of(told)
    asked = table.ask("preview", seat=0, version=told["version"], draft=draft)
    assert asked["version"] == told["version"]
    assert len(asked["words"]) == 1
    assert asked["words"][0].startswith("You lay a")
    assert asked["choices"][-1]["text"] == "."
    assert not asked["complete"]
    assert asked["view"] != told["position"]["view"]
    assert asked["told"] != told["position"]["told"]
    assert asked["advice"] == []
    ended = table.ask("preview", seat=0, version=told["version"], draft=[*draft, "."])
    assert ended["complete"]
    assert ended["choices"] == []
    nothing = table.ask("preview", seat=0, version=told["version"])
    assert nothing["view"] == told["position"]["view"]
    assert nothing["choices"] == told["position"]["choices"]
    table.look()
    assert ada.received[-1] == before


def test_a_preview_is_for_the_eyes_of_its_seat(server):
    ada, ben = start_match(server, "template", "Ada", "Ben", first=0)
    told = ada.look()
    for who, seat, code in ((ben, 0, "not-yours"), (ben, 1, "not-pending"), (ada, 1, "not-yours")):
        with pytest.raises(Refused) as caught:
            who.ask("preview", seat=seat, version=told["version"], draft=draft_of(told))
        assert caught.value.code == code
    with pytest.raises(Refused) as caught:
        Person(server).at(ada.table).ask("preview", seat=0, version=told["version"])
    assert caught.value.code == "not-found"


def test_a_preview_of_a_stone_says_how_firmly_it_would_stand(ada):
    table = ada.open_table("turmbauer", "Ada", "level:1", first=0)
    told = table.look()
    stone = draft_of(told)
    places = table.ask("preview", seat=0, version=told["version"], draft=stone)
    assert places["advice"] == []
    draft = [*stone, places["choices"][0]["text"]]
    built = table.ask("preview", seat=0, version=told["version"], draft=draft)
    assert built["complete"], "then somebody judges"
    assert built["advice"]
    ada.language = "de"
    german = table.ask("preview", seat=0, version=told["version"], draft=draft)
    assert len(german["advice"]) == len(built["advice"])
    assert german["advice"] != built["advice"]


def test_a_draft_is_played_whole(ada):
    table = alone(ada)
    told = table.look()
    draft = [*draft_of(told), "."]
    answer = table.do("actions", seat=0, version=told["version"], draft=draft)
    assert answer["version"] > told["version"]
    moves = [event["text"] for event in table.events(told["version"])["events"] if event["seat"] == 0]
    assert moves == draft


def test_of_a_draft_with_an_illegal_action_nothing_is_played(ada):
    table = alone(ada)
    told = table.look()
    before = ada.received[-1]
    (first,) = draft_of(told)
    held = {choice["text"] for choice in told["position"]["choices"] if choice["text"].isupper()}
    second = min(held - {first}, default=first.lower())  # another colour, or face down after face up
    for what, send in (("actions", table.do), ("preview", table.ask), ("hint", table.ask)):
        with pytest.raises(Refused) as caught:
            send(what, seat=0, version=told["version"], draft=[first, second])
        assert (caught.value.status, caught.value.code, caught.value.body["rule"]) == (422, "illegal-action", "R5")
    table.look()
    assert ada.received[-1] == before


@pytest.mark.parametrize(
    ("change", "status", "code", "words"),
    [
        ({"version": 1}, 409, "stale", "version 1"),
        ({"version": 10**6}, 409, "stale", "not there yet"),
        ({"seat": 1}, 403, "not-yours", "Seat 1"),
        ({"seat": 50}, 403, "not-yours", "Seat 50"),
        ({"draft": []}, 422, "bad-request", "no actions"),
        ({"draft": ["purple"]}, 422, "bad-notation", "purple"),
        ({"draft": [""]}, 422, "bad-notation", ""),
        ({"draft": ["x" * 200]}, 422, "bad-notation", "…"),
        ({"draft": ["\x1b[31m"]}, 422, "bad-notation", "·[31m"),
        ({"draft": ["."]}, 422, "illegal-action", ""),
        ({"draft": ["r", "."]}, 409, "not-pending", "over before the draft is"),
    ],
)
def test_a_draft_that_does_not_fit_is_refused_with_a_reason(server, change, status, code, words):
    table = alone(Person(server), options={"bag": {"R": 50, "B": 0, "G": 0}})
    told = table.look()
    refused = table.refused("actions", **{"seat": 0, "version": told["version"], "draft": ["R"], **change})
    assert (refused.status, refused.code) == (status, code)
    assert words in refused.body["message"]
    assert table.look()["version"] == told["version"]
    table.do("actions", seat=0, version=told["version"], draft=["R"])


@pytest.mark.parametrize(
    ("what", "body", "field"),
    [
        ("actions", {"seat": 0, "version": 5, "draft": ["R"] * 201}, "draft"),
        ("actions", {"seat": 0, "version": 5, "draft": ["R", "x" * 201]}, "draft.1"),
        ("actions", {"seat": 0, "version": 5, "draft": "R"}, "draft"),
        ("actions", {"seat": 0, "version": 5, "draft": [7]}, "draft.0"),
        ("actions", {"seat": 0, "version": -1, "draft": ["R"]}, "version"),
        ("actions", {"seat": 0, "version": 10**10, "draft": ["R"]}, "version"),
        ("actions", {"seat": 0, "version": 1.5, "draft": ["R"]}, "version"),
        ("actions", {"seat": "first", "version": 5, "draft": ["R"]}, "seat"),
        ("actions", {"seat": 0, "draft": ["R"]}, "version"),
        ("actions", {"seat": 0, "version": 5, "draft": ["R"], "force": True}, "force"),
        ("actions", {"seat": 0, "version": 5, "draft": ["R"], "key": "a b c d e"}, "key"),
        ("actions", {"seat": 0, "version": 5, "draft": ["R"], "key": "x" * 65}, "key"),
        ("preview", {"seat": 0, "version": 5, "draft": [], "key": "12345678"}, "key"),
        ("answer", {"seat": 0, "version": 5, "yes": "perhaps"}, "yes"),
        ("undo", {"seat": 0}, "version"),
        ("resign", {}, "seat"),
        ("continue", {"seat": 0}, "seat"),
        ("rematch", {"table": "x"}, "table"),
        ("join", {"code": "x"}, "name"),
        ("watch", {"code": "x" * 101}, "code"),
        ("reveal", {"seat": 0, "nonce": "A5" * 16}, "nonce"),
        ("lend", {"seat": 0, "player": "x" * 101}, "player"),
    ],
)  # fmt: skip
def test_a_field_that_is_missing_unknown_or_of_another_kind_is_named(ada, what, body, field):
    table = ada.at("0123456789abcdef")  # nobody even looks for the table
    keyed = body if what == "preview" else {"key": new_key(), **body}
    with pytest.raises(Refused) as caught:
        ada.post(f"{table.path}/{what}", **keyed)
    assert (caught.value.status, caught.value.code, caught.value.body["field"]) == (422, "bad-request", field)
    assert field in caught.value.body["message"]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff", b"[" * 60_000, b'{"key": "\\ud800"}', b'{"seat": NaN}', b'{"a": 1e999}'],
)
def test_what_is_no_message_at_all_is_refused(server, body):
    headers = {"Authorization": "Bearer " + "x" * 30, "Content-Type": "application/json"}
    answer = httpx.post(
        f"{server.address}/api/tables/0123456789abcdef/actions", content=body, headers=headers, timeout=TIMEOUT
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")
    assert answer.json()["field"]


@pytest.mark.parametrize(
    "path", ["/api/none", "/api/tables/x/fly", "/none", "/api/tables/%00", "/api/tables/" + "x" * 4000]
)
def test_where_nothing_is_something_says_so(server, path):
    answer = httpx.get(f"{server.address}{path}", headers={"Accept-Language": "de"}, timeout=TIMEOUT)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_another_verb_than_the_one_that_is_meant_is_refused(server):
    for verb, path in (("PUT", "/api/tables"), ("GET", "/api/tables/x/actions"), ("DELETE", "/api/games")):
        answer = httpx.request(verb, f"{server.address}{path}", timeout=TIMEOUT)
        assert answer.status_code == 405
        assert answer.json()["message"]


# languages


def test_refusals_and_sentences_are_said_in_the_language_asked_for(server):
    table = alone(Person(server))
    said, told = set(), set()
    for language in LANGUAGES:
        reader = Person(server, table.person.secret, language).at(table.table)
        said.add(reader.refused("actions", seat=0, version=1, draft=["R"]).body["message"])
        told.add(json.dumps(reader.events(0)["events"][-1]["words"]))
    assert len(said) == len(told) == 6


def test_a_browsers_languages_are_understood_and_the_query_goes_first(server):
    url = f"{server.address}/api/games/none/rules"

    def said(accept: str, **query: str) -> str:
        return httpx.get(url, headers={"Accept-Language": accept}, params=query, timeout=TIMEOUT).json()["message"]

    german, dutch, english = said("de"), said("", language="nl"), said("")
    assert len({german, dutch, english}) == 3
    assert said("de-AT,de;q=0.9,en;q=0.8") == german
    assert said("pl, nl;q=0.5") == dutch
    assert said("de", language="nl") == dutch
    assert said("pl") == said("*") == said("," * 500) == english
    refused = httpx.get(f"{server.address}/api/games", params={"language": "xx"}, timeout=TIMEOUT)
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-request")
    assert "xx" in refused.json()["message"]


# keys and versions


def test_the_same_command_again_gets_the_same_answer_and_is_done_once(ada):
    table = alone(ada)
    told = table.look()
    command = {"key": new_key(), "seat": 0, "version": told["version"], "draft": draft_of(told)}
    table.do("actions", **command)
    first = ada.received[-1]
    for _ in range(3):
        table.do("actions", **command)
        assert ada.received[-1] == first
    table.do("actions", seat=0, version=json.loads(first)["version"], draft=["."])
    table.do("actions", **command)
    assert ada.received[-1] == first, "also when the game has gone on"
    moves = [event for event in table.events(told["version"])["events"] if event["seat"] == 0]
    assert [event["text"] for event in moves] == [*command["draft"], "."]
    assert json.loads(first)["version"] == moves[0]["number"]


def test_a_key_belongs_to_one_command_of_one_person(server):
    ada, ben = start_match(server, "template", "Ada", "Ben", first=0)
    key, told = new_key(), ada.look()
    ada.do("lend", key=key, seat=0)
    assert ada.refused("return", key=key, seat=0).code == "key-reused", "the same words, another command"
    assert ada.refused("lend", key=key, seat=0, player="level:1").code == "key-reused"
    assert ada.refused("actions", key=key, seat=0, version=told["version"], draft=["R"]).code == "key-reused"
    assert ben.refused("lend", key=key, seat=0).code == "key-reused"
    assert ben.refused("lend", key=key, seat=1).code == "key-reused"
    alone(ada.person).do("resign", key=key, seat=0)


def test_a_refused_command_may_be_sent_again_when_it_fits(server):
    ada, ben = start_match(server, "template", "Ada", "Ben", first=0, options={"bag": {"R": 50, "B": 0, "G": 0}})
    key = new_key()
    assert ben.refused("actions", key=key, seat=1, version=ben.look()["version"], draft=["R"]).code == "not-pending"
    turn(ada, 0)
    assert ben.do("actions", key=key, seat=1, version=ben.look()["version"], draft=["R"])["version"]


def test_of_commands_that_arrive_in_reverse_order_only_those_that_fit_are_done(server):
    table = alone(Person(server), options={"bag": {"R": 50, "B": 0, "G": 0}})
    start = table.look()["version"]
    late = [
        {"key": new_key(), "seat": 0, "version": start + 1, "draft": ["."]},
        {"key": new_key(), "seat": 0, "version": start, "draft": ["R"]},
        {"key": new_key(), "seat": 0, "version": start, "draft": ["r"]},
    ]
    assert table.refused("actions", **late[0]).code == "stale"
    table.do("actions", **late[1])
    assert table.refused("actions", **late[2]).code == "stale"
    table.do("actions", **late[0])
    moves = [event["text"] for event in table.events(start)["events"] if event["seat"] == 0]
    assert moves[:2] == ["R", "."]


def test_somebody_who_comes_makes_no_move_stale(server):
    ada, _ = start_match(server, "template", "Ada", "Ben", first=0)
    told = ada.look()
    Person(server).at(ada.table).do("watch", code=told["table"]["code"])
    assert ada.look()["version"] > told["version"]
    ada.do("actions", seat=0, version=told["version"], draft=draft_of(told))


def test_one_command_sent_many_times_at_once_is_done_once(server):
    for _ in range(5):
        table = alone(Person(server))
        told = table.look()
        people = [Person(server, table.person.secret).at(table.table) for _ in range(6)]
        command = {"key": new_key(), "seat": 0, "version": told["version"], "draft": draft_of(told)}
        run_concurrently(*[partial(at.do, "actions", **command) for at in people])
        assert len({at.person.received[-1] for at in people}) == 1
        events = table.events(told["version"])["events"]
        assert [event["text"] for event in events] == command["draft"]


def test_of_many_commands_for_one_version_one_is_done(server):
    table = alone(Person(server))
    told = table.look()
    people = [Person(server, table.person.secret).at(table.table) for _ in range(6)]
    body = {"seat": 0, "version": told["version"], "draft": [*draft_of(told), "."]}
    answers = run_concurrently(*[partial(at.do, "actions", **body) for at in people])
    codes = sorted(answer.code if isinstance(answer, Refused) else "done" for answer in answers)
    assert codes == ["done"] + ["stale"] * 5


def test_what_is_told_follows_from_the_lines_on_the_disk(server, ada):
    table = alone(ada, games=2, seconds=3600)
    turn(table, 0)
    table.wait_until(lambda now: now["table"]["turn"] == 0)
    with contextlib.closing(sqlite3.connect(server.file)) as database:
        found = database.execute("SELECT line, at FROM log WHERE [table] = ? ORDER BY number", [table.table])
        state = fold((decode(line), at) for line, at in found)
    holder = hashlib.sha256(ada.secret.encode()).hexdigest()
    update = projection.project(state, projection.viewpoint(state, holder, None, "en"), 0)
    assert json.loads(serialize(update)) == table.events(0)
    assert projection.project_record(state, Seat(0)) == table.record()


# undo


def test_against_bots_a_turn_is_taken_back_at_once_also_after_draws_and_nothing_is_drawn_anew(ada):
    table = alone(ada)
    assert table.refused("undo", seat=0, version=table.look()["version"]).code == "not-pending"
    before = turn(table, 0)
    told = table.wait_until(lambda now: now["table"]["turn"] == 0)
    assert any(event["kind"] == "draw" for event in table.events(before["version"])["events"])
    answer = table.do("undo", seat=0, version=told["version"])
    assert answer["asked"] is False
    back = table.look()
    assert back["position"]["view"] == before["position"]["view"]
    assert back["table"]["practice"]
    assert table.events(told["version"])["events"][-1]["words"] == "A turn is taken back."
    ended = table.play(0)
    assert ended["table"]["practice"]
    record = read(table.record())
    assert record.games[0].practice
    found = verify(record)
    assert (found.finished, found.proven, found.practice) == (True, True, True)


def test_a_turn_is_taken_back_while_the_bot_thinks(server):
    table = Person(server).open_table("bigpoints", "Ada", "level:3", first=0, games=1)
    before = table.look()
    act(table, 0)
    while isinstance(
        answer := run_concurrently(lambda: table.do("undo", seat=0, version=table.look()["version"]))[0], Refused
    ):
        assert answer.code == "stale", "it has just decided"
    assert table.look()["position"]["view"] == before["position"]["view"]
    act(table, 0)
    table.wait_until(lambda now: now["table"]["turn"] == 0)


def test_among_people_a_turn_is_taken_back_by_everybodys_yes(server):
    ada, ben, cleo = start_match(server, "template", "Ada", "Ben", "Cleo", first=0)
    before = act(ada, 0)
    assert ada.do("undo", seat=0, version=ada.look()["version"])["asked"] is True
    assert ada.do("undo", seat=0, version=ada.look()["version"])["asked"] is True
    asked = ben.look()["table"]["ask"]
    assert (asked["seat"], asked["what"], asked["yes"]) == (0, "undo", [])
    assert ben.events(0)["events"][-1]["words"] == "Ada would like to take the last turn back."
    assert ben.refused("answer", seat=1, version=asked["number"] - 1, yes=True).code == "stale"
    assert ben.refused("answer", seat=0, version=asked["number"], yes=True).code == "not-yours"
    ada.do("answer", seat=0, version=asked["number"], yes=True)
    ben.do("answer", seat=1, version=asked["number"], yes=True)
    ben.do("answer", seat=1, version=asked["number"], yes=True)
    assert cleo.look()["table"]["ask"]["yes"] == [1]
    cleo.do("answer", seat=2, version=asked["number"], yes=True)
    told = ada.look()
    assert told["table"]["ask"] is None
    assert told["position"]["view"] == before["position"]["view"]
    assert not told["table"]["practice"]
    assert ada.refused("undo", seat=0, version=told["version"]).code == "not-pending"


def test_a_no_ends_the_question_and_so_does_going_on(server):
    ada, ben = start_match(server, "template", "Ada", "Ben", first=0)
    act(ada, 0)
    ada.do("undo", seat=0, version=ada.look()["version"])
    ben.do("answer", seat=1, version=ben.look()["version"], yes=False)
    assert ada.look()["table"]["ask"] is None
    assert ada.refused("answer", seat=0, version=ada.look()["version"], yes=True).code == "not-now"
    ada.do("undo", seat=0, version=ada.look()["version"])
    asked = ben.look()["version"]
    act(ada, 0, -1)
    assert ben.refused("answer", seat=1, version=asked, yes=True).code == "not-now"
    assert not any(event["kind"] == "undo" for event in ben.events(0)["events"])


def test_among_people_a_draw_is_never_taken_back(server):
    ada, _ = start_match(server, "template", "Ada", "Ben", first=0)
    turn(ada, 0)
    refused = ada.refused("undo", seat=0, version=ada.look()["version"])
    assert (refused.code, "drawn" in refused.body["message"]) == ("not-now", True)
    assert ada.refused("undo", seat=0, version=2).code == "stale"


def test_people_at_one_device_take_back_what_was_not_drawn(server):
    table = Person(server).open_table("template", "Ada", "Eva", first=0)
    before = act(table, 0)
    assert table.do("undo", seat=0, version=table.look()["version"])["asked"] is False
    assert table.look()["position"]["view"] == before["position"]["view"]
    assert not table.look()["table"]["practice"]
    turn(table, 0)
    assert table.refused("undo", seat=0, version=table.look()["version"]).code == "not-now"


# resigning


def test_of_two_one_resigns_and_the_match_is_over(server):
    ada, ben = start_match(server, "bigpoints", "Ada", "Ben", first=0)
    act(ada, 0)
    ben.do("resign", seat=1)
    version = ben.do("resign", seat=1)["version"]
    told = ada.look()
    assert (told["version"], told["table"]["status"], told["table"]["waiting"]) == (version, "over", "nobody")
    assert told["table"]["seats"][1]["resigned"]
    assert [event["kind"] for event in ada.events(0)["events"]][-2:] == ["resigned", "ended"]
    found = verify(read(ada.record()))
    assert (found.finished, found.proven) == (False, True), "no result, but every draw is proven"
    assert told["table"]["fair"]["secrets"][0] is not None
    for who, seat in ((ada, 0), (ben, 1)):
        body = {"seat": seat, "version": version}
        assert who.refused("actions", **body, draft=["r+"]).code == "not-now"
        assert who.refused("undo", **body).code == "not-now"
    assert ada.refused("resign", seat=0).code == "not-now"
    assert ada.look()["position"]["choices"] == []


def test_of_three_one_resigns_and_the_others_play_on(server):
    ada, ben, cleo = start_match(server, "template", "Ada", "Ben", "Cleo", first=0)
    ada.do("resign", seat=0)
    told = ben.wait_until(lambda now: now["table"]["turn"] == 1)
    assert told["table"]["status"] == "playing"
    assert told["table"]["seats"][0]["player"] is not None
    assert ada.refused("actions", seat=0, version=told["version"], draft=["R"]).code in ("not-now", "not-pending")
    assert ada.refused("return", seat=0).code == "not-now"
    turn(ben, 1)
    cleo.do("resign", seat=2)
    assert ben.look()["table"]["status"] == "over"


def test_against_bots_whoever_resigns_ends_the_match(ada):
    table = ada.open_table("template", "Ada", "level:1", "level:1", first=0)
    table.do("resign", seat=0)
    assert over(table.look())
    assert "resign" in table.events(0)["events"][-2]["words"]


# series


def test_a_series_goes_on_from_game_to_game_and_adds_up(ada, server):
    table = ada.open_table("bigpoints", "Ada", "level:1", first=0, games=2, public=True)
    paused = table.play(0)
    now = paused["table"]
    assert (now["status"], now["number"], now["waiting"]) == ("paused", 0, "nobody")
    outcome = paused["position"]["outcome"]
    assert now["totals"] == outcome["scores"]
    assert paused["position"]["winners"]
    assert paused["position"]["sheet"]
    assert [secret is None for secret in now["fair"]["secrets"]] == [False, True]
    assert verify(read(table.record())).proven
    assert table.refused("actions", seat=0, version=paused["version"], draft=["r+"]).code == "not-now"
    assert table.refused("undo", seat=0, version=paused["version"]).code == "not-now"
    assert Person(server).at(table.table).refused("continue").code == "not-yours"
    answers = run_concurrently(*[partial(Person(server, ada.secret).at(table.table).do, "continue")] * 2)
    assert sorted(isinstance(answer, Refused) for answer in answers) == [False, True]
    assert read(table.record()).games[1].first == 1, "the next seat begins"
    ended = table.play(0)
    assert over(ended)
    again = ended["position"]["outcome"]["scores"]
    totals = [one + two for one, two in zip(outcome["scores"], again, strict=True)]
    assert ended["table"]["totals"] == totals
    assert table.refused("continue").code == "not-now"
    record = read(table.record())
    assert (record.match, record.total) == (2, tuple(totals))
    found = verify(record)
    assert (found.games, found.finished, found.proven) == (2, True, True)
    begun = [event["words"] for event in table.events(0)["events"] if event["kind"] == "begin"]
    assert begun == ["Game 1 of 2 begins.", "Game 2 of 2 begins."]


def test_a_series_can_be_given_up_between_two_games(server):
    table = Person(server).open_table("template", "Ada", "level:1", first=0, games=3)
    table.play(0)
    table.do("resign", seat=0)
    assert over(table.look())
    found = verify(read(table.record()))
    assert (found.games, found.finished, found.proven) == (1, False, True)


# clocks


def test_whoever_takes_too_long_is_played_for_until_the_turn_is_over(server):
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
        assert turned[0]["words"] == "You took too long; your turn is finished by the table."
        assert kinds(turned)[1:] == ["move"] * (len(turned) - 1)
        assert {event["seat"] for event in turned} == {0}
        assert turned[0]["at"] - begun["at"] >= 4500
        assert turned[1]["text"] in choices[late][: 1 if late == "first" else None]


def kinds(events: list[dict]) -> list[str]:
    return [event["kind"] for event in events]


DEAL = ["draw"] * 6


def test_a_stream_tells_how_long_a_turn_may_take(server):
    table = Person(server).open_table("template", "Ada", "Eva", first=0, seconds=86_400)
    with table.stream(after=0) as stream:
        clock = next(event["data"] for event in stream if event["event"] == "clock")
    assert clock["seat"] == 0
    assert 0 < clock["left"] <= 86_400


# hints


def test_a_hint_is_something_that_can_be_chosen(ada):
    table = alone(ada)
    told = table.look()
    before = ada.received[-1]
    hint = table.ask("hint", seat=0, version=told["version"])
    words = {choice["text"]: choice["words"] for choice in told["position"]["choices"]}
    assert words[hint["text"]] == hint["words"]
    further = table.ask("hint", seat=0, version=told["version"], draft=draft_of(told))
    preview = table.ask("preview", seat=0, version=told["version"], draft=draft_of(told))
    assert further["text"] in {choice["text"] for choice in preview["choices"]}
    table.look()
    assert ada.received[-1] == before
    for body, code in (
        ({"draft": [*draft_of(told), "."]}, "not-pending"),
        ({"draft": ["purple"]}, "bad-notation"),
        ({"version": 1}, "stale"),
        ({"seat": 1}, "not-yours"),
    ):
        with pytest.raises(Refused) as caught:
            table.ask("hint", **{"seat": 0, "version": told["version"], **body})
        assert caught.value.code == code
    turn(table, 0)


# replays


@pytest.fixture(scope="module")
def played(server) -> str:
    """The record of a game that was played here, with something taken back in it."""
    table = alone(Person(server))
    turn(table, 0)
    told = table.wait_until(lambda now: now["table"]["turn"] == 0)
    table.do("undo", seat=0, version=told["version"])
    assert over(table.play(0))
    return table.record()


def test_a_record_is_told_in_sentences_and_views(ada, played):
    (game,) = read(played).games
    told = ada.post("/api/replays", record=played)
    assert (told["game"], told["title"], told["games"]) == ("template", "Pebbles", 1)
    assert told["names"] == ["Ada", "Bot 1"]
    assert told["practice"]
    assert told["outcome"]["scores"] == list(game.result)
    assert len(told["events"]) == len(game.entries)
    assert [event["kind"] == "undo" for event in told["events"]] == [
        not isinstance(entry, Move) for entry in game.entries
    ]
    assert all(event["words"] for event in told["events"])
    assert len(told["views"]) == min(100, len(game.entries) + 1)
    eyes = ada.post("/api/replays", record=played, viewer=0)
    assert eyes["views"] != told["views"]
    assert any(event["words"].startswith("You ") for event in eyes["events"])
    ada.language = "de"
    assert ada.post("/api/replays", record=played)["events"][0]["words"] != told["events"][0]["words"]


def test_the_views_of_a_record_come_a_hundred_at_a_time(server, ada):
    table = ada.open_table("bigpoints", "level:1", "level:1", games=1)
    table.wait_until(over)
    record = table.record()
    entries = len(read(record).games[0].entries)
    pages = [ada.post("/api/replays", record=record, first=first) for first in (0, 100, 200)]
    assert [page["first"] for page in pages] == [0, 100, 200]
    assert [len(page["views"]) for page in pages] == [min(100, max(0, entries + 1 - first)) for first in (0, 100, 200)]
    assert pages[0]["events"] == pages[1]["events"]
    assert ada.post("/api/replays", record=record, first=10)["views"] == (pages[0]["views"] + pages[1]["views"])[10:110]


def test_a_closer_look_shows_a_fall_and_what_is_inside(ada):
    record = (ROOT / "src/spieltisch/games/turmbauer/tests/golden/match.game").read_text(encoding="utf-8")
    entries = [entry.text if isinstance(entry, Move) else "" for entry in read(record).games[0].entries]
    seen = ada.send("/api/replays/film", record=record, entry=entries.index("fall 1"))
    assert (seen.status_code, seen.headers["content-type"]) == (200, "application/octet-stream")
    assert decode_motion(seen.content)
    for entry in (0, len(entries)):
        assert ada.send("/api/replays/film", record=record, entry=entry).status_code == 204
    bare, whole = (ada.post("/api/replays/inside", record=record, entry=entry)["inside"] for entry in (0, 10**6))
    assert len(bare["loads"]) == 1, "the foundation lies on the table"
    assert len(whole["loads"]) > 20
    for path in ("film", "inside"):
        with pytest.raises(Refused) as caught:
            ada.post(f"/api/replays/{path}", record=record, game=9, entry=0)
        assert caught.value.code == "bad-request"
    with pytest.raises(Refused) as caught:
        ada.post("/api/replays/inside", record=record, viewer=2, entry=0)
    assert "seat 2" in caught.value.body["message"]


def test_whoever_is_at_a_table_may_look_closer(server, ada, played):
    table = ada.open_table("turmbauer", "Ada", "level:1", first=0)
    table.wait_until(lambda now: now["table"]["waiting"] == "person")
    assert len(ada.get(f"{table.path}/inside").json()["inside"]["loads"]) == 1
    assert ada.get(f"{table.path}/films/1").status_code == 204
    assert ada.post("/api/replays/inside", record=played, entry=1) == {"inside": None}, "this game has no more to show"
    for path in ("inside", "films/1"):
        with pytest.raises(Refused) as caught:
            Person(server).get(f"{table.path}/{path}")
        assert caught.value.code == "not-found"


def test_a_bad_record_is_refused_by_its_line(ada, played, server):
    lines = played.splitlines()
    place = next(number for number, line in enumerate(lines) if line.startswith("0 "))
    wrong = "\n".join([*lines[:place], "0 .", *lines[place + 1 :]])
    with_comment = "; a comment\n" + wrong
    for record, line, rule in (
        (wrong, place + 1, "R4"),
        (with_comment, place + 2, "R4"),
        ("", 1, None),
        ("hello", 1, None),
    ):
        with pytest.raises(Refused) as caught:
            ada.post("/api/replays", record=record)
        body = caught.value.body
        assert (body["code"], body["line"], body["rule"]) == ("bad-record", line, rule)
    for more, words in (({"game": 1}, "one game"), ({"viewer": 2}, "seat 2")):
        with pytest.raises(Refused) as caught:
            ada.post("/api/replays", record=played, **more)
        assert caught.value.code == "bad-request"
        assert words in caught.value.body["message"]
    with pytest.raises(Refused) as caught:
        ada.post("/api/replays", record="x" * 1_000_001)
    assert (caught.value.status, caught.value.code) == (413, "too-large")
    witnessed = alone(ada).record()
    with pytest.raises(Refused) as caught:
        ada.post("/api/replays", record=witnessed)
    assert caught.value.code == "bad-record", "what was hidden cannot be told"
    assert witnessed.splitlines()[caught.value.body["line"] - 1].startswith("viewer")


# pages and lists


def test_the_games_are_told_in_six_languages(server):
    said = {}
    for language in LANGUAGES:
        cards = {card["game"]: card for card in Person(server, language=language).get("/api/games").json()}
        assert set(cards) == {"bigpoints", "rondo", "turmbauer"}
        said[language] = [option["words"] for option in cards["bigpoints"]["options"]]
        assert all(said[language])
    assert len({tuple(words) for words in said.values()}) == 6
    assert cards["bigpoints"]["players"] == [2, 3, 4, 5]
    assert cards["bigpoints"]["games"]["3"] == 3
    assert cards["rondo"]["hides"]
    assert cards["rondo"]["options"][0]["values"] is None
    assert cards["turmbauer"]["bots"][:2] == ["level:1", "level:2"]


def test_every_game_has_its_rules_in_six_languages(server):
    for game in ("bigpoints", "rondo", "turmbauer"):
        pages = [Person(server, language=language).get(f"/api/games/{game}/rules") for language in LANGUAGES]
        assert len({page.text for page in pages}) == 6
        assert all(page.text.startswith("#") for page in pages)
        assert pages[0].headers["content-type"].startswith("text/plain")


def test_the_draws_of_finished_games_are_held_against_their_odds(ada, played):
    table = alone(ada)
    table.play(0)
    games = {one["game"]: one for one in ada.get("/api/fairness").json()}
    assert games["template"]["games"] >= 2
    assert games["template"]["draws"] >= 2 * 6
    for test in games["template"]["tests"]:
        assert 0 <= test["p"] <= 1
        assert sum(piece["seen"] for piece in test["pieces"]) == pytest.approx(
            sum(piece["expected"] for piece in test["pieces"])
        )
    before = games["template"]["games"]
    table.delete()
    assert {one["game"]: one for one in ada.get("/api/fairness").json()}["template"]["games"] == before - 1


def test_the_page_about_the_api_needs_no_script(server):
    page = httpx.get(f"{server.address}/api/docs", timeout=TIMEOUT)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert "<script" not in page.text
    assert "http://" not in page.text
    assert "https://" not in page.text
    assert "/plain.css" in page.text
    assert "POST /api/tables/{table}/actions" in page.text
    assert httpx.get(f"{server.address}/plain.css", timeout=TIMEOUT).headers["content-type"].startswith("text/css")
    health = httpx.get(f"{server.address}/healthz", timeout=TIMEOUT).json()
    assert (health["status"], health["version"]) == ("ok", __version__)


# the description for machines


class Description:
    """What the server says of itself."""

    def __init__(self, server: Server) -> None:
        self.whole = httpx.get(f"{server.address}/api/openapi.json", timeout=TIMEOUT).json()
        self.parts = self.whole["components"]["schemas"]

    def check(self, body: Any, schema: dict[str, Any]) -> None:
        jsonschema.Draft202012Validator({**schema, "components": self.whole["components"]}).validate(body)

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for path, operations in self.whole["paths"].items():
            for method, told in operations.items():
                yield method, path, told

    def answer(self, method: str, path: str, status: int) -> dict[str, Any]:
        """What an answer looks like."""
        shown = self.whole["paths"][path][method]["responses"][str(status)]["content"]
        return next(iter(shown.values()))["schema"]


@pytest.fixture(scope="module")
def described(server) -> Description:
    return Description(server)


def test_the_description_is_one(described):
    jsonschema.Draft202012Validator.check_schema({"$defs": described.parts})
    paths = {(method, path) for method, path, _ in described.operations()}
    assert ("post", "/api/tables/{table}/actions") in paths
    assert ("get", "/api/tables/{table}/stream") in paths
    assert len(paths) >= 28
    for _, path, told in described.operations():
        assert told.get("description"), path


def test_every_example_fits_its_schema(described):
    found = 0
    for part in described.parts.values():
        for field in (part, *part.get("properties", {}).values()):
            for example in field.get("examples", ()):
                described.check(example, field)
                found += 1
    assert found >= 10


def test_every_example_of_a_command_is_understood(described, ada):
    asked = 0
    for method, path, told in described.operations():
        if method != "post":
            continue
        schema = told["requestBody"]["content"]["application/json"]["schema"]
        body = example_of(schema, described.parts)
        described.check(body, schema)
        url = ada.url(path.format(table="0123456789abcdef"))
        answer = ada.http.post(url, json=body)
        described.check(answer.json(), described.answer("post", path, answer.status_code))
        assert answer.status_code == 201 or answer.json()["code"] in ("not-found", "bad-record"), (path, answer.text)
        asked += 1
    assert asked >= 18


@pytest.mark.parametrize("game", ["bigpoints", "rondo", "turmbauer", "template"])
def test_every_answer_fits_the_description(described, server, game):
    ada = Person(server)
    table = ada.open_table(game, "Ada", "level:1", first=0, games=1, public=True)
    told = table.look()

    def fits(method: str, path: str, body: Any, status: int = 200) -> None:
        described.check(body, described.answer(method, path, status))

    here = "/api/tables/{table}"
    fits("get", here, told)
    fits("get", f"{here}/events", table.events(0))
    body = {"seat": 0, "version": told["version"], "draft": draft_of(told)}
    fits("post", f"{here}/preview", table.ask("preview", **body))
    fits("post", f"{here}/hint", table.ask("hint", seat=0, version=told["version"]))
    fits("post", f"{here}/actions", table.do("actions", **body))
    fits("post", f"{here}/actions", table.refused("actions", **body).body, 409)
    fits("post", f"{here}/actions", table.refused("actions", **{**body, "draft": 5}).body, 422)
    fits("post", f"{here}/actions", table.refused("actions", **{**body, "seat": 1}).body, 403)
    fits("get", "/api/tables", ada.get("/api/tables").json())
    now = table.wait_until(lambda now: now["table"]["waiting"] == "person")
    fits("get", here, now)
    fits("post", f"{here}/undo", table.do("undo", seat=0, version=now["version"]))
    fits("get", here, httpx.get(ada.url(table.path), timeout=TIMEOUT).json())
    table.do("resign", seat=0)
    fits("get", here, table.look())
    fits("post", f"{here}/rematch", table.do("rematch"))
    fits("post", "/api/replays", ada.post("/api/replays", record=table.record()))
    fits("get", "/api/games", ada.get("/api/games").json())
    fits("get", "/api/fairness", ada.get("/api/fairness").json())
    fits("get", "/healthz", httpx.get(ada.url("/healthz"), timeout=TIMEOUT).json())


def test_a_finished_game_fits_the_description(described, server, played):
    ada = Person(server)
    table = alone(ada)
    told = table.play(0)
    described.check(told, described.answer("get", "/api/tables/{table}", 200))
    assert told["position"]["outcome"]
    described.check(ada.post("/api/replays", record=played), described.answer("post", "/api/replays", 200))
    broken = {**told, "position": {**told["position"], "view": {"any": "thing"}}}
    with pytest.raises(jsonschema.ValidationError):
        described.check(broken, described.answer("get", "/api/tables/{table}", 200))
