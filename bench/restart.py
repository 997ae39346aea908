"""Restart with many live tables: how long everybody's next turn takes while all streams reconnect.

`python -m bench.restart [--tables 1000] [--towers 100] [--seconds 20] [--source FOLDER]`; `make prove-restart` writes the
result to docs/reference/load.md. The tables are in the middle of a game. A first server takes a turn of each and is killed;
then a second one starts, all streams reconnect within a second of its being ready, and everybody plays within so many
seconds, each from an address of their own. On a busy machine only the processor time says something: that of the server, of
its worker processes and of these clients is measured, too, and in between that of loading every table, without HTTP.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import secrets
import tempfile
import time
from pathlib import Path
from typing import Any, Final, NamedTuple

import psutil  # type: ignore[import-untyped]

from bench.load import free_port, wait_for_port
from bench.load_client import HttpClient
from bench.sharing import SOURCE, milliseconds, serving, write_section
from spieltisch import players, registry
from spieltisch.core.player import Clock
from spieltisch.server.runtime.leases import Leases
from spieltisch.server.runtime.table import waits_for
from spieltisch.server.runtime.tables import Tables
from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import TableWrite
from spieltisch.server.workers import rules
from spieltisch.server.workers.pool import PoolConfig, WorkerPool
from spieltisch.server.workers.snapshot import code_digest
from spieltisch.server.workers.table_cache import LogPosition
from spieltisch.table.codec import Row, chain_digest, encode
from spieltisch.table.commands import Context, GiveVerdict, Open, Play, SeatPlan, decide
from spieltisch.table.state import TableState, Wait, fold

SECRET: Final = "the-secret-of-everybody-here"
HOLDER: Final = hashlib.sha256(SECRET.encode()).hexdigest()
KINDS: Final = 4  # different games of each kind; the others are copies
LINES: Final = {"turmbauer": 220, "bigpoints": 80, "rondo": 80}  # of a table in the middle of its game
NOW: Final = int(time.time() * 1000)
BEFORE: Final = (
    "Before [decision 37](../decisions/0037-cold-tables.md), with the server of the same morning and 300 tables, 30 of them "
    "towers, on 2 cores that other programs used as well (2026-11-18, two runs): server 12.8 and 10.1 ms, worker processes "
    "9.7 and 8.4 ms per table; loading a table alone 4.5 and 4.0 ms in the server, 5.2 and 5.0 ms in the rules worker. After "
    "it, on the same busy machine and alternating: server 6.9 and 5.5 ms, worker processes 7.5 and 6.2 ms; loading a table "
    "alone 1.2 and 1.1 ms, 2.2 and 2.0 ms. "
    "According to a profile, most of what remains in the server is the web framework's work for the two requests."
)


def secret_of(number: int) -> str:
    """The secret of a table's player."""
    return f"secret-of-table-{number:08d}"


class Prepared(NamedTuple):
    """The log of a table in the middle of a game."""

    game: str
    rows: list[Row]


def prepare(game: str, seed: int) -> Prepared:
    """Plays a game between two seats of one person to the middle, by bots."""
    seats = [SeatPlan("person", "Ada"), SeatPlan("person", "Eva")]
    context = Context(HOLDER, NOW, seed.to_bytes(32))
    events = decide(None, Open(game, seats, games=1, key="key-of-table"), context)
    state = fold((event, NOW) for event in events)
    assert state is not None
    bot = players.maker("level:1", state.rules)(random.Random(seed))
    while state.waiting().kind in (Wait.PERSON, Wait.JUDGE) and (
        len(events) < LINES[game] or state.waiting().kind is Wait.JUDGE
    ):
        more = _next(state, bot)
        events += more
        state = fold(((event, NOW) for event in more), state)
        assert state is not None
    return Prepared(game, [Row(encode(event), NOW) for event in events])


def _next(state: TableState, bot: Any) -> Any:
    waiting, game = state.waiting(), state.game
    assert game is not None
    if waiting.kind is Wait.JUDGE:
        judge = registry.find(state.opened.game)
        verdict = judge.pending(game.state).actions[0]  # type: ignore[union-attr]
        return decide(state, GiveVerdict(waiting.since, judge.write(game.state, verdict)), Context(None, NOW))
    assert waiting.seat is not None
    seen = game.seen(waiting.seat)  # type: ignore[arg-type]
    text = game.game.write(game.state, bot.choose(seen, Clock(None)))
    return decide(state, Play(waiting.seat, state.version, [text], key="key-of-a-turn"), Context(HOLDER, NOW))


