"""The engine protocol: every request, every refusal, and arbitrary input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spieltisch import players, registry
from spieltisch.cli import engine as protocol
from spieltisch.cli.engine import Engine
from spieltisch.core.game import AnyGame, Over
from spieltisch.core.json import to_json
from spieltisch.i18n.format import LANGUAGES
from spieltisch.records import read
from spieltisch.records.replay import replay
from tests.support.command import FUZZ, EngineProcess, run, run_into_closed_pipe

CODES = {
    "bad-json",
    "bad-request",
    "unknown-game",
    "bad-setup",
    "unknown-state",
    "bad-notation",
    "illegal-action",
    "not-pending",
    "limit",
    "bad-record",
}
FIELDS = {
    "games": [],
    "new": ["game", "players", "options", "first"],
    "apply": ["state", "action"],
    "view": ["state", "viewer"],
    "text": ["state", "viewer", "language"],
    "play": ["state", "player", "seed"],
    "record": ["state"],
    "drop": ["state"],
    "hello": [],
    "load": ["record"],
    "imagine": ["state", "viewer", "seed"],
    "evaluate": ["state", "player", "seed"],
}


RECORD = "format spieltisch 1\ngame template\nrules 2\nedition standard\nplayers 2\nfirst 0\n* R\n"
Response: TypeAlias = dict[str, Any]


class EngineInProcess:
    """The engine without a process."""

    def __init__(self) -> None:
        self.engine = Engine()

    def send(self, line: bytes) -> Response:
        text = self.engine.handle(line)
        assert "\n" not in text
        response: Response = json.loads(text, parse_constant=pytest.fail)
        return response

    def ask(self, do: str, **fields: object) -> Response:
        return self.send(json.dumps({"id": 1, "do": do, **fields}).encode())


AnyEngine: TypeAlias = EngineProcess | EngineInProcess


@pytest.fixture(scope="module")
def engine() -> Iterator[EngineProcess]:
    with EngineProcess() as process:
        yield process


def start(engine: AnyEngine, game: str = "template", **agreed: object) -> Response:
    """The response to a new game."""
    response = engine.ask("new", game=game, **agreed)
    assert response["ok"], response
    return response


def after(engine: AnyEngine, response: Response, *actions: str) -> Response:
    """The response after these actions."""
    for action in actions:
        response = engine.ask("apply", state=response["state"], action=action)
        assert response["ok"], response
    return response


def dealt(engine: AnyEngine) -> Response:
    """Pebbles after the deal: seat 0 holds R R R, seat 1 holds R R B."""
    return after(engine, start(engine), *"RRRRRB")


def ended(engine: AnyEngine, response: Response) -> Response:
    """The response at the end of the game, if players and chance always take the first action."""
    while response["pending"]["kind"] != "over":
        response = after(engine, response, response["pending"]["actions"][0])
    return response


def replayed(engine: AnyEngine, response: Response) -> tuple[AnyGame, Any]:
    """The game and the state with that id, rebuilt from the engine's record."""
    record = read(engine.ask("record", state=response["state"])["record"]).games[0]
    game = registry.find(record.game)
    return game, replay(game, record).state


def refused(response: Response, code: str, *words: str) -> dict[str, str]:
    """Checks the form of a refusal, and returns its error."""
    assert set(response) == {"id", "ok", "error"}
    assert response["ok"] is False
    error: dict[str, str] = response["error"]
    assert set(error) - {"rule"} == {"code", "message"}
    assert error["code"] == code, error
    assert error["message"]
    for word in words:
        assert word in error["message"]
    return error


# The requests


def test_games_lists_every_game_with_its_settings(engine):
    response = engine.send(b'{"id":1,"do":"games"}')
    assert set(response) == {"id", "ok", "games"}
    assert (response["id"], response["ok"]) == (1, True)
    for entry, game in zip(response["games"], registry.all(), strict=True):
        assert entry["game"] == game.name
        assert entry["title"] == game.title
        assert entry["players"] == [game.players.start, game.players.stop - 1]
        assert entry["editions"] == [edition.name for edition in game.editions]
        assert list(entry["options"]) == [option.name for option in game.options]


def test_new_returns_a_state_and_what_is_pending(engine):
    line = b'{"id":2,"do":"new","game":"template","players":3,"edition":"standard","options":{},"first":0}'
    response = engine.send(line)
    assert isinstance(state := response.pop("state"), str)
    assert state
    chance = {"kind": "chance", "actions": ["R", "B", "G"], "weights": [5, 5, 5]}
    assert response == {"id": 2, "ok": True, "pending": chance}


