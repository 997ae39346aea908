"""A long list of choices under headings, so that nobody reads hundreds of lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from spieltisch.i18n.message import Message

MOST_LISTED: Final = 24


class Entry(NamedTuple):
    """One choice: its notation, and the paths of headings that lead to it."""

    text: str
    action: Any
    paths: Sequence[Sequence[Message]]


class Menu:
    """The choices below the headings that have been opened."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.opened: list[Message] = []

    @property
    def here(self) -> list[Entry]:
        """The choices below the opened headings."""
        depth = len(self.opened)
        return [entry for entry in self.entries if not depth or any(self._leads(path) for path in entry.paths)]

    @property
    def headings(self) -> list[tuple[Message, int]]:
        """The next headings and how many choices each has; none where the choices themselves can be listed."""
        depth, here = len(self.opened), self.here
        if len(here) <= MOST_LISTED:
            return []
        found: dict[Message, int] = {}
        for entry in here:
            following = {path[depth] for path in entry.paths if self._leads(path) and len(path) > depth}
            if not following:
                return []
            for heading in following:
                found[heading] = found.get(heading, 0) + 1
        order = {path[depth]: None for entry in here for path in entry.paths if self._leads(path)}
        return [(heading, found[heading]) for heading in order]

    def _leads(self, path: Sequence[Message]) -> bool:
        return list(path[: len(self.opened)]) == self.opened

    def open(self, heading: Message) -> None:
        """Goes below a heading."""
        self.opened.append(heading)

    def close(self) -> bool:
        """Goes back above the last heading; False where none was opened."""
        if self.opened:
            self.opened.pop()
            return True
        return False
