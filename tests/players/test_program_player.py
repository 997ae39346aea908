"""Bots that are programs: the line protocol, and every way in which a program fails."""

from __future__ import annotations

import gc
import json
from pathlib import Path
from random import Random

import pytest

from spieltisch import registry
from spieltisch.core.game import Decision, Seat
from spieltisch.players import external, program_player
from spieltisch.players.external import BadBot, PlayerFailed
from spieltisch.players.random import RandomPlayer
from tests.players.external_bots import (
    GAMES,
    NAMES,
    PEBBLES,
    failing,
    new_referee,
    play,
    program_bot,
)
from tests.support.playing import engine_client

pytestmark = pytest.mark.usefixtures("bots_folder")


@pytest.mark.parametrize(
    ("manner", "expected"),
    {
        "crash": "ended instead of answering; it last said: ZeroDivisionError: one too many.",
        "exit": "ended instead of answering (exit code 3).",
        "nonsense": 'not one of its choices: "the best one".',
        "number": "not one of its choices: 0.",
        "nothing": "not one of its choices: null.",
        "rubbish": "not a JSON object: let me think.",
        "list": "not a JSON object: [1].",
        "nested": "not a JSON object: [[[",
        "other id": 'another question than number 1: {"id": 77',
        "no id": "another question than number 1",
        "true id": "another question than number 1",
        "gives up": "I resign",
        "rude": "did not answer with “ok”",
        "endless": "a line of more than 1000000 bytes",
    }.items(),
)
def test_the_failure_of_a_program_names_the_bot_and_the_reason(manner, expected):
    sentence = failing(program_bot(manner))
    assert sentence.startswith("The bot “program:")
    assert expected in sentence


def test_a_program_that_hangs_times_out(monkeypatch):
    assert "did not answer within 0.5 seconds" in failing(program_bot("hang", timeout=0.5))
    monkeypatch.setattr(program_player, "START_TIMEOUT", 1.0)
    assert "did not answer within one second" in failing(external.program_maker("sleep 60", PEBBLES))


def test_a_repeated_response_is_not_taken_for_the_next_one():
    with pytest.raises(PlayerFailed, match="another question than number 2"):
        play(PEBBLES, program_bot("twice"), RandomPlayer)


@pytest.mark.parametrize("manner", ["blank", "aside"])
def test_blank_lines_and_standard_error_are_ignored(manner):
    play(PEBBLES, program_bot(manner), RandomPlayer)


@pytest.mark.parametrize(
    ("command", "expected"),
    {
        "": "“” is not a command",
        "  ": "is not a command",
        "sh 'unclosed": "is not a command",
        "no-such-program --fast": "There is no program “no-such-program” that can be run.",
        "./lines.json": "There is no program",
    }.items(),
)
def test_a_command_that_cannot_be_run_is_refused(command, expected):
    with pytest.raises(BadBot) as caught:
        external.program_maker(command, PEBBLES)
    assert expected in str(caught.value)


def test_a_program_that_cannot_be_started_fails_with_the_reason(tmp_path):
    script = tmp_path / "bot"
    script.write_text("no program at all")
    script.chmod(0o755)
    assert "could not be started: Exec format error." in failing(external.program_maker(str(script), PEBBLES))


def requests_in(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_program_gets_hello_then_numbered_requests_then_bye(tmp_path, monkeypatch):
    monkeypatch.setattr(program_player, "_GRACE", 60.0)
    play(PEBBLES, program_bot("first", PEBBLES, tmp_path / "requests"), RandomPlayer)
    gc.collect()
    hello, *requests, bye = requests_in(tmp_path / "requests")
    seed = Random("1/0").getrandbits(32)
    assert hello == {"id": 0, "do": "hello", "game": "template", "rules": PEBBLES.rules[-1], "seed": seed}
    assert [request["id"] for request in requests] == list(range(1, len(requests) + 1))
    assert {tuple(request) for request in requests} == {("id", "do", "view", "choices", "heard", "seconds")}
    assert {(request["do"], request["seconds"]) for request in requests} == {("choose", None)}
    assert bye == {"do": "bye"}


@pytest.mark.parametrize("name", ["bigpoints", "rondo", "template"])
def test_a_program_gets_what_the_engine_shows_its_seat_and_no_more(name, tmp_path):
    game = registry.find(name)
    referee = play(game, RandomPlayer, program_bot("dice", game, tmp_path / "requests"))
    requests = [request for request in requests_in(tmp_path / "requests") if request["do"] == "choose"]
    setup, engine = referee.setup, engine_client()
    answer = engine(do="new", game=name, players=2, first=setup.first, options=dict(setup.options))
    heard: list[dict] = []
    for before, seat, action in referee.steps:
        pending = answer["pending"]
        if pending["kind"] == "decision" and pending["seat"] == 1:
            request = requests.pop(0)
            assert request["view"] == engine(do="view", state=answer["state"], viewer=1)["view"]
            assert request["choices"] == pending["actions"]
            assert request["heard"] == heard
        heard.append({"seat": seat, "text": game.witness(before, action, Seat(1))})
        answer = engine(do="apply", state=answer["state"], action=game.write(before, action))
    assert not requests
    assert any("?" in entry["text"] for entry in heard) == (name != "bigpoints")


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_the_notation_of_choices_does_not_depend_on_hidden_state(game):
    """A program's choices are written in an imagined state, so they must have the same notation in the real one."""
    for seed in range(3):
        dice, referee = Random(seed), new_referee(game, seed, players=game.players.stop - 1)
        while isinstance(pending := referee.settle(), Decision):
            true = [game.write(referee.state, action) for action in pending.actions]
            world = game.imagine(referee.view(pending.seat), dice)
            assert [game.write(world, action) for action in pending.actions] == true
            assert len(set(true)) == len(true)
            referee.play(pending.seat, [dice.choice(pending.actions)])
