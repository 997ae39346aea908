"""Players that fail: the refusal that names the bot and says why, and the guard that makes it of anything that goes wrong."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from spieltisch.core.game import A, Refusal, V, brief
from spieltisch.core.player import AnyPlayer, Clock, Player, Seen
from spieltisch.i18n.message import Message, message_factory
from spieltisch.processes.lines import LONGEST_LINE, NoAnswer, Why

_LONGEST: Final = 200  # letters of what a bot said that are said back
_say = message_factory("")


class PlayerFailed(Refusal):
    """A bot that crashed, hung, ended, or answered with something that is no answer; `player` is its name."""

    code: ClassVar[str] = "player-failed"

    def __init__(self, player: str, message: Message) -> None:
        super().__init__(message)
        self.player = player

    def __reduce__(self) -> tuple[type[PlayerFailed], tuple[str, Message]]:
        return type(self), (self.player, self.message)


def said_back(text: object) -> str:
    """What a bot said or showed, in one printable line without a full stop, short enough to be said back."""
    words = " ".join(str(text).split())
    line = "".join(letter if letter.isprintable() else "·" for letter in words[: _LONGEST + 1]).rstrip(".")
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def crashed(name: str, error: BaseException) -> PlayerFailed:
    """The failure of a bot that raised an error."""
    return PlayerFailed(name, _say("bot.crashed", bot=brief(name), told=said_back(f"{type(error).__name__}: {error}")))


def no_choice(name: str, answer: object) -> PlayerFailed:
    """The failure of a bot whose answer is none of its choices."""
    return PlayerFailed(name, _say("bot.no_choice", bot=brief(name), told=said_back(answer)))


def not_answered(name: str, reason: NoAnswer) -> PlayerFailed:
    """The failure of a bot whose process gave no answer."""
    told = said_back(reason.told)
    match reason.why:
        case Why.NOT_BEGUN:
            message = _say("bot.not_begun", bot=brief(name), told=told)
        case Why.SLOW:
            seconds = round(reason.seconds, 1)
            message = _say("bot.slow", bot=brief(name), seconds=int(seconds) if seconds.is_integer() else seconds)
        case Why.ENDLESS:
            message = _say("bot.endless", bot=brief(name), most=LONGEST_LINE)
        case Why.ENDED if told:
            message = _say("bot.ended_saying", bot=brief(name), told=told)
        case Why.ENDED:
            message = _say("bot.ended", bot=brief(name), code="?" if reason.code is None else reason.code)
    return PlayerFailed(name, message)


class _Guarded:
    """A player of whom nothing but its choices and PlayerFailed gets out."""

    def __init__(self, player: AnyPlayer, name: str) -> None:
        self.player = player
        self.name = name

    def choose(self, seen: Seen[Any, Any], clock: Clock) -> Any:
        try:
            action = self.player.choose(seen, clock)
            allowed = action in seen.choices
        except PlayerFailed:
            raise
        except NoAnswer as reason:
            raise not_answered(self.name, reason) from None
        except Exception as error:
            raise crashed(self.name, error) from error
        if not allowed:
            raise no_choice(self.name, shown(action))
        return action


def guarded(player: Player[A, V], name: str) -> Player[A, V]:
    """The player as it is, but whatever goes wrong in it, or is none of its choices, is PlayerFailed by that name."""
    return _Guarded(player, name)


def shown(answer: object) -> str:
    """The answer as Python shows it, or what it is where it cannot even be shown."""
    try:
        return repr(answer)
    except Exception:  # noqa: BLE001 - a bot may answer with anything
        return type(answer).__name__
