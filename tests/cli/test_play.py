"""The table in the terminal: whole games, questions, steps back, secrets, and games that are gone on with."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pexpect
import pytest

from spieltisch.records import GameRecord, Move, Record, Undo, read, write
from tests.support.running import (
    ALWAYS_THE_FIRST,
    PATIENCE,
    Ran,
    assert_refused,
    at_terminal,
    played,
    run,
    run_on_full_disk,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")

WINS = re.compile(r"^(You win|.+ wins|.+ share the victory)\.$", re.MULTILINE)
HAND_OVER = "Pass the device: "
ENTER = "Press Enter when nobody else is looking. "
MINE = ["--seed", 1, "--first", 0]  # seat 0 holds R G G


class Sitting:
    """A folder to play in: everything that is kept is kept there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "table.game"
        self.env = {"XDG_DATA_HOME": str(folder / "data")}

    def play(self, *arguments: object, typed: str | bytes = b"") -> Ran:
        typed = typed.encode() if isinstance(typed, str) else typed
        ran = run("play", *arguments, typed=typed, cwd=self.folder, env=self.env)
        assert "Traceback" not in ran.err, ran.err
        return ran

    def pebbles(self, *arguments: object, typed: str | bytes = b"") -> Ran:
        """Plays Pebbles, kept in this sitting's file."""
        return self.play("template", "--save", self.file, *arguments, typed=typed)

    def terminal(self, *arguments: object, **env: str) -> pexpect.spawn[str]:
        return at_terminal("play", *arguments, env={**self.env, **env})

    def records(self) -> list[Path]:
        return sorted(self.folder.rglob("*.game"))

    def record(self) -> Record:
        return read(self.file.read_text(encoding="utf-8"))

    def game(self) -> GameRecord:
        return self.record().games[0]

    def choices(self) -> list[str]:
        """What people and bots chose."""
        moves = [entry for entry in self.game().entries if isinstance(entry, Move)]
        return [f"{move.seat} {move.text}" for move in moves if move.seat is not None]

    def verdict(self) -> str:
        ran = run("verify", *self.records())
        assert ran.code == 0, ran.err
        return ran.out


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    return Sitting(tmp_path)


# A whole game


def test_always_choosing_the_first_plays_a_whole_game(sitting):
    ran = sitting.play("template", "--seed", 3, typed=ALWAYS_THE_FIRST)
    assert (ran.code, ran.err) == (0, "")
    assert WINS.search(ran.out)
    (path,) = sitting.records()
    assert path.is_relative_to(sitting.folder / "data")
    assert f"The record is in {path}." in ran.out
    assert "Unfinished" not in sitting.verdict()


def test_a_whole_game_is_played_in_a_terminal(sitting):
    child = sitting.terminal("template", "--save", sitting.file, "--seed", 3)
    while (prompt := child.expect(["Your turn:", "Enter plays this turn", pexpect.EOF])) != 2:
        child.sendline("1" if prompt == 0 else "")
    child.close()
    assert child.exitstatus == 0
    assert "Unfinished" not in sitting.verdict()


def test_without_a_name_the_only_game_or_the_chosen_one_is_played(sitting):
    ran = sitting.play(typed="1\n" + "quit\n" * 3)
    assert ran.code == 0
    assert len(sitting.records()) == 1


def test_bots_play_among_themselves(sitting):
    ran = sitting.pebbles("--players", "random,greedy,random", "--seed", 1)
    assert (ran.code, ran.err) == (0, "")
    assert WINS.search(ran.out)
    assert "Your turn" not in ran.out
    assert dict(sitting.game().names) == {0: "random 1", 1: "greedy", 2: "random 3"}
    assert "Unfinished" not in sitting.verdict()


def test_the_same_seed_is_the_same_game(sitting, tmp_path_factory):
    other = Sitting(tmp_path_factory.mktemp("other"))
    for each in (sitting, other):
        each.pebbles("--seed", 9, typed=ALWAYS_THE_FIRST)
    assert sitting.record() == other.record()


def test_without_a_seed_no_two_games_are_the_same(sitting, tmp_path_factory):
    other = Sitting(tmp_path_factory.mktemp("other"))
    for each in (sitting, other):
        each.pebbles("--players", "random,random,random,random")
    assert sitting.game().entries != other.game().entries


def test_games_begun_in_the_same_second_are_kept_apart(sitting):
    for _ in range(4):
        sitting.play("template", "--players", "random,random")
    assert len(sitting.records()) == 4


