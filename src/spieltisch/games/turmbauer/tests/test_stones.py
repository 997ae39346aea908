"""The stones of Turmbauer: what is known of the printed ones, and every way in which another set can be wrong."""

from __future__ import annotations

import copy
import hashlib
import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from bench.turmbauer_sets import Table
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.command import assert_refused, run
from tests.support.documents import damaged_documents, json_values

from spieltisch.cli.engine import Engine
from spieltisch.core.game import BadSetup, Chance, Over
from spieltisch.games import turmbauer
from spieltisch.games.turmbauer import GAME
from spieltisch.games.turmbauer.tests.positions import FOR_REPLAY, choices, cubes, play, refused
from spieltisch.i18n.format import catalogue
from spieltisch.records import BadRecord, read
from spieltisch.records.replay import replay

TEXT = (Path(turmbauer.__file__).parent / "stones.json").read_text(encoding="utf-8")
STONES = json.loads(TEXT)
OTHER = {
    "about": "Screws that are no mirror images of themselves, and sticks as long as can be.",
    "kinds": {
        "1c": {"copies": 1, "cells": [[0, 0, 0]]},
        "1n": {"copies": 1, "cells": [[0, 0, 0]], "natural": True},
        "2d": {"copies": 2, "cells": [[0, 0, 0], [0, 0, 1]]},
        "3c": {"copies": 1, "cells": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
        "3n": {"copies": 1, "cells": [[0, 0, 0], [1, 0, 0], [2, 0, 0]], "natural": True},
        "4left": {"copies": 1, "cells": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]},
        "4right": {"copies": 1, "cells": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, -1]]},
        "5i": {"copies": 1, "cells": [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [4, 0, 0]]},
        "5w": {"copies": 1, "cells": [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1]]},
        "6i": {"copies": 2, "cells": [[0, 0, n] for n in range(6)]},
    },
}


def setup_with(stones, players=3, hand="calm"):
    return GAME.agree(players, options={"stones": stones, "hand": hand})


def in_hand(kind, stones=OTHER, in_round=1):
    """A stone of such a set that is to be placed; from the second round on there is nothing but the foundation."""
    state = GAME.initial(setup_with(stones))
    return play(state._replace(turn=3 * (in_round - 1)), "6+6", kind)


# The reconstruction


def test_there_are_twelve_stones_two_of_each_size_and_42_cubes():
    sizes = Counter({kind: len(stone["cells"]) for kind, stone in STONES["kinds"].items()})
    assert Counter(
        size for kind, size in sizes.items() for _ in range(STONES["kinds"][kind]["copies"])
    ) == dict.fromkeys(range(1, 7), 2)
    state = GAME.initial(GAME.agree(4))
    for side in GAME.observe(state, None).sides:
        assert side.stock == ("1c", "1n", "2d", "2d", "3i", "3v", "4i", "4l", "5c", "5p", "6r", "6s")
        assert sum(sizes[kind] for kind in side.stock) == 42
    assert cubes(state) == 4 * 42


def test_names_are_the_number_of_cubes_and_letters():
    for kind, stone in STONES["kinds"].items():
        assert kind[0] == str(len(stone["cells"]))
        assert kind[1:].isalpha()
        assert kind[1:].islower()


def test_what_is_certain_of_the_printed_stones_is_there():
    kinds = STONES["kinds"]
    assert [kind for kind, stone in kinds.items() if stone.get("natural")] == ["1n"]
    assert (kinds["1c"]["cells"], kinds["1n"]["cells"]) == ([[0, 0, 0]], [[0, 0, 0]])
    assert (kinds["2d"]["cells"], kinds["2d"]["copies"]) == ([[0, 0, 0], [1, 0, 0]], 2)
    assert kinds["4l"]["cells"][:3] == [[0, 0, 0], [1, 0, 0], [2, 0, 0]]


@pytest.mark.parametrize(
    ("kind", "ways"),
    [("1c", 1), ("2d", 3), ("3i", 3), ("3v", 12), ("4i", 3), ("4l", 24), ("5p", 24), ("5c", 24), ("6r", 6), ("6s", 12)],
)
def test_every_stone_can_be_turned_in_as_many_ways_as_its_shape_has(kind, ways):
    stones = GAME.initial(GAME.agree()).stones
    assert len({each.offsets for each in stones.kinds[stones.number(kind)].orientations}) == ways


