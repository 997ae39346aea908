"""Coming to a table and going: opening, joining, names, hosts, bots that stand in, people who leave, rematches."""

from __future__ import annotations

import hashlib
import json
from functools import partial

import httpx
import pytest

from spieltisch.gameplay.verify import verify
from spieltisch.records import read
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

NONCE = "a5" * 16
COMMIT = hashlib.sha256(bytes.fromhex(NONCE)).hexdigest()
LONG = "ä" * 40


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("seats")) as server:
        yield server


@pytest.fixture
def ada(server):
    return Person(server)


@pytest.fixture
def ben(server):
    return Person(server)


def open_seat(person: Person, *seats: str, **more: object) -> tuple[TableClient, str]:
    """A table of the teaching game at which somebody is waited for, and its invitation."""
    table = person.open_table("template", *(seats or ("Ada", "open")), **{"first": 0, **more})
    return table, table.look()["table"]["code"]


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


def test_a_table_without_open_seats_begins_at_once(ada):
    told = ada.open_table("template", "Ada", "level:1", first=0).look()
    assert told["table"]["status"] == "playing"
    assert (told["table"]["turn"], told["table"]["waiting"]) == (0, "person")


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
def test_what_cannot_be_opened_is_refused_by_its_field(ada, body, code, field, words):
    with pytest.raises(Refused) as caught:
        ada.post("/api/tables", **{"key": new_key(), **body})
    assert caught.value.code == code
    assert caught.value.body["field"] == field
    assert words in caught.value.body["message"]


def test_letters_that_are_none_are_refused_like_others(server):
    told = json.dumps({**FULL, "key": new_key(), "options": {"\ud800": 1}})
    headers = {"Authorization": "Bearer " + "x" * 30, "Content-Type": "application/json"}
    refused = httpx.post(f"{server.address}/api/tables", content=told, headers=headers, timeout=TIMEOUT).json()
    assert (refused["code"], refused["field"]) == ("bad-setup", "·")


# secrets


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({}, 403, "not-yours"),
        ({"Authorization": "Bearer too-short"}, 422, "bad-request"),
        ({"Authorization": "Bearer " + "x" * 129}, 422, "bad-request"),
        ({"Authorization": "Bearer " + "ü;" * 12}, 422, "bad-request"),
        ({"Authorization": "Basic " + "x" * 30}, 403, "not-yours"),
        ({"Authorization": "Bearer " + "x" * 30, "Origin": "http://elsewhere.example"}, 403, "not-yours"),
    ],
)
def test_whoever_does_not_say_who_it_is_opens_nothing(server, headers, status, code):
    sent = {name: value.encode() for name, value in headers.items()}
    answer = httpx.post(f"{server.address}/api/tables", json={"key": new_key(), **FULL}, headers=sent, timeout=TIMEOUT)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_browser_gets_its_secret_back_as_a_cookie_that_is_enough_from_then_on(server, ada):
    table, code = open_seat(ada)
    with httpx.Client(base_url=server.address, timeout=TIMEOUT) as browser:
        joined = browser.post(
            f"/api/tables/{table.table}/join",
            json={"key": new_key(), "name": "Ben", "code": code},
            headers={"Authorization": "Bearer " + "b" * 30},
        )
        cookie = joined.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Secure" not in cookie, "over plain http a browser would not send it back"
        looked = browser.get(f"/api/tables/{table.table}")
        assert looked.json()["table"]["you"] == [1]
        assert "set-cookie" not in looked.headers
        assert looked.headers["cache-control"] == "no-store"


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


def test_a_public_table_needs_no_invitation(ada, ben, server):
    table, _ = open_seat(ada, public=True)
    nobody = httpx.get(f"{server.address}/api/tables/{table.table}", timeout=TIMEOUT)
    assert nobody.json()["table"]["code"] is None
    assert ben.at(table.table).do("join", name="Ben")["seat"] == 1


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


def test_of_two_who_take_a_seat_at_once_one_gets_it(ada, server):
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
        assert answers[1 - winner].body["message"] == ("Somebody else has seat 1." if turn % 2 else "No seat is free.")
        assert seat_of(people[winner].look(), 1)["you"]
        with pytest.raises(Refused):
            people[1 - winner].look()


