"""Many tables at once: how long an answer and the news of it take, beside a bare endpoint under the same load.

`python -m bench.load [--tables 500] [--rate 100] [--seconds 60] [--data FILE or URL] [--servers 1]`; `make prove-load`
writes what it finds on both stores down.
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
from pathlib import Path
from statistics import quantiles
from typing import Any

import psutil  # type: ignore[import-untyped]

from bench.wire import Line
from spieltisch import registry
from spieltisch.server.ops import gc

UNLIMITED = {f"SPIELTISCH_SERVE_{what}": "0" for what in ("REQUESTS", "TABLES", "STREAMS", "HINTS", "REPLAYS")}
BOT = "level:2"
PARTS = 6  # times that memory is looked at, and the bare endpoint
BARE = 10  # seconds of it each time


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
        """Opens the next table after a game that is over: a command too."""
        await other.go()
        began = time.perf_counter()
        await self.sit_down()
        self.times.answers.append(time.perf_counter() - began)
        self.listen()

    async def go(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def play(people: list[Person], rate: float, seconds: float, times: Times) -> None:
    """Commands at that rate, each of the next table whose person has the turn; a finished one is opened anew."""
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
                turn += step + 1
                break
            if person.ready:
                person.busy = True
                begin(person.play())
                turn += step + 1
                break
        else:
            times.late += 1
    await asyncio.gather(*pending, return_exceptions=True)


async def knock(people: list[Person], rate: float, seconds: float) -> None:
    """The same load at a bare endpoint."""
    began, sent = time.perf_counter(), 0
    pending: set[asyncio.Task[None]] = set()
    while (passed := time.perf_counter() - began) < seconds:
        if sent > passed * rate:
            await asyncio.sleep(sent / rate - passed)
            continue
        body = {"key": secrets.token_urlsafe(9), "seat": 0, "version": sent, "draft": ["r+"]}
        task = asyncio.create_task(people[sent % len(people)].send(body))
        pending.add(task)
        task.add_done_callback(pending.discard)
        sent += 1
    await asyncio.gather(*pending)


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
    """The seconds of processor time so far: of the servers, the rules workers, the bots, of the clients."""
    spent = {"server": 0.0, "rules workers": 0.0, "bots": 0.0, "clients": 0.0}
    family = [("clients", psutil.Process()), *(("server", one) for one in processes)]
    family += [("bots" if one.nice() else "rules workers", one) for each in processes for one in each.children()]
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
    """Everything that is measured, by name: in turns here and at a bare endpoint, since machines are noisy."""
    game = registry.offered()[0].name
    bare_port, *ports = [free_port() for _ in range(1 + servers)]
    gc.freeze()
    gc.disable()  # the clients hold nobody up either
    serve = [sys.executable, "-m", "spieltisch", "serve", "--bot-workers", "1", "--data", data, "--port"]
    commands = ([*serve, str(port)] for port in ports)
    with running(*commands) as processes, running([sys.executable, "-m", "bench.bare", str(bare_port)]):
        for port in (bare_port, *ports):
            await answering(port)
        await asyncio.sleep(1)
        times, bare = Times(), Times()
        people = [Person(ports, number, game, times) for number in range(tables)]
        others = [Person([bare_port], number, "", bare) for number in range(tables)]
        empty = memory(processes)
        for person in people:
            await person.sit_down()
        opened = memory(processes)
        for number, person in enumerate(others):
            person.table = f"t{number}"
        for person in (*people, *others):
            person.listen()
        while not all(person.now for person in (*people, *others)):  # noqa: ASYNC110 - everybody has heard of their table
            await asyncio.sleep(0.1)
        streamed = memory(processes)
        await play(people, rate, seconds / 5, Times())  # warming up
        warm = memory(processes)
        times.answers.clear()
        times.arrivals.clear()
        spent, course = dict.fromkeys(work(processes), 0.0), []
        for _ in range(PARTS):
            before = work(processes)
            await play(people, rate, seconds / PARTS, times)
            spent = {who: spent[who] + now - before[who] for who, now in work(processes).items()}
            course.append(memory(processes))
            await knock(others, rate, min(seconds / PARTS, BARE))
        for person in (*people, *others):
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


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--tables", type=int, default=500)
    given.add_argument("--rate", type=float, default=100)
    given.add_argument("--seconds", type=float, default=60)
    given.add_argument("--servers", type=int, default=1)
    given.add_argument("--data", default="")
    asked = given.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = asked.data or str(Path(folder) / "tables.sqlite")
        found = asyncio.run(measure(asked.tables, asked.rate, asked.seconds, data, asked.servers))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
