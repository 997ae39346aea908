"""Messages as parts: plain text, and phrases that a screen can show with a symbol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from spieltisch.i18n.format import (
    Cases,
    Pattern,
    Placeholder,
    find_pattern,
    format_argument,
    select_case,
    separator,
)
from spieltisch.i18n.message import Argument, Message, Symbol


class Part(NamedTuple):
    """A part of a sentence; `symbol` is the name of a symbol of the game's board."""

    text: str
    symbol: str | None = None


def format_parts(messages: Sequence[Message], language: str) -> list[Part]:
    """The messages as one line; joined, the texts are the sentences that `format_message` makes."""
    parts: list[Part] = []
    for message in messages:
        parts += [*([Part(" ")] if parts else []), *_message(message, language, None)]
    joined: list[Part] = []
    for part in parts:
        if joined and joined[-1].symbol is None and part.symbol is None:
            joined[-1] = Part(joined[-1].text + part.text)
        elif part.text:
            joined.append(part)
    return joined


def _message(message: Message, language: str, form: str | None) -> Iterator[Part]:
    pattern, language = find_pattern(message, language, form)
    return _pattern(pattern, dict(message.arguments), language)


def _pattern(pattern: Pattern, arguments: Mapping[str, Argument], language: str) -> Iterator[Part]:
    for part in pattern.parts:
        match part:
            case str():
                yield Part(part)
            case Placeholder(name, form):
                yield from _argument(arguments[name], language, form)
            case Cases(name):
                yield from _pattern(select_case(part, arguments[name], language), arguments, language)


def _argument(value: Argument, language: str, form: str | None) -> Iterator[Part]:
    if isinstance(value, Symbol):
        yield Part(format_argument(value, language, form), value.name)
    elif isinstance(value, Message):
        yield from _message(value, language, form)
    elif isinstance(value, tuple):
        texts = [format_argument(item, language, form) for item in value]
        for place, item in enumerate(value):
            yield Part(separator(language, texts, place))
            yield from _argument(item, language, form)
    else:
        yield Part(format_argument(value, language, form))
