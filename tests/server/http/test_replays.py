"""Routes for records: replays and proofs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from spieltisch import registry
from spieltisch.games.turmbauer.physics.fall import decode_motion
from spieltisch.records import Move, read
from spieltisch.records.replay import replay
from tests.campaigns.campaign import ROOT
from tests.support.server import (
    TIMEOUT,
    Person,
    Refused,
    Server,
    TableClient,
    running_server,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("web")) as server:
        yield server


@pytest.fixture(scope="module")
def record(server) -> str:
    """A whole game between a person and a bot."""
    at = Person(server).open_table("template", "Ada", "level:1", games=1)
    at.play(0)
    return at.record()


# replays


def retold(server: Server, record: str, language: str = "en", **asked: object) -> dict:
    return Person(server, language=language).post("/api/replays", record=record, **asked)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_replay_describes_every_position_and_the_end_as_the_table_did(server, language):
    at = Person(server, language=language).open_table("template", "Ada", "level:1", games=1)
    over = at.play(0)["position"]
    told = retold(server, at.record(), language, viewer=0)
    assert len(told["told"]) == len(told["views"]) == len(told["events"]) + 1
    assert told["views"][-1] == over["view"]
    assert told["told"][-1] == over["told"]
    for field in ("sheet", "winners", "outcome", "headline", "reason"):
        assert told[field] == over[field]
    assert told["sheet"]
    assert told["headline"]
    assert {event["kind"] for event in told["events"][: told["deal"]]} == {"draw"}
    assert told["events"][told["deal"]]["kind"] == "move"


def test_a_replay_shows_what_the_requested_viewer_may_know(server, record):
    mine, theirs = (retold(server, record, viewer=viewer)["told"] for viewer in (0, None))
    assert mine[9] != theirs[9]
    assert any(sentence.startswith("You hold ") for sentence in mine[9])
    assert not any(sentence.startswith("You ") for sentence in theirs[9])


def test_a_replay_of_an_unfinished_game_has_no_winners(server):
    at = Person(server).open_table("template", "Ada", "Eva", games=1)
    at.do("resign", seat=0)
    told = retold(server, at.record())
    assert (told["sheet"], told["winners"], told["outcome"]) == ([], None, None)


def picture(server: Server, record: str, **asked: object) -> httpx.Response:
    return httpx.post(
        f"{server.address}/api/replays/picture",
        params={"language": "en"},
        json={"record": record, **asked},
        timeout=TIMEOUT,
    )


def test_the_picture_of_a_finished_game_shows_its_result(server, record):
    drawn = picture(server, record)
    assert drawn.headers["content-type"].startswith("image/svg+xml")
    assert retold(server, record)["headline"] in drawn.text
    assert picture(server, record, dark=True).text != drawn.text


def test_the_picture_of_a_bad_record_is_refused_in_a_sentence(server, record):
    assert picture(server, "format 1").json()["code"] == "bad-record"
    assert picture(server, record, game=7).json()["code"] == "bad-request"
    assert picture(server, record, viewer=9).json()["code"] == "bad-request"


# proofs


def proof(server: Server, record: str, language: str = "en") -> dict:
    return Person(server, language=language).post("/api/proofs", record=record)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_proof_says_what_the_verify_command_says(server, record, tmp_path, language):
    (tmp_path / "a.game").write_text(record, encoding="utf-8")
    command = [sys.executable, "-m", "spieltisch", "verify", "a.game", "--language", language]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()
    told = proof(server, record, language)
    assert f"a.game: {told['words']}" == said
    assert (told["fair"], told["games"]) == (True, 1)
    assert told["draws"] == len(replay(registry.find("template"), read(record).games[0]).draws) > 6


def test_a_draw_that_does_not_follow_from_its_proof_is_reported(server, record):
    secret = re.findall(r"^secret +(\S+)", record, re.MULTILINE)[0]
    told = proof(server, record.replace(secret, secret[:-1] + ("0" if secret[-1] != "0" else "1")))
    assert (told["fair"], told["words"]) == (False, "The secret is not the one that was committed to.")
    told = proof(server, record.replace("secret ", f"nonce 0 {'ab' * 16}\nsecret ", 1))
    assert told["fair"] is False
    draw = r"Draw \d+ does not follow from the secret and the nonces\."
    assert re.fullmatch(
        rf"{draw}|Seat \d was drawn to start\.", told["words"]
    )  # with another nonce either may differ first


def test_a_record_without_a_proof_is_in_order_but_not_proven(server, record):
    told = proof(server, re.sub(r"^(secret|commit) .*\n", "", record, flags=re.MULTILINE))
    assert told["fair"] is False
    assert re.fullmatch(r"in order, one game with \d+ actions\.", told["words"])


@pytest.mark.parametrize("change", [lambda text: "nonsense", lambda text: text.replace("* ", "0 ", 1), lambda text: ""])
def test_a_record_that_cannot_be_read_is_refused_as_in_replays(server, record, change):
    answers = []
    for ask in (retold, proof):
        with pytest.raises(Refused) as refused:
            ask(server, change(record))
        answers.append(refused.value.body)
    assert answers[0] == answers[1]
    assert answers[0]["code"] == "bad-record"


# events and views


@pytest.fixture
def ada(server) -> Person:
    return Person(server)


def alone(person: Person, **more: object) -> TableClient:
    """Somebody against a bot in the teaching game, who begins."""
    return person.open_table("template", "Ada", "level:1", **{"first": 0, **more})


def turn(at: TableClient, seat: int) -> dict:
    """Somebody lays a pebble and says that this was all; answers how it was before."""
    told = at.wait_until(lambda now: (now["table"]["turn"], now["table"]["waiting"]) == (seat, "person"), seat=seat)
    at.do("actions", seat=seat, version=told["version"], draft=[*draft_of(told), "."])
    return told


def over(told: dict) -> bool:
    return told["table"]["status"] == "over"


def draft_of(told: dict) -> list[str]:
    """The first choice: a pebble laid face up."""
    return [told["position"]["choices"][0]["text"]]


@pytest.fixture(scope="module")
def played(server) -> str:
    """The record of a game that was played here, with something taken back in it."""
    table = alone(Person(server))
    turn(table, 0)
    told = table.wait_until(lambda now: now["table"]["turn"] == 0)
    table.do("undo", seat=0, version=told["version"])
    assert over(table.play(0))
    return table.record()


def test_a_record_is_replayed_as_sentences_and_views(ada, played):
    (game,) = read(played).games
    told = ada.post("/api/replays", record=played)
    assert (told["game"], told["title"], told["games"]) == ("template", "Pebbles", 1)
    assert told["names"] == ["Ada", "Mimi"]
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
    for more, words in (({"game": 1}, "one game"), ({"viewer": 2}, "seat 3")):
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


# details


def test_details_are_the_film_of_a_fall_and_the_loads_inside(ada):
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
    assert "seat 3" in caught.value.body["message"]


def test_everybody_at_a_table_may_request_details(server, ada, played):
    table = ada.open_table("turmbauer", "Ada", "level:1", first=0)
    table.wait_until(lambda now: now["table"]["waiting"] == "person")
    assert len(ada.get(f"{table.path}/inside").json()["inside"]["loads"]) == 1
    assert ada.get(f"{table.path}/films/1").status_code == 204
    assert ada.post("/api/replays/inside", record=played, entry=1) == {"inside": None}, "this game has no more to show"
    for path in ("inside", "films/1"):
        with pytest.raises(Refused) as caught:
            Person(server).get(f"{table.path}/{path}")
        assert caught.value.code == "not-found"
