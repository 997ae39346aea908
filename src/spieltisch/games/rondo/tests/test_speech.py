"""Rondo in six languages: everything can be said, with the glossary's words, and the drawing fits."""

from __future__ import annotations

import re
from random import Random

import pytest

from spieltisch.core.game import BadNotation, BadSetup, IllegalAction, Over, Seat
from spieltisch.core.render import TextStyle
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.games.rondo import GAME
from spieltisch.games.rondo.render import render
from spieltisch.games.rondo.speech import SPEECH
from spieltisch.games.rondo.tests.positions import BOARD, choices, covered, dealt, play, position
from spieltisch.games.rondo.tests.test_board import BROKEN, SMALL
from spieltisch.games.rondo.tests.test_oracle import choose_hoarding, choose_randomly
from spieltisch.i18n.format import LANGUAGES, catalogue, format_message
from spieltisch.i18n.message import Audience

NAMES = ["Ada", "Ibo", "Hans", "A name of forty characters, which is long"]
FORBIDDEN = {"en": r"counter|piece\b|\btile|\bdisc|\bcell|\bsquare|\bhe\b|\bshe\b|\bhis\b|\bher\b"}
NOTHING = r"(?!)"  # what a language without a list of its own forbids


def said_in_a_game(seed: int, players: int, listener: int | None, language: str, **setup: object) -> list[str]:
    """Every sentence of a game: positions, choices, events, the score sheet; odd seeds hoard until the bag is empty."""
    referee = Referee(GAME, GAME.agree(players, **setup), seeded(seed))
    audience, dice, said = Audience(NAMES[:players], listener), Random(seed), []
    viewer = None if listener is None else Seat(listener)
    choose = choose_hoarding if seed % 2 else choose_randomly
    while not isinstance(pending := referee.settle(), Over):
        before = referee.view(viewer)
        said += [format_message(message, language) for message in SPEECH.position(before, audience)]
        if viewer in (None, pending.seat):
            said += [format_message(SPEECH.choice(before, action), language) for action in pending.actions]
        texts = {GAME.write(referee.state, action): action for action in pending.actions}
        referee.play(pending.seat, [texts[choose(dice, list(texts))]])
        said.append(
            format_message(SPEECH.happened(before, referee.heard(viewer)[-1], referee.view(viewer), audience), language)
        )
    said += [format_message(message, language) for message in SPEECH.position(referee.view(viewer), audience)]
    said += [format_message(message, language) for message in SPEECH.scores(referee.view(viewer), audience)]
    return said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 4])
