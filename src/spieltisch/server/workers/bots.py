"""What runs in the processes that think: bots from what their seat is told, judges from the state they must judge."""

from __future__ import annotations

import pickle
import time
from typing import Any

from spieltisch import players, registry
from spieltisch.core.game import Chance
from spieltisch.core.player import Clock, Seen
from spieltisch.players import Access


class BotFailed(Exception):
    """A bot raised something, or answered with something that is none of its choices."""


def choose(game: str, player: str, told: bytes, seed: str, seconds: float) -> int:
    """Which of its choices the player takes; BotFailed, which every process can unpickle, if it takes none."""
    seen: Seen[Any, Any] = pickle.loads(told)  # noqa: S301 - written by a rules worker of this server
    try:
        bot = players.make(player, registry.find(game), seed, Access.REMOTE)
        return list(seen.choices).index(bot.choose(seen, Clock(time.monotonic() + seconds)))
    except Exception as error:  # noqa: BLE001 - a bot may fail in any way
        raise BotFailed(type(error).__name__) from None


def judge(game: str, state: bytes) -> str:
    """The verdict on a state that waits for one."""
    rules = registry.find(game)
    judged = pickle.loads(state)  # noqa: S301 - written by a rules worker of this server
    pending = rules.pending(judged)
    assert isinstance(pending, Chance)
    assert pending.judged
    return rules.write(judged, pending.actions[0])