def test_the_table_can_be_told_in_sentences(sitting):
    ran = sitting.pebbles(*MINE, "--words")
    assert "You hold a red pebble and 2 green pebbles." in ran.out
    assert "hand R G G" not in ran.out


def test_a_match_counts_its_games_and_its_total(sitting):
    ran = sitting.pebbles("--seed", 2, "--games", 2, typed=ALWAYS_THE_FIRST)
    assert ran.code == 0
    assert "Game 1 of 2." in ran.out
    assert "Game 2 of 2." in ran.out
    assert "Total: " in ran.out
    text = sitting.file.read_text(encoding="utf-8")
    assert "\nmatch     2\n" in text
    assert re.search(r"\n\ntotal     \d+ \d+\n$", text)
    first, second = sitting.record().games
    assert second.first == 1 - first.first
    assert "2 games" in sitting.verdict()


# Choosing


def test_a_choice_may_be_named_by_its_notation(sitting):
    sitting.pebbles(*MINE, typed="g\n")
    assert sitting.choices()[0] == "0 g"


def test_a_choice_may_be_named_by_its_number(sitting):
    sitting.pebbles(*MINE, typed="4\n")
    assert sitting.choices()[0] == "0 g"


def test_a_question_mark_lists_what_is_possible(sitting):
    ran = sitting.pebbles(*MINE, typed="?\n")
    assert ran.out.count("1  R  lay a red pebble face up") == 2
    assert ran.out.count("4  g  lay a green pebble face down") == 2
    assert "quit: stop" in ran.out


def test_an_empty_line_lists_what_is_possible(sitting):
    assert sitting.pebbles(*MINE, typed="\n").out.count("1  R  lay a red pebble face up") == 2


@pytest.mark.parametrize("asked", ["? R", "?R"])
def test_a_question_mark_and_a_move_explains_it(sitting, asked):
    assert "R: lay a red pebble face up." in sitting.pebbles(*MINE, typed=f"{asked}\n").out
    assert sitting.choices() == []


def test_a_question_mark_and_an_impossible_move_names_the_rule(sitting):
    assert "Not possible, rule R4: " in sitting.pebbles(*MINE, typed="? b\n").out


@pytest.mark.parametrize(("typed", "rule"), [("b\n", "R4"), (".\n", "R4"), ("G\ng\n", "R5"), ("G\nR\n", "R5")])
def test_an_illegal_move_names_its_rule(sitting, typed, rule):
    assert f"Not possible, rule {rule}: " in sitting.pebbles(*MINE, typed=typed).out
    assert sitting.choices() == []


@pytest.mark.parametrize("typed", ["x", "RR", "hello there", "ß", "\x00", "%s{name}", "9" * 5000, "-1", "²"])
def test_a_line_that_is_no_move_changes_nothing(sitting, typed):
    ran = sitting.pebbles(*MINE, typed=f"{typed}\n")
    assert ran.code == 0
    assert sitting.choices() == []
    assert ran.out.count("Your turn:") == 2


@pytest.mark.parametrize("number", ["0", "5", "99", "00000000000001"])
def test_a_number_out_of_range_is_told_the_range(sitting, number):
    assert "The choices have the numbers 1 to 4." in sitting.pebbles(*MINE, typed=f"{number}\n").out


@pytest.mark.parametrize("encoding", ["utf-8:strict", "utf-8:surrogateescape"])
def test_a_line_that_is_no_text_changes_nothing(sitting, encoding):
    sitting.env["PYTHONIOENCODING"] = encoding  # strict in any locale but C
    ran = sitting.pebbles(*MINE, typed=b"\xff\xfe\ng\n")
    assert ran.code == 0
    assert sitting.choices()[0] == "0 g"


def test_a_turn_of_several_steps_waits_for_enter(sitting):
    ran = sitting.pebbles(*MINE, typed="R\n.\n")
    assert "Enter plays this turn" in ran.out
    assert sitting.choices() == []
    sitting.file.unlink()
    sitting.pebbles(*MINE, typed="R\n.\n\n")
    assert sitting.choices()[:2] == ["0 R", "0 ."]


def test_a_whole_turn_takes_no_more_steps(sitting):
    ran = sitting.pebbles(*MINE, typed="R\n.\nG\n1\n\n")
    assert ran.out.count("The turn is complete") == 2
    assert sitting.choices()[:2] == ["0 R", "0 ."]


def test_a_minus_takes_a_step_back(sitting):
    sitting.pebbles(*MINE, typed="R\n.\n-\n-\nG\nG\n.\n\n")
    assert sitting.choices()[:3] == ["0 G", "0 G", "0 ."]


