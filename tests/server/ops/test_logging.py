"""Logs, metrics and health: what they contain, and that nothing private is in them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import secrets
import sqlite3

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.support.http import (
    LOGGED,
    OPEN,
    expect_refusal,
    list_paths,
    open_request,
    wait_for,
)
from tests.support.server import TIMEOUT, Person, Refused, Server, TableClient, new_key

# errors


def log_since(server: Server, before: int, lines: int) -> list[dict]:
    """The log entries since then, as soon as there are so many."""
    wait_for(lambda: len(server.errors) >= before + lines)
    return [json.loads(line) for line in server.errors[before:]]


def test_a_server_whose_store_fails_is_alive_but_not_ready(failing):
    ada, before = Person(failing), len(failing.errors)
    table = ada.open_table("template", "Ada", "open")
    assert ada.get("/readyz").json() == {"status": "ready"}
    with contextlib.closing(sqlite3.connect(failing.file, timeout=TIMEOUT)) as store, store:
        for name in ("tables", "log", "answers"):
            store.execute(f"ALTER TABLE {name} RENAME TO {name}_away")
    answer = expect_refusal(lambda: ada.http.get(ada.url("/readyz")))
    assert (answer.status_code, answer.json()["code"]) == (503, "closing")
    assert ada.get("/healthz").json()["status"] == "ok"
    for ask in (
        lambda: ada.http.get(ada.url("/api/tables")),
        lambda: ada.http.get(ada.url(f"/api/tables/{'0' * 16}")),
        lambda: ada.http.post(ada.url("/api/tables"), json=open_request()),
        lambda: ada.http.post(ada.url(f"{table.path}/join"), json={"key": new_key(), "name": "Eva", "seat": 1}),
    ):
        answer = expect_refusal(ask)
        assert (answer.status_code, answer.json()["code"]) == (503, "closing")
        assert not re.search(r"sql|_away|error|select|no such", answer.json()["message"], re.IGNORECASE)
    with contextlib.closing(sqlite3.connect(failing.file, timeout=TIMEOUT)) as store, store:
        for name in ("tables", "log", "answers"):
            store.execute(f"ALTER TABLE {name}_away RENAME TO {name}")
    assert ada.get("/readyz").json() == {"status": "ready"}
    assert table.do("join", name="Eva", seat=1)["seat"] == 1  # nothing was lost or half done
    for told in log_since(failing, before, 5):
        assert {"event", "level", "timestamp", "error", "traceback"} <= set(told) <= LOGGED | {"error", "traceback"}
        assert not re.search(f"SELECT|INSERT|no such table|Eva|Ada|{table.table}|{ada.secret}", json.dumps(told))


def test_an_internal_error_is_reported_in_general_terms_and_logged_without_values(failing):
    ada, before = Person(failing), len(failing.errors)
    table = ada.open_table("template", "Ada", "open", public=True)
    hidden, lost = "hidden-" + secrets.token_hex(8), secrets.token_hex(8)
    with contextlib.closing(sqlite3.connect(failing.file, timeout=TIMEOUT)) as store, store:
        store.execute("UPDATE tables SET summary = ? WHERE id = ?", (f"{{no JSON: {hidden}", table.table))
        store.execute("INSERT INTO tables VALUES (?, ?, 0, 'gathering', 'nobody', '', 0, NULL, NULL)", (lost, lost))
        store.execute("INSERT INTO log VALUES (?, 1, ?, 0)", (lost, f'@ {{"do": "{hidden}"}}'))
    for path in ("/api/tables", f"/api/tables/{lost}"):  # it fails in the server itself, and in a rules worker
        for _ in range(2):
            answer = expect_refusal(lambda path=path: ada.http.get(ada.url(path)))
            assert (answer.status_code, answer.json()["code"]) == (503, "closing")
            assert answer.json()["message"] == "Something went wrong here. Nothing was changed."
    german = ada.http.get(ada.url("/api/tables"), headers={"accept-language": "de"})
    assert german.json()["message"] != answer.json()["message"]
    assert table.look()["table"]["status"] == "gathering"  # other tables are not affected
    told = log_since(failing, before, 5)
    assert {(one["event"], one["level"], one["method"], one["route"], one["error"]) for one in told} == {
        ("request failed", "error", "GET", "/api/tables", "JSONDecodeError"),
        ("request failed", "error", "GET", "/api/tables/{table}", "UnreadableLog"),
    }
    assert all(re.fullmatch(r"\w+:[\w<>]+:\d+", place) for one in told for place in one["traceback"])
    places = {place.rpartition(":")[0] for one in told for place in one["traceback"]}
    assert {"tables:list_tables", "questions:ask"} <= places  # a route, and the live tables behind it
    for word in (hidden, lost, table.table, ada.secret):
        assert word not in json.dumps(told)


# requests


def play_a_little(server: Server) -> tuple[list[TableClient], set[str]]:
    """Two people who did a bit of everything, and every word of it that is private."""
    ada, eva = Person(server), Person(server)
    nonce = secrets.token_hex(16)
    seat = {"kind": "person", "name": "Adelheid", "commit": hashlib.sha256(bytes.fromhex(nonce)).hexdigest()}
    table = ada.open_table("rondo", seat, "open", first=0, games=1)
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
        eva.post(
            "/api/tables", **open_request("rondo", OPEN, OPEN, options={"board": {"cells": ["Wolkenkuckucksheim"]}})
        )
    with other.stream() as events:
        next(events)
    record = table.record()
    with pytest.raises(Refused):
        eva.post("/api/replays", record=record)
    hashes = {hashlib.sha256(one.secret.encode()).hexdigest() for one in (ada, eva)}
    words = {"Adelheid", "Evangeline", "K3:PPP", "Wolkenkuckucksheim", nonce, seat["commit"], code, table.table}
    return [table, other], {*words, *hashes, *moves, ada.secret, eva.secret, "127.0.0.1"}


def test_logs_and_metrics_contain_nothing_private(server, http):
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
    known = {*list_paths(http, "{table}")} | {"/api/games/{game}/rules", "none"}
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


def test_unknown_methods_and_paths_create_no_new_metrics(server, http):
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


def test_the_health_route_reports_status_and_version(http):
    told = http.get("/healthz").json()
    assert set(told) == {"status", "version", "longest_pause"}
    assert told["status"] == "ok"
