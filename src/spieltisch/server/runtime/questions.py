"""Questions to the rules worker of a table, which may lack a part of the table's log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from spieltisch.server.errors import RefusalData, Refused
from spieltisch.server.runtime.snapshots import Snapshots
from spieltisch.server.runtime.table import Table
from spieltisch.server.workers import rules, table_cache
from spieltisch.server.workers.pool import Priority, WorkerLost, WorkerPool
from spieltisch.server.workers.rules import TableStatus
from spieltisch.server.workers.snapshot import BadSnapshot
from spieltisch.server.workers.table_cache import LogPosition, MissingRows

P = ParamSpec("P")
T = TypeVar("T")
PRIORITIES: Final[Mapping[Callable[..., Any], Priority]] = {
    rules.preview: Priority.QUESTION,
    rules.see_draft: Priority.QUESTION,
    rules.hint: Priority.QUESTION,
    rules.record: Priority.QUESTION,
    rules.see_view: Priority.QUESTION,
    rules.find_step: Priority.QUESTION,
    rules.project: Priority.LOOK,
    rules.stream: Priority.LOOK,
}  # of questions to the rules worker; all others are commands, or what tables wait for
MAX_ROUNDS: Final = 200  # in which a rules worker may ask for rows that it lacks


class Questions:
    """Asks the rules workers about tables."""

    def __init__(self, workers: WorkerPool, snapshots: Snapshots) -> None:
        self.workers = workers
        self.snapshots = snapshots

    async def ask(
        self,
        table: Table,
        work: Callable[Concatenate[LogPosition, P], T | RefusalData | MissingRows],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """The response of the rules worker; Refused if it refuses."""
        priority = PRIORITIES.get(work, Priority.TURN)
        tried = searched = False
        for _ in range(MAX_ROUNDS):
            position = table.position()
            try:
                if len(position.rows) > table_cache.MAX_ROWS:
                    if table.sent or tried:
                        await self._load_rows(table, priority)
                        continue
                    tried, position = True, position._replace(rows=(), saved=None)  # the worker may know the table
                answer = await self.workers.call_rules(table.name, priority, work, position, *args, **kwargs)
            except BadSnapshot as error:
                self.snapshots.discard(table, error)
                continue
            if isinstance(answer, MissingRows):
                table.sent = answer.after
                if not answer.after and table.saved is None and not searched:
                    searched = True
                    await self.snapshots.find(table)
                continue
            table.sent = max(table.sent, position.version)
            table.saved = None
            if isinstance(answer, RefusalData):
                raise Refused(answer)
            return answer
        raise WorkerLost  # it cannot keep the table, e.g. because its memory is full

    async def _load_rows(self, table: Table, priority: Priority) -> None:
        """Sends the rules worker a part of the log, so that a long one does not keep others waiting."""
        part = table.position(table.known + table_cache.MAX_ROWS)
        answer = await self.workers.call_rules(table.name, priority, table_cache.load, part)
        table.sent = answer.after if isinstance(answer, MissingRows) else max(table.sent, part.version)

    async def status(self, table: Table) -> TableStatus:
        """The table's status, asked for once."""
        while table.status is None:
            status = await self.ask(table, rules.status)
            if status.version == len(table.rows):  # others may have written meanwhile
                table.set_status(status)
        return table.status
