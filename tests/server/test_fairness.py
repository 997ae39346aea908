"""Fair chance at the server: what is promised before the first draw, when it is kept, and who cannot break it."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator
from typing import Any

import pytest

from spieltisch import registry
from spieltisch.records import GameRecord, read
from spieltisch.records.replay import replay
from tests.gameplay.test_fair_chance import by_the_text
from tests.support.command import run
from tests.support.server import Person, Refused, Server, TableClient, running_server


def sha(text: str) -> str:
    return hashlib.sha256(bytes.fromhex(text)).hexdigest()


def new_nonce() -> str:
    return secrets.token_hex(16)


def person(name: str, nonce: str | None) -> dict[str, Any]:
    return {"kind": "person", "name": name, "commit": nonce and sha(nonce)}


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def silent(server) -> Iterator[TableClient]:
    """A table where somebody has announced a nonce and keeps silent; it is looked at again by the last test."""
    host = Person(server)
    yield host.open_table("template", person("Ada", new_nonce()), "level:1", games=1)
    host.http.close()


@pytest.fixture
def ada(server, silent) -> Iterator[Person]:
    host = Person(server)
    yield host
    host.http.close()


@pytest.fixture
def bob(server) -> Iterator[Person]:
    guest = Person(server)
    yield guest
    guest.http.close()


def drawn_by_the_text(one: GameRecord, number: int = 0) -> None:
    """Makes sure that every draw of a game follows from its secret and nonces, by a second reading of the description."""
    assert one.secret is not None
    assert one.commit == sha(one.secret)
    nonces = [bytes.fromhex(dict(one.nonces).get(seat, "")) for seat in range(one.players)]
    draws = replay(registry.find(one.game), one).draws
    assert len(draws) > 5
    for count, draw in enumerate(draws):
        weights = list(draw.chance.weights)
        place = by_the_text(bytes.fromhex(one.secret), number, nonces, count, weights)
        assert draw.chance.actions[place] == draw.action


def play_on(at: TableClient) -> None:
    """Whoever has all seats plays until the game is over."""
    while (told := at.look())["table"]["status"] == "playing":
        choices = told["position"]["choices"]
        at.do(
            "actions", seat=told["table"]["turn"], version=told["version"], draft=[choices[len(choices) // 2]["text"]]
        )


def test_chance_is_committed_to_before_anybody_reveals(ada, bob):
    """The order of things: both hashes are there, then the nonces, then draws, and at the end the secret."""
    nonces = [new_nonce(), new_nonce()]
    at = ada.open_table("template", person("Ada", nonces[0]), "open", games=1)
    gathering = at.look()["table"]["fair"]
    assert [len(commit) for commit in gathering["commits"]] == [64]
    assert gathering["commitments"] == [sha(nonces[0]), None]
    assert (gathering["nonces"], gathering["secrets"]) == ([None, None], [None])
    there = bob.at(at.table)
    there.do("join", name="Bob", code=at.look()["table"]["code"], commit=sha(nonces[1]))
    at.do("start")
    revealing = at.look()["table"]
    assert (revealing["status"], revealing["waiting"]) == ("revealing", "nonces")
    assert revealing["fair"]["commitments"] == [sha(nonce) for nonce in nonces]
    assert revealing["fair"]["commits"] == gathering["commits"]
    assert revealing["fair"]["nonces"] == [None, None]
    at.do("reveal", seat=0, nonce=nonces[0])
    half = at.look()["table"]
    assert (half["status"], half["fair"]["nonces"]) == ("revealing", [nonces[0], None])
    assert at.look()["position"] is None
    there.do("reveal", seat=1, nonce=nonces[1])
    playing = at.look()["table"]
    assert (playing["status"], playing["fair"]["nonces"]) == ("playing", nonces)
    assert playing["fair"]["secrets"] == [None]
    people = (at, there)
    while (told := at.look())["table"]["status"] == "playing":
        turn = told["table"]["turn"]
        told = people[turn].look()
        people[turn].do("actions", seat=turn, version=told["version"], draft=[told["position"]["choices"][0]["text"]])
    secret = told["table"]["fair"]["secrets"][0]
    assert sha(secret) == gathering["commits"][0]
    record = read(there.record()).games[0]
    assert (record.commit, record.secret, record.nonces) == (sha(secret), secret, tuple(enumerate(nonces)))
    drawn_by_the_text(record)


def test_a_nonce_that_was_not_announced_is_refused(ada, bob):
    nonce = new_nonce()
    at = ada.open_table("template", person("Ada", nonce), "open", games=1)
    there = bob.at(at.table)
    there.do("join", name="Bob", code=at.look()["table"]["code"])
    with pytest.raises(Refused, match="not-now"):  # the others may not have announced theirs yet
        at.do("reveal", seat=0, nonce=nonce)
    at.do("start")
    with pytest.raises(Refused, match="bad-request") as refused:
        at.do("reveal", seat=0, nonce=new_nonce())
    assert refused.value.body["message"] == "The nonce does not fit what was announced for the seat."
    with pytest.raises(Refused, match="not-yours"):
        there.do("reveal", seat=0, nonce=nonce)
    with pytest.raises(Refused, match="bad-request"):  # who has announced none reveals none
        there.do("reveal", seat=1, nonce=nonce)
    with pytest.raises(Refused, match="bad-request"):
        at.do("reveal", seat=0, nonce=nonce[:-2])
    assert at.look()["table"]["fair"]["nonces"] == [None, None]
    assert at.look()["table"]["status"] == "revealing"
    at.do("reveal", seat=0, nonce=nonce)
    assert at.look()["table"]["status"] == "playing"
    at.do("reveal", seat=0, nonce=nonce)  # once more is no harm
    with pytest.raises(Refused, match="not-now"):
        at.do("reveal", seat=0, nonce=new_nonce())
    assert at.look()["table"]["fair"]["nonces"] == [nonce, None]


def test_what_was_announced_cannot_be_exchanged(ada, bob):
    """Not by sitting down again, and not by coming later."""
    first, later = new_nonce(), new_nonce()
    at = ada.open_table("template", person("Ada", first), person("Same device", None), "open", games=1)
    code = at.look()["table"]["code"]
    there = bob.at(at.table)
    there.do("join", name="Bob", code=code, commit=sha(first))
    there.do("join", name="Bob", code=code, commit=sha(later))
    at.do("join", name="Ada", seat=0, commit=sha(later))
    assert at.look()["table"]["fair"]["commitments"] == [sha(first), None, sha(first)]
    at.do("start")
    there.do("leave", seat=2)
    assert at.look()["table"]["status"] == "revealing"  # for Ada's
    there.do("join", name="Bob again", code=code, commit=sha(later))
    assert at.look()["table"]["fair"]["commitments"] == [sha(first), None, sha(first)]
    at.do("reveal", seat=0, nonce=first)
    with pytest.raises(Refused, match="bad-request|not-now"):
        there.do("reveal", seat=2, nonce=later)


def test_seats_without_a_nonce_are_not_waited_for(ada, tmp_path):
    nonce = new_nonce()
    at = ada.open_table("template", person("Ada", nonce), person("Bea", None), games=1)
    assert at.look()["table"]["status"] == "revealing"
    at.do("reveal", seat=0, nonce=nonce)
    assert at.look()["table"]["status"] == "playing"
    play_on(at)
    one = read(at.record()).games[0]
    assert one.nonces == ((0, nonce),)
    drawn_by_the_text(one)
    none = ada.open_table("template", person("Ada", None), person("Bea", None), games=1)
    assert none.look()["table"]["status"] == "playing"
    play_on(none)
    assert read(none.record()).games[0].nonces == ()
    drawn_by_the_text(read(none.record()).games[0])


def ended(piece: bytes) -> int:
    """How many games are over by the time that an answer was given, as far as it tells."""
    if piece.startswith(b"format "):
        return piece.count(b"\nending ")
    table = json.loads(piece).get("table")
    if not isinstance(table, dict) or table["number"] is None:
        return 0
    return int(table["number"]) + (table["status"] in ("paused", "over"))


def test_in_a_series_every_game_has_a_secret_of_its_own_told_at_its_end(ada, tmp_path):
    nonce = new_nonce()
    at = ada.open_table("template", person("Ada", nonce), person("Bea", None), games=3)
    commits = at.look()["table"]["fair"]["commits"]
    assert len(set(commits)) == 3
    at.do("reveal", seat=0, nonce=nonce)
    told: list[str] = []
    for game in range(3):
        playing = at.look(seat=1)
        assert playing["table"]["number"] == game
        assert playing["table"]["fair"]["secrets"] == told + [None] * (3 - game)
        record = read(at.record(seat=1))
        assert [one.secret for one in record.games] == [*told, None]
        assert [one.viewer for one in record.games] == [None] * game + [1]
        play_on(at)
        over = at.look()["table"]
        assert over["status"] == ("paused" if game < 2 else "over")
        told = [secret for secret in over["fair"]["secrets"] if secret is not None]
        assert over["fair"]["secrets"] == told + [None] * (2 - game)
        assert [sha(secret) for secret in told] == commits[: game + 1]
        assert [one.secret for one in read(at.record()).games] == told
        if game < 2:
            at.do("continue")
    for piece in ada.received:
        assert [number for number, secret in enumerate(told) if secret.encode() in piece] == list(range(ended(piece)))
    for number, one in enumerate(read(at.record()).games):
        drawn_by_the_text(one, number)
        assert one.commit == commits[number]
    file = tmp_path / "series.game"
    file.write_text(at.record(), encoding="utf-8")
    ran = run("verify", file)
    assert (ran.code, "Every draw is proven fair." in ran.out) == (0, True), ran
    swapped = at.record().replace(told[1], told[0])
    file.write_text(swapped, encoding="utf-8")
    ran = run("verify", file)
    assert ran.code == 1
    assert "The secret is not the one that was committed to." in ran.err


def test_a_match_that_is_given_up_tells_only_the_secrets_of_games_that_were_begun(ada, bob):
    at = ada.open_table("template", "Ada", "open", games=3)
    there = bob.at(at.table)
    there.do("join", name="Bob", code=at.look()["table"]["code"])
    at.do("start")
    there.do("resign", seat=1)
    fair = at.look()["table"]["fair"]
    assert [secret is None for secret in fair["secrets"]] == [False, True, True]
    assert sha(fair["secrets"][0]) == fair["commits"][0]
    assert read(there.record()).games[0].secret == fair["secrets"][0]


def test_after_ten_seconds_a_nonce_is_not_waited_for_any_more(silent, tmp_path):
    """The table was opened before the first test of this file; who stays silent has no nonce, and play begins."""
    told = silent.wait_until(lambda told: told["table"]["status"] != "revealing")
    assert told["table"]["status"] == "playing"
    assert told["table"]["fair"]["nonces"] == [None, None]
    assert told["table"]["fair"]["commitments"][0] is not None
    events = silent.events()["events"]
    sat = next(event for event in events if event["kind"] == "sat")
    begun = next(event for event in events if event["kind"] == "begin")
    assert begun["at"] - sat["at"] >= 9_900
    with pytest.raises(Refused, match="not-now"):
        silent.do("reveal", seat=0, nonce=new_nonce())
    silent.play(0)
    one = read(silent.record()).games[0]
    assert one.nonces == ()
    drawn_by_the_text(one)
