"""Checks of a crash test: the database after a kill, and the logs at the end."""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.campaigns.crash_plan import TablePlan

if TYPE_CHECKING:
    from tests.campaigns.crash_evening import Evening


class AcknowledgedCommand(NamedTuple):
    """A command that the server has acknowledged, so that it must never be lost."""

    table: str
    name: str
    key: str
    body: dict
    response: dict


class StoreSnapshot(NamedTuple):
    """The content of the database: the log of every table and what it waits for, every response, and finished games."""

    rows: dict[str, list[tuple[str, int]]]
    waits: dict[str, str]
    answers: dict[tuple[str, str], dict]
    ended: dict[str, int]  # by game


def read_store(file: Path) -> StoreSnapshot:
    """Reads the database of a killed server from a copy, so that the next server finds the original untouched."""
    with tempfile.TemporaryDirectory() as folder:
        for name in (file.name, f"{file.name}-wal"):
            if (file.parent / name).exists():
                shutil.copy(file.parent / name, folder)
        with contextlib.closing(sqlite3.connect(Path(folder) / file.name)) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            rows: dict[str, list[tuple[str, int]]] = {}
            for table, number, line, at in copy.execute('SELECT * FROM log ORDER BY "table", number'):
                rows.setdefault(table, []).append((line, at))
                assert len(rows[table]) == number, f"{table} has a gap before line {number}"
            answers = copy.execute('SELECT "table", key, answer FROM answers')
            return StoreSnapshot(
                rows,
                dict(copy.execute("SELECT id, waits FROM tables")),
                {(table, key): json.loads(answer) for table, key, answer in answers},
                dict(copy.execute("SELECT game, games FROM draw_totals")),
            )


def check_log(evening: Evening) -> None:
    """Checks the logs against the acknowledged commands: each is there, once, at the version of its response."""
    snapshot = read_store(evening.server.file)
    plans = {user.shared.table: user.plan for user in evening.users}
    following = {json.loads(line[2:])["table"]: table for table, rows in snapshot.rows.items()
                 for line, _ in rows if line.startswith('@ {"do":"followed"')}  # fmt: skip
    assert set(snapshot.rows) == {*plans, *following}, "a table was opened twice, or not at all"
    ended: Counter[str] = Counter()
    for table in snapshot.rows:
        plan = plans[following.get(table, table)]
        acknowledged = sorted(
            (one for one in evening.acknowledged if one.table == table), key=lambda one: one.response.get("version", 0)
        )
        _check_table([line for line, _ in snapshot.rows[table]], plan, acknowledged)
        resigned = any(line.startswith('@ {"do":"resigned"') for line, _ in snapshot.rows[table])
        ended[plan.game] += 0 if resigned else plan.games
    assert snapshot.ended == +ended, "a finished game was counted twice, or not at all"


def _check_table(lines: list[str], plan: TablePlan, acknowledged: Sequence[AcknowledgedCommand]) -> None:
    events = [json.loads(line[2:]) for line in lines if line.startswith("@ ")]
    kinds = Counter(event["do"] for event in events)
    commands = Counter(one.name for one in acknowledged)
    entries = [(int(line.split(" ", 1)[0]), line.split(" ", 1)[1]) for line in lines if line[:1].isdigit()]
    for seat in range(plan.people):
        drafts = [one for one in acknowledged if one.name == "actions" and one.body["seat"] == seat]
        played = [text for one in drafts for text in one.body["draft"]]
        assert [text for actor, text in entries if actor == seat] == played, f"seat {seat}: {commands}"
        assert sum(event["do"] == "sat" and event["seat"] == seat for event in events) == 1
        assert sum(event["do"] == "revealed" and event["seat"] == seat for event in events) == 1
    for one in acknowledged:
        if one.name == "actions":
            before = [line for line in lines[: one.response["version"]] if line[:1].isdigit()]
            draft = [f"{one.body['seat']} {text}" for text in one.body["draft"]]
            assert before[-len(draft) :] == draft, f"{one} is not at its version"
    undone = sum(line.startswith("undo ") for line in lines)
    if plan.people == 1:
        assert undone == commands["undo"]
    else:
        assert kinds["asked"] == commands["undo"]
        assert kinds["answered"] == commands["answer"]
        assert undone == sum(one.name == "answer" and one.body["yes"] is True for one in acknowledged)
    assert kinds["resigned"] == bool(commands["resign"]), "a second resignation is acknowledged without effect"
    assert plan.moves is not None or not commands["resign"]
    assert kinds["gathered"] == 1
    assert kinds["started"] == plan.games
