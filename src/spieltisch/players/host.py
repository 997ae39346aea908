"""Host process of a Python bot: `python -P -m spieltisch.players.host`, started by `external`.

A request is a pickled tuple in base64. A response is a line of JSON, so that nothing from a bot's process is unpickled:
the index of the choice, or an error.
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

_PARAMETERS: Final = ("game", "sampler")  # what a bot's constructor may take


class _BotError(Exception):
    """An error of the bot: its kind, and a detail in one line."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail


class Host:
    """Handles requests: first to load a class, then to create a bot of it, then to choose."""

    def __init__(self) -> None:
        self._class: Any = None
        self._bot: Any = None

    def respond(self, line: str) -> str:
        """The response to one request."""
        request = pickle.loads(base64.b64decode(line))  # noqa: S301 - from the process that has started this one
        try:
            response: dict[str, Json] = {"ok": True, "choice": self._handle(*request)}
        except _BotError as error:
            response = {"ok": False, "error": error.kind, "detail": error.detail}
        return json.dumps(response)

    def _handle(self, do: str, *arguments: Any) -> int | None:
        match do:
            case "load":
                self._class = _load(*arguments)
            case "create":
                self._create(*arguments)
            case "choose":
                return self._choose(*arguments)
        return None

    def _create(self, game: str, state: Any) -> None:
        self._bot = None
        sampler = random.Random()
        sampler.setstate(state)
        random.seed(random.Random(repr(state)).getrandbits(64))  # for bots that use the module's own generator
        try:
            offered = {"game": registry.find(game).for_simulation, "sampler": sampler}
            taken = _parameters(self._class)
            self._bot = self._class(**{name: offered[name] for name in _PARAMETERS if name in taken})
        except BaseException as error:  # noqa: BLE001 - it may even try to exit
            raise _BotError("crashed", _summary(error, self._class)) from None

    def _choose(self, seen: Seen[Any, Any], left: float | None) -> int:
        clock = Clock(None if left is None else time.monotonic() + left)
        try:
            action = self._bot.choose(seen, clock)
            if action in seen.choices:
                return seen.choices.index(action)
            shown = repr(action)
        except BaseException as error:  # noqa: BLE001 - it may even try to exit
            raise _BotError("crashed", _summary(error, self._class)) from None
        raise _BotError("no_choice", shown)


def _load(path: Sequence[str], module: str, name: str) -> Any:
    """The class of that name in that module, imported from that path."""
    sys.path[:] = path
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise _BotError("no_module") from None
        raise _BotError("broken", _summary(error)) from None
    except BaseException as error:  # noqa: BLE001 - it may even try to exit
        raise _BotError("broken", _summary(error)) from None
    bot = reduce(lambda outer, part: getattr(outer, part, None), name.split("."), found)
    if not isinstance(bot, type):
        raise _BotError("no_class")
    if not callable(getattr(bot, "choose", None)):
        raise _BotError("no_choose")
    return bot


def _parameters(bot: Any) -> Sequence[str]:
    """The names of the parameters of the class's constructor."""
    try:
        return tuple(inspect.signature(bot).parameters)
    except ValueError:  # it has no signature
        return ()


def _summary(error: BaseException, bot: Any = None) -> str:
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
    serve(Host().respond)
