"""What runs in bot workers: bots and advice, which know what their seat is told, and judges, which know the state.

A session is a seat's bot in one game. Its player is kept from one decision to the next, so that it can build on what it
has computed, but never relied on: a player that was evicted, or lost with its process, is created again.
"""

from __future__ import annotations

import pickle
import time
from collections import OrderedDict
from random import Random
from typing import Any, Final, NamedTuple

from spieltisch import players, registry
from spieltisch.core.game import Chance
from spieltisch.core.player import AnyPlayer, Clock, Seen
from spieltisch.gameplay.hint import describe_hint
from spieltisch.i18n.format import format_message
from spieltisch.players import Access
from spieltisch.players.external import installed_players
from spieltisch.table import projection
from spieltisch.table.responses import serialize

MAX_PLAYERS: Final = 64  # that one worker process keeps
MAX_EXTERNAL: Final = 8  # of these, players with a process of their own


class BotFailed(Exception):
    """A bot raised an exception, or returned something that is not one of its choices; every process can unpickle this."""


class SessionKey(NamedTuple):
    """Identifies a seat's bot in one game."""

    number: int  # unique in the server process
    game: str
    player: str
    seed: str  # the same for the same table, seat and game


class Suggestion(NamedTuple):
    """The index of the choice that a bot suggests, and why."""

    choice: int
    words: str
    reason: str | None


class _KeptPlayer(NamedTuple):
    player: AnyPlayer
    sampler: Random  # the one that the player uses


class PlayerCache:
    """Least-recently-used cache of players by session."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._players: OrderedDict[SessionKey, _KeptPlayer] = OrderedDict()

    def __len__(self) -> int:
        return len(self._players)

    def pop(self, key: SessionKey) -> _KeptPlayer | None:
        """Removes a session's player: if it fails, it is not put back."""
        return self._players.pop(key, None)

    def put(self, key: SessionKey, kept: _KeptPlayer) -> None:
        """Keeps a player, and evicts the least recently used ones if there are too many."""
        self._players[key] = kept
        while len(self._players) > self._size:
            self._players.popitem(last=False)

    def clear(self) -> None:
        self._players.clear()


_players: Final = PlayerCache(MAX_PLAYERS)
_external: Final = PlayerCache(MAX_EXTERNAL)


def choose(game: str, player: str, seen: bytes, seed: str, seconds: float) -> int:
    """The index of the choice of a new bot; BotFailed if it makes none."""
    return _choose(_create(game, player, seed).player, seen, seconds)


def suggest(game: str, player: str, seen: bytes, seed: str, seconds: float, language: str) -> Suggestion:
    """A hint from a new bot, in words; BotFailed if it makes no choice."""
    choice, rules = choose(game, player, seen, seed, seconds), registry.find(game)
    told: Seen[Any, Any] = pickle.loads(seen)  # noqa: S301 - written by a rules worker of this server
    proposal, reason = describe_hint(rules, told.view, told.choices[choice], told.choices)
    return Suggestion(choice, format_message(proposal, language), reason and format_message(reason, language))


def choose_in_session(key: SessionKey, seen: bytes, seed: str, seconds: float) -> int:
    """The index of the choice of the session's bot, whose random generator is seeded anew for every decision."""
    cache = _cache(key)
    try:
        kept = cache.pop(key) or _create(key.game, key.player, key.seed)
        kept.sampler.seed(f"player {seed}")
        choice = _choose(kept.player, seen, seconds)
    except MemoryError:  # perhaps because of all the players that are kept
        _players.clear()
        _external.clear()
        return choose(key.game, key.player, seen, seed, seconds)
    cache.put(key, kept)
    return choice


def end_session(key: SessionKey) -> None:
    """Drops the session's bot."""
    _cache(key).pop(key)


def advise(game: str, question: bytes, language: str) -> bytes:
    """Advice about an action, from what its seat may know."""
    view, action = pickle.loads(question)  # noqa: S301 - written by a rules worker of this server
    return serialize(projection.project_advice(registry.find(game), view, action, language))


def judge(game: str, state: bytes) -> str:
    """The verdict on a state that waits for one."""
    rules = registry.find(game)
    judged = pickle.loads(state)  # noqa: S301 - written by a rules worker of this server
    pending = rules.pending(judged)
    assert isinstance(pending, Chance)
    assert pending.judged
    return rules.write(judged, pending.actions[0])


def _cache(key: SessionKey) -> PlayerCache:
    return _external if key.player in installed_players() else _players


def _create(game: str, player: str, seed: str) -> _KeptPlayer:
    sampler = Random(f"player {seed}")
    try:
        return _KeptPlayer(players.maker(player, registry.find(game), Access.REMOTE)(sampler), sampler)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a bot may fail in any way
        raise BotFailed(type(error).__name__) from None


def _choose(bot: AnyPlayer, seen: bytes, seconds: float) -> int:
    told: Seen[Any, Any] = pickle.loads(seen)  # noqa: S301 - written by a rules worker of this server
    try:
        return list(told.choices).index(bot.choose(told, Clock(time.monotonic() + seconds)))
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a bot may fail in any way
        raise BotFailed(type(error).__name__) from None