def test_there_is_no_step_back_before_the_first(sitting):
    ran = sitting.pebbles(*MINE, typed="-\nR\n-\n-\n")
    assert ran.out.count("There is no step to take back.") == 2


def test_the_other_words_answer_without_playing(sitting):
    ran = sitting.pebbles(*MINE, typed="hint\nlog\ntext\nrules\nsave\n")
    assert "A bot would play " in ran.out
    assert "You hold a red pebble and 2 green pebbles." in ran.out
    assert "# Pebbles" in ran.out
    assert f"Saved in {sitting.file}." in ran.out
    assert sitting.choices() == []


# Turns taken back


def test_a_turn_against_a_bot_is_taken_back_as_practice(sitting):
    ran = sitting.pebbles(*MINE, typed="g\nundo\n")
    assert "taken back" in ran.out
    assert sitting.game().practice
    assert any(isinstance(entry, Undo) for entry in sitting.game().entries)
    assert "Practice" in sitting.verdict()


def test_a_game_goes_on_after_an_undo(sitting):
    ran = sitting.pebbles(*MINE, typed=b"g\nundo\nR\n.\n\nundo\n" + ALWAYS_THE_FIRST)
    assert WINS.search(ran.out)
    verdict = sitting.verdict()
    assert "Practice" in verdict
    assert "Unfinished" not in verdict


def test_after_an_undo_the_same_choices_are_there(sitting):
    ran = sitting.pebbles(*MINE, typed="g\nundo\n")
    assert ran.out.count("hand R G G") == 2


def test_an_undo_drops_the_steps_of_this_turn_with_the_last(sitting):
    sitting.pebbles(*MINE, typed="g\nR\nundo\nr\n")
    undone = [entry for entry in sitting.game().entries if isinstance(entry, Undo)]
    assert len(undone) == 1
    assert "0 r" in sitting.choices()
    assert "0 R" not in sitting.choices()


def test_there_is_nothing_to_undo_before_the_first_turn(sitting):
    ran = sitting.pebbles(*MINE, typed="undo\n")
    assert "There is nothing to take back." in ran.out
    assert not sitting.game().practice


def test_between_people_no_turn_is_taken_back(sitting):
    ran = sitting.pebbles(*MINE, "--players", "you,you", typed="g\n\nundo\n")
    assert "Between people a turn is not taken back." in ran.out
    assert not sitting.game().practice


# Secrets on one screen


def test_a_hand_is_covered_until_its_owner_says_so(sitting):
    ran = sitting.pebbles(*MINE, "--players", "you,you", typed="g\n")
    before, _, after = ran.out.partition(HAND_OVER)
    assert "hand R G G" in before
    assert after.startswith("Player 2 to play.\n" + ENTER)
    assert "hand " not in after
    assert before.endswith("\n" * 20)


def test_the_first_person_needs_no_cover(sitting):
    assert HAND_OVER not in sitting.pebbles(*MINE, "--players", "you,you").out


def test_another_beginner_gets_the_screen_first(sitting):
    ran = sitting.pebbles("--seed", 1, "--first", 1, "--players", "you,you")
    assert "hand " not in ran.out
    assert f"{HAND_OVER}Player 2 to play." in ran.out


def test_a_person_alone_with_bots_needs_no_cover(sitting):
    ran = sitting.pebbles("--seed", 1, "--players", "greedy,you,random", typed=ALWAYS_THE_FIRST)
    assert HAND_OVER not in ran.out


@pytest.mark.parametrize("seed", range(4))
def test_nobody_is_told_what_another_drew_or_laid_face_down(sitting, seed):
    typed = b"1\n\n\n" * 100 if seed % 2 else b"9\nr\nb\ng\n1\n\n" * 100
    ran = sitting.pebbles("--seed", seed, "--players", "you,you", "--names", "Ada,Ibo", typed=typed)
    assert WINS.search(ran.out)
    during = ran.out[: ran.out.rindex("Your turn:")]
    screens = during.split(HAND_OVER)[1:]
    assert len(screens) > 3
    for screen in screens:
        mine, other = ("Ada", "Ibo") if screen.startswith("Ada") else ("Ibo", "Ada")
        told = screen.split("Enter plays this turn")[0]
        assert not re.search(rf"{other} draws (?!a pebble from the bag\.)", told)
        assert not re.search(rf"{other} lays a (red|blue|green) pebble face down", told)
        for hand in re.findall(rf"{other} +hand (.*?)  +pile", screen):
            assert set(hand) <= {"?", " "}
        assert re.search(rf"{mine} +hand [RGB]", screen)


