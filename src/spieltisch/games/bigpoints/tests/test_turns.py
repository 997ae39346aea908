"""Lines of the log of Big Points: a turn is one line with symbols, and its mark says where it took place."""

from __future__ import annotations

import pytest
from tests.support.playing import tell, turn_line

from spieltisch.games.bigpoints import GAME
from spieltisch.games.bigpoints.speech import SPEECH
from spieltisch.games.bigpoints.tests.positions import dealt, position
from spieltisch.i18n.format import LANGUAGES, format_message
from spieltisch.i18n.message import Audience

TRACK = position("g w b y k p r b g p", "b3 g1", hands=("k", ""))
ON_TOP = position("g w . y", "g1", stairs="rb")


@pytest.mark.parametrize(
    ("state", "turn", "language", "listener", "said"),
    [
        (TRACK, "b+ .", "en", 0, "You move blue and take green."),
        (TRACK, "b+ .", "en", 1, "Ada moves blue and takes green."),
        (TRACK, "b+ .", "de", None, "Ada zieht Blau und nimmt Grün."),
        (TRACK, "b+ .", "fr", None, "Ada avance le bleu et prend un vert."),
        (TRACK, "b+ .", "es", None, "Ada mueve el azul y toma una verde."),
        (
            TRACK, "b- *g+", "en", None,
            "Ada moves blue and takes red. Extra move for black: green takes purple.",
        ),
        (TRACK, "b- *g+", "de", 0, "Du ziehst Blau und nimmst Rot. Zusatzzug für Schwarz: Grün nimmt Lila."),
        (ON_TOP, "g^", "en", None, "Ada moves green onto step 2 and receives green."),
        (ON_TOP, "g^", "de", None, "Ada zieht Grün auf Stufe 2 und erhält Grün."),
    ],
)  # fmt: skip
def test_a_turn_is_one_line(state, turn, language, listener, said):
    assert turn_line(GAME, state, turn, language, listener) == said


def test_pawns_and_discs_are_symbols_and_the_mark_has_the_way_and_the_disc():
    parts, mark = tell(GAME, TRACK, "b+ .")
    assert [part for part in parts if part.symbol] == [("blue", "pawn.b"), ("green", "disc.g")]
    assert mark == [{"pawn": "b", "from": 3, "to": 8, "taken": 9}]
    assert tell(GAME, ON_TOP, "g^")[1] == [{"pawn": "g", "from": 1, "to": None, "taken": None}]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_line(language):
    for state, turn in ((TRACK, "b+ ."), (TRACK, "b- *g+"), (TRACK, "b+ *b<-"), (ON_TOP, "g^"), (ON_TOP, "y-")):
        assert turn_line(GAME, state, turn, language).endswith(".")
    said = SPEECH.deal(GAME.observe(dealt(1), None), Audience(["Ada", "Ben"]))
    assert format_message(said, language).endswith(".")
    assert language != "en" or format_message(said, "en") == "The track is laid."
