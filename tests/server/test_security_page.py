"""The security page names a test for every item, and each of these tests exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def names_of_tests(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {one.name for one in tree.body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")}


def test_every_test_named_on_the_security_page_exists():
    page = (ROOT / "docs/reference/security.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests|src)/[\w/]+\.py)::(test_\w+)`", page)
    assert len(named) > 40
    for file, test in named:
        assert test in names_of_tests(ROOT / file), f"{file}::{test}"
    rows = [line for line in page.splitlines() if re.match(r"\| \d+\.\d+", line)]
    assert len(rows) > 40
    assert all("::test_" in row for row in rows)