def test_a_terminal_is_cleared_when_the_seat_changes(sitting):
    child = sitting.terminal("template", "--save", sitting.file, "--players", "you,you", *MINE)
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
    child.close()


# Keeping games


def test_a_game_is_saved_under_another_name(sitting):
    ran = sitting.pebbles(*MINE, typed="g\nsave other.game\nR\n.\n\n")
    assert "Saved in other.game. Go on later with: spieltisch play --resume other.game" in ran.out
    other = read((sitting.folder / "other.game").read_text(encoding="utf-8")).games[0]
    assert other.entries == sitting.game().entries[: len(other.entries)]
    assert len(other.entries) < len(sitting.game().entries)
    sitting.verdict()


def test_a_file_that_is_there_is_not_written_over(sitting):
    (sitting.folder / "mine.txt").write_text("mine", encoding="utf-8")
    ran = sitting.pebbles(*MINE, typed="save mine.txt\ng\n")
    assert "mine.txt is there already and is not written over" in ran.out
    assert (sitting.folder / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert sitting.choices()[0] == "0 g"


IMPOSSIBLE = {
    "below a file": "table.game/x.game",
    "on a device": "/dev/null/x.game",
    "in nobody's home": "~nobody-of-that-name/x.game",
    "with a zero": "a\0b.game",
    "without end": "x" * 300,
    "in a folder without end": "x" * 300 + "/x.game",
}


@pytest.mark.parametrize("name", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_a_game_goes_on_where_it_cannot_be_saved(sitting, name):
    ran = sitting.pebbles(*MINE, typed=f"save {name}\ng\n")
    assert ran.code == 0, ran.err
    assert "cannot be written" in ran.out
    assert sitting.choices()[0] == "0 g"


@pytest.mark.parametrize("typed", ["g\nquit\n", "g\n"], ids=["quit", "the end of input"])
def test_a_game_that_is_left_is_gone_on_with_to_the_end(sitting, typed):
    ran = sitting.pebbles(*MINE, "--names", "Ada", typed=typed)
    assert ran.code == 0
    assert f"spieltisch play --resume {sitting.file}" in ran.out
    assert "Unfinished" in sitting.verdict()
    so_far = sitting.game().entries
    resumed = sitting.play("--resume", sitting.file, typed=ALWAYS_THE_FIRST)
    assert resumed.code == 0
    assert WINS.search(resumed.out)
    assert sitting.game().entries[: len(so_far)] == so_far
    assert dict(sitting.game().names) == {0: "Ada", 1: "level:3"}
    assert "Unfinished" not in sitting.verdict()
    assert sitting.records() == [sitting.file]


def test_practice_stays_practice_when_it_is_gone_on_with(sitting):
    sitting.pebbles(*MINE, typed="g\nundo\n")
    sitting.play("--resume", sitting.file, typed=ALWAYS_THE_FIRST)
    assert sitting.verdict().endswith("Practice: turns were taken back.\n")


def test_a_match_is_gone_on_with(sitting):
    sitting.pebbles("--seed", 2, "--games", 2, typed="quit\n")
    ran = sitting.play("--resume", sitting.file, typed=ALWAYS_THE_FIRST)
    assert "Game 2 of 2." in ran.out
    assert "2 games" in sitting.verdict()


def test_a_game_that_is_over_is_only_shown(sitting):
    sitting.pebbles("--players", "random,random", "--seed", 1)
    text = sitting.file.read_text(encoding="utf-8")
    ran = sitting.play("--resume", sitting.file)
    assert ran.code == 0
    assert WINS.search(ran.out)
    assert sitting.file.read_text(encoding="utf-8") == text


def test_a_person_stays_a_person_when_the_name_begins_like_a_bots(sitting):
    sitting.pebbles(*MINE, "--names", "greedy the second")
    ran = sitting.play("--resume", sitting.file)
    assert "Your turn:" in ran.out


@pytest.mark.parametrize("name", ["random", "greedy 2"])
def test_a_person_is_not_called_like_a_bot(sitting, name):
    assert_refused(sitting.pebbles(*MINE, "--names", name), "name of a bot")


def test_a_match_of_different_games_is_not_gone_on_with(sitting):
    two = replace(played(2).games[0], first=1, entries=(), result=None, ending=None)
    sitting.file.write_text(write(Record((played(1, count=3).games[0], two), 3)), encoding="utf-8")
    assert_refused(sitting.play("--resume", sitting.file), str(sitting.file))


def test_a_match_with_an_unknown_game_is_not_gone_on_with(sitting):
    text = write(played(1, 2)).replace("game      template", "game      tempest").replace("tempest", "template", 1)
    sitting.file.write_text(text, encoding="utf-8")
    assert_refused(sitting.play("--resume", sitting.file), str(sitting.file))
    assert sitting.file.read_text(encoding="utf-8") == text


def test_a_redacted_record_is_not_gone_on_with(sitting):
    sitting.file.write_text(write(Record((replace(played(1).games[0], viewer=0),))), encoding="utf-8")
    assert_refused(sitting.play("--resume", sitting.file), str(sitting.file))


def test_interrupting_keeps_the_game(sitting):
    child = sitting.terminal("template", "--save", sitting.file, *MINE)
    child.expect("Your turn:")
    child.sendline("g")
    child.expect("Your turn:")
    child.sendintr()
    child.expect(pexpect.EOF, timeout=PATIENCE)
    child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before
    assert "play --resume" in child.before
    assert sitting.choices()[0] == "0 g"
    sitting.verdict()


def test_a_place_that_cannot_be_written_stops_nobody(sitting):
    (sitting.folder / "file").touch()
    ran = sitting.play("template", "--seed", 3, "--save", sitting.folder / "file" / "x.game", typed=ALWAYS_THE_FIRST)
    assert ran.code == 0
    assert ran.out.count("could not be kept") == 1
    assert WINS.search(ran.out)


def test_a_game_that_could_not_be_kept_is_not_said_to_be(sitting):
    (sitting.folder / "file").touch()
    ran = sitting.play("template", "--save", sitting.folder / "file" / "x.game", typed=ALWAYS_THE_FIRST)
    assert "The record is in" not in ran.out


def test_a_full_disk_stops_nobody(sitting):
    ran = run_on_full_disk(
        "play", "template", "--seed", 3, "--save", sitting.file, room=100, typed=ALWAYS_THE_FIRST, env=sitting.env
    )
    assert ran.code == 0
    assert ran.out.count("could not be kept") == 1
    assert WINS.search(ran.out)
    assert [path for path in sitting.folder.rglob("*") if path.is_file()] == []


def test_an_old_record_is_not_lost_to_a_new_game(sitting):
    sitting.file.write_text(write(played(1)), encoding="utf-8")
    sitting.pebbles(*MINE, typed="g\n")
    kept = [path.read_text(encoding="utf-8") for path in sitting.records()]
    assert write(played(1)) in kept


# Names


@pytest.mark.parametrize("names", ["A;B", "a\tb", "x" * 41, ",", "Ada,Ibo,Hans", "\x1b[31m"])
def test_a_name_that_no_record_can_hold_is_refused(sitting, names):
    assert_refused(sitting.pebbles("--players", "you,you", "--names", names))
    assert sitting.records() == []


def test_people_are_called_by_their_names(sitting):
    ran = sitting.pebbles(*MINE, "--players", "you,random,you", "--names", "Ada, Jürgen 李")
    assert "> Ada" in ran.out
    assert dict(sitting.game().names) == {0: "Ada", 1: "random", 2: "Jürgen 李"}


def test_people_without_a_name_are_numbered(sitting):
    sitting.pebbles("--players", "random,you,you", "--names", "Ada")
    assert dict(sitting.game().names) == {0: "random", 1: "Ada", 2: "Player 3"}


def test_two_people_are_told_at_the_end_only_what_nobody_has_seen_yet(sitting):
    ran = sitting.play("bigpoints", "--players", "you,you", "--seed", "1", "--save", sitting.file, typed="1\n\n" * 200)
    assert ran.code == 0
    end = ran.out[ran.out.rindex("Your turn") :] if "Your turn" in ran.out else ran.out
    assert len([line for line in end.splitlines() if line.startswith("· ")]) < 6


def test_words_may_be_asked_for_before_the_game(sitting):
    before = sitting.play(
        "--words", "template", "--players", "you,random", "--seed", "1", "--save", sitting.file, typed="quit\n"
    )
    assert "There are 9 pebbles in the bag." in before.out
    assert "hand R" not in before.out
    assert "You hold" in before.out


def test_a_log_before_ones_first_turn_tells_what_the_others_did(sitting):
    ran = sitting.play(
        "template",
        "--players",
        "random,you",
        "--first",
        "0",
        "--seed",
        "1",
        "--save",
        sitting.file,
        typed="log\nquit\n",
    )
    told = [line for line in ran.out.splitlines() if "· " in line and "random lays" in line]
    assert len(told) >= 2  # once when the turn began, once more when asked