async def store_tables(data: str, tables: int, towers: int) -> list[str]:
    """Writes so many tables to a new database; returns their names, towers first."""
    kinds = {game: [prepare(game, seed) for seed in range(KINDS)] for game in LINES}
    store, names = Store.at(data), []
    await store.open()
    for number in range(tables):
        game = "turmbauer" if number < towers else ("bigpoints", "rondo")[number % 2]
        holder = hashlib.sha256(secret_of(number).encode()).hexdigest()
        rows = [Row(row.line.replace(HOLDER, holder), row.at) for row in kinds[game][number % KINDS].rows]
        name, digest = f"{number:016x}", chain_digest(b"", rows)
        status = rules.status(LogPosition(name, len(rows), digest, tuple(rows)))
        assert isinstance(status, rules.TableStatus)
        write = TableWrite(
            *(name, 0, rows, None, False, status.status, waits_for(status), status.summary, NOW, game),
            creation=secrets.token_hex(32),
            digest=digest.hex(),
        )
        await store.write(write)
        names.append(name)
    await store.close()
    return names


class Player:
    """Somebody at a table, at an address of their own."""

    def __init__(self, port: int, number: int, table: str) -> None:
        address = f"127.{1 + number // 60_000}.{number // 250 % 250}.{1 + number % 250}"
        self.client = HttpClient("127.0.0.1", port, secret_of(number), address)
        self.table = table
        self.state: dict[str, Any] | None = None
        self.connected = 0.0  # seconds until the stream had sent the table

    async def follow(self, delay: float) -> None:
        """Opens the stream, as a browser does that has lost it, and keeps what it sends."""
        await asyncio.sleep(delay)
        began = time.perf_counter()
        async for name, data in self.client.stream(f"/api/tables/{self.table}/stream?after=1000000"):
            if name == "table":
                self.connected = self.connected or time.perf_counter() - began
                self.state = json.loads(data)

    async def look(self) -> None:
        _, self.state = await self.client.request("GET", f"/api/tables/{self.table}")

    async def turn(self, delay: float) -> float:
        """Plays a turn after a while, from what was on the screen before; the seconds until the response."""
        await asyncio.sleep(delay)
        assert self.state is not None
        seat, version = self.state["table"]["turn"], self.state["version"]
        draft = [self.state["position"]["choices"][0]["text"]]
        body = {"key": secrets.token_urlsafe(9), "seat": seat, "version": version, "draft": draft}
        began = time.perf_counter()
        status, answer = await self.client.request("POST", f"/api/tables/{self.table}/actions", body)
        if status != 200:
            raise RuntimeError((status, answer))
        return time.perf_counter() - began


async def first_turns(port: int, names: list[str]) -> dict[str, dict[str, Any]]:
    """Plays a turn at every table, so that it has a snapshot if it needs one; what everybody has on the screen then."""
    shown: dict[str, dict[str, Any]] = {}
    for number, name in enumerate(names):
        player = Player(port, number, name)
        await player.look()
        if player.state is not None and player.state["position"]["choices"]:
            await player.turn(0)
        player.client.close()
    await asyncio.sleep(3)  # for the judges, and for snapshots
    for number, name in enumerate(names):
        player = Player(port, number, name)
        await player.look()
        if player.state is not None and player.state["position"]["choices"]:
            shown[name] = player.state
        player.client.close()
    return shown


async def load_cold(data: str, names: list[str]) -> dict[str, float]:
    """Milliseconds of processor time per table that loading it and asking for its status takes, with nothing in memory."""
    store, pool = Store.at(data), WorkerPool(PoolConfig(rules=1, bots=1))
    await store.open()
    await pool.open()
    tables = Tables(store, pool, Leases(store), asyncio.Queue())
    await asyncio.to_thread(code_digest)
    children = psutil.Process().children()
    before = time.process_time(), sum(sum(child.cpu_times()[:2]) for child in children)
    for name in names:
        await tables.status(await tables.find(name))
    after = time.process_time(), sum(sum(child.cpu_times()[:2]) for child in children)
    await pool.close()
    await store.close()
    server, workers = (1000 * (end - begin) / len(names) for begin, end in zip(before, after, strict=True))
    return {"server": server, "workers": workers}


