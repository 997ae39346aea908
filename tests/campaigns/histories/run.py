"""One run: servers, clients and a nemesis; afterwards the history is checked against the database."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from unittest import mock

from sqlalchemy import select

from spieltisch.server.storage import engine, models
from spieltisch.server.storage.check import check
from tests.campaigns.campaign import ROOT
from tests.campaigns.histories.checker import FinalState, StoredAnswer, find_violations
from tests.campaigns.histories.clients import Client, Seating
from tests.campaigns.histories.history import History, Outcome
from tests.campaigns.histories.nemesis import Nemesis, ServerClock
from tests.campaigns.histories.proxy import CuttingProxy
from tests.support.server import Person, Refused, Server, reusable_port
from tests.support.storage.postgres import PostgresServer, postgres

SEATINGS = (("template", 0, None), ("template", 1, None), ("bigpoints", 0, 600))  # game, bots, seconds per turn
PROGRESS = 6  # commands that are acknowledged between two disturbances
PROGRESS_TIMEOUT = 120.0  # seconds until play that does not go on counts as stopped
STOP_TIMEOUT = 120.0  # seconds until all clients have stopped


class Run:
    """Servers on one database, the clients who play there, and everything that they have written down."""

    def __init__(self, folder: Path, *, shared: bool, seed: str) -> None:
        self.folder = folder
        self.shared = shared  # two servers on PostgreSQL, or one on a file
        self.seed = seed
        self.history = History()
        self.counts: Counter[str] = Counter()
        self.final = FinalState({}, {}, {})
        self.problems: list[str] = []  # of clients, with what they were told

    def play(self, disturbances: Sequence[str | None], calm: float, plant: str | None = None) -> None:
        """Lets clients play while one disturbance follows another, with calm in between; None is a random one."""
        rng = Random(self.seed)
        with contextlib.ExitStack() as stack:
            clock = stack.enter_context(ServerClock(self.folder))
            if plant is not None:
                stack.enter_context(planting(plant))
            with clock.inherited():
                servers = self._start_servers()
            stack.callback(_end, servers)
            proxies = [
                stack.enter_context(CuttingProxy(server.port, f"{self.seed} {server.port}")) for server in servers
            ]
            nemesis = Nemesis(servers, proxies, clock, str(servers[0].file) if self.shared else None, self.seed)
            clients = self._start_clients(proxies)
            for name in disturbances:
                self._wait_for_progress(clients)
                time.sleep(calm * rng.random() * 2)
                nemesis.disturb(name)
            self._wait_for_progress(clients)
            clients[0].stop.set()
            self.problems += [problem for client in clients for problem in client.join(STOP_TIMEOUT)]
            self.counts += nemesis.counts
            self.counts["answers cut off"] += sum(proxy.cuts for proxy in proxies)
            self._read_final(servers, clients)

    def _wait_for_progress(self, clients: Sequence[Client]) -> None:
        """Waits until some more commands are acknowledged: whatever happened, play must go on."""
        enough, end = self._acknowledged() + PROGRESS, time.monotonic() + PROGRESS_TIMEOUT
        while self._acknowledged() < enough and not any(client.failure for client in clients):
            if time.monotonic() > end:
                self.problems.append("play does not go on")
                return
            time.sleep(0.02)

    def _acknowledged(self) -> int:
        return sum(one.outcome is Outcome.OK and one.key is not None for one in self.history.operations)

    def _start_servers(self) -> list[Server]:
        if not self.shared:
            return [Server(self.folder, port=reusable_port())]
        address = postgres().create_database()
        return [PostgresServer(address, port=reusable_port()) for _ in range(2)]

    def _start_clients(self, proxies: Sequence[CuttingProxy]) -> list[Client]:
        """For every seating a host, a guest unless a bot plays, and a spectator."""
        stop, works = threading.Event(), []
        for number, (game, bots, seconds) in enumerate(SEATINGS):
            seating = Seating(game, bots=bots, seconds=seconds)
            roles = {"host": Client.host, "guest": Client.guest, "spectator": Client.watch}
            for role, work in roles.items():
                if role != "guest" or not bots:
                    client = Client(f"{role}{number}", self.history, proxies, stop)
                    works.append((client, work, seating))
        for client, work, seating in works:
            client.start(lambda client=client, work=work, seating=seating: work(client, seating))
        return [client for client, _, _ in works]

    def _read_final(self, servers: Sequence[Server], clients: Sequence[Client]) -> None:
        """Reads the events as every client may see them, stops the servers, and reads the database."""
        events = {}
        for client in clients:
            person = Person(servers[-1], client.ways[0].secret)
            for table in client.tables:
                told: list[dict] = []
                with contextlib.suppress(Refused):  # a table that is lost is found in the database
                    while page := person.at(table).events(after=told[-1]["number"] if told else 0)["events"]:
                        told += page
                events[client.name, table] = told
        for server in servers:
            assert server.stop() == 0
        self.final = asyncio.run(_read_database(str(servers[0].file)))._replace(events=events)

    def check(self) -> list[str]:
        """What is wrong with the history; also counts what it consists of."""
        for one in self.history.operations:
            self.counts[f"{'reads' if one.key is None else 'commands'}, {one.outcome.value}"] += 1
            self.counts["repeated after no response"] += one.attempts - 1
        done = {key for _, key in self.final.answers}
        lost = [one for one in self.history.operations if one.key and one.outcome is Outcome.UNKNOWN]
        self.counts["of the unknown commands, carried out"] += sum(one.key in done for one in lost)
        self.counts["events streamed"] += sum(len(one.events) for one in self.history.streams)
        self.counts["streams resumed"] += sum(one.connections - 1 for one in self.history.streams if one.connections)
        self.counts["tables"] += len(self.final.logs)
        return [*self.problems, *find_violations(self.history, self.final)]


@contextlib.contextmanager
def planting(bug: str) -> Iterator[None]:
    """Servers that are started in this block have a bug (planted.py)."""
    site = Path(__file__).parent / "planted_site"
    path = os.pathsep.join([str(site), str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    with mock.patch.dict(os.environ, {"PLANTED_BUG": bug, "PYTHONPATH": path}):
        yield


def _end(servers: Sequence[Server]) -> None:
    for server in servers:
        if server.process.poll() is None:
            server.kill()


async def _read_database(location: str) -> FinalState:
    logs: dict[str, list[tuple[int, str]]] = {}
    answers = {}
    async for one in check(location):
        assert one.problem is None, one
    reader = engine.read_only_engine(location)
    try:
        async with reader.connect() as connection:
            log, stored = models.log.c, models.answers.c
            rows = await connection.execute(select(log.table, log.number, log.line).order_by(log.table, log.number))
            for table, number, line in rows:
                logs.setdefault(table, []).append((number, line))
            for table, key, answer, number in await connection.execute(
                select(stored.table, stored.key, stored.answer, stored.number)
            ):
                answers[table, key] = StoredAnswer(json.loads(answer), number)
    finally:
        await reader.dispose()
    return FinalState(logs, answers, {})
