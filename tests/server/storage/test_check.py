"""Integrity of a database: damage is found, said in a sentence, and never served as another game."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time

import pytest

from tests.support.command import run
from tests.support.server import TIMEOUT, Person, Refused, Server, reusable_port

DAMAGE = {
    "missing": ('DELETE FROM log WHERE "table" = ? AND number = 5', "event 5 is missing."),
    "changed": (
        "UPDATE log SET line = line || ' ' WHERE \"table\" = ? AND number = 1",
        "an event was changed after it was written.",
    ),
    "cut": (
        'DELETE FROM log WHERE "table" = ? AND number = (SELECT version FROM tables WHERE id = log."table")',
        "is missing.",
    ),
}


@pytest.fixture(scope="module")
def damaged(tmp_path_factory):
    """A server with one table per kind of damage, and one that is in order."""
    server = Server(tmp_path_factory.mktemp("damaged"), port=reusable_port())
    ada = Person(server)
    tables = {name: ada.open_table("template", "Ada", "level:1") for name in (*DAMAGE, "sound")}
    for table in tables.values():
        table.play(0, steps=2)
    whole = run("check", "--data", server.file, "--language", "en")
    server.stop()
    with contextlib.closing(sqlite3.connect(server.file)) as store, store:
        for name, (statement, _) in DAMAGE.items():
            store.execute(statement, (tables[name].table,))
    server.start()
    yield server, ada, tables, whole
    server.stop()


def test_a_database_in_order_is_said_to_be(damaged):
    _, _, tables, whole = damaged
    assert (whole.code, whole.err) == (0, "")
    assert whole.out.startswith(f"{len(tables)} tables with ")
    assert whole.out.endswith(" events: all in order.\n")


def logged(server: Server) -> set[tuple[str, str | None]]:
    """The events of the server's log, with their tables."""
    lines = [json.loads(line) for line in server.errors]
    return {(line["event"], line.get("table")) for line in lines}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_table_is_refused_in_a_sentence(damaged, name):
    server, _, tables, _ = damaged
    for ask in (tables[name].look, tables[name].events, tables[name].record):
        with pytest.raises(Refused) as refused:
            ask()
        assert (refused.value.status, refused.value.code) == (500, "damaged")
        assert "is damaged, so the table is not shown" in refused.value.body["message"]
    assert tables[name].refused("resign", seat=0).code == "damaged"
    end = time.monotonic() + TIMEOUT
    while ("log damaged", tables[name].table) not in logged(server):  # the log is read beside the test
        assert time.monotonic() < end
        time.sleep(0.05)


def test_the_other_tables_go_on(damaged):
    _, _, tables, _ = damaged
    assert tables["sound"].play(0)["table"]["status"] == "over"


def test_the_check_names_every_damaged_table(damaged):
    server, _, tables, _ = damaged
    found = run("check", "--data", server.file, "--language", "en")
    assert (found.code, found.out) == (1, "")
    *lines, last = found.err.splitlines()
    assert last == "3 of 4 tables are damaged."
    told = dict(line.split(": ", 1) for line in lines)
    assert told.keys() == {tables[name].table for name in DAMAGE}
    for name, (_, sentence) in DAMAGE.items():
        assert told[tables[name].table].endswith(sentence)


def test_a_file_that_is_no_database_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("no database " * 1000)
    for name in ("notes.txt", "missing.sqlite"):
        found = run("check", "--data", tmp_path / name, "--language", "en")
        assert (found.code, found.out) == (1, "")
        assert found.err == f"{tmp_path / name} cannot be read as a database, or the file is damaged.\n"
