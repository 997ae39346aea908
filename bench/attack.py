"""The worst that one address can do to a server inside its limits: what is expensive, all at once and without pause."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import string
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from bench.load_client import HttpClient

GAMES: Final = Path(__file__).parent.parent / "src" / "spieltisch" / "games"
LANGUAGES: Final = ("de", "en", "es", "fr", "it", "nl")
PAUSE: Final = 0.02  # seconds between two requests of one connection: the address stays below its limit of requests
STONES: Final = 36
WARM_UP: Final = 120.0  # seconds for a tower to grow, at most


def big_board(fields: int = 490, links: int = 4) -> dict[str, Any]:
    """A board of so many fields, each linked to some others, all of them beside the centre."""
    letters = string.ascii_letters.replace("C", "")
    names = [a + b for a in letters for b in ("", *string.digits, *string.ascii_lowercase)][:fields]
    around = [step for step in range(-links // 2, links // 2 + 1) if step]
    beside = {name: [names[(at + step) % fields] for step in around] + ["C"] for at, name in enumerate(names)}
    side = {name: {"colour": "PBYGR"[at % 5], "value": 1} for at, name in enumerate(names)}
    return {"cells": names, "adjacency": {**beside, "C": names}, "grey": names, "sides": {"blue": side}}


def long_record() -> str:
    """A record as long as a request may be, in which the same action is done and undone again and again."""
    lines = (GAMES / "rondo/tests/golden/red-4.game").read_text(encoding="utf-8").splitlines()
    at = max(number for number, line in enumerate(lines) if line.endswith(" O8:P") and line[0].isdigit())
    text = "\n".join(line for line in lines[: at + 1] if not line.startswith("match ")) + "\n"
    again = f"undo 1\n{lines[at]}\n"
    return text + again * ((60_000 - len(text)) // (len(again) + 2))


class Attacker:
    """One client at one address, with as many connections as it likes."""

    def __init__(self, port: int, source: str) -> None:
        self.port = port
        self.source = source
        self.secret = secrets.token_urlsafe(24)
        self.answers: dict[int, int] = {}  # by status

    def client(self) -> HttpClient:
        return HttpClient("127.0.0.1", self.port, self.secret, self.source)

    async def ask(self, client: HttpClient, method: str, path: str, body: Any = None) -> Any:
        """Sends a request; the JSON of its response, whatever its status."""
        status, answer = await client.request(method, f"/api{path}", body)
        self.answers[status] = self.answers.get(status, 0) + 1
        return answer

    async def open_table(self, client: HttpClient, game: str, *seats: str, **more: Any) -> str:
        plans = [
            {"kind": "bot", "player": one} if one.startswith("level:") else {"kind": "person", "name": one}
            for one in seats
        ]
        body = {"key": secrets.token_urlsafe(9), "game": game, "seats": plans, **more}
        answer = await self.ask(client, "POST", "/tables", body)
        if "table" not in answer:
            raise RuntimeError(answer)
        return str(answer["table"])

    async def command(self, client: HttpClient, table: str, name: str, **body: Any) -> Any:
        return await self.ask(client, "POST", f"/tables/{table}/{name}", {"key": secrets.token_urlsafe(9), **body})


async def _tower(attacker: Attacker) -> str:
    """A table with a high tower: two seats of this client, for which bots play until it is the client's turn to build."""
    client = attacker.client()
    table = await attacker.open_table(client, "turmbauer", "Mal", "Lory", first=0, games=1)
    for seat in (0, 1):
        await attacker.command(client, table, "lend", seat=seat)
    end = asyncio.get_running_loop().time() + WARM_UP
    while asyncio.get_running_loop().time() < end:
        await asyncio.sleep(1)
        now = await attacker.ask(client, "GET", f"/tables/{table}")
        if now["table"]["status"] == "over":
            break
        if len(now["position"]["view"]["tower"]) >= STONES:
            break
    for seat in (0, 1):
        await attacker.command(client, table, "return", seat=seat)
    return table


def _drafts(choices: list[dict[str, Any]]) -> Iterator[list[str]]:
    return itertools.cycle([[choice["text"]] for choice in choices])


async def preview(attacker: Attacker, table: str) -> AsyncIterator[None]:
    """Previews of every place for every stone, one after another: each is computed anew."""
    client = attacker.client()
    while True:
        now = await attacker.ask(client, "GET", f"/tables/{table}")
        seat = now["table"]["turn"] or 0
        now = await attacker.ask(client, "GET", f"/tables/{table}?seat={seat}")
        for choice in (now["position"] or {"choices": []})["choices"]:
            body = {"seat": seat, "version": now["version"], "draft": [choice["text"]]}
            first = await attacker.ask(client, "POST", f"/tables/{table}/preview", body)
            yield
            for place in first.get("choices", ()):
                await attacker.ask(
                    client, "POST", f"/tables/{table}/preview", {**body, "draft": [choice["text"], place["text"]]}
                )
                yield
        yield