def test_everything_in_a_game_can_be_said_with_the_right_words(language, players):
    for seed, listener in enumerate([0, None]):
        text = "\n".join(said_in_a_game(seed, players, listener, language))
        assert not re.search(r"[{}#]", text)
        assert not re.search(r"  |\b[01][ \u00a0][Pp](?:unkt|oint|unt)", text)  # nothing and one are words
        forbidden = FORBIDDEN.get(language, NOTHING)
        assert not re.search(forbidden, text), re.search(f".*(?:{forbidden}).*", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_on_another_board_can_be_said(language):
    text = "\n".join(said_in_a_game(0, 3, 1, language, options={"board": SMALL}))
    assert "ring" in text
    assert not re.search(r"[{}#]", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_draw_has_a_choice_and_an_event(language):
    from spieltisch.core.game import Heard

    start = GAME.initial(GAME.agree())
    for action in GAME.pending(start).actions:
        text = GAME.write(start, action)
        after = GAME.apply(start, action)
        assert format_message(SPEECH.choice(GAME.observe(start, Seat(0)), action), language)
        for listener, heard in ((0, text), (1, "?"), (None, "?")):
            viewer = None if listener is None else Seat(listener)
            views = GAME.observe(start, viewer), GAME.observe(after, viewer)
            message = SPEECH.happened(views[0], Heard(None, heard), views[1], Audience(NAMES[:2], listener))
            assert format_message(message, language).endswith(".")


REFUSED = [
    (GAME.initial(GAME.agree()), "pass"),
    (play(position(racks=("P", "")), "pass"), "pass"),
    (play(position(racks=("P", ""), bag="B"), "pass"), "P"),
    (play(position(racks=("P", "P"), bag="", cause="bag", seat=1), "pass"), "pass"),
    (position(racks=("PB", "")), "."),
    (position(racks=("PB", "")), "C:P"),
    *((position(racks=("", "")), f"AN:{stones}") for stones in ("P", "BB", "YYY", "g", "R")),
    (position("AE:P", racks=("PB", "")), "AE:P"),
    (position("AE:P", racks=("PB", "")), "O0:p"),
    (play(position("AE:P", racks=("PB", "")), "I4:B"), "AE:P"),
    (play(position("AE:P", racks=("PB", "")), "I4:B"), "AN:p"),
    (position(racks=("PPB", "")), "AE:pp"),
    *((position(covered(name), racks=("PBYGR", "")), f"{name}:{letter}") for name, letter in
      (("O0", "P"), ("O1", "P"), ("O2", "P"), ("O3", "B"), ("O5", "P"))),
    (play(position(racks=("PB", "")), "AE:P"), "pass"),
    (position(racks=("PBYGR", "")), "pass"),
    (position(racks=("PB", "")), "P"),
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_can_be_said(language):
    keys = set()
    for state, text in REFUSED:
        with pytest.raises(IllegalAction) as caught:
            play(state, text)
        sentence = format_message(caught.value.message, language)
        assert sentence.endswith("."), sentence
        assert not sentence[0].isupper(), sentence
        assert not re.search(r"[{}#]", sentence), sentence
        keys.add(caught.value.message.key)
    assert keys == {key for key in catalogue("rondo", language) if key.startswith("refuse.")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_of_a_board_or_a_text_can_be_said(language):
    for board, _, _ in BROKEN:
        with pytest.raises(BadSetup) as caught:
            GAME.initial(GAME.agree(options={"board": board}))
        assert format_message(caught.value.message, language).endswith(".")
    for text in ("hello", "Z9:P"):
        with pytest.raises(BadNotation) as unread:
            play(dealt(1), text)
        assert format_message(unread.value.message, language).endswith(".")


def test_a_position_in_words():
    state = position("AE:PP I4:b@1 AN:r", racks=("PBB", "Y"), scores=(4, 0), last="AN")
    said = [
        format_message(line, "en")
        for line in SPEECH.position(GAME.observe(state, Seat(0)), Audience(["Ada", "Ibo"], 0))
    ]
    free = ", ".join(f"outer ring {number}" for number in range(0, 28, 4))
    assert said == [
        "The board is a reconstruction.",
        "Field north arm: a bridge, a red stone face down.",
        "Field east arm: 2 purple stones face up.",
        "Field inner ring 4: Ibo’s bridge.",
        f"Grey and still free: {free} and outer ring 28.",
        "Open: field inner ring 0, green, value 1.",
        "You have 4 points and a purple stone and 2 blue stones on the rack.",
        "Ibo has no points and one stone on the rack.",
        "There are 112 stones in the bag.",
        "Your turn.",
    ]


def test_the_score_sheet_tells_what_decides_a_tie():
    state = play(position(racks=("P", "PB"), scores=(7, 7), cause="bag", seat=1, bag=""), "pass")
    sheet = [format_message(line, "en") for line in SPEECH.scores(GAME.observe(state, None), Audience(["Ada", "Ibo"]))]
    assert sheet == [
        "The bag no longer had enough stones: the game is over.",
        "Ada: 7 points, one stone left on the rack.",
        "Ibo: 7 points, 2 stones left on the rack.",
    ]


def test_what_a_bridge_hides_is_never_said_to_the_others():
    for seed in range(2):
        state, dice = dealt(seed, 3), Random(seed)
        audience = Audience(NAMES[:3], 0)
        while not isinstance(pending := GAME.pending(state), Over):
            view = GAME.observe(state, Seat(0))
            world = GAME.observe(GAME.imagine(view, dice), Seat(0))
            assert SPEECH.position(view, audience) == SPEECH.position(world, audience)
            state = GAME.apply(state, dice.choice(pending.actions))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_drawing_fits_eighty_columns(language):
    style = TextStyle(colour=False, width=80, language=language)
    for seed in range(3):
        players = 2 + seed
        dice, state = Random(seed), dealt(seed, players, "red" if seed % 2 else "blue")
        audience = Audience(NAMES[:players], 0)
        while not isinstance(pending := GAME.pending(state), Over):
            if dice.random() < 0.1:
                lines = render(GAME.observe(state, Seat(0)), audience, style, ())
                assert max(map(len, lines)) <= 80, max(lines, key=len)
            state = GAME.apply(state, dice.choice(pending.actions))
        assert render(GAME.observe(state, None), audience, style, ())


def test_the_drawing_shows_every_field_once_and_marks_those_that_are_open():
    state = position("AE:PP I4:b@1 AN:r", racks=("PBB", "Y"), last="I4")
    lines = render(
        GAME.observe(state, Seat(0)), Audience(["Ada", "Ibo"], 0), TextStyle(colour=False, width=80, language="en"), ()
    )
    words = " ".join(lines[: lines.index("")]).split()
    assert sorted(word.lstrip(">") for word in words if word.lstrip(">") in BOARD.names) == sorted(BOARD.names)
    assert sorted(word for word in words if word.startswith(">")) == [">I3", ">I5"]
    assert sorted(word for word in words if word.startswith("[")) == ["[?]", "[P2]", "[r]"]
    assert sum(word.endswith("°") for word in words) == 8
    assert len(words) == 2 * 60 + 1


def test_colours_change_no_letter_of_the_drawing():
    state = position("AE:PP I4:b@1 AN:r O0:YYY", racks=("PBBRR", "Y", "GG"), last="AN")
    view, audience = GAME.observe(state, Seat(0)), Audience(NAMES[:3], 0)
    plain = render(view, audience, TextStyle(colour=False, width=80, language="en"), ())
    coloured = render(view, audience, TextStyle(colour=True, width=80, language="en"), ())
    stripped = [re.sub(r"\x1b\[[\d;]*m", "", line).rstrip() for line in coloured]
    assert stripped == [line.rstrip() for line in plain]


def test_another_board_is_drawn_as_a_list():
    state = GAME.initial(GAME.agree(options={"board": SMALL}))
    lines = render(
        GAME.observe(state, None), Audience(["Ada", "Ibo"]), TextStyle(colour=False, width=80, language="en"), ()
    )
    assert all(name in lines[0] for name in SMALL["cells"])
    assert "econstruct" not in "".join(lines)


@pytest.mark.parametrize(
    "text",
    ["", " ", "Pass", "..", "AE", "AE:", ":P", "AE:X", "AE:1", "AE:Pp", "AE:?", "?", "p", "ae:P", "Z9:P", "AE:P "],
)
def test_a_text_that_names_nothing_is_bad_notation(text):
    with pytest.raises(BadNotation) as caught:
        play(position(racks=("PB", "")), text)
    assert str(caught.value).endswith(".")


def test_what_is_written_is_read_again():
    state = position("AE:P", racks=("PBYGR", ""))
    for text in choices(state):
        assert GAME.write(state, GAME.read(state, text)) == text
