"""Fair queue: shares workers between accounts by the processor time that their jobs use.

Start-time fair queueing. Every account has a virtual time, which advances by the processor time of its jobs. A worker that
becomes idle takes a job of the account with the least virtual time, so whoever has used little goes first. An account that
was idle starts at the virtual time of the job that was started last: nobody saves up time by being idle.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from enum import Enum
from itertools import chain
from typing import Final

from spieltisch.i18n.message import message_factory
from spieltisch.server.errors import Overloaded
from spieltisch.server.workers.askers import SERVER, AskerLeft, current_asker

MAX_WAITING: Final = 4000  # jobs of all clients together
MAX_ACCOUNTS: Final = 1000  # idle ones are forgotten if there are more
_say = message_factory("")


class Priority(Enum):
    """The handicap of a kind of job, in seconds of processor time: as if its account had used that much more.

    Jobs of one account are started in this order. Jobs of different accounts are, too, unless one has used more.
    """

    TURN = 0.0  # commands, and what tables wait for
    LOOK = 0.02  # looks and streams
    QUESTION = 0.1  # previews, advice, hints, records
    FILM = 0.5  # what may take seconds

    __hash__ = object.__hash__


class Job:
    """A job that waits for a worker: for one of them, or for any."""

    def __init__(self, account: str, priority: Priority, worker: int | None, *, bounded: bool) -> None:
        self.account = account
        self.priority = priority
        self.worker = worker
        self.bounded = bounded  # counts towards what a client may have waiting
        self.granted: asyncio.Future[int] = asyncio.get_running_loop().create_future()


class _Account:
    """An account's virtual time and its jobs."""

    __slots__ = ("bounded", "running", "virtual_time", "waiting")

    def __init__(self, virtual_time: float) -> None:
        self.virtual_time = virtual_time
        self.running = 0
        self.bounded = 0  # bounded jobs that wait
        self.waiting: dict[Priority, deque[Job]] = {priority: deque() for priority in Priority}

    @property
    def idle(self) -> bool:
        return not self.running and not any(self.waiting.values())

    def first(self, worker: int) -> Job | None:
        """The account's next job that the worker may take."""
        return next((job for job in chain(*self.waiting.values()) if job.worker in (None, worker)), None)


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
        job = Job(asker.account, priority, worker, bounded=bounded and asker.is_client)
        asker.wait_for(job.granted)
        account = self._add(job)
        self._dispatch()
        timer = None
        if steal_after is not None and not job.granted.done():
            timer = asyncio.get_running_loop().call_later(steal_after, self._let_any_worker_take, job)
        try:
            return await job.granted
        except (asyncio.CancelledError, AskerLeft):
            self._withdraw(account, job)
            raise
        finally:
            if timer:
                timer.cancel()

    def _let_any_worker_take(self, job: Job) -> None:
        job.worker = None
        self._dispatch()

    def release(self, worker: int, account: str, cpu_seconds: float) -> None:
        """Takes a worker back, and charges the account for its job."""
        used = self._accounts[account]
        used.running -= 1
        used.virtual_time += cpu_seconds
        self._idle.add(worker)
        self._dispatch()
        self._forget(account, used)

    def _add(self, job: Job) -> _Account:
        account = self._accounts.get(job.account)
        if account is None:
            account = self._accounts[job.account] = _Account(self._clock)
        elif account.idle:
            account.virtual_time = max(account.virtual_time, self._clock)
        if job.bounded and self._pending and (account.bounded >= self._pending or self._waiting >= MAX_WAITING):
            raise Overloaded(_say("limit.waiting"))
        account.waiting[job.priority].append(job)
        account.bounded += job.bounded
        self._waiting += 1
        return account

    def _withdraw(self, account: _Account, job: Job) -> None:
        """Removes a job that nobody waits for; if it was granted a worker at this moment, gives that back."""
        if job in account.waiting[job.priority]:
            self._remove(account, job)
            self._forget(job.account, account)
        elif job.granted.done() and not job.granted.cancelled() and not job.granted.exception():
            self.release(job.granted.result(), job.account, 0.0)

    def _remove(self, account: _Account, job: Job) -> None:
        account.waiting[job.priority].remove(job)
        account.bounded -= job.bounded
        self._waiting -= 1

    def _dispatch(self) -> None:
        """Gives idle workers to the jobs whose turn it is."""
        while self._idle and self._waiting:
            best = min(self._candidates(), key=lambda found: found[0], default=None)
            if best is None:
                return
            _, worker, account, job = best
            self._remove(account, job)
            if job.granted.done():
                continue  # cancelled, or its asker has left
            self._idle.discard(worker)
            account.running += 1
            self._clock = max(self._clock, account.virtual_time)
            job.granted.set_result(worker)

    def _candidates(self) -> Iterator[tuple[float, int, _Account, Job]]:
        """The next job of every account that may start one, with the virtual time at which it is due."""
        for name, account in self._accounts.items():
            if account.running >= self._most and name != SERVER.account:
                continue
            for worker in self._idle:
                if job := account.first(worker):
                    due = account.virtual_time + job.priority.value
                    yield due, (self._choose(self._idle) if job.worker is None else worker), account, job
                    break

    def _forget(self, name: str, account: _Account) -> None:
        """Drops an account whose past no longer counts."""
        if account.idle and account.virtual_time <= self._clock:
            self._accounts.pop(name, None)
        if len(self._accounts) > MAX_ACCOUNTS:
            idle = [key for key, one in self._accounts.items() if one.idle]
            for key in idle:
                del self._accounts[key]
