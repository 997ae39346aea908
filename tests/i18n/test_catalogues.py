"""The catalogues of six languages: complete, with the same arguments, and with every message in the code."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import spieltisch
from spieltisch import registry
from spieltisch.i18n.format import LANGUAGES, catalogue, parse, placeholders

SOURCE = Path(spieltisch.__file__).parent
SCOPES = ["", *registry.names()]
PERSONS = ("you", "name", "names")


def folder(scope: str) -> Path:
    return SOURCE / "games" / scope if scope else SOURCE / "i18n"


def texts(entry) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def arguments(entry) -> set[str]:
    return {placeholder.name for text in texts(entry) for placeholder in placeholders(parse(text))}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scope", SCOPES)
def test_every_language_has_the_same_keys(scope, language):
    assert catalogue(scope, language).keys() == catalogue(scope, "en").keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scope", SCOPES)
def test_every_entry_takes_the_same_arguments_as_in_english(scope, language):
    english = catalogue(scope, "en")
    wrong = {
        key: arguments(entry) ^ arguments(english[key])
        for key, entry in catalogue(scope, language).items()
        if isinstance(entry, str) and arguments(entry) != arguments(english[key])
    }
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scope", SCOPES)
def test_entries_are_sorted_and_one_per_line_for_readable_diffs(scope, language):
    path = folder(scope) / "locales" / f"{language}.json"
    entries = json.loads(path.read_text(encoding="utf-8"))
    lines = [f"  {json.dumps(key)}: {json.dumps(entries[key], ensure_ascii=False)}" for key in sorted(entries)]
    assert path.read_text(encoding="utf-8") == "{\n" + ",\n".join(lines) + "\n}\n"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scope", SCOPES)
def test_phrases_of_a_family_have_the_same_forms_and_all_that_sentences_refer_to(scope, language):
    entries = catalogue(scope, language)
    families: dict[str, set[frozenset[str]]] = {}
    for key, entry in entries.items():
        if not isinstance(entry, str):
            families.setdefault(key.split(".")[0], set()).add(frozenset(entry))
    assert all(len(forms) == 1 for forms in families.values()), families
    there = {form for forms in families.values() for form in next(iter(forms))}
    asked = {
        placeholder.form
        for entry in entries.values()
        for text in texts(entry)
        for placeholder in placeholders(parse(text))
    } - {None}
    assert asked <= there


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", registry.names())
def test_every_game_has_a_rules_page_in_every_language(name, language):
    page = registry.rules_page(registry.find(name), language)
    assert page.startswith("# ")
    if language != "en":
        assert page != registry.rules_page(registry.find(name), "en")


TYPED = {
    "play.help",
    "play.help_hint",
    "play.more",
    "play.back_to_headings",
}  # here a question mark is something to type


@pytest.mark.parametrize("scope", SCOPES)
def test_french_spaces_stand_before_double_signs(scope):
    for key, entry in catalogue(scope, "fr").items():
        for text in texts(entry) if key not in TYPED else ():
            assert not re.search(r"[^\s\u202f\u00a0][;!?](?!\S)", text), (key, text)
            assert not re.search(r" [;!?:»]|« ", text), (key, text)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scope", SCOPES)
def test_no_typewriter_quotes(scope, language):
    for key, entry in catalogue(scope, language).items():
        for text in texts(entry):
            assert '"' not in text, (key, text)
            assert "'" not in text, (key, text)


class Said(NamedTuple):
    """A message in the code."""

    where: str
    scope: str
    key: str
    arguments: frozenset[str] | None
    voiced: bool


def said_in(path: Path) -> Iterator[Said]:
    relative = path.relative_to(SOURCE)
    scope = relative.parts[1] if relative.parts[0] == "games" and len(relative.parts) > 2 else ""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        place = {"say": 0, "_say": 0, "print_message": 0, "_refuse": 1, "no": 1, "audience": 1, "together": 1}.get(
            called
        )
        if place is None or len(node.args) <= place:
            continue
        key = node.args[place]
        keys = [key.body, key.orelse] if isinstance(key, ast.IfExp) else [key]
        given = (
            None if any(word.arg is None for word in node.keywords) else frozenset(w.arg or "" for w in node.keywords)
        )
        for one in keys:
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                where = f"{relative}:{node.lineno}"
                yield Said(where, scope, one.value, given, voiced=called in ("audience", "together"))


ALL_SAID = [said for path in SOURCE.rglob("*.py") if "tests" not in path.parts for said in said_in(path)]


def test_every_message_in_the_code_is_in_the_catalogue_with_exactly_its_arguments():
    assert len(ALL_SAID) > 80
    for said in ALL_SAID:
        scope = said.scope
        entries = catalogue(scope, "en")
        keys = [said.key]
        if said.voiced:
            entries = entries if f"{said.key}.name" in entries else catalogue("", "en")
            keys = [f"{said.key}.{person}" for person in PERSONS if f"{said.key}.{person}" in entries]
            assert len(keys) >= 2, said
        for key in keys:
            assert key in entries, said
            if said.arguments is not None and isinstance(entries[key], str):
                assert arguments(entries[key]) - {"name", "names"} == said.arguments - {"name", "names"}, said
