"""Fair queue: shares workers between accounts by the processor time that their jobs use.

Start-time fair queueing. Every account has a virtual time, which advances by the processor time of its jobs. A worker that
becomes idle takes a job of the account with the least virtual time, so an account that has used little goes first. One that
was idle starts at the virtual time of the job that was started last: nobody saves up time by being idle.

Jobs wait in heaps, one per worker and one for those that any worker may take, so that a thousand waiting accounts cost
hardly more than one. Virtual times only grow, so a job whose account has used more since it was queued is put back when it
comes to the top.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from enum import Enum
from heapq import heapify, heappop, heappush, heapreplace
from itertools import count
from typing import Final, TypeAlias

from spieltisch.i18n.message import message_factory
from spieltisch.server.errors import Overloaded
from spieltisch.server.workers.askers import SERVER, AskerLeft, current_asker

MAX_WAITING: Final = 4000  # jobs of all clients together
MAX_ACCOUNTS: Final = 1000  # idle ones are forgotten if there are more
MIN_COMPACTED: Final = 100  # a shorter heap may consist of jobs that were withdrawn
_say = message_factory("")


class Priority(Enum):
    """The handicap of a kind of job, in seconds of processor time: as if its account had used that much more.

    Jobs of one account are started in this order. Jobs of different accounts are, too, unless one has used more.
    """

    TURN = 0.0  # commands, and what tables wait for
    LOOK = 0.02  # reads and streams
    QUESTION = 0.1  # previews, advice, hints, records
    FILM = 0.5  # what may take seconds

    __hash__ = object.__hash__


class _Account:
    """An account's virtual time and its jobs."""

    __slots__ = ("bounded", "held", "name", "running", "virtual_time", "waiting")

    def __init__(self, name: str, virtual_time: float) -> None:
        self.name = name
        self.virtual_time = virtual_time
        self.running = 0
        self.waiting = 0
        self.bounded = 0  # bounded jobs that wait
        self.held: list[_Entry] = []  # out of the heaps until one of the jobs that run has ended

    @property
    def idle(self) -> bool:
        return not self.running and not self.waiting


class Job:
    """A job that waits for a worker: for one of them, or for any."""

    def __init__(self, account: _Account, priority: Priority, worker: int | None, *, bounded: bool) -> None:
        self.account = account
        self.priority = priority
        self.worker = worker
        self.bounded = bounded  # counts towards what a client may have waiting
        self.waiting = True
        self.granted: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @property
    def due(self) -> float:
        """The virtual time at which it is its turn."""
        return self.account.virtual_time + self.priority.value


_Entry: TypeAlias = tuple[float, int, Job]  # when the job was due when it was queued, and a serial number


