"""Time controls of a tournament: seconds per decision, or seconds per game with an increment per decision."""

from __future__ import annotations

import re
import time
from typing import ClassVar, Final, NamedTuple

from spieltisch.core.game import Refusal, brief
from spieltisch.core.player import Clock
from spieltisch.i18n.message import message_factory
from spieltisch.players.failures import PlayerFailed

_GRACE: Final = 0.1  # seconds tolerated per decision, for the round trip to a bot's process
_MAX_SECONDS: Final = 86_400.0
_NUMBER: Final = r"[0-9]{1,5}(?:\.[0-9]{1,3})?"
_say = message_factory("")


class BadTimeControl(Refusal):
    """A text that is not a time control."""

    code: ClassVar[str] = "bad-time-control"


class TimeControl(NamedTuple):
    """Limits per seat, in seconds; None is no limit."""

    per_game: float | None = None
    increment: float = 0.0  # added to the time of the game after every decision
    per_move: float | None = None

    @classmethod
    def parse(cls, clock: str | None, move_time: str | None) -> TimeControl | None:
        """The time control of two texts such as `60+1` and `0.5`, either of which may be missing."""
        if clock is None and move_time is None:
            return None
        per_game, increment = None, 0.0
        if clock is not None:
            matched = re.fullmatch(rf"({_NUMBER})(?:\+({_NUMBER}))?", clock)
            if not matched or not 0 < float(matched[1]) <= _MAX_SECONDS:
                raise BadTimeControl(_say("clock.game", given=brief(clock)))
            per_game, increment = float(matched[1]), float(matched[2] or 0)
        if move_time is not None and not (re.fullmatch(_NUMBER, move_time) and 0 < float(move_time) <= _MAX_SECONDS):
            raise BadTimeControl(_say("clock.move", given=brief(move_time)))
        return cls(per_game, increment, None if move_time is None else float(move_time))

    def __str__(self) -> str:
        """The text that `read` understands, such as `60+1` or `0.5 per move`."""
        game = "" if self.per_game is None else f"{self.per_game:g}+{self.increment:g}"
        move = "" if self.per_move is None else f"{self.per_move:g} per move"
        return ", ".join(filter(None, (game, move)))

    @classmethod
    def read(cls, text: str) -> TimeControl | None:
        """The time control that was written as that text; None for an empty one."""
        game, _, move = text.partition(", ") if "+" in text else ("", "", text)
        return cls.parse(game or None, move.removesuffix(" per move") or None)


class SeatClock:
    """The clock of one seat in one game."""

    def __init__(self, control: TimeControl | None) -> None:
        self._control = control or TimeControl()
        self._left = self._control.per_game
        self._started = 0.0
        self._allowed: float | None = None

    def start(self) -> Clock:
        """Starts a decision, and returns its deadline."""
        limits = [limit for limit in (self._left, self._control.per_move) if limit is not None]
        self._allowed = min(limits, default=None)
        self._started = time.monotonic()
        return Clock(None if self._allowed is None else self._started + self._allowed)

    def stop(self, name: str) -> None:
        """Ends a decision; PlayerFailed if it took too long."""
        spent = time.monotonic() - self._started
        if self._allowed is not None and spent > self._allowed + _GRACE:
            raise PlayerFailed(
                name, _say("bot.overtime", bot=brief(name), spent=f"{spent:.1f}", seconds=f"{self._allowed:.1f}")
            )
        if self._left is not None:
            self._left = max(0.0, self._left - spent) + self._control.increment
