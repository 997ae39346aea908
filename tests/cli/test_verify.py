"""`spieltisch verify`: damaged, forged and truncated records."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from spieltisch.records import write
from tests.cli.records import mangled, write_file
from tests.support.command import (
    COMMAND,
    assert_refused,
    environment,
    random_record,
    run,
)


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
