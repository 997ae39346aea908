"""Message sweep: every message of every catalogue, rendered in six languages with many numbers, names and colours.

As a program it writes a page to skim, .build/messages.html: one row per message, one column per language.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from spieltisch import registry
from spieltisch.i18n import format as formatter
from spieltisch.i18n.format import LANGUAGES, Cases, Entry, Pattern, Placeholder, catalogue, parse
from spieltisch.i18n.message import Argument, Message

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / ".build" / "messages.html"
ORDER: Final = ("en", "de", "fr", "it", "nl", "es")
NUMBERS: Final = (1, 2, 0, 11)
COUNTS: Final = (1, 2, 11)  # of a number that is inserted as it is
AT_LEAST_TWO: Final = {"players", "seats", "most", "fewest", "longest", "others"}  # people at a game, and limits
MOST: Final = 8  # values of an argument
NAMES: Final = ("Ada", "Ibo", "Hans", "Émile", "Konstantin-Maximilian")
TOGETHER: Final = (("Ada", "Ibo"), ("Ada",), ("Émile", "Hans", "Ada"))
TITLES: Final = ("Rondo", "Big Points", "Turmbauer")
TEXTS: Final[Mapping[str, Sequence[Argument]]] = {
    **dict.fromkeys(("name", "other", "first", "second", "player", "bot", "winner"), NAMES),
    **dict.fromkeys(("names", "bots"), TOGETHER),
    "title": TITLES,
    "near": TITLES[:1],
    "language": ("Deutsch", "Italiano"),
    **dict.fromkeys(("address", "host"), ("192.0.2.7",)),
    **dict.fromkeys(("file", "folder", "heading", "differing", "library", "module", "path"), ("evening.game",)),
    **dict.fromkeys(("given", "field", "option", "part", "key", "kind", "do", "format", "side"), ("x7",)),
    **dict.fromkeys(("reason", "told", "words", "why", "what", "thing", "line"), ("a b c",)),
    **dict.fromkeys(("code", "command", "push", "apply", "example", "extra", "move", "sum"), ("a-b",)),
    **dict.fromkeys(("known", "totals", "total", "scores", "day", "place", "difference"), ("12, 7",)),
}  # arguments that are not numbers, with what stands for them
COUNTED_IN_GAMES: Final = {"other", "first", "second"}  # names in the shell, numbers in the games
FAMILIES: Final = {"side": "towards", "sides": "towards", "bearers": "stone_of", "stones": "stone"}


class Source(NamedTuple):
    """The catalogues of one place in six languages; the web's have no scope, since the server does not send them."""

    name: str
    scope: str | None
    entries: Mapping[str, Mapping[str, Entry]]


class Rendered(NamedTuple):
    """A message with one set of arguments as a sentence."""

    source: str
    language: str
    key: str
    arguments: Mapping[str, Argument]
    text: str


class Use(NamedTuple):
    """How a pattern uses an argument: `plural`, `select` with its labels, a form of a phrase, or as it is."""

    language: str
    kind: str
    detail: str | None


@cache
def sources() -> tuple[Source, ...]:
    """All catalogues: of the shell and the games, for Python and for the web."""
    found = [
        Source(scope or "shell", scope, {one: catalogue(scope, one) for one in LANGUAGES})
        for scope in ("", *registry.names())
    ]
    for folder in [ROOT / "web", *sorted(ROOT.glob("src/spieltisch/games/*/web"))]:
        files = {one: folder / "locales" / f"{one}.json" for one in LANGUAGES}
        if files["en"].exists():
            texts = {one: json.loads(file.read_text(encoding="utf-8")) for one, file in files.items()}
            name = "web" if folder.parent == ROOT else f"{folder.parent.name} on the web"
            found.append(Source(name, None, texts))
    return tuple(found)


def texts(entry: Entry) -> Mapping[str, str]:
    """The texts of an entry by the name of the form; a sentence has one without a name."""
    return {"": entry} if isinstance(entry, str) else entry


def uses(parts: Pattern, language: str) -> Iterator[tuple[str, Use]]:
    for part in parts.parts:
        if isinstance(part, Placeholder):
            yield part.name, Use(language, "form" if part.form else "plain", part.form)
        elif isinstance(part, Cases):
            for label, case in part.parts.items():
                yield part.name, Use(language, part.kind, label)
                # the number sign of a plural is the number itself and says nothing new
                yield from ((name, use) for name, use in uses(case, language) if name != part.name)


