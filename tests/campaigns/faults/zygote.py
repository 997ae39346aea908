"""Runs single faults: a prepared process that forks once for the workload and once for the checks.

As a program, reads one request per line and prints one result per line; faults.c must be preloaded.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from spieltisch.server.storage import engine
from spieltisch.server.storage.errors import StoreUnavailable, StoreUnusable
from tests.campaigns.faults import planted
from tests.campaigns.faults.checks import FULL, Violation, check_responses, read_logs, recover
from tests.campaigns.faults.fault import Error, Fault, Injector
from tests.campaigns.faults.journal import Account, Journal
from tests.campaigns.faults.scrubbing import forked_scrubs
from tests.campaigns.faults.workload import play, serve

GOLDEN = Path(__file__).parents[2] / "table" / "golden" / "tables-1.sql"
SETTINGS = ("new file", "migration", "after a kill")
STARTS = 2  # of a server that cannot start, as a supervisor does it
TIME_LIMIT = 60  # seconds after which a process counts as hung
_KILLED = 99  # the exit status of a process that was ended by a fault
_MEMORY = Path("/dev/shm")  # noqa: S108 - files in memory: no disk is as quick


class Zygote:
    """The prepared process, with the databases that workloads start with."""

    def __init__(self, folder: Path) -> None:
        self._injector = Injector()
        self._work = folder / "work"
        self._prepared = folder / "prepared"
        self._accounts: dict[str, Account] = {}
        self._injector.watch(self._work)
        self._warm_up()
        for setting in SETTINGS:
            self._prepare(setting)

    def _warm_up(self) -> None:
        """Runs everything once in this process, so that nothing has to be imported or compiled after a fork."""
        self._reset(None)
        account = Account()
        with tempfile.TemporaryFile() as steps:
            journal = Journal(steps.fileno())
            with forked_scrubs(TIME_LIMIT):
                asyncio.run(self._serve(journal, 0, kill=False))
                steps.seek(0)
                account.read(steps)
                asyncio.run(recover(self._work, account, journal))
        for thread in threading.enumerate():  # a process with threads cannot be forked safely
            if thread is not threading.main_thread():
                thread.join(TIME_LIMIT)
                assert not thread.is_alive(), thread

    def _prepare(self, setting: str) -> None:
        self._reset(None)
        account = self._accounts[setting] = Account()
        file = self._work / "tables.sqlite"
        if setting == "migration":
            with contextlib.closing(sqlite3.connect(file)) as database:
                database.executescript(GOLDEN.read_text("utf-8"))
                short = 'SELECT "table" FROM log GROUP BY "table" ORDER BY count(*) LIMIT 2'
                for part, column in (("log", "table"), ("answers", "table"), ("tables", "id"), ("tallies", "table")):
                    database.execute(f'DELETE FROM {part} WHERE "{column}" NOT IN ({short})')  # noqa: S608
                database.execute("UPDATE tables SET waits = 'nobody'")  # no bot moves by itself
                database.commit()
        elif setting == "after a kill":
            self._fork(account, lambda journal: self._run(journal, None, seed=-1, kill=True))
            self._injector.disarm()
        if file.exists():
            account.notes.append({"tables": list(read_logs(file)) if setting == "migration" else []})
        shutil.copytree(self._work, self._prepared / setting)

    def _reset(self, setting: str | None) -> None:
        """Empties the working folder, and copies the database of a setting into it."""
        shutil.rmtree(self._work, ignore_errors=True)
        if setting is None:
            self._work.mkdir(parents=True)
        else:
            shutil.copytree(self._prepared / setting, self._work)

    def run(self, setting: str, seed: int, fault: Fault | None, plant: str | None) -> dict[str, Any]:
        """Runs the workload with a fault and checks everything; returns what happened."""
        self._reset(setting)
        before = self._accounts[setting]
        account = Account(list(before.operations), list(before.notes))

        def work(journal: Journal) -> None:
            with planted.fault(plant):
                if setting == "after a kill":  # pages are written to the log in the middle of transactions
                    engine._PRAGMAS = (*engine._PRAGMAS, "cache_size = 2")  # type: ignore[misc]
                self._run(journal, fault, seed, kill=fault is not None and fault.persistent)

        self._fork(account, work)
        self._injector.disarm()
        told = account.notes[len(before.notes) :]
        notes: dict[str, Any] = {key: value for note in told for key, value in note.items()}
        problem = notes.get("problem")
        if problem is None:
            try:
                check_responses(account)
            except Violation as violation:
                problem = str(violation)
        if problem is None:
            checked = Account()

            def check(journal: Journal) -> None:
                with planted.fault(plant), forked_scrubs(TIME_LIMIT):
                    asyncio.run(recover(self._work, account, journal))

            self._fork(checked, check)
            problem = next((note["problem"] for note in checked.notes if "problem" in note), None)
        status = [one.status for one in account.operations[len(before.operations) :]]
        return {
            "problem": problem,
            "trace": self._injector.trace,
            "injected": self._injector.injected,
            "refused starts": sum("start" in note for note in told),
            "acknowledged": sum(one is not None and one < 300 for one in status),
            "unavailable": sum(one == 503 for one in status),
            "full": sum(one.response.get("message") == FULL for one in account.operations),
            "deletion": next((one.status for one in reversed(account.operations) if one.what == "delete"), None),
            "unanswered": sum(one is None for one in status),
        }

    def _run(self, journal: Journal, fault: Fault | None, seed: int, *, kill: bool) -> None:
        """Runs the workload; the process is killed afterwards instead of stopping the server, if asked to."""
        with forked_scrubs(TIME_LIMIT):
            self._injector.arm(fault)
            for _ in range(STARTS):
                try:
                    asyncio.run(self._serve(journal, seed, kill=kill))
                    break
                except (StoreUnusable, StoreUnavailable, OSError) as error:  # each is a sentence of the command line
                    journal.note(start=type(error).__name__)

    async def _serve(self, journal: Journal, seed: int, *, kill: bool) -> None:
        async with serve(self._work, journal, Random(f"workload {seed}")) as clients:
            await play(clients)
            if kill:
                os._exit(0)

    def _fork(self, account: Account, work: Callable[[Journal], object]) -> None:
        """Runs the work in a forked process, and reads its journal."""
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            os.close(reader)
            _run_child(Journal(writer), work)
        os.close(writer)
        with os.fdopen(reader, "rb") as steps:
            account.read(steps)
        _, status = os.waitpid(child, 0)
        if status and os.waitstatus_to_exitcode(status) not in (_KILLED, 1):
            account.notes.append({"problem": f"the process ended with {os.waitstatus_to_exitcode(status)}"})


def _run_child(journal: Journal, work: Callable[[Journal], object]) -> None:
    """Runs the work and ends this process; an error becomes a note."""
    status = 1
    try:
        signal.alarm(TIME_LIMIT)
        work(journal)
        status = 0
    except Violation as violation:
        journal.note(problem=str(violation))
    except BaseException:  # noqa: BLE001 - it is the result
        journal.note(problem=traceback.format_exc())
    finally:
        os._exit(status)


@contextlib.contextmanager
def open_zygote() -> Iterator[Zygote]:
    """A prepared process with a folder of its own."""
    where = _MEMORY if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="spieltisch-faults-", dir=where) as folder:
        yield Zygote(Path(folder))


def main() -> None:
    """Answers requests from standard input."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)  # where the application logs to
    with open_zygote() as zygote:
        for line in sys.stdin:
            setting, seed, given, plant = json.loads(line)
            fault = Fault(given[0], Error(given[1]), given[2]) if given else None
            print(json.dumps(zygote.run(setting, seed, fault, plant)), file=answers, flush=True)


if __name__ == "__main__":
    main()
