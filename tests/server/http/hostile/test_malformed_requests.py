"""Malformed requests: bodies that are hardly JSON, odd paths and headers, bots that remote clients may not name."""

from __future__ import annotations

import gzip

import httpx
import pytest

from spieltisch.server.http.limits import MAX_BODY_BYTES
from spieltisch.table.commands.match import MAX_DEPTH
from tests.server.http.hostile.requests import (
    check_response,
    post,
)
from tests.support.server import (
    TIMEOUT,
    Refused,
    new_key,
)

SEATS = b'"seats":[{"kind":"person","name":"Ada"},{"kind":"open"}]'
VALID = b'{"key":"KEY","game":"template",%s}' % SEATS
MALFORMED = {
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "a number": b"1",
    "half": VALID[:-1],
    "two": VALID + VALID,
    "rest": VALID + b"x",
    "no UTF-8": VALID.replace(b"Ada", b"\xff\xfe\xfa"),
    "overlong": VALID.replace(b"Ada", b"\xc0\xaf"),
    "cut short": VALID.replace(b"Ada", b"\xe2\x82"),
    "a surrogate in bytes": VALID.replace(b"Ada", b"\xed\xa0\x80"),
    "a lone surrogate": VALID.replace(b"Ada", b"\\ud800"),
    "a lone surrogate in the game": VALID.replace(b"template", b"\\udfff"),
    "a lone surrogate as a field": VALID.replace(b'"game"', b'"\\ud800":1,"game"'),
    "a lone surrogate in an option": VALID[:-1] + b',"options":{"bag":"\\ud800","\\udc00":1}}',
    "a zero in a name": VALID.replace(b"Ada", b"\\u0000"),
    "a raw zero": VALID.replace(b"Ada", b"A\x00"),
    "a raw line break": VALID.replace(b"Ada", b"A\na"),
    "not a number": VALID[:-1] + b',"first":NaN}',
    "without end": VALID[:-1] + b',"first":1e999}',
    "many digits": VALID[:-1] + b',"first":' + b"9" * 4300 + b"}",
    "too many digits": VALID[:-1] + b',"first":' + b"9" * 60_000 + b"}",
    "a long fraction": VALID[:-1] + b',"first":0.' + b"1" * 60_000 + b"}",
    "a comment": b"/* x */" + VALID,
    "single quotes": VALID.replace(b'"', b"'"),
    "pickle": b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00.",
    "xml": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "wide": VALID[:-1] + b',"options":{"bag":[' + b"[]," * 20_000 + b"1]}}",
    "many fields": b"{" + b",".join(b'"%d":1' % n for n in range(6000)) + b"}",
    "many seats": VALID.replace(b'"seats":[', b'"seats":[' + b'{"kind":"open"},' * 3000),
    "a compressed one": gzip.compress(VALID),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_body_is_refused(ada, name):
    content = MALFORMED[name].replace(b"KEY", new_key().encode())
    answer = post(ada, "/api/tables", content=content)
    assert (answer.status_code, answer.json()["code"]) in ((422, "bad-request"), (422, "bad-setup"))


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 100, 400, 500, 600, 900, 990, 1000, 1100, 5000, 30_000])
@pytest.mark.parametrize("bracket", ["[]", "{}"])
def test_deeply_nested_json_is_refused_at_any_depth(ada, depth, bracket):
    opens, closes = ("[", "]") if bracket == "[]" else ('{"":', "}")
    deep = (opens * depth)[: MAX_BODY_BYTES // 2 // len(opens) * len(opens)] + "1"
    deep += closes * deep.count(opens[0])
    for field in ("options", "seats", "game", "new"):
        body = b'{"key":"%s","game":"template",%s,"%s":{"bag":%s}}' % (
            new_key().encode(), SEATS, field.encode(), deep.encode()[: MAX_BODY_BYTES - 200]
        )  # fmt: skip
        assert post(ada, "/api/tables", content=body).status_code == 422
    body = {"key": new_key(), "game": "template", "seats": [{"kind": "open"}] * 2, "options": {"bag": deep[:60_000]}}
    assert post(ada, "/api/tables", body).status_code == 422


def test_a_duplicate_field_counts_once_and_byte_order_marks_do_no_harm(ada):
    """A parser may refuse these or accept them, but then they have one meaning."""
    for content in (
        b'{"key":"KEY","game":"rondo","game":"template",%s}' % SEATS,
        b"\xef\xbb\xbf" + VALID,
        VALID.decode().encode("utf-16"),
        VALID.decode().encode("utf-32-le"),
    ):
        answer = post(ada, "/api/tables", content=content.replace(b"KEY", new_key().encode()))
        if answer.status_code == 201:
            assert ada.at(answer.json()["table"]).look()["table"]["game"] == "template"


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "text/html", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data",
     "multipart/form-data; boundary=x", "application/octet-stream", "application/json, text/plain", "*/*", "x", "a" * 5000],
)  # fmt: skip
def test_a_body_of_another_content_type_is_refused(ada, kind):
    answer = post(ada, "/api/tables", content=VALID.replace(b"KEY", new_key().encode()), **{"content-type": kind})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")