def test_the_default_set_is_called_reconstructed_and_another_one_is_not():
    assert "econstruct" in STONES["about"]
    assert GAME.observe(GAME.initial(GAME.agree()), None).reconstructed
    assert not GAME.observe(GAME.initial(setup_with(OTHER)), None).reconstructed


def test_the_same_stones_as_a_file_play_the_same():
    own, from_file = GAME.initial(setup_with("")), GAME.initial(setup_with(TEXT))
    assert own.stones.kinds == from_file.stones.kinds
    backwards = {"kinds": dict(reversed(STONES["kinds"].items()))}
    assert GAME.initial(setup_with(backwards)).stones.kinds == own.stones.kinds


# Sets that are wrong


def with_value(*path, to=..., stones=STONES):
    """The set with another value at that place, or without the place."""
    stones = copy.deepcopy(stones)
    at = stones
    for step in path[:-1]:
        at = at[step]
    if to is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return stones


def with_kind(name="4x", **stone):
    """The set with one more kind."""
    return with_value("kinds", name, to=stone)


BROKEN = [
    ({}, "stones.kinds", "kinds"),
    (with_value("kinds"), "stones.kinds", "kinds"),
    (with_value("kinds", to={}), "stones.kinds", "kinds"),
    (with_value("kinds", to=[]), "stones.kinds", "kinds"),
    (with_value("kinds", to="1c"), "stones.kinds", "kinds"),
    (with_value("kinds", to=None), "stones.kinds", "kinds"),
    (with_value("colour", to="red"), "stones.unknown", "“colour”"),
    (with_value("kinds", "4l", "colour", to="red"), "stones.unknown", "4l colour"),
    (with_value("kinds", "4l", "cell", to=[]), "stones.unknown", "4l cell"),
    (with_kind("4L"), "stones.name", "“4L”"),
    (with_kind("4"), "stones.name", "“4”"),
    (with_kind(""), "stones.name", "“”"),
    (with_kind("l4"), "stones.name", "“l4”"),
    (with_kind("0x"), "stones.name", "“0x”"),
    (with_kind("7x"), "stones.name", "“7x”"),
    (with_kind("4l2"), "stones.name", "“4l2”"),
    (with_kind("4 l"), "stones.name", "“4 l”"),
    (with_kind("4ä"), "stones.name", "“4ä”"),
    (with_kind("４l"), "stones.name", "“４l”"),
    (with_kind("4l\n"), "stones.name", "“4l"),
    (with_kind("4abcdef"), "stones.name", "“4abcdef”"),
    (with_value("kinds", "4l", to=[[0, 0, 0]]), "stones.kind", "“4l”"),
    (with_value("kinds", "4l", to=None), "stones.kind", "“4l”"),
    (with_value("kinds", "4l", to="4l"), "stones.kind", "“4l”"),
    (with_value("kinds", "4l", "copies", to=0), "stones.copies", "“4l” “0”"),
    (with_value("kinds", "4l", "copies", to=3), "stones.copies", "“4l” “3”"),
    (with_value("kinds", "4l", "copies", to=-1), "stones.copies", "“4l” “-1”"),
    (with_value("kinds", "4l", "copies", to=1.0), "stones.copies", "“4l” “1.0”"),
    (with_value("kinds", "4l", "copies", to="2"), "stones.copies", "“4l” “2”"),
    (with_value("kinds", "4l", "copies", to=True), "stones.copies", "“4l” “True”"),
    (with_value("kinds", "4l", "copies", to=None), "stones.copies", "“4l” “None”"),
    (with_value("kinds", "1n", "natural", to=1), "stones.natural", "“1n” “1”"),
    (with_value("kinds", "1n", "natural", to="yes"), "stones.natural", "“1n” “yes”"),
    (with_value("kinds", "1n", "natural", to=None), "stones.natural", "“1n” “None”"),
    (with_value("kinds", "4l", "cells"), "stones.cells", "“4l”"),
    (with_value("kinds", "4l", "cells", to=[]), "stones.cells", "“4l”"),
    (with_value("kinds", "4l", "cells", to={}), "stones.cells", "“4l”"),
    (with_value("kinds", "4l", "cells", to="0,0,0"), "stones.cells", "“4l”"),
    (with_value("kinds", "4l", "cells", to=4), "stones.cells", "“4l”"),
    (with_value("kinds", "4l", "cells", 0, to=[0, 0]), "stones.cell", "“4l” “[0, 0]”"),
    (with_value("kinds", "4l", "cells", 0, to=[0, 0, 0, 0]), "stones.cell", "“4l” “[0, 0, 0, 0]”"),
    (with_value("kinds", "4l", "cells", 0, to=[0, 0, "0"]), "stones.cell", "“4l”"),
    (with_value("kinds", "4l", "cells", 0, to=[0, 0, 0.5]), "stones.cell", "“4l” “[0, 0, 0.5]”"),
    (with_value("kinds", "4l", "cells", 0, to=[0, 0, 0.0]), "stones.cell", "“4l” “[0, 0, 0.0]”"),
    (with_value("kinds", "4l", "cells", 0, to=[0, 0, True]), "stones.cell", "“4l” “[0, 0, true]”"),
    (with_value("kinds", "4l", "cells", 0, to=[0, 0, None]), "stones.cell", "“4l” “[0, 0, null]”"),
    (with_value("kinds", "4l", "cells", 0, to=[0, 0, 100]), "stones.cell", "“4l” “[0, 0, 100]”"),
    (with_value("kinds", "4l", "cells", 0, to=[0, -100, 0]), "stones.cell", "“4l” “[0, -100, 0]”"),
    (with_value("kinds", "4l", "cells", 0, to={"x": 0}), "stones.cell", "“4l”"),
    (with_value("kinds", "4l", "cells", 0, to="000"), "stones.cell", "“4l”"),
    (with_value("kinds", "4l", "cells", 1, to=[0, 0, 0]), "stones.twice", "“4l” [0, 0, 0]"),
    (with_value("kinds", "4l", "cells", 3, to=[1, 1, 1]), "stones.apart", "“4l” [1, 1, 1]"),
    (with_value("kinds", "4i", "cells", 3, to=[4, 0, 0]), "stones.apart", "“4i” [4, 0, 0]"),
    (with_value("kinds", "2d", "cells", 1, to=[1, 1, 0]), "stones.apart", "“2d” [1, 1, 0]"),
    (with_value("kinds", "2d", "cells", 1, to=[99, 0, 0]), "stones.apart", "“2d” [99, 0, 0]"),
    (with_value("kinds", "2d", "cells", to=[[0, 0, 0]]), "stones.size", "“2d” 2 one"),
    (with_value("kinds", "1c", "cells", to=[[0, 0, 0], [1, 0, 0]]), "stones.size", "“1c” one 2"),
    (with_value("kinds", "6r", "cells", 0), "stones.size", "“6r” 6 5"),
    (with_value("kinds", "4l"), "stones.sizes", "4"),
    (with_value("kinds", "2d"), "stones.sizes", "none 2"),
    (with_value("kinds", "2d", "copies", to=1), "stones.sizes", "2"),
    (with_value("kinds", "2d", "copies"), "stones.sizes", "2"),
    (with_value("kinds", "6s", "copies", to=2), "stones.sizes", "3 6"),
    (with_kind("3w", cells=[[0, 0, 0], [0, 0, 1], [0, 0, 2]]), "stones.sizes", "3"),
    (with_value("kinds", "1n", "natural", to=False), "stones.singles", "natural"),
    (with_value("kinds", "1n", "natural"), "stones.singles", "natural"),
    (with_value("kinds", "1c", "natural", to=True), "stones.singles", "natural"),
    (with_value("kinds", "1n", stones=with_value("kinds", "1c", "copies", to=2)), "stones.singles", "natural"),
]


