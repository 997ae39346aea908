"""Big Points in six languages: everything can be said, with the glossary's words, and the drawing fits."""

from __future__ import annotations

import re
from random import Random

import pytest

from spieltisch.core.game import Decision, IllegalAction, Over, Seat
from spieltisch.core.render import TextStyle
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.games.bigpoints import GAME, notation
from spieltisch.games.bigpoints.render import render
from spieltisch.games.bigpoints.speech import SPEECH
from spieltisch.games.bigpoints.tests.positions import dealt, position
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import Audience

NAMES = ["Ada", "Ibo", "Hans", "Inés", "A name of forty characters, which is long"]
FORBIDDEN = {
    "de": r"\bSie\b|Spielstein|Plättchen|\bPöppel|lilan|lilae",
    "en": r"counter|piece\b|\bpath\b|\bhe\b|\bshe\b",
    "fr": r"pièce|jeton|\bmauve|gagnante?\b|\bvous\b",
    "it": r"pedina|livello|\blei\b|violi|bluo",
    "nl": r"\bu\b|\blaag\b|steen",
    "es": r"\bcoge|ordenador|computadora|vosotros|ustedes",
}


def said_in_a_game(seed: int, players: int, listener: int | None, language: str) -> list[str]:
    """Every sentence of a random game: positions, choices, events, the score sheet."""
    referee = Referee(GAME, GAME.agree(players), seeded(seed))
    audience, dice, said = Audience(NAMES[:players], listener), Random(seed), []
    viewer = None if listener is None else Seat(listener)
    while not isinstance(pending := referee.settle(), Over):
        before = referee.view(viewer)
        said += [format_message(message, language) for message in SPEECH.position(before, audience)]
        said += [format_message(SPEECH.choice(before, action), language) for action in pending.actions]
        action = dice.choice(pending.actions)
        referee.play(pending.seat, [action])
        said.append(
            format_message(SPEECH.happened(before, referee.heard(viewer)[-1], referee.view(viewer), audience), language)
        )
    said += [format_message(message, language) for message in SPEECH.scores(referee.view(viewer), audience)]
    return said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 5])
def test_everything_in_a_game_can_be_said_with_the_right_words(language, players):
    for seed, listener in enumerate([0, None]):
        text = "\n".join(said_in_a_game(seed, players, listener, language))
        assert not re.search(r"[{}#]", text)
        assert not re.search(r"  |\b[01][ \u00a0][Pp](?:unkt|oint|unt)", text)  # nothing and one are words
        assert not re.search(FORBIDDEN[language], text), re.search(f".*(?:{FORBIDDEN[language]}).*", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_can_be_said(language):
    keys = set()
    states = [
        dealt(1),
        GAME.initial(GAME.agree()),
        position("w", stairs="rypbg"),
        position("b"),
        position("w b r", "b2"),
    ]
    states += [position("w b r b y", "b4", stairs="r", hands=("k", ""), extra=True), position("w r b")]
    states.append(position("w b", extra=True, hands=("k", "")))
    laid = GAME.initial(GAME.agree())
    for _ in range(5):
        laid = GAME.apply(laid, GAME.read(laid, "k"))
    for state in [*states, laid]:
        for text in [*notation._ACTIONS]:
            try:
                GAME.apply(state, GAME.read(state, text))
            except IllegalAction as error:
                sentence = format_message(error.message, language)
                assert sentence.endswith("."), sentence
                assert not sentence[0].isupper(), sentence
                keys.add(error.message.key)
    from spieltisch.i18n.format import catalogue

    assert keys == {key for key in catalogue("bigpoints", language) if key.startswith("refuse.")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_drawing_fits_eighty_columns(language):
    style = TextStyle(colour=False, width=80, language=language)
    for seed in range(6):
        dice, state = Random(seed), dealt(seed, 2 + seed % 4)
        audience = Audience(NAMES[: 2 + seed % 4], 0)
        while not isinstance(pending := GAME.pending(state), Over):
            view = GAME.observe(state, Seat(0))
            letter = notation.write(dice.choice(pending.actions)).strip("*")[0]
            highlights = [action for action in pending.actions if notation.write(action).strip("*").startswith(letter)]
            lines = render(view, audience, style, highlights)
            assert max(map(len, lines)) <= 80, max(lines, key=len)
            state = GAME.apply(state, dice.choice(pending.actions))
        assert render(GAME.observe(state, None), audience, style, ())


def test_colours_change_no_letter_of_the_drawing():
    state = dealt(3, 3)
    pending = GAME.pending(state)
    assert isinstance(pending, Decision)
    view, audience = GAME.observe(state, Seat(0)), Audience(NAMES[:3], 0)
    plain = render(view, audience, TextStyle(colour=False, width=80, language="en"), pending.actions[:2])
    coloured = render(view, audience, TextStyle(colour=True, width=80, language="en"), pending.actions[:2])
    stripped = [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in coloured]
    assert stripped == [line.rstrip() for line in plain]


def test_the_landing_and_the_discs_to_take_are_marked_for_one_pawn():
    state = position("g w . y k p r b g p", "g1 y4 p6 r7")
    pending = GAME.pending(state)
    assert isinstance(pending, Decision)
    highlights = [action for action in pending.actions if GAME.write(state, action).startswith("b")]
    lines = render(
        GAME.observe(state, Seat(0)),
        Audience(["Ada", "Ibo"], 0),
        TextStyle(colour=False, width=80, language="en"),
        highlights,
    )
    below = [lines[3][2 + 6 * n : 8 + 6 * n].strip() for n in range(10)]
    assert below == ["", "", "", "", "-", "", "", "B", "+", ""]


def test_the_score_sheet_of_the_printed_example():
    state = position("w", stairs="rypbg", hands=("rrpgkww", ""))
    sheet = [format_message(line, "en") for line in SPEECH.scores(GAME.observe(state, None), Audience(["Ada", "Ibo"]))]
    assert sheet[:7] == [
        "Ada:",
        "2 red discs, step 4: 8 points",
        "a green disc, step 0: no points",
        "a purple disc, step 2: 2 points",
        "2 white discs with 4 other colours: 8 points",
        "a black disc: no points",
        "in all 18 points",
    ]
