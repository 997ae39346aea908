"""Tournaments with bots in processes of their own: time controls, output, tracebacks and kept games."""

from __future__ import annotations

import json
import shlex
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from spieltisch.arena.config import make_config
from spieltisch.arena.deals import DealResult, play_deal
from spieltisch.arena.report import format_report
from spieltisch.arena.time_control import BadTimeControl, SeatClock, TimeControl
from spieltisch.arena.tournament import compete
from spieltisch.arena.tournament_log import TournamentLog
from spieltisch.players.failures import MAX_OUTPUT, PlayerFailed
from spieltisch.records import read
from spieltisch.records.dataset import BadDataset, read_dataset, read_header
from spieltisch.records.replay import replay
from tests.arena.cases import BOTH, GAME, timeless
from tests.support.command import assert_refused, run

BOTS = """
import sys, time


class First:
    def choose(self, seen, clock):
        return seen.choices[0]


class Chatty(First):
    def choose(self, seen, clock):
        print("thinking about", len(seen.choices))
        print("aside", file=sys.stderr)
        return super().choose(seen, clock)


class Crashing(Chatty):
    def choose(self, seen, clock):
        super().choose(seen, clock)
        return self.look_up(seen)

    def look_up(self, seen):
        return {}["a key that is not there"]


class Endless(First):
    def choose(self, seen, clock):
        print("x" * 100_000)
        raise ValueError("y" * 100_000)


class Slow(First):
    def choose(self, seen, clock):
        time.sleep(0.4)
        return super().choose(seen, clock)


class Late(First):
    def __init__(self):
        time.sleep(1.5)


class InTime(First):
    def choose(self, seen, clock):
        print("left", round(clock.left()))
        return super().choose(seen, clock)
"""
PROGRAM = """
import json, sys

for line in sys.stdin:
    asked = json.loads(line)
    print("asked to", asked["do"], file=sys.stderr)
    if asked["do"] == "choose" and sys.argv[1:]:
        raise RuntimeError("no more of this")
    if asked["do"] != "bye":
        print(json.dumps({"id": asked["id"], "ok": True, "action": asked.get("choices", [None])[0]}), flush=True)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with bots, which is the current one."""
    (tmp_path / "mine.py").write_text(BOTS)
    (tmp_path / "lines.py").write_text(PROGRAM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program(*arguments: str) -> str:
    return f"program:{shlex.join([sys.executable, 'lines.py', *arguments])}"


def deal(*entrants: str, clock: TimeControl | None = None) -> DealResult:
    return play_deal(make_config(GAME, {"players": 2}, entrants, 1, clock), 0)


# Output and tracebacks


def test_a_crash_is_kept_with_its_traceback_and_what_was_printed_before(folder):
    game = deal("mine:Crashing", "random").games[0]
    assert game.failure is not None
    assert game.failure.reason.key == "bot.crashed"
    lines = game.failure.output.splitlines()
    assert lines[0].startswith("thinking about")
    assert lines[1] == "aside"
    assert lines[2] == "Traceback (most recent call last):"
    assert any("mine.py" in line and "look_up" in line for line in lines)
    assert not any("host.py" in line for line in lines)
    assert lines[-1] == "KeyError: 'a key that is not there'"


def test_a_program_that_crashes_is_kept_with_its_traceback(folder):
    game = deal(program("crash"), "random").games[0]
    assert game.failure is not None
    lines = game.failure.output.splitlines()
    assert lines[0] == "asked to hello"
    assert lines[-1] == "RuntimeError: no more of this"
    assert "Traceback (most recent call last):" in lines


def test_the_output_of_a_bot_that_does_not_fail_is_kept_too(folder):
    for name, first in (("mine:Chatty", "thinking about"), (program(), "asked to hello")):
        played = deal(name, "random")
        for game in played.games:
            ((seat, text),) = game.outputs
            assert (game.seats[seat], game.failure) == (0, None)
            assert text.startswith(first)


def test_output_is_bounded(folder):
    game = deal("mine:Endless", "random").games[0]
    assert game.failure is not None
    assert len(game.failure.output) == MAX_OUTPUT
    assert all(len(text) <= MAX_OUTPUT for _, text in game.outputs)


def test_output_and_tracebacks_are_in_the_log_and_in_the_report(folder):
    entrants = ["mine:Crashing", "mine:Chatty"]
    with TournamentLog(folder / "run") as log:
        result = compete(GAME, {"players": 2}, entrants, deals=2, log=log)
    lines = [json.loads(line) for line in (folder / "run" / "deals.jsonl").read_text().splitlines()]
    logged = lines[1]["games"][0]
    assert logged["failure"]["output"].endswith("KeyError: 'a key that is not there'")
    assert {output["seat"] for output in logged["outputs"]} <= {0, 1}
    report = format_report(result, GAME.title, "en")
    assert report.count("    Traceback (most recent call last):") >= 1
    assert "    KeyError: 'a key that is not there'" in report
    with TournamentLog(folder / "run") as log:
        assert timeless(compete(GAME, {"players": 2}, entrants, deals=2, log=log)) == timeless(result)
    shown = result.to_json()["failures"]
    assert isinstance(shown, list)
    assert all("KeyError" in failure["output"] for failure in shown)


def test_the_traceback_of_a_built_in_player_is_kept_too(bots):
    game = deal("crashing", "random").games[0]
    assert game.failure is not None
    assert game.failure.output.endswith("ZeroDivisionError: by <nothing>")
    assert "in choose" in game.failure.output


# Time controls


def test_a_bot_that_takes_too_long_for_a_decision_loses_that_game(folder):
    played = deal("mine:Slow", "random", clock=TimeControl.parse(None, "0.05"))
    for game in played.games:
        assert game.failure is not None
        assert game.seats[game.failure.seat] == 0
        assert game.failure.reason.key == "bot.overtime"
        assert dict(game.failure.reason.arguments)["seconds"] == "0.1"
        assert game.share(game.failure.seat) == 0


def test_the_start_of_a_bot_does_not_count(folder):
    played = deal("mine:Late", program(), clock=TimeControl.parse(None, "1"))
    assert [game.failure for game in played.games] == [None, None]


def test_a_late_decision_is_not_in_the_record(folder):
    config = make_config(GAME, {"players": 2}, ["mine:Slow", "random"], 1, TimeControl.parse(None, "0.05"))
    for game in play_deal(config, 0, keep_records=True).games:
        record = read(game.record).games[0]
        assert record.result is None
        slow = game.seats.index(0)
        assert not any(getattr(entry, "seat", None) == slow for entry in record.entries)


def test_a_bot_is_told_its_time_and_keeps_within_it(folder):
    played = deal("mine:InTime", "random", clock=TimeControl.parse("100+20", None))
    for game in played.games:
        assert game.failure is None
        told = [int(line.split()[1]) for line in game.outputs[0][1].splitlines()]
        assert told[0] == 100
        assert all(later > earlier for earlier, later in pairwise(told))


def test_a_clock_runs_down_over_a_game_and_gains_the_increment(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    clock = SeatClock(TimeControl.parse("10+2", "5"))
    assert clock.start().deadline == 1005
    now[0] += 4
    clock.stop("Ada")
    assert clock.start().deadline == 1009  # 8 seconds are left, of which a decision may take 5
    now[0] += 5
    clock.stop("Ada")
    clock.start()  # 5 seconds are left
    now[0] += 5.2
    with pytest.raises(PlayerFailed) as caught:
        clock.stop("Ada")
    assert caught.value.message.key == "bot.overtime"


def test_without_a_time_control_there_is_no_deadline():
    clock = SeatClock(None)
    assert clock.start().deadline is None
    clock.stop("Ada")


@pytest.mark.parametrize("text", ["60+1", "0.5+0", "60+0, 2 per move", "0.25 per move", ""])
def test_a_time_control_is_written_and_read(text):
    control = TimeControl.read(text)
    assert (str(control) if control else "") == text


@pytest.mark.parametrize(
    ("clock", "move_time", "key"),
    [("a minute", None, "clock.game"), ("0", None, "clock.game"), ("60+", None, "clock.game"), ("-1", None, "clock.game"),
     (None, "0", "clock.move"), (None, "soon", "clock.move"), ("60", "1e9", "clock.move")],
)  # fmt: skip
def test_a_time_control_that_is_none_is_refused(clock, move_time, key):
    with pytest.raises(BadTimeControl) as caught:
        TimeControl.parse(clock, move_time)
    assert caught.value.message.key == key


# Kept games


def test_every_game_of_a_tournament_is_kept_and_can_be_replayed(tmp_path):
    file = tmp_path / "games.jsonl.gz"
    result = compete(GAME, {"players": 3}, BOTH, deals=3, keep_games=file)
    games = list(read_dataset(file))
    assert len(games) == result.games == read_header(file).games
    assert list(tmp_path.iterdir()) == [file]
    for game in games:
        assert game.result is not None
        replay(GAME, game)
        assert {name for _, name in game.names} == set(BOTH)


def test_a_tournament_that_was_interrupted_keeps_its_games(tmp_path):
    whole, cut = tmp_path / "whole.jsonl.xz", tmp_path / "cut.jsonl.xz"
    compete(GAME, {"players": 2}, BOTH, deals=5, keep_games=whole)

    def interrupt(standings):
        if standings.deals == 2:
            raise KeyboardInterrupt

    with TournamentLog(tmp_path / "run") as log, pytest.raises(KeyboardInterrupt):
        compete(GAME, {"players": 2}, BOTH, deals=5, log=log, until=interrupt, keep_games=cut)
    assert not cut.exists()
    part = cut.with_name("cut.jsonl.xz.part")
    part.write_bytes(part.read_bytes()[:-7])  # torn by a crash
    with TournamentLog(tmp_path / "run") as log:
        compete(GAME, {"players": 2}, BOTH, deals=5, log=log, keep_games=cut)
    assert cut.read_bytes() == whole.read_bytes()
    assert not part.exists()


def test_a_file_that_is_there_is_not_written_over(tmp_path):
    file = tmp_path / "games.jsonl.gz"
    file.write_text("mine")
    with pytest.raises(BadDataset) as caught:
        compete(GAME, {"players": 2}, BOTH, deals=1, keep_games=file)
    assert caught.value.message.key == "file.exists"
    assert file.read_text() == "mine"


def test_the_command_keeps_games_and_has_clocks(folder):
    arena = ("arena", "template", "--players", "mine:Slow,random", "--games", 2, "--workers", 1)
    ran = run(*arena, "--move-time", "0.05", "--keep-games", "games.jsonl.gz", cwd=folder)
    assert ran.code == 0, ran.err
    assert "A player failed in 2 games" in ran.out
    assert "seconds for a decision" in ran.out
    assert len(list(read_dataset(Path("games.jsonl.gz")))) == 2
    assert_refused(run(*arena, "--clock", "soon", cwd=folder), "soon")
