"""The web's catalogues in six languages, of the shell and the games: complete, with the same arguments, all used."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from spieltisch.i18n.format import LANGUAGES, parse
from tests.i18n.test_catalogues import arguments

ROOT = Path(__file__).parents[2]
GAMES = sorted(ROOT.glob("src/spieltisch/games/*/web/locales"))
PLACES = [ROOT / "web", *(folder.parent for folder in GAMES)]
SAID = re.compile(r'\bsay\(\s*"([^"]+)"(?:,\s*\{([^{}]*)\},?)?\s*\)')
SAID_BY_PREFIX = re.compile(r"\bsay\(\s*`([a-z_.]+)\$\{")
ANY_KEY = re.compile(r'\bsay\(\s*"([^"]+)"')


pytestmark = pytest.mark.parametrize("place", PLACES, ids=lambda place: str(place.relative_to(ROOT)))


def file(place: Path, language: str) -> Path:
    return place / "locales" / f"{language}.json"


@cache
def words(place: Path, language: str) -> dict[str, str]:
    entries: dict[str, str] = json.loads(file(place, language).read_text(encoding="utf-8"))
    return entries


@cache
def sources(place: Path) -> dict[str, str]:
    paths = [path for ending in ("svelte", "ts") for path in place.rglob(f"*.{ending}") if ".test." not in path.name]
    return {str(path.relative_to(place)): path.read_text(encoding="utf-8") for path in paths}


def given(inside: str) -> set[str]:
    """The names in an object literal: what stands first in each part between commas outside brackets."""
    nested = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
    while nested.search(inside):
        inside = nested.sub("", inside)
    return {part.split(":")[0].strip() for part in inside.split(",") if part.strip()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_keys(place, language):
    assert words(place, language).keys() == words(place, "en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_entries_are_sorted_and_one_per_line_for_readable_diffs(place, language):
    entries = words(place, language)
    lines = [f"  {json.dumps(key)}: {json.dumps(entries[key], ensure_ascii=False)}" for key in sorted(entries)]
    assert file(place, language).read_text(encoding="utf-8") == "{\n" + ",\n".join(lines) + "\n}\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_can_be_parsed(place, language):
    for text in words(place, language).values():
        assert parse(text).parts


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_takes_the_same_arguments_as_in_english(place, language):
    for key, text in words(place, language).items():
        assert arguments(text) == arguments(words(place, "en")[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_typewriter_quotes(place, language):
    for key, text in words(place, language).items():
        assert not re.search(r"[\"'`]", text), (key, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_dots_are_one_sign_with_a_space_before_them_in_german_only(place, language):
    for key, text in words(place, language).items():
        assert not re.search(r"[^ ]…|\.\." if language == "de" else r"\s…|\.\.", text), (key, text)


def test_french_spaces_stand_before_double_signs(place):
    for key, text in words(place, "fr").items():
        assert not re.search(r"(?<!\u202f)[;!?»]|«(?!\u202f)|(?<!\u00a0):", text), (key, text)


def test_spanish_questions_and_exclamations_are_opened(place):
    for key, text in words(place, "es").items():
        assert (text.count("¿"), text.count("¡")) == (text.count("?"), text.count("!")), (key, text)


def test_every_entry_is_used_in_the_web(place):
    web = "".join(sources(place).values())
    said, prefixes = set(ANY_KEY.findall(web)), tuple(SAID_BY_PREFIX.findall(web))
    assert [key for key in words(place, "en") if key not in said and not key.startswith(prefixes)] == []


def test_every_key_in_the_web_is_in_the_catalogue(place):
    assert len(sources(place)) > 5
    for name, source in sources(place).items():
        assert set(ANY_KEY.findall(source)) <= words(place, "en").keys(), name
        for prefix in SAID_BY_PREFIX.findall(source):
            assert any(key.startswith(prefix) for key in words(place, "en")), (name, prefix)


def test_every_message_in_the_web_has_exactly_its_arguments(place):
    for name, source in sources(place).items():
        found = SAID.findall(source)
        assert len(found) == len(ANY_KEY.findall(source)), name
        for key, inside in found:
            assert given(inside) == arguments(words(place, "en")[key]), (name, key)
