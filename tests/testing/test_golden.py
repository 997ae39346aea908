"""Golden games replay, are written byte for byte, and are still played by today's bots; those of old rules replay."""

from __future__ import annotations

import pytest

from spieltisch import registry
from spieltisch.gameplay.verify import verify
from spieltisch.records import read, write
from tests.support.golden import GAMES, golden_games

FILES = sorted(GAMES.glob("*/tests/golden/*.game"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-4]}-{path.stem}")
def test_a_golden_game_replays_and_is_written_byte_for_byte(path):
    text = path.read_text(encoding="utf-8")
    assert verify(read(text)).finished
    assert write(read(text)) == text


@pytest.mark.parametrize("name", registry.names())
def test_the_golden_games_are_played_the_same_today(name):
    """If this fails and the change is meant: `make golden`, then look at the difference."""
    for file, text in golden_games(registry.find(name)).items():
        assert (GAMES / name / "tests" / "golden" / file).read_text(encoding="utf-8") == text, file
