"""What the server allows whom, how often and how much, what it tells browsers, and what it keeps to itself.

Real HTTP against real processes. One server is without limits and logs everything; one has small limits and stands
behind a proxy that it trusts, so that every test has an address of its own.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import json
import re
import secrets
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import NamedTuple, Self

import httpx
import pytest
import uvicorn
from prometheus_client.parser import text_string_to_metric_families

from spieltisch.server.errors import STATUS
from spieltisch.server.http.limits import MAX_BODY_BYTES, RateLimited, RateLimiter, RateLimits
from spieltisch.server.http.timeouts import TimeoutProtocol
from tests.support.serving import PATIENCE, At, Person, Refused, Server, new_key, serving

ROOT = Path(__file__).parents[3]
PERSON, OPEN = {"kind": "person", "name": "Ada"}, {"kind": "open"}
SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LOGGED = {"event", "level", "timestamp", "method", "route", "status", "ms"}


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    """Without limits; it logs everything and trusts a proxy that is not here."""
    server = Server(tmp_path_factory.mktemp("server"), "--log", "info", "--proxies", "192.0.2.9")
    yield server
    assert server.end() == 0
    for line in server.errors:
        told = json.loads(line)
        assert (told["level"], told.get("library")) in (("info", None), ("warning", "uvicorn.error"))


@pytest.fixture(scope="module")
def limited(tmp_path_factory) -> Iterator[Server]:
    """With small limits, behind a proxy that it trusts."""
    flags = {"proxies": "127.0.0.1", "requests": 15, "tables": 3, "replays": 2, "streams": 2, "hints": 1}
    given = [word for name, value in flags.items() for word in (f"--{name}", str(value))]
    with serving(tmp_path_factory.mktemp("limited"), *given) as server:
        yield server


@pytest.fixture(scope="module")
def failing(tmp_path_factory) -> Iterator[Server]:
    """One whose store is meddled with."""
    server = Server(tmp_path_factory.mktemp("failing"))
    yield server
    assert server.end() == 0


@pytest.fixture
def http(server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address, timeout=PATIENCE, verify=False) as client:  # noqa: S501 - plain http
        yield client


_addresses = (f"203.0.113.{number}" for number in range(1, 255))


def from_afar(server: Server, address: str | None = None, secret: str | None = None) -> Person:
    """Somebody whose requests come through the proxy, from an address that nobody else has."""
    person = Person(server, secret)
    person.http.headers["X-Forwarded-For"] = address or next(_addresses)
    return person


def wait_for(true) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def refused(doing) -> httpx.Response:
    """The answer to something that is refused with a sentence and a code that machines know."""
    answer = doing()
    told = answer.json()
    assert answer.status_code == (405 if answer.status_code == 405 else STATUS[told["code"]])
    assert set(told) == {"code", "message", "rule", "field", "line"}
    assert told["message"]
    assert_polite(answer)
    assert answer.headers["cache-control"] == "no-store"
    return answer


def opening(game: str = "template", *seats: dict, **more: object) -> dict:
    return {"key": new_key(), "game": game, "seats": list(seats) or [PERSON, OPEN], **more}


# bodies


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Line:
    """A connection that anything can be written to."""

    def __init__(self, server: Server) -> None:
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self.read = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.read.close()
        self.socket.close()

    def send(self, *parts: bytes | str) -> None:
        self.socket.sendall(b"".join(part.encode() if isinstance(part, str) else part for part in parts))

    def answer(self) -> Answer | None:
        """The next answer; None where the server has closed the connection."""
        first = self.read.readline()
        if not first:
            return None
        headers: dict[str, str] = {}
        while line := self.read.readline().strip():
            name, _, value = line.decode("latin-1").partition(": ")
            headers[name.lower()] = value
        return Answer(int(first.split()[1]), headers, self.read.read(int(headers.get("content-length", 0))))


HEAD = "POST /api/replays HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


def record_of(length: int) -> bytes:
    """A body of just so many bytes, with a record that is none."""
    return b'{"record":"' + b"x" * (length - 13) + b'"}'


def test_a_body_has_at_most_64_kilobytes_as_its_length_says(http):
    taken = http.post("/api/replays", content=record_of(MAX_BODY_BYTES), headers={"content-type": "application/json"})
    assert (taken.status_code, taken.json()["code"]) == (422, "bad-record")
    answer = refused(lambda: http.post("/api/replays", content=record_of(MAX_BODY_BYTES + 1)))
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
    assert str(MAX_BODY_BYTES) in answer.json()["message"]
    german = http.post("/api/replays", content=record_of(MAX_BODY_BYTES + 1), headers={"accept-language": "de"})
    assert "höchstens" in german.json()["message"]


@pytest.mark.parametrize("piece", [1000, 40_000, MAX_BODY_BYTES + 1])
def test_a_body_that_says_no_length_is_stopped_where_it_has_too_much(server, piece):
    chunk = b"%x\r\n%s\r\n" % (piece, b"x" * piece)
    with Line(server) as line:
        line.send(HEAD, "Transfer-Encoding: chunked\r\n\r\n", chunk * (MAX_BODY_BYTES // piece + 1), "0\r\n\r\n")
        answer = line.answer()
        assert answer is not None
        assert (answer.status, json.loads(answer.body)["code"]) == (413, "too-large")
        line.send("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")  # the connection lives on, or has ended cleanly
        following = line.answer()
        assert following is None or following.status == 200


def test_a_body_that_never_ends_is_answered_before_its_end(server):
    with Line(server) as line:
        line.send(HEAD, "Transfer-Encoding: chunked\r\n\r\n", b"fa0\r\n%s\r\n" % (b"x" * 4000) * 20)
        answer = line.answer()
        assert answer is not None
        assert answer.status == 413
    with Line(server) as line:
        line.send(HEAD, "Content-Length: 900000000000\r\n\r\n")
        answer = line.answer()
        assert answer is not None
        assert (answer.status, json.loads(answer.body)["code"]) == (413, "too-large")


@pytest.mark.parametrize(
    "lengths",
    [
        "Content-Length: -1\r\n",
        "Content-Length: many\r\n",
        "Content-Length: 5\r\nContent-Length: 6\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n",
        "Content-Length: 99999999999999999999999999\r\n",
        "Content-Length : 5\r\n",
        "X: a\rb\r\n",
    ],
)
def test_a_request_whose_end_is_in_doubt_is_not_read(server, http, lengths):
    smuggled = "GET /api/games HTTP/1.1\r\nHost: x\r\n\r\n"
    with Line(server) as line:
        line.send(HEAD, lengths, "\r\n", "0\r\n\r\n", smuggled)
        first = line.answer()
        assert first is None or first.status in (400, 413)
        assert line.answer() is None  # nothing of the rest is taken for a request
    assert http.get("/healthz").status_code == 200


@pytest.mark.parametrize("endless", [b"a" * 1000, b"x: " + b"a" * 95 + b"\r\n"], ids=["value", "headers"])
def test_a_head_that_does_not_end_is_not_read_on(server, http, endless):
    with Line(server) as line, contextlib.suppress(ConnectionError):
        line.send("GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
        for _ in range(2000):
            line.send(endless * 10)
        answer = line.answer()
        assert answer is None or answer.status == 400
    assert http.get("/healthz").status_code == 200


def test_a_request_that_comes_too_slowly_is_not_waited_for():
    class Impatient(TimeoutProtocol):
        request_timeout = 0.3

    async def application(scope, receive, send):
        await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    config = uvicorn.Config(application, port=0, http=Impatient, ws="none", lifespan="off", log_config=None)
    served = uvicorn.Server(config)
    thread = threading.Thread(target=served.run, daemon=True)
    thread.start()
    wait_for(lambda: served.started)
    place = served.servers[0].sockets[0].getsockname()
    for slow in (b"", b"GET / HTTP/1.1\r\nHo", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc"):
        with socket.create_connection(place, timeout=PATIENCE) as line:
            line.sendall(slow)
            while line.recv(1000):
                pass  # an answer may come before the body is read; then it ends
    with socket.create_connection(place, timeout=PATIENCE) as line:
        for _ in range(3):
            line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert line.recv(1000).startswith(b"HTTP/1.1 204")
            time.sleep(0.35)  # between two requests it is waited longer
    served.should_exit = True
    thread.join(PATIENCE)


# how often and how many


def hurry(person: Person, path: str = "/api/tables", **headers: str) -> httpx.Response:
    """The first refusal that somebody gets who asks as quickly as possible."""
    end = time.monotonic() + PATIENCE
    while (answer := person.http.get(person.url(path), headers=headers)).status_code == 200:
        assert time.monotonic() < end
    return answer


def test_who_asks_too_often_is_told_when_to_ask_again(limited):
    ada, eva = from_afar(limited), from_afar(limited)
    answer = refused(lambda: hurry(ada))
    assert (answer.status_code, answer.json()["code"]) == (429, "limit")
    after = int(answer.headers["retry-after"])
    assert 1 <= after <= 2
    assert eva.get("/api/tables").status_code == 200  # others are not held up
    assert ada.http.get(ada.url("/healthz")).status_code == 200  # nor is whoever looks after the server
    time.sleep(after)
    assert ada.get("/api/tables").status_code == 200


def test_a_secret_counts_wherever_it_comes_from(limited):
    secret = secrets.token_urlsafe(24)
    end = time.monotonic() + PATIENCE
    while (answer := from_afar(limited, None, secret)).http.get(answer.url("/api/tables")).status_code == 200:
        assert time.monotonic() < end
    moved = from_afar(limited, answer.http.headers["X-Forwarded-For"])
    assert moved.get("/api/tables").status_code == 200  # the address alone has done nothing


def test_a_household_with_many_ipv6_addresses_is_one(limited):
    ada = from_afar(limited, "2001:db8:1:2::1")
    end = time.monotonic() + PATIENCE
    numbers = iter(range(2, 100_000))
    while True:
        headers = {"X-Forwarded-For": f"2001:db8:1:2:{next(numbers):x}::7", "Authorization": ""}
        if ada.http.get(ada.url("/api/tables"), headers=headers).status_code == 429:
            break
        assert time.monotonic() < end
    assert from_afar(limited, "2001:db8:1:3::1").get("/api/tables").status_code == 200


def test_an_address_opens_so_many_tables_an_hour(limited):
    ada, eva = from_afar(limited), from_afar(limited)
    for _ in range(3):
        ada.opens("template", "Ada", "open")
    answer = refused(lambda: ada.http.post(ada.url("/api/tables"), json=opening()))
    assert (answer.status_code, answer.json()["code"]) == (429, "limit")
    assert 3000 < int(answer.headers["retry-after"]) <= 3600
    again = from_afar(limited, ada.http.headers["X-Forwarded-For"])  # a new secret is no new address
    with pytest.raises(Refused, match="429"):
        again.opens("template", "Ada", "open")
    eva.opens("template", "Eva", "open")


def test_an_address_replays_so_many_records_a_minute(limited):
    ada = from_afar(limited)
    text = (ROOT / "src/spieltisch/games/template/tests/golden/standard-2.game").read_text(encoding="utf-8")
    for _ in range(2):
        assert ada.post("/api/replays", record=text)["events"]
    answer = refused(lambda: ada.http.post(ada.url("/api/replays"), json={"record": text}))
    assert (answer.status_code, answer.json()["code"]) == (429, "limit")
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert from_afar(limited).post("/api/replays", record=text)["events"]


def test_an_address_has_so_many_streams_at_once(limited):
    ada, eva = from_afar(limited), from_afar(limited)
    table = ada.opens("template", "Ada", "open", public=True)
    with contextlib.ExitStack() as streams:
        first = streams.enter_context(contextlib.ExitStack())
        heard = [first.enter_context(table.stream()), streams.enter_context(table.stream())]
        assert all(next(events) for events in heard)
        answer = refused(lambda: ada.http.get(ada.url(f"{table.path}/stream")))
        assert (answer.status_code, answer.json()["code"]) == (429, "limit")
        assert int(answer.headers["retry-after"]) >= 1
        heard.append(streams.enter_context(eva.at(table.table).stream()))
        assert next(heard[-1])
        first.close()  # whoever closes one may open another
        end = time.monotonic() + PATIENCE
        while len(heard) < 4:
            with contextlib.suppress(Refused):
                heard.append(streams.enter_context(table.stream()))
            assert time.monotonic() < end
        assert next(heard[-1])


def test_an_address_has_so_many_hints_at_once(limited):
    ada = from_afar(limited)
    table = ada.opens("template", "Ada", "Eva", first=0)
    body = json.dumps({"seat": 0, "version": table.look()["version"]})
    head = (
        f"POST {table.path}/hint HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"X-Forwarded-For: {ada.http.headers['X-Forwarded-For']}\r\nAuthorization: Bearer {ada.secret}\r\n\r\n"
    )
    for _ in range(10):  # until two have met
        with contextlib.ExitStack() as lines:
            asked = [lines.enter_context(Line(limited)) for _ in range(4)]
            for line in asked:
                line.send(head, body)
            answers = [line.answer() for line in asked]
        statuses = sorted(answer.status for answer in answers if answer)
        assert 200 in statuses
        if 429 in statuses:
            break
        time.sleep(1.1)
    told = [(answer.headers, json.loads(answer.body)) for answer in answers if answer and answer.status == 429]
    assert all(body["code"] == "limit" and int(headers["retry-after"]) >= 1 for headers, body in told)
    time.sleep(1.1)
    assert table.ask("hint", seat=0, version=table.look()["version"])["text"]  # one after another is well


def test_an_address_has_so_many_records_read_at_once():
    limits = RateLimiter(RateLimits(replays=30))
    with limits.replay_slot("ada"), limits.replay_slot("ada"), limits.replay_slot("eva"):
        with pytest.raises(RateLimited), limits.replay_slot("ada"):
            pass
        with limits.replay_slot("eva"):
            pass
    with limits.replay_slot("ada"):
        pass


def test_without_limits_nobody_is_held_up(server):
    ada = Person(server)
    assert {ada.http.get(ada.url("/api/tables")).status_code for _ in range(100)} == {200}


@pytest.mark.parametrize(
    ("name", "taken"),
    [("x" * 40, True), ("ß" * 40, True), ("x" * 41, False), ("", False), ("  ", False), ("x" * 5000, False),
     ("a\nb", False), ("a\x00b", False), ("a\u2028b", False), ("a;b", False), ("  a  ", True)],
)  # fmt: skip
def test_a_name_is_a_line_of_at_most_40_letters(server, name, taken):
    ada = Person(server)
    seat = {"kind": "person", "name": name}
    if taken:
        assert ada.opens("template", seat, "open").look()["table"]["seats"][0]["name"] == name.strip()
    else:
        answer = refused(lambda: ada.http.post(ada.url("/api/tables"), json=opening("template", seat, OPEN)))
        assert answer.json()["code"] == "bad-request"


# what another site's page may do: nothing


def test_what_another_sites_page_sends_is_refused(server, http):
    ada = Person(server)
    table = ada.opens("template", "Ada", "open", public=True)
    before = table.look()
    own = server.address.removeprefix("http://")
    mine = {"Authorization": f"Bearer {ada.secret}"}
    for origin in ("https://elsewhere.example", "null", "http://127.0.0.1", f"http://elsewhere.example:{server.port}",
                   f"http://{own}.elsewhere.example", f"http://elsewhere@{own}", own, "", "file://"):  # fmt: skip
        for send in (
            lambda headers: http.post(f"{table.path}/join", json={"key": new_key(), "name": "Eva"}, headers=headers),
            lambda headers: http.post("/api/tables", json=opening(), headers=headers),
            lambda headers: http.get(table.path, headers=headers),
            lambda headers: http.delete(table.path, headers=headers),
        ):
            answer = refused(lambda send=send, origin=origin: send({**mine, "Origin": origin}))
            assert (answer.status_code, answer.json()["code"]) == (403, "not-yours")
    assert table.look() == before


def test_what_the_servers_own_page_or_a_program_sends_is_taken(server, http):
    mine = {"Authorization": f"Bearer {secrets.token_urlsafe(24)}"}
    for origin in ({"Origin": server.address}, {"Origin": server.address.replace("http:", "https:")}, {}):
        assert http.post("/api/tables", json=opening(), headers={**mine, **origin}).status_code == 201


def test_other_origins_are_never_let_in(server, http):
    asks = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type"}  # fmt: skip
    for path in ("/api/tables", "/api/games", "/", "/metrics"):
        for answer in (http.options(path, headers=asks), http.get(path, headers=asks)):
            assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_form_of_another_page_is_no_command(server, http):
    """A form is sent without being asked for leave; its kinds of body are not read."""
    mine = {"Authorization": f"Bearer {secrets.token_urlsafe(24)}"}
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        sent = json.dumps(opening(public=True)).encode()
        answer = refused(
            lambda sent=sent, kind=kind: http.post("/api/tables", content=sent, headers={**mine, "content-type": kind})
        )
        assert answer.json()["code"] == "bad-request"


# what every answer says to browsers


def assert_polite(answer: httpx.Response, *, https: bool = False) -> None:
    for name, value in SECURITY.items():
        assert answer.headers[name] == value
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert not re.search(r"unsafe|\*|http:|https:|blob:", answer.headers["content-security-policy"])
    assert not {"script-src", "script-src-elem", "script-src-attr", "style-src"} & set(policy)  # so 'self' counts
    assert ("strict-transport-security" in answer.headers) == https
    assert not {"server", "x-powered-by"} & set(answer.headers)
    if answer.headers.get("content-type", "").startswith("text/"):
        assert "charset=utf-8" in answer.headers["content-type"] or "version=" in answer.headers["content-type"]


def test_every_answer_has_the_same_manners(server, http):
    ada = Person(server)
    table = ada.opens("template", "Ada", "open", public=True)
    http.headers["Authorization"] = f"Bearer {ada.secret}"
    for page in ("/", "/plain.css", "/api/docs", "/api/openapi.json", "/healthz", "/readyz", "/metrics", "/api/games",
                 "/api/tables", "/api/games/template/rules", "/api/fairness", table.path, f"{table.path}/events",
                 f"{table.path}/record"):  # fmt: skip
        answer = http.get(page)
        assert answer.status_code == 200
        assert_polite(answer)
    with http.stream("GET", f"{table.path}/stream") as answer:
        assert answer.status_code == 200
        assert_polite(answer)
        assert answer.headers["cache-control"] == "no-store"
    assert refused(lambda: http.get("/nowhere")).status_code == 404
    assert refused(lambda: http.get("/api/tables/nowhere")).status_code == 404
    assert refused(lambda: http.put("/api/tables")).status_code == 405
    assert refused(lambda: http.post("/api/tables", content=b"{")).status_code == 422
    assert refused(lambda: http.post("/api/tables", headers={"Origin": "null"})).status_code == 403
    assert refused(lambda: http.post("/api/tables", content=b"x" * 99_999)).status_code == 413
    assert refused(lambda: http.get("/api/tables", headers={"Authorization": "Bearer short"})).status_code == 422
    created = http.post("/api/tables", json=opening())
    assert created.status_code == 201
    assert_polite(created)
    gone = http.delete(table.path)
    assert gone.status_code == 204
    assert_polite(gone)


def test_no_private_view_is_kept_by_browsers_or_proxies(server, http):
    ada = Person(server)
    table = ada.opens("template", "Ada", "Eva", first=0)
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


# cookies and proxies


def cookie_of(answer: httpx.Response) -> tuple[str, str, dict[str, str]]:
    """The name, the value and the flags of the one cookie that is set."""
    (header,) = answer.headers.get_list("set-cookie")
    ((name, morsel),) = SimpleCookie(header).items()
    return name, morsel.value, {flag: str(value) for flag, value in morsel.items() if value}


def test_the_cookie_over_plain_http(server, http):
    secret = secrets.token_urlsafe(24)
    for forwarded in ({}, {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.9"}):  # from nobody who is trusted
        answer = http.post("/api/tables", json=opening(), headers={"Authorization": f"Bearer {secret}", **forwarded})
        name, value, flags = cookie_of(answer)
        assert (name, value) == ("spieltisch", secret)
        assert flags.pop("max-age").isdigit()
        assert flags == {"path": "/", "httponly": "True", "samesite": "strict"}
        assert_polite(answer)
    table = answer.json()["table"]
    http.cookies.clear()
    for header in (f"spieltisch={secret}", f"a=b; spieltisch={secret}; c"):
        assert http.get(f"/api/tables/{table}", headers={"Cookie": header}).json()["table"]["you"] == [0]
    for header in (f"__Host-spieltisch={secret}", f"spieltisch2={secret}", f"spieltisch={secrets.token_urlsafe(24)}"):
        assert (
            refused(lambda header=header: http.get(f"/api/tables/{table}", headers={"Cookie": header})).status_code
            == 404
        )
    quiet = http.post(f"/api/tables/{table}/watch", json={"key": new_key()}, headers={"Cookie": f"spieltisch={secret}"})
    assert quiet.status_code == 200
    assert "set-cookie" not in quiet.headers  # the browser has it already


def test_the_cookie_and_more_over_https_behind_a_trusted_proxy(limited):
    ada = from_afar(limited)
    forwarded = {"X-Forwarded-Proto": "https"}
    answer = ada.http.post(ada.url("/api/tables"), json=opening(), headers=forwarded)
    name, value, flags = cookie_of(answer)
    assert (name, value) == ("__Host-spieltisch", ada.secret)
    assert flags.pop("max-age").isdigit()
    assert flags == {"path": "/", "httponly": "True", "samesite": "strict", "secure": "True"}  # and no domain
    assert len(f"{name}={value}") <= 4096
    table = answer.json()["table"]
    for path in (f"/api/tables/{table}", "/", "/healthz", "/nowhere"):
        answer = ada.http.get(ada.url(path), headers=forwarded)
        assert_polite(answer, https=True)
        assert answer.headers["strict-transport-security"] == f"max-age={365 * 24 * 3600}"
    ada.http.cookies.clear()
    del ada.http.headers["Authorization"]
    for header, known in ((f"__Host-spieltisch={ada.secret}", True), (f"spieltisch={ada.secret}", False)):
        answer = ada.http.get(ada.url(f"/api/tables/{table}"), headers={**forwarded, "Cookie": header})
        assert answer.status_code == (200 if known else 404)
    assert_polite(ada.http.get(ada.url("/healthz")))  # over plain http no such promise is made


def test_only_the_proxys_own_word_about_an_address_counts(limited):
    """A client may write addresses of its own; the proxy adds the real one behind them."""
    real, statuses = next(_addresses), []
    for spoofed in ("6.6.6.6", "7.7.7.7, 127.0.0.1", "8.8.8.8:99", "é", "x" * 3000):
        ada = Person(limited)
        headers = {"X-Forwarded-For": f"{spoofed}, {real}".encode()}
        statuses.append(ada.http.post(ada.url("/api/tables"), json=opening(), headers=headers).status_code)
    assert statuses == [201, 201, 201, 429, 429]


def test_an_untrusted_proxys_word_counts_for_nothing(limited):
    """Who connects from another address than the proxy's is counted by that one, whatever it says."""
    with httpx.Client(
        transport=httpx.HTTPTransport(verify=False, local_address="127.0.0.2"), timeout=PATIENCE
    ) as client:
        for number in range(4):
            secret = secrets.token_urlsafe(24)
            answer = client.post(
                f"{limited.address}/api/tables",
                json=opening(),
                headers={
                    "Authorization": f"Bearer {secret}",
                    "X-Forwarded-For": f"198.51.100.{number}",
                    "X-Forwarded-Proto": "https",
                    "Forwarded": f"for=198.51.100.{number};proto=https",
                    "X-Real-IP": f"198.51.100.{number}",
                },
            )
            assert answer.status_code == (201 if number < 3 else 429)
            assert_polite(answer)
            assert number == 3 or cookie_of(answer)[:2] == ("spieltisch", secret)


