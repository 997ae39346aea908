"""Load test: response and delivery times of many tables at once, compared with a baseline under the same load.

`python -m bench.load [--tables 500] [--rate 100] [--seconds 60] [--data FILE or URL] [--servers 1]`; `make prove-load`
writes the results for both databases to docs/reference/load.md.
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

from bench.load_client import HttpClient
from spieltisch import registry
from spieltisch.server.ops import gc

UNLIMITED = {
    f"SPIELTISCH_SERVE_{name}": "0"
    for name in ("REQUESTS", "TABLES", "DAILY_TABLES", "STREAMS", "HINTS", "REPLAYS", "PENDING")
}
BOT = "level:2"
PARTS = 6  # how often the measurement alternates with the baseline, and memory is sampled
BASELINE_SECONDS = 10  # at most, each time


@dataclass
class Times:
    """Durations in seconds: of responses, and of deliveries to another client's stream."""

    responses: list[float] = field(default_factory=list)
    deliveries: list[float] = field(default_factory=list)
    refused: int = 0
    games: int = 0  # finished
    skipped: int = 0  # commands that were not sent, because no person had the turn

    def percentiles(self) -> dict[str, float]:
        return {
            f"{name} {percentile}": _percentile(seconds, percentile)
            for name, seconds in (("response", self.responses), ("delivery", self.deliveries))
            for percentile in ("p50", "p99")
        }


def _percentile(seconds: Sequence[float], name: str) -> float:
    return quantiles(seconds, n=100)[int(name[1:]) - 1] if len(seconds) > 1 else float("nan")


class Player:
    """A player at a table, and a second stream of the same table, possibly at another server."""

    def __init__(self, ports: Sequence[int], number: int, game: str, times: Times) -> None:
        self.secret = secrets.token_urlsafe(24)
        self.client = HttpClient("127.0.0.1", ports[number % len(ports)], self.secret)
        self.watcher = HttpClient("127.0.0.1", ports[(number + 1) % len(ports)], self.secret)
        self.game = game
        self.times = times
        self.table = ""
        self.state: dict[str, Any] | None = None
        self.delivered: list[tuple[int, float]] = []  # the latest versions that the watcher got, and when
        self.undelivered: dict[int, float] = {}  # versions that the watcher has not got, and when they were sent
        self.tasks: list[asyncio.Task[None]] = []
        self.busy = False
        self.random = random.Random(number)

    async def open_table(self) -> None:
        seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "player": BOT}]
        body = {"key": secrets.token_urlsafe(9), "game": self.game, "games": 1, "seats": seats}
        _, response = await self.client.request("POST", "/api/tables", body)
        self.table = response["table"]

    def open_streams(self) -> None:
        path = f"/api/tables/{self.table}/stream?after=1000000"
        self.tasks = [asyncio.create_task(self._follow(path)), asyncio.create_task(self._watch(path))]

    async def _follow(self, path: str) -> None:
        async for name, data in self.client.stream(path):
            if name == "table":
                self.state = json.loads(data)

    async def _watch(self, path: str) -> None:
        async for name, data in self.watcher.stream(path):
            if name == "table":
                self._note_delivery(int(data.split(b",")[0].partition(b":")[2].strip(b" }")))

    def _note_delivery(self, version: int) -> None:
        self.delivered = [*self.delivered[-9:], (version, time.perf_counter())]
        for sent in [number for number in self.undelivered if number <= version]:
            self.times.deliveries.append(time.perf_counter() - self.undelivered.pop(sent))

    @property
    def ready(self) -> bool:
        return not self.busy and self.state is not None and bool(self.state["position"]["choices"])

    @property
    def over(self) -> bool:
        return self.state is not None and self.state["table"]["status"] == "over"

    async def play(self) -> None:
        """Plays a random choice."""
        assert self.state is not None
        choice = self.random.choice(self.state["position"]["choices"])["text"]
        body = {"key": secrets.token_urlsafe(9), "seat": 0, "version": self.state["version"], "draft": [choice]}
        self.state = None
        await self.send(body)
        self.busy = False

    async def send(self, body: dict[str, Any]) -> None:
        """Sends a command, and measures its response and its delivery."""
        sent = time.perf_counter()
        status, response = await self.client.request("POST", f"/api/tables/{self.table}/actions", body)
        if status != 200:
            self.times.refused += 1
            return
        self.times.responses.append(time.perf_counter() - sent)
        delivered = next((at for version, at in self.delivered if version >= response["version"]), None)
        if delivered is None:
            self.undelivered[response["version"]] = sent
        else:
            self.times.deliveries.append(delivered - sent)  # it came before the response

    async def replace(self, other: Player) -> None:
        """Opens the next table after a finished game, which is a command too."""
        await other.close()
        sent = time.perf_counter()
        await self.open_table()
        self.times.responses.append(time.perf_counter() - sent)
        self.open_streams()

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def play(players: list[Player], rate: float, seconds: float, times: Times) -> None:
    """Sends commands at that rate, round robin over the players who have the turn; reopens finished tables."""
    turn, started, sent = 0, time.perf_counter(), 0
    pending: set[asyncio.Task[None]] = set()

    def start(work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        pending.add(task)
        task.add_done_callback(pending.discard)

    while (elapsed := time.perf_counter() - started) < seconds:
        if sent > elapsed * rate:
            await asyncio.sleep(sent / rate - elapsed)
            continue
        sent += 1
        for step in range(len(players)):
            player = players[(turn + step) % len(players)]
            if player.over:
                times.games += 1
                fresh = Player([player.client.port, player.watcher.port], 0, player.game, times)
                fresh.random = player.random
                players[players.index(player)] = fresh
                start(fresh.replace(player))
                turn += step + 1
                break
            if player.ready:
                player.busy = True
                start(player.play())
                turn += step + 1
                break
        else:
            times.skipped += 1
    await asyncio.gather(*pending, return_exceptions=True)


async def load_baseline(players: list[Player], rate: float, seconds: float) -> None:
    """Sends the same load to the baseline."""
    started, sent = time.perf_counter(), 0
    pending: set[asyncio.Task[None]] = set()
    while (elapsed := time.perf_counter() - started) < seconds:
        if sent > elapsed * rate:
            await asyncio.sleep(sent / rate - elapsed)
            continue
        body = {"key": secrets.token_urlsafe(9), "seat": 0, "version": sent, "draft": ["r+"]}
        task = asyncio.create_task(players[sent % len(players)].send(body))
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
    """Runs programs in processes of their own, and terminates them afterwards."""
    env = {**os.environ, **UNLIMITED}
    started = [subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) for command in commands]  # noqa: S603
    try:
        yield [psutil.Process(one.pid) for one in started]
    finally:
        for one in started:
            one.terminate()
        for one in started:
            one.wait(30)


