"""Host process of a Python bot: `python -P -m spieltisch.players.host`, started by `external`.

A request is a pickled tuple in base64. A response is a line of JSON, so that nothing from a bot's process is unpickled:
the index of the choice, or an error.
"""

from __future__ import annotations

import base64
import json
import pickle
import random
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from functools import reduce
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from spieltisch import registry
from spieltisch.core.json import Json, to_json
from spieltisch.core.player import Clock, Seen
from spieltisch.players.external import construct
from spieltisch.processes.lines import serve

T = TypeVar("T")


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
            response: dict[str, Json] = {"ok": True, "result": self._handle(*request)}
        except _BotError as error:
            response = {"ok": False, "error": error.kind, "detail": error.detail}
        return json.dumps(response)

    def _handle(self, do: str, *arguments: Any) -> Json:
        match do:
            case "load":
                self._class = _load(*arguments)
            case "create":
                self._create(*arguments)
            case "choose":
                return self._choose(*arguments)
            case "evaluate":
                return self._evaluate(*arguments)
        return None

    def _create(self, game: str, state: Any) -> None:
        self._bot = None
        sampler = random.Random()
        sampler.setstate(state)
        random.seed(random.Random(repr(state)).getrandbits(64))  # for bots that use the module's own generator
        try:
            self._bot = construct(self._class, registry.find(game), sampler)
        except BaseException as error:  # noqa: BLE001 - it may even try to exit
            raise self._crash(error) from None

    def _choose(self, seen: Seen[Any, Any], left: float | None) -> int:
        def choose() -> tuple[int | None, str]:
            action = self._bot.choose(seen, _clock(left))
            return (seen.choices.index(action), "") if action in seen.choices else (None, repr(action))

        index, shown = self._call(choose)
        if index is None:
            raise _BotError("no_choice", shown)
        return index

    def _evaluate(self, seen: Seen[Any, Any], left: float | None) -> Json:
        """The bot's estimates, with the index of every action instead of the action."""
        if not callable(getattr(self._bot, "evaluate", None)):
            raise _BotError("no_evaluate")

        def evaluate() -> Json:
            scale, choices, chosen, simulations = self._bot.evaluate(seen, _clock(left))
            return {
                "scale": to_json(scale),
                "simulations": simulations,
                "action": seen.choices.index(chosen),
                "choices": [
                    {**{name: to_json(value) for name, value in each._asdict().items() if name != "action"},
                     "action": seen.choices.index(each.action)}
                    for each in choices
                ],
            }  # fmt: skip

        return self._call(evaluate)

    def _call(self, function: Callable[[], T]) -> T:
        try:
            return function()
        except BaseException as error:  # noqa: BLE001 - it may even try to exit
            raise self._crash(error) from None

    def _crash(self, error: BaseException) -> _BotError:
        """The error of a bot that raised an exception, whose traceback is printed like any other output of the bot."""
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace)
        return _BotError("crashed", _summary(error, self._class))


def _clock(left: float | None) -> Clock:
    return Clock(None if left is None else time.monotonic() + left)


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
