"""Hidden information changes no byte: two servers whose tables differ only in what somebody cannot see respond alike.

Whatever that seat, a spectator or a stranger requests, both must respond alike, byte by byte except for the time; what the
other seats receive must differ. Future draws are not compared: different things may come out of two bags.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from spieltisch.core.game import AnyGame, Decision
from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import TableWrite
from spieltisch.server.workers import rules as rules_worker
from spieltisch.server.workers.rules import LogPosition
from spieltisch.table.codec import Row
from tests.server.worlds import (
    BEGAN,
    GUEST,
    HIDING,
    PASSER_BY,
    SECRETS,
    Pair,
    drafts,
    holder,
    is_silent,
    pairs,
)
from tests.support.server import TIMEOUT, Person, Server, running_server


class Twins(NamedTuple):
    """Two servers, each with one table of every pair."""

    servers: tuple[Server, Server]
    tables: dict[str, Pair]


class Both:
    """A client that sends every request to both servers and must get the same responses."""

    def __init__(self, twins: Twins, secret: str | None) -> None:
        self.people = [Person(server, secret) for server in twins.servers]
        self.asked: set[tuple[str, str]] = set()
        self.secret = secret
        if secret is None:
            for person in self.people:
                del person.http.headers["authorization"]

    def answers(self, method: str, path: str, **more: Any) -> list[httpx.Response]:
        return [person.http.request(method, person.url(path), **more) for person in self.people]

    def ask(self, method: str, table: str, what: str = "", *, news: bool = False, **more: Any) -> httpx.Response:
        """The response, after checking that both are identical byte by byte; the times of new events may differ."""
        self.asked.add((method, re.sub(r"/\d+", "/{event}", what)))
        path = f"/api/tables/{called(table)}" + (f"/{what}" if what else "")
        one, other = self.answers(method, path, **more)
        assert one.status_code == other.status_code, (what, more, one.text, other.text)
        assert masked(one.content, news) == masked(other.content, news), (what, more)
        assert headers(one) == headers(other), (what, more)
        return one

    def listen(self, table: str, **more: Any) -> bytes:
        """The start of the event stream, up to the table, without the presence events."""
        self.asked.add(("GET", "stream"))
        heard = []
        for person in self.people:
            with person.http.stream("GET", person.url(f"/api/tables/{called(table)}/stream"), **more) as answer:
                told = b""
                for chunk in answer.iter_raw():
                    told += chunk
                    if b"event: table\n" in told and told.endswith(b"\n\n"):
                        break
                heard.append(re.sub(rb"event: here\n.*\n\n", b"", told))
        assert heard[0] == heard[1]
        return heard[0]

    def close(self) -> None:
        for person in self.people:
            person.http.close()


def masked(body: bytes, news: bool) -> bytes:
    """The body without the times of new events."""
    return re.sub(rb'"at":\d+', b'"at":0', body) if news else body


def headers(answer: httpx.Response) -> dict[str, str]:
    """The headers without the date."""
    return {name: value for name, value in answer.headers.items() if name != "date"}


def at_http(game: AnyGame) -> dict[str, Pair]:
    """Moments of a game, by the name of their table: the seat's own turn, in the middle of it, and another's turn."""
    found: dict[str, Pair] = {}
    for pair in pairs(game, 2, 4, after=8):
        pending = game.pending(pair.worlds[0].state)
        last = pair.worlds[0].steps[-1].seat
        assert isinstance(pending, Decision)
        own = pending.seat == pair.seat
        kind = "other" if not own else "amid" if last == pair.seat else "own"
        found.setdefault(f"{kind}-{game.name}", pair)
        if len(found) == 3:
            break
    return found


def called(name: str) -> str:
    """A table's name in the server's format."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


async def fill(file: Path, tables: dict[str, list[Row]]) -> None:
    """Writes tables into a store as if they had been played there."""
    store = Store.in_file(file)
    await store.open()
    for name, rows in tables.items():
        table = called(name)
        now = rules_worker.status(LogPosition(table, len(rows), b"", rows))
        assert isinstance(now, rules_worker.TableStatus)
        await store.write(
            TableWrite(
                table, 0, rows, None, now.public, now.status, now.waiting.kind.value, now.summary, BEGAN, creation=table
            )
        )
    await store.close()


@pytest.fixture(scope="module")
def twins(tmp_path_factory) -> Iterator[Twins]:
    tables = {name: pair for game in HIDING for name, pair in at_http(game).items()}
    folders = [tmp_path_factory.mktemp(f"world{number}") for number in (0, 1)]
    for number, folder in enumerate(folders):
        logs = {
            name: pair.logs(public=not name.startswith("own"), host=SECRETS[pair.seat])[number]
            for name, pair in tables.items()
        }
        asyncio.run(fill(folder / "tables.sqlite", logs))
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        servers = list(pool.map(stack.enter_context, map(running_server, folders)))
        yield Twins((servers[0], servers[1]), tables)


