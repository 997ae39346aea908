"""Turmbauer at the terminal: a stone, then a face, then a fit, and never a list of hundreds."""

from __future__ import annotations

import re

import pytest
from tests.support.command import run

from spieltisch.records import Move, read

SEEDED = ["--seed", 3, "--first", 0, "--names", "Ada"]  # a double: any stone


@pytest.fixture
def play(tmp_path):
    """Plays with typed lines; returns what was shown, and what was chosen."""

    def typing(*lines: str, more: tuple[object, ...] = ()) -> tuple[str, list[str]]:
        file = tmp_path / "tower.game"
        typed = "".join(f"{line}\n" for line in lines).encode()
        ran = run("play", "turmbauer", "--save", file, *SEEDED, *more, typed=typed)
        assert "Traceback" not in ran.err, ran.err
        entries = read(file.read_text(encoding="utf-8")).games[0].entries
        return ran.out, [entry.text for entry in entries if isinstance(entry, Move) and entry.seat == 0]

    return typing


def test_a_stone_is_drawn_before_it_is_taken(play):
    shown, _ = play()
    assert re.search(r"^1c +1n +2d +3i +3v +4i +4l +5c +5p +6r +6s$", shown, re.MULTILINE)
    assert "build the 5-cube stone of 2 by 2 by 2" in shown


def test_places_are_found_by_height_then_field_then_side(play):
    shown, _ = play("5c", "2", "1", "4")
    assert "  1  on the table: 126 choices" in shown
    assert "  2  at height 1: 100 choices" in shown
    assert "on column 0, row 0, height 1: " in shown
    assert "to the north and to the east: " in shown
    assert max(len(re.findall(r"^ +\d+ +@", part, re.MULTILINE)) for part in shown.split("Your turn:")) <= 24


def test_a_fit_is_shown_before_it_is_chosen_and_can_be_taken_back(play):
    shown, chosen = play("5c", "2", "1", "4", "? 2", "2", "-", "-", "-", "-", "-", "1c")
    assert shown.count("++") > 4
    assert "Enter plays this turn" in shown
    assert chosen == []


def test_the_stability_of_a_place_is_shown_on_request(play):
    shown, _ = play("2d", "? @1,0,1;2,0,1", "@0,0,1;1,0,1", "?")
    assert "It falls. First to move: the straight 2-cube stone of Red." in shown
    assert "It stands firm: the load may lean by" in shown


def test_verdicts_are_believed_or_judged_again(play, tmp_path):
    play("1c", "@1,0,1", "", ".")
    file = tmp_path / "tower.game"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("* stands", "* fall 1", 1).partition("\n0 .")[0] + "\n", encoding="utf-8")
    assert run("verify", file).code == 0
    again = run("verify", "--physics", file)
    assert again.code == 1
    assert "rule R14: the tower stands." in again.err
    file.write_text(text, encoding="utf-8")
    assert run("verify", "--physics", file).code == 0


def test_the_verdict_is_not_shown_before_the_turn_is_played(play):
    """Whoever could ask whether it stands could take the place back."""
    shown, chosen = play("2d", "@1,0,1;2,0,1", "? stands", "? fall 1", "? fall 3", "-", more=("--hand", "calm"))
    assert "R14" not in shown
    assert "is possible" not in shown
    assert chosen == []


def test_a_beginning_narrows_all_choices_and_a_number_means_what_was_listed_last(play):
    shown, chosen = play("5c", "1", "@0,0,1", "1", "")
    assert chosen[1].startswith("@0,0,1")
    assert "The choices are numbered" not in shown


def test_a_number_that_was_not_listed_chooses_nothing(play):
    shown, chosen = play("5c", "? 1", "1", "25", "99")
    assert chosen == []
    assert shown.count("The choices are numbered 1 to ") == 2


def test_the_first_turn_is_shown_if_another_seat_starts(play):
    shown, _ = play(more=("--first", 1))
    assert re.search(r"^· Ilse builds the blue .+ on the foundation, up to height", shown, re.MULTILINE)


def test_a_place_is_also_chosen_by_its_notation(play):
    _, chosen = play("1c", "@1,0,1", "", ".")
    assert chosen == ["1c", "@1,0,1", "."]


def test_a_wrong_place_is_refused_with_its_rule_and_nothing_is_lost(play):
    shown, chosen = play("1c", "@0,0,1", "@5,5,0", "@1,0,1", "")
    assert "rule R9: the checkerboard pattern" in shown
    assert "rule R10: the stone touches neither the foundation" in shown
    assert chosen == ["1c", "@1,0,1"]


def test_a_hint_is_given_for_the_stone_and_then_for_its_place(play):
    shown, _ = play("hint", "6r", "hint")
    assert len(re.findall(r"A bot would play [1-6][a-z]+: build ", shown)) == 1
    assert len(re.findall(r"A bot would play @", shown)) == 1


def test_a_game_can_be_played_in_sentences_alone(play):
    shown, chosen = play("1c", "1", "", "1", more=("--words",))
    assert "Row 0, from column 0 to the east: brown and natural." in shown
    assert (
        "floor 1" not in shown.replace("Floor 1", "").replace("row 0 floor 1", "").replace("row 1 floor 1", "")
        or chosen
    )
    assert chosen[0] == "1c"


def test_always_choosing_the_first_plays_a_whole_game(play):
    """Headings, fits, moves and falls included."""
    shown, chosen = play(*["1", ""] * 400, more=("--hand", "calm", "--players", "you,random"))
    assert re.search(r"(wins|win|victory)\.$", shown, re.MULTILINE)
    lines = re.split(r"\n|(?:Your turn|step back): ", shown)  # what is typed does not show here
    assert [line for line in lines if len(line) > 100 and "tower.game" not in line] == []
    assert len(chosen) > 10
