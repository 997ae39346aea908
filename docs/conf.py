"""Settings of the documentation's web site, which `make docs` builds with Sphinx.

The pages are the Markdown files of the repository where they are; a new page in one of the folders is found by itself.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from spieltisch import __version__

project: Final = "Spieltisch"
copyright: Final = "2026, The Spieltisch authors"  # noqa: A001 - Sphinx' name for it
release: Final = __version__
root_doc: Final = "README"
extensions: Final = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
include_patterns: Final = ["*.md", "docs/**", "src/spieltisch/games/*/RULES.md", "src/spieltisch/games/*/locales/*.md"]
exclude_patterns: Final = [".*", "dist", "node_modules"]

html_theme: Final = "furo"
html_title: Final = f"Spieltisch {__version__}"
html_copy_source: Final = False
html_show_sourcelink: Final = False

myst_heading_anchors: Final = 4
suppress_warnings: Final = ["misc.highlighting_failure"]  # console sessions with continuation lines
default_role: Final = "code"  # docstrings mark names with single backquotes
toc_object_entries: Final = False  # the menu lists pages
autodoc_member_order: Final = "bysource"
autodoc_typehints: Final = "signature"
autodoc_mock_imports: Final = ["numpy"]  # imported by a module of gameplay, and not needed to read it
autodoc_default_options: Final = {"members": True}

LANGUAGES: Final = {"de": "Deutsch", "es": "Español", "fr": "Français", "it": "Italiano", "nl": "Nederlands"}
TREE: Final = Path(__file__).parents[1]
TRANSLATIONS: Final = tuple(
    f"{page.read_text(encoding='utf-8').splitlines()[0].strip('# ')}, {LANGUAGES[page.stem]} <{page.relative_to(TREE)}>"
    for page in sorted(TREE.glob("src/spieltisch/games/*/locales/*.md"))
    if page.stem in LANGUAGES
)
MENU: Final = {  # the pages of every part, as patterns below the repository
    "Start": ("docs/reference/install", "docs/reference/python", "docs/reference/stability"),
    "Rules": ("src/spieltisch/games/*/locales/en", "src/spieltisch/games/*/RULES"),
    "Tutorials": ("docs/tutorials/*",),
    "Reference": ("docs/reference/*",),
    "Python modules": ("docs/modules/spieltisch", "docs/modules/*"),
    "Decisions": ("docs/decisions/*",),
    "Project": ("ARCHITECTURE", "CONTRIBUTING", "CHANGELOG"),
    "Rules in other languages": TRANSLATIONS,
}
REMOTE: Final = re.compile(
    r"""\ssrc=["']?(?:https?:)?//|<link\b[^>]*\shref=["']?(?:https?:)?//|url\(["']?(?:https?:)?//|@import"""
)
REDIRECT: Final = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=README.html">\n'


def setup(app: Sphinx) -> None:
    """Adds the menu to the home page and an index page that leads to it, and checks that the site works offline."""
    app.connect("source-read", add_menu)
    app.connect("build-finished", finish)


def add_menu(_: Sphinx, page: str, source: list[str]) -> None:
    """Adds the menu to the README, which hosts of repositories show without it."""
    if page == root_doc:
        parts = (
            "\n".join(
                ("```{toctree}", ":hidden:", ":glob:", ":titlesonly:", f":caption: {caption}", "", *patterns, "```")
            )
            for caption, patterns in MENU.items()
        )
        source[0] = "\n\n".join((source[0], *parts))


def finish(app: Sphinx, failed: Exception | None) -> None:
    """Writes index.html, which leads to the home page; refuses a site that loads something from another host."""
    if failed is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    (site / "index.html").write_text(REDIRECT, encoding="utf-8")
    loading = [str(path.relative_to(site)) for path in site.rglob("*") if loads_remotely(path)]
    if loading:
        raise ExtensionError(f"These files load something from another host: {', '.join(sorted(loading))}")


def loads_remotely(path: Path) -> bool:
    """Whether a page or a stylesheet loads scripts, styles, fonts or pictures from another host; links may lead there."""
    if path.suffix not in {".css", ".html"}:
        return False
    return REMOTE.search(path.read_text(encoding="utf-8")) is not None