def refusal(stones):
    with pytest.raises(BadSetup) as caught:
        GAME.initial(setup_with(stones))
    assert caught.value.field == "stones"
    return caught.value


@pytest.mark.parametrize(("stones", "key", "words"), BROKEN, ids=[f"{n} {key}" for n, (_, key, _) in enumerate(BROKEN)])
def test_a_broken_set_is_refused_by_r2_with_a_sentence_that_names_the_place(stones, key, words):
    error = refusal(stones)
    assert error.rule == "R2"
    assert error.message.key == key
    assert str(error).startswith("R2: ")
    assert str(error).endswith(".")
    for word in words.split():
        assert word in str(error)


@pytest.mark.parametrize("stones", [[], "[]", "3", 3, None, True, "{", "null", '{"kinds": NaN}', "\ud800"])
def test_what_is_no_json_object_is_refused_before_the_game_sees_it(stones):
    with pytest.raises(BadSetup) as caught:
        setup_with(stones)
    assert caught.value.field == "stones"
    assert str(caught.value).endswith(".")


def test_two_natural_single_cubes_of_one_kind_are_refused():
    stones = with_value("kinds", "1n", "copies", to=2)
    del stones["kinds"]["1c"]
    assert refusal(stones).message.key == "stones.singles"


def test_every_refusal_of_a_set_is_met():
    met = {refusal(stones).message.key for stones, _, _ in BROKEN}
    said = {key for key in catalogue("turmbauer", "en") if key.startswith("stones.")}
    assert met == said - {"stones.reconstructed"}