def test_seats_that_are_not_there_or_taken_are_refused(ada, ben):
    table, code = open_seat(ada)
    at = ben.at(table.table)
    for seat, refusal in ((0, "taken"), (2, "bad-request"), (99, "bad-request"), (100, "bad-request")):
        refused = at.refused("join", name="Ben", code=code, seat=seat)
        assert refused.code == refusal
    assert at.refused("join", name="Ben", code=code, seat=-1).body["field"] == "seat"


@pytest.mark.parametrize("name", [LONG, "O’Neill-Ångström", "名前", "a  b", "1 2", "@ x", "seat 0"])
def test_names_of_people_are_taken_as_they_are(ada, ben, name):
    table, code = open_seat(ada)
    at = ben.at(table.table)
    at.do("join", name=name, code=code)
    at.do("start")
    assert seat_of(table.look(), 1)["name"] == name
    assert dict(read(table.record()).games[0].names)[1] == name


@pytest.mark.parametrize(
    "name", ["", "   ", LONG + "ä", "a;b", "a\nb", "a\x00b", "a\x85b", "a\u2028b", "\x1b[1m", "x" * 201]
)
def test_names_that_a_record_cannot_hold_are_refused(ada, ben, name):
    table, code = open_seat(ada)
    refused = ben.at(table.table).refused("join", name=name, code=code)
    assert refused.code == "bad-request"
    assert "40" in refused.body["message"] or refused.body["field"] == "name"
    with pytest.raises(Refused):
        ada.open_table("template", {"kind": "person", "name": name}, "open")


def test_nobody_has_the_name_of_somebody_else_here(ada, ben):
    table, code = open_seat(ada, "Ada", "level:1", "open")
    for name in ("Ada", " Ada ", "Bot 1"):
        refused = ben.at(table.table).refused("join", name=name, code=code)
        assert refused.code == "taken"
        assert name.strip() in refused.body["message"]
    ben.at(table.table).do("join", name="ada", code=code)


# starting


def test_a_match_begins_when_every_seat_is_taken_and_not_before(ada, ben):
    table, code = open_seat(ada, "Ada", "open", "open")
    refused = table.refused("start")
    assert refused.code == "not-now"
    assert "1 and 2" in refused.body["message"]
    at = ben.at(table.table)
    assert at.refused("start").code == "not-found"
    at.do("watch", code=code)
    assert at.refused("start").code == "not-yours", "who watches does not start a match"
    at.do("join", name="Ben", code=code, seat=2)
    assert "still free: 1." in at.refused("start").body["message"]
    table.do("seats", seat=1, player="level:1")
    at.do("start")
    assert table.look()["table"]["status"] == "playing"
    assert at.refused("start").code == "not-now"


def test_before_the_match_nothing_is_played(ada):
    table, _ = open_seat(ada)
    assert table.refused("actions", seat=0, version=1, draft=["R"]).code == "not-now"
    assert table.refused("undo", seat=0, version=1).code == "not-now"
    assert table.refused("resign", seat=0).code == "not-now"
    assert table.refused("continue").code == "not-now"
    assert table.refused("rematch").code == "not-now"
    assert table.refused("answer", seat=0, version=1, yes=True).code == "not-now"
    assert table.refused("stand-in", seat=0, about=0).code == "not-now"
    assert table.look()["position"] is None
    assert table.record() == ""


# nonces


def test_nonces_are_announced_then_revealed_and_stand_in_the_record(ada, ben):
    table = ada.open_table("template", {"kind": "person", "name": "Ada", "commit": COMMIT}, "open", first=0)
    code = table.look()["table"]["code"]
    at = ben.at(table.table)
    at.do("join", name="Ben", code=code)
    assert table.refused("reveal", seat=0, nonce=NONCE).code == "not-now", "before everybody is there"
    at.do("start")
    told = at.look()
    assert (told["table"]["status"], told["table"]["waiting"]) == ("revealing", "nonces")
    assert told["table"]["fair"]["commitments"] == [COMMIT, None]
    assert told["table"]["fair"]["nonces"] == [None, None]
    assert table.refused("reveal", seat=0, nonce="00" * 16).code == "bad-request"
    assert table.refused("reveal", seat=0, nonce="zz").body["field"] == "nonce"
    assert at.refused("reveal", seat=0, nonce=NONCE).code == "not-yours"
    assert at.refused("reveal", seat=1, nonce=NONCE).code == "bad-request", "nothing was announced"
    table.do("reveal", seat=0, nonce=NONCE)
    table.do("reveal", seat=0, nonce=NONCE)
    told = at.look()
    assert told["table"]["status"] == "playing"
    assert told["table"]["fair"]["nonces"] == [NONCE, None]
    assert f"nonce 0   {NONCE}" in at.record()
    at.do("resign", seat=1)
    assert verify(read(at.record())).proven


