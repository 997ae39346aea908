"""Chart and report of a tournament."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from spieltisch.arena.chart import draw_chart
from spieltisch.arena.report import format_report
from spieltisch.arena.statistics import (
    MIN_DEALS,
)
from spieltisch.arena.tournament import compete
from spieltisch.games.template.knowledge import PLAYERS
from spieltisch.i18n.format import LANGUAGES
from tests.arena.bots import First
from tests.arena.cases import BOTH, GAME


def test_the_chart_is_accessible_and_has_a_dark_mode(bots, monkeypatch):
    monkeypatch.setitem(PLAYERS, "<b>&", First)
    result = compete(GAME, {"players": 3}, [*BOTH, "crashing", "<b>&"], deals=4)
    for language in LANGUAGES:
        picture = draw_chart(result, "Pebbles", language)
        root = ET.fromstring(picture)
        name = "{http://www.w3.org/2000/svg}"
        texts = [text.text or "" for text in root.iter(f"{name}text")]
        assert root.get("role") == "img"
        labels = {root.find(f"{name}title"), root.find(f"{name}desc")}
        assert {label.get("id") for label in labels if label is not None} == set(
            (root.get("aria-labelledby") or "").split()
        )
        assert all(label is not None and label.text for label in labels)
        for row in result.entrants:
            assert row.name in texts
        assert "prefers-color-scheme: dark" in picture
        width = float((root.get("viewBox") or "").split()[2])
        assert all(
            0 <= float(bar.get("x") or 0) + float(bar.get("width") or 0) <= width for bar in root.iter(f"{name}rect")
        )


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_is_reported_in_every_language(language, bots):
    result = compete(GAME, {"players": 3}, [*BOTH, "lying"], deals=31)
    lines = format_report(result._replace(ended="decided"), "Pebbles", language)
    assert len(lines) == 1 + 3 + 3 + 1 + 1 + 10 + 1
    assert "greedy" in lines[1]
    early = format_report(compete(GAME, {}, BOTH, deals=1), "Pebbles", language)
    assert str(MIN_DEALS) in early[-1]