def test_apply_returns_another_state_and_what_is_pending_then(engine):
    before = start(engine)
    response = engine.ask("apply", state=before["state"], action="R")
    assert response.pop("state") != before["state"]
    chance = {"kind": "chance", "actions": ["R", "B", "G"], "weights": [4, 5, 5]}
    assert response == {"id": 1, "ok": True, "pending": chance}


def test_a_decision_names_its_seat_and_actions(engine):
    assert dealt(engine)["pending"] == {"kind": "decision", "seat": 0, "actions": ["R", "r"]}


def test_the_end_names_scores_ranks_and_the_ending(engine):
    pending = ended(engine, start(engine))["pending"]
    assert set(pending) == {"kind", "scores", "ranks", "ending"}
    assert len(pending["scores"]) == len(pending["ranks"]) == 2
    assert pending["ending"] == "empty"


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("name", registry.names())
def test_a_view_is_the_games_observation_for_the_viewer(engine, name, viewer):
    response = start(engine, name)
    game, state = replayed(engine, response)
    view = engine.ask("view", state=response["state"], viewer=viewer)
    assert view == {"id": 1, "ok": True, "view": to_json(game.observe(state, viewer))}


def test_a_view_shows_the_own_hand_and_no_other(engine):
    view = engine.ask("view", state=dealt(engine)["state"], viewer=0)["view"]
    assert view["hands"] == [{"size": 3, "pebbles": [3, 0, 0]}, {"size": 3, "pebbles": None}]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", registry.names())
def test_a_position_is_described_in_every_language(engine, name, language):
    response = engine.ask("text", state=start(engine, name)["state"], viewer=0, language=language)
    assert set(response) == {"id", "ok", "text"}
    assert response["text"].strip()


def test_a_position_is_described_for_its_viewer(engine):
    state = dealt(engine)["state"]
    assert "You hold 3 red pebbles." in engine.ask("text", state=state, viewer=0, language="en")["text"]
    assert "red" not in engine.ask("text", state=state, viewer=None, language="en")["text"]


@pytest.mark.parametrize("name", registry.names())
def test_a_bot_chooses_a_pending_action_and_the_same_one_for_the_same_seed(engine, name):
    response = start(engine, name)
    while response["pending"]["kind"] == "chance":
        response = after(engine, response, response["pending"]["actions"][0])
    for player in players.known(registry.find(name)):
        played = [engine.ask("play", state=response["state"], player=player, seed=seed) for seed in (1, 1, 2)]
        assert set(played[0]) == {"id", "ok", "action"}
        assert played[0] == played[1]
        assert {each["action"] for each in played} <= set(response["pending"]["actions"])


@pytest.mark.parametrize("player", ["greedy", "random"])
def test_pebbles_are_played_by(engine, player):
    response = dealt(engine)
    said = engine.ask("play", state=response["state"], player=player, seed=1)
    assert said["action"] in response["pending"]["actions"]


def test_other_seeds_give_other_choices(engine):
    state = dealt(engine)["state"]
    chosen = {engine.ask("play", state=state, player="random", seed=seed)["action"] for seed in range(20)}
    assert chosen == {"R", "r"}


def test_a_record_holds_the_game_so_far(engine):
    record = engine.ask("record", state=dealt(engine)["state"])["record"]
    assert record.startswith("format    spieltisch 1\ngame      template\n")
    assert record.endswith("* R\n" * 5 + "* B\n")


@pytest.mark.parametrize("name", registry.names())
def test_the_record_of_a_whole_game_verifies(engine, name):
    response = ended(engine, start(engine, name))
    record = engine.ask("record", state=response["state"])["record"]
    ran = run("verify", "-", typed=record.encode())
    assert ran.code == 0, ran.err
    assert "Unfinished" not in ran.out


def test_a_dropped_state_is_unknown_from_then_on(engine):
    state = start(engine)["state"]
    assert engine.ask("drop", state=state) == {"id": 1, "ok": True}
    refused(engine.ask("drop", state=state), "unknown-state", state)


def test_the_descendants_of_a_dropped_state_stay_valid(engine):
    before = dealt(engine)
    response = after(engine, before, "r")
    engine.ask("drop", state=before["state"])
    assert engine.ask("record", state=response["state"])["record"].endswith("0 r\n")


