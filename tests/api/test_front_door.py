"""The front door: what `import spieltisch` has, what it costs, and what type checkers see of it."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import spieltisch
from tests.api import typed_api

ROOT = Path(__file__).parents[2]
PEERS = "import json, random, dataclasses, typing"
TIMED = """
import time
begun = time.process_time()
{statement}
print(time.process_time() - begun)
"""


def test_every_public_name_exists_and_is_listed():
    assert [name for name in spieltisch.__all__ if getattr(spieltisch, name, None) is None] == []
    assert sorted(spieltisch.__all__) == list(spieltisch.__all__)
    assert set(spieltisch.__all__) <= set(dir(spieltisch))
    assert spieltisch.registry.names() == spieltisch.games()
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        spieltisch.chess  # noqa: B018


def test_the_package_games_can_be_called_however_it_was_imported():
    for statement in ("import spieltisch", "import spieltisch.games.template", "from spieltisch import games"):
        code = f"{statement}\nimport spieltisch\nassert spieltisch.games() == spieltisch.registry.names()"
        subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_an_import_loads_nothing_heavy_and_costs_next_to_nothing():
    code = "import sys; before = set(sys.modules); import spieltisch; print(*(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, timeout=60, capture_output=True, text=True)
    assert set(loaded.stdout.split()) <= {"spieltisch", "__future__"}

    def cost(statement: str) -> float:
        timed = [sys.executable, "-c", TIMED.format(statement=statement)]
        return float(subprocess.run(timed, check=True, timeout=60, capture_output=True).stdout)

    pairs = [(cost("import spieltisch"), cost(PEERS)) for _ in range(5)]
    assert statistics.median(own / peers for own, peers in pairs) < 1.5


def test_type_checkers_see_exact_types(tmp_path):
    """`make check` checks the assertions of typed_api.py with mypy and pyright; here they are run."""
    typed_api.check_all(tmp_path)
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    assert "tests/api/typed_api.py" in tools["mypy"]["files"]
    assert "tests/api/typed_api.py" in tools["pyright"]["include"]
    source = Path(typed_api.__file__).read_text("utf-8")
    members = [name for name in vars(spieltisch.Match) if not name.startswith("_")]
    assert [name for name in members if f"match.{name}" not in source] == ["draw"]  # as `pop`, but for chance


def test_the_reference_documents_every_public_name():
    page = (ROOT / "docs/reference/python.md").read_text("utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    names = [name for name in spieltisch.__all__ if f"`{name}" not in page or f"spieltisch.{name}" not in code]
    assert names == []
    members = [name for name in vars(spieltisch.Match) if not name.startswith("_")]
    assert [name for name in members if not re.search(rf"\.{name}\b|`{name}\b", page)] == []
    assert [name for name in members if not getattr(spieltisch.Match, name).__doc__] == []
