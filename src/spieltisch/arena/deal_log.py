"""Keeps what was played in a file, one JSON line a deal, so that it can be ended at any moment and go on later."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from io import FileIO
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from spieltisch.arena.config import Terms
from spieltisch.core.game import Refusal, brief
from spieltisch.i18n.message import message_factory

_say = message_factory("")
_FLAGS: Final = {"players": "size", "entrants": "players"}  # what the command calls them


class Numbered(Protocol):
    """A deal of any kind."""

    @property
    def number(self) -> int: ...


D = TypeVar("D", bound=Numbered)


class BadStore(Refusal):
    """A folder in which this cannot be kept."""

    code: ClassVar[str] = "bad-store"


class Ledger(ABC, Generic[D]):
    """A file of a folder: the terms first, then the deals in the order in which they were finished."""

    file: ClassVar[str]
    form: ClassVar[str]  # what its first line says it is

    def __init__(self, folder: Path) -> None:
        self.path = folder / self.file
        self.kept = 0  # how many deals are in it
        self._file: FileIO | None = None
        self._terms: Terms | None = None

    @abstractmethod
    def line(self, terms: Terms, deal: D) -> dict[str, Any]:
        """What the line of a deal holds."""

    @abstractmethod
    def deal(self, terms: Terms, line: dict[str, Any]) -> D:
        """The deal in a line; KeyError, TypeError or ValueError where it holds none."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def begin(self, terms: Terms) -> dict[int, D]:
        """The deals that are there already; BadStore where they are another tournament's or somebody is at them."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._terms = terms
        self._file = self.path.open("a+b", buffering=0)
        self._keep_others_out(self._file)
        self._file.seek(0)
        lines = self._file.readall().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            del lines[-1]  # torn
        if not lines:
            self._file.truncate(0)
            self._write({"format": self.form, **_header(terms)})
            return {}
        self._compare(terms, lines[0])
        read = (self._read(terms, lines, place) for place in range(1, len(lines)))
        whole = [deal for deal in read if deal is not None]
        self._file.truncate(sum(map(len, lines[: len(whole) + 1])))
        deals = {deal.number: deal for deal in whole}
        self.kept = len(deals)
        return deals

    def add(self, deal: D) -> None:
        """Keeps one more deal: when this returns it is on the disk."""
        assert self._terms is not None
        self._write(self.line(self._terms, deal))
        self.kept += 1

    def _write(self, line: dict[str, Any]) -> None:
        assert self._file is not None
        rest = json.dumps(line, ensure_ascii=False).encode() + b"\n"
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            error.filename = str(self.path)
            raise

    def _keep_others_out(self, file: FileIO) -> None:
        try:
            import fcntl  # noqa: PLC0415 - not every system has it
        except ImportError:
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadStore(_say("arena.busy", file=str(self.path))) from None
        except OSError:
            return  # nor every disk

    def _compare(self, terms: Terms, line: bytes) -> None:
        there, here = _parsed(line), {"format": self.form, **_header(terms)}
        if there.get("format") != self.form:
            raise BadStore(_say("arena.line", file=str(self.path), line=1))
        differing = tuple(
            _say("arena.differs", field=_FLAGS.get(field, field), there=_brief(there.get(field)), here=_brief(value))
            for field, value in here.items()
            if there.get(field) != value
        )
        if differing:
            raise BadStore(_say("arena.other", file=str(self.path), differing=differing))

    def _read(self, terms: Terms, lines: list[bytes], place: int) -> D | None:
        """The deal in a line; None for a last line that was not written whole."""
        try:
            return self.deal(terms, _parsed(lines[place]))
        except (KeyError, TypeError, ValueError):
            if place == len(lines) - 1:
                return None
            raise BadStore(_say("arena.line", file=str(self.path), line=place + 1)) from None


def _header(terms: Terms) -> dict[str, Any]:
    """The terms as they stand in the first line, every option by its name."""
    return {
        **terms._asdict(),
        "options": dict(terms.options),
        "entrants": list(terms.entrants),
        "code": list(terms.code),
    }


def _parsed(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; an empty one where there is none."""
    try:
        parsed = json.loads(line)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _brief(value: object) -> str:
    return brief(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
