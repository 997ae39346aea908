"""The engine's requests for programs that look ahead: hello, load, imagine and evaluate."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import spieltisch
from spieltisch import registry
from spieltisch.cli.engine import Engine
from spieltisch.core.game import Over
from spieltisch.core.json import to_json
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.progress import Progress
from spieltisch.gameplay.referee import Referee
from spieltisch.players.evaluation import evaluate
from spieltisch.players.external import program_maker
from spieltisch.players.random import RandomPlayer
from spieltisch.records import Record, read, write
from tests.support.matches import GAMES, NAMES, late_referee, new_referee

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDER = Path(spieltisch.__file__).parent / "games"
HIDDEN = [game for game in GAMES if game.hides]


@pytest.fixture
def ask() -> Callable[..., dict[str, Any]]:
    """An engine as a function: its whole response, refusals included."""
    engine = Engine()
    return lambda do, **fields: json.loads(engine.handle(json.dumps({"id": 1, "do": do, **fields}).encode()))


def text_of(referee: Referee) -> str:
    return write(Record((referee.record(),)))


def error(response: dict[str, Any], code: str, *words: str) -> dict[str, Any]:
    assert not response["ok"], response
    assert response["error"]["code"] == code, response
    for word in words:
        assert word in response["error"]["message"]
    found: dict[str, Any] = response["error"]
    return found


def test_hello_names_the_version_and_every_request(ask):
    response = ask("hello")
    assert response["version"] == spieltisch.__version__
    assert {"games", "new", "load", "imagine", "evaluate", "hello"} <= set(response["requests"])
    assert set(response) == {"id", "ok", "version", "requests"}


# load


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_a_loaded_game_goes_on_where_the_record_ends(ask, game):
    referee = late_referee(game, 6)
    referee.settle()
    response = ask("load", record=text_of(referee))
    assert response["ok"], response
    pending = response["pending"]
    assert pending["seat"] == referee.pending.seat
    assert pending["actions"] == [game.write(referee.state, action) for action in referee.pending.actions]
    after = ask("apply", state=response["state"], action=pending["actions"][0])
    assert after["ok"]
    written = read(ask("record", state=after["state"])["record"]).games[0]
    assert written.entries[:-1] == tuple(entry for entry in referee.record().entries)


@pytest.mark.parametrize("name", registry.names())
def test_a_finished_game_is_loaded_to_its_end_and_written_as_it_was(ask, name):
    text = (FOLDER / name / "tests" / "golden" / "all-greedy.game").read_text(encoding="utf-8")
    response = ask("load", record=text)
    assert response["pending"]["kind"] == "over"
    game = read(text).games[0]
    assert tuple(response["pending"]["scores"]) == game.result
    assert read(ask("record", state=response["state"])["record"]).games[0].entries == game.entries


def test_a_game_of_a_match_is_loaded_by_its_number(ask):
    text = (FOLDER / "template" / "tests" / "golden" / "match.game").read_text(encoding="utf-8")
    games = read(text).games
    for number in (0, len(games) - 1):
        response = ask("load", record=text, number=number)
        assert tuple(response["pending"]["scores"]) == games[number].result
    assert ask("load", record=text)["pending"] == response["pending"]
    error(ask("load", record=text, number=len(games)), "bad-request", "number")
    error(ask("load", record=text, number=-1), "bad-request", "number")


def test_a_turn_that_was_undone_is_no_part_of_a_loaded_game(ask):
    referee = new_referee(registry.find("template"))
    decision = referee.settle()
    referee.play(decision.seat, [decision.actions[0]])
    referee.undo(1)
    assert ask("load", record=text_of(referee))["pending"]["actions"] == [
        referee.game.write(referee.state, action) for action in decision.actions
    ]


HEADER = "format spieltisch 1\ngame template\nrules 2\nedition standard\nplayers 2\nfirst 0\n"


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("hello", "bad-record", ["record", "line 1"]),
        ("", "bad-record", ["record"]),
        (HEADER + "* R\n0 R\n", "bad-record", ["record", "line 8"]),
        (HEADER.replace("template", "tempest"), "unknown-game", ["tempest"]),
        (HEADER.replace("players 2", "players 9"), "bad-record", ["line 5"]),
        (7, "bad-request", ["record"]),
    ],
)
def test_a_record_that_cannot_be_loaded_is_refused_with_its_line(ask, text, code, words):
    error(ask("load", record=text), code, *words)


def test_an_illegal_move_in_a_record_names_its_rule(ask):
    dealt = HEADER + "* R\n" * 5 + "* B\n"
    assert error(ask("load", record=dealt + "0 G\n"), "bad-record", "line 13")["rule"] == "R4"


# imagine


def at_decision(game, plies: int = 0) -> Progress:
    referee = new_referee(game, seats=3)
    for _ in range(plies):
        pending = referee.settle()
        referee.play(pending.seat, [pending.actions[0]])
    referee.settle()
    return referee.progress


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_an_imagined_state_looks_the_same_to_the_viewer_and_can_be_played_on(ask, game):
    progress = at_decision(game, 4)
    referee = Referee.resume(game, progress.record(new_referee(game, seats=3).record()), seeded(1))
    loaded = ask("load", record=text_of(referee))
    seat = loaded["pending"]["seat"]
    by_state = ask("imagine", state=loaded["state"], viewer=seat, seed=5)
    heard = [to_json(each) for each in progress.heard(seat)]
    by_view = ask("imagine", game=game.name, view=to_json(progress.view(seat)), heard=heard, seed=5)
    for world in (by_state, by_view):
        assert world["ok"], world
        assert world["pending"] == loaded["pending"]
        assert ask("view", state=world["state"], viewer=seat)["view"] == to_json(progress.view(seat))
        chosen = ask("play", state=world["state"], player="greedy", seed=1)["action"]
        assert ask("apply", state=world["state"], action=chosen)["ok"]
        error(ask("record", state=world["state"]), "bad-request")
    views = [ask("view", state=world["state"], viewer=(seat + 1) % 3)["view"] for world in (by_state, by_view)]
    assert views[0] == views[1]


@pytest.mark.parametrize("game", HIDDEN, ids=lambda game: game.name)
def test_worlds_differ_in_what_the_viewer_cannot_see(ask, game):
    progress = at_decision(game, 4)
    seat = progress.pending.seat
    view, others = to_json(progress.view(seat)), set()
    for seed in range(8):
        world = ask("imagine", game=game.name, view=view, seed=seed)
        others.add(json.dumps(ask("view", state=world["state"], viewer=(seat + 1) % 3)["view"]))
    assert len(others) > 1


def test_what_was_witnessed_and_is_no_longer_visible_holds_in_imagined_worlds(ask):
    game = registry.find("template")
    referee = new_referee(game)
    while not (
        isinstance(pending := referee.settle(), Over) or (referee.view(pending.seat).shown[1 - pending.seat].size > 1)
    ):
        referee.play(pending.seat, [pending.actions[0]])
    seat = pending.seat
    view, heard = referee.view(seat), [to_json(each) for each in referee.heard(seat)]
    recalled = game.recall(view, referee.heard(seat))
    assert view.shown[1 - seat].pebbles is None
    assert recalled.shown[1 - seat].pebbles is not None
    for seed in range(5):
        world = ask("imagine", game="template", view=to_json(view), heard=heard, seed=seed)
        shown = ask("view", state=world["state"], viewer=1 - seat)["view"]["shown"][1 - seat]["pebbles"]
        assert tuple(shown) == recalled.shown[1 - seat].pebbles


def test_a_view_that_no_seat_could_have_is_refused_by_its_field(ask):
    progress = at_decision(registry.find("template"))
    view = to_json(progress.view(progress.pending.seat))
    assert isinstance(view, dict)

    def imagine(**changes: object) -> dict[str, Any]:
        return ask("imagine", game="template", view={**view, **changes}, heard=[])

    assert imagine()["ok"]
    error(imagine(seat="me"), "bad-request", "view.seat")
    error(imagine(seat=True), "bad-request", "view.seat")
    error(imagine(phase="nap"), "bad-request", "view.phase")
    error(imagine(colour="red"), "bad-request", "view.colour")
    error(imagine(hands=[{"size": "many", "pebbles": None}]), "bad-request", "view.hands.0.size")
    error(imagine(viewer=7), "bad-request", "viewer")
    error(imagine(setup={**view["setup"], "players": 9}), "bad-setup", "9")
    error(imagine(hands=[{"size": 10**9, "pebbles": None}] * 3), "bad-request", "view", "Pebbles")
    error(imagine(seat=9), "bad-request", "view")
    error(ask("imagine", game="template", view={}), "bad-request", "view.setup")
    error(ask("imagine", game="template", view=[]), "bad-request", "view")
    error(ask("imagine", game="template", view=view, heard=[{"seat": 0}]), "bad-request", "heard.0.text")
    error(ask("imagine", game="tempest", view=view), "unknown-game")
    error(ask("imagine", view=view), "bad-request", "game")
    error(ask("imagine", state="s0", viewer=0), "unknown-state")
    error(ask("imagine", game="template", view=view, seed=-1), "bad-request", "seed")


def test_every_part_of_a_view_may_be_missing_or_wrong(ask):
    """No change of one value of a view makes the engine fail or accept a view that no seat has."""
    for game in GAMES:
        progress = at_decision(game, 2)
        view = to_json(progress.view(progress.pending.seat))
        assert isinstance(view, dict)
        dice = Random(1)
        for name in view:
            for value in (None, -1, 10**6, "", [], {}, dice.choice(list(view.values()))):
                response = ask("imagine", game=game.name, view={**view, name: value})
                if response["ok"]:
                    again = ask("view", state=response["state"], viewer=value if name == "viewer" else view["viewer"])
                    assert again["view"] == {**view, name: value}
                else:
                    assert response["error"]["code"] in {"bad-request", "bad-setup"}


# evaluate


def test_an_evaluation_is_that_of_python(ask):
    game = registry.find("bigpoints")
    referee = new_referee(game)
    referee.settle()
    loaded = ask("load", record=text_of(referee))
    response = ask("evaluate", state=loaded["state"], player="search:30", seed=3)
    assert response == {"id": 1, "ok": True, **evaluate(referee.progress, "search:30", seed=3).to_json()}


def test_an_evaluation_needs_a_decision_and_a_player_that_can(ask):
    state = ask("new", game="template")["state"]
    error(ask("evaluate", state=state, player="greedy"), "not-pending")
    for action in "RRRRRB":
        state = ask("apply", state=state, action=action)["state"]
    assert ask("evaluate", state=state, player="greedy")["scale"] == "points"
    error(ask("evaluate", state=state, player="random"), "bad-request", "random", "greedy")
    error(ask("evaluate", state=state, player="nobody"), "bad-request", "nobody")
    error(ask("evaluate", state=state, player="program:cat"), "bad-request")


# The example


def test_the_example_looks_ahead_with_the_engine_and_beats_a_random_player():
    game = registry.find("template")
    engine = shlex.join([sys.executable, "-m", "spieltisch", "engine"])
    make = program_maker(f"{sys.executable} {EXAMPLES / 'lookahead.py'} {engine}", game, 60)
    scores = []
    for seed in (1, 2):
        referee = Referee(game, game.agree(), seeded(seed))
        players = [make(Random(seed)), RandomPlayer(Random(seed))]
        while not isinstance(pending := referee.settle(), Over):
            referee.ask(players[pending.seat])
        scores.append(pending.outcome.scores)
    assert sum(own for own, _ in scores) > sum(other for _, other in scores)
