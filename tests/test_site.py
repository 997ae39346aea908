"""The documentation's web site, and the citation file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

import spieltisch

ROOT = Path(__file__).parent.parent


def build(source: Path, out: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs Sphinx with the settings of the documentation."""
    command = [sys.executable, "-m", "sphinx", "-q", "-c", str(ROOT / "docs"), *options, str(source), str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_every_link_and_anchor_of_the_documentation_leads_somewhere(tmp_path):
    ran = build(ROOT, tmp_path, "-b", "dummy", "-W", "--keep-going")  # reads and resolves everything, writes no pages
    assert ran.stderr == ""
    assert ran.returncode == 0


@pytest.fixture
def small(tmp_path):
    """A site of two pages."""
    (tmp_path / "docs" / "reference").mkdir(parents=True)
    (tmp_path / "README.md").write_text("# Home\n\n[Elsewhere](https://example.org)\n", encoding="utf-8")
    (tmp_path / "docs" / "reference" / "tower.md").write_text("# Tower\n\nIt stands firmly.\n", encoding="utf-8")
    return tmp_path


def test_the_site_loads_nothing_from_other_hosts_and_can_be_searched(small, tmp_path):
    ran = build(small, tmp_path / "site", "-b", "html")
    assert ran.returncode == 0, ran.stderr
    assert "README.html" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "docs/reference/tower.html" in (tmp_path / "site" / "README.html").read_text(encoding="utf-8")
    assert "firm" in (tmp_path / "site" / "searchindex.js").read_text(encoding="utf-8")


def test_a_page_that_loads_a_picture_from_another_host_is_refused(small, tmp_path):
    page = small / "docs" / "reference" / "tower.md"
    page.write_text("# Tower\n\n![a tower](https://example.org/tower.png)\n", encoding="utf-8")
    ran = build(small, tmp_path / "site", "-b", "html")
    assert ran.returncode != 0
    assert "These files load something from another host: docs/reference/tower.html" in ran.stderr


def test_the_reference_covers_the_contract():
    pages = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "modules").glob("*.rst"))
    named = {line.split(":: ")[1] for line in pages.splitlines() if line.startswith(".. automodule::")}
    assert {"spieltisch", "spieltisch.core.game", "spieltisch.core.player", "spieltisch.core.twin"} <= named
    assert {"spieltisch.records", "spieltisch.gameplay.referee", "spieltisch.table.state"} <= named


CITATION = {  # the fields of Citation File Format 1.2.0 that are used here
    "type": "object",
    "required": ["cff-version", "message", "title", "authors"],
    "additionalProperties": False,
    "properties": {
        "cff-version": {"const": "1.2.0"},
        "message": {"type": "string", "minLength": 1},
        "type": {"enum": ["software", "dataset"]},
        "title": {"type": "string", "minLength": 1},
        "abstract": {"type": "string", "minLength": 1},
        "authors": {
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {
                "type": "object",
                "required": ["name"],
                "additionalProperties": False,
                "properties": {"name": {"type": "string", "minLength": 1}},
            },
        },
        "version": {"type": "string", "minLength": 1},
        "license": {"const": "MIT"},
        "keywords": {"type": "array", "minItems": 1, "uniqueItems": True, "items": {"type": "string"}},
        "repository-code": {"type": "string", "pattern": "^https://"},
    },
}


def test_the_citation_file_is_valid_and_names_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert list(Draft202012Validator(CITATION).iter_errors(citation)) == []
    assert citation["version"] == spieltisch.__version__