def test_a_match_begins_when_the_last_who_was_waited_for_leaves(ada, ben):
    table, code = open_seat(ada)
    at = ben.at(table.table)
    at.do("join", name="Ben", code=code, commit=COMMIT)
    table.do("start")
    assert table.look()["table"]["status"] == "revealing"
    at.do("leave", seat=1)
    assert table.look()["table"]["status"] == "playing"


# hosts


def test_the_host_gives_seats_to_bots_and_opens_them_again(ada, ben):
    table, code = open_seat(ada)
    at = ben.at(table.table)
    at.do("join", name="Ben", code=code)
    assert at.refused("seats", seat=0).code == "not-yours"
    table.do("seats", seat=1, player="level:2")
    assert seat_of(table.look(), 1)["player"] == "level:2"
    with pytest.raises(Refused):
        at.look()
    assert table.refused("seats", seat=1, player="level:9").code == "bad-request"
    assert seat_of(table.look(), 1)["player"] == "level:2", "a refusal changes nothing"
    assert table.refused("seats", seat=7, player="level:1").code == "bad-request"
    table.do("seats", seat=1)
    assert seat_of(table.look(), 1)["kind"] == "open"
    assert at.do("join", name="Ben", code=code)["seat"] == 1
    table.do("start")
    assert table.refused("seats", seat=1).code == "not-now"


def test_a_host_without_a_seat_gets_the_match_going_but_plays_nobodys_turn(ada, ben):
    table = ada.open_table("template", "open", "level:1", first=0)
    at = ben.at(table.table)
    at.do("join", name="Ben", code=table.look()["table"]["code"])
    table.do("start")
    told = table.look()
    assert (told["table"]["you"], told["table"]["viewer"]) == ([], None)
    assert table.refused("actions", seat=0, version=told["version"], draft=["R"]).code == "not-yours"
    at.do("resign", seat=0)
    assert table.do("rematch")["table"]


def test_only_the_host_deletes_and_then_everything_is_gone(ada, ben, server):
    table, code = open_seat(ada, public=True)
    at = ben.at(table.table)
    at.do("join", name="Ben", code=code)
    with pytest.raises(Refused) as caught:
        at.delete()
    assert caught.value.code == "not-yours"
    with pytest.raises(Refused) as caught:
        Person(server).at(table.table).delete()
    assert caught.value.code == "not-yours", "a public table is there for everybody"
    table.delete()
    for who in (table, at):
        with pytest.raises(Refused) as caught:
            who.look()
        assert caught.value.code == "not-found"
    assert at.refused("start").code == "not-found"
    with pytest.raises(Refused):
        table.delete()
    assert table.table not in [one["table"] for one in ada.get("/api/tables").json()]


def test_a_table_is_deleted_while_its_bots_think(ada):
    tables = [ada.open_table("bigpoints", "level:3", "level:3", games=1) for _ in range(3)]
    tables[0].wait_until(lambda told: told["version"] > 60)
    for table in tables:
        table.delete()
        with pytest.raises(Refused):
            table.look()
    other = ada.open_table("template", "level:1", "level:1")
    other.wait_until(lambda told: told["table"]["status"] == "over")


def test_tables_are_deleted_while_others_play(ada, server):
    def play():
        table = Person(server).open_table("template", "Ada", "Ben", first=0)
        for _ in range(20):
            told = table.look()
            if told["table"]["status"] != "playing":
                return "over"
            move = told["position"]["choices"][0]["text"]
            version = table.do("actions", seat=told["table"]["turn"], version=told["version"], draft=[move])["version"]
            assert table.look()["version"] == version
        return "fine"

    def delete():
        for _ in range(8):
            open_seat(Person(server))[0].delete()
        return "fine"

    answers = run_concurrently(play, delete, play, delete)
    assert set(answers) <= {"fine", "over"}


# several seats at one device


