"""How long writers wait while tables are deleted from a large SQLite file: `python -m bench.delete [MEGABYTES]`.

Fills a file with tables that grew side by side, then writes to one table all the time, first alone, then while others
are deleted, and last beside VACUUM, which is how deleted tables were removed before.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import StoredResponse, TableWrite
from spieltisch.table.codec import Row

SIDE_BY_SIDE: Final = 300  # tables that grow at the same time
EVENTS: Final = 90  # per table, about 12 kB with their responses
DELETIONS: Final = 10
PAUSE: Final = 0.005  # seconds between two writes of the victim


def fill(file: Path, megabytes: int) -> list[str]:
    """Fills a migrated file; returns the names of its tables."""
    dice, names = random.Random(1), []
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as database:
        for pragma in ("synchronous = OFF", "secure_delete = ON", "cache_size = -400000"):
            database.execute(f"PRAGMA {pragma}")
        while file.stat().st_size < megabytes * 1_000_000:
            group = [f"{dice.getrandbits(64):016x}" for _ in range(SIDE_BY_SIDE)]
            names += group
            database.execute("BEGIN")
            database.executemany(
                "INSERT INTO tables (id, creation, public, status, waits, summary, changed) VALUES (?,?,0,?,?,?,0)",
                [
                    (name, f"{dice.getrandbits(256):064x}", "over", "nobody", json.dumps({"seats": [name] * 4}))
                    for name in group
                ],
            )
            for number in range(1, EVENTS + 1):
                database.executemany(
                    'INSERT INTO log ("table", number, line, at) VALUES (?,?,?,0)',
                    [
                        (name, number, f"{name} {'x' * dice.randrange(2, 60)}")
                        for name in dice.sample(group, len(group))
                    ],
                )
                if number % 3 == 0:
                    database.executemany(
                        'INSERT INTO answers ("table", key, digest, answer, number) VALUES (?,?,?,?,?)',
                        [
                            (
                                name,
                                f"{dice.getrandbits(96):024x}",
                                f"{dice.getrandbits(256):064x}",
                                '{"version": 9}',
                                number,
                            )
                            for name in group
                        ],
                    )
            database.execute("COMMIT")
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return names


async def waits(store: Store, work: Callable[[], Awaitable[object]]) -> list[float]:
    """The seconds for which each write of one table waited while the work was done."""
    found: list[float] = []
    done = asyncio.create_task(asyncio.wait_for(work(), None))
    victim, number = f"victim-{time.monotonic_ns()}"[:32], 0
    while not done.done():
        response = StoredResponse(f"key-{number}", "d" * 64, "{}", number)
        creation = victim if number == 0 else None
        write = TableWrite(
            victim, number, [Row("0 r+", 0)], response, False, "playing", "person", "{}", 0, creation=creation
        )
        started = time.perf_counter()
        await store.write(write)
        found.append(time.perf_counter() - started)
        number += 1
        await asyncio.sleep(PAUSE)
    await done
    return found


def say(what: str, found: list[float], seconds: float) -> None:
    ranked = sorted(found)
    p99 = ranked[min(len(ranked) - 1, int(0.99 * len(ranked)))]
    print(
        f"| {what} | {seconds:.1f} s | {len(found)} | {1000 * ranked[len(ranked) // 2]:.1f} ms | {1000 * p99:.0f} ms "
        f"| {1000 * ranked[-1]:.0f} ms |",
        flush=True,
    )


async def measure(file: Path, megabytes: int) -> None:
    """Measures, and prints rows of a table."""
    store = Store.in_file(file)
    await store.open()
    await store.close()
    names = fill(file, megabytes)
    store = Store.in_file(file)
    await store.open()
    usage = await store.measure_usage()
    print(f"{usage.size / 1e6:.0f} MB, {usage.tables} tables\n")
    print("| what happens meanwhile | takes | writes | median wait | 99 % | longest |\n|---|---|---|---|---|---|")

    async def nothing() -> None:
        await asyncio.sleep(5)

    async def delete(count: int = 1) -> None:
        for _ in range(count):
            await store.delete(names.pop())
        await store.scrub()

    async def delete_each() -> None:
        for _ in range(DELETIONS):
            await delete()

    async def vacuum() -> None:
        def run() -> None:
            with contextlib.closing(sqlite3.connect(file, isolation_level=None, timeout=60)) as database:
                database.execute("VACUUM")

        async with store._write_lock:  # noqa: SLF001 - as it was done before
            await asyncio.to_thread(run)

    for what, work in (
        ("nothing", nothing),
        ("the first table is deleted", delete),
        (f"{DELETIONS} tables are deleted, one after another", delete_each),
        ("100 tables are deleted together", lambda: delete(100)),
        ("VACUUM", vacuum),
    ):
        started = time.perf_counter()
        found = await waits(store, work)
        say(what, found, time.perf_counter() - started)
    await store.close()
    with contextlib.closing(sqlite3.connect(file)) as database:
        print("\nintegrity_check:", *database.execute("PRAGMA integrity_check").fetchone())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder) / "tables.sqlite", int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
