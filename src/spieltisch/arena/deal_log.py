"""Append-only log of deals: one JSON line per deal, so that a run can be killed at any moment and resumed later."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from io import FileIO
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from spieltisch.arena.config import Config
from spieltisch.core.files import lock_exclusively, write_durably
from spieltisch.core.game import Refusal, brief
from spieltisch.i18n.message import message_factory

_say = message_factory("")
_FLAGS: Final = {"players": "size", "entrants": "players"}  # fields that have other names on the command line


class Numbered(Protocol):
    """A deal of any kind."""

    @property
    def number(self) -> int: ...


D = TypeVar("D", bound=Numbered)


class BadDealLog(Refusal):
    """A folder whose log cannot be used for this run."""

    code: ClassVar[str] = "bad-store"


class DealLog(ABC, Generic[D]):
    """A JSON Lines file: the config in the first line, then the deals in the order in which they finished."""

    file_name: ClassVar[str]
    format: ClassVar[str]  # the format's name in the first line

    def __init__(self, folder: Path) -> None:
        self.path = folder / self.file_name
        self.deals = 0  # how many are in the file
        self._file: FileIO | None = None
        self._config: Config | None = None

    @abstractmethod
    def encode(self, config: Config, deal: D) -> dict[str, Any]:
        """The JSON object of a deal."""

    @abstractmethod
    def decode(self, config: Config, line: dict[str, Any]) -> D:
        """The deal of a JSON object; KeyError, TypeError or ValueError if it holds none."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def open(self, config: Config) -> dict[int, D]:
        """Opens the log and returns its deals; BadDealLog if they belong to another config or the file is in use."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._config = config
        self._file = self.path.open("a+b", buffering=0)
        if not lock_exclusively(self._file):
            raise BadDealLog(_say("arena.busy", file=str(self.path)))
        self._file.seek(0)
        lines = self._file.readall().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            del lines[-1]  # torn by a crash
        if not lines:
            self._file.truncate(0)
            self._write({"format": self.format, **_header(config)})
            return {}
        self._check_header(config, lines[0])
        decoded = (self._decode_line(config, lines, index) for index in range(1, len(lines)))
        complete = [deal for deal in decoded if deal is not None]
        self._file.truncate(sum(map(len, lines[: len(complete) + 1])))
        deals = {deal.number: deal for deal in complete}
        self.deals = len(deals)
        return deals

    def add(self, deal: D) -> None:
        """Appends a deal; it is on disk when this returns."""
        assert self._config is not None
        self._write(self.encode(self._config, deal))
        self.deals += 1

    def _write(self, line: dict[str, Any]) -> None:
        assert self._file is not None
        write_durably(self._file, json.dumps(line, ensure_ascii=False).encode() + b"\n")

    def _check_header(self, config: Config, line: bytes) -> None:
        there, here = _parse(line), {"format": self.format, **_header(config)}
        if there.get("format") != self.format:
            raise BadDealLog(_say("arena.line", file=str(self.path), line=1))
        differing = tuple(
            _say("arena.differs", field=_FLAGS.get(field, field), there=_brief(there.get(field)), here=_brief(value))
            for field, value in here.items()
            if there.get(field) != value
        )
        if differing:
            raise BadDealLog(_say("arena.other", file=str(self.path), differing=differing))

    def _decode_line(self, config: Config, lines: list[bytes], index: int) -> D | None:
        """The deal in a line; None for a last line that is incomplete."""
        try:
            return self.decode(config, _parse(lines[index]))
        except (KeyError, TypeError, ValueError):
            if index == len(lines) - 1:
                return None
            raise BadDealLog(_say("arena.line", file=str(self.path), line=index + 1)) from None


def _header(config: Config) -> dict[str, Any]:
    """The config as the first line holds it, with every option by its name."""
    header = {
        **config._asdict(),
        "options": dict(config.options),
        "entrants": list(config.entrants),
        "code": list(config.code),
    }
    if not config.clock:  # as in logs from before there were clocks
        del header["clock"]
    return header


def _parse(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; an empty one if there is none."""
    try:
        parsed = json.loads(line)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _brief(value: object) -> str:
    return brief(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
