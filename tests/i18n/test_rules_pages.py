"""The rules for people say everything that the numbered rules say, in every language, with figures that the rules can reach."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import pytest

from spieltisch import registry
from spieltisch.i18n.format import LANGUAGES
from tests.i18n.figures import figure_file, figures, render

EACH_GAME = pytest.mark.parametrize("name", registry.names())
EACH_PAGE = pytest.mark.parametrize(
    ("name", "language"), [(name, language) for name in registry.names() for language in LANGUAGES]
)
SHORTEST = 20  # letters of a passage that says a rule


class Passage(NamedTuple):
    """A paragraph, a heading, a list item or a figure of a page: what it is, its words, and its comment."""

    kind: str
    words: str
    comment: str


def passages(name: str, language: str) -> list[Passage]:
    """The passages of a page in order."""
    page = registry.rules_page(registry.find(name), language, annotated=True)
    found = re.findall(r"^(#+ |- |\d\. |\||)([^\n]*?) ?(?:<!-- (.*) -->)?$", page, re.MULTILINE)
    return [Passage(kind.strip(), words, comment) for kind, words, comment in found if words or comment]


def rules_of(passage: Passage) -> set[str]:
    return set(re.findall(r"\bR\d+\b", passage.comment))


@EACH_PAGE
def test_every_numbered_rule_is_said_in_every_language(name, language):
    numbered = set(re.findall(r"^- (R\d+) ", registry.numbered_rules(registry.find(name)), re.MULTILINE))
    said = [passage for passage in passages(name, language) if rules_of(passage)]
    assert numbered == set().union(*map(rules_of, said))
    assert [passage for passage in said if len(passage.words) < SHORTEST] == []


@EACH_PAGE
def test_the_pages_of_a_game_have_the_same_passages(name, language):
    ours, english = ([(passage.kind, passage.comment) for passage in passages(name, each)] for each in (language, "en"))
    assert ours == english


@EACH_PAGE
def test_what_people_read_has_no_comments(name, language):
    page = registry.rules_page(registry.find(name), language)
    assert "<!--" not in page
    assert "\n\n\n" not in page
    assert not re.search(r" $", page, re.MULTILINE)


@EACH_GAME
def test_the_numbers_that_refusals_cite_are_shown_on_request(name):
    game = registry.find(name)
    numbered = re.findall(r"^- (R\d+) ", registry.numbered_rules(game), re.MULTILINE)
    shown = re.findall(r"\[(R[^\]]*)\]", registry.rules_page(game, "it", numbers=True))
    assert set(numbered) == {rule for rules in shown for rule in rules.split()}


@EACH_GAME
def test_every_figure_is_a_position_that_the_rules_reach(name):
    game = registry.find(name)
    reached = figures(game)
    named = [passage.comment for passage in passages(name, "en") if passage.comment.startswith("figure: ")]
    assert named == [f"figure: {figure}" for figure in reached]
    if reached:
        drawn = figure_file(game).read_text(encoding="utf-8")
        assert json.loads(drawn) == reached, "python -m tests.i18n.figures writes it again"
        assert drawn == render(reached)