def test_a_caller_can_branch_from_an_old_state(engine):
    fork = dealt(engine)
    left, right = after(engine, fork, "R", "."), after(engine, fork, "r")
    assert left["state"] != right["state"]
    assert engine.ask("record", state=left["state"])["record"].endswith("0 R\n0 .\n")
    assert engine.ask("record", state=right["state"])["record"].endswith("0 r\n")
    assert after(engine, fork, "r")["pending"] == right["pending"]


@pytest.mark.parametrize("name", registry.names())
def test_all_fields_of_new_but_the_game_are_optional(engine, name):
    game = registry.find(name)
    lean = start(engine, name, players=game.editions[0].players.start)
    full = start(
        engine,
        name,
        players=game.editions[0].players.start,
        edition=game.editions[0].name,
        options={option.name: option.default for option in game.options},
        first=0,
    )
    records = [engine.ask("record", state=response["state"])["record"] for response in (lean, full)]
    assert records[0] == records[1]


def test_the_first_seat_and_the_options_are_those_requested(engine):
    response = start(engine, players=4, first=3, options={"piles": "open"})
    record = engine.ask("record", state=response["state"])["record"]
    assert "first     3\n" in record
    assert "option    piles open\n" in record


@pytest.mark.parametrize("bag", [{"R": 6, "B": 0, "G": 0}, '{"R": 6, "B": 0, "G": 0}'])
def test_a_document_is_given_inline(engine, bag):
    response = start(engine, options={"bag": bag})
    assert response["pending"] == {"kind": "chance", "actions": ["R"], "weights": [6]}
    record = engine.ask("record", state=ended(engine, response)["state"])["record"]
    assert run("verify", "-", typed=record.encode()).code == 0


# The refusals

REFUSALS = {
    "no JSON": ("bad-json", b"hello"),
    "half a line": ("bad-json", b'{"id":1,"do":"games"'),
    "two objects": ("bad-json", b'{"id":1,"do":"games"}{}'),
    "a list": ("bad-json", b"[]"),
    "a number": ("bad-json", b"7"),
    "no UTF-8": ("bad-json", b'{"id":1,"do":"\xff"}'),
    "a zero byte": ("bad-json", b"\0"),
    "NaN": ("bad-json", b'{"id":NaN,"do":"games"}'),
    "infinity": ("bad-json", b'{"id":1,"do":"games","x":-Infinity}'),
    "deep nesting": ("bad-json", b"[" * 100_000),
    "deep objects": ("bad-json", b'{"a":' * 100_000),
    "an endless integer": ("bad-json", b'{"id":' + b"9" * 10_000 + b"}"),
    "nothing to do": ("bad-request", b'{"id":1}'),
    "an unknown verb": ("bad-request", b'{"id":1,"do":"dance"}'),
    "a verb that is no text": ("bad-request", b'{"id":1,"do":["games"]}'),
    "an id that is a list": ("bad-request", b'{"id":[],"do":"games"}'),
    "an id that is a fraction": ("bad-request", b'{"id":1.5,"do":"games"}'),
    "an id that is true": ("bad-request", b'{"id":true,"do":"games"}'),
    "no game": ("bad-request", b'{"id":1,"do":"new"}'),
    "a game that is a number": ("bad-request", b'{"id":1,"do":"new","game":7}'),
    "players that are true": ("bad-request", b'{"id":1,"do":"new","game":"template","players":true}'),
    "players that are a text": ("bad-request", b'{"id":1,"do":"new","game":"template","players":"2"}'),
    "players that are a fraction": ("bad-request", b'{"id":1,"do":"new","game":"template","players":2.0}'),
    "a first seat that is false": ("bad-request", b'{"id":1,"do":"new","game":"template","first":false}'),
    "options that are a list": ("bad-request", b'{"id":1,"do":"new","game":"template","options":[]}'),
    "options that are null": ("bad-request", b'{"id":1,"do":"new","game":"template","options":null}'),
    "an unknown game": ("unknown-game", b'{"id":1,"do":"new","game":"tempest"}'),
    "a game that is a path": ("unknown-game", b'{"id":1,"do":"new","game":"../template"}'),
    "one player": ("bad-setup", b'{"id":1,"do":"new","game":"template","players":1}'),
    "many players": ("bad-setup", b'{"id":1,"do":"new","game":"template","players":' + b"9" * 4000 + b"}"),
    "an unknown edition": ("bad-setup", b'{"id":1,"do":"new","game":"template","edition":"gold"}'),
    "a first seat beyond the last": ("bad-setup", b'{"id":1,"do":"new","game":"template","first":2}'),
    "a first seat below zero": ("bad-setup", b'{"id":1,"do":"new","game":"template","first":-1}'),
    "an unknown option": ("bad-setup", b'{"id":1,"do":"new","game":"template","options":{"x":1}}'),
    "an unknown value": ("bad-setup", b'{"id":1,"do":"new","game":"template","options":{"piles":"x"}}'),
    "a value that is true": ("bad-setup", b'{"id":1,"do":"new","game":"template","options":{"piles":true}}'),
    "a value that is an object": ("bad-setup", b'{"id":1,"do":"new","game":"template","options":{"piles":{}}}'),
    "a lone surrogate": ("bad-setup", rb'{"id":1,"do":"new","game":"template","options":{"\ud800":"\udfff"}}'),
    "an unknown state": ("unknown-state", b'{"id":1,"do":"view","state":"s0","viewer":0}'),
    "a state that is a number": ("bad-request", b'{"id":1,"do":"view","state":1,"viewer":0}'),
    "a surrogate for a state": ("unknown-state", rb'{"id":1,"do":"record","state":"\ud800"}'),
}


