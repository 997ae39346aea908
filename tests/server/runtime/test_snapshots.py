"""After a restart a table goes on from its snapshot, or from its log if there is none that fits."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time

from tests.support.server import TIMEOUT, Person, Server, reusable_port


def query(server: Server, statement: str, *values: object) -> list[tuple]:
    with contextlib.closing(sqlite3.connect(server.file, timeout=TIMEOUT)) as database:
        found = database.execute(statement, values).fetchall()
        database.commit()
        return found


def snapshots(server: Server) -> list[tuple]:
    return query(server, "SELECT version FROM snapshots")


def test_a_tower_goes_on_from_its_snapshot_and_from_its_log_if_that_does_not_fit(tmp_path):
    server = Server(tmp_path, port=reusable_port())
    try:
        at = Person(server).open_table("turmbauer", "level:1", "level:1", games=1, public=True)
        end = time.monotonic() + 4 * TIMEOUT
        while not snapshots(server):
            assert time.monotonic() < end
            time.sleep(0.2)
        whole = query(server, "SELECT * FROM snapshots")[0]
        for change in (
            "UPDATE snapshots SET code = 'older'",
            "UPDATE snapshots SET digest = 'another past'",
            "UPDATE snapshots SET body = x'00'",
        ):
            server.kill()
            before = query(server, "SELECT count(*) FROM log")[0][0]
            query(server, "UPDATE tables SET waits = 'nobody'")  # it stays as it is
            query(server, change)
            server.start()
            assert at.events()["events"][-1]["number"] == before
            logged = [json.loads(line)["event"] for line in server.errors]
            assert logged == (["snapshot not used"] if "body" in change else []), change
            query(server, "DELETE FROM snapshots")
            query(server, "INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)", *whole)
        at.delete()
        assert not snapshots(server)
    finally:
        server.stop()