def routes(server: Server) -> set[tuple[str, str]]:
    """Every request about a table: method, and path after the table's name."""
    paths = httpx.get(f"{server.address}/api/openapi.json", timeout=TIMEOUT).json()["paths"]
    about = "/api/tables/{table}"
    return {
        (method.upper(), path.removeprefix(about).removeprefix("/"))
        for path, methods in paths.items()
        for method in methods
        if path.startswith(about)
    }


def ask_everything(both: Both, name: str, pair: Pair) -> None:
    """Every request that changes nothing, or is refused to clients without a seat."""
    version = both.ask("GET", name, params={"language": "en"}).json().get("version", 50)
    for query in ({}, {"language": "fr"}, {"seat": 0}, {"seat": 1}, {"seat": 7}):
        both.ask("GET", name, params=query)
        both.ask("GET", name, "record", params=query)
        both.ask("GET", name, "events", params={"after": version // 2, **query})
        both.ask("GET", name, "inside", params=query)
    both.ask("GET", name, "events")
    for event in (1, version // 2, version):
        both.ask("GET", name, f"films/{event}")
    for after in ("0", str(version - 2)):
        both.listen(name, params={"language": "en"}, headers={"Last-Event-ID": after})
    own = {"seat": pair.seat, "version": version}
    found = [
        both.ask("POST", name, "preview", json={**own, "draft": draft})
        for draft in drafts(pair.worlds[0], pair.seat)[::2]
    ]
    found.append(both.ask("POST", name, "preview", json={"seat": 1 - pair.seat, "version": version, "draft": []}))
    found.append(both.ask("POST", name, "preview", json={**own, "version": version - 9}))
    found.append(both.ask("POST", name, "hint", json=own))
    if both.secret == SECRETS[pair.seat] and allowed(pair):
        assert {answer.status_code for answer in found} == {200, 403, 409, 422}
        assert found[-1].status_code == 200
    else:
        assert {answer.status_code for answer in found} <= {403, 404, 409}


def do_everything(both: Both, name: str, pair: Pair) -> None:
    """Every command that draws nothing; those that end the match come last."""
    seat, other, number = pair.seat, 1 - pair.seat, count()
    mine = holder(both.secret or "")[:12]

    def do(what: str, **body: Any) -> httpx.Response:
        return both.ask("POST", name, what, news=True, json={"key": f"{mine}-{next(number)}", **body})

    version = both.ask("GET", name).json().get("version", 50)
    for draft in ([], ["nonsense"], ["?"]):
        do("actions", seat=seat, version=version, draft=draft)
    do("actions", seat=other, version=version, draft=["."])
    silent = [draft for draft in allowed(pair) if is_silent(pair.worlds[0], seat, draft)]
    if silent:
        done = do("actions", seat=seat, version=version, draft=silent[0])
        assert done.is_success is (both.secret == SECRETS[seat])
        version = done.json().get("version", version)
    do("undo", seat=seat, version=version)
    do("answer", seat=seat, version=version + 1, yes=False)
    do("stand-in", seat=seat, about=other if allowed(pair) else seat)  # a bot that has the turn would play on
    for what in ("start", "continue", "rematch"):
        do(what)
    do("watch", code="not-the-code")
    do("join", code="not-the-code", name="Eve")
    do("seats", seat=seat, player="level:1")
    do("players", players=3)
    both.ask("GET", name, "code")
    both.ask("POST", name, "present", json={"stream": "a-stream-of-nobody"})
    both.ask("POST", name, "react", json={"seat": seat, "reaction": "bravo"})
    do("reveal", seat=seat, nonce="00" * 16)
    do("return", seat=seat)
    do("share", seat=seat)
    for what in ("lend", "leave", "resign"):
        do(what, seat=other)
    do("resign", seat=seat)
    both.ask("GET", name, news=True)
    both.ask("GET", name, "events", news=True)


def allowed(pair: Pair) -> list[list[str]]:
    """The legal actions of the seat."""
    world = pair.worlds[0]
    pending = world.game.pending(world.state)
    assert isinstance(pending, Decision)
    return [[world.game.write(world.state, action)] for action in pending.actions] if pending.seat == pair.seat else []


@pytest.mark.parametrize("kind", ["own", "amid", "other"])
@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.name)
def test_no_request_tells_two_indistinguishable_states_apart(twins, game, kind):
    name = f"{kind}-{game.name}"
    pair = twins.tables[name]
    other = Both(twins, SECRETS[1 - pair.seat])
    for what in ("", "/events", "/record"):
        here, there = other.answers("GET", f"/api/tables/{called(name)}{what}")
        assert here.status_code == there.status_code == 200
        assert here.content != there.content
    asked: set[tuple[str, str]] = set()
    for secret in (None, PASSER_BY, GUEST, SECRETS[pair.seat]):
        both = Both(twins, secret)
        ask_everything(both, name, pair)
        if secret is not None:
            do_everything(both, name, pair)
        if secret == SECRETS[pair.seat]:
            for what in ("lend", "leave"):
                both.ask("POST", name, what, news=True, json={"key": f"a-last-key-{what}", "seat": pair.seat})
            both.ask("DELETE", name)
            both.ask("GET", name)
        asked |= both.asked
        both.close()
    assert asked == routes(twins.servers[0])
    other.close()
