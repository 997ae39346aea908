"""Turmbauer in six languages: everything can be said, with the glossary's words, and the drawing fits."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest
from tests.support.playing import tell, turn_line

from spieltisch.core.game import Chance, Heard, Over, Seat
from spieltisch.core.render import TextStyle
from spieltisch.games.turmbauer import GAME, phrases
from spieltisch.games.turmbauer.building.cells import TABLE, cell
from spieltisch.games.turmbauer.building.stones import stones_of
from spieltisch.games.turmbauer.phrases import say
from spieltisch.games.turmbauer.render import render
from spieltisch.games.turmbauer.speech import SPEECH
from spieltisch.games.turmbauer.tests.positions import FLAT, moving, placing, position
from spieltisch.games.turmbauer.tests.test_stones import OTHER
from spieltisch.i18n.format import LANGUAGES, catalogue, format_message, parse, placeholders
from spieltisch.i18n.message import Audience

FOR_REPLAY = GAME.for_replay
NAMES = ["Ada", "Ibo", "Hans", "A name of forty characters, which is long"]
FORBIDDEN = {
    "de": r"Baustein|Bauring|Würfelchen|\bsein(?:e|en|er)?\b|Pöppel",
    "en": r"\bblock\b|climber|\bpiece\b|\bhe\b|\bshe\b|\bhis\b|\bher\b|\btile\b",
    "fr": r"\b[Ll]e tour\b|\bpièces?\b|\bniveau|édifice",
    "it": r"pedin|\blivell|\btessera",
    "nl": r"\bblok|klimmer|\blaag\b|\bzijn bouw",
    "es": r"\b[Cc]og|bloque|escalador|\bnivel",
}
BARE = re.compile(r"[{}#×]|  | -\d|\b[01][ \u00a0](?:Klötzchen|cubes?\b|cubo|kubus|Ring|ring|anneau|anell|anillo)")


def walked(seed: int, players: int, **options: str):
    """A believed game, step by step: states, what comes next and what was chosen, all rings and falls included."""
    dice = Random(seed)
    state = FOR_REPLAY.initial(FOR_REPLAY.agree(players, options=options))
    while not isinstance(pending := FOR_REPLAY.pending(state), Over):
        if isinstance(pending, Chance) and pending.judged:
            falls = 3 if len(state.tower) > 15 and dice.random() < 0.1 else dice.choices([0, 1, 2], [8, 1, 1])[0]
            action = pending.actions[min(falls, len(pending.actions) - 1)]
        elif isinstance(pending, Chance):
            action = dice.choices(pending.actions, pending.weights)[0]
        else:
            rings = [choice for choice in pending.actions if getattr(choice, "ring", "")]
            action = dice.choice(rings if rings and dice.random() < 0.3 else pending.actions)
        after = FOR_REPLAY.apply(state, action)
        yield state, pending, action, after
        state = after


def said_in_a_game(seed: int, players: int, listener: int | None, language: str, **options: str) -> list[str]:
    """The sentences of a game: some positions, some choices with their headings, all events, the score sheet."""
    audience, dice, said = Audience(NAMES[:players], listener), Random(seed), []
    viewer = None if listener is None else Seat(listener)
    after = None
    for state, pending, action, after in walked(seed, players, **options):
        before = FOR_REPLAY.observe(state, viewer)
        if dice.random() < 0.1:
            said += [format_message(message, language) for message in SPEECH.position(before, audience)]
        for choice in dice.sample(list(pending.actions), min(3, len(pending.actions))):
            said.append(format_message(SPEECH.choice(before, choice), language))
            said += [format_message(part, language) for path in SPEECH.headings(before, choice) for part in path]
        seat = None if isinstance(pending, Chance) else pending.seat
        heard = Heard(seat, FOR_REPLAY.write(state, action))
        said.append(
            format_message(SPEECH.happened(before, heard, FOR_REPLAY.observe(after, viewer), audience), language)
        )
    view = FOR_REPLAY.observe(after, viewer)
    said += [format_message(message, language) for message in SPEECH.position(view, audience)]
    said += [format_message(message, language) for message in SPEECH.scores(view, audience)]
    return said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 4])
def test_everything_in_a_game_can_be_said_with_the_right_words(language, players):
    for seed, listener in enumerate([0, None]):
        for line in said_in_a_game(seed, players, listener, language):
            assert not BARE.search(line), line
            assert not re.search(FORBIDDEN[language], line), line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_with_other_stones_can_be_said(language):
    text = "\n".join(said_in_a_game(0, 3, 1, language, stones=OTHER))
    assert not re.search(r"[{}#]", text)


def test_a_tower_in_words():
    state = FOR_REPLAY.initial(FOR_REPLAY.agree(3))
    for text in ["2+3", "3v", "@0,0,1;0,1,1;1,1,1", "~N", "stands"]:
        state = FOR_REPLAY.apply(state, FOR_REPLAY.read(state, text))
    sentences = [
        format_message(line, "en") for line in SPEECH.position(GAME.observe(state, Seat(0)), Audience(NAMES[:3], 0))
    ]
    stock = (
        "the coloured 1-cube stone, the natural 1-cube stone, the straight 2-cube stone, the straight 2-cube stone, "
        "the straight 3-cube stone, {}the straight 4-cube stone, the 4-cube stone of 3 by 2, the 5-cube stone of 2 by "
        "2 by 2, the 5-cube stone of 3 by 2, the 6-cube stone of 3 by 2 and the 6-cube stone of 2 by 2 by 2"
    )
    corner = "the 3-cube stone of 2 by 2, "
    assert sentences == [
        "The stones are a reconstruction.",
        (
            "Columns are counted to the east, rows to the north. Floor 1 lies on the table; a pawn on a cube of floor 3 "
            "stands at height 3."
        ),
        "The tower is the foundation and one stone; it has 2 floors.",
        "Heights in row 1, from column 0 to the east: 2 and 2.",
        "Heights in row 0, from column 0 to the east: 2 and 1.",
        "Floor 2, 3 cubes.",
        "Row 1, from column 0 to the east: red and natural.",
        "Row 0, from column 0 to the east: natural.",
        (
            "Red at column 0 row 0 floor 2, column 0 row 1 floor 2 and column 1 row 1 floor 2: the 3-cube stone of 2 by 2, "
            "carried by the foundation."
        ),
        "Floor 1, 4 cubes.",
        "Row 1, from column 0 to the east: natural and brown.",
        "Row 0, from column 0 to the east: brown and natural.",
        "You play Red. The pawn stands on the table. 2 rings left, no cubes in the box, in stock: "
        + stock.format("")
        + ".",
        "Ibo plays Blue. The pawn stands on the table. 2 rings left, no cubes in the box, in stock: "
        + stock.format(corner)
        + ".",
        "Hans plays Green. The pawn stands on the table. 2 rings left, no cubes in the box, in stock: "
        + stock.format(corner)
        + ".",
        "Your turn: Red.",
        "Within reach of the red pawn are 4 other places; no place is higher than column 1, row 1, height 2.",
    ]


def said(state) -> list[str]:
    return [format_message(line, "en") for line in SPEECH.position(GAME.observe(state, None), Audience(NAMES[:3]))]


def test_what_bars_the_way_up_is_said():
    tower = "G 1c@1,0,1 | B 2d@0,1,1;0,1,2"
    assert said(moving(tower, "R:0,0,1"))[-3:] == [
        "Within reach of the red pawn are 2 other places; no place is higher than column 0, row 0, height 1.",
        "Not column 1, row 0, height 2: it is green.",
        "Not column 0, row 1, height 3: that is 2 heights above column 0, row 0, height 1.",
    ]
    assert said(moving("R 1c@1,0,1", "R:1,1,1 B:1,0,2"))[-1] == (
        "Not column 1, row 0, height 2: the blue pawn stands there."
    )
    low = "R 1c@1,0,1 | B 1c@0,1,1 | G 2d@0,0,2;0,1,2 | B 2d@1,1,1;1,1,2"
    assert "Not column 1, row 0, height 2: there is no room for the step from column 0, row 0, height 1." in said(
        moving(low, "R:0,0,1")
    )
    walled = "G 1c@1,0,1 | B 1c@0,1,1"
    assert said(moving(walled, "R:1,1,1 G:table", colour="R"))[-1].startswith("Not ")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_drawing_fits_and_shows_every_cube_and_pawn(language, width):
    style = TextStyle(colour=False, width=width + 1, language=language)
    for number, (state, pending, _, _) in enumerate(walked(5, 4)):
        if number % 23 == 0:
            view = GAME.observe(state, None)
            lines = render(view, Audience(NAMES), style, pending.actions)
            assert max(map(len, lines)) <= width, max(lines, key=len)
            text = "\n".join(lines)
            for side in view.sides:
                if side.pawn is not None:
                    assert side.colour.lower() in text


def test_the_drawing_is_the_same_in_colour():
    for state, pending, _, _ in list(walked(6, 3))[::31]:
        view = GAME.observe(state, None)
        plain, coloured = (
            render(view, Audience(NAMES[:3]), TextStyle(colour, 101, "en"), pending.actions) for colour in (False, True)
        )
        assert [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in coloured] == [line.rstrip() for line in plain]


FIELD = cell(2, -1, 4)
FILLED = {  # what can fill a slot of a refusal: all things that the code puts there
    "cell": [phrases.cell_phrase(FIELD), phrases.cell_phrase(cell(0, 0, -1))],
    "field": [phrases.field_phrase(FIELD)],
    "place": [phrases.field_phrase(FIELD), phrases.field_phrase(TABLE)],
    "pawn": [phrases.pawn_phrase(colour) for colour in range(4)],
    "stone": [
        *(phrases.stone_phrase(stones_of(""), kind) for kind in range(11)),
        say("stone.named", size=4, kind="4left"),
    ],
    "kind": ["4l"],
    "given": ["[1, 2]"],
    "low": [1],
    "high": [6],
    "n": [1, 2, 11],
    "size": [1, 5],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_can_be_said_whatever_it_is_about(language):
    keys = [key for key in catalogue("turmbauer", language) if key.startswith("refuse.")]
    assert len(keys) > 40
    for key in keys:
        names = sorted(
            {placeholder.name for placeholder in placeholders(parse(str(catalogue("turmbauer", language)[key])))}
        )
        for values in product(*(FILLED[name] for name in names)):
            sentence = format_message(say(key, **dict(zip(names, values, strict=True))), language)
            assert sentence.endswith("."), sentence
            assert not BARE.search(sentence), sentence
            assert language == "de" or not sentence[0].isupper(), sentence  # German nouns are always capital


def advised(state, text: str, language: str) -> list[str]:
    action = GAME.read(state, text)
    return [format_message(message, language) for message in SPEECH.advice(GAME.observe(state, None), action)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_firmly_a_place_would_stand_can_be_said(language):
    sentences = [
        line
        for hand in ("calm", "steady", "shaky")
        for kind, text in (("1c", "@1,0,1"), ("2d", "@1,0,1;2,0,1"), ("3i", "@0,1,1;1,1,1;2,1,1"))
        for line in advised(placing(kind, hand=hand), text, language)
    ]
    sentences += advised(placing("4i", "B 2d@0,1,1;0,1,2", hand="shaky"), "@-1,1,3;0,1,3;1,1,3;2,1,3", language)
    for line in sentences:
        assert line.endswith("."), line
        assert not re.search(r"[{}#]|  ", line), line


def test_stability_in_words():
    assert advised(placing("1c"), "@1,0,1", "en") == [
        "It stands firm: the load may lean by 21.8 degrees to any side.",
    ]
    assert advised(placing("2d"), "@1,0,1;2,0,1", "en") == [
        "It falls. First to move: the straight 2-cube stone of Red.",
    ]
    assert advised(placing("4i", hand="steady"), "@-1,0,1;0,0,1;1,0,1;2,0,1", "de")[0].startswith("Das steht fest: ")
    assert not SPEECH.advice(GAME.observe(moving("R 1c@1,0,1"), None), GAME.read(moving(), "."))


def test_the_sides_of_a_risky_tremor_are_named():
    """A column of one cube's width, seventeen high, and a stick on top."""
    column = "B 2d@0,1,1;0,1,2 | G 2d@0,1,3;0,1,4 | B 2d@0,1,5;0,1,6 | R 2d@0,1,7;0,1,8 | G 2d@0,1,9;0,1,10"
    column += " | B 3i@0,1,11;0,1,12;0,1,13 | G 4i@0,1,14;0,1,15;0,1,16;0,1,17"
    stick = "@0,1,18;0,1,19;0,1,20;0,1,21"
    wobbles = "It wobbles: to the south the load may lean by only 2.4 degrees."
    sides = "to the north, to the east, to the south and to the west"
    falls = f"With this hand it falls in 4 of 4 cases: if the tremor goes {sides}."
    assert advised(placing("4i", column, hand="shaky"), stick, "en") == [wobbles, falls]
    assert advised(placing("4i", column, hand="steady"), stick, "en") == [wobbles]


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_there_is_no_engine_can_be_said(language):
    assert format_message(say("note.no_engine"), language).endswith("pip install spieltisch-core[physics]")


