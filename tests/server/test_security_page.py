"""The security page names a test for every item and every limit, and each test that it or the pages on load name exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def names_of_tests(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {one.name for one in tree.body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")}


def test_every_test_named_on_the_security_page_exists():
    page, *others = ((ROOT / f"docs/reference/{name}.md").read_text("utf-8") for name in ("security", "scale", "load"))
    named = re.findall(r"`((?:tests|src)/[\w/]+\.py)::(test_\w+)`", "\n".join([page, *others]))
    assert len(named) > 40
    for file, test in named:
        assert test in names_of_tests(ROOT / file), f"{file}::{test}"
    rows = [line for line in page.splitlines() if re.match(r"\| \d+\.\d+", line)]
    assert len(rows) > 40
    limits = page.partition("| what | at most |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(limits) > 20
    assert all("::test_" in row for row in [*rows, *limits])