class FairQueue:
    """The queue in front of some workers.

    With more than one worker, an account may use all but one at a time: a job cannot be interrupted, and others should not
    have to wait for the end of a long one.
    """

    def __init__(self, size: int, pending: int, choose: Callable[[AbstractSet[int]], int] = min) -> None:
        self._idle = set(range(size))
        self._most = max(1, size - 1)
        self._choose = choose  # the worker for a job that may go to any idle one
        self._pending = pending  # bounded jobs of an account that may wait; 0 means any number
        self._accounts: dict[str, _Account] = {}
        self._heaps: dict[int | None, list[_Entry]] = {worker: [] for worker in (None, *range(size))}
        self._numbers = count()
        self._most_accounts = MAX_ACCOUNTS  # or twice as many as are in use
        self._clock = 0.0  # virtual time of the job that was started last
        self._waiting = 0

    def __len__(self) -> int:
        """How many jobs wait."""
        return self._waiting

    async def acquire(
        self, priority: Priority, worker: int | None = None, *, bounded: bool = True, steal_after: float | None = None
    ) -> int:
        """A worker for a job of the current asker: that one, but after `steal_after` seconds any.

        Overloaded if too many jobs wait, AskerLeft if nobody waits for this one any more.
        """
        asker = current_asker()
        asker.check_present()
        job = Job(self._account(asker.account), priority, worker, bounded=bounded and asker.is_client)
        self._add(job)
        asker.wait_for(job.granted)
        self._dispatch()
        timer = None
        if steal_after is not None and not job.granted.done():
            timer = asyncio.get_running_loop().call_later(steal_after, self._let_any_worker_take, job)
        try:
            return await job.granted
        except (asyncio.CancelledError, AskerLeft):
            self._withdraw(job)
            raise
        finally:
            if timer:
                timer.cancel()

    def _let_any_worker_take(self, job: Job) -> None:
        if job.waiting:
            job.worker = None
            self._push((job.due, next(self._numbers), job))
            self._dispatch()

    def release(self, worker: int, account: str, cpu_seconds: float) -> None:
        """Takes a worker back, and charges the account for its job."""
        used = self._accounts[account]
        used.running -= 1
        used.virtual_time += cpu_seconds
        for entry in used.held:
            self._push(entry)
        used.held.clear()
        self._idle.add(worker)
        self._dispatch()
        self._forget(used)

    def _account(self, name: str) -> _Account:
        account = self._accounts.get(name)
        if account is None:
            account = self._accounts[name] = _Account(name, self._clock)
        elif account.idle:
            account.virtual_time = max(account.virtual_time, self._clock)
        return account

    def _add(self, job: Job) -> None:
        account = job.account
        if job.bounded and self._pending and (account.bounded >= self._pending or self._waiting >= MAX_WAITING):
            self._forget(account)
            raise Overloaded(_say("limit.waiting"))
        account.waiting += 1
        account.bounded += job.bounded
        self._waiting += 1
        self._push((job.due, next(self._numbers), job))

    def _push(self, entry: _Entry) -> None:
        """Puts a job into its heap, out of which jobs that wait no more are taken if they are the most."""
        heap = self._heaps[entry[2].worker]
        if len(heap) > MIN_COMPACTED + 2 * self._waiting:
            heap[:] = [other for other in heap if other[2].waiting]
            heapify(heap)
        heappush(heap, entry)

    def _withdraw(self, job: Job) -> None:
        """Removes a job that nobody waits for; if it was granted a worker at this moment, gives that back."""
        if job.waiting:
            self._remove(job)
            self._forget(job.account)
        elif job.granted.done() and not job.granted.cancelled() and not job.granted.exception():
            self.release(job.granted.result(), job.account.name, 0.0)

    def _remove(self, job: Job) -> None:
        job.waiting = False
        job.account.waiting -= 1
        job.account.bounded -= job.bounded
        self._waiting -= 1

    def _dispatch(self) -> None:
        """Gives idle workers to the jobs whose turn it is."""
        while self._idle and self._waiting:
            best = min((first for worker in (None, *self._idle) if (first := self._first(worker))), default=None)
            if best is None:
                return
            job = best[2]
            worker = self._choose(self._idle) if job.worker is None else job.worker
            self._remove(job)
            if job.granted.done():
                continue  # cancelled, or its asker has left
            self._idle.discard(worker)
            job.account.running += 1
            self._clock = max(self._clock, job.account.virtual_time)
            job.granted.set_result(worker)

    def _first(self, worker: int | None) -> _Entry | None:
        """The job in a heap whose turn it is, among those that may start."""
        heap = self._heaps[worker]
        while heap:
            due, number, job = heap[0]
            if not job.waiting or job.worker != worker:
                heappop(heap)
            elif job.account.running >= self._most and job.account.name != SERVER.account:
                job.account.held.append(heappop(heap))
            elif job.due > due:
                heapreplace(heap, (job.due, number, job))
            else:
                return heap[0]
        return None

    def _forget(self, account: _Account) -> None:
        """Drops an account whose past no longer counts."""
        if account.idle and account.virtual_time <= self._clock:
            self._accounts.pop(account.name, None)
        if len(self._accounts) > self._most_accounts:
            idle = [name for name, one in self._accounts.items() if one.idle]
            for name in idle:
                del self._accounts[name]
            self._most_accounts = max(MAX_ACCOUNTS, 2 * len(self._accounts))
