"""Hostile input: whatever is sent, the server refuses it with a sentence and a known code, soon, and goes on.

Real HTTP against a real process, which must have nothing to say on standard error. Everything is drawn in the same
order every time.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import gzip
import json
import math
import string
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Self
from urllib.parse import quote

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from spieltisch.i18n.format import LANGUAGES
from spieltisch.records import read
from spieltisch.server.errors import STATUS, RefusalData
from spieltisch.server.http.limits import MAX_BODY_BYTES
from spieltisch.server.workers import rules
from spieltisch.server.workers.pool import WorkerPool, WorkerTimeout
from spieltisch.server.workers.rules import LogPosition
from spieltisch.table.codec import Row, chain_digest, encode
from spieltisch.table.commands import MAX_EVENTS, AskUndo, Context, Lend, Open, Play, Return, SeatPlan, Watch, decide
from spieltisch.table.commands.match import MAX_DEPTH
from spieltisch.table.events import SeatLent, SeatReturned
from spieltisch.table.state import evolve, fold
from tests.support.server import TIMEOUT, Person, Server, TableClient, new_key, running_server

GAMES = Path(__file__).parents[3] / "src/spieltisch/games"
BOUND = 20.0  # seconds that no request takes; nearly all take milliseconds
CALM = 5.0  # seconds that nobody waits at another table meanwhile
KEY = "key-of-a-test"
JSON = {"content-type": "application/json"}


def same(examples: int):
    """Draws the same examples every time."""
    return settings(
        max_examples=examples, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture(scope="module")
def ada(server) -> Person:
    return Person(server)


@pytest.fixture(autouse=True)
def _all_is_well(server, ada) -> Iterator[None]:
    """After every test the server answers, and has had nothing to complain of."""
    yield
    assert ada.get("/readyz").json() == {"status": "ready"}
    assert not server.errors, "".join(server.errors)


def checked(answer: httpx.Response) -> httpx.Response:
    """The answer, if it is soon and no failure: a refusal is JSON with a sentence and a code that machines know."""
    assert answer.status_code < 500, answer.text
    assert answer.elapsed.total_seconds() < BOUND
    assert "html" not in answer.headers.get("content-type", "")
    assert answer.headers["x-content-type-options"] == "nosniff"
    if answer.status_code >= 400:
        assert answer.headers["content-type"] == "application/json"
        told = answer.json()
        assert set(told) == {"code", "message", "rule", "field", "line"}
        assert told["message"]
        assert answer.status_code in (STATUS[told["code"]], 405)
    return answer


def post(
    person: Person, path: str, body: object = None, content: bytes | None = None, **headers: str
) -> httpx.Response:
    sent = text_of(body) if content is None else content
    return checked(person.http.post(person.url(path), content=sent, headers={**JSON, **headers}))


# odd values and what can be done with them


class Deep(str):
    """Stands for brackets in brackets, which no writer of JSON writes."""

    __slots__ = ()


DEEP = {Deep(f"deep {n}"): n for n in (MAX_DEPTH - 1, MAX_DEPTH + 1, 100, 500, 900, 1100, 20_000)}
ODD = [None, True, 0, -1, 1, 2**31, 2**63, 10**30, 10**4000, -0.0, 1e308, math.nan, math.inf, "", "x" * 1000, "\x00",
       "\ud800", "\u202e", "{}", "[]", "NaN", "9" * 5000, [], {}, [[]], {"": {}}, [None] * 500, *DEEP]  # fmt: skip
WORDS = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    [one for one in ODD if isinstance(one, str)]
)


def text_of(value: object) -> bytes:
    """The value as JSON, as far as there is any; what there is not, as Python writes it."""
    text = json.dumps(value)
    for word, depth in DEEP.items():
        text = text.replace(
            json.dumps(word), "[" * depth + "]" * depth if depth % 2 else '{"a":' * depth + "1" + "}" * depth
        )
    return text.encode()


@st.composite
def mutated(draw, document: object) -> object:
    """A JSON document with a few places of it changed, gone or doubled."""
    whole = [copy.deepcopy(document)]
    for _ in range(draw(st.integers(1, 3))):
        inside: object = whole
        place: object = 0
        while True:
            assert isinstance(inside, dict | list)
            keys = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
            if not keys:
                break
            place = draw(st.sampled_from(keys))
            if not isinstance(inside[place], dict | list) or not inside[place] or draw(st.integers(0, 3)) == 0:
                break
            inside = inside[place]
        how = draw(st.sampled_from(["odd", "odd", "word", "gone", "double", "new"]))
        if not inside or how == "new":
            new = copy.deepcopy(draw(st.sampled_from(ODD)))
            inside.append(new) if isinstance(inside, list) else inside.update({draw(WORDS): new})
        elif how == "gone" and inside is not whole:
            del inside[place]
        elif how == "double" and isinstance(inside, list) and inside is not whole:
            inside.append(inside[place])
        else:
            inside[place] = draw(WORDS) if how == "word" else copy.deepcopy(draw(st.sampled_from(ODD)))
    return whole[0]


# everything that the description tells of


def test_whatever_the_description_allows_or_forbids_is_answered_as_it_says(server, ada):
    described = ada.get("/api/openapi.json").json()
    operations = [f"{method.upper()} {path}" for path, methods in described["paths"].items() for method in methods]
    table = {one: ada.open_table("template", "Ada", "Eva", "open", public=True).table for one in operations}
    for one in operations:
        if not one.endswith(("/join", "/seats", "/start")):
            at = ada.at(table[one])
            at.do("join", name="Ida", seat=2)
            at.do("start")
    config = SchemathesisConfig.from_dict({
        "base-url": server.address,
        "seed": 1,
        "headers": {"Authorization": f"Bearer {ada.secret}"},
        "parameters": {"path.game": "template"},
        "operations": [{"include-name": one, "parameters": {"path.table": table[one]}} for one in operations],
        "generation": {"deterministic": True, "max-examples": 2, "mode": "all", "database": "none", "no-shrink": True},
        "phases": {"stateful": {"enabled": False}},
        "checks": {
            "positive_data_acceptance": {"enabled": False},  # what fits the description may still be against the rules
            "negative_data_rejection": {"expected-statuses": ["4xx"]},
            "max_response_time": BOUND,
        },
        "max-stream-events": 1,
        "continue-on-failure": True,
        "request-timeout": TIMEOUT,
    })  # fmt: skip
    schema = schemathesis.openapi.from_dict(described, config=config)
    failures, statuses, answered = [], Counter(), set()
    for event in from_schema(schema).execute():
        assert not isinstance(event, events.NonFatalError | events.FatalError), event
        if isinstance(event, events.ScenarioFinished):
            failures += [
                one.failure_info for checks in event.recorder.checks.values() for one in checks if one.failure_info
            ]
            for sent in event.recorder.interactions.values():
                assert sent.response is not None
                statuses[sent.response.status_code] += 1
                answered.add((event.recorder.label, sent.response.status_code))
    assert not failures, "\n\n".join(
        f"{one.failure.title}: {one.failure.message}\n{one.code_sample}" for one in failures
    )
    assert sum(statuses.values()) > 1000
    assert set(statuses) <= {200, 201, 204, 403, 404, 405, 409, 413, 422}
    beyond = {label for label, status in answered if status not in (404, 405, 413, 422)}
    assert beyond >= {one for one in operations if "{table}" in one}  # every command got past the engine


# drafts


TOKENS = ["", ".", "*", "?", "pass", "x" * 200, "R", "r+", "*g+", "y^", "O10:BB", "O10:", ":P", "C:P", "@0,0,1", ">0,0,3", "box 1c",
          "@99999999999999999999,0,0", "@" + "0,0,0;" * 30, ">-0,--1,+1", "@0,0", "6z", "stands", "fall 3", "undo 1",
          "0 R", "R\n", "R ", "\u0661", "²", "{0}", "%s", "\u202e", "\x00"]  # fmt: skip


@pytest.mark.parametrize("game", ["template", "bigpoints", "rondo", "turmbauer"])
def test_no_draft_breaks_anything(ada, game):
    tables: list[TableClient] = []

    def told() -> dict:
        if not tables or (now := tables[-1].look())["table"]["status"] != "playing":
            tables.append(ada.open_table(game, "Ada", "Eva", games=1, first=0))
            now = tables[-1].look()
        if now["table"]["waiting"] != "person":
            now = tables[-1].wait_until(lambda now: now["table"]["waiting"] in ("person", "nobody"))
        return now

    @same(45)
    @given(data=st.data())
    def fuzz(data) -> None:
        now = told()
        texts = [one["text"] for one in now["position"]["choices"]][:50] if now["position"] else []
        token = st.sampled_from(texts or TOKENS) | st.sampled_from(TOKENS) | WORDS
        changed = st.tuples(token, st.integers(0, 5), WORDS).map(lambda it: it[0][: it[1]] + it[2] + it[0][it[1] :])
        body = {
            "seat": data.draw(st.sampled_from([0, 1, 0, 1, 7, 99])),
            "version": data.draw(st.sampled_from([now["version"]] * 4 + [0, now["version"] + 1, 10**9])),
            "draft": data.draw(st.lists(token | changed, max_size=4)),
        }
        post(ada, f"{tables[-1].path}/preview", body)
        if data.draw(st.booleans()):
            post(ada, f"{tables[-1].path}/actions", {**body, "key": new_key()})
        if data.draw(st.integers(0, 9)) == 0:
            post(ada, f"{tables[-1].path}/undo", {"seat": body["seat"], "version": body["version"], "key": new_key()})

    fuzz()
    assert told()["position"]["choices"]


def test_a_draft_as_long_as_can_be_is_refused_soon(ada):
    for game in ("template", "bigpoints", "rondo", "turmbauer"):
        table = ada.open_table(game, "Ada", "Eva", games=1, first=0)
        now = table.look()
        first = now["position"]["choices"][0]["text"]
        for draft in ([first] * 200, ["x" * 200] * 200, [first, *["."] * 199], ["@" + "1,1,1;" * 33] * 200):
            for what, more in (("preview", {}), ("hint", {}), ("actions", {"key": new_key()})):
                body = {"seat": 0, "version": now["version"], "draft": draft, **more}
                assert post(ada, f"{table.path}/{what}", body).status_code in (409, 422)
        assert table.look() == now


# event ids, cookies and secrets


HEADER = st.binary(max_size=40).map(
    lambda it: bytes(one for one in it if one == 9 or (one >= 32 and one != 127)).strip()
)


@same(60)
@given(last=HEADER | st.integers(-5, 10**12).map(lambda it: str(it).encode()), after=WORDS | st.integers(-2, 10**12))
def listen(ada: Person, table: TableClient, last: bytes, after: object) -> None:
    asked = {"after": str(after).encode("utf-8", "replace").decode()} if after else {}
    with ada.http.stream(
        "GET", ada.url(f"{table.path}/stream"), params=asked, headers={"last-event-id": last}
    ) as answer:
        if answer.status_code == 200:
            assert answer.headers["content-type"].startswith("text/event-stream")
            first = next(answer.iter_raw())
            assert first.startswith(b"retry: ")
        else:
            answer.read()
            checked(answer)
    checked(ada.http.get(ada.url(f"{table.path}/events"), params=asked))


def test_no_event_id_breaks_anything(ada):
    listen(ada, ada.open_table("template", "Ada", "Eva", first=0))


@same(80)
@given(
    cookie=HEADER, bearer=HEADER, scheme=st.sampled_from([b"Bearer ", b"bearer  ", b"Basic ", b"", b"Bearer,"]),
    path=st.text(st.characters(codec="utf-8"), max_size=20), language=HEADER,
)  # fmt: skip
def introduce(
    ada: Person, table: TableClient, cookie: bytes, bearer: bytes, scheme: bytes, path: str, language: bytes
) -> None:
    sent = {"Cookie": b"spieltisch=" + cookie, "Accept-Language": language}
    for headers in (
        sent,
        {**sent, "Authorization": (scheme + bearer).strip()},
        {"Authorization": b"", "Cookie": cookie},
    ):
        with contextlib.suppress(httpx.LocalProtocolError):  # what no client can send
            for place in (table.path, "/api/tables", f"/api/tables/{quote(path, safe='')}"):
                answer = checked(ada.http.get(ada.url(place), headers={"Authorization": b"", **headers}))
                assert place == "/api/tables" or answer.status_code != 200  # nobody gets in


def test_no_cookie_secret_or_name_of_a_table_breaks_anything_or_lets_anybody_in(ada):
    introduce(ada, ada.open_table("template", "Ada", "Eva"))


# records


ODD_LINES = ["undo 999999999", "undo -1", "undo 0", "undo \u0661", "undo 1 1", "* ", "* R", "99 r+", "100 x", "-1 x", "\u0661 R",
             "game", "game x", "game template", "players 4", "players 99999999999", "players 0", "first 9", "rules 0",
             "edition", "edition \u202e", "seat 0 <script>", "seat 0 ", f"seat 0 {'x' * 41}", "option board {}",
             "option board", "data abc {}", "data", "result 1 2 3", "result", f"result {'1 ' * 200}", "viewer 0", "secret zz",
             "format spieltisch 2", "format", "match 3", "match 1001", "total 1", "practice yes", "practice", "ending x",
             "nonce 0 00", "commit 0", "; a comment", "\x00", "\t", "\r", "²", "{0}", "%s", "\ufeff", "x" * 5000]  # fmt: skip


@st.composite
def meddled(draw, text: str) -> str:
    """A record with a few lines of it changed."""
    lines = text.split("\n")
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(lines) - 1)))
        match draw(st.integers(0, 6)):
            case 0:
                del lines[at:at + 1]  # fmt: skip
            case 1:
                lines.insert(at, lines[at] if lines else "")
            case 2:
                lines.insert(at, draw(st.sampled_from(ODD_LINES)))
            case 3 if lines:
                lines[at] = draw(st.sampled_from(ODD_LINES))
            case 4 if lines:
                place = draw(st.integers(0, len(lines[at])))
                lines[at] = lines[at][:place] + draw(WORDS) + lines[at][place + draw(st.integers(0, 2)) :]
            case 5:
                lines = lines[:at]
            case _:
                lines[at:at + 2] = reversed(lines[at:at + 2])  # fmt: skip
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("record", "examples"),
    [("template/match", 40), ("bigpoints/2008-3", 30), ("rondo/blue-2", 25), ("turmbauer/all-daring", 20)],
)
def test_no_record_breaks_anything(ada, record, examples):
    game, _, name = record.partition("/")
    text = (GAMES / game / "tests/golden" / f"{name}.game").read_text(encoding="utf-8")
    assert post(ada, "/api/replays", {"record": text}).json()["events"]
    numbers = st.sampled_from([0, 0, 0, 1, 99, 1000, 10**6, -1, 10**30])

    @same(examples)
    @given(text=meddled(text), game=numbers, first=numbers, viewer=numbers | st.none())
    def fuzz(**body: object) -> None:
        post(ada, "/api/replays", {"record": body.pop("text"), **body})

    fuzz()


# boards, stones and bags


@pytest.mark.parametrize(
    ("game", "option", "file", "examples"),
    [
        ("rondo", "board", "rondo/board.json", 50),
        ("turmbauer", "stones", "turmbauer/stones.json", 50),
        ("template", "bag", "", 40),
    ],
)
def test_no_document_breaks_anything(ada, game, option, file, examples):
    document = json.loads((GAMES / file).read_text(encoding="utf-8")) if file else {"R": 5, "B": 5, "G": 5}
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Eva"}]
    taken = {"game": game, "seats": seats, "options": {option: document}}
    assert post(ada, "/api/tables", {**taken, "key": new_key()}).status_code == 201

    @same(examples)
    @given(changed=mutated(document), as_text=st.booleans())
    def fuzz(changed: object, as_text: bool) -> None:
        if as_text:
            changed = text_of(changed).decode("utf-8", "surrogatepass")
        answer = post(ada, "/api/tables", {**taken, "options": {option: changed}, "key": new_key()})
        if answer.status_code == 201:
            checked(ada.http.get(ada.url(f"/api/tables/{answer.json()['table']}")))

    fuzz()


@same(80)
@given(data=st.data())
def send_anything(ada: Person, table: TableClient, bodies: dict[str, dict], data) -> None:
    path = data.draw(st.sampled_from(sorted(bodies)))
    post(ada, path.replace("{table}", table.table), data.draw(mutated(bodies[path])))


def test_no_body_breaks_anything(ada):
    seats = [
        {"kind": "person", "name": "Ada", "commit": "0" * 64},
        {"kind": "bot", "player": "level:1"},
        {"kind": "open"},
    ]
    here = "/api/tables/{table}"
    bodies: dict[str, dict] = {
        "/api/tables": {"key": "x" * 8, "game": "template", "seats": seats, "edition": "standard", "options": {"piles": "open"},
                        "first": 0, "games": 2, "public": True, "seconds": 60, "late": "first"},
        f"{here}/watch": {"key": "x" * 8, "code": "abc"},
        f"{here}/join": {"key": "x" * 8, "code": "abc", "name": "Eva", "seat": 1, "commit": "0" * 64},
        f"{here}/seats": {"key": "x" * 8, "seat": 1, "player": "level:1"},
        f"{here}/reveal": {"key": "x" * 8, "seat": 0, "nonce": "0" * 32},
        f"{here}/stand-in": {"key": "x" * 8, "seat": 0, "about": 1},
        f"{here}/answer": {"key": "x" * 8, "seat": 0, "version": 1, "yes": False},
        f"{here}/lend": {"key": "x" * 8, "seat": 0, "player": "level:1"},
        "/api/replays": {"record": "format spieltisch 1", "game": 0, "viewer": 0, "first": 0},
    }  # fmt: skip
    send_anything(ada, ada.open_table("template", "Ada", "Eva", first=0), bodies)


# bodies that are hardly JSON


SEATS = b'"seats":[{"kind":"person","name":"Ada"},{"kind":"open"}]'
GOOD = b'{"key":"KEY","game":"template",%s}' % SEATS
ENCODED = {
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "a number": b"1",
    "half": GOOD[:-1],
    "two": GOOD + GOOD,
    "rest": GOOD + b"x",
    "no UTF-8": GOOD.replace(b"Ada", b"\xff\xfe\xfa"),
    "overlong": GOOD.replace(b"Ada", b"\xc0\xaf"),
    "cut short": GOOD.replace(b"Ada", b"\xe2\x82"),
    "a surrogate in bytes": GOOD.replace(b"Ada", b"\xed\xa0\x80"),
    "a lone surrogate": GOOD.replace(b"Ada", b"\\ud800"),
    "a lone surrogate in the game": GOOD.replace(b"template", b"\\udfff"),
    "a lone surrogate as a field": GOOD.replace(b'"game"', b'"\\ud800":1,"game"'),
    "a lone surrogate in an option": GOOD[:-1] + b',"options":{"bag":"\\ud800","\\udc00":1}}',
    "a zero in a name": GOOD.replace(b"Ada", b"\\u0000"),
    "a raw zero": GOOD.replace(b"Ada", b"A\x00"),
    "a raw line break": GOOD.replace(b"Ada", b"A\na"),
    "not a number": GOOD[:-1] + b',"first":NaN}',
    "without end": GOOD[:-1] + b',"first":1e999}',
    "many digits": GOOD[:-1] + b',"first":' + b"9" * 4300 + b"}",
    "too many digits": GOOD[:-1] + b',"first":' + b"9" * 60_000 + b"}",
    "a long fraction": GOOD[:-1] + b',"first":0.' + b"1" * 60_000 + b"}",
    "a comment": b"/* x */" + GOOD,
    "single quotes": GOOD.replace(b'"', b"'"),
    "pickle": b"\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00.",
    "xml": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
    "wide": GOOD[:-1] + b',"options":{"bag":[' + b"[]," * 20_000 + b"1]}}",
    "many fields": b"{" + b",".join(b'"%d":1' % n for n in range(6000)) + b"}",
    "many seats": GOOD.replace(b'"seats":[', b'"seats":[' + b'{"kind":"open"},' * 3000),
    "a compressed one": gzip.compress(GOOD),
}


@pytest.mark.parametrize("name", ENCODED)
def test_a_body_that_is_hardly_json_is_refused(ada, name):
    content = ENCODED[name].replace(b"KEY", new_key().encode())
    answer = post(ada, "/api/tables", content=content)
    assert (answer.status_code, answer.json()["code"]) in ((422, "bad-request"), (422, "bad-setup"))


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 100, 400, 500, 600, 900, 990, 1000, 1100, 5000, 30_000])
@pytest.mark.parametrize("bracket", ["[]", "{}"])
def test_brackets_in_brackets_are_refused_however_many(ada, depth, bracket):
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


def test_the_same_field_twice_counts_once_and_marks_of_order_are_no_matter(ada):
    """What strict readers refuse and others take: either is well, but it means one thing."""
    for content in (
        b'{"key":"KEY","game":"rondo","game":"template",%s}' % SEATS,
        b"\xef\xbb\xbf" + GOOD,
        GOOD.decode().encode("utf-16"),
        GOOD.decode().encode("utf-32-le"),
    ):
        answer = post(ada, "/api/tables", content=content.replace(b"KEY", new_key().encode()))
        if answer.status_code == 201:
            assert ada.at(answer.json()["table"]).look()["table"]["game"] == "template"


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "text/html", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data",
     "multipart/form-data; boundary=x", "application/octet-stream", "application/json, text/plain", "*/*", "x", "a" * 5000],
)  # fmt: skip
def test_a_body_of_another_kind_is_refused(ada, kind):
    answer = post(ada, "/api/tables", content=GOOD.replace(b"KEY", new_key().encode()), **{"content-type": kind})
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
        checked(answer)
    for name, value in (
        ("accept-language", "de," * 15_000), ("cookie", "a=b;" * 10_000), ("cookie", "=;" * 20_000), ("cookie", '"' * 50_000),
        ("accept", "*/*," * 12_000), ("last-event-id", "9" * 50_000), ("range", "bytes=0-"), ("if-none-match", "*"),
        ("expect", "100-continue"), ("host", "elsewhere.example"), ("x-forwarded-for", "1.2.3.4," * 5000),
        ("content-encoding", "gzip"), ("upgrade", "websocket"), ("x-http-method-override", "DELETE"),
    ):  # fmt: skip
        checked(ada.http.get(ada.url(table.path), headers={name: value}))
    assert table.look()["table"]["status"] == "playing"


@pytest.mark.parametrize("player", ["program:/bin/sh", "os:system", "random", "mc:400", "search:600s", "tests.bots:X", "level:",
                                    "level:0", "level:6", "level:1; id", "../level:1", "\x00", "x" * 100])  # fmt: skip
def test_nobody_from_afar_runs_programs(ada, player):
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "player": player}]
    table = ada.open_table("template", "Ada", "open")
    for path, body in (("/api/tables", {"game": "template", "seats": seats}),
                       (f"{table.path}/seats", {"seat": 1, "player": player}),
                       (f"{table.path}/lend", {"seat": 0, "player": player})):  # fmt: skip
        answer = post(ada, path, {"key": new_key(), **body})
        assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")


# what takes long, and who waits meanwhile


def tiring_records() -> Iterator[str]:
    """Records as long as a request may be, in which the same thing is done and undone again and again."""
    for record, entry in (("turmbauer/match", "4l"), ("rondo/red-4", "O8:P")):
        game, _, name = record.partition("/")
        lines = (GAMES / game / "tests/golden" / f"{name}.game").read_text(encoding="utf-8").splitlines()
        at = max(number for number, line in enumerate(lines) if line.endswith(f" {entry}") and line[0].isdigit())
        begun = [line for line in lines[: at + 1] if not line.startswith("match ")]
        assert sum(line.startswith("game ") for line in begun) == 1, record
        again = f"undo 1\n{lines[at]}\n"
        text = "\n".join(begun) + "\n"
        yield text + again * ((60_000 - len(text)) // (len(again) + 2))


def big_board(fields: int, links: int) -> dict:
    """A board of so many fields, each linked to as many others, all of them beside the centre."""
    letters = string.ascii_letters.replace("C", "")
    names = [a + b for a in letters for b in ("", *string.digits, *string.ascii_lowercase)][:fields]
    beside = {
        name: [names[(at + step) % fields] for step in range(-links // 2, links // 2 + 1) if step] + ["C"]
        for at, name in enumerate(names)
    }
    side = {name: {"colour": "PBYGR"[at % 5], "value": 1} for at, name in enumerate(names)}
    return {"cells": names, "adjacency": {**beside, "C": names}, "grey": names, "sides": {"blue": side}}


class Calm:
    """Somebody who plays on and on, and how long every command has taken."""

    def __init__(self, server: Server) -> None:
        bag = {"R": 900, "B": 900, "G": 900}
        self.table = Person(server).open_table("template", "Eva", "Ida", games=20, first=0, options={"bag": bag})
        self.waited: list[float] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def _play(self) -> None:
        while not self._over.is_set():
            began = time.monotonic()
            seat = self.table.look()["table"]["turn"]
            told = self.table.look(seat=seat)
            draft = [told["position"]["choices"][-1]["text"]]
            self.table.do("actions", seat=seat, version=told["version"], draft=draft)
            self.waited.append(time.monotonic() - began)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(TIMEOUT)


def play_on_a_big_board(mallory: Person, fields: int, links: int) -> None:
    seats = [{"kind": "person", "name": "Mal"}, {"kind": "person", "name": "Lory"}]
    plan = {
        "game": "rondo",
        "edition": "blue",
        "seats": seats,
        "first": 0,
        "options": {"board": big_board(fields, links)},
    }
    opened = post(mallory, "/api/tables", {"key": new_key(), **plan})
    assert opened.status_code == 201, opened.text
    path = f"/api/tables/{opened.json()['table']}"
    for seat in (0, 1) * 4:
        now = checked(mallory.http.get(mallory.url(path), params={"seat": seat})).json()
        choices = [one["text"] for one in now["position"]["choices"]]
        draft = ["pass"] if "pass" in choices else [choices[0], "."]
        body = {"seat": seat, "version": now["version"], "draft": draft}
        assert post(mallory, f"{path}/preview", body).status_code == 200
        assert post(mallory, f"{path}/actions", {"key": new_key(), **body}).status_code == 200
    checked(mallory.http.get(mallory.url(f"{path}/events")))


def test_nobody_waits_at_another_table_while_somebody_sends_what_takes_long(tmp_path):
    server = Server(tmp_path)
    try:
        mallory = Person(server)
        with Calm(server) as calm:
            for text in tiring_records():
                assert post(mallory, "/api/replays", {"record": text}).status_code in (200, 413)
            play_on_a_big_board(mallory, 490, 4)
            play_on_a_big_board(mallory, 90, 30)
    finally:
        assert server.stop() == 0
    assert len(calm.waited) > 20
    assert max(calm.waited) < CALM
    assert {json.loads(line)["event"] for line in server.errors} <= {
        "worker process replaced"
    }  # by a record that took too long


def test_work_that_takes_too_long_or_too_much_is_ended_and_the_next_is_done():
    async def work() -> None:
        workers = WorkerPool(rules=1, bots=1)
        try:
            with pytest.raises(WorkerTimeout):
                await workers.call_replay(0.5, time.sleep, 60)
            assert await workers.call_replay(TIMEOUT, abs, -1) == 1
            waits = (workers.call_replay(4, time.sleep, 2.2) for _ in range(2))  # each has its time, whoever was first
            assert await asyncio.gather(*waits) == [None, None]
            for most in (workers.call_replay, workers.call_bot):
                with pytest.raises(MemoryError):
                    await most(TIMEOUT, bytearray, 3 * 1024**3)
                assert await most(TIMEOUT, abs, -2) == 2
        finally:
            await workers.close()

    asyncio.run(work())


def test_a_table_does_not_grow_for_ever():
    seats = [SeatPlan("person", "Ada"), SeatPlan("person", "Eva")]
    opened = decide(None, Open("template", seats, first=0, games=1, key=KEY), Context("ada", 1, b"random"))
    state = fold((event, 1) for event in opened)
    happened = [*opened]
    while len(happened) < MAX_EVENTS:
        happened.append(SeatReturned(1) if state.seats[1].player else SeatLent(1, "level:1"))
        state = evolve(state, happened[-1], 1)
    rows = [Row(encode(event), 1) for event in happened]
    log = LogPosition("0" * 16, state.version, chain_digest(b"", rows), tuple(rows))
    for again in (Lend(1, key=KEY), Return(1, key=KEY), AskUndo(0, state.version, key=KEY), Watch("code", key=KEY)):
        began = time.monotonic()
        refused = rules.perform(log, again, Context("ada", 1))
        assert time.monotonic() - began < BOUND
        assert isinstance(refused, RefusalData)
        assert refused.code == "not-now"
    told = rules.project(log, "ada", 0, "en", 0)
    assert isinstance(told, bytes)
    assert len(json.loads(told)["events"]) > MAX_EVENTS - 100
    choice = json.loads(told)["position"]["choices"][0]["text"]
    played = rules.perform(log, Play(0, state.version, [choice], key=KEY), Context("ada", 1))
    assert isinstance(played, rules.CommandOutcome)


# names


NAMES = [
    "<script>alert(1)</script>", "</script><svg/onload=alert(1)>", '"><img src=x onerror=alert(1)>', "'-alert(1)-'",
    "javascript:alert(1)", "<a href=//x.example>Ada</a>", "--><!--", "]]>", "<b>Ada", "\\u003cscript\\u003e", "%3Cscript%3E",
    "{{7*7}}", "${7*7}", "#{7*7}", "<%= 7*7 %>", "{name}", "{0}", "{n, plural, other {x}}", "{", "}", "}{", "'{name}'", "#",
    "%s%n%x", "%(name)s", "{0.__class__}", "{name:the}", "$name", "`id`", "$(id)", "| id", "\\", "\\n", "a\\", "\\x00",
    "' OR '1'='1", "Robert') DROP TABLE log --", '" OR 1=1 --', "1 UNION SELECT line FROM log", "%' --", "_",
    '@ {"do":"ended"}', "undo 1", "* R", "game template", "0 R", "data: x", "event: gone", "id: 99", ": still here",
    "\u202eadA", "\u2066Ada\u2069", "A\u200bda", "\u200f", "\u200b", "e\u0301\u0301\u0301\u0301", "Z\u0351\u036b\u0343\u036a\u0302",
    "👩\u200d👩\u200d👧\u200d👦", "🏴\u200d☠\ufe0f", "\ufdfa", "אדה", "عائشة", "Ада", "アダ", "愛達", "ไอดา", "አዳ", "İ", "ß", "ﬀ", "A\u00a0B",
    "\ufeffAda", "\U000e0041", "\U0010fffd", "=1+1", "@SUM(A1)", "../../etc/passwd", "NUL", "null", "undefined", "true", "-0",
    "1e309", "Müller-Lüdenscheidt", "Noël d’Été", "Ibo & Ada", "a  b", "  x", "…", "“”", "„", "«\u202fx\u202f»", "\u2068", "Bot 1",
]  # fmt: skip
REFUSED = ["a\nb", "a\r\nb", 'a\n{"event": "forged"}', "a\x00", "a\x1b[31m", "a\x7f", "a\x85b", "a\u2028b", "a\u2029b", "&lt;b", "a ; b",
           "\ud800", "", " ", "\u3000", "x" * 41]  # fmt: skip


def said(table: TableClient, seat: int, language: str) -> str:
    """Every sentence about the table in one language."""
    told = table.person.get(f"{table.path}/events", language=language, seat=seat, after=0).json()
    position = told["position"]
    words = [one["words"] for one in told["events"]]
    return "\n".join([*words, *position["told"], *position["sheet"], position["winners"] or ""])


@pytest.mark.parametrize("four", range(0, len(NAMES), 4))
def test_a_name_is_text_everywhere_and_comes_back_as_it_was(server, four):
    names = [*NAMES[four : four + 4], "Ada", "Eva"][:4]
    shown = [name.strip() for name in names]
    ada = Person(server)
    table = ada.open_table(
        "template", *({"kind": "person", "name": name} for name in names), public=True, first=0, games=1
    )
    for seat in range(4):
        told = table.look(seat=seat)
        choice = told["position"]["choices"][0]["text"]
        table.do("actions", seat=seat, version=told["version"], draft=[choice, "."])
    told = table.look(seat=0)
    assert [seat["name"] for seat in told["table"]["seats"]] == shown
    listed = next(one for one in ada.get("/api/tables").json() if one["table"] == table.table)
    assert listed["seats"] == shown
    for language in LANGUAGES:
        sentences = said(table, 0, language)
        assert all(name in sentences for name in shown[1:])
    streamed = []
    with table.stream(seat=0) as heard:
        while not streamed or streamed[-1]["event"] != "table":
            streamed.append(next(heard))
    assert {event["event"] for event in streamed} == {"happened", "table"}
    assert [seat["name"] for seat in streamed[-1]["data"]["table"]["seats"]] == shown
    for seat in range(3):
        table.do("resign", seat=seat)
    record = table.person.get(f"{table.path}/record")
    assert record.headers["content-type"] == "text/plain; charset=utf-8"
    assert record.headers["content-disposition"].startswith("attachment")
    assert [name for _, name in read(record.text).games[0].names] == shown
    for language in LANGUAGES[four % 6 :][:1]:
        body = {"record": record.text}
        again = checked(ada.http.post(ada.url("/api/replays"), json=body, params={"language": language})).json()
        assert again["names"] == shown
        assert all(name in "\n".join(one["words"] for one in again["events"]) for name in shown)
    for page in ("/", "/api/docs", "/metrics"):
        text = ada.get(page).text
        assert not [name for name in names if name in ("<script>alert(1)</script>", "<b>Ada") and name in text]


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_no_line_can_hold_is_refused(ada, name):
    seats = [{"kind": "person", "name": name}, {"kind": "open"}]
    answer = post(ada, "/api/tables", {"key": new_key(), "game": "template", "seats": seats})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-request")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_wrong_is_said_back_as_text(ada, language):
    """What somebody sent stands in the sentence about it, short and printable, and is never taken for more than text."""
    for sent, back in (
        ("<script>", "<script>"),
        ("{name}", "{name}"),
        ("%s{0}", "%s{0}"),
        ("a\nb", "a·b"),
        ("x" * 90, "x" * 59 + "…"),
    ):
        body = {"key": new_key(), "game": sent, "seats": [{"kind": "open"}] * 2}
        answer = checked(ada.http.post(ada.url("/api/tables"), json=body, params={"language": language}))
        assert answer.json()["code"] == "unknown-game"
        assert back in answer.json()["message"]
    table = ada.open_table("template", "{name}", "open")
    answer = ada.http.post(
        ada.url(f"{table.path}/join"),
        json={"key": new_key(), "name": "{name}", "seat": 1},
        params={"language": language},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "taken")
    assert "{name}" in answer.json()["message"]
