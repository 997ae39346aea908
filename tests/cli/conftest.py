"""Fixtures of the command line's tests: a record in a file, and a folder to play in."""

from __future__ import annotations

from pathlib import Path

import pytest

from spieltisch.records import write
from tests.cli.play_session import PlaySession
from tests.cli.records import write_file
from tests.support.command import random_record


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A real game of Pebbles in a file."""
    return write_file(tmp_path / "real.game", write(random_record(1)))


@pytest.fixture
def session(tmp_path: Path) -> PlaySession:
    return PlaySession(tmp_path)
