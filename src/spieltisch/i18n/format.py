"""Message formatter: turns messages into sentences in one of six languages, in the manner of ICU's MessageFormat.

A catalogue is a JSON file `locales/<language>.json` of one scope. An entry is a sentence, or a phrase: an object with
the forms that sentences refer to by name. In a sentence
    {name}                                                    inserts an argument,
    {disc:the}                                                inserts the form `the` of an argument that is a phrase,
    {n, plural, =0 {no discs} one {a disc} other {# discs}}   selects by number: an exact case first, then CLDR's category,
    {side, select, red {…} other {…}}                         selects by string.
The web uses the same format.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from spieltisch.i18n.message import Argument, Message, Symbol

LANGUAGES: Final = ("de", "en", "fr", "it", "nl", "es")
_AND: Final = {"de": "und", "en": "and", "fr": "et", "it": "e", "nl": "en", "es": "y"}
_HERE: Final = Path(__file__).parent

Entry: TypeAlias = "str | Mapping[str, str]"


class BadSentence(ValueError):
    """A catalogue entry that cannot be parsed, or lacks a key, a form or an argument."""


class Placeholder(NamedTuple):
    """A placeholder for an argument, with the name of a form if the argument is a phrase."""

    name: str
    form: str | None


class Cases(NamedTuple):
    """Alternatives that are selected by an argument: by number (`plural`) or by string (`select`)."""

    name: str
    kind: str
    parts: Mapping[str, Pattern]


class Pattern(NamedTuple):
    """A parsed sentence."""

    parts: tuple[str | Placeholder | Cases, ...]


_TOKEN: Final = re.compile(r"[{}#]|[^{}#]+")
_OPENING: Final = re.compile(r"\s*([a-z_]+)\s*(?::\s*([a-z_]+)\s*$|,\s*(plural|select)\s*,\s*(\S+)\s*$|$)")
_CASE: Final = re.compile(r"\s*(=\d+|[a-z_]+)\s*$")


@cache
def parse(text: str) -> Pattern:
    """The parsed sentence; BadSentence if it has an error."""
    tokens = _TOKEN.findall(text)
    parts, end = _parse_until_brace(tokens, 0, text, in_plural=None)
    if end != len(tokens):
        raise BadSentence(f"an unmatched closing brace: {text!r}")
    return parts


def _parse_until_brace(tokens: Sequence[str], at: int, text: str, in_plural: str | None) -> tuple[Pattern, int]:
    parts: list[str | Placeholder | Cases] = []
    while at < len(tokens) and tokens[at] != "}":
        token = tokens[at]
        if token == "#" and in_plural is not None:
            parts.append(Placeholder(in_plural, None))
            at += 1
        elif token == "{":
            part, at = _parse_braces(tokens, at + 1, text, in_plural)
            parts.append(part)
        else:
            parts.append(token)
            at += 1
    return Pattern(tuple(parts)), at


def _parse_braces(tokens: Sequence[str], at: int, text: str, in_plural: str | None) -> tuple[Placeholder | Cases, int]:
    opening = _OPENING.match(tokens[at]) if at < len(tokens) else None
    if opening is None:
        raise BadSentence(f"a malformed placeholder: {text!r}")
    name, form, kind, case = opening.groups()
    at += 1
    if kind is None:
        if at >= len(tokens) or tokens[at] != "}":
            raise BadSentence(f"the placeholder {name} is not closed: {text!r}")
        return Placeholder(name, form), at + 1
    cases: dict[str, Pattern] = {}
    while True:
        if at >= len(tokens) or tokens[at] != "{":
            raise BadSentence(f"the case {case} of {name} has no text: {text!r}")
        cases[case], at = _parse_until_brace(tokens, at + 1, text, name if kind == "plural" else in_plural)
        if at >= len(tokens):
            raise BadSentence(f"the case {case} of {name} is not closed: {text!r}")
        at += 1
        if at < len(tokens) and tokens[at].isspace():
            at += 1
        if at < len(tokens) and tokens[at] == "}":
            break
        following = _CASE.match(tokens[at]) if at < len(tokens) else None
        if following is None:
            raise BadSentence(f"malformed text after the case {case} of {name}: {text!r}")
        case = following[1]
        at += 1
    if "other" not in cases:
        raise BadSentence(f"{name} has no case other: {text!r}")
    return Cases(name, kind, cases), at + 1


def placeholders(parts: Pattern) -> Iterator[Placeholder]:
    """All placeholders of a sentence, including the argument of each plural and select, without a form."""
    for part in parts.parts:
        if isinstance(part, Placeholder):
            yield part
        elif isinstance(part, Cases):
            yield Placeholder(part.name, None)
            for case in part.parts.values():
                yield from placeholders(case)


@cache
def catalogue(scope: str, language: str) -> Mapping[str, Entry]:
    """The entries of a scope in a language; empty if there is no such file."""
    folder = _HERE.parent / "games" / scope if scope else _HERE
    try:
        text = (folder / "locales" / f"{language}.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    entries: dict[str, Entry] = json.loads(text)
    return entries


def plural(language: str, number: int) -> str:
    """The CLDR plural category of a whole number, with `many` as `other`."""
    return "one" if number == 1 or (number == 0 and language == "fr") else "other"


def decimal(language: str, value: float, digits: int) -> str:
    """The number with that many digits after the language's decimal separator."""
    text = f"{value:.{digits}f}"
    return text if language == "en" else text.replace(".", ",")


