"""Failures of bots: the refusal that names the bot and the reason, and a guard that turns every error into it."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any, ClassVar, Final, TypeVar

from spieltisch.core.game import A, Refusal, V, brief
from spieltisch.core.player import AnyPlayer, CannotPlay, Clock, Estimates, Evaluator, Player, Seen
from spieltisch.i18n.message import Message, message_factory
from spieltisch.processes.lines import MAX_LINE, NoResponse, Reason

T = TypeVar("T")
MAX_OUTPUT: Final = 4_000  # characters of a bot's output that are kept per game
_QUOTED_LINES: Final = 20  # of a bot's output
_EXCERPT: Final = 200  # characters of a bot's output that a message quotes
_say = message_factory("")


class PlayerFailed(Refusal):
    """A bot crashed, timed out, exited or returned something invalid; `player` is its name.

    `output` is the end of what it has printed, with the traceback if it raised an exception.
    """

    code: ClassVar[str] = "player-failed"

    def __init__(self, player: str, message: Message, output: str = "") -> None:
        super().__init__(message)
        self.player = player
        self.output = output

    def __reduce__(self) -> tuple[type[PlayerFailed], tuple[str, Message, str]]:
        return type(self), (self.player, self.message, self.output)


class NoEvaluation(Exception):
    """The player can choose, but not tell what it thinks of its choices."""


def excerpt(text: object) -> str:
    """A bot's output as one short printable line without a full stop, to be quoted in a message."""
    words = " ".join(str(text).split())
    line = "".join(char if char.isprintable() else "·" for char in words[: _EXCERPT + 1]).rstrip(".")
    return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…"


def crash_failure(name: str, error: BaseException) -> PlayerFailed:
    """The failure of a bot that raised an exception."""
    told, trace = excerpt(f"{type(error).__name__}: {error}"), "".join(traceback.format_exception(error))
    return PlayerFailed(name, _say("bot.crashed", bot=brief(name), told=told), last_output(trace))


def last_output(text: str) -> str:
    """The end of a bot's output, printable and at most MAX_OUTPUT characters long."""
    printable = "".join(char if char.isprintable() or char == "\n" else "·" for char in text.replace("\r\n", "\n"))
    stripped = printable.strip("\n")
    return stripped if len(stripped) <= MAX_OUTPUT else f"…{stripped[1 - MAX_OUTPUT :]}"


def quote_output(output: str) -> list[str]:
    """The last lines of a bot's output, indented, to be printed after the reason of its failure."""
    lines = output.splitlines()
    cut = ["    …"] if len(lines) > _QUOTED_LINES else []
    return cut + [f"    {line}" for line in lines[-_QUOTED_LINES:]]


def start_process(player: AnyPlayer, rules: int) -> None:
    """Starts a player's process before its first decision, for a game by that version of the rules."""
    start: Callable[[int], None] | None = getattr(player, "start_process", None)
    if start is not None:
        start(rules)


def output_of(player: AnyPlayer) -> str:
    """The end of what a player's process has printed; '' for a player without one."""
    output: Callable[[], str] = getattr(player, "output", str)
    return last_output(output())


def choice_failure(name: str, action: object) -> PlayerFailed:
    """The failure of a bot that returned something that is not one of its choices."""
    return PlayerFailed(name, _say("bot.no_choice", bot=brief(name), told=excerpt(action)))


def process_failure(name: str, error: NoResponse) -> PlayerFailed:
    """The failure of a bot whose process did not respond."""
    told = excerpt(error.detail)
    match error.reason:
        case Reason.NOT_STARTED:
            message = _say("bot.not_begun", bot=brief(name), told=told)
        case Reason.TIMED_OUT:
            seconds = round(error.timeout, 1)
            message = _say("bot.slow", bot=brief(name), seconds=int(seconds) if seconds.is_integer() else seconds)
        case Reason.LINE_TOO_LONG:
            message = _say("bot.endless", bot=brief(name), most=MAX_LINE)
        case Reason.EXITED if told:
            message = _say("bot.ended_saying", bot=brief(name), told=told)
        case Reason.EXITED:
            message = _say("bot.ended", bot=brief(name), code="?" if error.exit_code is None else error.exit_code)
    return PlayerFailed(name, message)


class _GuardedPlayer:
    """Wraps a player so that it returns one of its choices or raises PlayerFailed, and nothing else."""

    def __init__(self, player: AnyPlayer, name: str) -> None:
        self.player = player
        self.name = name

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        action, valid = self._call(lambda: _checked(self.player.choose(seen, clock), seen))
        if not valid:
            failed = choice_failure(self.name, safe_repr(action))
            failed.output = self.output()
            raise failed
        return action

    def evaluate(self, seen: Seen[Any, Any], clock: Clock) -> Estimates[Any]:
        """The player's estimates; NoEvaluation if it has none."""
        player = self.player
        if not isinstance(player, Evaluator):
            raise NoEvaluation
        estimates: Estimates[Any] = self._call(lambda: player.evaluate(seen, clock))
        return estimates

    def start_process(self, rules: int) -> None:
        """Starts the player's process, if it has one; PlayerFailed if it does not start."""
        self._call(lambda: start_process(self.player, rules))

    def output(self) -> str:
        """The end of what the player's process has printed."""
        return output_of(self.player)

    def _call(self, function: Callable[[], T]) -> T:
        try:
            return function()
        except NoEvaluation:
            raise
        except PlayerFailed as failed:
            failed.output = failed.output or self.output()
            raise
        except NoResponse as error:
            silent = process_failure(self.name, error)
            silent.output = self.output()
            raise silent from None
        except CannotPlay as refusal:
            raise PlayerFailed(self.name, refusal.message) from None
        except Exception as error:
            raise crash_failure(self.name, error) from error


def _checked(action: Any, seen: Seen[Any, Any]) -> tuple[Any, bool]:
    """The action, and whether it is one of the choices; comparing may run the bot's code."""
    return action, action in seen.choices


def guard(player: Player[A, V], name: str) -> Evaluator[A, V]:
    """The player, except that any exception, and any action that is not one of its choices, becomes PlayerFailed.

    Its `evaluate` raises NoEvaluation if the player has none.
    """
    return _GuardedPlayer(player, name)


def safe_repr(value: object) -> str:
    """The value's repr, or the name of its type if repr itself fails."""
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - a bot may return anything
        return type(value).__name__
