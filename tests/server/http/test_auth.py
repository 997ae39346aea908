"""Authentication: tokens, cookies, other origins, and addresses behind proxies."""

from __future__ import annotations

import hashlib
import json
import secrets
from http.cookies import SimpleCookie

import httpx
import pytest

from tests.support.http import (
    assert_security_headers,
    expect_refusal,
    forwarded_client,
    next_address,
    open_request,
)
from tests.support.server import TIMEOUT, Person, new_key

# other origins


def test_requests_from_another_origin_are_refused(server, http):
    ada = Person(server)
    table = ada.open_table("template", "Ada", "open", public=True)
    before = table.look()
    own = server.address.removeprefix("http://")
    mine = {"Authorization": f"Bearer {ada.secret}"}
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1", f"http://elsewhere.example:{server.port}",
                   f"http://{own}.elsewhere.example", f"http://elsewhere@{own}", own, "", "file://"):  # fmt: skip
        for send in (
            lambda headers: http.post(f"{table.path}/join", json={"key": new_key(), "name": "Eva"}, headers=headers),
            lambda headers: http.post("/api/tables", json=open_request(), headers=headers),
            lambda headers: http.get(table.path, headers=headers),
            lambda headers: http.delete(table.path, headers=headers),
        ):
            answer = expect_refusal(lambda send=send, origin=origin: send({**mine, "Origin": origin}))
            assert (answer.status_code, answer.json()["code"]) == (403, "not-yours")
    assert table.look() == before


def test_requests_from_the_own_origin_or_without_one_are_accepted(server, http):
    mine = {"Authorization": f"Bearer {secrets.token_urlsafe(24)}"}
    for origin in ({"Origin": server.address}, {"Origin": server.address.replace("http:", "https:")}, {}):
        assert http.post("/api/tables", json=open_request(), headers={**mine, **origin}).status_code == 201


def test_cors_allows_no_origin(server, http):
    asks = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type"}  # fmt: skip
    for path in ("/api/tables", "/api/games", "/", "/metrics"):
        for answer in (http.options(path, headers=asks), http.get(path, headers=asks)):
            assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_form_submission_is_not_a_command(server, http):
    """Browsers send forms without a CORS preflight; bodies of these types are not parsed."""
    mine = {"Authorization": f"Bearer {secrets.token_urlsafe(24)}"}
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        sent = json.dumps(open_request(public=True)).encode()
        answer = expect_refusal(
            lambda sent=sent, kind=kind: http.post("/api/tables", content=sent, headers={**mine, "content-type": kind})
        )
        assert answer.json()["code"] == "bad-request"


# cookies and proxies


def cookie_of(answer: httpx.Response) -> tuple[str, str, dict[str, str]]:
    """The name, the value and the flags of the one cookie that is set."""
    (header,) = answer.headers.get_list("set-cookie")
    ((name, morsel),) = SimpleCookie(header).items()
    return name, morsel.value, {flag: str(value) for flag, value in morsel.items() if value}


