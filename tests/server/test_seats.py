"""Seats over HTTP: opening, joining, bots that stand in, rematches, the list of tables.

Who may do what, and when, is tested without a server, in tests/table.
"""

from __future__ import annotations

import json
from functools import partial

import httpx
import pytest

from tests.server.clients import open_seat
from tests.support.server import (
    TIMEOUT,
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
    with running_server(tmp_path_factory.mktemp("seats")) as server:
        yield server


def act(at: TableClient, seat: int) -> None:
    """Somebody takes the first choice as soon as there is one."""
    told = at.wait_until(lambda now: (now["table"]["turn"], now["table"]["waiting"]) == (seat, "person"), seat=seat)
    at.do("actions", seat=seat, version=told["version"], draft=[told["position"]["choices"][0]["text"]])


def play_turn(at: TableClient, seat: int) -> None:
    """Somebody plays a whole turn, of as many choices as it takes."""
    told = at.wait_until(lambda now: (now["table"]["turn"], now["table"]["waiting"]) == (seat, "person"), seat=seat)
    now, draft, choices = {"seat": seat, "version": told["version"]}, [], told["position"]["choices"]
    while choices:
        draft.append(choices[0]["text"])
        choices = at.ask("preview", **now, draft=draft)["choices"]
    at.do("actions", **now, draft=draft)


def seat_of(told: dict, seat: int) -> dict:
    return told["table"]["seats"][seat]


# opening


def test_a_table_is_opened_and_found_by_its_host_alone(ada, ben):
    table, code = open_seat(ada)
    told = table.look()
    assert told["table"]["status"] == "gathering"
    assert told["table"]["host"]
    assert told["table"]["you"] == [0]
    assert [seat["kind"] for seat in told["table"]["seats"]] == ["person", "open"]
    assert len(code) >= 12
    with pytest.raises(Refused) as caught:
        ben.at(table.table).look()
    assert (caught.value.status, caught.value.code) == (404, "not-found")


def test_the_same_key_opens_the_same_table_and_no_other(ada, ben):
    body = {"key": new_key(), "game": "template", "seats": [{"kind": "person", "name": "Ada"}, {"kind": "open"}]}
    first = ada.post("/api/tables", **body)
    assert ada.post("/api/tables", **body) == first
    assert ben.post("/api/tables", **body) != first, "a key is one's own"
    with pytest.raises(Refused) as caught:
        ada.post("/api/tables", **{**body, "public": True})
    assert caught.value.code == "key-reused"


def test_a_table_that_is_opened_many_times_at_once_is_one_table(ada):
    body = {"key": new_key(), "game": "template", "seats": [{"kind": "person", "name": "Ada"}, {"kind": "open"}]}
    opened = run_concurrently(*[lambda: Person(ada.server, ada.secret).post("/api/tables", **body)] * 6)
    assert len({answer["table"] for answer in opened}) == 1


PAIR = [{"kind": "person", "name": "Ada"}, {"kind": "bot"}]
FULL = {"game": "template", "seats": PAIR}


@pytest.mark.parametrize(
    ("body", "code", "field", "words"),
    [
        ({**FULL, "game": "chess"}, "unknown-game", None, "There is no game “chess”"),
        ({**FULL, "seats": PAIR[:1]}, "bad-setup", "players", "2 to 4 players"),
        ({**FULL, "seats": []}, "bad-request", "seats", "at least 1"),
        ({**FULL, "seats": PAIR * 11}, "bad-request", "seats", "at most 20"),
        ({**FULL, "first": 2}, "bad-setup", "first", "0 to 1"),
        ({**FULL, "games": 21}, "bad-request", "games", "20"),
        ({**FULL, "edition": "golden"}, "bad-setup", "edition", "golden"),
        ({**FULL, "options": {"piles": "sideways"}}, "bad-setup", "piles", "sideways"),
        ({**FULL, "options": {"bag": {"R": 1, "B": 1, "G": 1}}}, "bad-setup", "bag", "6"),
        ({**FULL, "options": {"colour": {"deep": ["er"]}}}, "bad-setup", "colour", "colour"),
        ({**FULL, "seconds": 4}, "bad-request", "seconds", "5"),
        ({**FULL, "late": "never"}, "bad-request", "late", "'bot'"),
        ({**FULL, "colour": "red"}, "bad-request", "colour", "not permitted"),
        ({**FULL, "seats": [PAIR[0], {"kind": "dog"}]}, "bad-request", "seats.1.kind", "'person'"),
        ({**FULL, "seats": [PAIR[0], {"kind": "bot", "hat": 1}]}, "bad-request", "seats.1.hat", "not permitted"),
        ({**FULL, "seats": [PAIR[0], {"kind": "bot", "player": "level:9"}]}, "bad-request", None, "level:1 to level:5"),
        ({**FULL, "seats": [PAIR[0], {"kind": "bot", "player": "mc:99"}]}, "bad-request", None, "no player “mc:99”"),
        ({**FULL, "seats": [PAIR[0], PAIR[0]]}, "taken", None, "Ada"),
        ({**FULL, "seats": [{"kind": "person"}, PAIR[1]]}, "bad-request", None, "A name has 1 to 40"),
        ({**FULL, "seats": [{**PAIR[0], "commit": "ff"}, PAIR[1]]}, "bad-request", "seats.0.commit", "pattern"),
        ({**FULL, "key": "short"}, "bad-request", "key", "pattern"),
        ({"game": "template", "seats": PAIR, "key": None}, "bad-request", "key", "string"),
        ({"seats": PAIR}, "bad-request", "game", "required"),
    ],
)  # fmt: skip
def test_an_invalid_setup_is_refused_by_its_field(ada, body, code, field, words):
    with pytest.raises(Refused) as caught:
        ada.post("/api/tables", **{"key": new_key(), **body})
    assert caught.value.code == code
    assert caught.value.body["field"] == field
    assert words in caught.value.body["message"]


def test_a_lone_surrogate_is_refused_like_any_other_name(server):
    told = json.dumps({**FULL, "key": new_key(), "options": {"\ud800": 1}})
    headers = {"Authorization": "Bearer " + "x" * 30, "Content-Type": "application/json"}
    refused = httpx.post(f"{server.address}/api/tables", content=told, headers=headers, timeout=TIMEOUT).json()
    assert (refused["code"], refused["field"]) == ("bad-setup", "·")


# joining


def test_an_invitation_leads_to_a_seat_and_then_to_the_match(ada, ben):
    table, code = open_seat(ada)
    at = ben.at(table.table)
    answer = at.do("join", name="  Ben ", code=code)
    assert answer["seat"] == 1
    told = at.look()
    assert told["table"]["you"] == [1]
    assert not told["table"]["host"]
    assert told["table"]["code"] == code, "who sits here may invite"
    assert seat_of(told, 1) == seat_of(table.look(), 1) | {"you": True}
    assert seat_of(told, 1)["name"] == "Ben"
    at.do("start")
    assert table.look()["table"]["status"] == "playing"


@pytest.mark.parametrize("given", [{}, {"code": ""}, {"code": "other"}])
def test_nobody_joins_a_private_table_without_its_invitation(ada, ben, given):
    table, _ = open_seat(ada)
    for what in ("join", "watch"):
        refused = ben.at(table.table).refused(what, **given, **({"name": "Ben"} if what == "join" else {}))
        assert refused.code == "not-found"
    assert seat_of(table.look(), 1)["kind"] == "open"


def test_joining_again_gives_the_same_seat(ada, ben):
    table, code = open_seat(ada)
    at, key = ben.at(table.table), new_key()
    first = at.do("join", key=key, name="Ben", code=code)
    before = ben.received[-1]
    assert at.do("join", key=key, name="Ben", code=code) == first
    assert ben.received[-1] == before, "the same key, byte for byte the same answer"
    for more in ({}, {"seat": 1}, {"name": "Benjamin"}, {"code": "lost"}):
        assert at.do("join", **{"name": "Ben", "code": code, **more}) == first
    told = table.look()
    assert told["version"] == first["version"], "nothing happened"
    assert seat_of(told, 1)["name"] == "Ben"
    assert at.refused("join", key=key, name="Bert", code=code).code == "key-reused"
    assert table.refused("join", key=key, name="Ben", code=code).code == "key-reused", "another person's key"


def test_of_two_people_who_take_a_seat_at_once_one_gets_it(ada, server):
    for turn in range(20):
        table, code = open_seat(ada)
        people = [Person(server).at(table.table) for _ in range(2)]
        wanted = {"seat": 1} if turn % 2 else {}
        joins = [partial(at.do, "join", name=name, code=code, **wanted) for at, name in zip(people, "BC", strict=True)]
        answers = run_concurrently(*joins)
        got = [isinstance(answer, dict) for answer in answers]
        assert sorted(got) == [False, True]
        winner = got.index(True)
        assert answers[winner]["seat"] == 1
        assert answers[1 - winner].code == "taken"
        assert answers[1 - winner].body["message"] == ("Somebody else has seat 2." if turn % 2 else "No seat is free.")
        assert seat_of(people[winner].look(), 1)["you"]
        with pytest.raises(Refused):
            people[1 - winner].look()


# bots that stand in, and people who leave


def test_a_seat_is_lent_to_a_bot_and_taken_back(ada):
    table = ada.open_table("template", "Ada", "level:1", first=0)
    version = table.look()["version"]
    assert table.refused("lend", seat=0, player="level:7").code == "bad-request"
    assert table.refused("lend", seat=1).code == "not-yours"
    table.do("lend", seat=0, player="level:1")
    over = table.wait_until(lambda told: told["table"]["status"] == "over")
    assert seat_of(over, 0)["player"] == "level:1"
    assert seat_of(over, 0)["you"]
    table = ada.open_table("bigpoints", "Ada", "Eva", first=0, games=1)
    version = table.look()["version"]
    table.do("lend", seat=0)
    table.wait_until(lambda told: told["table"]["turn"] == 1)
    told = table.look(seat=0)
    assert seat_of(told, 0)["player"] == "level:3"
    assert table.refused("actions", seat=0, version=told["version"], draft=["r+"]).code == "not-now"
    kinds = [event["kind"] for event in table.events(version)["events"]]
    assert kinds[:2] == ["lent", "move"]
    table.do("return", seat=0)
    table.do("return", seat=0)
    assert seat_of(table.look(), 0)["player"] is None
    act(table, 1)
    assert table.wait_until(lambda told: told["table"]["turn"] == 0)["table"]["waiting"] == "person"


def test_the_seat_of_somebody_who_leaves_goes_to_a_bot_until_they_come_back(server):
    ada, ben = start_match(server, "bigpoints", "Ada", "Ben", first=0, games=1)
    code = ada.look()["table"]["code"]
    play_turn(ada, 0)
    ben.do("leave", seat=1)
    ada.wait_until(lambda told: told["table"]["turn"] == 0)
    told = ada.look()
    assert seat_of(told, 1)["kind"] == "bot"
    assert not seat_of(told, 1)["free"]
    with pytest.raises(Refused):
        ben.look()
    cleo = Person(server).at(ada.table)
    for whoever, seat in ((cleo, 0), (cleo, 1), (cleo, None), (ada, 1)):
        assert whoever.refused("join", name="Cleo", code=code, seat=seat).code == "taken"
    assert "hidden things" in cleo.refused("join", name="Cleo", code=code).body["message"]
    assert ben.do("join", name="Ben", code=code)["seat"] == 1
    told = ada.look()
    assert (seat_of(told, 1)["kind"], seat_of(told, 1)["name"]) == ("person", "Ben")
    play_turn(ada, 0)
    play_turn(ben, 1)


def test_the_seat_of_somebody_who_leaves_is_free_for_others_if_nothing_is_hidden(server):
    ada, ben = start_match(server, "turmbauer", "Ada", "Ben", first=0, games=1)
    code = ada.look()["table"]["code"]
    ben.do("leave", seat=1)
    cleo = Person(server).at(ada.table)
    assert cleo.refused("join", name="Cleo", code=code, seat=0).code == "taken"
    assert cleo.do("join", name="Cleo", code=code)["seat"] == 1
    told = ada.look()
    assert (seat_of(told, 1)["kind"], seat_of(told, 1)["name"]) == ("person", "Cleo")
    kinds = [event["kind"] for event in cleo.events(0)["events"]]
    assert kinds.index("freed") < len(kinds) - kinds[::-1].index("sat")


# rematches


def test_a_rematch_reserves_the_seats_and_the_next_seat_starts(server):
    ada, ben, cleo = start_match(server, "template", "Ada", "Ben", "Cleo", first=0)
    assert ada.refused("rematch").code == "not-now"
    cleo.do("leave", seat=2)
    ben.do("resign", seat=1)
    ada.do("resign", seat=0)
    name = ben.do("rematch")["table"]
    assert ada.do("rematch")["table"] == name
    assert ada.look()["table"]["next"] == name
    follow, host = ada.person.at(name), ben.person.at(name)
    told = follow.look()
    assert told["table"]["status"] == "gathering"
    assert [(seat["name"], seat["kept"]) for seat in told["table"]["seats"]] == [
        ("Ada", True),
        ("Ben", True),
        ("", False),
    ]
    assert host.look()["table"]["host"]
    assert follow.refused("start").code == "not-yours"
    dan = Person(server).at(name)
    code = host.look()["table"]["code"]
    assert dan.refused("join", name="Dan", code=code, seat=0).code == "taken"
    assert dan.refused("join", name="Ben", code=code).code == "taken"
    assert dan.do("join", name="Dan", code=code)["seat"] == 2
    assert follow.do("join", name="Ada")["seat"] == 0, "kept for her, without an invitation"
    assert "still free: 2." in host.refused("start").body["message"]
    assert host.do("join", name="Ben the second")["seat"] == 1
    host.do("start")
    assert follow.look()["table"]["turn"] == 1, "the next seat begins"


def test_the_host_of_a_rematch_may_give_a_reserved_seat_away(server):
    ada, ben = start_match(server, "template", "Ada", "Ben", first=0)
    ben.do("resign", seat=1)
    follow = ada.person.at(ada.do("rematch")["table"])
    follow.do("join", name="Ada")
    follow.do("seats", seat=1, player="level:1")
    follow.do("start")
    assert follow.look()["table"]["status"] == "playing"
    assert ben.do("rematch")["table"] == follow.table
    with pytest.raises(Refused):
        ben.person.at(follow.table).look()


def test_a_rematch_requested_by_all_at_once_is_one_table(server):
    for _ in range(3):
        people = start_match(server, "template", "Ada", "Ben", "Cleo", first=0)
        people[0].do("resign", seat=0)
        people[1].do("resign", seat=1)
        answers = run_concurrently(*[partial(at.do, "rematch") for at in people])
        assert len({answer["table"] for answer in answers}) == 1
        hosts = [at.person.at(answers[0]["table"]).look()["table"]["host"] for at in people]
        assert hosts.count(True) == 1


# the list of public tables


def test_public_tables_are_listed_until_they_are_over(ada, ben, server):
    private, _ = open_seat(ada)
    public, _ = open_seat(ada, public=True)

    def listed() -> dict:
        return {one["table"]: one for one in httpx.get(f"{server.address}/api/tables", timeout=TIMEOUT).json()}

    assert private.table not in listed()
    assert listed()[public.table] == {
        "table": public.table, "game": "template", "title": "Pebbles", "status": "gathering", "seats": ["Ada", None], "free": 1,
    }  # fmt: skip
    ben.at(public.table).do("join", name="Ben")
    public.do("start")
    now = listed()[public.table]
    assert (now["status"], now["seats"], now["free"]) == ("playing", ["Ada", "Ben"], 0)
    public.do("resign", seat=0)
    assert public.table not in listed()