def test_a_secret_has_at_least_128_bits_and_never_stands_in_an_address(server, http):
    for given in ("", " " + "x" * 21, " " + "x" * 129, " " + "x" * 21 + "é", " " + "x" * 30 + " y"):
        answer = http.post("/api/tables", json=opening(), headers={"Authorization": f"Bearer{given}".encode()})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")
    secret = secrets.token_urlsafe(16)
    table = Person(server, secret).opens("template", "Ada", "open").table
    for query in (f"secret={secret}", f"token={secret}", f"authorization=Bearer+{secret}", f"spieltisch={secret}"):
        assert http.get(f"/api/tables/{table}?{query}").status_code == 404
    assert refused(lambda: http.post("/api/tables", json=opening())).json()["code"] == "not-yours"


def test_secrets_are_kept_as_hashes_alone(server):
    ada = Person(server)
    code = ada.opens("template", "Ada", "open").look()["table"]["code"]
    kept = b"".join(file.read_bytes() for file in server.file.parent.glob("tables.sqlite*"))
    assert ada.secret.encode() not in kept
    assert hashlib.sha256(ada.secret.encode()).hexdigest().encode() in kept
    assert code.encode() in kept  # an invitation is shown again, and so it is kept


# methods


def paths_of(http: httpx.Client, table: str) -> dict[str, set[str]]:
    """Every path there is, with what can be done at it."""
    described = http.get("/api/openapi.json").json()["paths"]
    paths = {path: {method.upper() for method in methods} for path, methods in described.items()}
    paths |= {"/": {"GET", "HEAD"}, "/plain.css": {"GET"}, "/api/docs": {"GET"}, "/api/openapi.json": {"GET"}}
    return {path.replace("{table}", table).replace("{game}", "template"): methods for path, methods in paths.items()}


