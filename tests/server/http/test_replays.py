"""Routes for records: replays and proofs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from spieltisch import registry
from spieltisch.records import read
from spieltisch.records.replay import replay
from tests.support.server import Person, Refused, Server, running_server


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
    assert (told["sheet"], told["winners"], told["outcome"]) == (over["sheet"], over["winners"], over["outcome"])
    assert told["sheet"]


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
    assert re.fullmatch(r"Draw \d+ does not follow from the secret and the nonces\.", told["words"])


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
