"""`spieltisch play`: whole games, choosing, undo, hidden hands, names."""

from __future__ import annotations

import re

import pexpect
import pytest

from spieltisch.records import Undo
from tests.cli.play_session import ENTER, HAND_OVER, MINE, WINS, PlaySession
from tests.support.command import (
    FIRST_CHOICES,
    assert_refused,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")


# a whole game


def test_always_choosing_the_first_plays_a_whole_game(session):
    ran = session.play("template", "--seed", 3, typed=FIRST_CHOICES)
    assert (ran.code, ran.err) == (0, "")
    assert WINS.search(ran.out)
    (path,) = session.records()
    assert path.is_relative_to(session.folder / "data")
    assert f"The record is in {path}." in ran.out
    assert "Unfinished" not in session.verdict()


def test_a_whole_game_is_played_in_a_terminal(session):
    with session.terminal("template", "--save", session.file, "--seed", 3) as child:
        while (prompt := child.expect(["Your turn:", "Enter plays this turn", pexpect.EOF])) != 2:
            child.sendline("1" if prompt == 0 else "")
        child.close()
    assert child.exitstatus == 0
    assert "Unfinished" not in session.verdict()


def test_without_a_name_the_only_game_or_the_chosen_one_is_played(session):
    ran = session.play(typed="1\n" + "quit\n" * 3)
    assert ran.code == 0
    assert len(session.records()) == 1


def test_bots_play_among_themselves(session):
    ran = session.pebbles("--players", "random,greedy,random", "--seed", 1)
    assert (ran.code, ran.err) == (0, "")
    assert WINS.search(ran.out)
    assert "Your turn" not in ran.out
    assert dict(session.game().names) == {0: "random 1", 1: "greedy", 2: "random 3"}
    assert "Unfinished" not in session.verdict()


def test_bots_of_a_level_are_called_by_names_and_others_by_what_they_are(session):
    ran = session.pebbles("--players", "you,level:1,level:1,random", "--names", "Pip", "--seed", 1, typed=FIRST_CHOICES)
    assert "Also at the table: Mimi (level:1) and Emil (level:1)." in ran.out
    assert "Mimi " in ran.out.partition("Also at the table")[2]
    assert "random" in ran.out
    assert dict(session.game().names) == {0: "Pip", 1: "level:1 2", 2: "level:1 3", 3: "random"}


def test_the_same_seed_gives_the_same_game(session, tmp_path_factory):
    other = PlaySession(tmp_path_factory.mktemp("other"))
    for each in (session, other):
        each.pebbles("--seed", 9, typed=FIRST_CHOICES)
    assert session.record() == other.record()


def test_without_a_seed_no_two_games_are_the_same(session, tmp_path_factory):
    other = PlaySession(tmp_path_factory.mktemp("other"))
    for each in (session, other):
        each.pebbles("--players", "random,random,random,random")
    assert session.game().entries != other.game().entries


def test_games_started_in_the_same_second_get_different_files(session):
    for _ in range(4):
        session.play("template", "--players", "random,random")
    assert len(session.records()) == 4


def test_the_table_can_be_described_in_sentences(session):
    ran = session.pebbles(*MINE, "--words")
    assert "You hold a red pebble and 2 green pebbles." in ran.out
    assert "hand R G G" not in ran.out


def test_a_match_counts_its_games_and_its_total(session):
    ran = session.pebbles("--seed", 2, "--games", 2, typed=FIRST_CHOICES)
    assert ran.code == 0
    assert "Game 1 of 2." in ran.out
    assert "Game 2 of 2." in ran.out
    assert "Total: " in ran.out
    text = session.file.read_text(encoding="utf-8")
    assert "\nmatch     2\n" in text
    assert re.search(r"\n\ntotal     \d+ \d+\n$", text)
    first, second = session.record().games
    assert second.first == 1 - first.first
    assert "2 games" in session.verdict()


# choosing


def test_a_choice_may_be_named_by_its_notation(session):
    session.pebbles(*MINE, typed="g\n")
    assert session.choices()[0] == "0 g"


def test_a_choice_may_be_named_by_its_number(session):
    session.pebbles(*MINE, typed="4\n")
    assert session.choices()[0] == "0 g"


def test_a_question_mark_lists_what_is_possible(session):
    ran = session.pebbles(*MINE, typed="?\n")
    assert ran.out.count("1  R  lay a red pebble face up") == 2
    assert ran.out.count("4  g  lay a green pebble face down") == 2
    assert "quit: stop" in ran.out


def test_an_empty_line_lists_what_is_possible(session):
    assert session.pebbles(*MINE, typed="\n").out.count("1  R  lay a red pebble face up") == 2


@pytest.mark.parametrize("asked", ["? R", "?R"])
def test_a_question_mark_and_a_move_explains_it(session, asked):
    assert "R: lay a red pebble face up." in session.pebbles(*MINE, typed=f"{asked}\n").out
    assert session.choices() == []


def test_a_question_mark_and_an_impossible_move_names_the_rule(session):
    assert "Not possible, rule R4: " in session.pebbles(*MINE, typed="? b\n").out


@pytest.mark.parametrize(("typed", "rule"), [("b\n", "R4"), (".\n", "R4"), ("G\ng\n", "R5"), ("G\nR\n", "R5")])
def test_an_illegal_move_names_its_rule(session, typed, rule):
    assert f"Not possible, rule {rule}: " in session.pebbles(*MINE, typed=typed).out
    assert session.choices() == []


@pytest.mark.parametrize("typed", ["x", "RR", "hello there", "ß", "\x00", "%s{name}", "9" * 5000, "-1", "²"])
def test_a_line_that_is_not_a_move_changes_nothing(session, typed):
    ran = session.pebbles(*MINE, typed=f"{typed}\n")
    assert ran.code == 0
    assert session.choices() == []
    assert ran.out.count("Your turn:") == 2


@pytest.mark.parametrize("number", ["0", "5", "99", "00000000000001"])
def test_a_number_out_of_range_is_refused_with_the_range(session, number):
    assert "The choices are numbered 1 to 4." in session.pebbles(*MINE, typed=f"{number}\n").out


@pytest.mark.parametrize("encoding", ["utf-8:strict", "utf-8:surrogateescape"])
def test_a_line_that_is_not_text_changes_nothing(session, encoding):
    session.env["PYTHONIOENCODING"] = encoding  # strict in any locale but C
    ran = session.pebbles(*MINE, typed=b"\xff\xfe\ng\n")
    assert ran.code == 0
    assert session.choices()[0] == "0 g"


def test_a_turn_of_several_actions_waits_for_enter(session):
    ran = session.pebbles(*MINE, typed="R\n.\n")
    assert "Enter plays this turn" in ran.out
    assert session.choices() == []
    session.file.unlink()
    session.pebbles(*MINE, typed="R\n.\n\n")
    assert session.choices()[:2] == ["0 R", "0 ."]


def test_a_complete_turn_accepts_no_more_actions(session):
    ran = session.pebbles(*MINE, typed="R\n.\nG\n1\n\n")
    assert ran.out.count("The turn is complete") == 2
    assert session.choices()[:2] == ["0 R", "0 ."]


def test_a_minus_takes_back_one_action(session):
    session.pebbles(*MINE, typed="R\n.\n-\n-\nG\nG\n.\n\n")
    assert session.choices()[:3] == ["0 G", "0 G", "0 ."]


def test_there_is_nothing_to_take_back_at_the_start_of_a_turn(session):
    ran = session.pebbles(*MINE, typed="-\nR\n-\n-\n")
    assert ran.out.count("There is no step to take back.") == 2


def test_the_other_commands_print_without_playing(session):
    ran = session.pebbles(*MINE, typed="hint\nlog\ntext\nrules\nsave\n")
    assert "A bot would play " in ran.out
    assert "You hold a red pebble and 2 green pebbles." in ran.out
    assert "# Pebbles" in ran.out
    assert f"Saved in {session.file}." in ran.out
    assert session.choices() == []


# turns taken back


def test_undoing_a_turn_against_a_bot_makes_the_game_practice(session):
    ran = session.pebbles(*MINE, typed="g\nundo\n")
    assert "taken back" in ran.out
    assert session.game().practice
    assert any(isinstance(entry, Undo) for entry in session.game().entries)
    assert "Practice" in session.verdict()


def test_a_game_goes_on_after_an_undo(session):
    ran = session.pebbles(*MINE, typed=b"g\nundo\nR\n.\n\nundo\n" + FIRST_CHOICES)
    assert WINS.search(ran.out)
    verdict = session.verdict()
    assert "Practice" in verdict
    assert "Unfinished" not in verdict


def test_after_an_undo_the_same_choices_are_there(session):
    ran = session.pebbles(*MINE, typed="g\nundo\n")
    assert ran.out.count("hand R G G") == 2


def test_an_undo_drops_the_draft_and_the_previous_turn(session):
    session.pebbles(*MINE, typed="g\nR\nundo\nr\n")
    undone = [entry for entry in session.game().entries if isinstance(entry, Undo)]
    assert len(undone) == 1
    assert "0 r" in session.choices()
    assert "0 R" not in session.choices()


def test_there_is_nothing_to_undo_before_the_first_turn(session):
    ran = session.pebbles(*MINE, typed="undo\n")
    assert "There is nothing to take back." in ran.out
    assert not session.game().practice


def test_no_turn_can_be_undone_between_people(session):
    ran = session.pebbles(*MINE, "--players", "you,you", typed="g\n\nundo\n")
    assert "When several people play, turns cannot be taken back." in ran.out
    assert not session.game().practice


# secrets on one screen


def test_a_hand_is_hidden_until_its_owner_confirms(session):
    ran = session.pebbles(*MINE, "--players", "you,you", typed="g\n")
    before, _, after = ran.out.partition(HAND_OVER)
    assert "hand R G G" in before
    assert after.startswith("Player 2 to play.\n" + ENTER)
    assert "hand " not in after
    assert before.endswith("\n" * 20)


def test_the_first_person_needs_no_confirmation(session):
    assert HAND_OVER not in session.pebbles(*MINE, "--players", "you,you").out


def test_another_starting_player_gets_the_screen_first(session):
    ran = session.pebbles("--seed", 1, "--first", 1, "--players", "you,you")
    assert "hand " not in ran.out
    assert f"{HAND_OVER}Player 2 to play." in ran.out


def test_a_person_alone_with_bots_needs_no_confirmation(session):
    ran = session.pebbles("--seed", 1, "--players", "greedy,you,random", typed=FIRST_CHOICES)
    assert HAND_OVER not in ran.out


@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_told_what_another_drew_or_laid_face_down(session, seed):
    typed = b"1\n\n\n" * 100 if seed % 2 else b"9\nr\nb\ng\n1\n\n" * 100
    ran = session.pebbles("--seed", seed, "--players", "you,you", "--names", "Ada,Ibo", typed=typed)
    assert WINS.search(ran.out)
    during = ran.out[: ran.out.rindex("Your turn:")]
    screens = during.split(HAND_OVER)[1:]
    assert len(screens) > 3
    for screen in screens:
        mine, other = ("Ada", "Ibo") if screen.startswith("Ada") else ("Ibo", "Ada")
        before = " ".join(screen.split("Enter plays this turn")[0].split())  # lines are wrapped
        assert not re.search(rf"{other} draws (?!a pebble from the bag\.)", before)
        assert not re.search(rf"{other} lays a (red|blue|green) pebble face down", before)
        for hand in re.findall(rf"{other} +hand (.*?)  +pile", screen):
            assert set(hand) <= {"?", " "}
        assert re.search(rf"{mine} +hand [RGB]", screen)


def test_a_terminal_is_cleared_when_the_seat_changes(session):
    with session.terminal("template", "--save", session.file, "--players", "you,you", *MINE) as child:
        child.expect("Your turn:")
        child.sendline("g")
        child.expect_exact(HAND_OVER)
        assert child.before.endswith("\x1b[2J\x1b[3J\x1b[H")
        child.expect_exact(ENTER)
        assert "hand " not in child.before
        child.sendline("")
        child.expect_exact("\x1b[2J\x1b[3J\x1b[H")
        assert "hand " not in child.before
        child.expect("Your turn:")
        assert "Player 1 draws a pebble from the bag." in child.before


# names


@pytest.mark.parametrize("names", ["A;B", "a\tb", "x" * 41, ",", "Ada,Ibo,Hans", "\x1b[31m"])
def test_a_name_that_no_record_can_hold_is_refused(session, names):
    assert_refused(session.pebbles("--players", "you,you", "--names", names))
    assert session.records() == []


def test_people_go_by_their_names(session):
    ran = session.pebbles(*MINE, "--players", "you,random,you", "--names", "Ada, Jürgen 李")
    assert "> Ada" in ran.out
    assert dict(session.game().names) == {0: "Ada", 1: "random", 2: "Jürgen 李"}


def test_people_without_a_name_are_numbered(session):
    session.pebbles("--players", "random,you,you", "--names", "Ada")
    assert dict(session.game().names) == {0: "random", 1: "Ada", 2: "Player 3"}


def test_two_people_are_told_at_the_end_only_what_nobody_has_seen_yet(session):
    ran = session.play("bigpoints", "--players", "you,you", "--seed", "1", "--save", session.file, typed="1\n\n" * 200)
    assert ran.code == 0
    end = ran.out[ran.out.rindex("Your turn") :] if "Your turn" in ran.out else ran.out
    assert len([line for line in end.splitlines() if line.startswith("· ")]) < 6


def test_the_option_words_may_stand_before_the_game(session):
    before = session.play(
        "--words", "template", "--players", "you,random", "--seed", "1", "--save", session.file, typed="quit\n"
    )
    assert "There are 9 pebbles in the bag." in before.out
    assert "hand R" not in before.out
    assert "You hold" in before.out


def test_the_log_before_ones_first_turn_lists_what_the_others_did(session):
    ran = session.play(
        "template",
        "--players",
        "random,you",
        "--first",
        "0",
        "--seed",
        "1",
        "--save",
        session.file,
        typed="log\nquit\n",
    )
    reported = [line for line in ran.out.splitlines() if "· " in line and "random lays" in line]
    assert len(reported) >= 2  # once when the turn started, once when asked
