"""The process that a Python bot runs in: `python -P -m spieltisch.players.host`, asked by foreign.py.

A question is a pickled tuple in base64, an answer a line of JSON: what was chosen, by its place among the choices, or
what went wrong.
"""

from __future__ import annotations

import base64
import inspect
import json
import pickle
import random
import sys
import time
from collections.abc import Sequence
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from spieltisch import registry
from spieltisch.core.json import Json
from spieltisch.core.player import Clock, Seen
from spieltisch.processes.lines import serve

_OFFERED: Final = ("game", "sampler")  # what a bot's constructor may ask for


class _Wrong(Exception):
    """Something about the bot is wrong: which kind of thing, and what it said."""

    def __init__(self, kind: str, told: str = "") -> None:
        super().__init__(kind, told)
        self.kind = kind
        self.told = told


class Host:
    """Hosts one class, and one bot of that class at a time."""

    def __init__(self) -> None:
        self._class: Any = None
        self._bot: Any = None

    def answer(self, line: str) -> str:
        """The answer to one question: to load the class, to sit down for a game, to choose."""
        question = pickle.loads(base64.b64decode(line))  # noqa: S301 - from the other end of our own pipe
        try:
            answer: dict[str, Json] = {"ok": True, "choice": self._answered(*question)}
        except _Wrong as wrong:
            answer = {"ok": False, "why": wrong.kind, "told": wrong.told}
        return json.dumps(answer)

    def _answered(self, do: str, *given: Any) -> int | None:
        match do:
            case "load":
                self._class = _loaded(*given)
            case "sit":
                self._sit(*given)
            case "choose":
                return self._choose(*given)
        return None

    def _sit(self, game: str, state: Any) -> None:
        self._bot = None
        sampler = random.Random()
        sampler.setstate(state)
        random.seed(random.Random(repr(state)).getrandbits(64))  # for bots that throw dice of their own
        try:
            offered = {"game": registry.find(game).for_simulation, "sampler": sampler}
            asked = _asked_for(self._class)
            self._bot = self._class(**{name: offered[name] for name in _OFFERED if name in asked})
        except BaseException as error:  # noqa: BLE001 - it may even try to exit
            raise _Wrong("crashed", _told(error, self._class)) from None

    def _choose(self, seen: Seen[Any, Any], left: float | None) -> int:
        clock = Clock(None if left is None else time.monotonic() + left)
        try:
            action = self._bot.choose(seen, clock)
            if action in seen.choices:
                return seen.choices.index(action)
            shown = repr(action)
        except BaseException as error:  # noqa: BLE001 - it may even try to exit
            raise _Wrong("crashed", _told(error, self._class)) from None
        raise _Wrong("no_choice", shown)


def _loaded(path: Sequence[str], module: str, name: str) -> Any:
    """The class of that name in that module, found on that path."""
    sys.path[:] = path
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise _Wrong("no_module") from None
        raise _Wrong("broken", _told(error)) from None
    except BaseException as error:  # noqa: BLE001 - the same
        raise _Wrong("broken", _told(error)) from None
    bot = reduce(_part, name.split("."), found)
    if not isinstance(bot, type):
        raise _Wrong("no_class")
    if not callable(getattr(bot, "choose", None)):
        raise _Wrong("no_choose")
    return bot


def _part(whole: Any, name: str) -> Any:
    return getattr(whole, name, None)


def _asked_for(bot: Any) -> Sequence[str]:
    """The names of what the class's constructor takes."""
    try:
        return tuple(inspect.signature(bot).parameters)
    except ValueError:  # a class that does not tell
        return ()


def _told(error: BaseException, bot: Any = None) -> str:
    """The error in one line, with the line of the bot's own file that it comes from."""
    own = getattr(sys.modules.get(getattr(bot, "__module__", "")), "__file__", None)
    place, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file == own:
            place = f" ({Path(file).name}:{trace.tb_lineno})"
        trace = trace.tb_next
    return f"{type(error).__name__}: {error}{place}"


if __name__ == "__main__":
    serve(Host().answer)
