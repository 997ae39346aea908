"""The shape of the project: who may import what, where games may be named, which rules are cited and tested."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import spieltisch
from spieltisch import registry

ROOT = Path(__file__).parent.parent
SOURCE = Path(spieltisch.__file__).parent
GAMES = SOURCE / "games"
CORE = sorted(path for path in (*SOURCE.glob("*.py"), *(SOURCE / "core").glob("*.py"), *(SOURCE / "i18n").glob("*.py")))
LEAN = [
    *CORE,
    *(SOURCE / "processes").glob("*.py"),
    *GAMES.glob("*/rules.py"),
    *GAMES.glob("*/state.py"),
    *GAMES.glob("*/view.py"),
    *GAMES.glob("*/notation.py"),
]


def imported(path: Path) -> set[str]:
    """What is imported when the module runs: not what it names in types alone."""
    names: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    in_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in in_types:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("path", LEAN, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_core_and_the_rules_import_the_standard_library_only(path):
    if path.name == "__main__.py":
        return
    assert imported(path) - set(sys.stdlib_module_names) <= {"spieltisch"}


@pytest.mark.parametrize("name", registry.names())
def test_nothing_outside_its_folder_names_a_game(name):
    word = re.compile(
        rf"games\.{name}\b|\b{name}\b" if registry.find(name).offered else rf"games[./]{name}\b|[\"']{name}[\"']"
    )
    outside = [*SOURCE.rglob("*.py"), *(ROOT / "web").rglob("*.ts"), *(ROOT / "web").rglob("*.svelte")]
    named = [str(path) for path in outside if GAMES / name not in path.parents and word.search(path.read_text("utf-8"))]
    assert not named


def numbered(name: str) -> list[str]:
    return re.findall(r"^- (R\d+) ", (GAMES / name / "RULES.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", registry.names())
def test_every_numbered_rule_is_cited_in_the_code(name):
    code = "".join(path.read_text(encoding="utf-8") for path in (GAMES / name).glob("*.py"))
    assert numbered(name)
    assert [rule for rule in numbered(name) if not re.search(rf"\b{rule}\b", code)] == []


@pytest.mark.parametrize("name", registry.names())
def test_every_numbered_rule_is_named_by_a_test(name):
    tests = "".join(path.read_text(encoding="utf-8") for path in (GAMES / name / "tests").glob("test_*.py"))
    named = set(re.findall(r"def test_(r\d+)_", tests))
    assert {rule.lower() for rule in numbered(name)} <= named


@pytest.mark.parametrize("name", registry.names())
def test_every_game_has_golden_games_for_every_number_of_players(name):
    game = registry.find(name)
    golden = [path.read_text(encoding="utf-8") for path in (GAMES / name / "tests" / "golden").glob("*.game")]
    assert {int(re.findall(r"^players +(\d+)", text, re.MULTILINE)[0]) for text in golden} == set(game.players)
    assert {int(number) for text in golden for number in re.findall(r"^rules +(\d+)", text, re.MULTILINE)} == set(
        game.rules
    )


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    names = listed.stdout.decode().split("\0")[:-1]
    return [ROOT / name for name in names] or [
        path for path in ROOT.rglob("*") if path.is_file() and ".venv" not in path.parts
    ]


def test_the_lock_files_hold_hashes_and_no_addresses():
    for path in (ROOT / "requirements").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        pinned = re.findall(r"^[a-z0-9_.-]+==", text, re.MULTILINE)
        assert pinned
        assert text.count("--hash=") >= len(pinned)
        assert "://" not in text
        assert "index" not in text


def test_modules_stay_small_enough_to_be_read_in_one_sitting():
    long = {
        str(path): n
        for path in SOURCE.rglob("*.py")
        if "tests" not in path.parts and (n := len(path.read_text("utf-8").splitlines())) > 400
    }
    assert not long


def test_no_file_holds_a_path_of_some_machine():
    pattern = re.compile(r"(?<![.\w/])/(?:home|root|work|tmp)/[a-z]")
    found = [
        str(path)
        for path in tracked()
        if path.suffix in {".py", ".md", ".toml", ".json"} and path.exists() and pattern.search(path.read_text("utf-8"))
    ]
    assert not found
