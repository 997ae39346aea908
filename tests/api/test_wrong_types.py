"""Arguments of the wrong type: every public function answers with a sentence that says what to write instead."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import spieltisch
from spieltisch import records
from spieltisch.core.game import Game
from spieltisch.i18n.format import LANGUAGES, format_message

GAMES = spieltisch.games()
MATCH = spieltisch.match("template", players=2, seed=1)
MATCH.play("random", plies=3)
RECORD, STATE, RULES = MATCH.record(), MATCH.state, MATCH.game
NOT_ACTIONS = {
    "b+": 'match.push("b+")',
    None: "match.legal",
    7: "match.legal",
    b"b+": "match.legal",
    (): "match.push(*actions)",
    (0,): "match.push(*actions)",
    ("b+", "r+"): "match.push(*actions)",
}


def refusal(call, *given, **named):
    """The refusal of a call; it must say its sentence in every language."""
    with pytest.raises(spieltisch.Refusal) as refused:
        call(*given, **named)
    sentences = {format_message(refused.value.message, language) for language in LANGUAGES}
    assert len(sentences) == len(LANGUAGES)
    return refused.value


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("slip", NOT_ACTIONS, ids=repr)
@pytest.mark.parametrize("plies", [0, 6, 10_000])
def test_every_function_of_a_game_that_takes_an_action_says_how_to_give_one(name, slip, plies):
    match = spieltisch.match(spieltisch.game(name).for_simulation, 2, seed=1)
    match.play("random", plies=plies)
    game, state = match.game, match.state
    calls = [
        lambda given: game.apply(state, given),
        lambda given: game.write(state, given),
        lambda given: game.witness(state, given, None),
        lambda given: game.witness(state, given, spieltisch.Seat(0)),
        lambda given: game.multiplicity(state, given),
        lambda given: game.drawn_pieces(state, given),
        lambda given: game.ends_turn(state, given),
    ]
    if not isinstance(slip, str):
        calls += [match.explain]
    for given in (slip, list(slip)) if isinstance(slip, tuple) else (slip,):
        for call in calls:
            error = refusal(call, given)
            assert isinstance(error, spieltisch.NotAnAction)
            assert isinstance(error, TypeError)
            assert NOT_ACTIONS[slip] in str(error)


@pytest.mark.parametrize("name", GAMES)
def test_an_action_of_another_game_is_no_action(name):
    match = spieltisch.match(spieltisch.game(name).for_simulation, 2, seed=1)
    for other in GAMES:
        if other != name:
            action = spieltisch.match(spieltisch.game(other).for_simulation, 2, seed=1).legal[0].action
            for call in (match.game.write, match.game.ends_turn, match.game.multiplicity):
                assert isinstance(refusal(call, match.state, action), spieltisch.NotAnAction)
            for call in (match.push, match.explain):
                assert isinstance(refusal(call, action), spieltisch.NotAnAction)


@pytest.mark.parametrize("name", GAMES)
def test_notation_is_a_text(name):
    match = spieltisch.match(spieltisch.game(name).for_simulation, 2, seed=1)
    for given in (7, None, b"b+", ["b+"], match.legal[0].action):
        error = refusal(match.game.read, match.state, given)
        assert isinstance(error, spieltisch.WrongType)
        assert "game.write(state, action)" in str(error)


SLIPS = [  # a call, and the words of the refusal that say what to write instead
    # a string where a list is wanted
    (lambda: spieltisch.match("template", names="Ada"), 'names=["Ada"]'),
    (lambda: spieltisch.match("template", options="open"), "such as a dict"),
    (lambda: MATCH._referee.play(spieltisch.Seat(MATCH.turn), "R"), '[game.read(state, "R")]'),
    # a list where several arguments are wanted
    (lambda: MATCH.play(["random", "random"]), "match.play(*players)"),
    (lambda: MATCH.push(["R", "B"]), "match.push(*actions)"),
    # a record, or something else, where a game is wanted
    (lambda: spieltisch.game(RECORD), "spieltisch.load(record)"),
    (lambda: spieltisch.match(RECORD), "spieltisch.load(record)"),
    (lambda: spieltisch.bots(RECORD), "spieltisch.load(record)"),
    (lambda: spieltisch.twin(RECORD), "spieltisch.load(record)"),
    (lambda: spieltisch.game(MATCH), "match.game"),
    (lambda: spieltisch.match(MATCH), "match.game"),
    (lambda: spieltisch.bots(MATCH), "match.game"),
    (lambda: spieltisch.twin(MATCH), "match.game"),
    (lambda: spieltisch.game(7), "bigpoints"),
    (lambda: spieltisch.match(["rondo"]), "bigpoints"),
    # a record, or something else, where a match is wanted
    (lambda: spieltisch.evaluate(RECORD, "level:1"), "spieltisch.load(record)"),
    (lambda: spieltisch.evaluate(records.Record((RECORD,)), "level:1"), "spieltisch.load(record)"),
    (lambda: spieltisch.evaluate("rondo", "level:1"), 'spieltisch.match("rondo")'),
    (lambda: spieltisch.evaluate("evening.game", "level:1"), 'spieltisch.load("evening.game")'),
    (lambda: spieltisch.evaluate(Path("evening.game"), "level:1"), 'spieltisch.load("evening.game")'),
    (lambda: spieltisch.evaluate(RULES, "level:1"), 'spieltisch.match("template")'),
    (lambda: spieltisch.evaluate(STATE, "level:1"), "spieltisch.match("),
    (lambda: spieltisch.evaluate(None, "level:1"), "spieltisch.match("),
    # a match, or something else, where a record or a path is wanted
    (lambda: spieltisch.load(MATCH), "match.copy()"),
    (lambda: spieltisch.load(RULES), 'spieltisch.match("template")'),
    (lambda: spieltisch.load("rondo"), 'spieltisch.match("rondo")'),
    (lambda: spieltisch.load(STATE), 'spieltisch.load("evening.game")'),
    (lambda: spieltisch.load(7), 'spieltisch.load("evening.game")'),
    (lambda: spieltisch.load(None), 'spieltisch.load("evening.game")'),
    (lambda: spieltisch.load([RECORD]), 'spieltisch.load("evening.game")'),
    (lambda: records.write(MATCH), "match.record()"),
    (lambda: records.write(7), "match.record()"),
    (lambda: records.write("format"), "spieltisch.records.read(text)"),
    (lambda: records.read(MATCH), "match.record()"),
    (lambda: records.read(Path("evening.game")), "path.read_text()"),
    (lambda: records.read(b"format"), "spieltisch.records.decode(content)"),
    (lambda: records.read(7), "spieltisch.records.read("),
    (lambda: records.decode("format"), "spieltisch.records.read(text)"),
    (lambda: MATCH.save(RECORD), 'match.save("evening.game")'),
    (lambda: MATCH.save(MATCH), 'match.save("evening.game")'),
    # a number where a text is wanted
    (lambda: MATCH.save(7), 'match.save("evening.game")'),
    (lambda: MATCH.save(b"evening.game"), 'match.save("evening.game")'),
    (lambda: MATCH.save(io.StringIO()), 'match.save("evening.game")'),
    (lambda: MATCH.push(7), "match.legal"),
    (lambda: MATCH.play(7), '"level:3"'),
    (lambda: spieltisch.evaluate(MATCH, 7), '"level:3"'),
    (lambda: spieltisch.match("template", edition=7), "standard"),
    (lambda: spieltisch.match("template", names=7), 'names=["Ada", "Ibo"]'),
    (lambda: spieltisch.match("template", names=["Ada", 7]), 'names=["Ada", "Ibo"]'),
    (lambda: MATCH.board(language=7), 'language="de"'),
    (lambda: MATCH.describe(language=7), 'language="de"'),
    (lambda: MATCH.story(language=7), 'language="de"'),
    (lambda: MATCH.explain("R", language=7), 'language="de"'),
    (lambda: MATCH.svg(language=7), 'language="de"'),
    (lambda: MATCH.film(language=7), 'language="de"'),
    # a text where a number is wanted
    (lambda: MATCH.at("1"), "match.at(1)"),
    (lambda: MATCH.at(None), "match.at(1)"),
    (lambda: MATCH.play("random", plies="3"), "plies=1"),
    (lambda: MATCH.play("random", seconds="3"), "seconds=1"),
    (lambda: spieltisch.evaluate(MATCH, "level:1", seconds="3"), "seconds=1"),
    (lambda: spieltisch.load(RECORD, game="1"), "game=1"),
    (lambda: spieltisch.load(RECORD, "template"), "game=1"),
    (lambda: spieltisch.match("template", players="3"), "whole number"),
    (lambda: spieltisch.match("template", first="0"), "whole number"),
    (lambda: spieltisch.match("template", rules="1"), "whole number"),
    (lambda: spieltisch.twin("rondo", players="3"), "whole number"),
    (lambda: MATCH.board(width="80"), "width=100"),
    (lambda: MATCH.view("0"), "whole numbers"),
    (lambda: MATCH.svg("0"), "whole numbers"),
    (lambda: MATCH.board("0"), "whole numbers"),
    # something else where a seed is wanted
    (lambda: spieltisch.match("template", seed=1.5), "seed=1"),
    (lambda: spieltisch.load(RECORD, seed=[1]), "seed=1"),
    (lambda: spieltisch.evaluate(MATCH, "level:1", seed=b"x"), "seed=1"),
]


@pytest.mark.parametrize(("call", "advice"), SLIPS)
def test_a_value_of_the_wrong_type_is_answered_with_what_to_write_instead(call, advice):
    before = MATCH.copy()
    assert advice in str(refusal(call))
    assert before == MATCH


def test_every_public_function_that_takes_arguments_is_tried():
    """The calls above name every function of the package, and every method of `Match` and `Game` that takes arguments."""
    source = Path(__file__).read_text("utf-8")
    functions = {"match", "game", "bots", "twin", "load", "evaluate"}
    assert functions == {
        name
        for name in spieltisch.__all__
        if name.islower() and name != "games"  # which takes nothing
    }
    assert {name for name in functions if f"lambda: spieltisch.{name}(" not in source} == set()
    silent = {"pop", "draw", "copy", "record"}  # they take nothing
    methods = {name for name, value in vars(spieltisch.Match).items() if not name.startswith("_") and callable(value)}
    assert {name for name in methods - silent if f"MATCH.{name}(" not in source} == set()
    takes_action = {name for name, value in vars(Game).items() if "action" in getattr(value, "__annotations__", {})}
    assert {name for name in takes_action if f"game.{name}(state" not in source} == set()


def test_wrong_types_are_type_errors_too():
    for kind in (spieltisch.NotAnAction, spieltisch.NotAPlayer):
        assert issubclass(kind, spieltisch.WrongType)
    assert issubclass(spieltisch.WrongType, TypeError)
    assert isinstance(refusal(spieltisch.load, 7), spieltisch.WrongType)
    assert refusal(spieltisch.match, "template", names="Ada").field == "names"


def test_an_open_file_may_be_binary(tmp_path):
    MATCH.save(tmp_path / "evening.game")
    with (tmp_path / "evening.game").open("rb") as file:
        assert spieltisch.load(file) == MATCH


def test_names_can_always_be_saved_and_loaded(tmp_path):
    file = tmp_path / "evening.game"
    for names in (["Ada"], {1: "Ibo"}, ("", "Ibo"), (), {}):
        match = spieltisch.match("template", players=2, names=names)
        match.save(file)
        assert spieltisch.load(file).names == match.names
    for names in ([";"], ["A\nb"], ["A" * 41], ["Ada", "Ibo", "Eva"], {2: "Eva"}, {"0": "Ada"}, {-1: "Ada"}):
        assert refusal(spieltisch.match, "template", players=2, names=names).field == "names"


def test_a_bot_with_a_long_name_can_be_saved_and_loaded(tmp_path):
    class First:
        def choose(self, seen, clock):
            return seen.choices[0]

    First.__name__ = "First;" * 20
    match = spieltisch.match("template", players=2, seed=1)
    match.play(First, plies=2)
    match.save(tmp_path / "evening.game")
    assert spieltisch.load(tmp_path / "evening.game").names == match.names


def test_a_match_is_not_saved_to_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(spieltisch.Refusal, match="does not exist"):
        MATCH.save(tmp_path / "evenings" / "monday.game")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "evenings").mkdir()
    MATCH.save(str(tmp_path / "evenings" / "monday.game"))
    assert spieltisch.load(tmp_path / "evenings" / "monday.game") == MATCH
