"""The command `spieltisch solve`."""

from __future__ import annotations

import json

import pytest

from spieltisch.core.game import Over, Seat
from spieltisch.gameplay.chance import seeded
from spieltisch.gameplay.referee import Referee
from spieltisch.games.bigpoints import GAME as BIG_POINTS
from spieltisch.games.bigpoints import endgame
from spieltisch.players import make
from spieltisch.players.solve import solve
from spieltisch.records import Record, write
from tests.support.command import assert_refused, run

HINTS = {"key": endgame.key, "bounds": endgame.bounds}


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    """A game of Big Points between greedy players, in a file."""
    source = seeded("solve")
    referee = Referee(BIG_POINTS, BIG_POINTS.agree(2), source, {0: "Ada", 1: "Ibo"})
    bots = [make("greedy", BIG_POINTS, f"solve/{seat}") for seat in range(2)]
    while not isinstance(pending := referee.settle(), Over):
        referee.ask(bots[pending.seat])
    path = tmp_path_factory.mktemp("solve") / "real.game"
    path.write_text(write(Record((referee.record(),))), encoding="utf-8")
    return path, referee


def test_the_command_prints_the_outcome_and_every_choice(record):
    path, referee = record
    at = len(referee.steps) - 6
    state = referee.steps[at].before
    solved = solve(BIG_POINTS, state, all_actions=True, **HINTS)
    ran = run("solve", path, "--at", at)
    assert ran.code == 0
    lines = ran.out.splitlines()
    names = ("Ada", "Ibo")
    assert lines[0] == f"After {at} actions: {names[state.seat]} to play."
    assert lines[1].endswith("Ada {} points and Ibo {} points.".format(*solved.outcome.scores))
    assert lines[2].endswith(("wins.", "victory."))
    assert f"The best line: {names[state.seat]} {BIG_POINTS.write(state, solved.line[0])}" in ran.out
    rows = [line.split()[:3] for line in lines[-len(solved.choices) :]]
    assert rows == [[BIG_POINTS.write(state, v.action), *map(str, v.outcome.scores)] for v in solved.choices]
    assert f"{solved.nodes} positions in " in ran.err
    assert run("solve", path, "--ply", at).out == ran.out


def test_the_json_output_has_lines_that_can_be_replayed(record):
    path, referee = record
    at = len(referee.steps) - 5
    answer = json.loads(run("solve", path, "--at", at, "--json").out)
    assert (answer["game"], answer["at"]) == ("bigpoints", at)
    for variation in (answer, *answer["choices"]):
        state = referee.steps[at].before
        for move in variation["line"]:
            assert BIG_POINTS.pending(state).seat == Seat(move["seat"])
            state = BIG_POINTS.apply(state, BIG_POINTS.read(state, move["action"]))
        outcome = BIG_POINTS.pending(state).outcome
        assert [list(outcome.scores), list(outcome.ranks), outcome.ending] == [
            variation["scores"],
            variation["ranks"],
            variation["ending"],
        ]
    alone = json.loads(run("solve", path, "--at", at, "--json", "--best").out)
    assert alone["choices"] == []
    assert alone["ranks"] == answer["ranks"]


def test_the_command_uses_the_requested_language(record):
    path, referee = record
    ran = run("solve", path, "--at", len(referee.steps) - 3, "--language", "de")
    assert "Der beste Verlauf: " in ran.out
    assert " ist dran." in ran.out


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--at", 20], ["Chance still has a say"]),
        (["--at", 55, "--nodes", 300], ["Not solved within 300 positions"]),
        (["--at", 55, "--nodes", 10**9, "--seconds", 0.2], ["Not solved within 0.2", "s."]),
        ([], ["The game is over."]),
        (["--game", 2], ["one game"]),
        (["--nodes", 0], ["0"]),
        (["--at", -1], ["-1"]),
    ],
)
def test_the_command_gives_the_reason_if_it_fails(record, flags, words):
    assert_refused(run("solve", record[0], *flags), *words)


def test_seats_with_the_same_name_are_numbered(record, tmp_path):
    path, referee = record
    twins = tmp_path / "twins.game"
    twins.write_text(path.read_text("utf-8").replace("Ibo", "Ada"), encoding="utf-8")
    ran = run("solve", twins, "--at", len(referee.steps) - 2)
    assert "Player 1" in ran.out
    assert "Ada" not in ran.out
