"""The live tables of one server process: a cache, and one command at a time per table, stored before it is answered."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Coroutine, Sequence
from dataclasses import asdict
from itertools import islice
from typing import Any, Final

import structlog

from spieltisch.i18n.message import message_factory
from spieltisch.processes.aio import wait_shielded
from spieltisch.server.errors import Closing, Damaged, KeyReused, Overloaded, RefusalData, Refused
from spieltisch.server.ops import logging
from spieltisch.server.runtime.leases import Leases
from spieltisch.server.runtime.questions import Questions
from spieltisch.server.runtime.signals import Signals
from spieltisch.server.runtime.snapshots import Snapshots
from spieltisch.server.runtime.table import Table, waits_for
from spieltisch.server.storage.errors import Conflict, DamagedLog, TableDeleted
from spieltisch.server.storage.notifications import TableNotification
from spieltisch.server.storage.reads import StoredTable
from spieltisch.server.storage.store import Store
from spieltisch.server.storage.writes import StoredResponse, TableWrite
from spieltisch.server.workers import bots, rules
from spieltisch.server.workers.askers import Asker, asking, current_asker
from spieltisch.server.workers.pool import Priority, TimeLimit, WorkerPool
from spieltisch.server.workers.rules import CommandOutcome, TableStatus
from spieltisch.server.workers.table_cache import LogPosition
from spieltisch.table.codec import Row, without_unset
from spieltisch.table.commands import ClientCommand, Command, Context, Open, TellHint
from spieltisch.table.commands.base import SeatCommand
from spieltisch.table.errors import NotFound
from spieltisch.table.responses import add_advice, serialize_result

_say = message_factory("")
_log = structlog.get_logger("spieltisch.server")

HINT_PLAYER: Final = "level:5"
HINT_CLOCK: Final = 10.0  # seconds that it is told it has
HINT_LIMIT: Final = TimeLimit(cpu=30.0, wall=300.0)
ADVICE_LIMIT: Final = TimeLimit(cpu=10.0, wall=120.0)
MAX_COMMANDS: Final = 16  # that may wait at one table
MAX_LIVE: Final = 1000
EVICTION_BATCH: Final = 20  # tables that are examined for eviction at a time
MAX_ATTEMPTS: Final = 20  # to write a command for which other processes were quicker
RANDOM_BYTES: Final = 32  # for a command that opens a table
_NAME: Final = re.compile(r"[0-9a-f]{16}")


class Tables(Questions):
    """The tables that this process serves now."""

    def __init__(self, store: Store, workers: WorkerPool, leases: Leases, changes: asyncio.Queue[Table]) -> None:
        super().__init__(workers, Snapshots(store, workers))
        self.store = store
        self.leases = leases
        self.changes = changes  # tables whose status has changed, for the scheduler
        self.signals = Signals(store, self._wake, self.cached)
        self.presence = self.signals.presence
        store.notifications.subscribe_tables(self._on_notification)
        self.closing = asyncio.Event()
        self._live: OrderedDict[str, Table] = OrderedDict()  # least recently used first
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._behind: set[str] = set()  # tables with notifications that were not applied
        self._performing: set[asyncio.Task[str]] = set()
        self._announcing: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Starts listening to other processes, and reporting presence to them."""
        await self.store.notifications.listen()
        if self.store.shared:
            self._announcing.append(asyncio.create_task(self.presence.broadcast()))

    async def close(self) -> None:
        """Takes no more requests, and lets running commands finish."""
        self.end_streams()
        for task in self._announcing:
            task.cancel()
        await asyncio.gather(*self._performing, *self._background, *self._announcing, return_exceptions=True)

    def end_streams(self) -> None:
        """Ends every event stream; browsers reconnect when the server is back."""
        self.closing.set()
        for table in self._live.values():
            table.wake()

    def live(self) -> list[Table]:
        """The tables in memory."""
        return list(self._live.values())

    def cached(self, name: str) -> Table | None:
        """The table, if it is in memory."""
        return self._live.get(name)

    # other processes

    def _on_notification(self, news: TableNotification) -> None:
        """Applies what another process has written to a table that is in memory here."""
        table = self._live.get(news.table)
        if table is None:
            return
        if news.deleted:
            self.forget(table)
            return
        if news.rows and not table.lock.locked() and news.after == len(table.rows):
            table.extend(news.rows, None)
            if not self.leases.holds(table.name):
                return
        self._run_in_background(self._catch_up(table, news.after + len(news.rows)))

    def _run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        self._background.add(task := asyncio.create_task(work))
        task.add_done_callback(self._background.discard)

    async def _catch_up(self, table: Table, version: int | None = None) -> None:
        """Applies what others have written, up to a version if it is known; retried later if that fails.

        The process that wrote it schedules what the table waits for, unless this one holds the table's lease.
        """
        try:
            if version is None or len(table.rows) < version:
                await self.refresh(table)
            if not table.deleted and self.leases.holds(table.name):
                await self.status(table)
                self.changes.put_nowait(table)
        except Exception as error:  # noqa: BLE001 - the database may be away for a while
            self._behind.add(table.name)
            _log.warning("table not caught up", **logging.error_fields(error))

    async def resubscribe(self) -> None:
        """Listens again if the connection was lost, and catches up with what was missed."""
        if not await self.store.notifications.is_listening():
            self._behind.update(self._live)
            await self.store.notifications.listen()
        missed, self._behind = self._behind, set()
        for name in missed & self._live.keys():
            await self._catch_up(self._live[name])

    async def refresh(self, table: Table) -> None:
        """Reads what other processes have written."""
        if self.store.shared:
            async with table.lock:
                await self._refresh(table)

    async def _refresh(self, table: Table) -> None:
        try:
            stored = await self.store.load(table.name, len(table.rows), table.digest)
        except DamagedLog as error:
            self.forget(table)
            raise self._damaged(error) from None
        if stored is None:
            self.forget(table)
            return
        table.responses.update(stored.responses)
        if stored.rows:
            table.extend(stored.rows, None)

    def _wake(self, name: str) -> None:
        """Wakes the streams of a table."""
        if name in self._live:
            self._live[name].wake()

    def forget(self, table: Table) -> None:
        """Drops a deleted table and notifies its streams."""
        table.deleted = True
        if table.timer:
            table.timer.cancel()
        self._live.pop(table.name, None)
        table.wake()

    # the cache

    async def find(self, name: str, *, stale: bool = False) -> Table:
        """The table of that name, up to date unless a stale one will do; NotFound if there is none."""
        if not _NAME.fullmatch(name):
            raise NotFound(_say("table.unknown"))
        if name not in self._live:
            if name not in self._loading:
                self._loading[name] = asyncio.create_task(self._load(name))
            try:
                table = await wait_shielded(self._loading[name])
            finally:
                self._loading.pop(name, None)
            if table is None or table.deleted:
                raise NotFound(_say("table.unknown"))
            self._live.setdefault(name, table)
            stale = False  # notifications during the load were missed
        if not stale:
            await self.refresh(self._live[name])
        if name not in self._live:
            raise NotFound(_say("table.unknown"))  # deleted meanwhile
        self._live.move_to_end(name)
        self._evict()
        return self._live[name]

    async def _load(self, name: str) -> Table | None:
        try:
            stored = await self.snapshots.load(name)
        except DamagedLog as error:
            raise self._damaged(error) from None
        return Table(name, stored) if stored else None

    def _damaged(self, error: DamagedLog) -> Damaged:
        """The refusal to serve a table whose stored events are not those that were written."""
        _log.error("log damaged", table=error.table, event_number=error.event)
        return Damaged(_say("table.damaged"))

    def _evict(self) -> None:
        """Evicts the least recently used tables if nobody reads them and nothing is scheduled."""
        surplus = max(0, min(EVICTION_BATCH, len(self._live) - MAX_LIVE))
        for name, table in list(islice(self._live.items(), surplus)):
            if table.streams or table.queued or table.timer or table.lock.locked():
                self._live.move_to_end(name)
            else:
                del self._live[name]

    # queries

    async def hint(
        self, name: str, holder: str | None, seat: int, version: int, draft: Sequence[str], language: str
    ) -> bytes:
        """What a strong bot would do and why, from what the seat may know; others learn that the seat asked."""
        table = await self.find(name)
        seen, told = await self.ask(table, rules.see_draft, holder, seat, version, draft)
        game = (await self.status(table)).game
        question = (game, HINT_PLAYER, seen, f"hint {len(table.rows)}", HINT_CLOCK, language)
        suggestion = await self.workers.call_bot(Priority.QUESTION, HINT_LIMIT, bots.suggest, *question)
        if told:
            await self.perform(name, TellHint(seat, version), holder)
        return await self.ask(table, rules.hint, holder, seat, version, draft, suggestion)

    async def preview(
        self, name: str, holder: str | None, seat: int, version: int, draft: Sequence[str], language: str
    ) -> bytes:
        """The preview of a draft; advice, which may take long to compute, comes from a bot worker."""
        table = await self.find(name)
        preview, question = await self.ask(table, rules.preview, holder, seat, version, draft, language)
        if question is None:
            return preview
        game = (await self.status(table)).game
        advice = await self.workers.call_bot(Priority.QUESTION, ADVICE_LIMIT, bots.advise, game, question, language)
        return add_advice(preview, advice)

    # commands

    async def open_table(self, command: Open, by: str) -> str:
        """Opens a table; the same key of the same browser leads to the same table."""
        creation = hashlib.sha256(f"{by} {command.key}".encode()).hexdigest()
        digest = _digest(command, by)
        name, context = secrets.token_hex(8), _context(by)
        position = LogPosition(name, 0, b"")
        done = await self.workers.call_rules(name, Priority.TURN, rules.perform, position, command, context)
        if isinstance(done, RefusalData):
            raise Refused(done)
        assert isinstance(done, CommandOutcome)
        response = StoredResponse(command.key, digest, json.dumps({"table": name}), done.status.version)
        try:
            write = _write(name, 0, done.rows, done.status, context.now)
            await self.store.write(write._replace(creation=creation, response=response))
        except Conflict:
            known = await self._opened_before(creation, command.key, digest)
            assert known is not None
            return known
        table = Table(name, StoredTable(list(done.rows), {command.key: response}, done.status.digest))
        table.set_status(done.status)
        table.sent = done.status.version
        table.account = current_asker().account
        self._live[name] = table
        self.changes.put_nowait(table)
        return name

    async def _opened_before(self, creation: str, key: str, digest: str) -> str | None:
        """The table that the key has opened already; KeyReused if that was another command."""
        known = await self.store.find_by_creation(creation)
        if known is not None and (await self.find(known)).responses[key].digest != digest:
            raise KeyReused(_say("table.key_reused"))
        return known

    async def perform(self, name: str, command: Command, by: str | None) -> str:
        """The response to a command, stored with its events; a repeated command gets the same response again."""
        table = await self.find(name, stale=True)
        asker = current_asker()
        if asker.is_client and table.commands >= MAX_COMMANDS:
            raise Overloaded(_say("limit.waiting"))
        with asking(Asker(asker.account)):  # a browser that disconnects does not interrupt its command
            work = asyncio.create_task(self._perform(table, command, by))
        self._performing.add(work)
        work.add_done_callback(self._performing.discard)
        table.commands += 1
        work.add_done_callback(table.finish_command)
        result = await wait_shielded(work)
        if asker.is_client and isinstance(command, SeatCommand):
            table.account = asker.account
        return result

    async def _perform(self, table: Table, command: Command, by: str | None) -> str:
        key = command.key if isinstance(command, ClientCommand) else None
        digest = _digest(command, by)
        async with table.lock:
            for _ in range(MAX_ATTEMPTS):
                if table.deleted:
                    raise NotFound(_say("table.unknown"))
                if key is not None and key in table.responses:
                    if table.responses[key].digest != digest:
                        raise KeyReused(_say("table.key_reused"))
                    return table.responses[key].body
                try:
                    return await self._carry_out(table, command, by, key, digest)
                except Conflict:  # another process was quicker
                    await self._refresh(table)
                    await self._recall(table, key)
                except Refused:
                    if not await self._recall(table, key) and not await self._has_changed(table):
                        raise
                except TableDeleted:
                    self.forget(table)
        raise Closing(_say("server.busy"))

    async def _has_changed(self, table: Table) -> bool:
        """Whether other processes have written something that no notification has brought yet."""
        before = len(table.rows)
        if self.store.shared:
            await self._refresh(table)
        return table.deleted or len(table.rows) > before

    async def _recall(self, table: Table, key: str | None) -> bool:
        """Whether another process has responded to that key; its response is known here from now on."""
        if not self.store.shared or key is None:
            return False
        response = await self.store.find_response(table.name, key)
        if response is not None:
            table.responses[key] = response
        return response is not None

    async def _carry_out(self, table: Table, command: Command, by: str | None, key: str | None, digest: str) -> str:
        context, subscribers = _context(by), table.up_to_date_subscribers()
        done = await self.ask(table, rules.perform, command, context, subscribers)
        result = serialize_result(done.result)
        response = StoredResponse(key, digest, result, done.status.version) if key is not None else None
        write = _write(table.name, len(table.rows), done.rows, done.status, context.now)
        writes = [write._replace(response=response, tallies=done.tallies)]
        if done.rematch is not None:
            rows, status = done.rematch
            creation = hashlib.sha256(f"after {table.name}".encode()).hexdigest()
            assert done.result.table is not None
            writes.append(_write(done.result.table, 0, rows, status, context.now)._replace(creation=creation))
        await self.store.write(*writes)
        if response:
            table.responses[response.key] = response
        table.extend(done.rows, done.status)
        table.sent = done.status.version
        for subscriber, chunk in zip(subscribers, done.chunks, strict=False):
            if chunk is not None:
                table.cache_chunk(subscriber, chunk)
        table.seen = (done.status.waiting.since, done.seen) if done.seen is not None else None
        self.changes.put_nowait(table)
        if self.snapshots.is_due(table):
            self._run_in_background(self.snapshots.save(table))
        return result

    async def delete(self, name: str, holder: str | None) -> None:
        """Deletes the table and notifies its streams."""
        table = await self.find(name)
        await self.ask(table, rules.may_delete, holder)
        async with table.lock:
            await self.store.delete(name)
            self.forget(table)
        await self.store.scrub()


def _context(by: str | None) -> Context:
    return Context(by, time.time_ns() // 1_000_000, secrets.token_bytes(RANDOM_BYTES))


def _digest(command: Command, by: str | None) -> str:
    """A digest that distinguishes commands with the same key; fields that were added later count only if they are set."""
    values: dict[str, Any] = asdict(command, dict_factory=without_unset)  # type: ignore[call-overload]
    values.pop("key", None)
    if isinstance(command, Open):
        body = json.dumps(values, sort_keys=True)
    else:
        body = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{by} {type(command).__name__} {body}".encode()).hexdigest()


def _write(name: str, after: int, rows: Sequence[Row], status: TableStatus, at: int) -> TableWrite:
    return TableWrite(
        *(name, after, rows, None, status.public, status.status, waits_for(status), status.summary, at, status.game),
        digest=status.digest.hex(),
    )
