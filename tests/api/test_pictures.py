"""Pictures of a match: what a notebook shows, and what each seat may see."""

from __future__ import annotations

import pytest

import spieltisch
from spieltisch import registry


@pytest.fixture
def match():
    made = spieltisch.match("template", players=2, seed=1)
    made.play("random", "random", plies=3)
    return made


@pytest.mark.parametrize("name", spieltisch.games())
def test_every_match_draws_itself(name):
    match = spieltisch.match(name, players=2, seed=1)
    assert match.svg().startswith("<svg")
    assert match._repr_svg_() == match.svg(seat=None, dark=False, language="en")


def test_a_picture_is_drawn_for_one_seat(match):
    drawn = {match.svg(seat) for seat in (None, 0, 1)}
    assert len(drawn) == 3
    assert match.svg("turn") == match.svg(match.turn)
    assert match.svg(0, dark=True) != match.svg(0)
    assert match.svg(0, language="de") != match.svg(0)


def test_an_earlier_position_is_drawn_as_it_was(match):
    earlier = match.at(1).svg()
    while match.ply > 1:
        match.pop()
    assert match.svg() == earlier


def test_a_seat_that_does_not_exist_is_refused(match):
    for draw in (match.svg, match.film):
        with pytest.raises(spieltisch.Refusal):
            draw(2)


def test_a_film_has_every_position(match):
    assert match.film().count("@keyframes") > 3


def test_a_notebook_falls_back_to_text_if_a_game_has_no_pictures(match, monkeypatch):
    monkeypatch.setattr(registry, "picture", lambda game: None)
    assert match._repr_svg_() is None
