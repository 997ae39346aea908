"""Checks after a fault: the database is opened again without faults, and compared with what the clients know."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any

from spieltisch.i18n.format import format_message
from spieltisch.i18n.message import message_factory
from spieltisch.server.storage.check import check
from tests.campaigns.faults.journal import Account, Journal, Operation
from tests.campaigns.faults.workload import BACKUP, serve

_say = message_factory("")
_READS = ("look", "ready", "fairness")
FULL = format_message(_say("server.full"), "en")
_UNCLEAR = format_message(_say("server.broken"), "en")
_EVENTS = {"join": "sat", "start": "gathered", "resign": "resigned", "rematch": "followed"}  # at most one per command


class Violation(AssertionError):
    """Something that must hold does not hold."""


def require(true: object, *facts: object) -> None:
    """Violation unless it is true."""
    if not true:
        raise Violation(" ".join(map(str, facts)))


def check_responses(account: Account) -> None:
    """Checks what clients were told during the faults: success, a refusal, or that the database does not respond."""
    known: dict[str, int] = defaultdict(int)
    for one in account.operations:
        if one.status is None:
            continue
        require(one.status < 500 or one.status == 503, one, "has an unexpected status")
        require(one.response.get("message") != _UNCLEAR, one, "failed without a clear reason")
        if one.acknowledged and "version" in one.response and one.table:
            version = one.response["version"]
            require(version >= known[one.table], one, "shows less than was acknowledged before")
            known[one.table] = version


async def recover(folder: Path, account: Account, journal: Journal) -> None:
    """Starts the application again, repeats every command, and checks what is stored."""
    deleted = {one.table for one in account.operations if one.what == "delete"}
    async with serve(folder, journal, Random(0)) as clients:
        for one in account.operations:
            if one.what in _READS or not (one.acknowledged or one.unknown) or one.table in deleted:
                continue  # a command that was refused may be possible by now
            if one.what == "open" and one.response.get("table") in deleted:
                continue  # its key is forgotten with the table
            status, response = await clients.send(one)
            if one.acknowledged:
                require((status, response) == (one.status, one.response), one, "is now answered with", response)
            else:
                require(status != 503, one, "is still not answered:", response)
                one.status, one.response = status, response
        for one in account.operations:
            if one.what == "delete":
                status, _ = await clients.send(one)
                require(
                    status == 404 if one.acknowledged else status in (204, 404), one, "is now answered with", status
                )
    found = {one.table: one.problem async for one in check(str(folder / "tables.sqlite"))}
    require(not any(found.values()), "damaged:", found)
    _check_content(folder / "tables.sqlite", account)
    if any(note.get("backup") for note in account.notes):
        copied = {one.table: one.problem async for one in check(str(folder / BACKUP))}
        require(copied, "an empty backup")
        require(not any(copied.values()), "a damaged backup:", copied)


def read_logs(file: Path) -> dict[str, list[tuple[int, str]]]:
    """The numbered lines of every table."""
    logs: dict[str, list[tuple[int, str]]] = defaultdict(list)
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        for table, number, line in store.execute('SELECT "table", number, line FROM log ORDER BY "table", number'):
            logs[table].append((number, line))
    return dict(logs)


def _check_content(file: Path, account: Account) -> None:
    logs = read_logs(file)
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as store:
        keys = set(store.execute('SELECT "table", key FROM answers'))
        tables = {table for (table,) in store.execute("SELECT id FROM tables")}
    deleted = {one.table for one in account.operations if one.what == "delete"}
    opened = {one.response["table"] for one in account.operations if one.acknowledged and "table" in one.response
              and one.what in ("open", "rematch")}  # fmt: skip
    before = set(next((note["tables"] for note in account.notes if "tables" in note), ()))
    expected = (opened | before) - deleted
    require(tables == expected == set(logs), "tables", tables, "with logs", set(logs), "instead of", expected)
    for table in sorted(opened - deleted):
        at_table = [one for one in account.operations if one.table == table and one.what not in _READS]
        _check_table(table, logs[table], at_table)
        stored = {key for name, key in keys if name == table}
        done = {one.key for one in at_table if one.acknowledged} | {
            one.key for one in account.operations if one.what == "open" and one.response.get("table") == table
        }
        require(stored == done, table, "has responses to", stored, "instead of", done)


def _check_table(table: str, log: list[tuple[int, str]], operations: list[Operation]) -> None:
    """Checks that the log contains every acknowledged command once, in order, and no other."""
    lines = [line for _, line in log]
    require([number for number, _ in log] == list(range(1, len(log) + 1)), table, "has a gap")
    done = [one for one in operations if one.acknowledged]
    require([one.response["version"] for one in done] == sorted(one.response["version"] for one in done), table, done)
    played = [f"{one.body['seat']} {text}" for one in done if one.what == "actions" for text in one.body["draft"]]
    require([line for line in lines if line[:1].isdigit()] == played, table, "has moves", lines, "not", played)
    events: Counter[Any] = Counter(json.loads(line[2:])["do"] for line in lines if line.startswith("@ "))
    for what, event in _EVENTS.items():
        count = sum(one.what == what for one in done)
        if what not in ("join", "start"):
            require(events[event] == count, table, "has", events[event], event, "for", count, what)
        elif what == "join" and count:
            sat = sum(line.startswith('@ {"do":"sat","seat":1,') for line in lines)
            require(sat == 1, table, "has somebody sit down", sat, "times")