def test_the_cookie_over_plain_http(server, http):
    secret = secrets.token_urlsafe(24)
    for forwarded in ({}, {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.9"}):  # not from a trusted proxy
        answer = http.post(
            "/api/tables", json=open_request(), headers={"Authorization": f"Bearer {secret}", **forwarded}
        )
        name, value, flags = cookie_of(answer)
        assert (name, value) == ("spieltisch", secret)
        assert flags.pop("max-age").isdigit()
        assert flags == {"path": "/", "httponly": "True", "samesite": "strict"}
        assert_security_headers(answer)
    table = answer.json()["table"]
    http.cookies.clear()
    for header in (f"spieltisch={secret}", f"a=b; spieltisch={secret}; c"):
        assert http.get(f"/api/tables/{table}", headers={"Cookie": header}).json()["table"]["you"] == [0]
    for header in (f"__Host-spieltisch={secret}", f"spieltisch2={secret}", f"spieltisch={secrets.token_urlsafe(24)}"):
        assert (
            expect_refusal(
                lambda header=header: http.get(f"/api/tables/{table}", headers={"Cookie": header})
            ).status_code
            == 404
        )
    quiet = http.post(f"/api/tables/{table}/watch", json={"key": new_key()}, headers={"Cookie": f"spieltisch={secret}"})
    assert quiet.status_code == 200
    assert "set-cookie" not in quiet.headers  # the browser already has it


def test_the_cookie_and_hsts_over_https_behind_a_trusted_proxy(limited):
    ada = forwarded_client(limited)
    forwarded = {"X-Forwarded-Proto": "https"}
    answer = ada.http.post(ada.url("/api/tables"), json=open_request("bigpoints"), headers=forwarded)
    name, value, flags = cookie_of(answer)
    assert (name, value) == ("__Host-spieltisch", ada.secret)
    assert flags.pop("max-age").isdigit()
    assert flags == {"path": "/", "httponly": "True", "samesite": "strict", "secure": "True"}  # and no domain
    assert len(f"{name}={value}") <= 4096
    table = answer.json()["table"]
    for path in (f"/api/tables/{table}", "/", "/healthz", "/nowhere"):
        answer = ada.http.get(ada.url(path), headers=forwarded)
        assert_security_headers(answer, https=True)
        assert answer.headers["strict-transport-security"] == f"max-age={365 * 24 * 3600}"
    ada.http.cookies.clear()
    del ada.http.headers["Authorization"]
    for header, known in ((f"__Host-spieltisch={ada.secret}", True), (f"spieltisch={ada.secret}", False)):
        answer = ada.http.get(ada.url(f"/api/tables/{table}"), headers={**forwarded, "Cookie": header})
        assert answer.status_code == (200 if known else 404)
    assert_security_headers(ada.http.get(ada.url("/healthz")))  # no HSTS over plain HTTP


def test_only_the_address_that_the_proxy_adds_counts(limited):
    """A client may send addresses of its own; the proxy appends the real one."""
    real, statuses = next_address(), []
    for spoofed in ("6.6.6.6", "7.7.7.7, 127.0.0.1", "8.8.8.8:99", "é", "x" * 3000):
        ada = Person(limited)
        headers = {"X-Forwarded-For": f"{spoofed}, {real}".encode()}
        statuses.append(
            ada.http.post(ada.url("/api/tables"), json=open_request("bigpoints"), headers=headers).status_code
        )
    assert statuses == [201, 201, 201, 429, 429]


def test_headers_of_an_untrusted_proxy_are_ignored(limited):
    """A client that does not connect through the proxy is counted by its own address, whatever its headers say."""
    with httpx.Client(
        transport=httpx.HTTPTransport(verify=False, local_address="127.0.0.2"), timeout=TIMEOUT
    ) as client:
        for number in range(4):
            secret = secrets.token_urlsafe(24)
            answer = client.post(
                f"{limited.address}/api/tables",
                json=open_request(),
                headers={
                    "Authorization": f"Bearer {secret}",
                    "X-Forwarded-For": f"198.51.100.{number}",
                    "X-Forwarded-Proto": "https",
                    "Forwarded": f"for=198.51.100.{number};proto=https",
                    "X-Real-IP": f"198.51.100.{number}",
                },
            )
            assert answer.status_code == (201 if number < 3 else 429)
            assert_security_headers(answer)
            assert number == 3 or cookie_of(answer)[:2] == ("spieltisch", secret)


# tokens


def test_a_token_has_at_least_128_bits_and_is_never_read_from_the_url(server, http):
    for given in ("", " " + "x" * 21, " " + "x" * 129, " " + "x" * 21 + "é", " " + "x" * 30 + " y"):
        answer = http.post("/api/tables", json=open_request(), headers={"Authorization": f"Bearer{given}".encode()})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")
    secret = secrets.token_urlsafe(16)
    table = Person(server, secret).open_table("template", "Ada", "open").table
    for query in (f"secret={secret}", f"token={secret}", f"authorization=Bearer+{secret}", f"spieltisch={secret}"):
        assert http.get(f"/api/tables/{table}?{query}").status_code == 404
    assert expect_refusal(lambda: http.post("/api/tables", json=open_request())).json()["code"] == "not-yours"


def test_only_hashes_of_tokens_are_stored(server):
    ada = Person(server)
    code = ada.open_table("template", "Ada", "open").look()["table"]["code"]
    stored = b"".join(file.read_bytes() for file in server.file.parent.glob("tables.sqlite*"))
    assert ada.secret.encode() not in stored
    assert hashlib.sha256(ada.secret.encode()).hexdigest().encode() in stored
    assert code.encode() in stored  # an invitation is shown again, so it is stored


# seats without accounts

PAIR = [{"kind": "person", "name": "Ada"}, {"kind": "bot"}]

FULL = {"game": "template", "seats": PAIR}


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
def test_a_table_is_opened_only_with_a_valid_secret(server, headers, status, code):
    sent = {name: value.encode() for name, value in headers.items()}
    answer = httpx.post(f"{server.address}/api/tables", json={"key": new_key(), **FULL}, headers=sent, timeout=TIMEOUT)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_browser_gets_its_secret_back_as_a_cookie_which_is_then_sufficient(server):
    table = Person(server).open_table("template", "Ada", "open", first=0)
    code = table.look()["table"]["code"]
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