# Sets that are right


def test_fields_that_may_be_left_out_are_one_copy_and_not_natural():
    stones = {"kinds": copy.deepcopy(STONES["kinds"])}
    for stone in stones["kinds"].values():
        if stone["copies"] == 1:
            del stone["copies"]
    assert GAME.initial(setup_with(stones)).stones.kinds == GAME.initial(setup_with("")).stones.kinds
    assert GAME.initial(setup_with(with_value("kinds", "4l", "natural", to=False))).stones.kinds


def test_a_cube_is_coloured_where_the_sum_is_even_and_in_natural_kinds_where_it_is_odd():
    assert "@1,0,1;1,1,1;1,2,1" in choices(in_hand("3c"))
    assert refused(in_hand("3n"), "@1,0,1;1,1,1;1,2,1") == "R9"
    assert "@0,0,1;1,0,1;2,0,1" in choices(in_hand("3n"))
    assert refused(in_hand("3c"), "@0,0,1;1,0,1;2,0,1") == "R9"
    moved = with_value("kinds", "3c", "cells", to=[[5, 0, 0], [6, 0, 0], [7, 0, 0]], stones=OTHER)
    assert choices(in_hand("3c", moved)) == choices(in_hand("3n"))


def test_a_stone_may_be_described_anywhere_and_any_way_round():
    turned = with_value("kinds", "4left", "cells", to=[[-7, 5, 9], [-8, 5, 9], [-8, 4, 9], [-8, 4, 10]], stones=OTHER)
    assert choices(in_hand("4left", turned)) == choices(in_hand("4left"))


def test_r8_a_mirror_image_is_another_shape():
    left, right = in_hand("4left"), in_hand("4right")
    assert not set(choices(left)) & set(choices(right))
    assert len(choices(left)) == len(choices(right))
    for place in choices(right)[::10]:
        assert refused(left, place, "shape") == "R8"


def test_r12_a_stick_of_six_is_too_long_to_lie_on_the_foundation():
    state = in_hand("6i", in_round=2)
    assert refused(state, "@-1,0,1;0,0,1;1,0,1;2,0,1;3,0,1;4,0,1", "to the east") == "R12"
    assert refused(state, "@0,-4,1;0,-3,1;0,-2,1;0,-1,1;0,0,1;0,1,1", "to the south") == "R12"
    upright = [[f"{x},{y},{z}" for z in range(1, 7)] for y in (0, 1) for x in (0, 1)]
    assert choices(state) == ["@" + ";".join(cells) for cells in upright]


def test_stones_that_look_alike_in_words_are_called_by_their_names():
    state = GAME.initial(setup_with(OTHER))
    assert refused(play(state, "1+2"), "4left", "4left") == "R5"
    assert refused(play(state, "1+4"), "6i", "straight 6-cube") == "R5"


def compare_random_game(stones, seed, players):
    """Plays a random game with that set in both implementations; returns its ending."""
    dice, setup = Random(f"{seed} {players}"), setup_with(stones, players, "steady")
    state, table = FOR_REPLAY.initial(setup), Table(players, stones=stones)
    while not isinstance(pending := FOR_REPLAY.pending(state), Over):
        texts = [FOR_REPLAY.write(state, action) for action in pending.actions]
        if isinstance(pending, Chance) and pending.judged:
            assert table.pending == "judge"
            text = "fall 1" if dice.random() < 0.1 else "stands"
        else:
            assert table.turn % 3 or sorted(texts) == sorted(table.choices())  # in every third turn: the oracle is slow
            text = dice.choice(texts)
        state = FOR_REPLAY.apply(state, FOR_REPLAY.read(state, text))
        table.play(text)
        assert cubes(state) == table.cubes() == (126 if players == 3 else 168)
    assert list(pending.outcome.scores) == table.scores()
    assert list(pending.outcome.ranks) == table.ranks()
    return pending.outcome.ending


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2)])
def test_another_set_plays_to_the_end_beside_a_second_implementation(players, seed):
    assert compare_random_game(OTHER, seed, players) == "built"


# The engine, records and the command line


