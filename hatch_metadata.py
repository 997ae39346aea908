"""Metadata hook of both distributions: the README without relative links, the project's URLs, and what `spieltisch` requires.

`spieltisch-core` is the package, with everything but the rules, the players and the terminal as extras. `spieltisch` has
no files of its own: it requires `spieltisch-core` of the same version with the extras that play in the browser needs.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final

from hatchling.metadata.plugin.interface import MetadataHookInterface

CORE: Final = "spieltisch-core"
DEFAULT_EXTRAS: Final = ("serve", "statics")  # of `pip install spieltisch`
_LINK: Final = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)")


class MetadataHook(MetadataHookInterface):
    """Hatchling hook that fills in the dynamic metadata."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Adds the fields that the project declares as dynamic; the tree is where the README and the package are."""
        tree = Path(self.root, self.config.get("tree", "."))
        with (tree / "pyproject.toml").open("rb") as file:
            core = tomllib.load(file)
        version = read_version(tree)
        repository = core["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
        text = (tree / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": resolve_links(text, repository, version)}
        if repository:
            metadata["urls"] = urls(repository, version)
        if metadata["name"] == CORE:
            return
        for field in ("authors", "classifiers", "description", "keywords", "license", "requires-python"):
            metadata[field] = core["project"][field]
        metadata["version"] = version
        metadata["dependencies"] = [f"{CORE}[{','.join(DEFAULT_EXTRAS)}]=={version}"]
        extras = core["project"]["optional-dependencies"]
        metadata["optional-dependencies"] = {extra: [f"{CORE}[{extra}]=={version}"] for extra in extras}


def read_version(tree: Path) -> str:
    """The version, from the package's source."""
    found = re.search(r'^__version__ = "(.+)"$', (tree / "src/spieltisch/__init__.py").read_text("utf-8"), re.MULTILINE)
    assert found
    return found[1]


def resolve_links(text: str, repository: str, version: str) -> str:
    """Markdown whose relative links are absolute; without a public repository, only their text is kept."""

    def resolve(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        if not repository:
            return f"*{words}*" if picture else words
        return f"{picture}[{words}]({repository}/{'raw' if picture else 'blob'}/v{version}/{target})"

    return _LINK.sub(resolve, text)


def urls(repository: str, version: str) -> dict[str, str]:
    """The project's URLs, in the order in which an index lists them."""
    return {
        "Homepage": repository,
        "Documentation": f"{repository}/tree/v{version}/docs",
        "Source": repository,
        "Issues": f"{repository}/issues",
        "Changelog": f"{repository}/blob/v{version}/CHANGELOG.md",
    }