@pytest.mark.parametrize(("code", "line"), REFUSALS.values(), ids=REFUSALS.keys())
def test_the_engine_refuses(engine, code, line):
    refused(engine.send(line), code)
    assert engine.ask("games")["ok"]


BAGS = {
    "no JSON": "{",
    "a number": 5,
    "null": None,
    "a list": [5, 5, 5],
    "a list as text": "[5,5,5]",
    "an empty object": {},
    "a colour too few": {"R": 9, "B": 9},
    "a colour too many": {"R": 5, "B": 5, "G": 5, "Y": 5},
    "a truth": {"R": True, "B": 5, "G": 5},
    "a fraction": {"R": 5.0, "B": 5, "G": 5},
    "a text": {"R": "5", "B": 5, "G": 5},
    "less than nothing": {"R": -1, "B": 9, "G": 9},
    "a mountain": {"R": 10**300, "B": 5, "G": 5},
    "too few pebbles": {"R": 5, "B": 0, "G": 0},
    "a surrogate": {"R": "\ud800", "B": 5, "G": 5},
    "a deep hole": "[" * 50_000,
    "NaN as text": '{"R":NaN,"B":5,"G":5}',
}


@pytest.mark.parametrize("bag", BAGS.values(), ids=BAGS.keys())
def test_a_broken_bag_is_a_bad_setup(engine, bag):
    refused(engine.ask("new", game="template", options={"bag": bag}), "bad-setup")


def test_a_bad_setup_names_the_rule_if_there_is_one(engine):
    assert refused(engine.ask("new", game="template", options={"bag": {}}), "bad-setup")["rule"] == "R2"


def test_an_illegal_action_names_its_rule(engine):
    response = engine.ask("apply", state=dealt(engine)["state"], action="G")
    assert refused(response, "illegal-action")["rule"] == "R4"


@pytest.mark.parametrize("action", ["", "x", "RR", "ß", "\ud800", "R" * 10_000, "\n"])
def test_text_that_is_not_an_action_is_bad_notation(engine, action):
    assert "rule" not in refused(engine.ask("apply", state=dealt(engine)["state"], action=action), "bad-notation")


@pytest.mark.parametrize("action", [None, 1, True, ["R"], {"R": 1}])
def test_an_action_that_is_not_a_string_is_a_bad_request(engine, action):
    refused(engine.ask("apply", state=dealt(engine)["state"], action=action), "bad-request", "action")


def test_nothing_is_pending_after_the_end(engine):
    state = ended(engine, start(engine))["state"]
    refused(engine.ask("apply", state=state, action="R"), "not-pending")
    refused(engine.ask("play", state=state, player="random", seed=1), "not-pending")


def test_no_bot_plays_for_chance(engine):
    refused(engine.ask("play", state=start(engine)["state"], player="random", seed=1), "not-pending")


