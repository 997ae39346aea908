"""The command line: help, refusals, full disks, closed pipes and colours."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest

from spieltisch import registry
from spieltisch.cli import COMMANDS
from spieltisch.records import write
from tests.support.command import (
    ANSI_COLOUR,
    COMMAND,
    assert_refused,
    random_record,
    run,
    run_into_closed_pipe,
    run_on_full_disk,
    run_process,
    run_with_output_to,
    spawn_in_terminal,
)

GAME_COMMANDS = ("play", "rules", "simulate", "arena", "perft")
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")


# help


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_every_command_has_an_example(command):
    ran = run(command, "--help")
    assert ran.code == 0
    assert "Example: " in ran.out
    assert f"spieltisch {command}" in " ".join(ran.out.partition("Example:")[2].split())


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("command", GAME_COMMANDS)
def test_the_help_of_every_game_has_an_example(command, name):
    ran = run(command, name, "-h")
    assert ran.code == 0
    assert f"Example: spieltisch {command} {name}" in " ".join(ran.out.split())


def test_help_names_every_command():
    ran = run("--help")
    assert ran.code == 0
    assert "Example" in ran.out
    for command, words in COMMANDS.items():
        assert f"  {command} " in ran.out
        assert words in ran.out


def test_the_version_is_printed():
    ran = run("--version")
    assert ran.code == 0
    assert ran.out.startswith("spieltisch, version ")


# what cannot be done


REFUSED = {
    "an unknown command": (["dance"], ["dance"]),
    "an unknown flag": (["verify", "--loud", "x"], ["--loud"]),
    "no file to verify": (["verify"], ["FILE"]),
    "an unknown language": (["rules", "template", "--language", "tlh"], ["tlh", "'de'", "'es'"]),
    "an unknown value": (["simulate", "template", "--piles", "high"], ["high", "concealed", "open"]),
    "an unknown version of the rules": (["simulate", "template", "--rules", "99"], ["99"]),
    "a first seat that is not there": (["simulate", "template", "--first", "2"], ["0", "1", "2"]),
    "one player": (["simulate", "template", "--players", "random"], ["2", "4", "1"]),
    "nine players": (["simulate", "template", "--players", ",".join(["random"] * 9)], ["2", "4", "9"]),
    "one player to count for": (["perft", "template", "--players", "1"], ["2", "4", "1"]),
    "nine players to count for": (["perft", "template", "--players", "9"], ["2", "4", "9"]),
    "one person": (["play", "template", "--players", "you"], ["2", "4", "1"]),
    "an unknown player": (["simulate", "template", "--players", "random,nobody"], ["nobody", "random", "greedy"]),
    "an unknown player at the table": (["play", "template", "--players", "you,nobody"], ["nobody", "greedy"]),
    "a person among bots": (["simulate", "template", "--players", "you,random"], ["you", "greedy"]),
    "nobody": (["simulate", "template", "--players", ""], ["random"]),
    "a seed below zero": (["simulate", "template", "--seed", "-1"], ["-1"]),
    "a seed below zero to count from": (["perft", "template", "--seed", "-1"], ["-1"]),
    "a seed below zero to play from": (["play", "template", "--seed", "-1"], ["-1"]),
    "a seed that is a word": (["simulate", "template", "--seed", "luck"], ["luck"]),
    "no games": (["simulate", "template", "--games", "0"], ["0"]),
    "no depth": (["perft", "template", "--depth", "0"], ["0"]),
    "a bag that is not there": (["simulate", "template", "--bag", "nowhere.json"], ["nowhere.json"]),
    "a bag that is a folder": (["simulate", "template", "--bag", "."], ["directory"]),
    "a bag that is no JSON": (["simulate", "template", "--bag", __file__], ["bag"]),
    "a bag that is no text": (["simulate", "template", "--bag", sys.executable], ["bag"]),
    "an empty bag": (["simulate", "template", "--bag", os.devnull], ["bag"]),
    "a record that is not there": (["show", "nowhere.game"], ["nowhere.game", "No such file"]),
    "a record that is a folder": (["show", "."], ["directory"]),
    "a game and a file": (["play", "--resume", "x.game", "template"], ["--resume"]),
    "going on with nothing": (["play", "--resume", "nowhere.game"], ["nowhere.game"]),
}


@pytest.mark.parametrize(("arguments", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_a_bad_command_is_refused_with_a_sentence(arguments, words):
    ran = run(*arguments)
    assert_refused(ran, *words)
    assert ran.out == ""


@pytest.mark.parametrize("command", GAME_COMMANDS)
def test_an_unknown_game_gets_the_nearest_name_or_all_names(command):
    for given, words in (("templatte", ["templatte", "template"]), ("zzz", ["zzz", *registry.names()])):
        ran = run(command, given)
        assert_refused(ran, *words)
        assert ran.code == 2


# disks that are full, pipes that are closed


def test_a_full_disk_leaves_a_sentence_and_no_half_record(tmp_path):
    ran = run_on_full_disk("simulate", "template", "--games", 3, "--out", tmp_path, room=100)
    assert ran.code == 1
    assert_refused(ran, "large")
    assert list(tmp_path.iterdir()) == []


PRINTING = {
    "rules": ["rules", "template"],
    "help": ["--help"],
    "simulate": ["simulate", "template", "--games", "1"],
    "perft": ["perft", "template"],
    "arena": ["arena", "template", "--players", "random,greedy", "--games", "6", "--workers", "1"],
    "play": ["play", "template", "--players", "random,random"],
    "engine": ["engine"],
}


@pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING.keys())
def test_a_full_output_device_is_reported_in_a_sentence(arguments):
    with Path("/dev/full").open("wb") as full:
        ran = run_with_output_to(full.fileno(), *arguments, typed=b"{}\n")
    assert_refused(ran, "No space left")
    assert ran.code == 1


@pytest.mark.parametrize("arguments", PRINTING.values(), ids=PRINTING.keys())
def test_a_closed_pipe_ends_the_command_quietly(arguments):
    ran = run_into_closed_pipe(*arguments, typed=b"{}\n")
    assert ran.err == ""
    assert ran.code == 141


def test_verifying_into_a_closed_pipe_ends_quietly(record):
    ran = run_into_closed_pipe("verify", record)
    assert ran.err == ""
    assert ran.code == 141


def test_the_head_of_a_long_output_is_enough(record):
    shell = f"{' '.join(COMMAND)} verify {' '.join([str(record)] * 500)} | head -1"
    ran = run_process("sh", "-c", shell)
    assert ran.code == 0
    assert "in order" in ran.out
    assert "Traceback" not in ran.err


def test_a_closed_standard_output_causes_no_traceback(record):
    ran = run_process("sh", "-c", f"{' '.join(COMMAND)} show {record} >&-")
    assert "Traceback" not in ran.err


# colours


@pytest.mark.parametrize(
    "arguments", [["rules", "template"], ["show", "-"], ["play", "template", "-p", "random,random"]]
)
def test_there_are_no_colours_outside_a_terminal(arguments):
    ran = run(*arguments, typed=write(random_record(1)).encode())
    assert ran.code == 0
    assert ran.out.strip()
    assert "\x1b" not in ran.out


@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_a_terminal_gets_colours_unless_they_are_disabled(tmp_path, env, coloured):
    with spawn_in_terminal("play", "template", env={"XDG_DATA_HOME": str(tmp_path), **env}) as child:
        child.expect("Your turn:")
        assert bool(ANSI_COLOUR.search(child.before)) == coloured
        child.sendline("quit")
        child.expect(pexpect.EOF)
        assert bool(ANSI_COLOUR.search(child.before)) is False


@pytest.mark.parametrize("command", [["rules", "template"], ["show"]])
@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_records_and_rules_have_colours_in_a_terminal_unless_they_are_disabled(record, command, env, coloured):
    with spawn_in_terminal(*command, *([record] if command == ["show"] else []), env=env) as child:
        child.expect(pexpect.EOF)
        assert bool(ANSI_COLOUR.search(child.before)) == coloured
