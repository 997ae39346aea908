"""Games that `spieltisch play` saves and resumes."""

from __future__ import annotations

from dataclasses import replace

import pexpect
import pytest

from spieltisch.records import Record, read, write
from tests.cli.play_session import MINE, WINS
from tests.support.command import (
    FIRST_CHOICES,
    TIMEOUT,
    assert_refused,
    random_record,
    run_on_full_disk,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty.*:DeprecationWarning")


def test_a_game_is_saved_under_another_name(session):
    ran = session.pebbles(*MINE, typed="g\nsave other.game\nR\n.\n\n")
    assert "Saved in other.game. Resume later with: spieltisch play --resume other.game" in ran.out
    other = read((session.folder / "other.game").read_text(encoding="utf-8")).games[0]
    assert other.entries == session.game().entries[: len(other.entries)]
    assert len(other.entries) < len(session.game().entries)
    session.verdict()


def test_an_existing_file_is_not_overwritten(session):
    (session.folder / "mine.txt").write_text("mine", encoding="utf-8")
    ran = session.pebbles(*MINE, typed="save mine.txt\ng\n")
    assert "mine.txt already exists and is not overwritten" in ran.out
    assert (session.folder / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert session.choices()[0] == "0 g"


IMPOSSIBLE = {
    "below a file": "table.game/x.game",
    "on a device": "/dev/null/x.game",
    "in nobody's home": "~nobody-of-that-name/x.game",
    "with a zero": "a\0b.game",
    "without end": "x" * 300,
    "in a folder without end": "x" * 300 + "/x.game",
}


@pytest.mark.parametrize("name", IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_a_game_goes_on_if_it_cannot_be_saved(session, name):
    ran = session.pebbles(*MINE, typed=f"save {name}\ng\n")
    assert ran.code == 0, ran.err
    assert "cannot be written" in ran.out
    assert session.choices()[0] == "0 g"


@pytest.mark.parametrize("typed", ["g\nquit\n", "g\n"], ids=["quit", "the end of input"])
def test_a_game_that_was_quit_is_resumed_and_finished(session, typed):
    ran = session.pebbles(*MINE, "--names", "Ada", typed=typed)
    assert ran.code == 0
    assert f"spieltisch play --resume {session.file}" in ran.out
    assert "Unfinished" in session.verdict()
    so_far = session.game().entries
    resumed = session.play("--resume", session.file, typed=FIRST_CHOICES)
    assert resumed.code == 0
    assert WINS.search(resumed.out)
    assert session.game().entries[: len(so_far)] == so_far
    assert dict(session.game().names) == {0: "Ada", 1: "level:3"}
    assert "Unfinished" not in session.verdict()
    assert session.records() == [session.file]


def test_a_resumed_practice_game_stays_practice(session):
    session.pebbles(*MINE, typed="g\nundo\n")
    session.play("--resume", session.file, typed=FIRST_CHOICES)
    assert session.verdict().endswith("Practice: turns were taken back.\n")


def test_a_match_is_resumed(session):
    session.pebbles("--seed", 2, "--games", 2, typed="quit\n")
    ran = session.play("--resume", session.file, typed=FIRST_CHOICES)
    assert "Game 2 of 2." in ran.out
    assert "2 games" in session.verdict()


def test_a_finished_game_is_only_shown(session):
    session.pebbles("--players", "random,random", "--seed", 1)
    text = session.file.read_text(encoding="utf-8")
    ran = session.play("--resume", session.file)
    assert ran.code == 0
    assert WINS.search(ran.out)
    assert session.file.read_text(encoding="utf-8") == text


def test_a_person_stays_a_person_if_the_name_starts_like_a_bots(session):
    session.pebbles(*MINE, "--names", "greedy the second")
    ran = session.play("--resume", session.file)
    assert "Your turn:" in ran.out


@pytest.mark.parametrize("name", ["random", "greedy 2"])
def test_a_person_cannot_have_the_name_of_a_bot(session, name):
    assert_refused(session.pebbles(*MINE, "--names", name), "name of a bot")


def test_a_match_of_different_games_is_not_resumed(session):
    two = replace(random_record(2).games[0], first=1, entries=(), result=None, ending=None)
    session.file.write_text(write(Record((random_record(1, count=3).games[0], two), 3)), encoding="utf-8")
    assert_refused(session.play("--resume", session.file), str(session.file))


def test_a_match_with_an_unknown_game_is_not_resumed(session):
    text = (
        write(random_record(1, 2)).replace("game      template", "game      tempest").replace("tempest", "template", 1)
    )
    session.file.write_text(text, encoding="utf-8")
    assert_refused(session.play("--resume", session.file), str(session.file))
    assert session.file.read_text(encoding="utf-8") == text


def test_a_redacted_record_is_not_resumed(session):
    session.file.write_text(write(Record((replace(random_record(1).games[0], viewer=0),))), encoding="utf-8")
    assert_refused(session.play("--resume", session.file), str(session.file))


def test_interrupting_keeps_the_game(session):
    with session.terminal("template", "--save", session.file, *MINE) as child:
        child.expect("Your turn:")
        child.sendline("g")
        child.expect("Your turn:")
        child.sendintr()
        child.expect(pexpect.EOF, timeout=TIMEOUT)
        child.close()
    assert child.exitstatus == 130
    assert "Traceback" not in child.before
    assert "play --resume" in child.before
    assert session.choices()[0] == "0 g"
    session.verdict()


def test_a_game_goes_on_if_its_folder_is_not_writable(session):
    (session.folder / "file").touch()
    ran = session.play("template", "--seed", 3, "--save", session.folder / "file" / "x.game", typed=FIRST_CHOICES)
    assert ran.code == 0
    assert ran.out.count("could not be saved") == 1
    assert WINS.search(ran.out)


def test_a_game_that_could_not_be_saved_is_not_reported_as_saved(session):
    (session.folder / "file").touch()
    ran = session.play("template", "--save", session.folder / "file" / "x.game", typed=FIRST_CHOICES)
    assert "The record is in" not in ran.out


def test_a_game_goes_on_if_the_disk_is_full(session):
    ran = run_on_full_disk(
        "play", "template", "--seed", 3, "--save", session.file, room=100, typed=FIRST_CHOICES, env=session.env
    )
    assert ran.code == 0
    assert ran.out.count("could not be saved") == 1
    assert WINS.search(ran.out)
    assert [path for path in session.folder.rglob("*") if path.is_file()] == []


def test_a_new_game_does_not_overwrite_an_old_record(session):
    session.file.write_text(write(random_record(1)), encoding="utf-8")
    session.pebbles(*MINE, typed="g\n")
    texts = [path.read_text(encoding="utf-8") for path in session.records()]
    assert write(random_record(1)) in texts
