"""Fuzzing: whatever is sent, the server refuses it with a sentence and a known code, soon, and goes on.

Real HTTP against a real process. Examples are generated in the same order every time.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from urllib.parse import quote

import httpx
import pytest
import schemathesis
from hypothesis import given
from hypothesis import strategies as st
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import events, from_schema

from tests.server.http.hostile.requests import (
    GAMES,
    WORDS,
    check_response,
    deterministic,
    encode_json,
    mutated_documents,
    post,
)
from tests.support.server import TIMEOUT, Person, TableClient, new_key


def test_every_operation_responds_as_the_openapi_document_says(server, ada):
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
        "generation": {"deterministic": True, "max-examples": 1, "mode": "all", "database": "none", "no-shrink": True},
        "phases": {"stateful": {"enabled": False}},
        "checks": {
            "positive_data_acceptance": {"enabled": False},  # what fits the description may still be against the rules
            "negative_data_rejection": {"expected-statuses": ["4xx"]},
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
    assert set(statuses) <= {200, 201, 204, 403, 404, 405, 409, 413, 422, 429}  # join codes and reactions are limited
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

    @deterministic(45)
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


def test_a_draft_of_the_greatest_length_is_refused(ada):
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


@deterministic(60)
@given(last=HEADER | st.integers(-5, 10**12).map(lambda it: str(it).encode()), after=WORDS | st.integers(-2, 10**12))
def fuzz_streams(ada: Person, table: TableClient, last: bytes, after: object) -> None:
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
            check_response(answer)
    check_response(ada.http.get(ada.url(f"{table.path}/events"), params=asked))


def test_no_event_id_breaks_anything(ada):
    fuzz_streams(ada, ada.open_table("template", "Ada", "Eva", first=0))


@deterministic(80)
@given(
    cookie=HEADER, bearer=HEADER, scheme=st.sampled_from([b"Bearer ", b"bearer  ", b"Basic ", b"", b"Bearer,"]),
    path=st.text(st.characters(codec="utf-8"), max_size=20), language=HEADER,
)  # fmt: skip
def fuzz_credentials(
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
                answer = check_response(ada.http.get(ada.url(place), headers={"Authorization": b"", **headers}))
                assert place == "/api/tables" or answer.status_code != 200  # nobody gets in


def test_no_cookie_secret_or_table_name_breaks_anything_or_grants_access(ada):
    fuzz_credentials(ada, ada.open_table("template", "Ada", "Eva"))


# records


ODD_LINES = ["undo 999999999", "undo -1", "undo 0", "undo \u0661", "undo 1 1", "* ", "* R", "99 r+", "100 x", "-1 x", "\u0661 R",
             "game", "game x", "game template", "players 4", "players 99999999999", "players 0", "first 9", "rules 0",
             "edition", "edition \u202e", "seat 0 <script>", "seat 0 ", f"seat 0 {'x' * 41}", "option board {}",
             "option board", "data abc {}", "data", "result 1 2 3", "result", f"result {'1 ' * 200}", "viewer 0", "secret zz",
             "format spieltisch 2", "format", "match 3", "match 1001", "total 1", "practice yes", "practice", "ending x",
             "nonce 0 00", "commit 0", "; a comment", "\x00", "\t", "\r", "²", "{0}", "%s", "\ufeff", "x" * 5000]  # fmt: skip


@st.composite
def mutated_records(draw, text: str) -> str:
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

    @deterministic(examples)
    @given(text=mutated_records(text), game=numbers, first=numbers, viewer=numbers | st.none())
    def fuzz(**body: object) -> None:
        post(ada, "/api/replays", {"record": body.pop("text"), **body})

    fuzz()


# documents and bodies


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

    @deterministic(examples)
    @given(changed=mutated_documents(document), as_text=st.booleans())
    def fuzz(changed: object, as_text: bool) -> None:
        if as_text:
            changed = encode_json(changed).decode("utf-8", "surrogatepass")
        answer = post(ada, "/api/tables", {**taken, "options": {option: changed}, "key": new_key()})
        if answer.status_code == 201:
            check_response(ada.http.get(ada.url(f"/api/tables/{answer.json()['table']}")))

    fuzz()


@deterministic(80)
@given(data=st.data())
def fuzz_bodies(ada: Person, table: TableClient, bodies: dict[str, dict], data) -> None:
    path = data.draw(st.sampled_from(sorted(bodies)))
    post(ada, path.replace("{table}", table.table), data.draw(mutated_documents(bodies[path])))


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
    fuzz_bodies(ada, ada.open_table("template", "Ada", "Eva", first=0), bodies)
