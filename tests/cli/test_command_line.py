"""The command line, run as real processes: exit codes, output and errors."""

from __future__ import annotations

import os
import subprocess
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
    CommandResult,
    assert_refused,
    environment,
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


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A real game of Pebbles in a file."""
    return write_file(tmp_path / "real.game", write(random_record(1)))


def write_file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# Help


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


# What cannot be done

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


# Simulating


def simulated(folder: Path, *arguments: object) -> tuple[CommandResult, dict[str, bytes]]:
    ran = run("simulate", "template", "--out", folder, "--games", 3, *arguments)
    return ran, {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path):
    first, records = simulated(tmp_path / "first", "--seed", 7)
    second, again = simulated(tmp_path / "second", "--seed", 7)
    assert (first.code, first.out) == (0, second.out)
    assert records == again
    assert len(records) == 3
    _, others = simulated(tmp_path / "third", "--seed", 8)
    assert not set(others.values()) & set(records.values())
    assert len(set(others.values())) == 3


def test_simulating_into_the_same_folder_twice_is_fine(tmp_path):
    first, records = simulated(tmp_path)
    second, again = simulated(tmp_path)
    assert first.code == second.code == 0
    assert records == again


def test_a_different_record_is_never_overwritten(tmp_path):
    simulated(tmp_path)
    path = sorted(tmp_path.iterdir())[1]
    path.write_text("mine", encoding="utf-8")
    ran, records = simulated(tmp_path)
    assert_refused(ran, str(path))
    assert records[path.name] == b"mine"
    assert len(records) == 3


def test_a_folder_that_is_a_file_is_refused(record):
    ran = run("simulate", "template", "--games", 1, "--out", record)
    assert_refused(ran, str(record))
    assert record.read_text(encoding="utf-8") == write(random_record(1))


@pytest.mark.parametrize("name", registry.names())
def test_simulated_records_verify(tmp_path, name):
    assert run("simulate", name, "--games", 2, "--out", tmp_path).code == 0
    ran = run("verify", *tmp_path.iterdir())
    assert ran.code == 0
    assert ran.out.count("in order") == 2


def test_the_options_are_in_the_record(tmp_path):
    bag = write_file(tmp_path / "bag.json", '{"R": 4, "B": 4, "G": 4}')
    _, records = simulated(tmp_path / "out", "--piles", "open", "--bag", bag, "--first", 1, "--rules", 1)
    for text in records.values():
        for line in (b"rules     1\n", b"first     1\n", b"option    piles open\n", b'{"B":4,"G":4,"R":4}\n'):
            assert line in text


def test_a_bag_with_too_few_pebbles_is_refused_by_its_rule(tmp_path):
    bag = write_file(tmp_path / "bag.json", '{"R": 2, "B": 2, "G": 1}')
    assert_refused(run("simulate", "template", "--bag", bag), "R2", "6", "5")


# Disks that are full, pipes that are closed


def test_a_full_disk_leaves_a_sentence_and_no_half_record(tmp_path):
    ran = run_on_full_disk("simulate", "template", "--games", 3, "--out", tmp_path, room=100)
    assert ran.code == 1
    assert_refused(ran, "large")
    assert list(tmp_path.iterdir()) == []


def test_records_written_before_the_disk_was_full_are_complete(tmp_path):
    sizes = sorted(len(text) for text in simulated(tmp_path / "all")[1].values())
    ran = run_on_full_disk("simulate", "template", "--games", 3, "--out", tmp_path / "some", room=sizes[-1] - 1)
    assert_refused(ran, "large")
    for path in (tmp_path / "some").iterdir():
        assert path.read_bytes() == (tmp_path / "all" / path.name).read_bytes()


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


# Colours


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


# Verifying


def mangled(text: str) -> tuple[str, int]:
    """The record with an illegal first choice, and that line's number."""
    lines = text.split("\n")
    place = next(place for place, line in enumerate(lines) if line.startswith("0 "))
    lines[place] = "0 ."
    return "\n".join(lines), place + 1


def test_a_mangled_record_is_named_with_line_and_rule_and_the_others_go_on(tmp_path):
    text, line = mangled(write(random_record(2)))
    files = [write_file(tmp_path / name, write(random_record(1))) for name in ("a.game", "b.game", "c.game")]
    files[1].write_text(text, encoding="utf-8")
    ran = run("verify", *files)
    assert ran.code == 1
    assert [each.partition(": ")[0] for each in ran.out.splitlines()] == [str(files[0]), str(files[2])]
    assert f"{files[1]}:{line}: " in ran.err
    assert "R4" in ran.err


def test_quiet_prints_errors_only(tmp_path, record):
    wrong = write_file(tmp_path / "wrong.game", "")
    ran = run("verify", "--quiet", record, wrong)
    assert (ran.code, ran.out) == (1, "")
    assert str(wrong) in ran.err
    assert str(record) not in ran.err


def test_a_record_is_verified_from_standard_input():
    ran = run("verify", "-", typed=write(random_record(1)).encode())
    assert (ran.code, ran.err) == (0, "")


