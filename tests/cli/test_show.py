"""`spieltisch show`, `perft` and `rules`: what they print, and in which language."""

from __future__ import annotations

import re

import pytest

from spieltisch import registry
from spieltisch.records import write
from tests.cli.records import mangled, write_file
from tests.support.command import (
    assert_refused,
    random_record,
    run,
)

# watching


def test_show_stops_after_the_given_number_of_actions(record):
    for at in (0, 1, 6, 7, 20):
        ran = run("show", record, "--moves", "--at", at)
        assert ran.code == 0
        assert len(ran.out.splitlines()) == 1 + at


def test_show_goes_to_the_end_and_names_the_winner(record):
    whole, beyond = run("show", record), run("show", record, "--at", 10_000)
    assert whole == beyond
    assert re.search(r"( wins( by .+)?| share the victory)\.$", whole.out.rstrip())


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


# counting


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


# rules and languages


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