def join_list(language: str, items: Sequence[str]) -> str:
    """The items as a list with the language's `and`: "Ada, Ibo und Hans"."""
    return "".join(f"{separator(language, items, place)}{item}" for place, item in enumerate(items))


def separator(language: str, items: Sequence[str], place: int) -> str:
    """What stands before an item of a list: nothing, a comma, or the language's `and`."""
    if not place:
        return ""
    if place < len(items) - 1:
        return ", "
    if language == "es" and re.match(r"h?[ií](?!e)", items[place].lower()):
        return " e "
    return f" {_AND[language]} "


def format_message(message: Message, language: str) -> str:
    """The message as a sentence, in English if the language does not have it."""
    return _render(message, language, form=None)


def format_messages(messages: Iterable[Message], language: str) -> list[str]:
    """Each message as a sentence."""
    return [format_message(message, language) for message in messages]


@lru_cache(maxsize=20_000)  # consecutive positions share most of their sentences
def _render(message: Message, language: str, form: str | None) -> str:
    pattern, language = find_pattern(message, language, form)
    return _fill(pattern, dict(message.arguments), language, message.key)


def find_pattern(message: Message, language: str, form: str | None) -> tuple[Pattern, str]:
    """The parsed sentence of a message, and its language: English if the given one does not have it."""
    entry = catalogue(message.scope, language).get(message.key)
    if entry is None:
        language = "en"
        entry = catalogue(message.scope, language).get(message.key)
    if entry is None:
        raise BadSentence(f"no catalogue of {message.scope or 'the shell'} has {message.key}")
    if not isinstance(entry, str):
        if form is None or form not in entry:
            raise BadSentence(f"{message.key} has no form {form} in {language}")
        entry = entry[form]
    return parse(entry), language


def _fill(parts: Pattern, arguments: Mapping[str, Argument], language: str, key: str) -> str:
    out: list[str] = []
    for part in parts.parts:
        if isinstance(part, str):
            out.append(part)
            continue
        if part.name not in arguments:
            raise BadSentence(f"{key} needs the argument {part.name}")
        value = arguments[part.name]
        if isinstance(part, Placeholder):
            out.append(format_argument(value, language, part.form))
        else:
            out.append(_fill(select_case(part, value, language), arguments, language, key))
    return "".join(out)


def select_case(cases: Cases, value: Argument, language: str) -> Pattern:
    """The alternative that an argument selects."""
    if cases.kind == "select" or not isinstance(value, int):
        return cases.parts.get(str(value), cases.parts["other"])
    exact = cases.parts.get(f"={value}")
    return exact or cases.parts.get(plural(language, value), cases.parts["other"])


def format_argument(value: Argument, language: str, form: str | None) -> str:
    """An argument as text, in the given form if it is a phrase."""
    if isinstance(value, Message):
        return _render(value, language, form)
    if isinstance(value, Symbol):
        return _render(value.phrase, language, form)
    if isinstance(value, tuple):
        return join_list(language, [format_argument(item, language, form) for item in value])
    return decimal(language, value, 1) if isinstance(value, float) else str(value)


def preferred_language(environment: Mapping[str, str] | None = None) -> str:
    """The language of the environment (SPIELTISCH_LANGUAGE, then the locale), else English."""
    environment = os.environ if environment is None else environment
    for name in ("SPIELTISCH_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            language = environment[name][:2].lower()
            return language if language in LANGUAGES else "en"
    return "en"
