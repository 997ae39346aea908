"""Fixtures of the players' tests."""

from __future__ import annotations

import pytest

from tests.players.external_bots import BOTS


@pytest.fixture
def bots_folder(monkeypatch):
    """Changes to the folder of the test bots."""
    monkeypatch.chdir(BOTS)
