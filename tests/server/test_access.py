"""Access: strangers, spectators, and other people's seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.server.clients import RecordingClient
from tests.support.server import TIMEOUT, Refused, Server, TableClient, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


ABOUT = "/api/tables/{table}"
FIELDS = {
    "key": "a-key-of-mine", "code": "not-the-code", "name": "Eve", "seat": 0, "about": 0, "nonce": "00" * 16,
    "version": 9, "draft": ["R"], "yes": True, "players": 3, "reaction": "bravo", "stream": "a-stream-of-nobody",
}  # fmt: skip
PING = "/present"  # only the name of a stream counts, and every answer is 204
ALONE = ("watch", "join")  # whoever has the invitation may do this: it is what tells strangers from guests


def requests(server: Server) -> Iterator[tuple[str, str, dict[str, Any] | None]]:
    """Every request about a table: the method, the path after the table's name, and a body."""
    whole = httpx.get(f"{server.address}/api/openapi.json", timeout=TIMEOUT).json()
    for path, methods in whole["paths"].items():
        for method, told in methods.items():
            if path.startswith(ABOUT) and not path.endswith(PING):
                what = path.removeprefix(ABOUT).replace("{event}", "1")
                yield method.upper(), what, body_of(told, whole["components"]["schemas"])


def body_of(told: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any] | None:
    """A body with every field that is needed; a KeyError shows that FIELDS lacks one of a new path."""
    if "requestBody" not in told:
        return None
    schema = told["requestBody"]["content"]["application/json"]["schema"]
    fields = parts[schema["$ref"].rpartition("/")[2]]
    return {name: FIELDS[name] for name in fields["required"]}


def begun(newcomer: Any, **more: Any) -> tuple[RecordingClient, RecordingClient, TableClient]:
    """A table at which two people play."""
    ada, bob = newcomer(), newcomer()
    at = ada.open_table("template", "Ada", "open", games=1, **more)
    bob.at(at.table).do("join", name="Bob", code=at.look()["table"]["code"])
    at.do("start")
    return ada, bob, at


def test_a_private_table_does_not_exist_for_strangers(server, newcomer):
    """Every request gets the same response as for a table that does not exist."""
    ada, eve, nobody = newcomer(), newcomer(), newcomer(secret=False)
    _, _, playing = begun(newcomer)
    gathering = ada.open_table("template", "Ada", "open")
    _, _, over = begun(newcomer)
    over.do("resign", seat=0)
    asked = list(requests(server))
    assert len(asked) >= 20
    for method, what, body in asked:
        for client in (eve, nobody):
            answers = [
                client.http.request(
                    method, client.url(f"/api/tables/{table}{what}"), json=body, params={"language": "en"}
                )
                for table in ("0123456789abcdef", playing.table, gathering.table, over.table)
            ]
            found = {(answer.status_code, answer.json()["code"]) for answer in answers}
            may_ask = client is eve or (method == "GET" and what != "/code")
            assert found == {(404, "not-found") if may_ask else (403, "not-yours")}, what
            if what.removeprefix("/") not in ALONE:
                assert len({answer.content for answer in answers}) == 1, what
    for table in ("0123456789abcdef", playing.table):
        answer = eve.http.post(eve.url(f"/api/tables/{table}{PING}"), json={"stream": FIELDS["stream"]})
        assert (answer.status_code, answer.content) == (204, b"")


def test_strangers_change_nothing_and_their_keys_stay_unused(server, newcomer):
    """A refused command is not stored, so its key can be used later."""
    _, _, at = begun(newcomer)
    eve, before = newcomer(), at.look()
    for method, what, body in requests(server):
        eve.http.request(method, eve.url(f"{at.path}{what}"), json=body)
    assert at.look() == before
    watch = {"key": FIELDS["key"], "code": before["table"]["code"]}
    assert eve.post(f"{at.path}/watch", **watch)["version"] == before["version"] + 1
    assert eve.at(at.table).look()["table"]["viewer"] is None


@pytest.mark.parametrize("public", [False, True])
def test_nobody_acts_for_somebody_elses_seat(server, newcomer, public):
    _, bob, at = begun(newcomer, public=public)
    guest = newcomer()
    guest.at(at.table).do("watch", code=at.look()["table"]["code"])
    before, others = at.look(), [bob, guest] + ([newcomer()] if public else [])
    for method, what, body in requests(server):
        if method == "GET" or what.removeprefix("/") in ALONE or what in ("/continue", "/rematch", "/start"):
            continue
        for client in others:
            answer = client.http.request(method, client.url(f"{at.path}{what}"), json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-yours"), what
    for client in others[1:]:
        for what in ("continue", "rematch", "start"):
            with pytest.raises(Refused, match="not-yours"):
                client.at(at.table).do(what)
    assert at.look() == before
    for client, viewer in zip(others, [1, None, None], strict=False):
        for seat in (0, 1, 5):
            told = client.at(at.table).look(seat=seat)
            assert told["table"]["viewer"] == told["position"]["view"]["viewer"] == viewer


def test_a_public_table_can_be_watched_without_a_secret(newcomer):
    _, _, at = begun(newcomer, public=True)
    nobody = newcomer(secret=False)
    passing = nobody.at(at.table)
    assert passing.look()["table"]["viewer"] is None
    assert passing.look()["table"]["code"] is None
    assert passing.events()["events"]
    assert "viewer    2\n" in passing.record()
    with passing.stream() as events:
        assert next(event for event in events if event["event"] == "table")["data"]["table"]["you"] == []
    assert at.table in nobody.get("/api/tables").text
    for method, what, body in requests(nobody.server):
        if method != "GET":
            answer = nobody.http.request(method, nobody.url(f"{at.path}{what}"), json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-yours"), what
