"""Live tables: their clocks."""

from __future__ import annotations

import time

import pytest

from spieltisch.server.runtime.table import Table, seconds_left
from spieltisch.server.storage.reads import StoredTable
from spieltisch.server.workers.rules import TableStatus
from spieltisch.table.codec import Row
from spieltisch.table.state import Wait, Waiting

NOW = 1_800_000_000.0


@pytest.mark.parametrize(("later", "left"), [(0, 60), (10, 50), (86_400, 0), (-1, 60), (-86_400, 60)])
def test_a_wall_clock_that_is_set_back_gives_nobody_more_than_a_whole_turn(monkeypatch, later, left):
    table = Table("ada", StoredTable([Row("a turn begins", int(NOW * 1000))], {}))
    status = TableStatus(1, b"", "template", "playing", Waiting(Wait.PERSON, 0, None, 1), 60, False, "", 1, 0.0)
    monkeypatch.setattr(time, "time", lambda: NOW + later)
    assert seconds_left(table, status) == left
