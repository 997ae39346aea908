"""The arguments of the public API, checked and converted: a value of the wrong type is refused with what to write instead."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, SupportsFloat, SupportsIndex

from spieltisch.core.game import BadSetup, brief
from spieltisch.core.player import Clock
from spieltisch.core.type_errors import WrongType, whole_number
from spieltisch.gameplay.chance import Source, seeded, unforeseen
from spieltisch.i18n.message import message_factory
from spieltisch.records.model import LONGEST_NAME, is_name

_say = message_factory("")


def names_by_seat(names: object, players: int) -> dict[int, str]:
    """The players' names by seat; BadSetup if they are something else, or if a record could not hold them."""
    if isinstance(names, str):
        raise BadSetup(_say("setup.names", code=f'names=["{brief(names)}"]'), field="names")
    if not isinstance(names, Iterable):
        raise _bad_names()
    called: dict[Any, Any] = dict(names) if isinstance(names, Mapping) else dict(enumerate(names))
    for seat, name in called.items():
        if not (isinstance(seat, int) and 0 <= seat < players and isinstance(name, str)):
            raise _bad_names()
        if name.strip() and not is_name(name.strip()):
            raise BadSetup(_say("record.name", longest=LONGEST_NAME), field="names")
    return {seat: name.strip() for seat, name in called.items() if name.strip()}


def _bad_names() -> BadSetup:
    return BadSetup(_say("setup.names", code='names=["Ada", "Ibo"]'), field="names")


def source_of(seed: int | str | None) -> Source:
    """The source of chance of a seed; without one, chance cannot be predicted."""
    return unforeseen() if seed is None else seeded(checked_seed(seed))


def checked_seed(seed: int | str) -> int | str:
    """The seed, if it is a whole number or a text."""
    if isinstance(seed, str):
        return seed
    if isinstance(seed, SupportsIndex):
        return whole_number("seed", seed, "seed=1")
    raise WrongType(_say("slip.seed", given=type(seed).__name__, code="seed=1"))


def clock_of(seconds: float | None) -> Clock:
    """The clock of a decision that may take that many seconds; None is no limit."""
    if seconds is None:
        return Clock()
    if isinstance(seconds, str) or not isinstance(seconds, SupportsFloat):
        raise WrongType(_say("slip.number", field="seconds", given=type(seconds).__name__, code="seconds=1"))
    return Clock(time.monotonic() + float(seconds))


def checked_language(language: str) -> str:
    """The language, if it is a text; what is not translated is said in English."""
    if not isinstance(language, str):
        given = type(language).__name__
        raise WrongType(_say("slip.string", field="language", given=given, code='language="de"'))
    return language


def path_of(path: str | os.PathLike[str]) -> Path:
    """The path, if it is a text or a path."""
    if not isinstance(path, str | os.PathLike):
        raise WrongType(_say("slip.path", given=type(path).__name__, code='match.save("evening.game")'))
    return Path(path)
