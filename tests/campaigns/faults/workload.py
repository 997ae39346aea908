"""Workload of the fault campaign: clients that use the real application over its database, in one process.

Everything is real but the worker processes: the rules run in this process, so that thousands of runs are affordable.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random
from typing import Any, ParamSpec, TypeVar
from unittest import mock

import httpx
from fastapi import FastAPI
from starlette.types import Lifespan

from spieltisch.server import app as app_module
from spieltisch.server.app import Application, create_app, create_routes
from spieltisch.server.http.limits import RateLimits
from spieltisch.server.storage.store import Store
from tests.campaigns.faults.journal import Journal, Operation

P = ParamSpec("P")
T = TypeVar("T")
SECRETS = {who: who.ljust(24, "x") for who in ("ada", "ben")}
ATTEMPTS = 3  # of a client that is told that the database does not respond
BACKUP = "backup.sqlite"


class InlinePool:
    """The workers of one server, in its own process."""

    bot_workers = 0

    async def open(self) -> None:
        """There is nothing to start."""

    async def close(self) -> None:
        """There is nothing to stop."""

    def waiting(self) -> int:
        return 0

    async def call_rules(
        self, _table: str, _priority: object, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return function(*args, **kwargs)

    async def call_replay(
        self, _priority: object, _limit: object, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        return function(*args, **kwargs)


class Clients:
    """Ada and Ben, who repeat a command under the same key while the database does not respond."""

    def __init__(self, folder: Path, store: Store, http: httpx.AsyncClient, journal: Journal, rng: Random) -> None:
        self.folder = folder
        self.store = store
        self.journal = journal
        self.rng = rng
        self._http = http
        self._keys = 0

    async def send(self, operation: Operation) -> tuple[int, dict[str, Any]]:
        """The response to an operation."""
        method, path = _request(operation)
        headers = {"Authorization": f"Bearer {SECRETS[operation.who]}"}
        query = {"language": "en", **(operation.body if method == "GET" else {})}
        body = operation.body if method == "POST" else None
        response = await self._http.request(method, path, params=query, json=body, headers=headers)
        told = response.json() if response.content else {}
        return response.status_code, told if isinstance(told, dict) else {"list": told}

    async def do(self, who: str, what: str, table: str = "", **body: object) -> dict[str, Any] | None:
        """Carries out an operation; None if it fails again and again, or is refused."""
        if what not in ("look", "delete", "ready", "fairness"):
            self._keys += 1
            body = {"key": f"{self.rng.getrandbits(32):08x}-{self._keys}", **body}
        operation = Operation(who, what, table, body)
        number = self.journal.begin(operation)
        for _ in range(ATTEMPTS):
            status, response = await self.send(operation)
            self.journal.end(number, status, response)
            if status != 503:
                return response if status < 300 else None
        return None

    async def open(self, *seats: str) -> str | None:
        plans = [{"kind": "open"} if name == "open" else {"kind": "person", "name": name} for name in seats]
        opened = await self.do("ada", "open", game="template", seats=plans, first=0, public=True)
        return opened and opened["table"]

    async def move(self, table: str | None, people: tuple[str, str] = ("ada", "ada")) -> None:
        """Looks at the table, and plays one action of whoever has the turn."""
        if table is None or (now := await self.do("ada", "look", table)) is None:
            return
        if (turn := now["table"]["turn"]) is None:
            return
        who = people[turn]
        if people[0] != people[1] and (now := await self.do(who, "look", table)) is None:
            return
        choices = now["position"]["choices"]
        if choices:
            draft = [self.rng.choice(choices)["text"]]
            await self.do(who, "actions", table, seat=turn, version=now["version"], draft=draft)

    async def checkpoint(self) -> None:
        """Runs a WAL checkpoint now instead of once per second."""
        assert self.store._checkpointer is not None
        with contextlib.suppress(sqlite3.Error):
            await self.store._checkpointer._checkpoint()

    async def back_up(self) -> None:
        """Backs up the database as docs/tutorials/host-for-many.md says; notes whether it succeeded."""

        def copy() -> bool:
            try:
                with contextlib.closing(sqlite3.connect(self.folder / "tables.sqlite")) as source:
                    source.execute("VACUUM INTO ?", [str(self.folder / BACKUP)])
            except sqlite3.Error:
                return False
            return True

        self.journal.note(backup=await asyncio.to_thread(copy))


def _request(operation: Operation) -> tuple[str, str]:
    match operation.what:
        case "open":
            return "POST", "/api/tables"
        case "delete":
            return "DELETE", f"/api/tables/{operation.table}"
        case "look":
            return "GET", f"/api/tables/{operation.table}"
        case "ready":
            return "GET", "/readyz"
        case "fairness":
            return "GET", "/api/fairness"
        case command:
            return "POST", f"/api/tables/{operation.table}/{command}"


_routes = functools.cache(create_routes)


def _reuse_routes(lifespan: Lifespan[FastAPI], _folder: Path) -> Application:
    """The same routes for every application: making them takes longer than everything else."""
    app = _routes()
    app.router.lifespan_context = lifespan
    app.user_middleware.clear()
    app.middleware_stack = None
    return app


@contextlib.asynccontextmanager
async def serve(folder: Path, journal: Journal, rng: Random) -> AsyncIterator[Clients]:
    """The application on the database in a folder, and its clients."""
    store = Store.in_file(folder / "tables.sqlite")
    with mock.patch.object(app_module, "create_routes", _reuse_routes):
        app = create_app(store, InlinePool(), RateLimits(0, 0, 0, 0, 0))  # type: ignore[arg-type]
    try:
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
                yield Clients(folder, store, http, journal, rng)
    finally:
        assert store._lock is not None
        store._lock.release()  # as it is when the process of a server that cannot start ends


async def play(clients: Clients) -> None:
    """Opens tables, plays, undoes, checkpoints, deletes, backs up, resigns and asks for a rematch."""
    first = await clients.open("Ada", "Bob")
    shared = await clients.open("Ada", "open")
    code = None
    if shared is not None and (now := await clients.do("ada", "look", shared)) is not None:
        code = now["table"]["code"]
        await clients.do("ben", "join", shared, name="Ben", seat=1, code=code)
        await clients.do("ada", "start", shared)
    people = ("ada", "ben")
    await asyncio.gather(clients.move(first), clients.move(shared, people))
    await clients.checkpoint()
    third = await clients.open("Ada", "Eve")
    await asyncio.gather(clients.move(first), clients.move(shared, people), clients.move(third))
    await clients.do("ada", "ready")
    if first is not None:
        await clients.do("ada", "delete", first)
    await clients.move(third)
    await clients.back_up()
    if shared is not None:
        await clients.do("ben", "resign", shared, seat=1)
        again = await clients.do("ada", "rematch", shared)
        if again is not None:
            await clients.do("ben", "join", again["table"], name="Ben")
    await clients.checkpoint()
    await clients.move(third)
    await clients.do("ada", "fairness")