class Sweep:
    """The values that the arguments of one source's messages are rendered with."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._uses: dict[str, dict[str, set[Use]]] = {}
        self._arguments: dict[tuple[str, int], list[dict[str, Argument]]] = {}

    def uses(self, key: str) -> dict[str, set[Use]]:
        """How all languages use the arguments of a message."""
        if key not in self._uses:
            found: dict[str, set[Use]] = {}
            for language, entries in self.source.entries.items():
                for text in texts(entries[key]).values():
                    for name, use in uses(parse(text), language):
                        found.setdefault(name, set()).add(use)
            self._uses[key] = found
        return self._uses[key]

    def arguments(self, key: str, depth: int = 0) -> list[dict[str, Argument]]:
        """Sets of arguments in which every value of every argument occurs."""
        if (key, depth) not in self._arguments:
            self._arguments[key, depth] = list(self._combine(key, depth))
        return self._arguments[key, depth]

    def _combine(self, key: str, depth: int) -> Iterator[dict[str, Argument]]:
        values = {name: self._values(key, name, depth)[:MOST] for name in sorted(self.uses(key))}
        for shift in (0, 1) if len(values) > 1 else (0,):
            for turn in range(max((len(found) for found in values.values()), default=1)):
                yield {
                    name: found[(turn + shift * place) % len(found)]
                    for place, (name, found) in enumerate(values.items())
                }

    def _values(self, key: str, name: str, depth: int) -> list[Argument]:
        kinds = self.uses(key)[name]
        if any(use.kind == "plural" for use in kinds):
            return list(NUMBERS)
        if labels := sorted({use.detail or "" for use in kinds if use.kind == "select"}):
            return list(labels)
        formed = any(use.kind == "form" for use in kinds)
        if (formed or name not in TEXTS or name in FAMILIES) and (found := self._phrases(key, name, kinds, depth)):
            return found
        if name in AT_LEAST_TWO:
            return list(COUNTS[1:])
        counted = self.source.scope and name in COUNTED_IN_GAMES
        return list(COUNTS if counted else TEXTS.get(name, COUNTS))

    def _phrases(self, key: str, name: str, kinds: set[Use], depth: int) -> list[Argument]:
        """The messages that can stand for an argument: they have all forms that are asked for, best of its own name."""
        if not self.source.scope or depth > 1:
            return []
        asked = {(use.language, use.detail) for use in kinds}
        fitting = [
            other
            for other in self.source.entries["en"]
            if other != key
            and all((form or "") in texts(self.source.entries[language][other]) for language, form in asked)
        ]
        stems = [FAMILIES[name]] if name in FAMILIES else [name, name.removesuffix("s")]
        own = [other for other in fitting if any(other == stem or other.startswith(f"{stem}.") for stem in stems)]
        formed = any(form for _, form in asked)
        chosen = own or (fitting if formed else [])
        messages: list[Argument] = [
            Message(self.source.scope, other, tuple(sorted(given.items())))
            for other in chosen
            for given in self.arguments(other, depth + 1)[:2]
        ]
        several = name.endswith("s")
        return [tuple(messages[:2]), *((one,) for one in messages)] if several and messages else messages

    def render(self, language: str) -> Iterator[Rendered]:
        """Every message of the source in one language, each sentence once."""
        for key, entry in self.source.entries[language].items():
            for text in texts(entry).values():
                seen = set()
                for given in self.arguments(key):
                    said = formatter._fill(parse(text), given, language, key)
                    if said not in seen:
                        seen.add(said)
                        yield Rendered(self.source.name, language, key, given, said)


@cache
def sweeps() -> tuple[Sweep, ...]:
    return tuple(Sweep(source) for source in sources())


@cache
def rendered(language: str) -> tuple[Rendered, ...]:
    """Every message of every catalogue in one language."""
    return tuple(one for sweep in sweeps() for one in sweep.render(language))


def page() -> str:
    """The page to skim: a table per source, with the sentences of every message side by side."""
    said: dict[tuple[str, str, str], list[str]] = {}
    for language in ORDER:
        for one in rendered(language):
            said.setdefault((one.source, one.key, language), []).append(one.text)
    head = "".join(f"<th lang={language}>{language}</th>" for language in ORDER)
    tables = []
    for source in sources():
        rows = []
        for key in source.entries["en"]:
            cells = (
                f"<td lang={language}>" + "<br>".join(escape(text) for text in said[source.name, key, language])
                for language in ORDER
            )
            rows.append(f"<tr><th>{escape(key)}</th>{''.join(cells)}")
        tables.append(f"<h2>{escape(source.name)}</h2><table><tr><th></th>{head}{''.join(rows)}</table>")
    style = (
        "body{font:14px/1.4 system-ui;margin:1rem}table{border-collapse:collapse;width:100%;table-layout:fixed}"
        "td,th{border:1px solid #ccc;padding:4px 6px;text-align:left;vertical-align:top;overflow-wrap:anywhere}"
        "tr:first-child th{position:sticky;top:0;background:#f4efe6}"
    )
    start = f"<!doctype html><html lang=en><meta charset=utf-8><title>Messages</title><style>{style}</style>"
    return f"{start}<h1>Every message in six languages</h1>{''.join(tables)}"


def main() -> None:
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE.relative_to(ROOT))


if __name__ == "__main__":
    main()
