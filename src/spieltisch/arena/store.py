"""Keeps a tournament's deals in a file, one JSON line a deal, so that it can be ended at any moment and go on later."""

from __future__ import annotations

import json
import os
from io import FileIO
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from spieltisch.arena.playing import Deal, Failure, Played
from spieltisch.arena.seating import line_ups
from spieltisch.arena.terms import Terms
from spieltisch.game import Refusal, brief
from spieltisch.message import Argument, Message, speaker
from spieltisch.plain import plain

_say = speaker("")
_FORMAT: Final = "spieltisch arena 1"
_FLAGS: Final = {"players": "size", "entrants": "players"}  # what the command calls them


class BadStore(Refusal):
    """A folder in which this tournament cannot be kept."""

    code: ClassVar[str] = "bad-store"


class Store:
    """The file `deals.jsonl` of a folder: the terms first, then the deals in the order in which they were finished."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "deals.jsonl"
        self.kept = 0  # how many deals are in it
        self._file: FileIO | None = None
        self._names: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def begin(self, terms: Terms) -> dict[int, Deal]:
        """The deals that are there already; BadStore where they are another tournament's or somebody is at them."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._names = terms.entrants
        self._file = self.path.open("a+b", buffering=0)
        self._keep_others_out(self._file)
        self._file.seek(0)
        lines = self._file.readall().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            del lines[-1]  # torn
        if not lines:
            self._file.truncate(0)
            self._write({"format": _FORMAT, **_header(terms)})
            return {}
        self._compare(terms, lines[0])
        read = (self._read(terms, lines, place) for place in range(1, len(lines)))
        whole = [deal for deal in read if deal is not None]
        self._file.truncate(sum(map(len, lines[: len(whole) + 1])))
        deals = {deal.number: deal for deal in whole}
        self.kept = len(deals)
        return deals

    def add(self, deal: Deal) -> None:
        """Keeps one more deal: when this returns it is on the disk."""
        games = [
            {
                "seats": [self._names[entrant] for entrant in game.seats],
                "ranks": game.ranks,
                "scores": game.scores,
                **({"failure": plain(game.failure)} if game.failure else {}),
            }
            for game in deal.games
        ]
        self._write({"deal": deal.number, "games": games, "seconds": round(deal.seconds, 6)})
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
        there, here = _parsed(line), {"format": _FORMAT, **_header(terms)}
        if there.get("format") != _FORMAT:
            raise BadStore(_say("arena.line", file=str(self.path), line=1))
        differing = tuple(
            _say("arena.differs", field=_FLAGS.get(field, field), there=_brief(there.get(field)), here=_brief(value))
            for field, value in here.items()
            if there.get(field) != value
        )
        if differing:
            raise BadStore(_say("arena.other", file=str(self.path), differing=differing))

    def _read(self, terms: Terms, lines: list[bytes], place: int) -> Deal | None:
        """The deal in a line; None for a last line that was not written whole."""
        try:
            return _deal(terms, _parsed(lines[place]))
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


def _deal(terms: Terms, line: dict[str, Any]) -> Deal:
    number = int(line["deal"])
    games = tuple(
        Played(
            tuple(terms.entrants.index(name) for name in game["seats"]),
            tuple(map(int, game["ranks"])),
            None if game["scores"] is None else tuple(map(int, game["scores"])),
            _failure(game.get("failure")),
        )
        for game in line["games"]
    )
    if tuple(game.seats for game in games) != line_ups(terms, number):
        raise ValueError(number)
    return Deal(number, games, float(line["seconds"]))


def _failure(failure: dict[str, Any] | None) -> Failure | None:
    return None if failure is None else Failure(int(failure["seat"]), _message(failure["reason"]))


def _message(message: dict[str, Any]) -> Message:
    arguments = tuple((str(name), _argument(value)) for name, value in message["arguments"])
    return Message(message["scope"], message["key"], arguments)


def _argument(value: Any) -> Argument:
    if isinstance(value, dict):
        return _message(value)
    return tuple(map(_argument, value)) if isinstance(value, list) else value


def _brief(value: object) -> str:
    return brief(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