def test_nothing_is_changed_by_looking_and_other_methods_are_refused(server, http):
    ada = Person(server)
    table = ada.opens("template", "Ada", "open")
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
    for described, methods in paths_of(http, table.table).items():
        path = described.replace("{event}", "1")
        if "GET" in methods and not path.endswith("/stream"):
            assert http.get(path, params={**asked, "after": "0"}).is_success
        for method in {"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "POST", "DELETE", "PROPFIND"} - methods:
            answer = http.request(method, path, params=asked)
            assert answer.status_code == 405
            assert set(answer.headers["allow"].split(", ")) == methods
            assert_polite(answer)
    assert table.look() == before
    for header in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
        assert http.get(f"{table.path}", headers={header: "DELETE"}).status_code == 200
    assert table.look() == before


# what is said where something broke, and what is not


def log_since(server: Server, before: int, lines: int) -> list[dict]:
    """What was logged since, when so many lines are there."""
    wait_for(lambda: len(server.errors) >= before + lines)
    return [json.loads(line) for line in server.errors[before:]]


def test_a_server_whose_store_is_gone_is_alive_but_not_ready(failing):
    ada, before = Person(failing), len(failing.errors)
    table = ada.opens("template", "Ada", "open")
    assert ada.get("/readyz").json() == {"status": "ready"}
    with contextlib.closing(sqlite3.connect(failing.file, timeout=PATIENCE)) as store, store:
        for name in ("tables", "log", "answers"):
            store.execute(f"ALTER TABLE {name} RENAME TO {name}_away")
    answer = refused(lambda: ada.http.get(ada.url("/readyz")))
    assert (answer.status_code, answer.json()["code"]) == (503, "closing")
    assert ada.get("/healthz").json()["status"] == "ok"
    for ask in (
        lambda: ada.http.get(ada.url("/api/tables")),
        lambda: ada.http.get(ada.url(f"/api/tables/{'0' * 16}")),
        lambda: ada.http.post(ada.url("/api/tables"), json=opening()),
        lambda: ada.http.post(ada.url(f"{table.path}/join"), json={"key": new_key(), "name": "Eva", "seat": 1}),
    ):
        answer = refused(ask)
        assert (answer.status_code, answer.json()["code"]) == (503, "closing")
        assert not re.search(r"sql|_away|error|select|no such", answer.json()["message"], re.IGNORECASE)
    with contextlib.closing(sqlite3.connect(failing.file, timeout=PATIENCE)) as store, store:
        for name in ("tables", "log", "answers"):
            store.execute(f"ALTER TABLE {name}_away RENAME TO {name}")
    assert ada.get("/readyz").json() == {"status": "ready"}
    assert table.do("join", name="Eva", seat=1)["seat"] == 1  # nothing was lost, and nothing was half done
    for told in log_since(failing, before, 5):
        assert {"event", "level", "timestamp", "error", "traceback"} <= set(told) <= LOGGED | {"error", "traceback"}
        assert not re.search(f"SELECT|INSERT|no such table|Eva|Ada|{table.table}|{ada.secret}", json.dumps(told))


def test_what_broke_is_said_in_general_and_logged_without_values(failing):
    ada, before = Person(failing), len(failing.errors)
    table = ada.opens("template", "Ada", "open", public=True)
    hidden, lost = "hidden-" + secrets.token_hex(8), secrets.token_hex(8)
    with contextlib.closing(sqlite3.connect(failing.file, timeout=PATIENCE)) as store, store:
        store.execute("UPDATE tables SET summary = ? WHERE id = ?", (f"{{no JSON: {hidden}", table.table))
        store.execute("INSERT INTO tables VALUES (?, ?, 0, 'gathering', 'nobody', '', 0)", (lost, lost))
        store.execute("INSERT INTO log VALUES (?, 1, ?, 0)", (lost, f'@ {{"do": "{hidden}"}}'))
    for path in ("/api/tables", f"/api/tables/{lost}"):  # it breaks in the server itself, and in a clerk's process
        for _ in range(2):
            answer = refused(lambda path=path: ada.http.get(ada.url(path)))
            assert (answer.status_code, answer.json()["code"]) == (503, "closing")
            assert answer.json()["message"] == "Something went wrong here. Nothing was changed."
    german = ada.http.get(ada.url("/api/tables"), headers={"accept-language": "de"})
    assert german.json()["message"] != answer.json()["message"]
    assert table.look()["table"]["status"] == "gathering"  # everything else goes on
    told = log_since(failing, before, 5)
    assert {(one["event"], one["level"], one["method"], one["route"], one["error"]) for one in told} == {
        ("request failed", "error", "GET", "/api/tables", "JSONDecodeError"),
        ("request failed", "error", "GET", "/api/tables/{table}", "Unreadable"),
    }
    assert all(re.fullmatch(r"\w+:[\w<>]+:\d+", place) for one in told for place in one["traceback"])
    assert {"routes", "tables"} <= {place.split(":")[0] for one in told for place in one["traceback"]}
    for word in (hidden, lost, table.table, ada.secret):
        assert word not in json.dumps(told)


def play_a_little(server: Server) -> tuple[list[At], set[str]]:
    """People who did a bit of everything, and every word of it that is nobody else's business."""
    ada, eva = Person(server), Person(server)
    nonce = secrets.token_hex(16)
    seat = {"kind": "person", "name": "Adelheid", "commit": hashlib.sha256(bytes.fromhex(nonce)).hexdigest()}
    table = ada.opens("rondo", seat, "open", first=0, games=1)
    code = table.look()["table"]["code"]
    other = eva.at(table.table)
    other.do("watch", code=code)
    other.do("join", code=code, name="Evangeline")
    table.do("start")
    table.do("reveal", seat=0, nonce=nonce)
    moves: set[str] = set()
    for who, number in ((table, 0), (other, 1)) * 2:
        told = who.look(seat=number)
        chosen = next(choice["text"] for choice in told["position"]["choices"] if ":" in choice["text"])
        moves.add(chosen)
        who.ask("preview", seat=number, version=told["version"], draft=[chosen])
        who.ask("hint", seat=number, version=told["version"])
        who.do("actions", seat=number, version=told["version"], draft=[chosen, "."])
    assert other.refused("actions", seat=0, version=1, draft=["K3:PPP"]).code == "not-yours"
    with pytest.raises(Refused):
        eva.post("/api/tables", **opening("rondo", OPEN, OPEN, options={"board": {"cells": ["Wolkenkuckucksheim"]}}))
    with other.stream() as events:
        next(events)
    record = table.record()
    with pytest.raises(Refused):
        eva.post("/api/replays", record=record)
    hashes = {hashlib.sha256(one.secret.encode()).hexdigest() for one in (ada, eva)}
    words = {"Adelheid", "Evangeline", "K3:PPP", "Wolkenkuckucksheim", nonce, seat["commit"], code, table.table}
    return [table, other], {*words, *hashes, *moves, ada.secret, eva.secret, "127.0.0.1"}


def test_logs_and_metrics_tell_numbers_and_nothing_private(server, http):
    before = len(server.errors)
    _, private = play_a_little(server)
    text = http.get("/metrics").text
    families = {family.name: family for family in text_string_to_metric_families(text)}
    assert {
        "spieltisch_http_requests",
        "spieltisch_http_request_duration_seconds",
        "spieltisch_live_tables",
        "spieltisch_open_streams",
        "spieltisch_scheduler_queue",
    } <= set(families)
    counted = {
        (sample.labels["method"], sample.labels["route"], sample.labels["status"]): sample.value
        for sample in families["spieltisch_http_requests"].samples
        if sample.name == "spieltisch_http_requests_total"
    }
    assert counted["POST", "/api/tables/{table}/actions", "200"] >= 4
    assert counted["POST", "/api/tables/{table}/actions", "403"] >= 1
    known = {*paths_of(http, "{table}")} | {"/api/games/{game}/rules", "none"}
    for family in families.values():
        for sample in family.samples:
            assert set(sample.labels) <= {"method", "route", "status", "le", "limit"}
            assert sample.labels.get("route", "none") in known
            assert sample.value >= 0
    wait_for(lambda: any('"route": "/metrics"' in line for line in server.errors[before:]))
    logged = "".join(server.errors)
    for word in private:
        assert word not in text
        assert word not in logged
    for line in server.errors:
        told = json.loads(line)
        assert told["timestamp"].endswith(("Z", "+00:00"))
        if "library" in told:
            assert told["event"] == "Invalid HTTP request received."
            continue
        assert set(told) == LOGGED
        assert told["route"] in known | {""}


def test_odd_methods_and_paths_make_no_new_numbers(server, http):
    for number in range(20):
        http.request("PROPFIND", f"/nowhere/{number}")
        http.get(f'/api/tables/%0a{{"event": "forged {number}"}}', headers={"User-Agent": f'"}} forged {number}'})
        http.get(f"/api/tables/{secrets.token_hex(8)}")
    families = text_string_to_metric_families(http.get("/metrics").text)
    methods = {sample.labels["method"] for family in families for sample in family.samples if "method" in sample.labels}
    assert methods <= {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "other"}
    wait_for(lambda: sum('"method": "other"' in line for line in server.errors) >= 20)
    assert "forged" not in "".join(server.errors)
    assert all(isinstance(json.loads(line), dict) for line in server.errors)


def test_what_was_limited_is_counted(limited):
    ada = from_afar(limited)
    refused(lambda: hurry(ada))
    families = {
        family.name: family for family in text_string_to_metric_families(ada.http.get(ada.url("/metrics")).text)
    }
    counts = {sample.labels["limit"]: sample.value for sample in families["spieltisch_rate_limited"].samples}
    assert counts["requests"] >= 1
    assert set(counts) <= {"requests", "tables", "replays", "concurrent_replays", "streams", "hints"}


def test_the_server_is_alive_and_says_which_it_is(http):
    told = http.get("/healthz").json()
    assert set(told) == {"status", "version", "longest_pause"}
    assert told["status"] == "ok"


# the page about all this


def names_of_tests(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {one.name for one in tree.body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")}


def test_every_test_that_the_security_page_names_exists():
    page = (ROOT / "docs/reference/security.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|src)/[\w/]+\.py)::(test_\w+)`", page)
    assert len(named) > 40
    for file, test in named:
        assert test in names_of_tests(ROOT / file), f"{file}::{test}"
    rows = [line for line in page.splitlines() if re.match(r"\| \d+\.\d+", line)]
    assert len(rows) > 40
    assert all("::test_" in row for row in rows)
