"""Every message, rendered with a sweep of numbers, names and colours: plurals, elision, spaces and quotation marks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import pytest

from spieltisch.i18n.format import LANGUAGES, Cases, Pattern, parse
from tests.i18n.sweep import Rendered, page, rendered, sources, texts

QUOTES: Final = {"de": "„“‚‘", "en": "“”‘’", "fr": "«»", "it": "«»", "nl": "‘’", "es": "«»"}
ALL_QUOTES: Final = '„“”‚‘«»"'
MORE_THAN_ONE: Final = {
    *(
        "match.games",
        "picture.several",
        "play.match",
        "collapses.name",
        "collapses.you",
        "ending.collapse",
        "turn.deal",
    ),
    *("arena.decided", "replay.long", "table.wait_first", "setup.seconds", "bag.few"),  # limits
    *("bot.overtime", "simulate.seat", "simulate.speed", "stats.length", "stats.place", "stats.worth"),
    *("train.match", "train.state"),  # decimals, and large numbers
}  # what they count is never exactly one
NEVER_NONE: Final = {
    *("check.damaged", "match.wins.name", "match.wins.you", "wins.by.name", "wins.by.you"),
    *("reason.alone", "reason.most", "reason.fields", "reason.turn", "firm.tremor", "fell.all", "fell.some"),
    *("stone.coloured", "stone.natural", "loads.stone", "field.up", "prompt.stone", "lesson.take"),
    *("hue.B", "hue.G", "hue.P", "hue.R", "hue.Y", "turn.bridge", "turn.lays.name", "turn.lays.you"),
    *("link.unsent", "setup.games_number", "why.climb", "why.settled"),
}  # what they count is at least one
NOT_NOUNS: Final = {
    "de": {"zählen", "beginnt"},
    "en": {"are", "at", "begins", "each"},
    "fr": {"chacun", "ont"},
    "it": {"l"},
    "nl": {"plaatsen", "zetten", "zijn"},
    "es": {"cada"},
}  # words after a number that do not belong to it
COLUMNS: Final = {"arena.row", "simulate.seat"}  # two spaces separate their columns
NUMBER_SIGNS: Final = {"label.letters"}  # where # is the sign of a cube
ELISION: Final = {
    "en": r"\ba (?=[aeio])(?!one\b)|\ban (?=[^aeioulfhmnrsx“8])",
    "fr": r"\b(?:[dD]e|[qQ]ue|[lL][ae]|[nN]e|[sS]e|[mM]e|[tT]e|[jJ]e|[jJ]usque|[lL]orsque) (?=[aeiouyàâéèêëîïôûAEIOÀÂÉÈÊÎÔ])",
    "it": r"\b(?:[lL]a|[uU]na|(?:[dn]e|a|da|su)ll[oa]) (?=[aeiouàèéìòù]\w)(?!oppure)|\bun’(?=[bcdfgmpst])",
    "es": r"\by (?=h?[ií](?!e))|\bo (?=h?[oó])|\b[ae] el ",
    "nl": r"\bde (?:veld|fundament|plankje|apparaat)\b",
    "de": r"\b(?:von|zu|in) dem [A-ZÄÖÜ]",
}  # what must be contracted, or have another article

AVOIDED: Final = {
    "de": r"\b(?:Jeton|Plättchen|Bauteil|Pöppel|Spielerinnen)",
    "en": r"\b(?:[cC]olor|[gG]ray|[cC]enter)|(?<![tT]here) is no (?!longer)",
    "fr": r"\bmauve|\bédifice|\b[vV]euillez\b",
    "it": r"\bE’|\bpedin[ae]|\bpietr[ae]",
    "nl": r"\b(?:[uU]|[uU]w)\b|\b[bB]lok",
    "es": r"\b[cC]og(?:er|es?|id[oa]s?)\b|\b[oO]rdenador|\b[cC]omputadora|\bsólo\b|[áé]is\b",
}  # other words for the same thing, other forms of address


def wrong(found: Iterator[Rendered]) -> list[str]:
    return sorted({f"{one.source} {one.key}: {one.text}" for one in found})


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_placeholder_is_filled(language):
    assert not wrong(
        one for one in rendered(language) if re.search(r"[{}]" if one.key in NUMBER_SIGNS else r"[{}#]", one.text)
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_space_is_doubled_or_stands_before_a_comma_or_full_stop(language):
    bad = re.compile(r"[ \u00a0\u202f]{2}| [,.)](?!\S)|\( |,,|\.\.")
    assert not wrong(one for one in rendered(language) if one.key not in COLUMNS and bad.search(one.text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_dots_follow_a_space_in_german_only(language):
    bad = re.compile(r"(?<=[^\s/])…" if language == "de" else r"(?<!Bearer)\s…")
    assert not wrong(one for one in rendered(language) if bad.search(one.text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotation_marks_are_those_of_the_language_and_come_in_pairs(language):
    others = set(ALL_QUOTES) - set(QUOTES[language])
    opening, closing = QUOTES[language][:2]

    def unpaired(text: str) -> bool:
        closed = text.replace("’s ", "s ") if language == "nl" else text
        return text.count(opening) != closed.count(closing) if opening != "‘" else closed.count("‘") > closed.count("’")

    assert not wrong(one for one in rendered(language) if others & set(one.text) or unpaired(one.text))


def test_french_double_signs_follow_a_narrow_space():
    bad = re.compile(r"[^\s\u00a0\u202f][;!?](?=\s|$)| [;:!?»]|« |[^\u00a0\u202f]»|«[^\u00a0\u202f]|[^\u00a0]:(?=\s|$)")
    code = re.compile(r"«\u202f[^»]*\u202f»|(?:^| )[?-](?= )", re.MULTILINE)  # quoted, or to be typed
    assert not wrong(one for one in rendered("fr") if bad.search(code.sub("", one.text)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_contracted_before_every_name_and_noun(language):
    bad = re.compile(ELISION[language])
    assert not wrong(one for one in rendered(language) if bad.search(one.text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_thing_has_one_word_and_people_are_addressed_in_one_way(language):
    bad = re.compile(AVOIDED[language])
    assert not wrong(one for one in rendered(language) if bad.search(one.text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_leaves_the_board_of_a_phone_free(language):
    """Four lines of a phone, five at most: a lesson lies over the board."""
    assert not wrong(one for one in rendered(language) if one.key.startswith("lesson.") and len(one.text) > 150)


def counted(parts: Pattern, label: str) -> Iterator[Pattern]:
    for part in parts.parts:
        if isinstance(part, Cases):
            for name, case in part.parts.items():
                if part.kind == "plural" and name == label:
                    yield case
                yield from counted(case, label)


def cases_of(language: str, label: str) -> Iterator[Pattern]:
    """All cases of that label, in every catalogue."""
    for source in sources():
        for entry in source.entries[language].values():
            for text in texts(entry).values():
                yield from counted(parse(text), label)


def plural_words(language: str) -> set[str]:
    """The words that directly follow a number greater than one, and never a one."""
    after = (
        re.match(r"[ \u00a0](\w+)", word)
        for case in cases_of(language, "other")
        for number, word in pairwise(case.parts)
        if not isinstance(number, str) and isinstance(word, str)
    )
    singular = {
        word
        for case in cases_of(language, "one")
        for part in case.parts
        if isinstance(part, str)
        for word in re.findall(r"\w+", part)
    }
    return {found[1] for found in after if found} - singular


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_of_something_is_never_said_in_the_plural(language):
    plurals = plural_words(language) - NOT_NOUNS[language]
    assert len(plurals) > 20
    bad = re.compile(r"\b1[ \u00a0](" + "|".join(sorted(plurals)) + r")\b")
    assert not wrong(one for one in rendered(language) if one.key not in MORE_THAN_ONE and bad.search(one.text))


def test_french_says_none_where_its_singular_would_say_one():
    """In French zero is singular: a case that spells out the one must not be said of none."""
    found = []
    for source in sources():
        for key, entry in source.entries["fr"].items():
            for text in texts(entry).values() if key not in NEVER_NONE else ():
                found += [f"{source.name} {key}: {part.name}" for part in spelled_out(parse(text))]
    assert not found


def spelled_out(parts: Pattern) -> Iterator[Cases]:
    for part in parts.parts:
        if isinstance(part, Cases):
            if part.kind == "plural" and "one" in part.parts and "=0" not in part.parts:
                case = part.parts["one"]
                if not any(not isinstance(one, str) and one.name == part.name for one in case.parts):
                    yield part
            for case in part.parts.values():
                yield from spelled_out(case)


def test_the_page_shows_every_message_in_every_language():
    written = page()
    for source in sources():
        assert f"<h2>{source.name}</h2>" in written
    assert written.count("<tr><th>") >= sum(len(source.entries["en"]) for source in sources())