async def wait_until_ready(port: int) -> None:
    """Waits until the server says that it is ready; it listens earlier."""
    await wait_for_port(port)
    client = HttpClient("127.0.0.1", port, SECRET)
    while (await client.request("GET", "/readyz"))[0] != 200:  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    client.close()


def processor_time() -> dict[str, float]:
    """The seconds of processor time that this process, its server and the server's worker processes have used so far."""
    server = next(child for child in psutil.Process().children() if "serve" in child.cmdline())
    workers = sum(sum(worker.cpu_times()[:2]) for worker in server.children())
    return {"server": sum(server.cpu_times()[:2]), "workers": workers, "clients": time.process_time()}


async def second_turns(port: int, shown: dict[str, dict[str, Any]], seconds: float) -> dict[str, Any]:
    """Everybody reconnects at once, and plays the next turn within some seconds."""
    before = processor_time()
    randomly = random.Random(1)
    everybody = [Player(port, int(name, 16), name) for name in shown]
    streams = []
    for player in everybody:
        player.state = shown[player.table]
        streams.append(asyncio.create_task(player.follow(randomly.random())))
    turns = await asyncio.gather(*(player.turn(seconds * randomly.random()) for player in everybody))
    deadline = time.perf_counter() + 60
    while not all(player.connected for player in everybody) and time.perf_counter() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    spent = {name: 1000 * (used - before[name]) / len(shown) for name, used in processor_time().items()}
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return {
        "turns": len(turns),
        "cpu": spent,  # milliseconds per table
        "turn": milliseconds(turns),
        "stream": milliseconds([player.connected for player in everybody]),
    }


def measure(tables: int, towers: int, seconds: float, source: str) -> dict[str, Any]:
    """Turns after a restart."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "tables.sqlite"
        names = asyncio.run(store_tables(str(data), tables, towers))
        port = free_port()
        with serving(Path(folder), port, source=source, kill=True):
            asyncio.run(wait_until_ready(port))
            shown = asyncio.run(first_turns(port, names))
        cold = asyncio.run(load_cold(str(data), list(shown)))
        began = time.perf_counter()
        with serving(Path(folder), port, source=source) as log:
            asyncio.run(wait_until_ready(port))
            ready = time.perf_counter() - began
            found = asyncio.run(second_turns(port, shown, seconds))
    return {
        **found,
        "cold": cold,
        "ready": ready,
        "tables": tables,
        "towers": towers,
        "seconds": seconds,
        "logged": sorted(set(log)),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--towers", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--source", default=SOURCE, help="of the server")
    parser.add_argument("--write", action="store_true", help="write the result to docs/reference/load.md")
    options = parser.parse_args()
    found = measure(options.tables, options.towers, options.seconds, options.source)
    print(json.dumps(found, indent=1))
    if options.write:
        write_section("After a restart", describe(found))


def describe(found: dict[str, Any]) -> str:
    """The result as Markdown."""
    turn, stream, cpu, cold = found["turn"], found["stream"], found["cpu"], found["cold"]
    verdict = "met" if turn["longest"] <= 2000 else "missed"
    return f"""`make prove-restart`: {found["tables"]} live tables in the middle of a game, {found["towers"]} of them towers. The server is killed and started again, and is ready after {found["ready"]:.1f} s; all streams reconnect within a second of that, and everybody, each at an address of their own, plays the next turn within {found["seconds"]:.0f} s.

| | median | 99th percentile | longest |
|---|---|---|---|
| next turn ({found["turns"]}) | {turn["p50"]:.0f} ms | {turn["p99"]:.0f} ms | {turn["longest"]:.0f} ms |
| stream, until it shows the table | {stream["p50"]:.0f} ms | {stream["p99"]:.0f} ms | {stream["longest"]:.0f} ms |

The goal is that everybody's next turn is answered within 2 s: it is {verdict}. Processor time per table, for its stream, the turn and the update on the stream: server {cpu["server"]:.1f} ms, worker processes {cpu["workers"]:.1f} ms, clients {cpu["clients"]:.1f} ms. Loading a table alone takes {cold["server"]:.1f} ms in the server and {cold["workers"]:.1f} ms in its rules worker. Worker processes that were replaced: {sum("replaced" in line for line in found["logged"])}.

{BEFORE}"""


if __name__ == "__main__":
    main()
