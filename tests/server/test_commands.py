"""Commands over HTTP: previews and hints, idempotency keys and versions, undo and series against real bots.

What a command leads to is tested without a server, in tests/table.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
from functools import partial

import pytest

from spieltisch.core.game import Seat
from spieltisch.gameplay.verify import verify
from spieltisch.i18n.format import LANGUAGES
from spieltisch.records import read
from spieltisch.table import projection
from spieltisch.table.codec import decode
from spieltisch.table.responses import serialize
from spieltisch.table.state import fold
from tests.support.server import (
    Person,
    Refused,
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


def test_a_preview_is_for_its_own_seat_only(server):
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


def test_a_hint_is_one_of_the_choices(ada):
    table = alone(ada)
    told = table.look()
    before = ada.received[-1]
    hint = table.ask("hint", seat=0, version=told["version"])
    words = {choice["text"]: choice["words"] for choice in told["position"]["choices"]}
    assert (words[hint["text"]], hint["reason"]) == (hint["words"], None)  # this game has no reasons
    assert hint["version"] == told["version"]  # nobody else is there to be told
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


def test_a_hint_says_why_and_others_learn_who_asked(server):
    at_ada, at_ben = start_match(server, "bigpoints", "Ada", "Ben", first=0)
    told = at_ada.look()
    hint = at_ada.ask("hint", seat=0, version=told["version"])
    again = at_ada.ask("hint", seat=0, version=told["version"])
    assert {**again, "version": hint["version"]} == hint
    assert hint["reason"] is None or hint["reason"].endswith(".")
    assert not re.search(r"disc \d", hint["words"])
    news = [event["words"] for event in at_ben.events(told["version"])["events"]]
    assert news == ["Ada asks for a hint."]
    assert hint["words"] not in json.dumps(at_ben.look())
    assert at_ada.look()["version"] == hint["version"]
    at_ada.do("actions", seat=0, version=told["version"], draft=[hint["text"]])


def test_refusals_and_sentences_are_in_the_requested_language(server):
    table = alone(Person(server))
    said, told = set(), set()
    for language in LANGUAGES:
        reader = Person(server, table.person.secret, language).at(table.table)
        said.add(reader.refused("actions", seat=0, version=1, draft=["R"]).body["message"])
        told.add(json.dumps(reader.events(0)["events"][-1]["words"]))
    assert len(said) == len(told) == 6


# keys and versions


def test_a_repeated_command_gets_the_same_response_and_is_carried_out_once(ada):
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


def test_of_commands_that_arrive_in_reverse_order_only_those_that_fit_are_carried_out(server):
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


def test_a_new_spectator_makes_no_move_stale(server):
    ada, _ = start_match(server, "template", "Ada", "Ben", first=0)
    told = ada.look()
    Person(server).at(ada.table).do("watch", code=told["table"]["code"])
    assert ada.look()["version"] > told["version"]
    ada.do("actions", seat=0, version=told["version"], draft=draft_of(told))


def test_one_command_sent_many_times_at_once_is_carried_out_once(server):
    for _ in range(5):
        table = alone(Person(server))
        told = table.look()
        people = [Person(server, table.person.secret).at(table.table) for _ in range(6)]
        command = {"key": new_key(), "seat": 0, "version": told["version"], "draft": draft_of(told)}
        run_concurrently(*[partial(at.do, "actions", **command) for at in people])
        assert len({at.person.received[-1] for at in people}) == 1
        events = table.events(told["version"])["events"]
        assert [event["text"] for event in events] == command["draft"]


def test_of_many_commands_for_one_version_one_is_carried_out(server):
    table = alone(Person(server))
    told = table.look()
    people = [Person(server, table.person.secret).at(table.table) for _ in range(6)]
    body = {"seat": 0, "version": told["version"], "draft": [*draft_of(told), "."]}
    answers = run_concurrently(*[partial(at.do, "actions", **body) for at in people])
    codes = sorted(answer.code if isinstance(answer, Refused) else "done" for answer in answers)
    assert codes == ["done"] + ["stale"] * 5


def test_the_projection_follows_from_the_stored_events(server, ada):
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


# with real bots


def test_against_bots_a_turn_is_undone_at_once_even_after_draws_and_nothing_is_drawn_again(ada):
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


def test_a_turn_is_undone_while_the_bot_thinks(server):
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


def test_a_series_continues_from_game_to_game_and_adds_up_the_scores(ada, server):
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
