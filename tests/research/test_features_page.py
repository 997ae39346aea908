"""The page about observations shows the tables that the games define."""

from __future__ import annotations

import pytest

from spieltisch import registry
from tests.research import features_page


@pytest.mark.parametrize("game", registry.all(), ids=lambda game: game.name)
def test_the_page_shows_every_field_with_its_size_range_meaning_and_version(game):
    section = "\n".join(features_page.section(game))
    table = registry.features(game, game.agree())
    assert f"{game.title}: {table.version}" in section
    for field in table.fields:
        (row,) = [line for line in section.splitlines() if line.startswith(f"| `{field.name}` |")]
        assert f"| {field.low:g} to {field.high:g} | {field.doc} |" in row
    for players in game.players:
        assert registry.features(game, game.agree(players)).digest in section


def test_the_page_is_current():
    kept = features_page.PAGE.read_text(encoding="utf-8")
    assert kept == features_page.page(), "python -m tests.research.features_page writes the page"
