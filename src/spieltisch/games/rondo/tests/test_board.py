"""The board of Rondo: what is known of the printed one, and every way in which another one can be wrong."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from bench.rondo_lists import Table
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.command import assert_refused, run
from tests.support.documents import damaged_documents, json_values

from spieltisch.cli.engine import Engine
from spieltisch.core.game import BadSetup, Over
from spieltisch.games import rondo
from spieltisch.games.rondo import GAME
from spieltisch.records import read
from spieltisch.records.replay import replay

TEXT = (Path(rondo.__file__).parent / "board.json").read_text(encoding="utf-8")
BOARD = json.loads(TEXT)
SMALL = {
    "cells": ["N1", "E1", "ring", "far"],
    "adjacency": {
        "C": ["N1", "E1"],
        "N1": ["C", "ring"],
        "E1": ["C", "ring"],
        "ring": ["N1", "E1", "far"],
        "far": ["ring"],
    },
    "grey": ["far"],
    "sides": {
        "blue": {
            "N1": {"colour": "P", "value": 1},
            "E1": {"colour": "B", "value": 2},
            "ring": {"colour": "Y", "value": 3},
            "far": {"colour": "R", "value": 12},
        },
        "red": {
            "N1": {"colour": "G", "value": 2},
            "E1": {"colour": "G", "value": 2},
            "ring": {"colour": "G", "value": 4},
            "far": {"colour": "G", "value": 100},
        },
    },
}


def field(name, side="blue"):
    printed = BOARD["sides"][side][name]
    return printed["colour"] + str(printed["value"])


# The reconstruction


def test_there_are_sixty_fields_and_seventy_two_links_four_of_them_with_the_centre():
    assert len(BOARD["cells"]) == len(set(BOARD["cells"])) == 60
    links = {frozenset((name, other)) for name, others in BOARD["adjacency"].items() for other in others}
    assert len(links) == 72
    assert sorted(name for link in links if "C" in link for name in link - {"C"}) == ["AE", "AN", "AS", "AW"]


def test_fields_are_named_by_arms_inner_ring_spokes_and_outer_ring():
    arms, inner = ["AN", "AE", "AS", "AW"], [f"I{n}" for n in range(16)]
    spokes, outer = [f"K{n}" for n in range(1, 16, 2)], [f"O{n}" for n in range(32)]
    assert BOARD["cells"] == arms + inner + spokes + outer
    near = {name: set(others) for name, others in BOARD["adjacency"].items()}
    for ring in (inner, outer):
        for number, name in enumerate(ring):
            assert {ring[number - 1], ring[(number + 1) % len(ring)]} <= near[name]
    for number, arm in enumerate(arms):
        assert near[arm] == {"C", f"I{4 * number}"}
    for number in range(1, 16, 2):
        assert near[f"K{number}"] == {f"I{number}", f"O{2 * number}"}
    assert all(len(others) in (2, 3) for name, others in near.items() if name != "C")


def test_eight_fields_of_the_outer_ring_are_grey():
    assert BOARD["grey"] == [f"O{n}" for n in range(0, 32, 4)]


def test_what_is_known_of_the_printed_blue_side_is_there():
    assert {field(arm) for arm in BOARD["adjacency"]["C"]} == {"R2", "B2", "P2", "Y2"}
    paths = [("P2", "B1", "Y3"), ("P2", "B1", "G3"), ("B1", "G3", "P3", "B5"), ("R2", "P1", "B4"), ("Y1", "G5")]
    for path in paths:
        assert any(leads(name, path) for name in BOARD["cells"]), path
    assert any(leads(name, ("R2", "P1", f"G{value}")) for name in BOARD["cells"] for value in range(1, 6))
    assert field("AW") == "R2"
    printed = Counter(field(name) for name in BOARD["cells"])
    assert set(printed) == {colour + str(value) for colour in "PBYGR" for value in range(1, 6)}


def leads(name, path):
    """Whether a path with these fields begins here."""
    if field(name) != path[0]:
        return False
    return not path[1:] or any(leads(other, path[1:]) for other in BOARD["adjacency"][name] if other != "C")


def test_the_red_side_has_the_same_pattern_with_higher_values():
    assert set(BOARD["sides"]) == {"blue", "red"}
    worth = {side: sum(printed["value"] for printed in BOARD["sides"][side].values()) for side in ("blue", "red")}
    assert worth["red"] > worth["blue"]
    assert {field(name, "red") for name in BOARD["cells"]} == {field(name) for name in BOARD["cells"]}


def test_the_default_board_is_called_reconstructed_and_another_one_is_not():
    assert "econstruct" in BOARD["about"]
    assert GAME.observe(GAME.initial(GAME.agree()), None).reconstructed
    assert not GAME.observe(GAME.initial(GAME.agree(options={"board": SMALL})), None).reconstructed


def test_the_same_board_as_a_file_plays_the_same():
    own, given_ = GAME.initial(GAME.agree()), GAME.initial(GAME.agree(options={"board": TEXT}))
    assert own.board._replace(reconstructed=False) == given_.board


# Boards that are wrong


def changed(*path, to=..., board=SMALL):
    """The small board with another value at that place, or without the place."""
    board = copy.deepcopy(board)
    at = board
    for step in path[:-1]:
        at = at[step]
    if to is ...:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return board


BROKEN = [
    (changed("cells"), "board.cells", "cells"),
    (changed("cells", to="N1"), "board.cells", "cells"),
    (changed("cells", to=[]), "board.cells", "cells"),
    (changed("cells", to=[f"F{n}" for n in range(501)]), "board.cells", "cells"),
    (changed("cells", 0, to="C"), "board.name", "“C”"),
    (changed("cells", 0, to="N 1"), "board.name", "“N 1”"),
    (changed("cells", 0, to="N:1"), "board.name", "“N:1”"),
    (changed("cells", 0, to=""), "board.name", "“”"),
    (changed("cells", 0, to=7), "board.name", "“7”"),
    (changed("cells", 0, to=["N1"]), "board.name", "N1"),
    (changed("cells", 0, to=None), "board.name", "None"),
    (changed("cells", 0, to="Ñ1"), "board.name", "“Ñ1”"),
    (changed("cells", 1, to="N1"), "board.twice", "N1"),
    (changed("adjacency"), "board.adjacency", "adjacency"),
    (changed("adjacency", to=[]), "board.adjacency", "adjacency"),
    (changed("adjacency", "C"), "board.no_links", "C"),
    (changed("adjacency", "C", to=[]), "board.no_links", "C"),
    (changed("adjacency", "far"), "board.no_links", "far"),
    (changed("adjacency", "far", to=[]), "board.no_links", "far"),
    (changed("adjacency", "far", to="ring"), "board.no_links", "far"),
    (changed("adjacency", "far", to=None), "board.no_links", "far"),
    (changed("adjacency", "moon", to=["far"]), "board.unknown", "moon adjacency"),
    (changed("adjacency", "far", to=["ring", "moon"]), "board.unknown", "moon adjacency far"),
    (changed("adjacency", "far", to=["ring", 3]), "board.unknown", "3 adjacency far"),
    (changed("adjacency", "far", to=["ring", ["N1"]]), "board.unknown", "adjacency far"),
    (changed("adjacency", "far", to=["ring", {}]), "board.unknown", "adjacency far"),
    (changed("adjacency", "far", to=["ring", "far"]), "board.itself", "far"),
    (changed("adjacency", "C", to=["C", "N1", "E1"]), "board.itself", "C"),
    (changed("adjacency", "far", to=["ring", "N1"]), "board.one_way", "far N1"),
    (changed("adjacency", "far", to=["ring", "C"]), "board.one_way", "far C"),
    (changed("adjacency", "C", to=["N1"]), "board.one_way", "E1 C"),
    (changed("grey"), "board.grey", "grey"),
    (changed("grey", to=[]), "board.grey", "grey"),
    (changed("grey", to="far"), "board.grey", "grey"),
    (changed("grey", to=["far", "moon"]), "board.unknown", "moon grey"),
    (changed("grey", to=["C"]), "board.unknown", "C grey"),
    (changed("grey", to=[["far"]]), "board.unknown", "grey"),
    (changed("grey", to=[0]), "board.unknown", "0 grey"),
    (changed("sides"), "board.side", "blue"),
    (changed("sides", to=[]), "board.side", "blue"),
    (changed("sides", "blue"), "board.side", "blue"),
    (changed("sides", "blue", to=[]), "board.side", "blue"),
    (changed("sides", "blue", "far"), "board.no_field", "far blue"),
    (changed("sides", "blue", "far", to=["R", 5]), "board.no_field", "far blue"),
    (changed("sides", "blue", "moon", to={"colour": "P", "value": 1}), "board.unknown", "moon sides blue"),
    (changed("sides", "blue", "C", to={"colour": "P", "value": 1}), "board.unknown", "C sides blue"),
    (changed("sides", "blue", "far", "colour"), "board.colour", "far"),
    (changed("sides", "blue", "far", "colour", to="r"), "board.colour", "far"),
    (changed("sides", "blue", "far", "colour", to="PB"), "board.colour", "far"),
    (changed("sides", "blue", "far", "colour", to=""), "board.colour", "far"),
    (changed("sides", "blue", "far", "colour", to=["R"]), "board.colour", "far"),
    (changed("sides", "blue", "far", "value"), "board.value", "far"),
    (changed("sides", "blue", "far", "value", to=0), "board.value", "far"),
    (changed("sides", "blue", "far", "value", to=-3), "board.value", "far"),
    (changed("sides", "blue", "far", "value", to=2.5), "board.value", "far"),
    (changed("sides", "blue", "far", "value", to="5"), "board.value", "far"),
    (changed("sides", "blue", "far", "value", to=True), "board.value", "far"),
    (changed("sides", "blue", "far", "value", to=None), "board.value", "far"),
    (changed("sides", "blue", "far", "value", to=1001), "board.value", "far"),
    ({}, "board.cells", "cells"),
]


def refusal(board, edition="blue"):
    with pytest.raises(BadSetup) as caught:
        GAME.initial(GAME.agree(edition=edition, options={"board": board}))
    assert caught.value.field == "board"
    return caught.value


@pytest.mark.parametrize(("board", "key", "places"), BROKEN, ids=[f"{n} {key}" for n, (_, key, _) in enumerate(BROKEN)])
def test_a_broken_board_is_refused_by_r2_with_a_sentence_that_names_the_place(board, key, places):
    error = refusal(board)
    assert error.rule == "R2"
    assert error.message.key == key
    assert str(error).startswith("R2: ")
    assert str(error).endswith(".")
    for place in places.split():
        assert place in str(error)


def test_a_field_that_cannot_be_reached_is_named():
    board = changed("adjacency", "ring", to=["N1", "E1"])
    board["adjacency"]["far"] = ["moon"]
    board["adjacency"]["moon"] = ["far"]
    board["cells"].append("moon")
    error = refusal(board)
    assert (error.rule, error.message.key) == ("R2", "board.unreachable")
    assert "far" in str(error)


@pytest.mark.parametrize("board", [[], "[]", "3", 3, None, True, "{", "null", '{"cells": NaN}', "\ud800"])
def test_what_is_no_json_object_is_refused_before_the_game_sees_it(board):
    with pytest.raises(BadSetup) as caught:
        GAME.agree(options={"board": board})
    assert caught.value.field == "board"
    assert str(caught.value).endswith(".")


def test_a_side_that_is_not_played_may_be_missing_but_not_wrong():
    board = changed("sides", "red")
    GAME.initial(GAME.agree(options={"board": board}))
    error = refusal(board, "red")
    assert (error.rule, error.message.key) == ("R2", "board.side")
    assert "red" in str(error)
    assert refusal(changed("sides", "red", "ring", "value", to=0), "blue").message.key == "board.value"


def test_every_refusal_of_a_board_is_met():
    from spieltisch.i18n.format import catalogue

    met = {refusal(board).message.key for board, _, _ in BROKEN} | {"board.unreachable"}
    said = {key for key in catalogue("rondo", "en") if key.startswith("board.")}
    assert met == said - {"board.empty", "board.reconstructed"}


# Boards that are right


def walk(board, seed, edition="blue", players=2):
    """Plays a random game on that board in both implementations; returns its ending."""
    dice = Random(seed)
    setup = GAME.agree(players, edition, {"board": board}, first=seed % players)
    state, table, steps = GAME.initial(setup), Table(board, edition, players, seed % players), 0
    while not isinstance(pending := GAME.pending(state), Over):
        texts = [GAME.write(state, action) for action in pending.actions]
        assert texts == table.choices()
        text = dice.choice(texts)
        state = GAME.apply(state, GAME.read(state, text))
        table.play(text)
        steps += 1
        assert steps <= GAME.bound(setup)
    assert list(pending.outcome.scores) == table.scores()
    assert list(pending.outcome.ranks) == table.ranks()
    assert pending.outcome.ending == table.ending
    return pending.outcome


@pytest.mark.parametrize("edition", ["blue", "red"])
def test_a_small_board_plays_to_the_end(edition):
    endings = {walk(SMALL, seed, edition, 2 + seed % 3).ending for seed in range(30)}
    assert endings == {"grey"}


def test_the_smallest_board_has_one_field():
    board = {
        "cells": ["x"],
        "adjacency": {"C": ["x"], "x": ["C"]},
        "grey": ["x"],
        "sides": {"blue": {"x": {"colour": "P", "value": 1}}},
    }
    for seed in range(10):
        walk(board, seed)


def asking(engine):
    def ask(**request):
        answer = json.loads(engine.handle(json.dumps({"id": 1, **request}).encode()))
        assert answer["ok"], answer
        return answer

    return ask


@pytest.mark.parametrize("board", [SMALL, json.dumps(SMALL)])
def test_a_board_given_through_the_engine_is_played_and_recorded(board):
    ask, dice = asking(Engine()), Random(4)
    answer = ask(do="new", game="rondo", players=3, options={"board": board}, edition="red")
    while answer["pending"]["kind"] != "over":
        answer = ask(do="apply", state=answer["state"], action=dice.choice(answer["pending"]["actions"]))
    view = ask(do="view", state=answer["state"], viewer=None)["view"]
    assert [field["name"] for field in view["fields"]] == SMALL["cells"]
    assert not view["reconstructed"]
    text = ask(do="record", state=answer["state"])["record"]
    (record,) = read(text).games
    replay(GAME, record)  # BadRecord if it does not reach the same end
    assert list(record.result or ()) == answer["pending"]["scores"]


def test_a_broken_board_through_the_engine_is_an_answer():
    board = changed("adjacency", "far", to=["ring", "far"])
    request = {"id": 1, "do": "new", "game": "rondo", "options": {"board": board}}
    answer = json.loads(Engine().handle(json.dumps(request).encode()))
    assert (answer["ok"], answer["error"]["code"], answer["error"]["rule"]) == (False, "bad-setup", "R2")
    assert "far" in answer["error"]["message"]


def test_a_board_in_a_file_is_played_from_the_command_line_and_its_record_verifies(tmp_path):
    (tmp_path / "small.json").write_text(json.dumps(SMALL), encoding="utf-8")
    out = tmp_path / "games"
    ran = run("simulate", "rondo", "--board", tmp_path / "small.json", "-p", "random,random", "-n", 2, "-o", out)
    assert ran.code == 0, ran
    records = sorted(out.glob("*.game"))
    assert records
    assert all("ring" in path.read_text(encoding="utf-8") for path in records)
    verified = run("verify", *records)
    assert verified.code == 0, verified


def test_a_broken_board_in_a_file_is_refused_on_the_command_line(tmp_path):
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(changed("sides", "blue", "far", "value", to=0)), encoding="utf-8")
    assert_refused(run("simulate", "rondo", "--board", path, "-n", 1), "far")


# Boards that chance has damaged

ANYTHING = json_values(["C", "N1", "far", "P", "moon", "", "blue"], ["C", "N1", "colour"], (-3, 9))


@settings(derandomize=True, deadline=None, database=None, max_examples=300)
@given(damaged_documents(SMALL, ANYTHING), st.sampled_from(["blue", "red"]), st.integers(0, 9))
def test_a_damaged_board_is_refused_or_played(board, edition, seed):
    try:
        GAME.initial(GAME.agree(edition=edition, options={"board": board}))
    except BadSetup:
        error = refusal(board, edition)
        assert error.rule == "R2"
        assert str(error).endswith(".")
    else:
        walk(board, seed, edition)
