"""The command `spieltisch picture`, run as a real process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from spieltisch.records import write
from tests.support.command import assert_refused, environment, random_record, run


@pytest.fixture(scope="module")
def record(tmp_path_factory) -> Path:
    """A real game of Pebbles in a file."""
    path = tmp_path_factory.mktemp("picture") / "real.game"
    path.write_text(write(random_record(1)), encoding="utf-8")
    return path


def test_a_position_is_written_as_svg(record, tmp_path):
    out = tmp_path / "x.svg"
    ran = run("picture", record, "--ply", 3, "--seat", 0, "--dark", "--language", "de", "--out", out)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert ET.parse(out).getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_a_record_can_come_from_standard_input_and_a_picture_go_to_standard_output(record):
    ran = run("picture", "-", "--out", "-", typed=record.read_bytes())
    assert ran.code == 0
    assert ET.fromstring(ran.out).get("role") == "img"


def test_a_bitmap_has_the_width_that_was_asked_for(record, tmp_path):
    out = tmp_path / "x.PNG"
    assert run("picture", record, "--out", out, "--size", 100).code == 0
    content = out.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert int.from_bytes(content[16:20], "big") == 100


def test_a_film_is_written_as_gif_and_as_svg(record, tmp_path):
    gif, svg = tmp_path / "x.gif", tmp_path / "x.svg"
    assert run("picture", record, "--film", "--ply", 2, "--size", 100, "--out", gif).code == 0
    assert gif.read_bytes().startswith(b"GIF89a")
    assert run("picture", record, "--film", "--out", svg).code == 0
    assert "@keyframes" in svg.read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--out", "x.bmp"], [".bmp", ".svg", ".png"]),
        (["--out", "x"], ["x", ".svg"]),
        (["--out", "x.gif"], [".gif", ".svg", ".png"]),
        (["--out", "x.png", "--film"], [".png", ".gif"]),
        (["--out", "x.gif", "--film", "--size", "4096"], ["1280"]),
        (["--out", "x.svg", "--ply", "1000"], ["1000"]),
        (["--out", "x.svg", "--seat", "2"], ["0", "1"]),
        (["--out", "x.svg", "--game", "2"], ["one game"]),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_nothing_is_written(record, tmp_path, arguments, words):
    assert_refused(run("picture", record, *arguments, cwd=tmp_path), *words)
    assert list(tmp_path.iterdir()) == []


def test_a_match_needs_the_number_of_a_game(tmp_path):
    path = tmp_path / "match.game"
    path.write_text(write(random_record(1, 2)), encoding="utf-8")
    assert_refused(run("picture", path, "--out", "-"), "2 games", "--game")
    assert run("picture", path, "--out", "-", "--game", 2).code == 0


def test_a_record_that_the_rules_do_not_allow_is_refused_with_its_line(record, tmp_path):
    path = tmp_path / "bad.game"
    path.write_text(record.read_text("utf-8").replace("\n0 ", "\n1 ", 1), encoding="utf-8")
    assert_refused(run("picture", path, "--out", "-"), "bad.game:")


def test_drawing_svg_needs_no_extra(record):
    blocked = "import sys; sys.modules.update(dict.fromkeys(['resvg_py', 'PIL', 'numpy'])); from spieltisch.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", blocked, "picture", str(record), "--out", "-"],
        capture_output=True,
        env=environment(),
        check=False,
    )
    assert ran.returncode == 0
    assert ran.stdout.startswith(b"<svg")