def test_people_at_one_device_see_with_the_eyes_of_whose_turn_it_is(ada, ben):
    table = ada.open_table("template", "Ada", "Eva", "level:1", first=0)
    told = table.look()
    assert told["table"]["you"] == [0, 1]
    assert told["table"]["viewer"] == 0
    other = table.look(seat=1)
    assert other["table"]["viewer"] == 1
    assert not other["position"]["choices"], "it is not the turn of the seat that looks"
    assert table.look(seat=2)["table"]["viewer"] in (0, 1), "another one's eyes are not lent"
    while table.look()["table"]["turn"] == 0:
        act(table, 0)
    assert table.look()["table"]["viewer"] == 1
    refused = table.refused("actions", seat=0, version=table.look()["version"], draft=["R"])
    assert refused.code == "not-pending"
    assert "seat 1" in refused.body["message"]


def test_one_person_takes_a_second_seat_by_naming_it(ada):
    table, code = open_seat(ada, "Ada", "open", "open")
    assert table.do("join", name="Eva", code=code)["seat"] == 0, "no seat named: the one it has"
    assert table.do("join", name="Eva", code=code, seat=2)["seat"] == 2
    assert table.look()["table"]["you"] == [0, 2]
    table.do("leave", seat=0)
    assert table.look()["table"]["you"] == [2]


# watching


def test_who_watches_sees_the_table_and_does_nothing(ada, ben, server):
    first, second = start_match(server, "template", "Ada", "Cleo", first=0)
    watcher = ben.at(first.table)
    code = first.look()["table"]["code"]
    watcher.do("watch", code=code)
    version = watcher.do("watch", code="forgotten")["version"]
    assert version == first.look()["version"], "once is enough"
    told = watcher.look(seat=0)
    assert (told["table"]["viewer"], told["table"]["you"], told["table"]["code"]) == (None, [], None)
    assert told["position"]["choices"] == []
    for what, body in {
        "actions": {"seat": 0, "version": version, "draft": ["R"]},
        "undo": {"seat": 0, "version": version},
        "answer": {"seat": 0, "version": version, "yes": True},
        "resign": {"seat": 0},
        "leave": {"seat": 0},
        "lend": {"seat": 0},
        "return": {"seat": 0},
        "stand-in": {"seat": 0, "about": 1},
        "reveal": {"seat": 0, "nonce": NONCE},
        "continue": {},
        "start": {},
        "rematch": {},
        "seats": {"seat": 0},
    }.items():
        assert watcher.refused(what, **body).code == "not-yours", what
    for what in ("preview", "hint"):
        with pytest.raises(Refused) as caught:
            watcher.ask(what, seat=0, version=version, draft=[])
        assert caught.value.code == "not-yours"
    assert first.look()["version"] == version
    second.do("resign", seat=1)
    assert watcher.refused("rematch").code == "not-yours"


# bots that stand in


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


def test_a_bot_plays_for_who_is_away_when_all_others_say_yes(server):
    ada, ben, cleo, dan = start_match(server, "template", "Ada", "Ben", "Cleo", "Dan", first=0)
    assert ada.refused("stand-in", seat=0, about=9).code == "not-now"
    assert ada.do("stand-in", seat=0, about=1)["asked"]
    asked = cleo.look()
    assert (asked["table"]["ask"]["what"], asked["table"]["ask"]["about"]) == ("bot", 1)
    assert cleo.events(0)["events"][-1]["words"] == "Ada asks whether a bot may play for Ben."
    cleo.do("answer", seat=2, version=asked["version"], yes=True)
    assert cleo.look()["table"]["ask"]["yes"] == [2]
    assert seat_of(cleo.look(), 1)["player"] is None
    dan.do("answer", seat=3, version=dan.look()["version"], yes=True)
    told = dan.look()
    assert told["table"]["ask"] is None
    assert seat_of(told, 1)["player"] is not None
    assert ada.refused("stand-in", seat=0, about=1).code == "not-now", "one does already"
    ben.do("return", seat=1)
    assert seat_of(dan.look(), 1)["player"] is None


def test_one_no_is_enough_against_a_bot(server):
    ada, ben, cleo, dan = start_match(server, "template", "Ada", "Ben", "Cleo", "Dan", first=0)
    for who, seat in ((dan, 3), (ben, 1), (ada, 0)):
        assert ada.do("stand-in", seat=0, about=1)["asked"]
        cleo.do("answer", seat=2, version=cleo.look()["version"], yes=True)
        who.do("answer", seat=seat, version=who.look()["version"], yes=False)
        assert who.look()["table"]["ask"] is None
        assert seat_of(ada.look(), 1)["player"] is None
    assert ada.refused("answer", seat=0, version=ada.look()["version"], yes=True).code == "not-now"