def test_odd_requests_are_answered_soon(ada):
    table = ada.open_table("template", "Ada", "Eva", public=True)
    long = "x" * 50_000
    for path in (
        f"/{long}", f"{table.path}/{long}", f"/api/tables/{long}", f"/api/games/{long}/rules", f"{table.path}?{long}",
        f"{table.path}?seat={long}", f"{table.path}?seat=0&seat=1&seat=x", f"{table.path}?language={long}",
        f"{table.path}?" + "&".join(f"a{n}=1" for n in range(5000)), "//elsewhere.example/api/tables", "/api/tables/../games",
        "/api/games/..%2f..%2fetc%2fpasswd/rules", "/api/games/template%00/rules", "/api/games/__init__/rules", "/api/tables/%",
        "/api/tables/%zz", "/api/tables/%c0%ae", "/api/tables/%0d%0aX-Evil:1", "/%2e%2e/%2e%2e/etc/passwd", "/api/docs/",
    ):  # fmt: skip
        answer = ada.http.get(ada.url(path))
        assert "x-evil" not in answer.headers
        assert "root:" not in answer.text
        check_response(answer)
    for name, value in (
        ("accept-language", "de," * 15_000), ("cookie", "a=b;" * 10_000), ("cookie", "=;" * 20_000), ("cookie", '"' * 50_000),
        ("accept", "*/*," * 12_000), ("last-event-id", "9" * 50_000), ("range", "bytes=0-"), ("if-none-match", "*"),
        ("expect", "100-continue"), ("host", "elsewhere.example"), ("x-forwarded-for", "1.2.3.4," * 5000),
        ("content-encoding", "gzip"), ("upgrade", "websocket"), ("x-http-method-override", "DELETE"),
    ):  # fmt: skip
        check_response(ada.http.get(ada.url(table.path), headers={name: value}))
    assert table.look()["table"]["status"] == "playing"


@pytest.mark.parametrize("player", ["program:/bin/sh", "os:system", "random", "mc:400", "search:600s", "tests.bots:X", "level:",
                                    "level:0", "level:6", "level:1; id", "../level:1", "\x00", "x" * 100])  # fmt: skip
def test_remote_clients_cannot_run_programs(ada, player):
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "player": player}]
    table = ada.open_table("template", "Ada", "open")
    for path, body in (("/api/tables", {"game": "template", "seats": seats}),
                       (f"{table.path}/seats", {"seat": 1, "player": player}),
                       (f"{table.path}/lend", {"seat": 0, "player": player})):  # fmt: skip
        answer = post(ada, path, {"key": new_key(), **body})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")


# fields, paths and methods


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
        ("join", {"code": "x", "name": "Ben", "seat": -1}, "seat"),
        ("join", {"code": "x", "name": "Ben", "seat": 100}, "seat"),
        ("watch", {"code": "x" * 101}, "code"),
        ("reveal", {"seat": 0, "nonce": "A5" * 16}, "nonce"),
        ("lend", {"seat": 0, "player": "x" * 101}, "player"),
    ],
)  # fmt: skip
def test_a_field_that_is_missing_unknown_or_of_the_wrong_type_is_named(ada, what, body, field):
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
def test_a_body_that_is_no_command_is_refused(server, body):
    headers = {"Authorization": "Bearer " + "x" * 30, "Content-Type": "application/json"}
    answer = httpx.post(
        f"{server.address}/api/tables/0123456789abcdef/actions", content=body, headers=headers, timeout=TIMEOUT
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")
    assert answer.json()["field"]


@pytest.mark.parametrize(
    "path", ["/api/none", "/api/tables/x/fly", "/none", "/api/tables/%00", "/api/tables/" + "x" * 4000]
)
def test_an_unknown_path_is_not_found(server, path):
    answer = httpx.get(f"{server.address}{path}", headers={"Accept-Language": "de"}, timeout=TIMEOUT)
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_another_method_is_refused(server):
    for verb, path in (("PUT", "/api/tables"), ("GET", "/api/tables/x/actions"), ("DELETE", "/api/games")):
        answer = httpx.request(verb, f"{server.address}{path}", timeout=TIMEOUT)
        assert answer.status_code == 405
        assert answer.json()["message"]
