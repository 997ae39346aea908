"""The tables of one server: commands one after another at each, kept before they are answered, and bots in turn."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from spieltisch.game import Refusal
from spieltisch.message import speaker
from spieltisch.server import clerks, moves, seating, thinkers
from spieltisch.server.clerks import Behind, Done, Log, Now
from spieltisch.server.desk import Command
from spieltisch.server.lines import Row
from spieltisch.server.processes import Lost, Processes
from spieltisch.server.refusals import Closing, KeyReused, No, NotFound, Refused
from spieltisch.server.sitting import Wait
from spieltisch.server.store import Answer, Conflict, Kept, News, Store

P = ParamSpec("P")
T = TypeVar("T")
_say = speaker("")
_log = logging.getLogger("spieltisch.server")

MOST_GAMES: Final = 20  # in a match
SILENCE: Final = 10.0  # seconds after which a nonce is not waited for any more
BOT_SECONDS: Final = 10.0  # on a bot's clock
BOT_LIMIT: Final = 30.0  # after which its process is ended
HINT: Final = "level:5"
LAST: Final = "level:1"  # where even this bot fails, the first choice there is is taken
PUT_OFF: Final = 2.0  # seconds after which something that failed is tried again
MOST_LIVE: Final = 2000
MOST_TELLING: Final = 4  # at a time, of one table
_BUSY: Final = (Wait.BOT, Wait.JUDGE, Wait.FIRST, Wait.NONCES)


class Table:
    """A table that somebody looks at, or that has something to do."""

    def __init__(self, name: str, kept: Kept) -> None:
        self.name = name
        self.rows = kept.rows
        self.answers = kept.answers
        self.digest = b""
        for row in kept.rows:
            self.digest = hashlib.sha256(self.digest + row.line.encode()).digest()
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.streams = 0
        self.gone = False
        self.now: Now | None = None
        self.queued = False
        self.timer: asyncio.TimerHandle | None = None
        self.due: tuple[int | None, int] | None = None  # whose turn the timer watches, and since when
        self.ends: float | None = None  # when the turn ends, on the clock of the loop
        self.told: OrderedDict[tuple[Any, ...], asyncio.Task[tuple[int, bytes]]] = (
            OrderedDict()
        )  # for all who ask alike
        self.telling = asyncio.Semaphore(MOST_TELLING)

    def log(self, *, rows: bool = False) -> Log:
        return Log(self.name, len(self.rows), self.digest, tuple(self.rows) if rows else None)

    def grow(self, rows: Sequence[Row], now: Now) -> None:
        """Goes on, and wakes everybody who watches."""
        self.rows.extend(rows)
        self.digest = now.digest
        self.now = now
        self.told.clear()
        self.wake()

    def wake(self) -> None:
        self.changed.set()
        self.changed = asyncio.Event()


class Tables:
    """All tables of one server."""

    def __init__(self, store: Store, processes: Processes, seconds: float = BOT_SECONDS) -> None:
        self.store = store
        self.processes = processes
        self.seconds = seconds
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._queue: asyncio.Queue[Table] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._performing: set[asyncio.Task[str]] = set()
        self.closing = asyncio.Event()

    async def open(self) -> None:
        """Sets bots to work, and queues every table again that waits for something."""
        for _ in range(self.processes.thinkers):
            self._spawn(self._serve_bots())
        self._spawn(self._take_up())

    async def close(self) -> None:
        """Takes nothing more on, and lets what is being done come to its end."""
        self.end_streams()
        for table in self._live.values():
            if table.timer:
                table.timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._performing, return_exceptions=True)

    def end_streams(self) -> None:
        """Lets every stream come to its end; browsers connect again when the server is back."""
        self.closing.set()
        for table in self._live.values():
            table.wake()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take_up(self) -> None:
        kinds = [kind.value for kind in (*_BUSY, Wait.PERSON)]
        names = deque(await self.store.waiting(kinds))
        while names:
            name = names.popleft()
            try:
                table = await self.find(name)
                await self._now(table)
                self._arrange(table)
            except Refused:
                continue  # deleted meanwhile
            except Lost:
                names.append(name)
            except Exception as error:  # noqa: BLE001 - the other tables go on
                _log.error("table %s cannot go on: %s", name, type(error).__name__)

    # finding

    async def find(self, name: str) -> Table:
        """The table of that name; NotFound where there is none."""
        if name not in self._live:
            if name not in self._loading:
                self._loading[name] = asyncio.create_task(self._load(name))
            try:
                table = await asyncio.shield(self._loading[name])
            finally:
                self._loading.pop(name, None)
            if table is None:
                raise NotFound(_say("table.unknown"))
            self._live.setdefault(name, table)
        self._live.move_to_end(name)
        self._let_go()
        return self._live[name]

    async def _load(self, name: str) -> Table | None:
        kept = await self.store.load(name)
        return Table(name, kept) if kept else None

    def _let_go(self) -> None:
        """Forgets the tables that were not used for longest, if nobody watches and nothing waits."""
        if len(self._live) <= MOST_LIVE:
            return
        for name, table in list(self._live.items())[: len(self._live) - MOST_LIVE]:
            if not (table.streams or table.queued or table.timer or table.lock.locked()):
                del self._live[name]

    # asking the clerks

    async def ask(
        self, table: Table, work: Callable[Concatenate[Log, P], T | No | Behind], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The clerk's answer; Refused where it says no."""
        answer = await self.processes.at_table(table.name, work, table.log(), *args, **kwargs)
        if isinstance(answer, Behind):
            answer = await self.processes.at_table(table.name, work, table.log(rows=True), *args, **kwargs)
        assert not isinstance(answer, Behind)
        if isinstance(answer, No):
            raise Refused(answer)
        return answer

    async def _now(self, table: Table) -> Now:
        """How the table stands, asked for once."""
        if table.now is None:
            table.now = await self.ask(table, clerks.stand)
        return table.now

    # commands

    async def open_table(self, command: seating.Open, by: str, key: str, told: str = "") -> str:
        """Opens a table; the same key of the same browser leads to the same table."""
        creation = hashlib.sha256(f"{by} {key}".encode()).hexdigest()
        digest = _digest(command, by, told)
        known = await self._opened_before(creation, key, digest)
        if known is not None:
            return known
        name = new_name()
        at = _now()
        done = await self.processes.at_table(name, clerks.perform, Log(name, 0, b""), command, by, at)
        if isinstance(done, No):
            raise Refused(done)
        assert isinstance(done, Done)
        kept = Answer(key, digest, json.dumps({"table": name}))
        try:
            await self.store.write(_news(name, 0, done.rows, done.now, at)._replace(creation=creation, answer=kept))
        except Conflict:
            known = await self._opened_before(creation, key, digest)
            assert known is not None
            return known
        table = Table(name, Kept(list(done.rows), {key: kept}))
        table.now = done.now
        self._live[name] = table
        self._arrange(table)
        return name

    async def _opened_before(self, creation: str, key: str, digest: str) -> str | None:
        """The table that the key has opened already; KeyReused where that was another command."""
        known = await self.store.opened(creation)
        if known is not None and (await self.find(known)).answers[key].digest != digest:
            raise KeyReused(_say("table.key_reused"))
        return known

    async def perform(self, name: str, command: Command, by: str | None, key: str | None, told: str = "") -> str:
        """The answer to a command, kept with what it led to; a repeated one is answered as before."""
        table = await self.find(name)
        work = asyncio.create_task(self._perform(table, command, by, key, _digest(command, by, told)))
        self._performing.add(work)
        work.add_done_callback(self._performing.discard)
        return await asyncio.shield(work)  # a browser that goes away does not stop half-way what it asked for

    async def _perform(self, table: Table, command: Command, by: str | None, key: str | None, digest: str) -> str:
        async with table.lock:
            if table.gone:
                raise NotFound(_say("table.unknown"))
            if key is not None and key in table.answers:
                if table.answers[key].digest != digest:
                    raise KeyReused(_say("table.key_reused"))
                return table.answers[key].answer
            at = _now()
            done = await self.ask(table, clerks.perform, command, by, at)
            answer = json.dumps(done.answer)
            kept = Answer(key, digest, answer) if key is not None else None
            news = [
                _news(table.name, len(table.rows), done.rows, done.now, at)._replace(answer=kept, tallies=done.tallies)
            ]
            if done.opening is not None:
                rows, stands = done.opening
                creation = hashlib.sha256(f"after {table.name}".encode()).hexdigest()
                news.append(_news(done.answer["table"], 0, rows, stands, at)._replace(creation=creation))
            try:
                await self.store.write(*news)
            except Conflict:
                self._live.pop(table.name, None)
                raise Closing(_say("server.busy")) from None
            if kept:
                table.answers[kept.key] = kept
            table.grow(done.rows, done.now)
            self._arrange(table)
            return answer

    async def delete(self, name: str, holder: str | None) -> None:
        """Deletes the table; whoever watches is told that it is gone."""
        table = await self.find(name)
        await self.ask(table, clerks.may_delete, holder)
        async with table.lock:
            await self.store.delete(name)
            table.gone = True
            if table.timer:
                table.timer.cancel()
            self._live.pop(name, None)
            table.wake()

    async def hint(
        self, name: str, holder: str | None, seat: int, version: int, draft: Sequence[str], language: str
    ) -> bytes:
        """What a strong bot would do, from what the seat may know."""
        table = await self.find(name)
        told = await self.ask(table, clerks.advise, holder, seat, version, draft)
        game = (await self._now(table)).game
        seed = f"hint {len(table.rows)}"
        choice = await self.processes.think(BOT_LIMIT, thinkers.think, game, HINT, told, seed, self.seconds)
        return await self.ask(table, clerks.advice, holder, seat, version, draft, choice, language)

    # what tables wait for

    def _arrange(self, table: Table) -> None:
        """Sees to it that what the table waits for will come."""
        now = table.now
        assert now is not None
        kind, seat, _, since = now.waiting
        due = (seat, since) if kind is Wait.NONCES or (kind is Wait.PERSON and now.seconds) else None
        if due != table.due:
            if table.timer:
                table.timer.cancel()
            table.timer, table.due, table.ends = None, due, None
            if due is not None and not self.closing.is_set():
                seconds = SILENCE if kind is Wait.NONCES else float(now.seconds or 0)
                loop = asyncio.get_running_loop()
                table.ends = loop.time() + seconds if kind is Wait.PERSON else None
                late = seating.BeginAnyway() if kind is Wait.NONCES else moves.Overdue(seat or 0, since)
                table.timer = loop.call_later(seconds, lambda: self._spawn(self._do(table, late)))
        if kind in (Wait.BOT, Wait.JUDGE, Wait.FIRST) and not table.queued:
            table.queued = True
            self._queue.put_nowait(table)

    async def _do(self, table: Table, command: Command) -> None:
        """Carries out what the server itself has to do; what has become pointless meanwhile is left."""
        try:
            await self.perform(table.name, command, None, None)
        except (Refused, Refusal):
            pass
        except Exception as error:  # noqa: BLE001 - it is tried again
            table.due = None
            self._put_off(table, error)

    def _put_off(self, table: Table, error: Exception) -> None:
        """Tries again later what has failed: a process may have died, a disk may be full."""
        _log.warning("table %s is put off: %s", table.name, type(error).__name__)
        asyncio.get_running_loop().call_later(PUT_OFF, self._arrange, table)

    async def _serve_bots(self) -> None:
        """Takes one decision of one table after another: whoever has decided goes to the end of the queue."""
        while True:
            table = await self._queue.get()
            table.queued = False
            if table.gone or table.now is None:
                continue
            try:
                await self._decide(table, table.now)
            except (Refused, Refusal):
                if table.now is not None and not table.gone:
                    self._arrange(table)
            except Exception as error:  # noqa: BLE001 - the other tables go on
                self._put_off(table, error)

    async def _decide(self, table: Table, now: Now) -> None:
        kind, seat, player, since = now.waiting
        command: Command
        if kind is Wait.JUDGE:
            state = await self.ask(table, clerks.bring_to_judge)
            verdict = await self.processes.think(BOT_LIMIT, thinkers.judge, now.game, state)
            command = moves.Judge(since, verdict)
        elif kind is Wait.FIRST and seat is not None:
            command = moves.Decide(seat, since, 0)
        elif kind is Wait.BOT and seat is not None and player is not None:
            told = await self.ask(table, clerks.see, seat)
            seed = f"{table.name} {seat} {since}"
            try:
                choice = await self.processes.think(
                    BOT_LIMIT, thinkers.think, now.game, player, told, seed, self.seconds
                )
                command = moves.Decide(seat, since, choice)
            except (thinkers.Failure, Lost):  # another one takes its place
                command = moves.Decide(seat, since, 0) if player == LAST else moves.Fail(seat, since)
        else:
            return
        await self.perform(table.name, command, None, None)


def _digest(command: Command, by: str | None, told: str) -> str:
    """What tells one command from another under the same key."""
    return hashlib.sha256(f"{by} {type(command).__name__} {told}".encode()).hexdigest()


def _news(name: str, after: int, rows: Sequence[Row], now: Now, at: int) -> News:
    return News(name, after, rows, None, now.public, now.status, now.waiting.kind.value, now.summary, at, now.game)


def new_name() -> str:
    """The name of a new table, which nobody can guess."""
    return secrets.token_hex(8)


def new_code() -> str:
    """A new invitation."""
    return secrets.token_urlsafe(9)


def new_secrets() -> list[str]:
    """What fair chance is drawn from, one a game."""
    return [secrets.token_hex(32) for _ in range(MOST_GAMES)]


def _now() -> int:
    return time.time_ns() // 1_000_000