UNREADABLE = {
    "missing": (None, "No such file"),
    "empty": (b"", ":1: "),
    "binary": (bytes(range(256)) * 20, ":"),
    "UTF-16": (write(random_record(1)).encode("utf-16"), ":1: "),
    "a single letter": (b"f", ":1: "),
    "blank lines": (b"\n\n\n", ":1: "),
    "a long line": (b"x" * 5_000_000, ":1: "),
    "another program's": (b"#!/bin/sh\n", ":1: "),
}


@pytest.mark.parametrize(("content", "words"), UNREADABLE.values(), ids=UNREADABLE.keys())
@pytest.mark.parametrize("command", [["verify"], ["show"], ["play", "--resume"], ["perft", "template", "--record"]])
def test_a_file_that_is_not_a_record_is_refused_by_its_name(tmp_path, command, content, words):
    path = tmp_path / "strange.game"
    if content is not None:
        path.write_bytes(content)
    ran = run(*command, path)
    assert_refused(ran, str(path), words)
    assert ran.code == 1


def test_a_folder_is_not_a_record(tmp_path):
    assert_refused(run("verify", tmp_path), str(tmp_path), "directory")


def test_a_file_name_that_is_not_text_causes_no_traceback(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.game"
    Path(os.fsdecode(path)).write_text(write(random_record(1)), encoding="utf-8")
    ended = subprocess.run(
        [*COMMAND, "verify", path],
        capture_output=True,
        env=environment({"PYTHONIOENCODING": "utf-8:strict"}),  # as in any locale but C
        check=False,
    )
    assert b"Traceback" not in ended.stderr
    assert ended.returncode == 0


def verdicts(folder: Path, texts: list[str]) -> list[tuple[bool, str]]:
    """For each text whether it verifies, and what was said of it, from one process."""
    files = [write_file(folder / f"{number:03}.game", text) for number, text in enumerate(texts)]
    ran = run("verify", *files)
    assert "Traceback" not in ran.err
    assert len(ran.out.splitlines()) + len(ran.err.splitlines()) == len(files)
    said = {line[: len(str(files[0]))]: line[len(str(files[0])) :] for line in (ran.out + ran.err).splitlines()}
    return [("in order" in said[str(path)], said[str(path)]) for path in files]


def test_a_record_cut_off_in_any_line_is_unfinished_or_refused_with_the_line(tmp_path):
    lines = write(random_record(1)).splitlines()
    cut = ["\n".join([*lines[:place], line[: len(line) // 2]]) for place, line in enumerate(lines)]
    for text, (fine, said) in zip(cut, verdicts(tmp_path, cut), strict=True):
        if fine:
            assert "Unfinished" in said, text
        else:
            line = int(said.split(":")[1])
            assert 1 <= line <= len(text.split("\n"))


def test_a_record_cut_off_between_lines_is_unfinished_or_refused(tmp_path):
    lines = write(random_record(1)).splitlines(keepends=True)
    found = verdicts(tmp_path, ["".join(lines[:place]) for place in range(len(lines))])
    moves = len(random_record(1).games[0].entries)
    assert not any(fine for fine, _ in found[:6])
    assert all("Unfinished" in said for fine, said in found[6 : 6 + moves + 1])
    assert not any(fine for fine, _ in found[6 + moves + 1 :])


def test_swapped_lines_never_end_in_a_traceback(tmp_path):
    lines = write(random_record(1)).splitlines()
    swapped = [
        "\n".join([*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]])
        for place in range(len(lines) - 1)
    ]
    found = verdicts(tmp_path, swapped)
    assert not found[0][0]
    first_choice = next(place for place, line in enumerate(lines) if line.startswith("0 "))
    assert f":{first_choice}: " in found[first_choice - 1][1]


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (f"result    {'{} {}'.format(*random_record(1).games[0].result or ())}", "result    1 2", "1 2"),
        ("ending    empty", "ending    grey", "grey"),
        ("players   2", "players   9", "9"),
        ("game      template", "game      tempest", "tempest"),
        ("first     0", "first     1", "seat"),
    ],
)
def test_a_false_statement_in_a_record_is_found(tmp_path, old, new, word):
    text = write(random_record(1))
    assert old in text
    path = write_file(tmp_path / "lie.game", text.replace(old, new))
    assert_refused(run("verify", path), f"{path}:", word)


def test_a_match_is_verified_as_one(tmp_path):
    ran = run("verify", write_file(tmp_path / "match.game", write(random_record(1, 3))))
    assert ran.code == 0
    assert "3 games" in ran.out


# Counting


def counts(*arguments: object) -> list[int]:
    ran = run("perft", "template", *arguments)
    assert ran.code == 0, ran.err
    return [int(line.split()[-1]) for line in ran.out.splitlines()]


def test_counts_are_the_same_from_the_seed_and_from_a_record_of_it(tmp_path):
    path = tmp_path / "seeded.game"
    run("play", "template", "--players", "random,random", "--seed", 5, "--first", 0, "--save", path)
    found = counts("--seed", 5, "--depth", 4)
    assert len(found) == 4
    assert found == counts("--record", path, "--depth", 4)
    assert found != counts("--seed", 6, "--depth", 4)


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_the_counts_below_each_first_action_add_up(record, depth):
    for given in (["--seed", 3], ["--record", record], ["--seed", 3, "--players", 3]):
        assert sum(counts(*given, "--depth", depth, "--divide")) == counts(*given, "--depth", depth)[-1]


def test_a_record_with_too_few_draws_is_refused_as_a_source_of_chance(tmp_path):
    path = write_file(tmp_path / "short.game", "\n".join(write(random_record(1)).split("\n")[:10]))
    assert_refused(run("perft", "template", "--record", path, "--depth", 1), "draw")


def test_a_record_that_breaks_the_rules_is_refused_as_a_source_of_chance(tmp_path):
    text, line = mangled(write(random_record(1)))
    path = write_file(tmp_path / "mangled.game", text)
    assert_refused(run("perft", "template", "--record", path), f"{path}:{line}", "R4")


# Watching


def test_show_stops_after_the_given_number_of_actions(record):
    for at in (0, 1, 6, 7, 20):
        ran = run("show", record, "--moves", "--at", at)
        assert ran.code == 0
        assert len(ran.out.splitlines()) == 1 + at


def test_show_goes_to_the_end_and_names_the_winner(record):
    whole, beyond = run("show", record), run("show", record, "--at", 10_000)
    assert whole == beyond
    assert whole.out.splitlines()[-1].endswith(("wins.", "victory."))


def test_show_prints_the_table_unless_only_the_moves_are_asked_for(record):
    table, moves = run("show", record, "--at", 8), run("show", record, "--at", 8, "--moves")
    assert table.out.startswith(moves.out)
    assert "in the bag" in table.out
    assert "in the bag" not in moves.out


def test_show_prints_what_a_seat_saw_and_less_for_a_spectator(record):
    own = run("show", record, "--viewer", 0, "--at", 3).out
    assert own.count("You draw a ") == 3
    assert "You draw a pebble" not in own
    spectator = run("show", record, "--at", 3).out
    assert "You" not in spectator
    assert spectator.count("draws a pebble from the bag.") == 3


@pytest.mark.parametrize("viewer", [-1, 2])
def test_show_refuses_an_unknown_seat(record, viewer):
    assert_refused(run("show", record, "--viewer", viewer), "0 to 1")


def test_show_picks_a_game_of_a_match(tmp_path):
    path = write_file(tmp_path / "match.game", write(random_record(1, 2)))
    both, first, second = run("show", path), run("show", path, "--game", 1), run("show", path, "--game", 2)
    assert both.out.startswith(first.out + second.out)
    assert "Total: " in both.out
    assert_refused(run("show", path, "--game", 3), "2 games")


def test_show_names_the_line_that_is_wrong(tmp_path):
    text, line = mangled(write(random_record(1)))
    path = write_file(tmp_path / "mangled.game", text)
    assert_refused(run("show", path), f"{path}:{line}:", "R4")


# Rules and languages


@pytest.mark.parametrize("name", registry.names())
def test_the_rules_are_the_page_of_the_game(name):
    for language in ("en", "de"):
        ran = run("rules", name, "--language", language)
        assert (ran.code, ran.err) == (0, "")
        assert ran.out == registry.rules_page(registry.find(name), language)


@pytest.mark.parametrize(
    "env",
    [
        {"SPIELTISCH_LANGUAGE": "nl"},
        {"LC_ALL": "nl_NL.UTF-8"},
        {"LC_MESSAGES": "nl_BE.UTF-8"},
        {"LANG": "nl"},
        {"SPIELTISCH_LANGUAGE": "nl", "LC_ALL": "de_DE.UTF-8"},
    ],
)
def test_the_language_comes_from_the_environment(record, env):
    assert run("show", record, env=env) == run("show", record, "--language", "nl")


def test_the_option_language_wins_over_the_environment(record):
    asked = run("show", record, "--language", "en", env={"SPIELTISCH_LANGUAGE": "nl"})
    assert asked == run("show", record)


@pytest.mark.parametrize("language", ["tlh", "C", "", "zh_CN.UTF-8"])
def test_an_unknown_language_falls_back_to_english(record, language):
    assert run("show", record, env={"LANG": language, "PYTHONUTF8": "1"}) == run("show", record)


def test_the_option_language_may_stand_before_the_game(tmp_path):
    arguments = ["template", "--players", "random,random", "--seed", "1", "--save", tmp_path / "x.game"]
    before = run("play", "--language", "fr", *arguments)
    (tmp_path / "x.game").unlink()
    after = run("play", *arguments, "--language", "fr")
    assert before == after
    assert before.code == 0


def test_a_record_is_the_same_in_every_language(tmp_path):
    for language in ("en", "fr"):
        run("simulate", "template", "--games", 1, "--out", tmp_path / language, "--language", language)
    english, french = (list((tmp_path / language).iterdir()) for language in ("en", "fr"))
    assert english[0].read_bytes() == french[0].read_bytes()
