"""The core distribution with nothing but what it always requires: rules, players, records and the terminal run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def closure(requirements: list[str]) -> set[str]:
    """The names of the installed distributions that the requirements need, with theirs; without extras."""
    found: set[str] = set()
    waiting = list(requirements)
    while waiting:
        requirement = waiting.pop()
        name = re.split(r"[<>=!~;\[( ]", requirement)[0]
        if "extra ==" in requirement or name in found:
            continue
        try:
            waiting += distribution(name).requires or []
        except PackageNotFoundError:  # of another system or another Python
            continue
        found.add(name)
    return found


@pytest.fixture(scope="module")
def lean(tmp_path_factory):
    """Runs Python without site-packages, with links to what the core always requires."""
    folder = tmp_path_factory.mktemp("lean")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name in closure(project["dependencies"]):
        for file in distribution(name).files or ():
            top = file.parts[0]
            if top != ".." and not (folder / top).exists():
                (folder / top).symlink_to(Path(str(distribution(name).locate_file(top))))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(folder)))}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-S", *arguments]
        return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)

    return run


def test_the_documentation_counts_the_packages_that_the_core_requires():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = len(closure(project["dependencies"]))
    page = (ROOT / "docs/reference/install.md").read_text(encoding="utf-8")
    assert f"requires {required} other packages" in page
    assert f"requires {required} other packages" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"| pip install 'spieltisch-core' | {1 + required} |" in page  # with Spieltisch itself


def test_nothing_else_can_be_imported(lean):
    for name in ("numpy", "fastapi", "sqlalchemy", "highspy", "pydantic"):
        assert f"No module named '{name}'" in lean("-c", f"import {name}").stderr


def test_bots_play_and_their_records_are_verified(lean):
    bots = ("--players", "level:2,greedy", "--games", "2", "--seed", "1", "--out")
    for game in ("bigpoints", "rondo"):
        ran = lean("-m", "spieltisch", "simulate", game, *bots, game)
        assert ran.returncode == 0, ran.stderr
        shown = lean("-m", "spieltisch", "show", f"{game}/{game}-1-000000.game")
        assert shown.returncode == 0, shown.stderr
        assert lean("-m", "spieltisch", "verify", f"{game}/{game}-1-000001.game").returncode == 0


def test_a_tournament_is_rated(lean):
    ran = lean("-m", "spieltisch", "arena", "template", "--players", "greedy,random", "--games", "4", "--workers", "1")
    assert ran.returncode == 0, ran.stderr
    assert "greedy" in ran.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("serve", "--port", "0"), "The server is not installed: install spieltisch-core[serve]."),
        (
            ("simulate", "turmbauer", "--players", "greedy,greedy"),
            "Whether the tower stands is decided by a solver that is not installed: install spieltisch-core[statics].",
        ),
        (
            ("stats", "bigpoints", "--twin"),
            "Many games at once need an extra: install spieltisch-core[batch].",
        ),
        (
            ("simulate", "bigpoints", "--players", "net,net"),
            "NumPy is not installed here: install spieltisch-core[nets].",
        ),
        (("mcp",), "mcp is not installed here: install spieltisch-core[mcp]."),
    ],
)
def test_a_missing_part_is_named_with_what_to_install(lean, arguments, sentence):
    ran = lean("-m", "spieltisch", *arguments)
    assert ran.returncode not in {0, -11}
    assert ran.stderr.strip().endswith(sentence)
    assert "Traceback" not in ran.stderr


def test_records_of_a_game_without_its_solver_are_still_read(lean):
    golden = min((ROOT / "src/spieltisch/games/turmbauer/tests/golden").glob("*.game"))
    for command in ("show", "verify"):
        ran = lean("-m", "spieltisch", command, str(golden))
        assert ran.returncode == 0, ran.stderr


def test_an_environment_says_which_extra_it_needs(lean):
    ran = lean("-c", "import spieltisch.research.pettingzoo")
    assert ran.stderr.strip().endswith("numpy is not installed here: install spieltisch-core[research].")
