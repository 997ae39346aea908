"""Middleware: the body limit, the security headers, and the methods that routes support."""

from __future__ import annotations

import json
import re

import pytest

from spieltisch.server.http.limits import MAX_BODY_BYTES
from tests.support.http import (
    HEAD,
    RawConnection,
    assert_security_headers,
    expect_refusal,
    list_paths,
    open_request,
)
from tests.support.server import Person, new_key

# the body limit


def record_of(length: int) -> bytes:
    """A body of exactly so many bytes, with an invalid record."""
    return b'{"record":"' + b"x" * (length - 13) + b'"}'


def test_a_body_whose_content_length_is_over_64_kb_is_refused(http):
    taken = http.post("/api/replays", content=record_of(MAX_BODY_BYTES), headers={"content-type": "application/json"})
    assert (taken.status_code, taken.json()["code"]) == (422, "bad-record")
    answer = expect_refusal(lambda: http.post("/api/replays", content=record_of(MAX_BODY_BYTES + 1)))
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    assert str(MAX_BODY_BYTES) in answer.json()["message"]
    german = http.post("/api/replays", content=record_of(MAX_BODY_BYTES + 1), headers={"accept-language": "de"})
    assert "höchstens" in german.json()["message"]


@pytest.mark.parametrize("piece", [1000, 40_000, MAX_BODY_BYTES + 1])
def test_a_chunked_body_is_refused_as_soon_as_it_is_too_large(server, piece):
    chunk = b"%x\r\n%s\r\n" % (piece, b"x" * piece)
    with RawConnection(server) as connection:
        connection.send(HEAD, "Transfer-Encoding: chunked\r\n\r\n", chunk * (MAX_BODY_BYTES // piece + 1), "0\r\n\r\n")
        answer = connection.read_response()
        assert answer is not None
        assert (answer.status, json.loads(answer.body)["code"]) == (413, "too-large")
        connection.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")  # the connection stays open, or was closed cleanly
        following = connection.read_response()
        assert following is None or following.status == 200


def test_an_endless_body_is_refused_before_its_end(server):
    with RawConnection(server) as connection:
        connection.send(HEAD, "Transfer-Encoding: chunked\r\n\r\n", b"fa0\r\n%s\r\n" % (b"x" * 4000) * 20)
        answer = connection.read_response()
        assert answer is not None
        assert answer.status == 413
    with RawConnection(server) as connection:
        connection.send(HEAD, "Content-Length: 900000000000\r\n\r\n")
        answer = connection.read_response()
        assert answer is not None
        assert (answer.status, json.loads(answer.body)["code"]) == (413, "too-large")


# headers


def test_every_response_has_the_security_headers(server, http):
    ada = Person(server)
    table = ada.open_table("template", "Ada", "open", public=True)
    http.headers["Authorization"] = f"Bearer {ada.secret}"
    for page in ("/", "/plain.css", "/api/docs", "/api/openapi.json", "/healthz", "/readyz", "/metrics", "/api/games",
                 "/api/tables", "/api/games/template/rules", "/api/fairness", table.path, f"{table.path}/events",
                 f"{table.path}/record"):  # fmt: skip
        answer = http.get(page)
        assert answer.status_code == 200
        assert_security_headers(answer)
    with http.stream("GET", f"{table.path}/stream") as answer:
        assert answer.status_code == 200
        assert_security_headers(answer)
        assert answer.headers["cache-control"] == "no-store"
    assert expect_refusal(lambda: http.get("/nowhere")).status_code == 404
    assert expect_refusal(lambda: http.get("/api/tables/nowhere")).status_code == 404
    assert expect_refusal(lambda: http.put("/api/tables")).status_code == 405
    assert expect_refusal(lambda: http.post("/api/tables", content=b"{")).status_code == 422
    assert expect_refusal(lambda: http.post("/api/tables", headers={"Origin": "null"})).status_code == 403
    assert expect_refusal(lambda: http.post("/api/tables", content=b"x" * 99_999)).status_code == 413
    assert expect_refusal(lambda: http.get("/api/tables", headers={"Authorization": "Bearer short"})).status_code == 422
    created = http.post("/api/tables", json=open_request())
    assert created.status_code == 201
    assert_security_headers(created)
    gone = http.delete(table.path)
    assert gone.status_code == 204
    assert_security_headers(gone)


def test_no_private_view_may_be_cached(server, http):
    ada = Person(server)
    table = ada.open_table("template", "Ada", "Eva", first=0)
    for path in ("", "/events", "/record"):
        assert ada.get(f"{table.path}{path}").headers["cache-control"] == "no-store"
    told = table.look()
    for what in ("preview", "hint"):
        body = {"seat": 0, "version": told["version"]}
        assert ada.http.post(ada.url(f"{table.path}/{what}"), json=body).headers["cache-control"] == "no-store"
    command = {
        "seat": 0,
        "version": told["version"],
        "key": new_key(),
        "draft": [told["position"]["choices"][0]["text"]],
    }
    answer = ada.http.post(ada.url(f"{table.path}/actions"), json=command)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"


def test_pages_have_no_inline_script_and_no_inline_style(http):
    for page in ("/", "/api/docs"):
        text = http.get(page).text
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:|<iframe|https?://", text, re.IGNORECASE)
        for script in re.findall(r"<script(.*?)>(.*?)</script>", text, re.IGNORECASE | re.DOTALL):
            assert re.search(r'\ssrc="/[^"]+"', script[0]), "loaded from this server"
            assert not script[1].strip(), "nothing between the tags"


# methods


def test_get_changes_nothing_and_unsupported_methods_are_refused(server, http):
    ada = Person(server)
    table = ada.open_table("template", "Ada", "open")
    before = table.look()
    http.headers["Authorization"] = f"Bearer {ada.secret}"
    asked = {
        "key": new_key(),
        "seat": "0",
        "name": "Eva",
        "code": before["table"]["code"],
        "version": "1",
        "yes": "true",
    }
    for described, methods in list_paths(http, table.table).items():
        path = described.replace("{event}", "1")
        if "GET" in methods and not path.endswith("/stream"):
            assert http.get(path, params={**asked, "after": "0"}).is_success
        for method in {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "POST", "DELETE", "PROPFIND"} - methods:
            answer = http.request(method, path, params=asked)
            assert answer.status_code == 405
            assert set(answer.headers["allow"].split(", ")) == methods
            assert_security_headers(answer)
    assert table.look() == before
    for header in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        assert http.get(f"{table.path}", headers={header: "DELETE"}).status_code == 200
    assert table.look() == before