# leaving


def test_who_leaves_before_the_match_frees_the_seat(ada, ben, server):
    table, code = open_seat(ada)
    at, key = ben.at(table.table), new_key()
    at.do("join", name="Ben", code=code)
    assert at.refused("leave", seat=0).code == "not-yours"
    answer = at.do("leave", key=key, seat=1)
    assert at.do("leave", key=key, seat=1) == answer
    assert at.refused("leave", seat=1).code == "not-found"
    assert seat_of(table.look(), 1) == {**seat_of(table.look(), 1), "kind": "open", "name": "", "free": True}
    other = Person(server).at(table.table)
    assert other.do("join", name="Ben", code=code)["seat"] == 1
    table.do("leave", seat=0)
    assert table.look()["table"]["host"], "a host who leaves is still the host"


def test_who_leaves_in_the_middle_is_followed_by_a_bot_and_then_by_somebody_else(server):
    ada, ben = start_match(server, "bigpoints", "Ada", "Ben", first=0, games=1)
    code = ada.look()["table"]["code"]
    play_turn(ada, 0)
    ben.do("leave", seat=1)
    ada.wait_until(lambda told: told["table"]["turn"] == 0)
    told = ada.look()
    assert seat_of(told, 1)["kind"] == "bot"
    assert seat_of(told, 1)["free"]
    with pytest.raises(Refused):
        ben.look()
    cleo = Person(server).at(ada.table)
    assert cleo.refused("join", name="Cleo", code=code, seat=0).code == "taken"
    assert cleo.do("join", name="Cleo", code=code)["seat"] == 1
    told = ada.look()
    assert (seat_of(told, 1)["kind"], seat_of(told, 1)["name"]) == ("person", "Cleo")
    play_turn(ada, 0)
    play_turn(cleo, 1)
    kinds = [event["kind"] for event in cleo.events(0)["events"]]
    assert kinds.index("freed") < len(kinds) - kinds[::-1].index("sat")


def test_nobody_joins_a_match_that_is_over(server):
    ada, ben = start_match(server, "template", "Ada", "Ben", first=0)
    ben.do("resign", seat=1)
    assert ben.do("leave", seat=1)["version"] == ada.look()["version"], "nothing is left to leave"
    code = ada.look()["table"]["code"]
    assert Person(server).at(ada.table).refused("join", name="Cleo", code=code).code == "not-now"
    assert ben.do("join", name="Ben", code=code)["seat"] == 1, "who has a seat has it still"


def test_who_has_resigned_leaves_the_seat_to_the_bot(server):
    ada, ben, _ = start_match(server, "template", "Ada", "Ben", "Cleo", first=0)
    code = ada.look()["table"]["code"]
    ben.do("resign", seat=1)
    assert ben.refused("return", seat=1).code == "not-now"
    ben.do("leave", seat=1)
    assert ben.refused("join", name="Ben", code=code).code == "taken"
    assert not seat_of(ada.look(), 1)["free"]


# rematches


def test_a_rematch_keeps_the_seats_and_the_next_one_begins(server):
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
    assert "still free: 1." in host.refused("start").body["message"]
    assert host.do("join", name="Ben the second")["seat"] == 1
    host.do("start")
    assert follow.look()["table"]["turn"] == 1, "the next seat begins"


def test_the_host_of_a_rematch_gives_a_kept_seat_away(server):
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


def test_a_rematch_asked_for_by_all_at_once_is_one(server):
    for _ in range(3):
        people = start_match(server, "template", "Ada", "Ben", "Cleo", first=0)
        people[0].do("resign", seat=0)
        people[1].do("resign", seat=1)
        answers = run_concurrently(*[partial(at.do, "rematch") for at in people])
        assert len({answer["table"] for answer in answers}) == 1
        hosts = [at.person.at(answers[0]["table"]).look()["table"]["host"] for at in people]
        assert hosts.count(True) == 1


# the list of public tables


def test_tables_are_listed_that_are_public_and_not_over(ada, ben, server):
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
