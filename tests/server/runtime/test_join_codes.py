"""Join codes: who gets one, where it leads, and that it cannot be guessed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from spieltisch.server.http.limits import ALL_CODES, CODES, RateLimited, RateLimiter, RateLimits
from spieltisch.server.runtime import join_codes
from spieltisch.server.runtime.join_codes import ALPHABET, PERIOD, JoinCodes, derive
from tests.support.server import Person, Refused, Server, running_server


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("codes")) as server:
        yield server


def test_a_code_leads_to_its_table_while_that_gathers(server):
    ada = Person(server).open_table("template", "Ada", "open")
    code = ada.person.get(f"{ada.path}/code").json()["code"]
    assert len(code) == 6
    assert set(code) <= set(ALPHABET)
    eva = Person(server)
    found = eva.post("/api/codes", code=f" {code[:3].lower()}-{code[3:]} ")
    assert found["table"] == ada.table
    eva.at(ada.table).do("join", name="Eva", code=found["code"])
    assert Person(server).post("/api/codes", code=code) == found
    ada.do("start")
    with pytest.raises(Refused) as refused:
        eva.post("/api/codes", code=code)
    assert (refused.value.status, refused.value.code) == (404, "not-found")
    with pytest.raises(Refused) as refused:
        ada.person.get(f"{ada.path}/code")
    assert refused.value.code == "not-now"


def test_only_somebody_at_the_table_reads_its_code(server):
    private = Person(server).open_table("template", "Ada", "open")
    public = Person(server).open_table("template", "Ada", "open", public=True)
    for table, status in ((private, 404), (public, 403)):
        with pytest.raises(Refused) as refused:
            Person(server).get(f"{table.path}/code")
        assert refused.value.status == status


class _Store:
    """A store with one table that gathers."""

    async def creation_of(self, table: str) -> str | None:
        return {"table": "secret"}.get(table)

    async def list_gathering(self, limit: int) -> list[tuple[str, str]]:
        return [("table", "secret"), *((f"{number}", f"another {number}") for number in range(limit))]


@pytest.mark.parametrize(("later", "leads"), [(0, True), (PERIOD, True), (2 * PERIOD, False)])
def test_a_code_expires(monkeypatch, later, leads):
    codes = JoinCodes(_Store())  # type: ignore[arg-type]
    monkeypatch.setattr(join_codes, "MAX_GATHERING", 50)
    monkeypatch.setattr(join_codes.time, "time", lambda: 1000.0 * PERIOD)
    code = asyncio.run(codes.code_of("table"))
    assert code == (derive("secret", 1000), PERIOD)
    monkeypatch.setattr(join_codes.time, "time", lambda: 1000.0 * PERIOD + later)
    assert asyncio.run(codes.find(code.code)) == ("table" if leads else None)


def test_codes_differ_between_tables_and_times_and_use_the_whole_alphabet():
    codes = [derive(f"table {number % 500}", number // 500) for number in range(1000)]
    assert len(set(codes)) == 1000
    assert set("".join(codes)) == set(ALPHABET)


def test_codes_per_minute_are_limited_by_address_and_for_all_addresses_together():
    limiter = RateLimiter(RateLimits())
    for _ in range(CODES):
        limiter.count_code("ada")
    with pytest.raises(RateLimited):
        limiter.count_code("ada")
    for number in range(ALL_CODES - CODES):
        limiter.count_code(f"address {number}")
    with pytest.raises(RateLimited):
        limiter.count_code("eva")
