"""Deleting tables: by the host only, while others play, and without a trace in any file."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import TableWrite
from spieltisch.table.codec import Row
from tests.server.clients import StreamReader, commit, open_seat
from tests.support.server import (
    Person,
    Refused,
    Server,
    run_concurrently,
    running_server,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server


def bytes_of(folder: Path) -> bytes:
    """All files, read by another process: one that has the database open loses its locks if it closes the file."""
    read = (
        "import pathlib, sys; [sys.stdout.buffer.write(it.read_bytes()) for it in pathlib.Path(sys.argv[1]).iterdir()]"
    )
    return subprocess.run([sys.executable, "-ISc", read, folder], capture_output=True, check=True).stdout


def lines_of(file: Path, table: str) -> list[str]:
    """The lines of a table that no other table's log has, read while the server runs."""
    own = 'SELECT line FROM log WHERE "table" = ? ORDER BY number'
    others = 'SELECT line FROM log WHERE "table" != ?'
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        common = {line for (line,) in connection.execute(others, (table,))}
        return [line for (line,) in connection.execute(own, (table,)) if line not in common and len(line) > 20]


def test_a_deleted_table_leaves_nothing_in_any_file(server, newcomer):
    """Names, codes, secrets, lines and keys: nothing of them is left, and whoever watches is told that it is gone."""
    ada, bob, guest = newcomer(), newcomer(), newcomer()
    nonce = secrets.token_hex(16)
    at = ada.open_table(
        "template", {"kind": "person", "name": "Ada the Deleted", "commit": commit(nonce)}, "open", games=2
    )
    code = at.look()["table"]["code"]
    bob.at(at.table).do("join", name="Bob to be forgotten", code=code)
    guest.at(at.table).do("watch", code=code)
    ear = StreamReader(guest.at(at.table))
    at.do("start")
    at.do("reveal", seat=0, nonce=nonce)
    key = "a-key-to-be-forgotten"
    told = at.wait_until(lambda told: told["table"]["status"] == "playing")
    mover = (at, bob.at(at.table))[told["table"]["turn"]]
    draft = [mover.look()["position"]["choices"][0]["text"]]
    mover.do("actions", key=key, seat=told["table"]["turn"], version=told["version"], draft=draft)
    folder = server.file.parent
    lines = lines_of(server.file, at.table)
    assert len(lines) >= 5  # opened, two seats, the guest, the nonce; some lines say nothing that is private
    chance = json.loads(lines[0].removeprefix("@ "))["secrets"]
    traces = [*lines, *chance, "Ada the Deleted", "Bob to be forgotten", code, nonce, key, at.table]
    traces += [one.holder for one in (ada, bob, guest)]
    assert len(chance) == 2
    before = bytes_of(folder)
    assert all(trace.encode() in before for trace in traces)
    with pytest.raises(Refused, match="not-yours"):
        bob.at(at.table).delete()
    at.delete()
    after = bytes_of(folder)
    assert [trace for trace in traces if trace.encode() in after] == []
    ear.end()
    assert ear.told[-1]["event"] == "gone"
    for client in (ada, bob, guest):
        with pytest.raises(Refused, match="not-found"):
            client.at(at.table).look()


async def keep_and_forget(file: Path, seed: int) -> list[str]:
    """What is left of tables that were deleted among many others, which grew in any order."""
    dice, names = Random(seed), [f"{number:016x}" for number in Random(2).sample(range(1 << 60), 60)]
    store, grown = Store.in_file(file), dict.fromkeys(names, 0)
    await store.open()

    def news(name: str, creation: str | None) -> TableWrite:
        summary = json.dumps({"seats": [f"Nobody {name}", "x" * dice.randrange(40)] * 3})
        line = f"line {grown[name]} of {name} " + "y" * dice.choice((20, 60, 200, 700, 1200))
        grown[name] += 1
        return TableWrite(
            name, grown[name] - 1, [Row(line, 0)], None, True, "playing", "person", summary, 0, creation=creation
        )

    opened = [news(name, f"by {name}") for name in names]
    happened = [news(dice.choice(names), None) for _ in names]
    await asyncio.gather(*map(store.write, opened))
    await asyncio.gather(*map(store.write, happened))
    left = []
    for name in dice.sample(names, 25):
        assert name.encode() in bytes_of(file.parent)
        await store.delete(name)
        await store.scrub()
        left += [name] if name.encode() in bytes_of(file.parent) else []
    await store.close()
    return left


@pytest.mark.parametrize("seed", [2, 6])
def test_nothing_is_left_of_tables_deleted_among_many(tmp_path, seed):
    """A database moves rows about when it grows and shrinks: the copies that it leaves behind are deleted too."""
    assert asyncio.run(keep_and_forget(tmp_path / "tables.sqlite", seed)) == []


def test_only_the_host_can_delete_a_table_and_then_it_is_gone(ada, ben, server):
    table, code = open_seat(ada, public=True)
    at = ben.at(table.table)
    at.do("join", name="Ben", code=code)
    with pytest.raises(Refused) as caught:
        at.delete()
    assert caught.value.code == "not-yours"
    with pytest.raises(Refused) as caught:
        Person(server).at(table.table).delete()
    assert caught.value.code == "not-yours", "a public table is there for everybody"
    table.delete()
    for who in (table, at):
        with pytest.raises(Refused) as caught:
            who.look()
        assert caught.value.code == "not-found"
    assert at.refused("start").code == "not-found"
    with pytest.raises(Refused):
        table.delete()
    assert table.table not in [one["table"] for one in ada.get("/api/tables").json()]


def test_a_table_is_deleted_while_its_bots_think(ada):
    tables = [ada.open_table("bigpoints", "level:3", "level:3", games=1) for _ in range(3)]
    tables[0].wait_until(lambda told: told["version"] > 60)
    for table in tables:
        table.delete()
        with pytest.raises(Refused):
            table.look()
    other = ada.open_table("template", "level:1", "level:1")
    other.wait_until(lambda told: told["table"]["status"] == "over")


def test_tables_are_deleted_while_others_play(ada, server):
    def play():
        table = Person(server).open_table("template", "Ada", "Ben", first=0)
        for _ in range(20):
            told = table.look()
            if told["table"]["status"] != "playing":
                return "over"
            move = told["position"]["choices"][0]["text"]
            version = table.do("actions", seat=told["table"]["turn"], version=told["version"], draft=[move])["version"]
            assert table.look()["version"] == version
        return "fine"

    def delete():
        for _ in range(8):
            open_seat(Person(server))[0].delete()
        return "fine"

    answers = run_concurrently(play, delete, play, delete)
    assert set(answers) <= {"fine", "over"}
