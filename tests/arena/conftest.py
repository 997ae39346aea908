"""Fixtures of the tests of the arena."""

from __future__ import annotations

import pytest

from spieltisch.games.template.knowledge import PLAYERS
from tests.arena.bots import BOTS


@pytest.fixture
def bots(monkeypatch):
    """Registers the test bots for the template game."""
    for name, bot in BOTS.items():
        monkeypatch.setitem(PLAYERS, name, bot)
