"""Bench of how work is shared: a victim's response times alone, and while another address does its worst.

`python -m bench.sharing [--seconds 120] [--label after] [--source FOLDER]`; `make prove-sharing` writes the result to
docs/reference/load.md. Both clients are on this machine, at different addresses of its loopback network.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from bench.attack import attack
from bench.load import free_port, wait_for_port
from bench.load_client import HttpClient

ATTACKER, VICTIM = "127.0.0.2", "127.0.0.3"
PARTS = 4  # how often the victim plays alone and under attack, in turn
PACE = 0.15  # seconds between the victim's turns
BOT = "level:1"
BEFORE = (
    "With the server of 2026-11-17, first come, first served, the attack moved the median of turns from 9 to 318 ms and "
    "that of replies from 1.6 to 27 s, and worker processes were killed for being slow (a short run on 2026-11-18)."
)
GOAL = 5  # times what the victim has alone
SOURCE = str(Path(__file__).parent.parent / "src")
PAGE = Path(__file__).parent.parent / "docs" / "reference" / "load.md"


class Victim:
    """A person who plays one game of Big Points after another against a bot."""

    def __init__(self, port: int) -> None:
        self.client = HttpClient("127.0.0.1", port, secrets.token_urlsafe(24), VICTIM)
        self.table = ""
        self.turns: list[float] = []
        self.replies: list[float] = []  # from sending a turn until it is the victim's turn again

    async def _ask(self, method: str, path: str, body: Any = None) -> Any:
        status, answer = await self.client.request(method, f"/api{path}", body)
        if status >= 400:
            raise RuntimeError((status, answer))
        return answer

    async def play(self, seconds: float) -> None:
        """Plays for some time, and measures every turn."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            if not self.table:
                seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "player": BOT}]
                body = {"key": secrets.token_urlsafe(9), "game": "bigpoints", "games": 1, "seats": seats}
                self.table = (await self._ask("POST", "/tables", body))["table"]
            now = await self._ask("GET", f"/tables/{self.table}")
            if now["table"]["status"] == "over":
                self.table = ""
            elif now["table"]["waiting"] == "person":
                await self._turn(now)
            await asyncio.sleep(PACE)

    async def _turn(self, now: dict[str, Any]) -> None:
        draft = [now["position"]["choices"][0]["text"]]
        body = {"key": secrets.token_urlsafe(9), "seat": 0, "version": now["version"], "draft": draft}
        sent = time.perf_counter()
        await self._ask("POST", f"/tables/{self.table}/actions", body)
        self.turns.append(time.perf_counter() - sent)
        while True:
            now = await self._ask("GET", f"/tables/{self.table}")
            if now["table"]["waiting"] != "bot":
                break
            await asyncio.sleep(0.02)
        self.replies.append(time.perf_counter() - sent)


@contextlib.contextmanager
def serving(folder: Path, port: int, *flags: str, source: str = SOURCE, kill: bool = False) -> Iterator[list[str]]:
    """A server with its ordinary limits, on the database of the folder; the lines that it has logged when it has ended."""
    command = [
        sys.executable,
        "-m",
        "spieltisch",
        "serve",
        "--data",
        str(folder / "tables.sqlite"),
        "--port",
        str(port),
    ]
    log, lines = folder / "log", list[str]()
    with log.open("w") as errors:
        process = subprocess.Popen(  # noqa: S603
            [*command, *flags], env={**os.environ, "PYTHONPATH": source}, stdout=subprocess.DEVNULL, stderr=errors
        )
        try:
            yield lines
        finally:
            if kill:
                process.kill()
            process.terminate()
            process.wait()
            lines += log.read_text().splitlines()


def write_section(title: str, text: str) -> None:
    """Replaces a section of docs/reference/load.md, or adds it, with the date."""
    heading = f"## {title}\n"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(heading)
    _, following, after = rest.partition("\n## ")
    date = f"{datetime.now(UTC):%Y-%m-%d}"
    PAGE.write_text(f"{before.rstrip()}\n\n{heading}{date}, {text}\n{following}{after}", encoding="utf-8")


def milliseconds(seconds: list[float]) -> dict[str, float]:
    """The median, the 99th percentile and the longest of some durations."""
    last = quantiles(seconds, n=100)[98] if len(seconds) > 1 else float("nan")
    return {"p50": 1000 * median(seconds), "p99": 1000 * last, "longest": 1000 * max(seconds)}


async def measure(port: int, seconds: float) -> dict[str, Any]:
    """The victim's response times alone and under attack, in turn."""
    await wait_for_port(port)
    found: dict[str, Any] = {}
    victims = {"alone": Victim(port), "attacked": Victim(port)}
    async with attack(port, ATTACKER) as (attacker, active):
        await victims["alone"].play(5)
        for victim in victims.values():
            victim.turns.clear()
            victim.replies.clear()
        for _ in range(PARTS):
            await victims["alone"].play(seconds / PARTS)
            active.set()
            await asyncio.sleep(1)
            await victims["attacked"].play(seconds / PARTS)
            active.clear()
            await asyncio.sleep(2)
    for name, victim in victims.items():
        found[name] = {
            "turns": len(victim.turns),
            "turn": milliseconds(victim.turns),
            "reply": milliseconds(victim.replies),
        }
    found["ratio"] = found["attacked"]["turn"]["p99"] / found["alone"]["turn"]["p99"]
    found["attacker's responses by status"] = attacker.answers
    return found


def describe(found: dict[str, Any]) -> str:
    """The result as Markdown."""
    alone, attacked = found["alone"], found["attacked"]
    rows = [
        f"| {name} {share} | {alone[key][share]:.0f} ms | {attacked[key][share]:.0f} ms |"
        for name, key in (("turn", "turn"), ("bot's reply", "reply"))
        for share in ("p50", "p99")
    ]
    table = "\n".join(["| | alone | attacked |", "|---|---|---|", *rows])
    verdict = "met" if found["ratio"] <= GOAL else "missed"
    return f"""`make prove-sharing`: one address does the worst that its limits allow, all at once: reads and turns on boards of 490 fields, the whole log of a long table, previews of a tower of up to 36 stones, replays of a record as long as a request may be, animations, hints, and eight tables at which strong bots (`level:5`) play each other. Another address plays Big Points against a bot, alternately during this load and without any other load: {alone["turns"]} turns alone and {attacked["turns"]} attacked. The reply is the time until the bot has moved, polled every 20 ms.

{table}

The goal is a 99th percentile of turns within {GOAL} times that without the load: it is {verdict} ({found["ratio"]:.1f}). {BEFORE}"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=120, help="alone, and as long under attack")
    parser.add_argument("--source", default=SOURCE, help="of the server")
    parser.add_argument("--write", action="store_true", help="write the result to docs/reference/load.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        with serving(Path(folder), port, source=options.source) as log:
            found = asyncio.run(measure(port, options.seconds))
    found["logged"] = sorted(set(log))[:20]
    print(json.dumps(found, indent=1))
    if options.write:
        write_section("One address against the others", describe(found))


if __name__ == "__main__":
    main()
