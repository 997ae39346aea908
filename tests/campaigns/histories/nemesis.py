"""Nemesis: kills and pauses servers, workers and the database, cuts answers off, and lets clocks jump."""

from __future__ import annotations

import contextlib
import mmap
import os
import signal
import struct
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Self
from unittest import mock

import psutil

from tests.campaigns.histories.proxy import CuttingProxy
from tests.support.preload.build import preloaded
from tests.support.server import Server
from tests.support.storage.postgres import postgres

PAUSES = (0.05, 0.3, 1.0)  # seconds
LONG_PAUSE = 7.0  # longer than a lease
HOUR = 3600


class ServerClock:
    """The wall clock of servers, as an offset in a file that they map into memory."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "clock"
        self._path.write_bytes(struct.pack("l", 0))
        self._file = self._path.open("r+b")
        self._shared = mmap.mmap(self._file.fileno(), struct.calcsize("l"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._shared.close()
        self._file.close()

    def jump(self, seconds: int) -> None:
        """Moves the clock."""
        (offset,) = struct.unpack("l", self._shared[:])
        self._shared[:] = struct.pack("l", offset + seconds)

    @contextlib.contextmanager
    def inherited(self) -> Iterator[None]:
        """Processes that are started in this block have this clock."""
        with mock.patch.dict(os.environ, {**preloaded("clock"), "CLOCK_OFFSET": str(self._path)}):
            yield


class Nemesis:
    """What goes wrong: one disturbance after the other, each healed before the next."""

    def __init__(
        self,
        servers: Sequence[Server],
        proxies: Sequence[CuttingProxy],
        clock: ServerClock,
        database: str | None,
        seed: str,
    ) -> None:
        self.servers = servers
        self.proxies = proxies
        self.clock = clock
        self.database = database  # the URL of a PostgreSQL database; None for a file
        self.counts: Counter[str] = Counter()
        self._rng = Random(seed)

    def names(self) -> list[str]:
        """The disturbances that are possible here, often ones several times."""
        everywhere = ["kill server", "pause server", "pause server", "kill rules worker", "pause rules worker",
                      "kill bot worker", "pause bot worker", "cut answers", "cut answers", "clock jumps"]  # fmt: skip
        return [*everywhere, "kill database", "pause database", "cut database"] if self.database else everywhere

    def disturb(self, name: str | None = None) -> None:
        """Carries out one disturbance, a random one unless it is named, and heals it."""
        name = name or self._rng.choice(self.names())
        getattr(self, f"_{name.replace(' ', '_')}")()
        self.counts[name] += 1

    def _server(self) -> Server:
        return self._rng.choice(self.servers)

    def start(self, server: Server) -> None:
        """Starts a server again; while the database recovers, it says that it cannot."""
        with self.clock.inherited():
            for attempt in range(5):
                try:
                    server.start()
                except AssertionError:
                    assert attempt < 4
                    time.sleep(1)
                else:
                    return

    def _kill_server(self) -> None:
        server = self._server()
        server.kill()
        time.sleep(self._rng.choice((0.0, 0.2)))
        self.start(server)

    def _pause_server(self) -> None:
        long = self.database is not None and self._rng.random() < 0.1
        self._pause([psutil.Process(self._server().process.pid)], LONG_PAUSE if long else self._rng.choice(PAUSES))

    def _kill_rules_worker(self) -> None:
        self._kill(self._server().workers(bots=False))

    def _kill_bot_worker(self) -> None:
        self._kill(self._server().workers(bots=True))

    def _pause_rules_worker(self) -> None:
        self._pause(self._server().workers(bots=False), self._rng.choice(PAUSES))

    def _pause_bot_worker(self) -> None:
        self._pause(self._server().workers(bots=True), self._rng.choice(PAUSES))

    def _cut_answers(self) -> None:
        """Drops answers of what was carried out, for a while."""
        for proxy in self.proxies:
            proxy.cut_share = 0.5
        time.sleep(self._rng.choice((0.3, 1.0)))
        for proxy in self.proxies:
            proxy.cut_share = 0.0

    def _clock_jumps(self) -> None:
        """Sets the clock back by an hour or a day, or forward by a little."""
        self.clock.jump(self._rng.choice((-HOUR, -24 * HOUR, 20)))

    def _kill_database(self) -> None:
        """Kills a process of PostgreSQL, which then restarts with a recovery."""
        self._kill(self._backends()[:1])

    def _pause_database(self) -> None:
        self._pause(self._backends(), self._rng.choice(PAUSES))

    def _cut_database(self) -> None:
        assert self.database is not None
        postgres().terminate_connections(self.database)

    def _backends(self) -> list[psutil.Process]:
        assert self.database is not None
        own = "datname = current_database() AND application_name LIKE 'spieltisch%'"
        rows = postgres().sql(self.database, f"SELECT pid FROM pg_stat_activity WHERE {own} ORDER BY random()")  # noqa: S608
        return [psutil.Process(int(pid)) for (pid,) in rows if psutil.pid_exists(int(pid))]

    def _kill(self, processes: Sequence[psutil.Process]) -> None:
        for process in processes[:1]:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)

    def _pause(self, processes: Sequence[psutil.Process], seconds: float) -> None:
        with contextlib.ExitStack() as stack:
            for process in processes:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.suspend()
                    stack.callback(_resume, process)
            time.sleep(seconds)


def _resume(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.NoSuchProcess):
        process.resume()