def memory(processes: Sequence[psutil.Process]) -> float:
    """The unique memory of the processes and their children, in MB."""
    family = [one for process in processes for one in (process, *process.children(recursive=True))]
    return float(sum(one.memory_full_info().uss for one in family)) / 1e6


def cpu_seconds(processes: Sequence[psutil.Process]) -> dict[str, float]:
    """The processor time so far, in seconds: of servers, rules workers, bot workers and clients."""
    spent = {"server": 0.0, "rules workers": 0.0, "bots": 0.0, "clients": 0.0}
    family = [("clients", psutil.Process()), *(("server", one) for one in processes)]
    family += [("bots" if one.nice() else "rules workers", one) for each in processes for one in each.children()]
    for group, process in family:
        spent[group] += sum(process.cpu_times()[:2])
    return spent


def kilobytes(file: str) -> float:
    """The size of a file in kB."""
    return Path(file).stat().st_size / 1000


async def wait_for_port(port: int) -> None:
    """Returns when a server listens there."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return


async def measure(tables: int, rate: float, seconds: float, data: str, servers: int) -> dict[str, Any]:
    """All measurements by name; server and baseline take turns, since machines are noisy."""
    baseline_port, *ports = [free_port() for _ in range(1 + servers)]
    gc.freeze()
    gc.disable()  # the clients' garbage collection must not add to the times
    serve = [sys.executable, "-m", "spieltisch", "serve", "--bot-workers", "1", "--data", data, "--port"]
    commands = ([*serve, str(port)] for port in ports)
    baseline_command = [sys.executable, "-m", "bench.load_baseline", str(baseline_port)]
    with running(*commands) as processes, running(baseline_command):
        for port in (baseline_port, *ports):
            await wait_for_port(port)
        await asyncio.sleep(1)
        found = await _measure_running(processes, tables, rate, seconds, ports, baseline_port)
    found["kB on disk per table"] = kilobytes(data) / (tables + found["games"]) if servers == 1 else None
    return found


async def _measure_running(
    processes: list[psutil.Process],
    tables: int,
    rate: float,
    seconds: float,
    ports: Sequence[int],
    baseline_port: int,
) -> dict[str, Any]:
    game = registry.offered()[0].name
    times, baseline = Times(), Times()
    players = [Player(ports, number, game, times) for number in range(tables)]
    others = [Player([baseline_port], number, "", baseline) for number in range(tables)]
    megabytes: dict[str, Any] = {"empty": memory(processes)}
    for player in players:
        await player.open_table()
    megabytes["tables"] = memory(processes)
    for number, player in enumerate(others):
        player.table = f"t{number}"
    for player in (*players, *others):
        player.open_streams()
    while not all(player.state for player in (*players, *others)):  # noqa: ASYNC110 - until every stream has sent its table
        await asyncio.sleep(0.1)
    megabytes["streams"] = memory(processes)
    await play(players, rate, seconds / 5, Times())
    megabytes["warm"] = memory(processes)
    times.responses.clear()
    times.deliveries.clear()
    spent, megabytes["course"] = dict.fromkeys(cpu_seconds(processes), 0.0), []
    for _ in range(PARTS):
        before = cpu_seconds(processes)
        await play(players, rate, seconds / PARTS, times)
        spent = {group: spent[group] + now - before[group] for group, now in cpu_seconds(processes).items()}
        megabytes["course"].append(memory(processes))
        await load_baseline(others, rate, min(seconds / PARTS, BASELINE_SECONDS))
    for player in (*players, *others):
        await player.close()
    commands = len(times.responses)
    return {
        "tables": tables,
        "rate": rate,
        "seconds": seconds,
        "servers": len(ports),
        "commands": commands,
        "commands per second": commands / seconds,
        "refused": times.refused,
        "games": times.games,
        "skipped": times.skipped,
        "milliseconds": {name: 1000 * value for name, value in times.percentiles().items()},
        "baseline milliseconds": {name: 1000 * value for name, value in baseline.percentiles().items()},
        "ratios": {name: value / baseline.percentiles()[name] for name, value in times.percentiles().items()},
        "CPU ms per command": {group: 1000 * seconds / commands for group, seconds in spent.items()},
        "kB per table": 1000 * (megabytes["tables"] - megabytes["empty"]) / tables,
        "kB per stream": 1000 * (megabytes["streams"] - megabytes["tables"]) / (2 * tables),
        "MB": megabytes,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--rate", type=float, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--data", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = options.data or str(Path(folder) / "tables.sqlite")
        found = asyncio.run(measure(options.tables, options.rate, options.seconds, data, options.servers))
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
