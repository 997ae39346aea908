"""Crash test: an evening of games on a server that is killed again and again, and the invariants that must hold.

A client that gets no response repeats the command with the same key; a client that loses its stream resumes it.
"""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

import httpx
import psutil

from spieltisch.gameplay.verify import verify
from spieltisch.records import read
from tests.campaigns.crash_checks import AcknowledgedCommand, StoreSnapshot, read_store
from tests.campaigns.crash_plan import TablePlan
from tests.campaigns.crash_users import make_users
from tests.support.command import has_ended
from tests.support.server import Server, TableClient, reusable_port

T = TypeVar("T")
TIMEOUT = 300.0  # for a whole evening
_CLEANUP = "resource_tracker"  # Python's own message about cleaning up after a killed process


class Evening:
    """A server, its simulated users, and every command that was acknowledged."""

    def __init__(self, folder: Path, seed: int, plans: Sequence[TablePlan]) -> None:
        self.seed = seed
        self.plans = plans
        self.rng = Random(f"crash {seed}")
        self.server = Server(folder, port=reusable_port())
        self.up = threading.Event()
        self.up.set()
        self.acknowledged: list[AcknowledgedCommand] = []
        self.unacknowledged: dict[str, str] = {}  # by key
        self.failures: list[BaseException] = []
        self.counts: Counter[str] = Counter()
        self.count_lock = threading.Lock()
        self.deadline = time.monotonic() + TIMEOUT
        self.last_snapshot = StoreSnapshot({}, {}, {}, Counter())
        self.users = [user for plan in plans for user in make_users(self, plan)]

    def retry(self, request: Callable[[], T]) -> T:
        """The result of the request, which is repeated while the server is down."""
        while True:
            assert time.monotonic() < self.deadline, f"evening {self.seed} does not finish"
            try:
                return request()
            except httpx.TransportError:
                self.up.wait(1)
                time.sleep(0.01)

    def play(self, kills: int, least: int = 0) -> None:
        """Plays while the server is killed `kills` times, each after at least `least` commands, and then to the end."""
        for user in self.users:
            user.thread.start()
        for kill in range(kills):
            self._wait_for_a_moment(least, judged=kill == 1)
            self._kill(self.server.process)
            self.server.wait()
            self._check_after_kill()
            if self.rng.random() < 0.3:
                self._kill_during_startup()
            self.server.start()
            self.up.set()
        while self._is_running() and time.monotonic() < self.deadline:
            time.sleep(0.05)
        if self.failures:
            raise self.failures[0]
        left = [user.latest for user in self.users if user.thread.is_alive()]
        assert not left, f"evening {self.seed} does not finish: {left}"
        self._wait_for_bots()
        for user in self.users:
            if not user.plan.people:
                self.check_record(user.person.at(user.shared.table), user.plan)
        assert self.server.stop() == 0
        assert not self.server.errors, "".join(self.server.errors)

    def count(self, name: str, times: int = 1) -> None:
        """Adds to a counter of the report."""
        with self.count_lock:
            self.counts[name] += times

    def check_record(self, at: TableClient, plan: TablePlan) -> None:
        """Verifies every draw of a finished match."""
        text = self.retry(at.record)
        found = verify(read(text))
        assert found.proven
        assert found.finished or plan.moves is not None
        self.count("games", found.games)
        self.count("draws verified", sum(line.startswith("*") for line in text.splitlines()))

    def _is_running(self) -> bool:
        return not self.failures and any(user.thread.is_alive() for user in self.users)

    def _wait_for_a_moment(self, least: int, *, judged: bool) -> None:
        """Waits for a random number of acknowledged commands and a short time; with `judged`, until a verdict is pending."""
        if judged and any(plan.moves for plan in self.plans):
            self._wait_in_store(lambda waits: "judge" in waits.values() or not self._is_running(), 10.0)
            return
        enough = len(self.acknowledged) + max(least, self.rng.choice((0, 5, 20, 40, 60)))
        end = time.monotonic() + 10
        while len(self.acknowledged) < enough and time.monotonic() < end and self._is_running():
            time.sleep(0.001)
        time.sleep(self.rng.random() * 0.05)

    def _wait_in_store(self, condition: Callable[[dict[str, str]], bool], seconds: float) -> dict[str, str]:
        """Waits until a condition on what the tables wait for holds, by reading the database instead of asking the server."""
        end = time.monotonic() + seconds
        with contextlib.closing(sqlite3.connect(f"file:{self.server.file}?mode=ro", uri=True)) as store:
            while True:
                waits = dict(store.execute("SELECT id, waits FROM tables"))
                if condition(waits) or time.monotonic() > end:
                    return waits
                time.sleep(0.002)

    def _wait_for_bots(self) -> None:
        """Waits for the tables that nobody watches, where bots play on by themselves."""
        waits = self._wait_in_store(
            lambda waits: not {"bot", "judge"} & set(waits.values()), self.deadline - time.monotonic()
        )
        assert set(waits.values()) == {"nobody"}, waits

    def _kill(self, process: subprocess.Popen[str]) -> None:
        """Kills the server; no process that it has started may outlive it."""
        server = psutil.Process(process.pid)
        server.suspend()
        children = server.children(recursive=True)
        self.up.clear()
        process.kill()
        process.wait(60)
        _, alive = psutil.wait_procs(children, timeout=60)
        left = [child for child in alive if not has_ended(child.pid)]
        assert not left, f"the killed server left {left} behind"
        self.count("kills")
        self.count("worker processes that ended with the server", len(children))

    def _kill_during_startup(self) -> None:
        """Kills the next server during startup."""
        command = [sys.executable, "-m", "spieltisch", "serve", "--data", str(self.server.file)]
        quiet = subprocess.DEVNULL
        with subprocess.Popen(
            [*command, "--port", str(self.server.port)], stdout=quiet, stderr=quiet, text=True
        ) as starting:
            time.sleep(self.rng.random() * 2.0)
            self._kill(starting)
        self.count("kills during startup")

    def _check_after_kill(self) -> None:
        """Checks the stored data against the acknowledged commands, and against the data after the previous kill."""
        acknowledged, unacknowledged = list(self.acknowledged), set(self.unacknowledged)
        assert all(_CLEANUP in line or "warnings.warn" in line for line in self.server.errors), self.server.errors
        snapshot = read_store(self.server.file)
        for table, rows in self.last_snapshot.rows.items():
            assert snapshot.rows[table][: len(rows)] == rows, f"{table} has changed"
        for one in acknowledged:
            assert snapshot.answers[one.table, one.key] == one.response, f"{one} is lost"
            assert one.response.get("version", 0) <= len(snapshot.rows[one.table]), f"{one} is lost"
        done = len({key for _, key in snapshot.answers} & unacknowledged)
        self.count("commands without a response at a kill", len(unacknowledged))
        self.count("of those, already stored and acknowledged when repeated", done)
        for kind in ("bot", "judge"):
            self.count(f"tables waiting for a {kind} at a kill", list(snapshot.waits.values()).count(kind))
        self.last_snapshot = snapshot