# turns as lines of the log

TO_BUILD = position(FLAT, roll="2+4", pawns="R:1,1,2")
BUILD = "4l @0,0,2;0,1,2;0,2,2;1,0,2"
STANDS = f"{BUILD} stands >1,0,3"


def told_in_a_turn(turn: str, language: str = "en", listener: int | None = None) -> str:
    return turn_line(FOR_REPLAY, TO_BUILD, turn, language, listener)


def test_a_turn_is_one_line_without_coordinates():
    assert told_in_a_turn(STANDS) == (
        "Ada builds the red L on the red domino and on the blue domino, up to height 3. It stands. "
        "Red climbs up to height 3."
    )
    assert told_in_a_turn(STANDS, "de", 0) == (
        "Du baust den roten L-Stein auf dem roten Zweier und auf dem blauen Zweier, bis Höhe 3. Es hält. "
        "Rot steigt auf Höhe 3."
    )


def test_a_natural_cube_has_no_colour_in_the_log():
    to_build = position(FLAT, roll="1+4", pawns="R:1,1,2")
    natural = turn_line(FOR_REPLAY, to_build, "1n @1,0,2", "en", None)
    assert natural.startswith("Ada builds the natural cube on "), natural
    spoken = turn_line(FOR_REPLAY, to_build, "1n @1,0,2", "de", 0)
    assert spoken.startswith("Du baust den neutralen Einer auf dem "), spoken


def test_stones_and_pawns_are_symbols_and_the_mark_has_the_stone_and_the_way():
    parts, mark = tell(FOR_REPLAY, TO_BUILD, STANDS)
    assert [part.symbol for part in parts if part.symbol] == ["stone.R.4l", "stone.R.2d", "stone.B.2d", "pawn.R"]
    cells = [[0, 0, 2], [1, 0, 2], [0, 1, 2], [0, 2, 2]]
    assert mark == {"colour": "R", "stone": cells, "pawn": [1, 0, 2]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_line(language):
    again = "@0,0,2;1,0,2;2,0,2;0,1,2"
    for turn in (STANDS, BUILD, f"{BUILD} stands .", f"{BUILD} fall_2 4l {again} stands ."):
        said = told_in_a_turn(turn, language)
        assert said.endswith(".")
        assert not re.search(rf"-\d|\d,\d|[{{}}]|{FORBIDDEN[language]}", said)
