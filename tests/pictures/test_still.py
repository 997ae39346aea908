"""Pictures of positions: what a viewer may know, as golden files that were looked at."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from xml.etree import ElementTree as ET

import pytest

from spieltisch import pictures, registry
from spieltisch.core.game import Seat
from spieltisch.i18n.format import LANGUAGES
from tests.support.golden import DOCUMENTATION, GAMES, NAMES, documentation_pictures, golden_pictures, golden_progress

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = [game.name for game in registry.all() if registry.picture(game)]


def progress_of(name: str, *, least: bool = False):
    game = registry.find(name)
    edition = game.editions[0]
    return golden_progress(game, f"{edition.name}-{edition.players[0 if least else -1]}.game")


def draw(progress, viewer=None, language="en", *, dark=False):
    return pictures.picture(progress, viewer, NAMES[: progress.setup.players], language, dark=dark)


@pytest.mark.parametrize("name", DRAWN)
def test_the_pictures_are_drawn_the_same_today(name):
    """If this fails and the change is meant: `make golden`, then look at the pictures."""
    for file, text in golden_pictures(registry.find(name)).items():
        assert (GAMES / name / "tests" / "golden" / file).read_text(encoding="utf-8") == text, file


def test_the_pictures_of_the_documentation_are_drawn_the_same_today():
    """If this fails and the change is meant: `make golden`, then look at the pictures."""
    for file, text in documentation_pictures().items():
        assert (DOCUMENTATION / file).read_text(encoding="utf-8") == text, file
    assert (DOCUMENTATION / "film.svg").stat().st_size < 500_000


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_shows_nothing_that_the_viewer_may_not_know(name):
    """Two states with the same view give the same picture."""
    whole = progress_of(name)
    for ply in (0, pictures.plies(whole) // 2, pictures.plies(whole) - 1):
        progress = pictures.cut(whole, ply)
        for viewer in (None, Seat(0), Seat(1)):
            view = progress.view(viewer)
            other = replace(progress, state=progress.game.imagine(view, Random(ply)))
            assert draw(other, viewer) == draw(progress, viewer)


@pytest.mark.parametrize("name", DRAWN)
def test_every_picture_is_well_formed_and_needs_no_other_file(name):
    whole = progress_of(name)
    for ply in range(0, pictures.plies(whole) + 1, 5):
        text = draw(pictures.cut(whole, ply), Seat(0), dark=ply % 2 == 0)
        root = ET.fromstring(text)
        assert {one.get("href", "#") for one in root.iter(f"{SVG}use")} <= {f"#{one.get('id')}" for one in root.iter()}
        assert set(re.findall(r"url\(#([\w-]+)\)", text)) <= {one.get("id") for one in root.iter()}
        assert "nan" not in text.lower().split()
        assert len(text) < 120_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_title_and_description_are_in_the_language(language):
    progress = pictures.cut(progress_of("template"), 4)
    root = ET.fromstring(draw(progress, language=language))
    view, speech = progress.view(None), registry.speech(progress.game)
    assert root.findtext(f"{SVG}title").startswith(progress.game.title)
    assert speech is not None
    assert view is not None
    described = root.findtext(f"{SVG}desc")
    assert "Anna" in described
    assert (described == ET.fromstring(draw(progress)).findtext(f"{SVG}desc")) == (language == "en")


def test_a_picture_names_everybody_and_marks_whose_turn_it_is():
    progress = pictures.cut(progress_of("template"), 4)
    text = draw(progress)
    assert all(name.replace("&", "&amp;") in text for name in NAMES[: progress.setup.players])
    assert text.count("M-11 18L5 29L-11 40Z") == 1
    assert draw(progress_of("template")).count("M-11 18L5 29L-11 40Z") == 0


def test_a_position_is_counted_in_decisions_and_includes_their_draws():
    whole = progress_of("template")
    assert pictures.cut(whole, pictures.plies(whole)) == whole
    start = pictures.cut(whole, 0)
    assert {step.seat for step in start.steps} == {None}
    assert sum(hand.size for hand in start.view(None).hands) == 3 * start.setup.players
    for ply in range(pictures.plies(whole)):
        assert pictures.plies(pictures.cut(whole, ply)) == ply


def test_a_ply_after_the_end_is_refused():
    whole = progress_of("template")
    with pytest.raises(pictures.NoPly) as refused:
        pictures.cut(whole, 1000)
    assert (refused.value.message.key, dict(refused.value.message.arguments)) == (
        "match.ply",
        {"last": pictures.plies(whole), "given": "1000"},
    )


def test_a_game_without_pictures_is_refused(monkeypatch):
    monkeypatch.setattr(registry, "picture", lambda game: None)
    with pytest.raises(pictures.NoPicture) as refused:
        draw(progress_of("template"))
    assert refused.value.message.key == "picture.none"


def test_the_last_turn_is_marked():
    whole = progress_of("template")
    unmarked, marked = pictures.cut(whole, 0), pictures.cut(whole, 1)
    assert "stroke-dasharray" not in draw(unmarked)
    assert draw(marked).count('stroke="#fffdf5"') > draw(unmarked).count('stroke="#fffdf5"')
