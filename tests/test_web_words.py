"""The words of the web shell in six languages: complete, with the same arguments, and all of them said somewhere."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from spieltisch.sentences import LANGUAGES, pattern
from tests.test_catalogues import arguments

WEB = Path(__file__).parents[1] / "web"
SAID = re.compile(r'\bsay\(\s*"([^"]+)"(?:,\s*\{([^{}]*)\},?)?\s*\)')
SAID_BY_PREFIX = re.compile(r"\bsay\(\s*`([a-z_.]+)\$\{")
ANY_KEY = re.compile(r'\bsay\(\s*"([^"]+)"')


def file(language: str) -> Path:
    return WEB / "locales" / f"{language}.json"


@cache
def words(language: str) -> dict[str, str]:
    entries: dict[str, str] = json.loads(file(language).read_text(encoding="utf-8"))
    return entries


@cache
def sources() -> dict[str, str]:
    paths = [path for ending in ("svelte", "ts") for path in WEB.rglob(f"*.{ending}") if ".test." not in path.name]
    return {str(path.relative_to(WEB)): path.read_text(encoding="utf-8") for path in paths}


def given(inside: str) -> set[str]:
    """The names in an object literal: what stands first in each part between commas outside brackets."""
    nested = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
    while nested.search(inside):
        inside = nested.sub("", inside)
    return {part.split(":")[0].strip() for part in inside.split(",") if part.strip()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_missing_and_none_too_many(language):
    assert words(language).keys() == words("en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_sorted_one_a_line_so_that_changes_can_be_read(language):
    entries = words(language)
    lines = [f"  {json.dumps(key)}: {json.dumps(entries[key], ensure_ascii=False)}" for key in sorted(entries)]
    assert file(language).read_text(encoding="utf-8") == "{\n" + ",\n".join(lines) + "\n}\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_can_be_read(language):
    for text in words(language).values():
        assert pattern(text).parts


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_takes_the_same_arguments_as_in_english(language):
    for key, text in words(language).items():
        assert arguments(text) == arguments(words("en")[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_typewriter_quotes(language):
    for key, text in words(language).items():
        assert not re.search(r"[\"'`]", text), (key, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_dots_are_one_sign_after_a_space(language):
    for key, text in words(language).items():
        assert not re.search(r"\S…|\.\.", text), (key, text)


def test_french_spaces_stand_before_double_signs():
    for key, text in words("fr").items():
        assert not re.search(r"(?<!\u202f)[;!?»]|«(?!\u202f)|(?<!\u00a0):", text), (key, text)


def test_spanish_questions_and_exclamations_are_opened():
    for key, text in words("es").items():
        assert (text.count("¿"), text.count("¡")) == (text.count("?"), text.count("!")), (key, text)


def test_every_word_is_said_somewhere_in_the_web():
    web = "".join(sources().values())
    said, prefixes = set(ANY_KEY.findall(web)), tuple(SAID_BY_PREFIX.findall(web))
    assert [key for key in words("en") if key not in said and not key.startswith(prefixes)] == []


def test_whatever_the_web_says_is_there():
    assert len(sources()) > 40
    for name, source in sources().items():
        assert set(ANY_KEY.findall(source)) <= words("en").keys(), name
        for prefix in SAID_BY_PREFIX.findall(source):
            assert any(key.startswith(prefix) for key in words("en")), (name, prefix)


def test_whatever_the_web_says_comes_with_just_the_arguments_it_takes():
    for name, source in sources().items():
        found = SAID.findall(source)
        assert len(found) == len(ANY_KEY.findall(source)), name
        for key, inside in found:
            assert given(inside) == arguments(words("en")[key]), (name, key)