def asking(engine):
    def ask(**request):
        answer = json.loads(engine.handle(json.dumps({"id": 1, **request}).encode()))
        assert answer["ok"], answer
        return answer

    return ask


@pytest.mark.parametrize("stones", [OTHER, json.dumps(OTHER, indent=1)], ids=["object", "text"])
def test_a_set_given_through_the_engine_is_played_and_its_record_names_it_by_its_sha_256(stones):
    ask, dice = asking(Engine()), Random(4)
    answer = ask(do="new", game="turmbauer", players=3, options={"stones": stones, "hand": "calm"})
    while answer["pending"]["kind"] != "over":
        answer = ask(do="apply", state=answer["state"], action=dice.choice(answer["pending"]["actions"]))
    view = ask(do="view", state=answer["state"], viewer=None)["view"]
    assert not view["reconstructed"]
    text = ask(do="record", state=answer["state"])["record"]
    (record,) = read(text).games
    sha = hashlib.sha256(json.dumps(OTHER, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    assert dict(record.options)["stones"] == sha
    assert [name for name, _ in record.data] == [sha]
    again = replay(GAME, record)  # BadRecord if it does not reach the same end
    assert GAME.observe(again.state, None).tower
    assert list(record.result or ()) == answer["pending"]["scores"]


def test_the_reconstructed_set_is_not_written_into_records():
    ask = asking(Engine())
    text = ask(do="record", state=ask(do="new", game="turmbauer")["state"])["record"]
    (record,) = read(text).games
    assert (record.options, record.data) == ((), ())


def test_a_record_whose_set_is_broken_is_refused_by_r2_at_its_line():
    document = json.dumps(with_value("kinds", "4l", "cells", 3, to=[5, 5, 5]), sort_keys=True, separators=(",", ":"))
    sha = hashlib.sha256(document.encode()).hexdigest()
    head = ["format spieltisch 1", "game turmbauer", "rules 1", "edition standard", "players 3", "first 0"]
    text = "\n".join([*head, f"option stones {sha}", f"data {sha} {document}", "* 1+2", ""])
    (record,) = read(text).games
    with pytest.raises(BadRecord) as caught:
        replay(GAME, record)
    assert (caught.value.rule, caught.value.line, caught.value.message.key) == ("R2", 7, "stones.apart")


def test_a_broken_set_through_the_engine_is_an_answer():
    stones = with_value("kinds", "4l", "cells", 3, to=[5, 5, 5])
    request = {"id": 1, "do": "new", "game": "turmbauer", "options": {"stones": stones}}
    answer = json.loads(Engine().handle(json.dumps(request).encode()))
    assert (answer["ok"], answer["error"]["code"], answer["error"]["rule"]) == (False, "bad-setup", "R2")
    assert "[5, 5, 5]" in answer["error"]["message"]


def test_a_set_in_a_file_is_played_from_the_command_line_and_its_record_verifies(tmp_path):
    (tmp_path / "other.json").write_text(json.dumps(OTHER), encoding="utf-8")
    out = tmp_path / "games"
    ran = run(
        *("simulate", "turmbauer", "--stones", tmp_path / "other.json", "-p", "random,random,random", "-n", 2),
        *("-o", out),
    )
    assert ran.code == 0, ran
    records = sorted(out.glob("*.game"))
    assert records
    assert all("4right" in path.read_text(encoding="utf-8") for path in records)
    verified = run("verify", *records)
    assert verified.code == 0, verified


def test_a_broken_set_in_a_file_is_refused_on_the_command_line(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(with_value("kinds", "2d", "copies", to=1)), encoding="utf-8")
    assert_refused(run("simulate", "turmbauer", "--stones", path, "-n", 1), "R2", "size 2")


# Sets that chance has damaged

ANYTHING = json_values(["1c", "4l", "cells", "natural", ""], ["4l", "cells", "copies"], (-2, 3))


@settings(derandomize=True, deadline=None, database=None, max_examples=200)
@given(damaged_documents(OTHER, ANYTHING), st.integers(0, 9))
def test_a_damaged_set_is_refused_or_played(stones, seed):
    try:
        state = GAME.initial(setup_with(stones))
    except BadSetup:
        error = refusal(stones)
        assert error.rule == "R2"
        assert str(error).endswith(".")
    else:
        dice = Random(seed)
        for _ in range(3):
            state = play(state, "6+6", "*")
            state = play(state, dice.choice(choices(state)), "stands", ".")
        assert cubes(state) == 126
