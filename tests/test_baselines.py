"""The published baselines: the page shows what the file holds, and the file's ratings fit its results."""

from __future__ import annotations

import json
import re

import pytest

from spieltisch import registry
from spieltisch.arena.bradley_terry import Pairing, fit
from spieltisch.arena.workers import InlineWorkers
from tests.campaigns import prove_baselines
from tests.campaigns.prove_baselines import (
    ANCHOR,
    ANCHOR_RATING,
    DATA,
    FORMAT,
    MAX_MARGIN,
    PAGE,
    cross_table,
    keep_old,
    merge,
    ratings_table,
)

BASELINES = json.loads(DATA.read_text(encoding="utf-8"))
GAMES = BASELINES["games"]


def results(game: str) -> list[Pairing]:
    return merge({"pairings": GAMES[game]["pairings"]}, ())


@pytest.mark.parametrize("game", GAMES)
def test_the_page_shows_what_the_file_holds(game):
    page = PAGE.read_text(encoding="utf-8")
    assert BASELINES["format"] == FORMAT
    assert ratings_table(GAMES[game]) in page
    assert cross_table(GAMES[game]) in page


@pytest.mark.parametrize("game", GAMES)
def test_the_anchor_has_its_fixed_rating(game):
    assert GAMES[game]["players"][ANCHOR]["rating"] == ANCHOR_RATING


@pytest.mark.parametrize("game", GAMES)
def test_every_rating_follows_from_the_results_if_all_others_are_held_fixed(game):
    players = GAMES[game]["players"]
    for name in players.keys() - {ANCHOR}:
        others = {other: entry["rating"] for other, entry in players.items() if other != name}
        assert fit(results(game), others)[name] == pytest.approx(players[name]["rating"], abs=0.5)


def test_a_player_that_plays_differently_keeps_its_old_rating_under_its_date():
    kept = {
        "players": {"level:5": {"rating": 1400.0, "fingerprint": "old", "date": "2026-01-01"}},
        "pairings": [{"players": ["greedy", "level:5"], "shares": {"0.0": 3}}],
    }
    keep_old(kept, {"level:5": "new"})
    assert list(kept["players"]) == ["level:5 (2026-01-01)"]
    assert kept["pairings"][0]["players"] == ["greedy", "level:5 (2026-01-01)"]
    keep_old(kept, {"level:5": "new"})
    assert list(kept["players"]) == ["level:5 (2026-01-01)"]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_not_well_known_is_provisional(game):
    for entry in GAMES[game]["players"].values():
        wide = entry["interval"] is not None and entry["interval"][1] - entry["rating"] > MAX_MARGIN
        assert entry["provisional"] is (wide or bool(entry["bound"]))


def test_a_later_player_is_added_and_moves_nobody(tmp_path, monkeypatch):
    monkeypatch.setattr(prove_baselines, "ROOT", tmp_path)
    monkeypatch.setattr(prove_baselines, "MAX_MARGIN", 1000.0)
    monkeypatch.setitem(prove_baselines.ROSTERS, "template", "random greedy")
    game, kept = registry.find("template"), {"players": {}, "pairings": []}
    prove_baselines.rate(game, kept, (), 60, InlineWorkers())
    before = json.dumps(kept["players"])
    assert set(kept["players"]) == {"random", "greedy"}
    assert kept["players"]["random"]["rating"] < ANCHOR_RATING
    prove_baselines.rate(game, kept, ["level:1"], 60, InlineWorkers())
    assert list(kept["players"]) == [*json.loads(before), "level:1"]
    assert json.dumps({name: kept["players"][name] for name in json.loads(before)}) == before
    assert len(kept["pairings"]) == 3
    prove_baselines.rate(game, kept, ["level:1"], 60, InlineWorkers())
    assert json.dumps({name: kept["players"][name] for name in json.loads(before)}) == before
    assert "level:1" in ratings_table(kept)


def test_a_run_without_new_games_changes_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(prove_baselines, "ROOT", tmp_path)
    monkeypatch.setattr(prove_baselines, "MAX_MARGIN", 0.0)
    monkeypatch.setattr(prove_baselines, "MAX_DEALS", 4)
    monkeypatch.setitem(prove_baselines.ROSTERS, "template", "random greedy level:1")
    game, kept = registry.find("template"), {"players": {}, "pairings": []}
    prove_baselines.rate(game, kept, (), 60, InlineWorkers())
    before = json.dumps(kept)
    prove_baselines.rate(game, kept, (), 60, InlineWorkers())
    assert json.dumps(kept) == before


def test_the_page_has_a_date_and_the_numbers_of_games():
    page = PAGE.read_text(encoding="utf-8")
    assert re.search(r"^\d{4}-\d\d-\d\d, `make prove-baselines`", page, re.MULTILINE)
    for game in GAMES:
        assert all(pairing.games >= 2 for pairing in results(game))
