"""Pool of bot workers: bots think in processes of their own, each decision within a time limit."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any, Final

from spieltisch import players, registry
from spieltisch.core.game import brief
from spieltisch.core.player import Clock, Seen
from spieltisch.i18n.message import message_factory
from spieltisch.players import Access
from spieltisch.players.failures import PlayerFailed, crash_failure, guard
from spieltisch.processes.aio import AsyncWorker, wait_shielded
from spieltisch.processes.calls import WorkerLost
from spieltisch.processes.child import set_limits

THINKING_SECONDS: Final = 20.0  # that a bot is told it has
GRACE_SECONDS: Final = 20.0  # after which its process is killed
_NICENESS: Final = 0  # somebody waits for the move
_MEMORY: Final = 2 * 1024**3  # bytes
_say = message_factory("")


class _Slot:
    """A place for one worker process, which is started when it is needed."""

    def __init__(self) -> None:
        self._starting: asyncio.Task[AsyncWorker] | None = None

    async def start(self) -> AsyncWorker:
        """The worker process, as soon as it is ready. It is started to the end even if nobody waits any more."""
        if self._starting is None:
            self._starting = asyncio.create_task(_start())
        return await wait_shielded(self._starting)

    def detach(self) -> asyncio.Task[AsyncWorker] | None:
        """The worker process, if there is one; the next decision starts another."""
        starting, self._starting = self._starting, None
        return starting


async def _kill(starting: asyncio.Task[AsyncWorker]) -> None:
    with contextlib.suppress(WorkerLost):
        await (await starting).kill()


async def _start() -> AsyncWorker:
    worker = await AsyncWorker.start()
    try:
        await worker.call(set_limits, _NICENESS, _MEMORY)
    except WorkerLost:
        await worker.kill()
        raise
    return worker


class BotPool:
    """Bot workers, each of which takes one decision at a time; the first ones that are idle are used first."""

    def __init__(self, size: int = 2, seconds: float = THINKING_SECONDS, grace: float = GRACE_SECONDS) -> None:
        self._seconds = seconds
        self._grace = grace
        self._slots = [_Slot() for _ in range(size)]
        self._idle: asyncio.LifoQueue[_Slot] = asyncio.LifoQueue()
        self._killing: set[asyncio.Task[None]] = set()
        for slot in self._slots:
            self._idle.put_nowait(slot)

    async def choose(self, game: str, player: str, seed: str, seen: Seen[Any, Any]) -> int:
        """The index of the bot's choice; PlayerFailed if it crashes or is too slow."""
        slot = await self._idle.get()
        completed = False
        try:
            worker = await slot.start()
            async with asyncio.timeout(self._seconds + self._grace):
                choice = await worker.call(choose, game, player, seed, seen, self._seconds)
            completed = True
        except PlayerFailed:
            completed = True
            raise
        except TimeoutError:
            raise PlayerFailed(player, _say("bot.slow", bot=brief(player), seconds=int(self._seconds))) from None
        except WorkerLost:
            raise PlayerFailed(player, _say("bot.ended", bot=brief(player), code="?")) from None
        finally:
            if not completed:  # also if the request was cancelled: the next decision must not wait for this one
                self._discard(slot)
            self._idle.put_nowait(slot)
        return choice

    def _discard(self, slot: _Slot) -> None:
        """Kills the slot's worker process in the background, since a cancelled request can await nothing."""
        if (worker := slot.detach()) is not None:
            task = asyncio.create_task(_kill(worker))
            self._killing.add(task)
            task.add_done_callback(self._killing.discard)

    async def close(self) -> None:
        """Kills all worker processes."""
        for slot in self._slots:
            self._discard(slot)
        await asyncio.gather(*self._killing)


# inside a worker process


def choose(game: str, player: str, seed: str, seen: Seen[Any, Any], seconds: float) -> int:
    """The index of the choice of a new bot; PlayerFailed if it makes none."""
    try:
        bot = players.make(player, registry.find(game), seed, Access.REMOTE)
    except Exception as error:  # noqa: BLE001 - a bot may fail in any way
        raise crash_failure(player, error) from None
    action = guard(bot, player).choose(seen, Clock(time.monotonic() + seconds))
    return list(seen.choices).index(action)
