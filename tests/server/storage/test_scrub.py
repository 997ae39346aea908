"""Scrubbing a SQLite file: only unallocated space is overwritten, little of it at a time, and beside those who write."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import sqlite3
from pathlib import Path
from random import Random

import pytest

from spieltisch.processes.aio import AsyncWorker
from spieltisch.server.storage.scrub import NotScrubbed, Scrubbed, scrub, unallocated
from spieltisch.server.storage.scrubber import Scrubber
from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import TableWrite
from spieltisch.table.codec import Row


def news(name: str, number: int, dice: Random) -> TableWrite:
    """An event of a table, the first of which opens it."""
    line = f"line {number} of {name} " + "y" * dice.choice((20, 60, 200, 700, 1200))
    creation = None if number else f"by {name}"
    return TableWrite(
        name, number, [Row(line, 0)], None, True, "playing", "person", f"{name} {line[:30]}", 0, creation=creation
    )


async def fill(store: Store, tables: int, seed: int = 1) -> list[str]:
    """Tables with three events each, in any order."""
    dice = Random(seed)
    names = [f"{number:016x}" for number in dice.sample(range(1 << 60), tables)]
    for number in range(3):
        await asyncio.gather(*(store.write(news(name, number, dice)) for name in dice.sample(names, tables)))
    return names


async def scrub_in_process(file: Path) -> Scrubbed:
    """Scrubs as a server does: in a process of its own."""
    worker = await AsyncWorker.start()
    try:
        return await worker.call(scrub, str(file))
    finally:
        await worker.kill()


def whole(file: Path) -> tuple[str, int]:
    """What SQLite says about a file that nobody uses, and how many events it has."""
    with contextlib.closing(sqlite3.connect(file)) as connection:
        (said,) = connection.execute("PRAGMA integrity_check").fetchone()
        return said, connection.execute("SELECT count(*) FROM log").fetchone()[0]


def test_a_scrub_overwrites_everything_that_is_left_and_nothing_else(tmp_path):
    async def run() -> tuple[Scrubbed, Scrubbed]:
        store = Store.in_file(tmp_path / "tables.sqlite")
        await store.open()
        names = await fill(store, 150)
        for name in names[:50]:
            await store.delete(name)
        once = await scrub_in_process(tmp_path / "tables.sqlite")
        again = await scrub_in_process(tmp_path / "tables.sqlite")
        for name in names[50:]:
            stored = await store.load(name)
            assert stored is not None
            assert [row.line.startswith(f"line {at} of {name} ") for at, row in enumerate(stored.rows)] == [True] * 3
        await store.close()
        return once, again

    once, again = asyncio.run(run())
    assert once.overwritten > 5
    assert again.overwritten <= 1  # the page with the commit that makes others drop what they have cached
    assert whole(tmp_path / "tables.sqlite") == ("ok", 300)


def test_what_is_overwritten_for_a_deletion_does_not_grow_with_the_file(tmp_path):
    """VACUUM writes all pages while writers wait; this writes about as many as the deletion itself."""

    async def run(tables: int) -> Scrubbed:
        file = tmp_path / f"{tables}.sqlite"
        store = Store.in_file(file)
        await store.open()
        names = await fill(store, tables)
        await scrub_in_process(file)
        await store.delete(names[0])
        done = await scrub_in_process(file)
        await store.close()
        return done

    few, many = asyncio.run(run(40)), asyncio.run(run(640))
    assert many.pages > 8 * few.pages
    assert many.overwritten < 0.05 * many.pages
    assert many.overwritten < few.overwritten + 20


def test_nothing_is_lost_of_what_is_written_during_scrubs(tmp_path):
    async def run() -> int:
        file = tmp_path / "tables.sqlite"
        store = Store.in_file(file)
        await store.open()
        names = await fill(store, 100)
        dice, written, done = Random(3), dict.fromkeys(names[50:], 3), False

        async def write(name: str) -> None:
            while not done:
                await store.write(news(name, written[name], dice))
                written[name] += 1
                await asyncio.sleep(0.005)

        writing = [asyncio.create_task(write(name)) for name in names[50:58]]
        for name in names[:5]:
            await store.delete(name)
            await store.scrub()
        done = True
        await asyncio.gather(*writing)
        for name, count in written.items():
            stored = await store.load(name)
            assert stored is not None
            assert len(stored.rows) == count
        await store.close()
        return 3 * 45 + sum(written.values())

    expected = asyncio.run(run())
    assert expected > 300
    assert whole(tmp_path / "tables.sqlite") == ("ok", expected)


def test_the_unallocated_space_of_a_page_is_between_its_cells_and_in_its_free_blocks():
    leaf = bytearray(4096)
    leaf[0] = 13  # a leaf of a table, with 2 cells from byte 4000 on and a free block of 40 bytes at 4010
    leaf[1:8] = (4010).to_bytes(2, "big") + (2).to_bytes(2, "big") + (4000).to_bytes(2, "big") + b"\0"
    leaf[4010:4014] = (0).to_bytes(2, "big") + (40).to_bytes(2, "big")
    assert unallocated(bytes(leaf), 2) == [(12, 4000), (4014, 4050)]
    assert unallocated(bytes(4096), 2) == []  # an overflow page or a free one
    first = bytes(100) + bytes(leaf[:8]) + bytes(leaf[108:])
    assert unallocated(first, 1)[0] == (112, 4000)


def test_a_file_that_cannot_be_scrubbed_is_left_as_it_is(tmp_path):
    file = tmp_path / "other.sqlite"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("CREATE TABLE leases (one)")
    before = file.read_bytes()
    with pytest.raises(NotScrubbed):
        scrub(str(file))
    assert file.read_bytes() == before


def test_a_scrub_that_nobody_waits_for_any_more_is_not_collected_as_garbage(tmp_path):
    """The event loop's references to tasks are weak."""
    reported = []

    async def run() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["message"]))
        store = Store.in_file(tmp_path / "tables.sqlite")
        await store.open()
        scrubber = Scrubber(str(tmp_path / "tables.sqlite"))
        waiting = asyncio.create_task(scrubber.scrub())
        await asyncio.sleep(0.01)
        waiting.cancel()
        closing = asyncio.create_task(scrubber.close())
        while not closing.done():
            gc.collect()
            await asyncio.sleep(0.001)
        await store.close()

    asyncio.run(run())
    assert reported == []