async def look(attacker: Attacker, table: str) -> AsyncIterator[None]:
    """Looks at a table in all languages, from all seats."""
    client = attacker.client()
    for seat, language in itertools.cycle(itertools.product((0, 1), LANGUAGES)):
        await attacker.ask(client, "GET", f"/tables/{table}?seat={seat}&language={language}")
        yield


async def read_events(attacker: Attacker, table: str) -> AsyncIterator[None]:
    """Reads the whole log of a table, again and again."""
    client = attacker.client()
    for language in itertools.cycle(LANGUAGES):
        after = 0
        while after is not None:
            answer = await attacker.ask(client, "GET", f"/tables/{table}/events?after={after}&language={language}")
            after = answer.get("next")
            yield


async def play(attacker: Attacker, table: str) -> AsyncIterator[None]:
    """Plays on at a table whose seats are all its own."""
    client = attacker.client()
    while True:
        now = await attacker.ask(client, "GET", f"/tables/{table}")
        seat = now["table"]["turn"] or 0
        now = await attacker.ask(client, "GET", f"/tables/{table}?seat={seat}")
        choices = [one["text"] for one in (now["position"] or {"choices": []})["choices"]]
        if choices:
            draft = ["pass"] if "pass" in choices else [choices[0], "."]
            await attacker.command(client, table, "actions", seat=seat, version=now["version"], draft=draft)
        yield


async def hint(attacker: Attacker, table: str) -> AsyncIterator[None]:
    """Asks for hints."""
    client = attacker.client()
    while True:
        now = await attacker.ask(client, "GET", f"/tables/{table}?seat=0")
        await attacker.ask(client, "POST", f"/tables/{table}/hint", {"seat": 0, "version": now["version"], "draft": []})
        yield


async def replay(attacker: Attacker, text: str) -> AsyncIterator[None]:
    """Has a long record replayed."""
    client = attacker.client()
    while True:
        await attacker.ask(client, "POST", "/replays", {"record": text})
        await asyncio.sleep(2)  # the limit of replays per minute
        yield


async def film(attacker: Attacker, table: str) -> AsyncIterator[None]:
    """Asks for the films of all events."""
    client = attacker.client()
    for number in itertools.count(10):
        await attacker.ask(client, "GET", f"/tables/{table}/films/{10 + number % 250}")
        await asyncio.sleep(2)
        yield


@asynccontextmanager
async def attack(port: int, source: str) -> AsyncIterator[tuple[Attacker, asyncio.Event]]:
    """Everything at once while the event is set; eight tables of strong bots play all the time."""
    attacker, active = Attacker(port, source), asyncio.Event()
    client = attacker.client()
    tower = await _tower(attacker)
    large = [
        await attacker.open_table(
            client, "rondo", "Mal", "Lory", edition="blue", first=0, options={"board": big_board()}
        )
        for _ in range(2)
    ]
    bag = {"R": 1000, "B": 1000, "G": 1000}
    long = await attacker.open_table(client, "template", "level:1", "level:1", games=1, options={"bag": bag})
    hints = await attacker.open_table(client, "rondo", "Mal", "Lory", first=0)
    work: list[AsyncIterator[None]] = [
        *(preview(attacker, tower) for _ in range(3)),
        *(look(attacker, large[0]) for _ in range(3)),
        *(read_events(attacker, long) for _ in range(3)),
        play(attacker, large[1]),
        *(hint(attacker, hints) for _ in range(2)),
        *(replay(attacker, long_record()) for _ in range(2)),
        film(attacker, tower),
    ]
    strong: list[str] = []

    async def keep_strong() -> None:
        while True:
            await active.wait()
            if len(strong) < 8:
                strong.append(await attacker.open_table(client, "rondo", "level:5", "level:5", games=1))
            await asyncio.sleep(0.2)

    tasks = [asyncio.create_task(_drive(one, active)) for one in work]
    tasks.append(asyncio.create_task(keep_strong()))
    try:
        yield attacker, active
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _drive(work: AsyncIterator[None], active: asyncio.Event) -> None:
    while True:
        await active.wait()
        await anext(work)
        await asyncio.sleep(PAUSE)
