"""The layout of the project: imports, folders, names, and the rules that code and tests must cite."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
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
    *(SOURCE / "core" / "picture").glob("*.py"),
    *(SOURCE / "processes").glob("*.py"),
    *GAMES.glob("*/rules.py"),
    *GAMES.glob("*/state.py"),
    *GAMES.glob("*/view.py"),
    *GAMES.glob("*/notation.py"),
    *GAMES.glob("*/picture.py"),
    *GAMES.glob("*/picture/*.py"),
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


MAX_MODULES = 15  # per folder, without __init__.py and without the web's *.test.ts


def modules(folder: Path) -> list[Path]:
    """The modules of the tree below a folder that git knows: Python, TypeScript and Svelte."""
    return [
        path
        for path in tracked()
        if folder in path.parents
        and path.suffix in {".py", ".ts", ".svelte"}
        and path.name != "__init__.py"
        and not path.name.endswith((".test.ts", ".d.ts"))
        and path.exists()
    ]


@pytest.mark.parametrize("folder", ["src", "tests", "web"])
def test_no_folder_has_too_many_modules(folder):
    counts: dict[str, int] = {}
    for path in modules(ROOT / folder):
        name = str(path.parent.relative_to(ROOT))
        counts[name] = counts.get(name, 0) + 1
    assert {name: count for name, count in counts.items() if count > MAX_MODULES} == {}


def package(path: Path) -> str:
    """The top-level package of a source file; every game is one."""
    parts = path.relative_to(SOURCE).parts
    return "/".join(parts[:2]) if parts[0] == "games" and len(parts) > 2 else parts[0] if len(parts) > 1 else ""


def duplicates(found: Iterable[tuple[str, str, str]]) -> dict[str, list[str]]:
    """The names that are defined more than once in a package, from triples of package, name and file."""
    places: dict[tuple[str, str], list[str]] = {}
    for where, name, file in found:
        places.setdefault((where, name), []).append(file)
    return {f"{where}: {name}": files for (where, name), files in sorted(places.items()) if len(files) > 1}


def sources(folder: Path) -> list[Path]:
    """The Python sources below a folder, without the games' tests."""
    return [path for path in sorted(folder.rglob("*.py")) if "tests" not in path.relative_to(folder).parts]


def test_no_class_name_is_defined_twice_in_a_package():
    classes = (
        (package(path), node.name, str(path.relative_to(SOURCE)))
        for path in sources(SOURCE)
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )
    assert duplicates(classes) == {}


def test_no_exported_type_name_is_defined_twice_in_the_web_or_in_a_games_web():
    exported = re.compile(r"^\s*export (?:abstract )?(?:interface|class|type|enum) (\w+)", re.MULTILINE)
    types = (
        (package(path) if SOURCE in path.parents else "web", name, str(path.relative_to(ROOT)))
        for path in (*modules(ROOT / "web"), *modules(GAMES))
        if path.suffix != ".py" and "tests" not in path.parts
        for name in exported.findall(path.read_text("utf-8"))
    )
    assert duplicates(types) == {}


def test_the_folders_of_the_tests_are_those_of_the_source():
    own = {"support", "campaigns", "browser", "timing"}  # what is no mirror of a package
    folders = {path.name for path in (ROOT / "tests").iterdir() if any(path.glob("*.py"))}
    assert {name for name in folders - own if not (SOURCE / name).is_dir()} == set()


OLD_WORDS = {  # in any identifier: the usual term has replaced them
    "believing", "clerk", "colleague", "desk", "door", "errand", "manners", "partner", "pen", "pulse", "rehearsing",
    "thinker", "tidying", "voices",
}  # fmt: skip
OLD_PHRASES = {"at_once"}  # in the source's identifiers
OLD_NAMES = {
    "answers",
    "closer",
    "fast",
    "keeping",
    "plain",
    "sitting",
    "telling",
    "visitors",
}  # of modules and classes


def words(identifier: str) -> list[str]:
    """The words of an identifier in snake_case or CamelCase, in lower case."""
    return re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier).lower())


def is_old(identifier: str, *, is_title: bool = False) -> bool:
    """Whether an identifier has a word that was replaced; a title is the name of a module or a class."""
    found = [word.removesuffix("s") if word.removesuffix("s") in OLD_WORDS else word for word in words(identifier)]
    return not OLD_WORDS.isdisjoint(found) or (is_title and identifier.lower() in OLD_NAMES)


def identifiers(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """The names that a module defines, and whether each is a class; tests are sentences and may use any word."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield node.name, True
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not node.name.startswith("test_"):
                yield node.name, False
        elif isinstance(node, ast.arg):
            yield node.arg, False
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, False
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, False


def test_no_identifier_uses_a_word_that_was_replaced():
    python = [path for name in ("src", "tests", "bench", "examples") for path in (ROOT / name).rglob("*.py")]
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted(python)
        for name, is_class in identifiers(ast.parse(path.read_text("utf-8")))
        if is_old(name, is_title=is_class) or (SOURCE in path.parents and any(phrase in name for phrase in OLD_PHRASES))
    ]
    assert sorted(set(found)) == []


def test_no_module_is_named_by_a_word_that_was_replaced():
    listed = (*modules(ROOT / "src"), *modules(ROOT / "tests"), *modules(ROOT / "web"), *modules(ROOT / "bench"))
    named = {path.relative_to(ROOT) for path in listed if not path.name.startswith("test_")}
    assert [
        str(path) for path in sorted(named) if any(is_old(part.split(".")[0], is_title=True) for part in path.parts)
    ] == []
