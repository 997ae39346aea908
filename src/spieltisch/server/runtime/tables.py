"""The tables of one server: commands one after another at each, kept before they are answered."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Concatenate, Final, ParamSpec, TypeVar

import structlog

from spieltisch.i18n.message import message_factory
from spieltisch.server.errors import Closing, KeyReused, RefusalData, Refused
from spieltisch.server.ops import logging
from spieltisch.server.runtime.presence import Presence
from spieltisch.server.runtime.table import Table, waits
from spieltisch.server.storage.errors import Conflict, TableDeleted
from spieltisch.server.storage.notifications import TableNotification
from spieltisch.server.storage.store import Store, StoredTable
from spieltisch.server.storage.writes import StoredResponse, TableWrite
from spieltisch.server.workers import bots, rules
from spieltisch.server.workers.pool import WorkerPool
from spieltisch.server.workers.rules import Behind, Done, Log, Now
from spieltisch.table.commands import seating
from spieltisch.table.commands.context import Command
from spieltisch.table.errors import NotFound
from spieltisch.table.events import Row

P = ParamSpec("P")
T = TypeVar("T")
_say = message_factory("")
_log = structlog.get_logger("spieltisch.server")

MOST_GAMES: Final = 20  # in a match
HINT: Final = "level:5"
HINT_SECONDS: Final = 10.0  # on its clock
HINT_LIMIT: Final = 30.0  # after which its process is ended
MOST_LIVE: Final = 1000
AT_A_TIME: Final = 20  # tables that are looked at for whether they may be forgotten
MOST_ATTEMPTS: Final = 20  # to write what others were quicker with
_NAME: Final = re.compile(r"[0-9a-f]{16}")  # as new_name() makes them


class Tables:
    """All tables of one server."""

    def __init__(self, store: Store, processes: WorkerPool) -> None:
        self.store = store
        self.processes = processes
        self.presence = Presence(store, self._wake)
        store.notifications.subscribe_tables(self._hear)
        self.arrange: Callable[[Table], None] = lambda _: None  # sees to what a table waits for
        self.attends: Callable[[str], bool] = lambda _: False  # whether this process does that for the table
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._hearing: set[asyncio.Task[None]] = set()
        self._behind: set[str] = set()  # the tables at which something was heard of and not yet taken in
        self._performing: set[asyncio.Task[str]] = set()
        self._telling: list[asyncio.Task[None]] = []
        self.closing = asyncio.Event()

    async def open(self) -> None:
        """Begins to hear of what other processes do, and to tell them who is here."""
        await self.store.notifications.listen()
        if self.store.shared:
            self._telling.append(asyncio.create_task(self.presence.broadcast()))

    async def close(self) -> None:
        """Takes nothing more on, and lets what is being done come to its end."""
        self.end_streams()
        for task in self._telling:
            task.cancel()
        await asyncio.gather(*self._performing, *self._hearing, *self._telling, return_exceptions=True)

    def end_streams(self) -> None:
        """Lets every stream come to its end; browsers connect again when the server is back."""
        self.closing.set()
        for table in self._live.values():
            table.wake()

    # other processes

    def _hear(self, heard: TableNotification) -> None:
        """Takes note of what another process has done at a table that is known here."""
        table = self._live.get(heard.table)
        if table is None:
            return
        if heard.deleted:
            self._forget(table)
            return
        if heard.rows and not table.lock.locked() and heard.after == len(table.rows):
            table.grow(heard.rows, None)
            if not self.attends(table.name):
                return
        work = asyncio.create_task(self._catch_up(table, heard.after + len(heard.rows)))
        self._hearing.add(work)
        work.add_done_callback(self._hearing.discard)

    async def _catch_up(self, table: Table, version: int | None = None) -> None:
        """Takes in what others have done, up to a version where it is known; later where that fails.

        What the table waits for then is seen to by whoever has written it, unless this process attends to the table.
        """
        try:
            if version is None or len(table.rows) < version:
                await self.refresh(table)
            if not table.gone and self.attends(table.name):
                await self.stand(table)
                self.arrange(table)
        except Exception as error:  # noqa: BLE001 - the database may be away for a while
            self._behind.add(table.name)
            _log.warning("not caught up", **logging.error_fields(error))

    async def hear_again(self) -> None:
        """Listens again where the connection was lost, and catches up with what was missed."""
        if not await self.store.notifications.is_listening():
            self._behind.update(self._live)
            await self.store.notifications.listen()
        missed, self._behind = self._behind, set()
        for name in missed & self._live.keys():
            await self._catch_up(self._live[name])

    async def refresh(self, table: Table) -> None:
        """Takes in what other processes have written."""
        if self.store.shared:
            async with table.lock:
                await self._refresh(table)

    async def _refresh(self, table: Table) -> None:
        kept = await self.store.load(table.name, len(table.rows))
        if kept is None:
            self._forget(table)
            return
        table.answers.update(kept.responses)
        if kept.rows:
            table.grow(kept.rows, None)

    def _wake(self, name: str) -> None:
        """Wakes everybody who watches a table."""
        if name in self._live:
            self._live[name].wake()

    def live(self) -> list[Table]:
        """The tables that are known here now."""
        return list(self._live.values())

    def known(self, name: str) -> Table | None:
        """The table, if it is known here now."""
        return self._live.get(name)

    def _forget(self, table: Table) -> None:
        """Lets a deleted table go; whoever watches is told."""
        table.gone = True
        if table.timer:
            table.timer.cancel()
        self._live.pop(table.name, None)
        table.wake()

    # finding

    async def find(self, name: str, *, known: bool = False) -> Table:
        """The table of that name as it is now, or as it is known here; NotFound where there is none."""
        if not _NAME.fullmatch(name):
            raise NotFound(_say("table.unknown"))
        if name not in self._live:
            if name not in self._loading:
                self._loading[name] = asyncio.create_task(self._load(name))
            try:
                table = await asyncio.shield(self._loading[name])
            finally:
                self._loading.pop(name, None)
            if table is None or table.gone:
                raise NotFound(_say("table.unknown"))
            self._live.setdefault(name, table)
            known = False  # what was written meanwhile was not heard of
        if not known:
            await self.refresh(self._live[name])
        if name not in self._live:
            raise NotFound(_say("table.unknown"))  # deleted meanwhile
        self._live.move_to_end(name)
        self._let_go()
        return self._live[name]

    async def _load(self, name: str) -> Table | None:
        kept = await self.store.load(name)
        return Table(name, kept) if kept else None

    def _let_go(self) -> None:
        """Forgets the tables that were not used for longest, if nobody watches and nothing waits."""
        for name, table in list(islice(self._live.items(), max(0, min(AT_A_TIME, len(self._live) - MOST_LIVE)))):
            if table.streams or table.queued or table.timer or table.lock.locked():
                self._live.move_to_end(name)
            else:
                del self._live[name]

    # asking the rules workers

    async def ask(
        self,
        table: Table,
        work: Callable[Concatenate[Log, P], T | RefusalData | Behind],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """The clerk's answer; Refused where it says no."""
        while True:
            log = table.log()
            answer = await self.processes.call_rules(table.name, work, log, *args, **kwargs)
            if not isinstance(answer, Behind):
                break
            table.shown = answer.version
        table.shown = max(table.shown, log.version)
        if isinstance(answer, RefusalData):
            raise Refused(answer)
        return answer

    async def stand(self, table: Table) -> Now:
        """How the table stands, asked for once."""
        while table.now is None:
            now = await self.ask(table, rules.stand)
            if now.version == len(table.rows):  # others may have written meanwhile
                table.stand(now)
        return table.now

    # commands

    async def open_table(self, command: seating.Open, by: str, key: str, told: str = "") -> str:
        """Opens a table; the same key of the same browser leads to the same table."""
        creation = hashlib.sha256(f"{by} {key}".encode()).hexdigest()
        digest = _digest(command, by, told)
        name = new_name()
        at = _now()
        done = await self.processes.call_rules(name, rules.perform, Log(name, 0, b""), command, by, at)
        if isinstance(done, RefusalData):
            raise Refused(done)
        assert isinstance(done, Done)
        kept = StoredResponse(key, digest, json.dumps({"table": name}), done.now.version)
        try:
            await self.store.write(_news(name, 0, done.rows, done.now, at)._replace(creation=creation, response=kept))
        except Conflict:
            known = await self._opened_before(creation, key, digest)
            assert known is not None
            return known
        table = Table(name, StoredTable(list(done.rows), {key: kept}))
        table.stand(done.now)
        table.shown = done.now.version
        self._live[name] = table
        self.arrange(table)
        return name

    async def _opened_before(self, creation: str, key: str, digest: str) -> str | None:
        """The table that the key has opened already; KeyReused where that was another command."""
        known = await self.store.find_by_creation(creation)
        if known is not None and (await self.find(known)).answers[key].digest != digest:
            raise KeyReused(_say("table.key_reused"))
        return known

    async def perform(self, name: str, command: Command, by: str | None, key: str | None, told: str = "") -> str:
        """The answer to a command, kept with what it led to; a repeated one is answered as before."""
        table = await self.find(name, known=True)
        work = asyncio.create_task(self._perform(table, command, by, key, _digest(command, by, told)))
        self._performing.add(work)
        work.add_done_callback(self._performing.discard)
        return await asyncio.shield(work)  # a browser that goes away does not stop half-way what it asked for

    async def _perform(self, table: Table, command: Command, by: str | None, key: str | None, digest: str) -> str:
        async with table.lock:
            for _ in range(MOST_ATTEMPTS):
                if table.gone:
                    raise NotFound(_say("table.unknown"))
                if key is not None and key in table.answers:
                    if table.answers[key].digest != digest:
                        raise KeyReused(_say("table.key_reused"))
                    return table.answers[key].body
                try:
                    return await self._carry_out(table, command, by, key, digest)
                except Conflict:  # another process was quicker
                    await self._refresh(table)
                    await self._recall(table, key)
                except Refused:
                    if not await self._recall(table, key) and not await self._gone_on(table):
                        raise
                except TableDeleted:
                    self._forget(table)
        raise Closing(_say("server.busy"))

    async def _gone_on(self, table: Table) -> bool:
        """Whether other processes have written something that was not heard of here yet."""
        before = len(table.rows)
        if self.store.shared:
            await self._refresh(table)
        return table.gone or len(table.rows) > before

    async def _recall(self, table: Table, key: str | None) -> bool:
        """Whether another process has answered that key, which is known here from now on."""
        if not self.store.shared or key is None:
            return False
        answer = await self.store.find_response(table.name, key)
        if answer is not None:
            table.answers[key] = answer
        return answer is not None

    async def _carry_out(self, table: Table, command: Command, by: str | None, key: str | None, digest: str) -> str:
        at = _now()
        watchers = table.watchers()
        done = await self.ask(table, rules.perform, command, by, at, watchers)
        answer = json.dumps(done.answer)
        kept = StoredResponse(key, digest, answer, done.now.version) if key is not None else None
        news = _news(table.name, len(table.rows), done.rows, done.now, at)._replace(response=kept, tallies=done.tallies)
        following = []
        if done.opening is not None:
            rows, stands = done.opening
            creation = hashlib.sha256(f"after {table.name}".encode()).hexdigest()
            following.append(_news(done.answer["table"], 0, rows, stands, at)._replace(creation=creation))
        await self.store.write(news, *following)
        if kept:
            table.answers[kept.key] = kept
        table.grow(done.rows, done.now)
        table.shown = done.now.version
        for watcher, told in zip(watchers, done.told, strict=False):
            if told is not None:
                table.tell(watcher, told)
        table.seen = (done.now.waiting.since, done.seen) if done.seen is not None else None
        self.arrange(table)
        return answer

    async def delete(self, name: str, holder: str | None) -> None:
        """Deletes the table; whoever watches is told that it is gone."""
        table = await self.find(name)
        await self.ask(table, rules.may_delete, holder)
        async with table.lock:
            await self.store.delete(name)
            self._forget(table)

    async def hint(
        self, name: str, holder: str | None, seat: int, version: int, draft: Sequence[str], language: str
    ) -> bytes:
        """What a strong bot would do, from what the seat may know."""
        table = await self.find(name)
        told = await self.ask(table, rules.advise, holder, seat, version, draft)
        game = (await self.stand(table)).game
        seed = f"hint {len(table.rows)}"
        choice = await self.processes.call_bot(HINT_LIMIT, bots.choose, game, HINT, told, seed, HINT_SECONDS)
        return await self.ask(table, rules.advice, holder, seat, version, draft, choice, language)


def _digest(command: Command, by: str | None, told: str) -> str:
    """What tells one command from another under the same key."""
    return hashlib.sha256(f"{by} {type(command).__name__} {told}".encode()).hexdigest()


def _news(name: str, after: int, rows: Sequence[Row], now: Now, at: int) -> TableWrite:
    return TableWrite(name, after, rows, None, now.public, now.status, waits(now), now.summary, at, now.game)


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
