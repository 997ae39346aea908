"""`make prove-faults`: every system call of a workload fails in turn, in every way."""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from typing import Any

from tests.campaigns.campaign import format_table, run_campaign, write_page
from tests.campaigns.faults.fault import KINDS, Error, Fault, list_faults
from tests.campaigns.faults.runner import FaultRunner
from tests.campaigns.faults.zygote import SETTINGS

COUNTED = {
    "acknowledged": "acknowledged",
    "unavailable": "503, again after two repetitions",
    "unanswered": "none, since the process had ended",
    "refused starts": "a server that did not start, with the reason",
}
METHOD = """

The workload opens tables, joins, plays at several tables at once, runs WAL checkpoints, checks whether the server is \
ready, deletes a table and overwrites its remains, makes a backup, resigns, opens a rematch and reads the statistics, \
through the real application on a SQLite file. It starts with a new file, with a database of the first version, which \
is migrated, and with the files of a killed server; in the last case the page cache is too small, so that \
transactions are written to the log before they are committed. A library that is preloaded into the process counts \
its calls on the database's files and lets the n-th fail, for every n in turn: disk full (`ENOSPC`), I/O error \
(`EIO`), a short write of half the bytes after which the disk is full, or a kill in the middle of the call; either \
once, or from then on. Clients that get 503 repeat the request twice with the same key. Afterwards the process is \
gone, and the database is opened again without faults.

The campaign stops unless all of this holds:
- Every request gets a response: success, a refusal, or 503 with the reason; there are no unexpected errors, and \
nothing hangs.
- A server that cannot start says so, and can be started later.
- No response shows less than was acknowledged before.
- Afterwards `spieltisch check` finds no problem, every acknowledged command gets the same response again, and \
commands with an unknown outcome are carried out once when they are repeated.
- The moves in every log are exactly the acknowledged ones, in that order; every table, join, resignation and rematch \
is there exactly once, and nothing else is.
- A table whose deletion was acknowledged is gone; a backup that was reported as made is complete."""


def run_case(runner: FaultRunner, seed: int, setting: str, fault: Fault) -> dict[str, Any]:
    """The result of one fault, and which call it was; an AssertionError that names the fault if something is wrong."""
    result = runner.run(setting, seed, fault)
    problem = result.pop("problem")
    assert problem is None, f"{setting}, seed {seed}, {fault}: {problem}"
    del result["trace"]
    return {**result, "injected": bool(result["injected"])}


def list_cases(runner: FaultRunner, setting: str, seed: int, stride: int = 1) -> list[tuple[str, Fault]]:
    """Every fault of the workload, or every n-th, with the kind of its call."""
    traced = runner.run(setting, seed)
    assert traced["problem"] is None, traced["problem"]
    trace = traced["trace"]
    return [(trace[fault.number - 1], fault) for fault in list_faults(trace)][::stride]


def main(part: float, seed: int) -> None:
    columns = [(error, persistent) for error in Error for persistent in (False, True) if not (persistent and error is Error.KILL)]  # fmt: skip
    found: Counter[tuple[str, Error, bool]] = Counter()
    totals: Counter[str] = Counter()
    with FaultRunner() as runner:
        for setting in SETTINGS:
            cases = list_cases(runner, setting, seed, max(1, round(1 / part)))
            play = partial(_play, runner, seed, cases)
            name = f"faults-{part:g}-{seed}-{setting.replace(' ', '-')}"
            results = run_campaign(name, [setting], len(cases), play)[setting]
            for (kind, fault), result in zip(cases, results, strict=True):
                if result["injected"]:
                    found[kind, fault.error, fault.persistent] += 1
                    totals.update({name: result[name] for name in COUNTED})
                else:
                    totals["not reached"] += 1  # the workload took another way
    called = {kind for kind, *_ in found}
    rows = [
        (name, *(found[kind, *column] or "" for column in columns)) for kind, name in KINDS.items() if kind in called
    ]
    header = ("call", *(f"{error.name.replace('_', ' ').lower()}{', from then on' if persistent else ''}" for error, persistent in columns))  # fmt: skip
    write_page(
        "faults",
        "Fault injection",
        f"`make prove-faults PART={part:g}`: {sum(found.values())} faults injected; nothing that was acknowledged was lost, doubled or "
        f"damaged.{METHOD}\n\n" + "\n".join(format_table(header, rows)),
        ("responses during the faults", ""),
        [(told, totals[name]) for name, told in COUNTED.items()],
    )


def _play(runner: FaultRunner, seed: int, cases: list[tuple[str, Fault]], setting: str, index: int) -> dict[str, Any]:
    return run_case(runner, seed, setting, cases[index][1])


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