@pytest.mark.parametrize("viewer", [-1, 2, 10**30, False, "0", 0.0, []])
def test_a_viewer_is_a_seat_or_null(engine, viewer):
    state = start(engine)["state"]
    for do in ("view", "text"):
        refused(engine.ask(do, state=state, viewer=viewer), "bad-request", "viewer")


@pytest.mark.parametrize("do", ["view", "text"])
def test_the_viewer_is_required(engine, do):
    refused(engine.ask(do, state=start(engine)["state"]), "bad-request", "viewer", "missing")


@pytest.mark.parametrize("language", ["tlh", "", "EN", "../en"])
def test_an_unknown_language_is_a_bad_request(engine, language):
    refused(engine.ask("text", state=start(engine)["state"], viewer=0, language=language), "bad-request")


@pytest.mark.parametrize("player", ["nobody", "", "you"])
def test_an_unknown_player_is_a_bad_request(engine, player):
    refused(engine.ask("play", state=dealt(engine)["state"], player=player, seed=1), "bad-request", "random")


@pytest.mark.parametrize("seed", [-1, True, "1", 1.0, None])
def test_a_seed_is_a_whole_number_from_zero(engine, seed):
    refused(engine.ask("play", state=dealt(engine)["state"], player="random", seed=seed), "bad-request")


@pytest.mark.parametrize("do", FIELDS)
def test_an_unknown_field_is_refused_by_its_name(engine, do):
    state = dealt(engine)["state"]
    sent = {"state": state, "game": "template", "action": "R", "viewer": 0, "player": "greedy", "record": RECORD}
    asked = {field: sent[field] for field in FIELDS[do] if field in sent}
    refused(engine.ask(do, **asked, colour="red"), "bad-request", do, "colour")
    assert engine.ask(do, **asked)["ok"]


# Lines, and the process


@pytest.mark.parametrize("number", [0, -3, 10**30, "", "a", "\ud800", "ü", None])
def test_the_id_is_echoed(engine, number):
    asked = json.dumps({"id": number, "do": "games"}).encode()
    assert engine.send(asked)["id"] == number
    asked = json.dumps({"id": number, "do": "dance"}).encode()
    assert engine.send(asked)["id"] == number


@pytest.mark.parametrize("line", [b"x", b"[1]", b'{"id":{},"do":"games"}', b'{"id":1.5}', b'{"do":"games"}'])
def test_the_id_is_null_if_none_can_be_read(engine, line):
    assert engine.send(line)["id"] is None


def test_blank_lines_get_no_response():
    ran = run("engine", typed=b'\n  \r\n\t\n{"id":1,"do":"games"}\r\n\n')
    assert [json.loads(line)["id"] for line in ran.out.splitlines()] == [1]


def test_empty_input_is_not_an_error():
    assert run("engine") == (0, "", "")


def test_a_last_line_without_a_newline_gets_a_response():
    ran = run("engine", typed=b'{"id":1,"do":"games"}')
    assert ran.code == 0
    assert json.loads(ran.out)["ok"]


@pytest.mark.parametrize("end", [b"", b"\r"])
def test_a_line_of_a_million_bytes_is_the_longest(engine, end):
    request = b'{"id":1,"do":"games"}'
    assert engine.send(request.ljust(1_000_000) + end)["ok"]
    refused(engine.send(request.ljust(1_000_001) + end), "limit")


@pytest.mark.parametrize("letter", [b"x", b" ", b"\r", b"\xff"])
def test_a_line_of_ten_megabytes_gets_one_response_and_the_next_line_its_own(engine, letter):
    refused(engine.send(letter * 10_000_000 + b"x"), "limit")
    assert engine.ask("games")["ok"]


def test_a_carriage_return_does_not_end_a_line(engine):
    request = b'{"id":1,"do":"games"}'
    refused(engine.send(request.ljust(1_000_000) + b"\r\r" + request), "limit")
    assert engine.send(b'{"id":2,"do":"games"}')["id"] == 2


def test_at_most_a_hundred_thousand_states_are_stored():
    engine = EngineInProcess()
    state = start(engine)["state"]
    nodes = engine.engine._nodes
    assert protocol.MAX_STATES == 100_000
    nodes.update({f"copy {number}": nodes[state] for number in range(100_000 - len(nodes) - 1)})
    assert start(engine)
    refused(engine.ask("new", game="template"), "limit")
    refused(engine.ask("apply", state=state, action="R"), "limit")
    assert engine.ask("drop", state=state)["ok"]
    assert start(engine)


