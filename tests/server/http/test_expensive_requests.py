"""Requests that take as much work as a request can: nobody at another table waits for them."""

from __future__ import annotations

import json
import string
import threading
import time
from collections.abc import Iterator
from typing import Self

import httpx

from tests.server.http.hostile.requests import (
    GAMES,
    check_response,
    post,
)
from tests.support.server import TIMEOUT, Person, Server, new_key

LONG = 2.0  # seconds of a request in which somebody else must have had several turns, however busy the machine is


def expensive_records() -> Iterator[str]:
    """Records as long as a request may be, in which the same thing is done and undone again and again."""
    for record, entry in (("turmbauer/match", "4l"), ("rondo/red-4", "O8:P")):
        game, _, name = record.partition("/")
        lines = (GAMES / game / "tests/golden" / f"{name}.game").read_text(encoding="utf-8").splitlines()
        at = max(number for number, line in enumerate(lines) if line.endswith(f" {entry}") and line[0].isdigit())
        begun = [line for line in lines[: at + 1] if not line.startswith("match ")]
        assert sum(line.startswith("game ") for line in begun) == 1, record
        again = f"undo 1\n{lines[at]}\n"
        text = "\n".join(begun) + "\n"
        yield text + again * ((30_000 - len(text)) // (len(again) + 2))


def big_board(fields: int, links: int) -> dict:
    """A board of so many fields, each linked to as many others, all of them beside the centre."""
    letters = string.ascii_letters.replace("C", "")
    names = [a + b for a in letters for b in ("", *string.digits, *string.ascii_lowercase)][:fields]
    beside = {
        name: [names[(at + step) % fields] for step in range(-links // 2, links // 2 + 1) if step] + ["C"]
        for at, name in enumerate(names)
    }
    side = {name: {"colour": "PBYGR"[at % 5], "value": 1} for at, name in enumerate(names)}
    return {"cells": names, "adjacency": {**beside, "C": names}, "grey": names, "sides": {"blue": side}}


class SteadyPlayer:
    """A client that plays on and on."""

    def __init__(self, server: Server) -> None:
        bag = {"R": 900, "B": 900, "G": 900}
        self.table = Person(server).open_table("template", "Eva", "Ida", games=2, first=0, options={"bag": bag})
        self.turns = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def _play(self) -> None:
        while not self._over.is_set():
            seat = self.table.look()["table"]["turn"]
            told = self.table.look(seat=seat)
            draft = [told["position"]["choices"][-1]["text"]]
            self.table.do("actions", seat=seat, version=told["version"], draft=draft)
            self.turns += 1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(TIMEOUT)


class Mallory(Person):
    """A client of expensive requests, during each of which somebody else plays on."""

    def __init__(self, server: Server, player: SteadyPlayer) -> None:
        super().__init__(server)
        self.http.timeout = 10 * TIMEOUT  # limits count processor time, which takes long on a busy machine
        self.http.event_hooks = {"request": [self._begin], "response": [self._others_played]}
        self._player = player
        self.longest = (0.0, 0)  # seconds of the longest request, and somebody else's turns meanwhile

    def _begin(self, _: httpx.Request) -> None:
        self._before = self._player.turns, time.monotonic()

    def _others_played(self, _: httpx.Response) -> None:
        before, began = self._before
        seconds, turns = time.monotonic() - began, self._player.turns - before
        self.longest = max(self.longest, (seconds, turns))
        if seconds > LONG:
            assert turns > 1  # one may have been answered before the request arrived


def play_on_a_big_board(mallory: Person, fields: int, links: int) -> None:
    seats = [{"kind": "person", "name": "Mal"}, {"kind": "person", "name": "Lory"}]
    plan = {
        "game": "rondo",
        "edition": "blue",
        "seats": seats,
        "first": 0,
        "options": {"board": big_board(fields, links)},
    }
    opened = post(mallory, "/api/tables", {"key": new_key(), **plan})
    assert opened.status_code == 201, opened.text
    path = f"/api/tables/{opened.json()['table']}"
    for seat in (0, 1) * 2:
        now = check_response(mallory.http.get(mallory.url(path), params={"seat": seat})).json()
        choices = [one["text"] for one in now["position"]["choices"]]
        draft = ["pass"] if "pass" in choices else [choices[0], "."]
        body = {"seat": seat, "version": now["version"], "draft": draft}
        assert post(mallory, f"{path}/preview", body).status_code == 200
        assert post(mallory, f"{path}/actions", {"key": new_key(), **body}).status_code == 200
    check_response(mallory.http.get(mallory.url(f"{path}/events")))


def test_expensive_requests_delay_no_other_table(tmp_path):
    server = Server(tmp_path)
    try:
        with SteadyPlayer(server) as player:
            mallory = Mallory(server, player)
            for text in expensive_records():
                assert post(mallory, "/api/replays", {"record": text}).status_code in (200, 413)
            play_on_a_big_board(mallory, 490, 4)
            play_on_a_big_board(mallory, 90, 30)
    finally:
        assert server.stop() == 0
    assert mallory.longest[1] > 1  # however quick the machine is
    assert {json.loads(line)["event"] for line in server.errors} <= {
        "worker process replaced"
    }  # by a record that took too long
