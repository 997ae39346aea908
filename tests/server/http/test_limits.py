"""Rate limits: how often and how many at once, by address and by client."""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from spieltisch.server.http.limits import RateLimited, RateLimiter, RateLimits
from tests.support.http import (
    OPEN,
    RawConnection,
    expect_refusal,
    forwarded_client,
    open_request,
)
from tests.support.server import TIMEOUT, Person, Refused

ROOT = Path(__file__).parents[3]


def send_until_refused(person: Person, path: str = "/api/tables", **headers: str) -> httpx.Response:
    """The first refusal when a person sends requests as fast as possible."""
    end = time.monotonic() + TIMEOUT
    while (answer := person.http.get(person.url(path), headers=headers)).status_code == 200:
        assert time.monotonic() < end
    return answer


def test_a_client_over_the_request_limit_is_told_when_to_retry(limited):
    ada, eva = forwarded_client(limited), forwarded_client(limited)
    answer = expect_refusal(lambda: send_until_refused(ada))
    assert (answer.status_code, answer.json()["code"]) == (429, "limit")
    after = int(answer.headers["retry-after"])
    assert 1 <= after <= 2
    assert eva.get("/api/tables").status_code == 200  # others are not affected
    assert ada.http.get(ada.url("/healthz")).status_code == 200  # nor is monitoring
    time.sleep(after)
    assert ada.get("/api/tables").status_code == 200


def test_requests_of_one_token_count_together_from_all_addresses(limited):
    secret = secrets.token_urlsafe(24)
    end = time.monotonic() + TIMEOUT
    while (answer := forwarded_client(limited, None, secret)).http.get(answer.url("/api/tables")).status_code == 200:
        assert time.monotonic() < end
    moved = forwarded_client(limited, answer.http.headers["X-Forwarded-For"])
    assert moved.get("/api/tables").status_code == 200  # the address alone is below its limit


def test_all_addresses_of_an_ipv6_network_count_together(limited):
    ada = forwarded_client(limited, "2001:db8:1:2::1")
    end = time.monotonic() + TIMEOUT
    numbers = iter(range(2, 100_000))
    while True:
        headers = {"X-Forwarded-For": f"2001:db8:1:2:{next(numbers):x}::7", "Authorization": ""}
        if ada.http.get(ada.url("/api/tables"), headers=headers).status_code == 429:
            break
        assert time.monotonic() < end
    assert forwarded_client(limited, "2001:db8:1:3::1").get("/api/tables").status_code == 200


def test_tables_opened_per_hour_are_limited_by_address(limited):
    ada, eva = forwarded_client(limited), forwarded_client(limited)
    for _ in range(3):
        ada.open_table("bigpoints", "Ada", "open")
    answer = expect_refusal(lambda: ada.http.post(ada.url("/api/tables"), json=open_request()))
    assert (answer.status_code, answer.json()["code"]) == (429, "limit")
    assert 3000 < int(answer.headers["retry-after"]) <= 3600
    again = forwarded_client(limited, ada.http.headers["X-Forwarded-For"])  # a new secret does not help
    with pytest.raises(Refused, match="429"):
        again.open_table("bigpoints", "Ada", "open")
    eva.open_table("bigpoints", "Eva", "open")


def test_tables_opened_per_day_are_limited_by_address():
    limiter = RateLimiter(RateLimits(tables=0, daily_tables=2))
    for address in ("ada", "ada", "eva"):
        limiter.count_table(address)
    with pytest.raises(RateLimited) as caught:
        limiter.count_table("ada")
    assert 80_000 < caught.value.retry_after <= 86_400
    limiter.count_table("eva")


def test_replays_per_minute_are_limited_by_address(limited):
    ada = forwarded_client(limited)
    text = (ROOT / "src/spieltisch/games/template/tests/golden/standard-2.game").read_text(encoding="utf-8")
    for _ in range(2):
        assert ada.post("/api/replays", record=text)["events"]
    answer = expect_refusal(lambda: ada.http.post(ada.url("/api/replays"), json={"record": text}))
    assert (answer.status_code, answer.json()["code"]) == (429, "limit")
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    assert forwarded_client(limited).post("/api/replays", record=text)["events"]