def test_interrupting_the_engine_ends_it_quietly():
    with EngineProcess() as engine:
        engine.ask("games")
        ran = engine.interrupt()
    assert ran.code == 130
    assert "Traceback" not in ran.err


def test_a_closed_pipe_ends_the_engine_quietly():
    ran = run_into_closed_pipe("engine", typed=b'{"id":1,"do":"games"}\n' * 3)
    assert ran.err == ""
    assert ran.code == 141


# Anything anybody may send


def assert_well_answered(response: Response) -> None:
    assert response["ok"] in (True, False)
    if not response["ok"]:
        refused(response, response["error"]["code"])
        assert response["error"]["code"] in CODES


def assert_plays_on(engine: AnyEngine) -> None:
    response = start(engine, options={"bag": {"R": 6, "B": 0, "G": 0}})
    assert ended(engine, response)["pending"]["ending"] == "empty"


@settings(FUZZ, max_examples=100)
@given(st.lists(st.binary(max_size=60) | st.text().map(str.encode), max_size=10))
def test_any_lines_get_responses_and_the_engine_plays_on(lines):
    engine = EngineInProcess()
    for line in lines:
        assert_well_answered(engine.send(line))
    assert_plays_on(engine)


ANY_TEXT = st.text(st.characters(), max_size=5)
WORDS = st.sampled_from([*registry.names(), "s1", "s2", "R", "r", ".", "en", "fr", "greedy", "random", "open", "{}"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 5) | st.integers() | st.floats() | WORDS | ANY_TEXT,
    lambda values: st.lists(values, max_size=2) | st.dictionaries(WORDS | ANY_TEXT, values, max_size=2),
    max_leaves=4,
)
SENSIBLE: dict[str, st.SearchStrategy[Any]] = {
    "game": st.sampled_from(registry.names()),
    "players": st.integers(1, 5),
    "options": st.dictionaries(st.sampled_from(["piles", "bag"]), st.sampled_from(["open", "", {"R": 9}]) | VALUES),
    "first": st.integers(0, 2),
    "state": st.sampled_from(["s1", "s6", "s7"]),
    "action": st.sampled_from("RBGrbg."),
    "viewer": st.none() | st.integers(0, 2),
    "language": st.sampled_from(LANGUAGES),
    "player": st.sampled_from(["greedy", "random"]),
    "seed": st.integers(0),
    "record": st.sampled_from([RECORD, RECORD + "* R\n", RECORD + "0 R\n"]),
}
REQUESTS = st.builds(
    lambda sensible, odd: {**sensible, **odd},
    st.one_of(
        [
            st.fixed_dictionaries({"do": st.just(do), **{field: SENSIBLE[field] for field in fields}})
            for do, fields in FIELDS.items()
        ]
    ),
    st.just({}) | st.dictionaries(st.sampled_from(["id", "do", "edition", "rules", "other", *SENSIBLE]), VALUES),
)


@settings(FUZZ, max_examples=300)
@given(st.lists(REQUESTS, min_size=1, max_size=5))
def test_any_requests_get_responses_and_the_engine_plays_on(requests):
    engine = EngineInProcess()
    dealt(engine)
    for request in requests:
        assert_well_answered(engine.send(json.dumps(request).encode()))
    assert_plays_on(engine)


@pytest.mark.parametrize("nested", ["[%s]", '{"a":%s}', '{"R":%s,"B":5,"G":5}'])
@pytest.mark.parametrize("option", ["piles", "bag"])
def test_nesting_near_the_recursion_limit_is_refused(option, nested):
    engine = EngineInProcess()
    left, _, right = nested.partition("%s")
    for depth in range(10, 1200, 7):
        document = left * depth + "1" + right * depth
        response = engine.send(
            b'{"id":1,"do":"new","game":"template","options":{"%s":%s}}' % (option.encode(), document.encode())
        )
        assert response["error"]["code"] in ("bad-json", "bad-setup")


@settings(FUZZ, max_examples=50)
@given(st.data())
def test_every_sequence_of_requests_is_a_game_by_the_rules(data):
    engine = EngineInProcess()
    response = start(engine, players=data.draw(st.integers(2, 4)))
    while response["pending"]["kind"] != "over":
        response = after(engine, response, data.draw(st.sampled_from(response["pending"]["actions"])))
    game, state = replayed(engine, response)
    assert isinstance(game.pending(state), Over)
