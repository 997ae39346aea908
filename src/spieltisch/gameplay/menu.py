"""Nested menu: groups a long list of choices under headings, so that nobody has to read hundreds of lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from spieltisch.i18n.message import Message

MAX_LISTED: Final = 24


class Entry(NamedTuple):
    """One choice: its notation, and the paths of headings that lead to it."""

    text: str
    action: Any
    paths: Sequence[Sequence[Message]]


class Menu:
    """The choices, and the headings that have been opened."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = entries
        self.opened: list[Message] = []

    @property
    def visible(self) -> list[Entry]:
        """The choices below the opened headings."""
        return [entry for entry in self.entries if not self.opened or any(map(self._is_open, entry.paths))]

    @property
    def headings(self) -> list[tuple[Message, int]]:
        """The next headings with their number of choices; empty if the choices themselves can be listed."""
        depth, visible = len(self.opened), self.visible
        if len(visible) <= MAX_LISTED:
            return []
        counts: dict[Message, int] = {}
        for entry in visible:
            following = {path[depth] for path in entry.paths if self._is_open(path) and len(path) > depth}
            if not following:
                return []
            for heading in following:
                counts[heading] = counts.get(heading, 0) + 1
        order = {path[depth]: None for entry in visible for path in entry.paths if self._is_open(path)}
        return [(heading, counts[heading]) for heading in order]

    def _is_open(self, path: Sequence[Message]) -> bool:
        return list(path[: len(self.opened)]) == self.opened

    def open(self, heading: Message) -> None:
        """Opens a heading below those already open."""
        self.opened.append(heading)

    def close(self) -> bool:
        """Closes the heading that was opened last; False if none is open."""
        if self.opened:
            self.opened.pop()
            return True
        return False