def test_open_streams_are_limited_by_address(limited):
    ada, eva = forwarded_client(limited), forwarded_client(limited)
    table = ada.open_table("bigpoints", "Ada", "open", public=True)
    with contextlib.ExitStack() as streams:
        first = streams.enter_context(contextlib.ExitStack())
        heard = [first.enter_context(table.stream()), streams.enter_context(table.stream())]
        assert all(next(events) for events in heard)
        answer = expect_refusal(lambda: ada.http.get(ada.url(f"{table.path}/stream")))
        assert (answer.status_code, answer.json()["code"]) == (429, "limit")
        assert int(answer.headers["retry-after"]) >= 1
        heard.append(streams.enter_context(eva.at(table.table).stream()))
        assert next(heard[-1])
        first.close()  # then another one may be opened
        end = time.monotonic() + TIMEOUT
        while len(heard) < 4:
            with contextlib.suppress(Refused):
                heard.append(streams.enter_context(table.stream()))
            assert time.monotonic() < end
        assert next(heard[-1])


def test_concurrent_hints_are_limited_by_address(limited):
    ada = forwarded_client(limited)
    table = ada.open_table("bigpoints", "Ada", "Eva", first=0)
    body = json.dumps({"seat": 0, "version": table.look()["version"]})
    head = (
        f"POST {table.path}/hint HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"X-Forwarded-For: {ada.http.headers['X-Forwarded-For']}\r\nAuthorization: Bearer {ada.secret}\r\n\r\n"
    )
    for _ in range(10):  # until two overlap
        with contextlib.ExitStack() as lines:
            asked = [lines.enter_context(RawConnection(limited)) for _ in range(4)]
            for connection in asked:
                connection.send(head, body)
            answers = [connection.read_response() for connection in asked]
        statuses = sorted(answer.status for answer in answers if answer)
        assert 200 in statuses
        if 429 in statuses:
            break
        time.sleep(1.1)
    told = [(answer.headers, json.loads(answer.body)) for answer in answers if answer and answer.status == 429]
    assert all(body["code"] == "limit" and int(headers["retry-after"]) >= 1 for headers, body in told)
    time.sleep(1.1)
    assert table.ask("hint", seat=0, version=table.look()["version"])["text"]  # one after another is allowed


def test_concurrent_replays_are_limited_by_address():
    limits = RateLimiter(RateLimits(replays=30))
    with limits.replay_slot("ada"), limits.replay_slot("ada"), limits.replay_slot("eva"):
        with pytest.raises(RateLimited), limits.replay_slot("ada"):
            pass
        with limits.replay_slot("eva"):
            pass
    with limits.replay_slot("ada"):
        pass


def test_a_server_without_limits_refuses_nobody(server):
    ada = Person(server)
    assert {ada.http.get(ada.url("/api/tables")).status_code for _ in range(100)} == {200}


def test_rate_limited_requests_are_counted_in_the_metrics(limited):
    ada = forwarded_client(limited)
    expect_refusal(lambda: send_until_refused(ada))
    metrics = httpx.get(ada.url("/metrics"), timeout=TIMEOUT).text  # from this machine, not through the proxy
    families = {family.name: family for family in text_string_to_metric_families(metrics)}
    counts = {sample.labels["limit"]: sample.value for sample in families["spieltisch_rate_limited"].samples}
    assert counts["requests"] >= 1
    assert set(counts) <= {"requests", "tables", "replays", "concurrent_replays", "streams", "hints"}


@pytest.mark.parametrize(
    ("name", "taken"),
    [("x" * 40, True), ("ß" * 40, True), ("x" * 41, False), ("", False), ("  ", False), ("x" * 5000, False),
     ("a\nb", False), ("a\x00b", False), ("a\u2028b", False), ("a;b", False), ("  a  ", True)],
)  # fmt: skip
def test_a_name_is_one_line_of_at_most_40_characters(server, name, taken):
    ada = Person(server)
    seat = {"kind": "person", "name": name}
    if taken:
        assert ada.open_table("bigpoints", seat, "open").look()["table"]["seats"][0]["name"] == name.strip()
    else:
        answer = expect_refusal(
            lambda: ada.http.post(ada.url("/api/tables"), json=open_request("bigpoints", seat, OPEN))
        )
        assert answer.json()["code"] == "bad-request"


def test_metrics_are_for_the_servers_own_machine(limited):
    statuses = [
        httpx.get(f"{limited.address}/metrics", headers=headers, timeout=TIMEOUT).status_code
        for headers in ({}, {"X-Forwarded-For": "198.51.100.77"}, {"X-Forwarded-For": "2001:db8::77"})
    ]
    assert statuses == [200, 404, 404]


def test_answers_to_pings_are_limited_by_address():
    limiter = RateLimiter(RateLimits(streams=3))
    for _ in range(3):
        limiter.count_ping("ada")
    with pytest.raises(RateLimited):
        limiter.count_ping("ada")
    limiter.count_ping("eva")
